"""How replies are read: the option, the yes or no, or the number that they give."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final
from unicodedata import normalize

from hansproof.generators.answering.numbers import read_number as number_given
from hansproof.generators.answering.numbers import value
from hansproof.generators.answering.plain_scorer import PlainScorer
from hansproof.generators.answering.scorer import ANSWER, BlindStrategy, Reading
from hansproof.generators.item import Item
from hansproof.generators.token_bias.blind import BLIND, LOGIC_BLIND

__all__ = ["SCORER"]

# A reply that names both answers, or neither, is unparsed, as Jiang et al. (2024) grade; so is one that weighs both
# before it decides. A second reading, which decides nothing, takes the last answer that is named.

LAST: Final = "last"
"""The name of the second reading."""

_NEGATED: Final = re.compile(r"(?:\bnot|\bnever|\bneither|n't|n’t)(?: an?| the| option)?[ \"'*_`“‘]*$", re.IGNORECASE)
_NEAR: Final = 24
"""Characters before an answer in which a negation counts."""
_LOOKED_AT: Final = 50
_LABEL: Final = re.compile(r"\(\s{0,3}([a-z])\s{0,3}\)", re.IGNORECASE)
_BARE: Final = re.compile(
    r"\b(?:option|answer|choice|choose|choosing)(?: is)?\b[\s:*_`\"']{0,6}([a-z])(?=[*_`\"'\s]{0,6}(?:[.,;:!?)]|$))",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(r"^[ \t*_`\"'#>-]{0,6}([a-z])[*_`]{0,3}[.:)](?=[\s*_`]|$)", re.IGNORECASE | re.MULTILINE)
_BOXED: Final = re.compile(r"\\boxed\{(?:\\text\{)?\s{0,3}([a-z])\s{0,3}\}|\$([a-z])\$", re.IGNORECASE)
_SUBJECT: Final = re.compile(
    r"\b(?:option|choice|statement) ([a-z]) (?:is|would be|seems)\b(?! not\b| never\b)", re.IGNORECASE
)
_ALONE: Final = re.compile(r"\W*([a-z])\W*", re.IGNORECASE)
_YES_NO: Final = re.compile(r"(?<![\w-])(yes|no)(?![\w-]|['’]\w)", re.IGNORECASE)
_NUMBER: Final = re.compile(
    # Neither part of `10,5`, which is ten and a half, is a number.
    r"(?<![A-Za-z0-9_.])(?<![0-9],)([-−–]?)([1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)(\.[0-9]+)?(?![A-Za-z0-9_]|[.,][0-9])"
)
_RACES: Final = re.compile(r"[\s*_`}$)]{0,12}(?:total |more |additional )?races?\b", re.IGNORECASE)
_LONGEST: Final = 18
"""Digits of a number that can be an answer; longer ones are kept as text, and never turned into numbers."""


def read_option(reply: str, choices: Sequence[str]) -> Reading:
    """The single option `(a)`, `(b)`, ...; where none stands in brackets, a letter that is alone, boxed, called an
    option or the answer, or at the head of a line (`b) Isaac ...`)."""
    named = [match for match in _LABEL.finditer(reply) if f"({match[1].lower()})" in choices]
    if not named and len(reply) < 100 and (alone := _ALONE.fullmatch(reply)):
        named = [alone]
    if not named:
        bare = [match for pattern in (_BARE, _BOXED, _SUBJECT, _LISTED) for match in pattern.finditer(reply)]
        named = sorted(bare, key=lambda match: match.start())
    return _single(reply, [(f"({match[match.lastindex or 1].lower()})", match.start()) for match in named], choices)


def read_yes_no(reply: str, choices: Sequence[str]) -> Reading:
    """The single yes or no, as a word of its own, in any case."""
    text = normalize("NFKC", reply)
    return _single(text, [(match[1].lower(), match.start()) for match in _YES_NO.finditer(text)], choices)


def read_number(reply: str) -> Reading:
    """The whole number that the reply gives (`generators.answering.numbers`).

    The second reading is the last number of races that the reply names as such, or else the last whole number.
    """
    if not reply.strip():
        return Reading(None, "is empty", {LAST: None})
    given, reason = number_given(reply)
    number = value(given or "")
    whole = None if number is None or number % 1 else str(int(number))
    named = [match for match in _NUMBER.finditer(reply) if not match[3] or set(match[3]) <= {".", "0"}]
    of_races = [match for match in named if _RACES.match(reply, match.end())]
    last = _canonical((of_races or named)[-1]) if named else whole
    return Reading(whole, "" if whole else reason or "names no whole number", {LAST: last})


def _canonical(match: re.Match[str]) -> str:
    """`1,234` as `1234`, `007` as `7`; a hyphen after a word (`top-3`) is no minus sign."""
    digits = match[2].replace(",", "").lstrip("0") or "0"
    before = match.string[max(0, match.start() - 1) : match.start()]
    negative = bool(match[1]) and not before.isalnum() and digits != "0"
    return f"{'-' if negative else ''}{digits if len(digits) <= _LONGEST else digits[:_LONGEST] + '...'}"


def _single(text: str, named: Sequence[tuple[str, int]], choices: Sequence[str]) -> Reading:
    known = [(choice, start) for choice, start in named if choice in choices]
    if not known:
        return Reading(None, "names no choice" if text.strip() else "is empty", {LAST: None})
    last, start = known[-1]
    others = {LAST: None if _negated(text, start) else last}
    distinct = list(dict.fromkeys(choice for choice, _ in known))
    if len(distinct) > 1:
        return Reading(None, f"names several choices: {', '.join(map(repr, distinct))}", others)
    # Of a reply that names it ten thousand times, the two ends are looked at.
    ends = known if len(known) <= 2 * _LOOKED_AT else [*known[:_LOOKED_AT], *known[-_LOOKED_AT:]]
    if any(_negated(text, start) for _, start in ends):
        return Reading(None, f"says not {last!r}", others)
    return Reading(last, "", others)


def _negated(text: str, start: int) -> bool:
    return _NEGATED.search(text[max(0, start - _NEAR) : start]) is not None


class TokenBiasScorer(PlainScorer):
    """Options, yes and no are graded as in the paper; the blind strategies know how items are made."""

    readings: Mapping[str, str] = {LAST: "the last answer that the reply names; of numbers, the last one of races"}

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """See `blind.BLIND` and `blind.LOGIC_BLIND`."""
        return _ALL

    def read(self, item: Item, reply: str) -> Reading:
        """The single option, the single yes or no, or the whole number that the reply gives."""
        if item.choices is None:
            return read_number(reply)
        read = read_option if item.choices[0].startswith("(") else read_yes_no
        return read(reply, item.choices)

    def chance(self, item: Item) -> Mapping[str, float]:
        """1 / number of options; a half where a stopwatch or a camera works, because two numbers make sense then."""
        return {ANSWER: 0.5} if "stopwatch_first" in item.metadata else super().chance(item)


_ALL = (*BLIND, *LOGIC_BLIND)

SCORER = TokenBiasScorer()
"""The only instance; it has no state."""
