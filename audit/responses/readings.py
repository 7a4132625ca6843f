"""How far a further way of reading replies agrees with the main one: in what it reads, and in what is right by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

from audit.answers.judging.outcome import Outcome
from audit.statistics.kappa import agree
from generators.answering.scorer import Scorer

__all__ = ["ReadingAgreement", "compare_readings"]


_UNREAD = "no reply is read by both"


@dataclass(frozen=True)
class ReadingAgreement:
    """One further reading beside the main one, over the replies that were given."""

    reading: str
    description: str
    replies: int
    read_by_both: int
    """Replies in which both find an answer."""
    same: int
    """Of these, replies in which both find the same answer."""
    same_share: float
    """same / read_by_both; NaN where `read_by_both` is 0."""
    both_right: int
    main_only: int
    """Replies that are right by the main reading alone."""
    other_only: int
    """Replies that are right by this reading alone."""
    neither: int
    kappa: float
    """Cohen's kappa of right and wrong (Cohen 1960); a reply without an answer is wrong. NaN where it is undefined."""
    reason: str
    """Why `same_share` or `kappa` is undefined; empty where both are defined."""


def compare_readings(outcomes: Sequence[Outcome], scorer: Scorer) -> list[ReadingAgreement]:
    """One agreement per further reading of `scorer`; only items with a right answer have rights and wrongs."""
    given = [(outcome, outcome.reading) for outcome in outcomes if outcome.reading is not None]
    scored = [outcome for outcome, _ in given if outcome.score.right is not None]
    agreements = []
    for name, description in scorer.readings.items():
        said = [(reading.said, reading.others.get(name)) for _, reading in given]
        read = [(main, other) for main, other in said if main is not None and other is not None]
        same = sum(main == other for main, other in read)
        agreed = agree(
            [outcome.right for outcome in scored],
            [bool(outcome.others[name].right) for outcome in scored],
            words=("wrong", "right"),
        )
        agreements.append(
            ReadingAgreement(
                reading=name,
                description=description,
                replies=len(given),
                read_by_both=len(read),
                same=same,
                same_share=same / len(read) if read else nan,
                both_right=agreed.both,
                main_only=agreed.first_only,
                other_only=agreed.second_only,
                neither=agreed.neither,
                kappa=agreed.kappa,
                reason="; ".join(part for part in ("" if read else _UNREAD, agreed.reason) if part),
            )
        )
    return agreements
