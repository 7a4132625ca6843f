"""Scorer: how a family reads a reply, scores what it read, and says what can be had without the ability.

The audit's room for responses knows families only through this protocol. A family without one of its own is scored by
`generators.answering.plain_scorer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from generators.answering.blind import BlindStrategy
from generators.item import Item

__all__ = ["ANSWER", "Better", "Measure", "MeasureKind", "Reading", "Score", "Scorer", "best_of"]

T = TypeVar("T")

ANSWER = "answer"
"""The name of the whole answer beside the names of measures: no measure is called this."""

Better = Literal["higher", "lower", "neither"]
"""Which values of a measure are the better ones; `neither` where it only describes what a reply does."""


@dataclass(frozen=True)
class Reading:
    """What one reply says."""

    said: str | None
    """The answer that the reply gives, in the canonical form of `Item.answer` where it has that form; None where the
    reply gives no clear answer."""
    reason: str = ""
    """Why the reply gives no clear answer; empty where it gives one."""
    others: Mapping[str, str | None] = field(default_factory=dict)
    """What further ways of reading say, by the names of `Scorer.readings`; None where one of them finds no answer."""


@dataclass(frozen=True)
class MeasureKind:
    """What a measure is, and how its values are to be read."""

    meaning: str
    """`share of the characters asked about whose identity is right`: a clause."""
    better: Better = "higher"
    share: bool = True
    """Whether values lie between 0 and 1 and are shown in per cent; False for distances, rewards and counts."""


@dataclass(frozen=True)
class Measure:
    """One number about one reply, beside right and wrong: the share of characters that are right, a reward."""

    value: float
    """Undefined values are left out of `Score.measures` rather than recorded as NaN."""
    weight: float = 1.0
    """Its weight in a mean over items: the number of characters, of trials."""


@dataclass(frozen=True)
class Score:
    """One reply against one item."""

    right: bool | None
    """Whether the whole answer is right; None where the item has no right answer."""
    reason: str = ""
    """How the answer is wrong, in words; empty where it is right or nothing is right."""
    measures: Mapping[str, Measure] = field(default_factory=dict)
    """By the names of `Scorer.measures`; a measure that does not apply to the item is left out."""


class Scorer(Protocol):
    """What a family brings so that replies to its items can be scored."""

    @property
    def measures(self) -> Mapping[str, MeasureKind]:
        """Each measure that a score may have, the main one first; empty where there is only right and wrong."""
        ...

    @property
    def readings(self) -> Mapping[str, str]:
        """Each further way of reading a reply (see `Reading.others`), and what it is; usually empty."""
        ...

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """The strategies that answer without the ability, best known first; never empty."""
        ...

    def read(self, item: Item, reply: str) -> Reading:
        """What `reply` says, in time linear in its length. Raises InputError for an item of another family."""
        ...

    def score(self, item: Item, reading: Reading) -> Score:
        """Whether that is right. A reading without an answer is wrong wherever an answer can be right."""
        ...

    def chance(self, item: Item) -> Mapping[str, float]:
        """What a uniform guess among the possible answers is expected to score: under ANSWER the probability of being
        right, under the name of a measure its expected value. What is undefined (an open answer) is left out."""
        ...


def best_of(candidates: Iterable[T], value: Callable[[T], float], better: Better) -> T | None:
    """The candidate with the best value, the first of equals; None without candidates, and where nothing is better."""
    if better == "neither":
        return None
    sign = 1 if better == "higher" else -1
    return max(candidates, key=lambda candidate: sign * value(candidate), default=None)
