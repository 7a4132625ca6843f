"""The family word-problems; `checking` is a second, independent way to every gold answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generators.answering.figure import Figure
from generators.dataset import Dataset
from generators.item import Item
from generators.word_problems.problem import NAME, VERSION, make
from generators.word_problems.scorer import SCORER
from generators.word_problems.subsets import subsets

__all__ = ["DATASET", "check", "measured"]


def check(item: Item) -> list[str]:
    """Faults of an item, in words; none if text, forms, steps and answer agree."""
    from generators.word_problems.checking import check as checked  # generating items does not need it

    return checked(item)


def measured(items: Mapping[str, Sequence[Item]]) -> Sequence[Figure]:
    """The figures that a release promises of its texts."""
    from generators.word_problems.figures import figures  # generating items does not need it

    return figures(items)


DATASET = Dataset(
    name=NAME,
    version=VERSION,
    title="Word problems with controlled biases",
    summary="Arithmetic word problems in matched pairs: are models led astray where children are?",
    seed=20240131,
    subsets=subsets(),
    make=make,
    check=check,
    figures=measured,
    scorer=SCORER,
    slices=(("n_steps",), ("operation",)),
    expertise="arithmetic word problems",
)
