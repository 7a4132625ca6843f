"""Why a reply gives no clear answer, and why our reading and the verdict of a harness differ, as far as it tells."""

from __future__ import annotations

from collections.abc import Sequence

from audit.answers.judging.outcome import Outcome
from audit.harnesses.reply import says_nothing

__all__ = ["cause", "difference", "unclear_reply"]

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
