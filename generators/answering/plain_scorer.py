"""The scorer of items without one of their own: ours and anybody's, by the form of their answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hansproof.generators.answering.numbers import value
from hansproof.generators.answering.reader import Form, read_answer
from hansproof.generators.answering.scorer import (
    ANSWER,
    FIRST_OPTION,
    LAST_OPTION,
    PROMPT_LENGTH,
    BlindStrategy,
    MeasureKind,
    Reading,
    Score,
    constant,
    option,
)
from hansproof.generators.answering.signs import Numbers, options
from hansproof.generators.answering.texts import NO_ANSWER, bare, read_text, same_text
from hansproof.generators.item import Item

__all__ = ["ACCEPTED", "INFERRED", "LETTERED", "PLAIN", "PlainScorer", "accepted"]

ACCEPTED = "accepted"
"""The key of the metadata with every gold answer that counts as right."""
INFERRED = "inferred"
"""The key of the metadata that is true where labels are nothing but golds that repeat: nobody says that there are no
others, so a short answer that names none of them is wrong, and not unclear."""
LETTERED = "lettered"
"""The key of the metadata that is true where options are also named by letters."""
_POLAR = ("true", "false"), ("yes", "no")
_SHORT = 4
"""Words of a short answer."""


class PlainScorer:
    """Options by their letters or words, labels by their words, numbers by value, other answers by their words.

    The reading is plain on purpose: what it cannot read is unclear, which is wrong and counted."""

    measures: Mapping[str, MeasureKind] = {}
    readings: Mapping[str, str] = {}

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """Strategies that apply to items of any kind."""
        return _BLIND

    def form(self, item: Item) -> Form | None:
        """How answers to the item are mentioned; None where they are texts."""
        if item.choices is not None:
            also = tuple(_twins(item.choices).items())
            return options(tuple(item.choices), item.metadata.get(LETTERED) is True, also, _letters(item))
        golds = accepted(item)
        return Numbers(item.prompt) if golds and all(value(gold) is not None for gold in golds) else None

    def read(self, item: Item, reply: str) -> Reading:
        """The answer that the reply gives (`generators.answering.reader`, `generators.answering.texts`).

        Where labels are nothing but golds that repeat (`INFERRED`), a short answer that names none is another answer.
        """
        form = self.form(item)
        if form is None:
            return Reading(*read_text(reply, accepted(item)))
        said, reason = read_answer(reply, form)
        if said is None and item.metadata.get(INFERRED) is True and reason == "names no choice":
            said = _other(reply)
        elif said is None and item.metadata.get(LETTERED) is True and re.fullmatch(r"\W*\d{1,2}\W*", reply):
            reason = "is a number, and options are named by letter or by words"
        return Reading(said or None, "" if said else reason)

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
            right = any(same_text(reading.said, gold) for gold in golds)
        return Score(right, "" if right else f"says {reading.said!r}")

    def chance(self, item: Item) -> Mapping[str, float]:
        """Accepted options / options; nothing for an open answer."""
        golds = accepted(item)
        return {ANSWER: len(golds) / len(item.choices)} if item.choices and golds else {}


PLAIN = PlainScorer()
"""The one instance: it has no state."""

_BLIND: Sequence[BlindStrategy] = (
    constant(),
    FIRST_OPTION,
    LAST_OPTION,
    option(
        "longest-option",
        "chooses the longest option (ties: the first)",
        lambda choices: max(range(len(choices)), key=lambda place: len(choices[place])),
    ),
    PROMPT_LENGTH,
)


def accepted(item: Item) -> tuple[str, ...]:
    """The answers that count as right; none where none does."""
    golds = item.metadata.get(ACCEPTED)
    if isinstance(golds, list) and golds:
        return tuple(golds)
    return () if item.answer is None else (item.answer,)


def _letters(item: Item) -> str:
    """The prompt where the options are letters, whose words it prints; else nothing, so that forms are shared."""
    return item.prompt if item.choices and all(len(choice) <= 3 for choice in item.choices) else ""


def _twins(choices: Sequence[str]) -> dict[str, str]:
    """Yes and no for true and false, and the other way round, where only one pair is among the labels."""
    folded = {choice.casefold(): choice for choice in choices}
    for pair, other in (_POLAR, _POLAR[::-1]):
        if all(word in folded for word in pair) and not any(word in folded for word in other):
            return {said: folded[word] for word, said in zip(pair, other, strict=True)}
    return {}


def _other(reply: str) -> str:
    """A short answer that is none of the labels, such as another city; empty where the reply may give no answer."""
    lines = [line for line in reply.split("\n") if line.strip()]
    said = bare(reply)
    if len(lines) > 1 or not 0 < len(said.split()) <= _SHORT or "?" in reply:
        return ""
    return "" if NO_ANSWER.search(said) else " ".join(reply.split())
