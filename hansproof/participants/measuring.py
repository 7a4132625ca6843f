"""Measuring: the phenotypes of all participants in some files of runs and of recorded choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from generators.errors import InputError, UsageError, unknown
from generators.item import Item
from generators.progress import Progress
from hansproof.participants.gathering import Gathered, gather_files

if TYPE_CHECKING:
    from audit.phenotype.result import Phenotype

__all__ = ["Measuring", "measure"]


@dataclass(frozen=True)
class Measuring:
    """How phenotypes are made, and of whom."""

    subsets: Sequence[str] = ()
    """The stories to measure; the standard story of each task where none is named."""
    model: str = ""
    """The only model to measure; all of them where it is empty."""
    seed: int = 0
    resamples: int | None = None
    as_published: bool = False

    def of(self, gathered: Gathered) -> Phenotype:
        """The phenotype of what one participant did."""
        from audit.phenotype.measuring import RESAMPLES, phenotype
        from audit.phenotype.records.table import make_records

        if not gathered.rows:
            why = "".join(f"; {task}: {said[-1]}" for task, said in gathered.notes.items())
            raise InputError(f"{gathered.name or 'the model'} has no finished runs{why}")
        many = RESAMPLES if self.resamples is None else self.resamples
        records = make_records(gathered.rows, gathered.name)
        tables = {
            task: replace(table, notes=(*table.notes, *gathered.notes.get(task, ())))
            for task, table in records.tables.items()
        }
        return phenotype(
            replace(records, tables=tables), seed=self.seed, resamples=many, as_published=self.as_published
        )

    def recorded(self, path: str) -> Phenotype:
        """The phenotype of recorded choices."""
        from audit.phenotype.measuring import RESAMPLES, phenotype
        from audit.phenotype.records.files import read_records

        many = RESAMPLES if self.resamples is None else self.resamples
        records = read_records(Path(path), model=self.model, as_published=self.as_published)
        return phenotype(records, seed=self.seed, resamples=many, as_published=self.as_published)


def measure(
    how: Measuring, runs: Sequence[str], recorded: Sequence[str], items: Sequence[Item] | None, progress: Progress
) -> list[Phenotype]:
    """The phenotypes, of `recorded` choices after those of `runs`.

    Raises UsageError where there is nothing to measure, and for a model that does not occur; InputError as
    `gather_files` and `read_records` do.
    """
    if not runs and not recorded:
        raise UsageError("there is nothing to measure; name files of runs, or recorded choices with --records")
    gathered = gather_files(runs, items, how.subsets) if runs else []
    if how.model and gathered:
        names = [each.name for each in gathered]
        if how.model not in names:
            raise unknown("model", how.model, names, within=runs[0])
        gathered = [each for each in gathered if each.name == how.model]
    total = len(gathered) + len(recorded)
    phenotypes: list[Phenotype] = []
    for each in gathered:
        progress("phenotypes", len(phenotypes), total)
        phenotypes.append(how.of(replace(each, name=each.name or Path(runs[0]).stem)))
    for path in recorded:
        progress("phenotypes", len(phenotypes), total)
        phenotypes.append(how.recorded(path))
    return phenotypes
