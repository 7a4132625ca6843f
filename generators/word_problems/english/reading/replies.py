"""Extracts the answer from an English model reply to a word problem, in two ways: as published, and robustly.

The scorer compares the extracted answer with the gold answer. Neither way of reading knows the gold answer or the
numbers of the problem.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from generators.word_problems.english.reading.reply_numbers import LONGEST, Mention, numbers, plain

__all__ = ["ReplyAnswer", "published", "robust"]


class ReplyAnswer(NamedTuple):
    """The answer that a reply gives, if any."""

    value: Fraction | None
    """The exact number, or None if the reply gives no answer."""
    reason: str
    """Why there is no answer; empty if there is one."""
    by: str
    """What marks the answer: `boxed`, `####`, `answer`, `bold`, `first line`, `last sentence`; empty for none."""


_FIRST = re.compile(r"(?<![\d.])-?\d[\d,]*+(?:\.\d++)?")
_BOLD = "\ue000"  # stands for **: a single character that is part of no word
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
_REACH = 200  # number of characters after a mark that are searched for its number
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
    r"""The number that a reply gives as its answer, or the reason why there is none.

    A number marked as the answer wins, the last one of its kind. The marks, strongest first: `\boxed{8}`, `#### 8`,
    `the answer is 8`, and a bold number in the last sentence that has a number. Next comes a first sentence that is a
    number and at most two words; then the last number of the last sentence that has one. In an equation the answer
    follows the last `=`. Labels of steps and of lists do not count as numbers. A refusal after the answer, or before it
    in the same sentence, means that there is no answer. The time is linear in the length of the reply.
    """
    if not reply.strip():
        return ReplyAnswer(None, "is empty", "")
    text = _unlabelled(plain(reply).replace("**", _BOLD))
    mentions = numbers(text)
    if not mentions:
        refuses = _REFUSAL.search(text) is not None
        return ReplyAnswer(None, "says that there is no answer" if refuses else "has no number", "")
    sentences = _sentences(text, mentions)
    for by, mention, start in _marked(text, mentions, sentences):
        if _REFUSAL.search(text, start):
            return ReplyAnswer(None, "says that there is no answer", "")
        return ReplyAnswer(mention.value, "", by)
    start, end = sentences[-1]
    if _REFUSAL.search(text, start):
        return ReplyAnswer(None, "says that there is no answer", "")
    last = _result(text, _within(mentions, start, end), last=True)
    if last is None:
        return ReplyAnswer(None, "ends in an expression without its result", "")
    return ReplyAnswer(last.value, "", "last sentence")


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


def _sentences(text: str, mentions: list[Mention]) -> list[tuple[int, int]]:
    """Start and end of each sentence in which a number begins; the end of a line also ends a sentence."""
    spans: list[tuple[int, int]] = []
    start = place = 0
    for end in [*(match.end() for match in _STOP.finditer(text)), len(text)]:
        if place < len(mentions) and mentions[place].start < end:
            spans.append((start, end))
            while place < len(mentions) and mentions[place].start < end:
                place += 1
        start = end
    return spans


def _within(mentions: list[Mention], start: int, end: int) -> list[Mention]:
    low = bisect_left(mentions, start, key=lambda mention: mention.start)
    return mentions[low : bisect_left(mentions, end, key=lambda mention: mention.start)]


def _result(text: str, mentions: list[Mention], last: bool) -> Mention | None:
    """The last number that is not an operand; unless `last`, the first one after the last `=`, if there is a `=`."""
    alone: list[Mention] = []
    chain: list[Mention] = []
    for mention in mentions:
        before = chain[-1] if chain else None
        between = text[before.end : mention.start] if before else ""
        signed = not between.strip() and text[mention.start] in "-−"
        if before and len(between) <= 30 and (_OPERATOR.fullmatch(between) or signed):
            chain.append(mention)
            continue
        alone += chain if len(chain) == 1 else []
        chain = [mention]
    alone += chain if len(chain) == 1 else []
    alone = [
        mention for mention in alone if not text[max(0, mention.start - 4) : mention.start].lower().endswith("not ")
    ]
    if not alone:
        return None
    if last:
        return alone[-1]
    equals = text.rfind("=", mentions[0].start, mentions[-1].start)
    return next((mention for mention in alone if mention.start > equals), alone[-1])


def _marked(text: str, mentions: list[Mention], sentences: list[tuple[int, int]]) -> Iterator[tuple[str, Mention, int]]:
    """(mark, number, start of the mark) of all marked numbers: the strongest mark first, the last of a kind first."""
    ends = sentences[-1]
    for match in reversed(list(_BOXED.finditer(text))):
        near = _within(mentions, match.end(), _closing(text, match.end()))
        result = _result(text, near, last=True)
        if result:
            yield "boxed", result, match.start()
    for match in reversed(list(_HASHES.finditer(text))):
        near = _within(mentions, match.end(), match.end() + 1)
        if near and not _HEADING.match(text, near[0].end):
            yield "####", near[0], match.start()
    for match in reversed(list(_ANSWER.finditer(text))):
        stop = _STOP.search(text, match.end(), match.end() + _REACH)
        end = stop.end() if stop else match.end() + _REACH
        near = _within(mentions, match.end(), end)
        if not near:
            continue
        direct = near[0].start - match.end() <= 2
        if direct or ends[0] <= near[0].start or not match[0].rstrip(" \n\"'`*>" + _BOLD).endswith((":", "=")):
            result = _result(text, near, last=not direct and ends[0] <= near[0].start)
            if result:
                yield "answer", result, match.start()
    for match in reversed(list(_IN_BOLD.finditer(text, ends[0], ends[1]))):
        result = _result(text, _within(mentions, match.start(), match.end()), last=True)
        if result:
            yield "bold", result, ends[0]
    if len(sentences) > 1 and _is_bare(text, mentions, *sentences[0]) and not _is_bare(text, mentions, *ends):
        yield "first line", mentions[0], mentions[0].start


def _closing(text: str, start: int) -> int:
    """Where the brace that opens just before `start` closes, at most _REACH characters on."""
    depth = 1
    for place in range(start, min(len(text), start + _REACH)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if not depth:
            return place
    return min(len(text), start + _REACH)


def _is_bare(text: str, mentions: list[Mention], start: int, end: int) -> bool:
    """Whether a sentence is a single number and at most two words after it."""
    inside = _within(mentions, start, end)
    before, after = text[start : inside[0].start], text[inside[0].end : end]
    return len(inside) == 1 and len(after) <= 60 and not before.strip(" \n\t*>" + _BOLD) and len(after.split()) <= 2
