"""Extracts the answer from an English model reply to a word problem, in two ways: as published, and robustly.

The scorer compares the extracted answer with the gold answer. Neither way of reading knows the gold answer or the
numbers of the problem.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from generators.answering.replies.numbers import read_number
from generators.word_problems.english.reading.reply_numbers import LONGEST, numbers, plain

__all__ = ["ReplyAnswer", "published", "robust"]


class ReplyAnswer(NamedTuple):
    """The answer that a reply gives, if any."""

    value: Fraction | None
    """The exact number, or None if the reply gives no answer."""
    reason: str
    """Why there is no answer; empty if there is one."""


_FIRST = re.compile(r"(?<![\d.])-?\d[\d,]*+(?:\.\d++)?")
_LABEL = re.compile(r"\b(?:step|part|question|problem|sentence|equation)[ \t]{1,2}#?\d{1,3}\b", re.IGNORECASE)
_BULLET = re.compile(r"^([ \t>*#-]{0,12})(\d{1,2})[.)](?=[ \t*]{1,3}\S)", re.MULTILINE)
_REFUSAL = re.compile(
    r"\b(?:can(?:not|'t| not)|could(?:n't| not)|unable to|impossible to|not possible to)[ \t]{1,2}(?:be[ \t]{1,2})?"
    r"(?:answer|determine|solve|know|say|tell|find|work|figure|calculate|compute|help|assist|provide|give|do)"
    r"|\b(?:don't|do not) know\b|\bnot enough information\b|\binsufficient information\b|\bno (?:unique )?answer\b",
    re.IGNORECASE,
)


def published(reply: str) -> int | None:
    """The first number of the reply, without thousands separators and final full stops (Opedal et al. 2024).

    None if there is none, if it is not a whole number, or if it is longer than 2 * LONGEST characters.
    """
    match = _FIRST.search(reply)
    if match is None or match.end() - match.start() > 2 * LONGEST:
        return None
    value = Fraction(match[0].replace(",", ""))
    return int(value) if value.denominator == 1 else None


def robust(reply: str) -> ReplyAnswer:
    """The number that a reply gives as its answer (`generators.answering.replies.numbers`), or why there is none.

    Numbers in words count, labels of steps and of lists do not. A refusal on the line of the answer, or after it, means
    that there is none. Linear in the length of the reply.
    """
    if not reply.strip():
        return ReplyAnswer(None, "is empty")
    text = _in_digits(_unlabelled(plain(reply)))
    said, reason = read_number(text)
    line = text.rfind("\n", 0, max(text.rfind(said), 0)) + 1 if said else 0
    if _REFUSAL.search(text, line):
        return ReplyAnswer(None, "says that there is no answer")
    given = numbers(said or "")
    if not given:
        return ReplyAnswer(None, reason if numbers(text) else "has no number")
    return ReplyAnswer(given[0].value, "")


def _in_digits(text: str) -> str:
    """The text with all numbers in digits: `eight apples` as `8 apples`, `2 1/2 kg` as `5/2 kg`."""
    parts, end = [], 0
    for mention in numbers(text):
        parts += [text[end : mention.start], str(mention.value), " " * text[mention.end : mention.end + 1].isalpha()]
        end = mention.end
    return "".join((*parts, text[end:]))


def _unlabelled(text: str) -> str:
    """The text without the numbers of steps and lists, which start at 1 or continue the numbering."""
    expected = 1

    def unless_counting(match: re.Match[str]) -> str:
        nonlocal expected
        number = int(match[2])
        if number not in (1, expected):
            return match[0]
        expected = number + 1
        return match[1]

    return _BULLET.sub(unless_counting, _LABEL.sub(" ", text))
