"""Scores of replies to word problems: right by a robust reading, right by the published one, and their agreement.

Items come from a release, replies from a model; the module of the item's language reads the reply. The report of
`scoring` counts the robust reading; the published one (Opedal et al. 2024) stands beside it in each score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from math import nan
from typing import Any

from generators.errors import InputError
from generators.item import Item
from generators.option_match import Baselines, baselines

__all__ = ["READERS", "Agreement", "Baselines", "Score", "agreement", "baselines", "score", "score_all"]

READERS = {"en": "generators.word_problems.english.replies"}
"""Language -> module with `published` and `robust`."""


@dataclass(frozen=True)
class Score:
    """One reply against one item."""

    id: str
    right: bool
    """Whether the robust reading is the gold answer."""
    parsed: bool
    """Whether the robust reading found an answer."""
    reason: str
    """Why it is unparsed, or what it says instead; empty where it is right."""
    said: str
    """What the robust reading says: `8`, `1/2`; empty for nothing."""
    right_published: bool
    """Whether the first number of the reply is the gold answer."""
    said_published: str
    agree: bool
    """Whether both readings say the same, also where both say nothing."""


@dataclass(frozen=True)
class Agreement:
    """The two readings of the same replies."""

    replies: int
    read_by_both: int
    """Replies in which both find a number."""
    same: int
    """Of these, how many with the same number in both."""
    same_share: float
    """same / read_by_both; NaN where no reply is read by both."""
    both_right: int
    robust_only: int
    """Right by the robust reading alone."""
    published_only: int
    """Right by the published reading alone."""
    neither: int
    kappa: float
    """Cohen's kappa of right and wrong (Cohen 1960), an unread reply being wrong; NaN where it is undefined."""
    reason: str
    """Why kappa is undefined; empty where it is defined."""


def score(item: Item, reply: str | None) -> Score:
    """The score of one reply; None is a missing one, which is unparsed.

    Raises InputError where the gold answer is no number or the language of the item has no reader.
    """
    gold, reader = _gold(item), _reader(item)
    if reply is None:
        return Score(item.id, False, False, "there is no reply", "", False, "", True)
    reading, first = reader.robust(reply), reader.published(reply)
    said = "" if reading.value is None else str(reading.value)
    right = reading.value == gold
    reason = "" if right else f"says {said}" if said else reading.reason
    return Score(
        item.id, right, bool(said), reason, said, first == gold, "" if first is None else str(first),
        reading.value == first,
    )  # fmt: skip


def score_all(items: Sequence[Item], replies: Mapping[str, str | None]) -> list[Score]:
    """The scores of replies keyed by item id, in the order of `items`; a missing reply is unparsed.

    Raises InputError as `score` does, and for replies whose id no item has: they would vanish from the mean.
    """
    known = {item.id for item in items}
    if len(known) < len(items):
        raise InputError("two items have one id; score each subset's file once")
    strange = sorted(id for id in replies if id not in known)
    if strange:
        raise InputError(f"{len(strange)} replies belong to no item, the first one to {strange[0]!r}")
    return [score(item, replies.get(item.id)) for item in items]


def agreement(scores: Sequence[Score]) -> Agreement:
    """How far the published and the robust reading agree: in what they read, and in what they call right.

    kappa = (p_o - p_e) / (1 - p_e). It is NaN, with the reason, for no scores and where both readings call every
    reply right, or every reply wrong (p_e = 1: chance agrees fully, and kappa says nothing).
    """
    read = [one for one in scores if one.said and one.said_published]
    same = sum(one.agree for one in read)
    both = sum(one.right and one.right_published for one in scores)
    robust = sum(one.right for one in scores)
    published = sum(one.right_published for one in scores)
    total = len(scores)
    kappa, reason = nan, ""
    # Whole numbers until the last division: agreement by chance is 1 exactly, or it is not.
    chance = robust * published + (total - robust) * (total - published)
    if not total:
        reason = "there are no replies"
    elif chance == total * total:
        reason = f"both readings call every reply {'right' if robust else 'wrong'}"
    else:
        alike = total - robust - published + 2 * both
        kappa = (alike * total - chance) / (total * total - chance)
    return Agreement(
        total, len(read), same, same / len(read) if read else nan, both, robust - both, published - both,
        total - robust - published + both, kappa, reason,
    )  # fmt: skip


def _gold(item: Item) -> Fraction:
    try:
        return Fraction(item.answer)
    except (ValueError, ZeroDivisionError) as error:
        raise InputError(f"item {item.id!r}: the answer is {item.answer!r}, not a number") from error


def _reader(item: Item) -> Any:
    language = item.metadata.get("language")
    if language not in READERS:
        known = ", ".join(READERS)
        raise InputError(f"item {item.id!r}: metadata.language is {language!r}; replies are read in: {known}")
    return import_module(READERS[language])
