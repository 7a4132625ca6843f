"""Which scorer reads the replies: that of the item's family, or the one for items that are not ours."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hansproof.generators.answering.numbers import read_number, same_number, value
from hansproof.generators.answering.options import read_option
from hansproof.generators.answering.plain_scorer import PLAIN
from hansproof.generators.answering.scorer import ANSWER, BlindStrategy, MeasureKind, Reading, Score, Scorer
from hansproof.generators.answering.statements import lines_of, runs_on, told
from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.registry import MODULES, dataset

__all__ = [
    "ACCEPTED",
    "BREAKDOWN",
    "INFERRED",
    "MATCHED",
    "ORIGINAL",
    "accepted",
    "family_of",
    "scorer_of",
    "subset_of",
]

ACCEPTED = "accepted"
"""The key of the metadata with every gold answer that counts as right."""

MATCHED = "matched"
"""The key of the metadata with the name of what items of several conditions are matched by, where that is declared.
The group says which items count together, and may be larger: items of several pairs may share a template."""

INFERRED = "inferred"
"""The key of the metadata that is true where labels are nothing but golds that repeat: nobody says that there are no
others, so a short answer that names none of them is wrong, and not unclear."""

ORIGINAL = "original"
"""The key of the metadata with the condition that others are compared with, where somebody names it."""

BREAKDOWN = "breakdown"
"""The key of the metadata with the subset that somebody wants numbers by. It only cuts the numbers: what was asked,
which items are matched and from which others a blind strategy learns is said by the benchmark's own `subset`."""

_LEAD = re.compile(r"(?:so|thus|therefore|hence)?[,: ]*(?:the )?(?:final |correct )?answer(?: is)?[: ]+", re.IGNORECASE)
_PLAIN = re.compile(
    r"^[\s>*_#-]{0,9}(?:(?:the|my|final|correct) ){0,2}answer[*_]{0,3} ?:[*_]{0,3} ?(.+)$|\\boxed ?\{([^{}\n]{1,300})\}"
    r"|<answer>([^<\n]{1,300})</answer>|\"(?:final_)?answer\" ?: ?\"([^\"\n]{1,300})\"",
    re.IGNORECASE,
)
"""A plain answer to an open question, in words."""
_POLAR = ("true", "false"), ("yes", "no")
_SHORT = 4
"""Words of a short answer."""
_NO_ANSWER = re.compile(
    r"\b(?:not?|none|neither|nor|both|n/?a|unknown|unclear|unsure|uncertain|maybe|perhaps|possibly|depends|cannot|can"
    r"|sorry|know|idea|think|unable|nothing|null|error|or|any|all|it|this|that|i|we|you)\b|n['’]t\b",
    re.IGNORECASE,
)
"""What a short reply may say instead of an answer."""
_EDGES = " \t\"'`*_.!?,;:()[]{}“”‘’"


def subset_of(item: Item) -> str:
    """The subset by which an item is shown: that of a breakdown that somebody wants, or else the benchmark's own."""
    return str(item.metadata.get(BREAKDOWN, item.metadata.get("subset", "")))


