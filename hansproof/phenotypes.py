"""A phenotype from a script: of finished runs, or of recorded choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.phenotype.result import Phenotype
    from generators.item import Item
    from hansproof.runs.run import Run

__all__ = ["phenotype"]


def phenotype(
    runs: str | PathLike[str] | Iterable[Run] | None = None,
    *,
    records: str | PathLike[str] | None = None,
    items: str | PathLike[str] | Iterable[Item] | None = None,
    subset: str | Sequence[str] | None = None,
    model: str = "",
    style: str = "",
    seed: int = 0,
    resamples: int | None = None,
    as_published: bool = False,
) -> Phenotype:
    """The phenotype of one participant, as `hansproof phenotype` makes it: every metric with its 95 % interval, beside
    people and random choices.

    Args:
        runs: A file of finished runs, or what `run` returns.
        records: Recorded choices instead: a table of one task, a file of several, or a folder with a table per task.
        items: The items that were played, where the file of runs does not say which: a release folder, a file, items.
        subset: The stories to measure; the standard story of each task by default.
        model: Which model, where there are several; the name of the participant if `runs` are no file.
        style: Only runs in this prompt style; by default all of them together.
        seed: Seed of the bootstrap.
        resamples: Bootstrap samples; None for 2,000.
        as_published: Keep known faults of the published analysis (Coda-Forno et al. 2024).

    Raises:
        UsageError: For neither or both of `runs` and `records`, a model, style or subset that does not occur, and
            several models of which none is named.
        InputError: For files that cannot be read, with the place of each fault, and where there is nothing to measure.
    """

    from generators.errors import UsageError, unwatched
    from hansproof.participants.gathering import gather
    from hansproof.participants.measuring import Measuring, samples
    from hansproof.release.frozen import given_items

    if (runs is None) == (records is None):
        raise UsageError("pass either runs or records")
    subsets = [] if subset is None else [subset] if isinstance(subset, str) else list(subset)
    how = Measuring(subsets, [model] if model else [], [style] if style else [], seed, resamples, as_published)
    if runs is not None and not isinstance(runs, str | PathLike):
        if style:
            raise UsageError("runs in memory have no prompt style, only those of a file", "style")
        return how.of(how.sample(gather(runs, model or "agent", subsets)))
    rows = None if items is None else given_items(items)
    files = [] if runs is None else [str(runs)]
    every = samples(how, files, [] if records is None else [str(records)], rows, unwatched)
    if len(every) > 1:
        raise UsageError(
            f"has {len(every)} models; name one of them: {', '.join(each.name for each in every)}", files[0]
        )
    return how.of(every[0])
