"""How replies to word problems are read and scored.

The module of the item's language reads the reply in two ways. Scores count the robust reading; the published one
(Opedal et al. 2024) is reported as a second reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any

from hansproof.generators.answering.scorer import ANSWER, BlindStrategy, Measure, MeasureKind, Reading, Score
from hansproof.generators.errors import InputError, unknown
from hansproof.generators.item import Item
from hansproof.generators.word_problems.blind import BLIND

__all__ = ["SCORER"]

READERS = {"en": "hansproof.generators.word_problems.english.replies"}
"""Language -> module with `published` and `robust`."""
_SIGNS = ("transfer", "comparison")


class NumberScorer:
    """Reads the number that a reply gives as its answer, and compares it with the gold answer."""

    measures: Mapping[str, MeasureKind] = {
        "trapped": MeasureKind("share of the replies that give the answer of the opposite operation", better="neither")
    }
    readings: Mapping[str, str] = {"published": "the first number of the reply, as in Opedal et al. 2024"}

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """See `blind.BLIND`."""
        return BLIND

    def read(self, item: Item, reply: str) -> Reading:
        """The number that the reply gives as its answer. Raises InputError if no module reads its language."""
        reader = _reader(item)
        robust, first = reader.robust(reply, item.prompt), reader.published(reply)
        others = {"published": None if first is None else str(first)}
        return Reading(None if robust.value is None else str(robust.value), robust.reason, others)

    def score(self, item: Item, reading: Reading) -> Score:
        """Right if the numbers are equal, trapped if the number is `metadata.trap`, where the item has one.

        Raises InputError if the gold answer is not a number.
        """
        gold, trap = _gold(item), item.metadata.get("trap")
        said: Fraction | None
        try:
            said = Fraction(reading.said or "")
        except (ValueError, ZeroDivisionError):  # a blind strategy may guess anything
            said = None
        right = said == gold
        measures = {} if trap is None else {"trapped": Measure(float(said == trap))}
        reason = "" if right else reading.reason if reading.said is None else f"says {reading.said}"
        return Score(right, reason, measures)

    def chance(self, item: Item) -> Mapping[str, float]:
        """For a comparison under test, the guess at one of its two operations, all else being understood; for the
        additions and subtractions of `transfer` and `comparison`, the guess at all their signs. Else empty: the answers
        are open, so guessing has no chance level."""
        if "trap" in item.metadata:
            return {ANSWER: 0.5}
        steps = item.metadata.get("n_steps")
        if item.condition in _SIGNS and type(steps) is int and steps >= 0:
            return {ANSWER: 0.5**steps}
        return {}


SCORER = NumberScorer()
"""The only instance; it has no state."""


def _gold(item: Item) -> Fraction:
    try:
        return Fraction(item.answer or "")
    except (ValueError, ZeroDivisionError) as error:
        raise InputError(f"the answer is {item.answer!r}, not a number", f"item {item.id!r}") from error


def _reader(item: Item) -> Any:
    language = item.metadata.get("language")
    if language not in READERS:
        error = unknown("reader of replies for the language", str(language), READERS)
        raise InputError(error.reason, f"item {item.id!r}")
    return import_module(READERS[language])
