"""One item and what became of the reply to it: whose verdict counts, what was read, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from hansproof.audit.harnesses.reply import says_nothing
from hansproof.generators.answering.scorer import Reading, Score, Scorer, fitting
from hansproof.generators.errors import UsageError
from hansproof.generators.item import Item

__all__ = [
    "BY_HARNESS",
    "NO_REPLY",
    "Judged",
    "Outcome",
    "Read",
    "by_harness",
    "cause",
    "difference",
    "judged_outcome",
    "outcome",
    "refuse_unknown_judge",
    "unclear_reply",
]

Judged = Literal["reply", "harness"]
"""Our reading of the reply, or the verdict of the harness that wrote the log."""

BY_HARNESS = "by_harness"
"""The key of the metadata of items on which the verdicts of the harness count, since no gold answer is known."""


def by_harness(item: Item) -> bool:
    """Whether the verdicts of the harness on an item count even where replies are read."""
    return item.metadata.get(BY_HARNESS) is True


def refuse_unknown_judge(judged: str) -> None:
    """Raise UsageError for a `judged` that is none; the command line lets none through."""
    known = get_args(Judged)
    if judged not in known:
        raise UsageError(f"judged must be {' or '.join(map(repr, known))}, not {judged!r}")


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
    judged: bool = False
    """Whether somebody else said what is right, so that nothing had to be clear to us."""

    @property
    def missing(self) -> bool:
        """Whether there is no reply, and nobody judged one that says nothing."""
        return self.reading is None and not self.judged

    @property
    def unclear(self) -> bool:
        """Whether there is a reply without a clear answer; one that a harness calls right or wrong is clear to it."""
        return self.reading is not None and self.reading.said is None and not self.judged

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
    return replace(read, score=replace(read.score, right=right, reason=reason), others={}, judged=True)


@dataclass(frozen=True)
class Read:
    """What was read from one reply: the answer alone, which is little enough to be kept of every reply."""

    said: str | None
    """The answer that the reply gives, whole; None where it gives no clear one."""
    reason: str
    """Why there is no clear answer; empty where there is one."""

    def __str__(self) -> str:
        """`yes`, `unclear (names several options)` or `missing`."""
        if self == NO_REPLY:
            return "missing"
        return f"unclear ({self.reason})" if self.said is None else self.said


NO_REPLY = Read(None, MISSING)
"""Of an item without a reply."""

_SHOWN = 60
"""Characters of an unclear reply that are shown."""


def unclear_reply(scored: Outcome, reply: str) -> str:
    """Why a reply gives no clear answer, and how it ends: that is where most answers stand."""
    said = " ".join(reply.split())
    end = said if len(said) <= _SHOWN else f"... {said[-_SHOWN:]}"
    return scored.score.reason + (f": {end!r}" if end else "")


def difference(scored: Outcome, judged: bool) -> str:
    """What we read and what the harness says (`judged`), in words."""
    said = scored.reading.said if scored.reading else None
    read = "no clear answer" if said is None else f"the answer {said[:80]!r}"
    ours, theirs = ("right" if verdict else "wrong" for verdict in (scored.right, judged))
    return f"we read {read}, which is {ours}; the harness says {theirs}"


def cause(reply: str | None, golds: Sequence[str], ours: bool) -> str:
    """The likely reason of a difference in which our reading says right (`ours`) or wrong, and the harness opposes.

    `golds` are the answers that count as right. What is said is true of the reply; that the harness compares so is
    inferred from its verdict.
    """
    if reply is None or says_nothing(reply):
        return "there is no reply"
    bare, folded = reply.strip(), reply.strip().casefold()
    if not ours:
        if any(gold and gold.casefold() in folded for gold in golds):
            return "the reply has the right answer somewhere, and is not clear to us"
        return "the reply is not the gold answer, and the harness may accept another"
    if any(bare.startswith(gold) for gold in golds):
        if reply[:1].isspace():
            return "the reply begins with white space, and the harness may compare exactly"
        if bare in golds:
            return "the reply is the gold answer, and the harness may have another"
        return "the reply goes on after the answer, and the harness may compare all of it"
    if any(folded.startswith(gold.casefold()) for gold in golds):
        return "the reply is spelt in other letters, and the harness may compare exactly"
    return "the answer does not stand at the beginning of the reply, and the harness may look there"
