"""The answer of an English reply to a word problem, read in two ways: as published, and robustly.

Replies come from a model, readings go to `score`, which compares them with the gold answer. Neither way knows the
gold answer or the numbers of the problem.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from generators.word_problems.english.reply_numbers import LONGEST, Found, numbers, plain

__all__ = ["Reading", "published", "robust"]


class Reading(NamedTuple):
    """What a reply gives as its answer."""

    value: Fraction | None
    """Exact; None where it gives none."""
    reason: str
    """Why it gives none, in words; empty where it gives one."""
    by: str
    """What marked the answer: `boxed`, `####`, `answer`, `bold`, `first line`, `last sentence`; empty for none."""


_FIRST = re.compile(r"(?<![\d.])-?\d[\d,]*+(?:\.\d++)?")
_BOLD = "\ue000"  # stands for **: one character, and of no word
_BOXED = re.compile(r"\\(?:boxed|fbox)\s{0,3}\{")
_HASHES = re.compile(r"####[ \t]{0,3}(?=[-\d.])")
_HEADING = re.compile(r"[.):][ \t]{1,3}[^\W\d]")
_ANSWER = re.compile(
    r"\banswers?\b[^\n.!?:=]{0,60}?(?:\b(?:is|was|be|are)\b|[:=\ue000\n])[\s:=\ue000\"'`*>-]{0,12}(?<!-)(?<!- )",
    re.IGNORECASE,
)
_IN_BOLD = re.compile(r"\ue000[^\ue000\n]{1,200}\ue000(?![:])")
_LABEL = re.compile(r"\b(?:step|part|question|problem|sentence|equation)[ \t]{1,2}#?\d{1,3}\b", re.IGNORECASE)
_BULLET = re.compile(r"^([ \t>*#\ue000-]{0,12})(\d{1,2})[.)](?=[ \t\ue000]{1,3}\S)", re.MULTILINE)
_STOP = re.compile(r"[.!?]++[\"')\]\ue000*`}]{0,6}(?=\s|$)|\n")
_OPERATOR = re.compile(
    r"[ \t)\ue000]{0,4}(?:[a-z]{1,15})?[ \t)\ue000]{0,4}"
    r"(?:[-+×÷*/x]|plus|minus|times|(?:divided|multiplied) by)[ \t(\ue000]{0,4}",
    re.IGNORECASE,
)
_REACH = 200  # characters after a mark in which its number is looked for
_REFUSAL = re.compile(
    r"\b(?:can(?:not|'t| not)|could(?:n't| not)|unable to|impossible to|not possible to)[ \t]{1,2}(?:be[ \t]{1,2})?"
    r"(?:answer|determine|solve|know|say|tell|find|work|figure|calculate|compute|help|assist|provide|give|do)"
    r"|\b(?:don't|do not) know\b|\bnot enough information\b|\binsufficient information\b|\bno (?:unique )?answer\b",
    re.IGNORECASE,
)


def published(reply: str) -> int | None:
    """The first number of the output, thousands separators and final stops removed, after Opedal et al. (2024).

    None where there is none, and where it is no whole number or has more than LONGEST digits.
    """
    match = _FIRST.search(reply)
    if match is None or match.end() - match.start() > 2 * LONGEST:
        return None
    value = Fraction(match[0].replace(",", ""))
    return int(value) if value.denominator == 1 else None


def robust(reply: str) -> Reading:
    r"""The number that a reply gives as its answer, or the reason why there is none.

    What is marked as the answer goes first, the last of its kind: `\boxed{8}`, `#### 8`, `the answer is 8`, a bold
    number alone in its line or in the last sentence with a number; then a first line that is a number with at most
    two words; then the last number of the last sentence that has one. Of an equation it is what follows the last `=`.
    Labels of steps and of lists are no numbers. A refusal after the answer, or in its sentence before it, leaves none.
    Linear in the length of the reply.
    """
    if not reply.strip():
        return Reading(None, "is empty", "")
    text = _unlabelled(plain(reply).replace("**", _BOLD))
    found = numbers(text)
    if not found:
        refuses = _REFUSAL.search(text) is not None
        return Reading(None, "says that there is no answer" if refuses else "has no number", "")
    sentences = _sentences(text, found)
    for by, one, start in _marked(text, found, sentences):
        if _REFUSAL.search(text, start):
            return Reading(None, "says that there is no answer", "")
        return Reading(one.value, "", by)
    start, end = sentences[-1]
    if _REFUSAL.search(text, start):
        return Reading(None, "says that there is no answer", "")
    last = _result(text, _within(found, start, end), last=True)
    return Reading(last.value, "", "last sentence") if last else Reading(None, "ends in a sum not worked out", "")


def _unlabelled(text: str) -> str:
    """The text without the numbers of steps and of lists; these count from 1, or on from the one before."""
    expected = 1

    def unless_counting(match: re.Match[str]) -> str:
        nonlocal expected
        number = int(match[2])
        if number not in (1, expected):
            return match[0]
        expected = number + 1
        return match[1]

    return _BULLET.sub(unless_counting, _LABEL.sub(" ", text))


def _sentences(text: str, found: list[Found]) -> list[tuple[int, int]]:
    """Start and end of each sentence in which a number begins; a line's end ends a sentence too."""
    spans: list[tuple[int, int]] = []
    start = place = 0
    for end in [*(match.end() for match in _STOP.finditer(text)), len(text)]:
        if place < len(found) and found[place].start < end:
            spans.append((start, end))
            while place < len(found) and found[place].start < end:
                place += 1
        start = end
    return spans


