"""Measuring: all participants in some files of runs and of recorded choices, and their phenotypes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from generators.errors import InputError, Progress, UsageError, unknown, unwatched
from generators.item import Item
from hansproof.participants.gathering import Gathered, gather_files

if TYPE_CHECKING:
    from audit.phenotype.result import Phenotype
    from audit.phenotype.sample import Sample

__all__ = ["Measuring", "samples"]


@dataclass(frozen=True)
class Measuring:
    """How phenotypes are made, and of whom."""

    subsets: Sequence[str] = ()
    """The stories to measure; the standard story of each task where none is named."""
    models: Sequence[str] = ()
    """The models to measure; all of them where none is named."""
    styles: Sequence[str] = ()
    """The prompt styles to measure, each by itself; all of them together where none is named."""
    seed: int = 0
    resamples: int | None = None
    as_published: bool = False

    def sample(self, gathered: Gathered) -> Sample:
        """What one participant did. Raises InputError where there is nothing to measure."""
        from audit.phenotype.records.table import make_records
        from audit.phenotype.result import UNFINISHED
        from audit.phenotype.sample import sample

        if not gathered.rows:
            why = "".join(f"; {said[-1].removeprefix(UNFINISHED + ': ')}" for said in gathered.notes.values())
            raise InputError(f"{gathered.name or 'the model'} has no finished runs{why}")
        records = make_records(gathered.rows, gathered.name)
        tables = {
            task: replace(table, notes=(*table.notes, *gathered.notes.get(task, ())))
            for task, table in records.tables.items()
        }
        return sample(replace(records, tables=tables), as_published=self.as_published)

    def recorded(self, path: str) -> list[Sample]:
        """Recorded choices: of a folder all models that are named, else one participant."""
        names = self.models if len(self.models) == 1 or Path(path).is_dir() else ()
        return [self._recorded(path, name) for name in names or ("",)]

    def _recorded(self, path: str, model: str) -> Sample:
        from audit.phenotype.records.files import read_records
        from audit.phenotype.sample import sample

        records = read_records(Path(path), model=model, as_published=self.as_published)
        return sample(records, as_published=self.as_published)

    def of(self, taken: Sample, progress: Progress = unwatched) -> Phenotype:
        """The phenotype of a participant."""
        from audit.phenotype.measuring import RESAMPLES, phenotype_of

        many = RESAMPLES if self.resamples is None else self.resamples
        return phenotype_of(taken, seed=self.seed, resamples=many, progress=progress)


def samples(
    how: Measuring, runs: Sequence[str], recorded: Sequence[str], items: Sequence[Item] | None, progress: Progress
) -> list[Sample]:
    """The participants, of `recorded` choices after those of `runs`.

    Raises UsageError where there is nothing to measure, and for a model or a style that does not occur; InputError as
    `gather_files` and `read_records` do.
    """
    if not runs and not recorded:
        raise UsageError("there is nothing to measure; name files of runs, or recorded choices with --records")
    if how.styles and not runs:
        raise UsageError("recorded choices have no prompt style", "--style")
    gathered = gather_files(runs, items, how.subsets, how.styles) if runs else []
    for model in how.models if gathered else ():
        names = dict.fromkeys(each.model for each in gathered)
        if model not in names:
            raise unknown("model", model, names, within=runs[0])
    if how.models:
        gathered = [each for each in gathered if each.model in how.models]
    total = len(gathered) + len(recorded)
    taken: list[Sample] = []
    for each in gathered:
        progress("measuring choices", len(taken), total)
        taken.append(how.sample(replace(each, name=each.name or Path(runs[0]).stem)))
    for path in recorded:
        progress("measuring choices", len(taken), total)
        taken += how.recorded(path)
    return taken
