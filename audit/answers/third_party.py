"""The scorer of items that are not ours: labels, options named by text or letter, and open answers with several golds.

The golds that count stand in `metadata["accepted"]`. The reading is plain on purpose: what it cannot read is unclear,
which is wrong and counted, and how far it agrees with the harness that ran the model is reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation

from generators.answering.blind import BlindStrategy
from generators.answering.option_letters import Letters, letters_of
from generators.answering.plain_scorer import PLAIN, read_choice
from generators.answering.scorer import ANSWER, MeasureKind, Reading, Score
from generators.item import Item

__all__ = ["ACCEPTED", "BREAKDOWN", "MATCHED", "ORIGINAL", "THIRD_PARTY", "ThirdPartyScorer", "accepted", "subset_of"]

ACCEPTED = "accepted"
"""The key of the metadata with every gold answer that counts as right."""

MATCHED = "matched"
"""The key of the metadata with the name of what items of several conditions are matched by, where that is declared.
The group says which items count together, and may be larger: items of several pairs may share a template."""

ORIGINAL = "original"
"""The key of the metadata with the condition that others are compared with, where somebody names it."""

BREAKDOWN = "breakdown"
"""The key of the metadata with the subset that somebody wants numbers by. It only cuts the numbers: what was asked,
which items are matched and from which others a blind strategy learns is said by the benchmark's own `subset`."""

_NUMBER = re.compile(r"(?<![\w.])(?<!\d,)[-−+]?[$€£]?\d+(?:[.,]\d+)*(?![\w]|[.,]\d)")
"""Digits with points and commas; `_number` says what they mean."""
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL_COMMA = re.compile(r"(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+),\d+")
_LEAD = re.compile(r"(?:so|thus|therefore|hence)?[,: ]*(?:the )?(?:final |correct )?answer(?: is)?[: ]+", re.IGNORECASE)
_NO = re.compile(
    r"(?<=\w)([ \t]+)no(?=[ \t]+(?!(?:and|as|because|based|but|due|for|given|he|if|in|it|or|she|since|so|that|the|they"
    r"|this|to|under|unless|we|when|while|with|you)\b)[a-z])"
)
"""`no` in front of what there is none of, as in `there is no agreed answer`, which answers nothing."""
_EDGES = " \t\"'`*_.!?,;:()[]{}“”‘’"


def subset_of(item: Item) -> str:
    """The subset by which an item is shown: that of a breakdown that somebody wants, or else the benchmark's own."""
    return str(item.metadata.get(BREAKDOWN, item.metadata.get("subset", "")))


class ThirdPartyScorer:
    """Options by their words or letters, labels by their words, numbers by value, other answers by the last line."""

    measures: Mapping[str, MeasureKind] = {}
    readings: Mapping[str, str] = {}

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """Strategies that apply to items of any kind."""
        return PLAIN.blind

    def read(self, item: Item, reply: str) -> Reading:
        """The option or label that the reply names; of an open item its last line, or its last number where the gold
        is a number.

        Where options have letters, a plain answer by letter comes first, then the words of an option from the last line
        on that hints at a letter, then that hint (`generators.answering.option_letters`).
        """
        if not reply.strip():
            return Reading(None, "is empty")
        if item.choices is None:
            return _open(item, reply)
        lettered = item.metadata.get("lettered") is True and not _like_letters(item.choices)
        letters = letters_of(reply, item.choices) if lettered else Letters((), (), (), reply)
        if len(letters.plain) > 1:
            return Reading(None, _several(letters.plain))
        if letters.plain:
            return Reading(item.choices[letters.plain[0]])
        words = letters.rest
        if "no" in map(str.casefold, item.choices):
            words = _NO.sub(r"\1", words)
        choice, reason = read_choice(words, item.choices)
        if letters.front:
            front = item.choices[letters.front[0]]
            return (
                Reading(front) if choice in ("", front) else Reading(None, f"begins with {front!r}, names {choice!r}")
            )
        if choice or not letters.hinted or reason != "names no choice":
            return Reading(choice or None, reason)
        if len(letters.hinted) > 1:
            return Reading(None, _several(letters.hinted))
        return Reading(item.choices[letters.hinted[0]])

    def score(self, item: Item, reading: Reading) -> Score:
        """Right where the reading is one of the accepted answers; not applicable where there are none."""
        golds = accepted(item)
        if not golds:
            return Score(None)
        if reading.said is None:
            return Score(False, reading.reason)
        if item.choices is not None:
            right = reading.said in golds
        else:
            said = _bare(reading.said)
            right = any(said == _bare(gold) or _same_number(reading.said, gold) for gold in golds)
        return Score(right, "" if right else f"says {reading.said!r}")

    def chance(self, item: Item) -> Mapping[str, float]:
        """Accepted options / options; nothing for an open answer."""
        golds = accepted(item)
        return {ANSWER: len(golds) / len(item.choices)} if item.choices and golds else {}


THIRD_PARTY = ThirdPartyScorer()
"""The one instance: it has no state."""


def accepted(item: Item) -> tuple[str, ...]:
    """The answers that count as right; none where none does."""
    golds = item.metadata.get(ACCEPTED)
    if isinstance(golds, list) and golds:
        return tuple(golds)
    return () if item.answer is None else (item.answer,)


def _open(item: Item, reply: str) -> Reading:
    lines = [line for line in re.split(r"[\r\n]+", reply) if line.strip()]
    golds = accepted(item)
    if golds and all(_number(gold) is not None for gold in golds):
        numbers = next((each for line in reversed(lines) if (each := _numbers(line))), [])
        if numbers and _number(numbers[-1]) is None:
            return Reading(None, f"{numbers[-1][:40]!r} may be several numbers")
        return Reading(numbers[-1]) if numbers else Reading(None, "names no number")
    whole = any(_bare(reply) == _bare(gold) for gold in golds)
    return Reading(" ".join((reply if whole else lines[-1]).split()))


def _numbers(line: str) -> list[str]:
    """All that are written like one; `2.3.1` is none. LaTeX writes `10{,}5`."""
    written = _NUMBER.findall(line.replace("{,}", ","))
    return [number for number in written if "," in number or number.count(".") < 2]


def _several(places: Sequence[int]) -> str:
    return f"names several letters: {', '.join(chr(ord('A') + place) for place in places[:4])}"


def _like_letters(options: Sequence[str]) -> bool:
    """Whether an option may be taken for the letter of another one: B and A, but not 1 and 2."""
    letters = {chr(ord("A") + place) for place in range(min(len(options), 26))}
    return any(len(option) == 1 and option.upper() in letters for option in options)


def _bare(text: str) -> str:
    """Case, white space, punctuation at the ends and `The answer is` do not count."""
    return _LEAD.sub("", " ".join(text.split()).casefold(), count=1).strip(_EDGES)


def _number(text: str) -> Decimal | None:
    """The value of a number; None where it is none, or may be several, as `1,2,3` is.

    Commas part thousands in `1,250.5`, and are the decimal sign in `10,5`, `0,125` and `1.250,5`.
    """
    plain = text.strip().strip(_EDGES).translate(str.maketrans("−", "-", "$€£+"))
    if "," in plain:
        digits = plain.removeprefix("-")
        if _THOUSANDS.fullmatch(digits):
            plain = plain.replace(",", "")
        elif _DECIMAL_COMMA.fullmatch(digits):
            plain = plain.replace(".", "").replace(",", ".")
        else:
            return None
    try:
        value = Decimal(plain)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def _same_number(first: str, second: str) -> bool:
    value = _number(first)
    return value is not None and value == _number(second)
