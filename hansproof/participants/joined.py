"""Phenotypes of all models whose runs have found their items, for a study of everything that they answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.notation import NAMELESS
from generators.dataset import Dataset
from generators.errors import HansproofError, Progress, unwatched
from generators.registry import MODULES, dataset

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audit.answers.joining import Joined
    from audit.study.records import Played
    from generators.item import Item

__all__ = ["is_played", "phenotypes_of"]


def is_played(items: Sequence[Item]) -> bool:
    """Whether the items are tasks that are played turn by turn, and leave records of choices."""
    return bool(items) and _family(items[0]) is not None


def phenotypes_of(joined: Joined, progress: Progress = unwatched) -> Played:
    """The phenotype of every model, prompt style and run of a grid whose outcomes were kept, in standard stories.

    A model without a finished run has none, and a note says why.
    """
    from audit.phenotype.comparison.pairs import MOST, differences
    from audit.study.records import Played
    from hansproof.participants.gathering import gather_outcomes
    from hansproof.participants.measuring import Measuring

    how = Measuring()
    samples, notes = [], []
    for series, outcomes in zip(joined.grid.series, joined.kept, strict=True):
        name = series.title or NAMELESS
        try:
            samples.append(how.sample(gather_outcomes(name, outcomes)))
        except HansproofError as error:
            notes.append(f"{name} has no phenotype: {error}")
    return Played(
        phenotypes=[how.of(sample, progress) for sample in samples],
        differences=differences(samples, progress=progress) if len(samples) <= MOST else [],
        notes=notes,
    )


def _family(item: Item) -> Dataset | None:
    name = str(item.metadata["dataset"])
    family = dataset(name) if name in MODULES else None
    return family if family is not None and family.records is not None else None