class ThirdPartyScorer:
    """Options by their words or letters, labels by their words, numbers by value, other answers by the last line.

    The reading is plain on purpose: what it cannot read is unclear, which is wrong and counted, and how far it agrees
    with the harness that ran the model is reported."""

    measures: Mapping[str, MeasureKind] = {}
    readings: Mapping[str, str] = {}

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """Strategies that apply to items of any kind."""
        return PLAIN.blind

    def read(self, item: Item, reply: str) -> Reading:
        """The option or label that the reply names (`generators.answering.options`); of an open item its plain
        answer or its last line, or the number that it gives where the gold is a number
        (`generators.answering.numbers`).

        Where labels are nothing but golds that repeat (`INFERRED`), a short answer that names none is another answer.
        """
        if not reply.strip():
            return Reading(None, "is empty")
        if item.choices is None:
            return _open(item, reply)
        lettered = item.metadata.get("lettered") is True
        place, reason = read_option(reply, item.choices, lettered, _twins(item.choices))
        if place is not None:
            return Reading(item.choices[place])
        if reason == "names no choice":
            if item.metadata.get(INFERRED) is True and (other := _other(reply)):
                return Reading(other)
            if lettered and re.fullmatch(r"\W*\d{1,2}\W*", reply):
                reason = "is a number, and options are named by letter or by words"
        return Reading(None, reason)

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
            right = any(said == _bare(gold) or same_number(reading.said, gold) for gold in golds)
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
    """A number by value; a text where the whole reply, its plain answer or its last lines say it.

    A longer reply that says no gold may say one in other words: it is unclear.
    """
    golds = accepted(item)
    if golds and all(value(gold) is not None for gold in golds):
        number, reason = read_number(reply)
        return Reading(number, reason)
    known = {_bare(gold): len(gold.split()) for gold in golds}
    text = told(reply)
    lines = lines_of(text[: runs_on(text)]) or [reply]
    plain = _plain(lines)
    ends = (" ".join(lines[-len(lines_of(gold)) :]) for gold in golds)
    stated = (reply, plain) if plain else (reply, *ends)
    if said := next((each for each in stated if _bare(each) in known), ""):
        return Reading(" ".join(said.split()))
    if plain:
        within = any(gold and re.search(rf"(?<!\w){re.escape(gold)}(?!\w)", _bare(plain)) for gold in known)
        return Reading(None, "says more than the gold answer") if within else Reading(" ".join(plain.split()))
    if (lead := _LEAD.match(lines[-1])) and 0 < len(lines[-1][lead.end() :].split()) <= max(known.values(), default=0):
        return Reading(lines[-1])
    if known and len(reply.split()) > max(known.values()):
        return Reading(None, "is longer than the gold answer and does not state it plainly")
    return Reading(" ".join(reply.split()) if known else lines[-1])


def _plain(lines: Sequence[str]) -> str:
    """What stands behind the last `Answer:` that begins a line, in `\\boxed{}` or `<answer>`; empty where none does."""
    for line in reversed(lines):
        if match := _PLAIN.search(line):
            said = next(part for part in match.groups() if part is not None)
            if _bare(said):
                return said
    return ""


def _twins(choices: Sequence[str]) -> dict[str, str]:
    """Yes and no for true and false, and the other way round, where only one pair is among the labels."""
    folded = {choice.casefold(): choice for choice in choices}
    for pair, other in (_POLAR, _POLAR[::-1]):
        if all(word in folded for word in pair) and not any(word in folded for word in other):
            return {said: folded[word] for word, said in zip(pair, other, strict=True)}
    return {}


def _other(reply: str) -> str:
    """A short answer that is none of the labels, such as another city; empty where the reply may give no answer."""
    lines = reply.split("\n")
    said = _bare(reply)
    if len([line for line in lines if line.strip()]) > 1 or not 0 < len(said.split()) <= _SHORT or "?" in reply:
        return ""
    return "" if _NO_ANSWER.search(said) else " ".join(reply.split())


def _bare(text: str) -> str:
    """Case, white space, punctuation at the ends and `The answer is` do not count."""
    folded = " ".join(text.split()).casefold().strip(_EDGES)
    return folded[lead.end() :].strip(_EDGES) if (lead := _LEAD.match(folded)) else folded


def scorer_of(items: Sequence[Item]) -> Scorer:
    """The scorer of the items' family; of items that are not ours, that of third parties, or the plain one.

    Raises InputError for items of several datasets.
    """
    names = list(dict.fromkeys(str(item.metadata["dataset"]) for item in items))
    if len(names) > 1:
        raise InputError(f"items of {len(names)} datasets to score; score one at a time")
    if items and ACCEPTED in items[0].metadata:
        return THIRD_PARTY
    return dataset(names[0]).scorer if names and names[0] in MODULES else PLAIN


def family_of(items: Sequence[Item]) -> Dataset | None:
    """The family of the items; None where it is not registered, and for items that are not ours.

    Raises InputError for items of several datasets.
    """
    if scorer_of(items) is THIRD_PARTY:
        return None
    name = str(items[0].metadata["dataset"]) if items else ""
    return dataset(name) if name in MODULES else None
