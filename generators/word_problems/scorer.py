"""How replies to word problems are read and scored.

Scores count the robust reading; the published one (Opedal et al. 2024) is reported as a second reading.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from hansproof.generators.answering.numbers import LONGEST
from hansproof.generators.answering.reader import read_answer
from hansproof.generators.answering.scorer import ANSWER, BlindStrategy, Measure, MeasureKind, Reading, Score
from hansproof.generators.answering.signs import Numbers
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.word_problems.blind import BLIND

__all__ = ["ASK", "SCORER", "UNKNOWN"]

UNKNOWN = "unknown"
"""The gold answer where a number is missing that the answer depends on."""
ASK = f'If the text does not say enough to know that, answer "{UNKNOWN}".'
"""What follows the question where one problem of a pair has no answer."""
_SIGNS = ("transfer", "comparison")
_FIRST = re.compile(r"(?<![\d.])-?\d[\d,]*+(?:\.\d++)?")


def first_number(reply: str) -> int | None:
    """The first number of the reply, without thousands separators and final full stops (Opedal et al. 2024).

    None if there is none, if it is not a whole number, or if it is longer than 2 * LONGEST characters.
    """
    match = _FIRST.search(reply)
    if match is None or match.end() - match.start() > 2 * LONGEST:
        return None
    value = Fraction(match[0].replace(",", ""))
    return int(value) if value.denominator == 1 else None


class NumberScorer:
    """Reads the number that a reply gives as its answer, or that nobody can know it, and compares it with the gold."""

    measures: Mapping[str, MeasureKind] = {
        "trapped": MeasureKind("share of the replies that give the answer of the opposite operation", better="neither"),
        "abstained": MeasureKind("share of the replies that say that the answer cannot be known", better="neither"),
    }
    readings: Mapping[str, str] = {"published": "the first number of the reply, as in Opedal et al. 2024"}

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """See `blind.BLIND`."""
        return BLIND

    def read(self, item: Item, reply: str) -> Reading:
        """The number that the reply gives as its answer; `unknown` where it says that nobody can know."""
        said, reason = read_answer(reply, Numbers(item.prompt))
        first = first_number(reply)
        others = {"published": None if first is None else str(first)}
        if "answerable" in item.metadata and _abstains(reply, said):
            return Reading(UNKNOWN, "", others)
        return Reading(None if said is None else str(Fraction(said)), reason, others)

    def score(self, item: Item, reading: Reading) -> Score:
        """Right if the numbers are equal, or both unknown; trapped if the number is `metadata.trap`.

        Raises InputError if the gold answer is neither a number nor unknown.
        """
        gold, trap = item.answer or "", item.metadata.get("trap")
        wanted = _value(gold)
        if wanted is None and gold != UNKNOWN:
            raise InputError(f"the answer is {item.answer!r}, not a number", f"item {item.id!r}")
        said = _value(reading.said or "")
        right = reading.said == UNKNOWN if wanted is None else said == wanted
        measures = {} if trap is None else {"trapped": Measure(float(said == trap))}
        if "answerable" in item.metadata:
            measures["abstained"] = Measure(float(reading.said == UNKNOWN))
        reason = "" if right else reading.reason if reading.said is None else f"says {reading.said}"
        return Score(right, reason, measures)

    def chance(self, item: Item) -> Mapping[str, float]:
        """For a comparison under test, the guess at one of its two operations, all else being understood; where an
        answer may be missing, the guess whether it is; for the additions and subtractions of `transfer` and
        `comparison`, the guess at all their signs. Else empty: the answers are open, so guessing has no chance level.
        """
        if "trap" in item.metadata or "answerable" in item.metadata:
            return {ANSWER: 0.5}
        steps = item.metadata.get("n_steps")
        if item.condition in _SIGNS and type(steps) is int and steps >= 0:
            return {ANSWER: 0.5**steps}
        return {}


SCORER = NumberScorer()
"""The only instance; it has no state."""


def _value(text: str) -> Fraction | None:
    """The number that a text is; None for anything else: a blind strategy may guess anything."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


_MISSING = re.compile(
    r"\bunknown\b|\b(?:cannot|can ?not|can't|could not|couldn't|impossible to) (?:be )?(?:know|known|say|tell|told|work"
    r"|worked|determine|determined|calculate|calculated|answer|answered|find|found|solve|solved|establish|established)\b"
    r"|\bnot (?:enough|sufficient) information\b|\binsufficient information\b|\b(?:indeterminate|undetermined)\b"
    r"|\bdoes(?: not|n't) say enough\b",
    re.IGNORECASE,
)
"""Words of a reply that says that nobody can know."""


def _abstains(reply: str, said: str | None) -> bool:
    """Whether the last line that says anything of it says that nobody can know, and gives no number as the answer."""
    lines = [line for line in reply.split("\n") if line.strip()]
    for line in reversed(lines):
        missing = _MISSING.search(line)
        if missing:
            return re.search(r"\banswer\b[^.]{0,9}\d", line[missing.end() :], re.IGNORECASE) is None
        if said is not None and _FIRST.search(line):
            return False
    return False
