"""The answer of a model's reply to a word problem, as published and robustly."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from hansproof.generators.answering.numbers import LONGEST
from hansproof.generators.answering.reader import read_answer
from hansproof.generators.answering.signs import Numbers

__all__ = ["published", "robust"]


class ReplyAnswer(NamedTuple):
    """The answer that a reply gives, if any."""

    value: Fraction | None
    """The exact number, or None if the reply gives no answer."""
    reason: str
    """Why there is no answer; empty if there is one."""


_FIRST = re.compile(r"(?<![\d.])-?\d[\d,]*+(?:\.\d++)?")


def published(reply: str) -> int | None:
    """The first number of the reply, without thousands separators and final full stops (Opedal et al. 2024).

    None if there is none, if it is not a whole number, or if it is longer than 2 * LONGEST characters.
    """
    match = _FIRST.search(reply)
    if match is None or match.end() - match.start() > 2 * LONGEST:
        return None
    value = Fraction(match[0].replace(",", ""))
    return int(value) if value.denominator == 1 else None


def robust(reply: str, prompt: str = "") -> ReplyAnswer:
    """The number that a reply gives as its answer (`generators.answering.reader`), or why there is none.

    The prompt says what is asked for. Numbers in words count, labels of steps and of lists do not. Linear in the length
    of the reply.
    """
    said, reason = read_answer(reply, Numbers(prompt))
    return ReplyAnswer(None if said is None else Fraction(said), reason)
