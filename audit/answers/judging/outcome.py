"""One item and what became of the reply to it: read, and scored, by the scorer of the item's family."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from audit.answers.judging.judged import by_harness
from audit.harnesses.reply import says_nothing
from generators.answering.scorer import Reading, Score, Scorer, fitting
from generators.item import Item

__all__ = ["MISSING", "Outcome", "judged_outcome", "outcome"]

MISSING = "there is no reply"
"""The reason of a score without a reply."""


@dataclass(frozen=True)
class Outcome:
    """One item, the reading of the reply to it, and its score."""

    item: Item
    reading: Reading | None
    """None where there is no reply; there is nothing to read then."""
    score: Score
    others: dict[str, Score]
    """The scores of the further readings of the reply, by the names of `Scorer.readings`; empty without a reply."""

    @property
    def missing(self) -> bool:
        """Whether there is no reply."""
        return self.reading is None

    @property
    def unclear(self) -> bool:
        """Whether there is a reply without a clear answer; one that a harness calls right is clear to somebody."""
        return self.reading is not None and self.reading.said is None and not self.right

    @property
    def right(self) -> bool:
        """Whether the whole answer is right; False where no answer can be."""
        return bool(self.score.right)

    def record(self) -> dict[str, Any]:
        """The outcome as a JSON object."""
        said = self.reading.others if self.reading else {}
        return {
            "id": self.item.id,
            "right": self.score.right,
            "missing": self.missing,
            "unclear": self.unclear,
            "said": self.reading.said if self.reading else None,
            "reason": self.score.reason,
            "measures": {name: asdict(measure) for name, measure in self.score.measures.items()},
            "readings": {name: {"said": said.get(name), "right": score.right} for name, score in self.others.items()},
        }


def outcome(item: Item, reply: str | None, scorer: Scorer) -> Outcome:
    """The outcome of one reply; one that `says_nothing` is missing, and wrong wherever an answer can be right.

    Raises InputError where the item is not one that `scorer` can score.
    """
    with fitting(item):
        if reply is None or says_nothing(reply):
            nothing = Score(False, MISSING) if by_harness(item) else scorer.score(item, Reading(None, MISSING))
            return Outcome(item, None, nothing, {})
        reading = scorer.read(item, reply)
        others = {name: scorer.score(item, Reading(reading.others.get(name))) for name in scorer.readings}
        return Outcome(item, reading, scorer.score(item, reading), others)


def judged_outcome(read: Outcome, right: bool | None) -> Outcome:
    """The outcome with the verdict of somebody else, None for one that is neither right nor wrong; what the reply says,
    and measures, stay as they were read."""
    reason = "" if right else "neither right nor wrong by the harness" if right is None else "wrong by the harness"
    return replace(read, score=replace(read.score, right=right, reason=reason), others={})