def _within(found: list[Found], start: int, end: int) -> list[Found]:
    low = bisect_left(found, start, key=lambda one: one.start)
    return found[low : bisect_left(found, end, key=lambda one: one.start)]


def _result(text: str, some: list[Found], last: bool) -> Found | None:
    """The first or last number that is no operand of a sum; where there is a `=`, one after the last of them."""
    alone: list[Found] = []
    chain: list[Found] = []
    for one in some:
        before = chain[-1] if chain else None
        between = text[before.end : one.start] if before else ""
        signed = not between.strip() and text[one.start] in "-−"
        if before and len(between) <= 30 and (_OPERATOR.fullmatch(between) or signed):
            chain.append(one)
            continue
        alone += chain if len(chain) == 1 else []
        chain = [one]
    alone += chain if len(chain) == 1 else []
    alone = [one for one in alone if not text[max(0, one.start - 4) : one.start].lower().endswith("not ")]
    if not alone:
        return None
    if last:
        return alone[-1]
    equals = text.rfind("=", some[0].start, some[-1].start)
    return next((one for one in alone if one.start > equals), alone[-1])


def _marked(text: str, found: list[Found], sentences: list[tuple[int, int]]) -> Iterator[tuple[str, Found, int]]:
    """(mark, number, where it begins) of all that is marked, the strongest mark first, the last of a kind first."""
    ends = sentences[-1]
    for match in reversed(list(_BOXED.finditer(text))):
        some = _within(found, match.end(), _closing(text, match.end()))
        one = _result(text, some, last=True)
        if one:
            yield "boxed", one, match.start()
    for match in reversed(list(_HASHES.finditer(text))):
        some = _within(found, match.end(), match.end() + 1)
        if some and not _HEADING.match(text, some[0].end):
            yield "####", some[0], match.start()
    for match in reversed(list(_ANSWER.finditer(text))):
        stop = _STOP.search(text, match.end(), match.end() + _REACH)
        end = stop.end() if stop else match.end() + _REACH
        some = _within(found, match.end(), end)
        if not some:
            continue
        direct = some[0].start - match.end() <= 2
        if direct or ends[0] <= some[0].start or not match[0].rstrip(" \n\"'`*>" + _BOLD).endswith((":", "=")):
            one = _result(text, some, last=not direct and ends[0] <= some[0].start)
            if one:
                yield "answer", one, match.start()
    for match in reversed(list(_IN_BOLD.finditer(text, ends[0], ends[1]))):
        one = _result(text, _within(found, match.start(), match.end()), last=True)
        if one:
            yield "bold", one, ends[0]
    if len(sentences) > 1 and _is_bare(text, found, *sentences[0]) and not _is_bare(text, found, *ends):
        yield "first line", found[0], found[0].start


def _closing(text: str, start: int) -> int:
    """Where the brace opened before `start` closes, within reach."""
    depth = 1
    for place in range(start, min(len(text), start + _REACH)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if not depth:
            return place
    return min(len(text), start + _REACH)


def _is_bare(text: str, found: list[Found], start: int, end: int) -> bool:
    """Whether a sentence is one number and at most two words after it."""
    some = _within(found, start, end)
    before, after = text[start : some[0].start], text[some[0].end : end]
    return len(some) == 1 and len(after) <= 60 and not before.strip(" \n\t*>" + _BOLD) and len(after.split()) <= 2
