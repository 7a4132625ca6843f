"""How replies are scored, and strategies that answer without weighing statements and without the logic asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hansproof.generators.answering.plain_scorer import PlainScorer
from hansproof.generators.answering.scorer import (
    FIRST_OPTION,
    LAST_OPTION,
    PROMPT_LENGTH,
    BlindStrategy,
    Guess,
    constant,
    copying,
    rule,
)
from hansproof.generators.item import Item

__all__ = ["BLIND", "SCORER"]

_OPTION = re.compile(r"^(\([a-z]\)) (.*)$", re.MULTILINE)


def statements(item: Item) -> list[tuple[str, str]]:
    """The options of the prompt in order: (label, statement); empty where the prompt lists none."""
    return [(label, text) for label, text in _OPTION.findall(item.prompt)]


def _picking(pick: Callable[[Sequence[str]], int | None]) -> Callable[[Item], Guess]:
    """The label of the statement at the place that `pick` gives; no guess without options."""

    def guess(item: Item) -> Guess:
        listed = statements(item)
        place = pick([text for _, text in listed]) if listed else None
        return None if place is None else listed[place][0]

    return guess


def _extreme(choose: Callable[..., int]) -> Callable[[Sequence[str]], int | None]:
    return lambda texts: choose(range(len(texts)), key=lambda place: len(texts[place]))


def _with(word: str) -> Callable[[Sequence[str]], int | None]:
    return lambda texts: next((place for place, text in enumerate(texts) if f" {word} " in text), 0)


def _question(item: Item) -> str:
    return "less" if " less " in item.prompt.rpartition("\n(a)")[0].rpartition("\n")[2] else "more"


def _shorter(item: Item) -> str:
    return _picking(_extreme(min))(item) or ""


def _connective(item: Item) -> str:
    texts = [text for _, text in statements(item)]
    return "or" if any(" or " in text for text in texts) else "and" if any(" and " in text for text in texts) else ""


_NUMBER = re.compile(r"[0-9]+")
_ROW = re.compile(r"^\([a-z]\) ([A-Z]+)$", re.MULTILINE)
_LAST_SENTENCE = re.compile(r"\. ([^.]+)\.\n\nAnswer")


def _of(*keys: str) -> Callable[[Item], str]:
    """The values of some keys of the metadata, which anybody can see in the prompt."""
    return lambda item: " ".join(str(item.metadata.get(key, "")) for key in keys)


def _lanes(more: int) -> Callable[[Item], Guess]:
    """The lanes and `more`: the number itself where the answer is open, else the option that gives it."""

    def guess(item: Item) -> Guess:
        if "lanes" not in item.metadata:
            return None
        number = str(min(int(digits[:18]) for digits in _NUMBER.findall(item.prompt.partition("\n(a)")[0])) + more)
        return number if item.choices is None else {text: label for label, text in statements(item)}.get(number)

    return guess


def _lengths(item: Item) -> str:
    """`most` or `least`, and the lengths of the rows of letters one after the other."""
    word = "least" if " least likely" in item.prompt else "most"
    return " ".join([word, *(str(len(row)) for row in _ROW.findall(item.prompt))])


def _typical(item: Item) -> Guess:
    """Of the rows of letters, the one that looks most (or least) like the die by its share of the frequent letter."""
    rows, often = _ROW.findall(item.prompt), item.metadata.get("often")
    if not rows or not often or item.choices is None:
        return None
    share = [row.count(str(often)) / len(row) for row in rows]
    best = (min if " least likely" in item.prompt else max)(share)
    return item.choices[share.index(best)]


def _repeated(item: Item) -> str:
    """Which terms of the first premise come again in the second, and where: `-a b` for `b` at the second place."""
    pattern = str(item.metadata.get("pattern", ""))
    return " ".join(letter if letter in pattern[:2] else "-" for letter in pattern[2:4])


BLIND: tuple[BlindStrategy, ...] = (
    constant(),
    FIRST_OPTION,
    LAST_OPTION,
    copying("shorter", "chooses the shortest statement", _picking(_extreme(min))),
    copying("longer", "chooses the longest statement", _picking(_extreme(max))),
    copying("contains-and", "chooses the first statement with `and`, else the first", _picking(_with("and"))),
    copying("contains-or", "chooses the first statement with `or`, else the first", _picking(_with("or"))),
    rule(
        "question-and-length",
        "answers by `more` or `less` and by which statement is shorter",
        lambda item: f"{_question(item)} {_shorter(item)}",
    ),
    rule(
        "connective-and-length",
        "answers by `and` or `or` and by which statement is shorter",
        lambda item: f"{_connective(item)} {_shorter(item)}",
    ),
    rule("fame", "answers by what is to invite the fallacy", _of("wording")),
    rule("content", "answers by what the item is about", _of("frame", "setting", "category")),
    rule("belief", "answers by whether the conclusion is true of the world", _of("conclusion_true")),
    rule("mood", "answers by all quantifiers in their order", _of("mood")),
    rule("quantifiers", "answers by the words for the quantifiers", _of("quantifiers")),
    rule("pattern", "answers by which terms of the argument are the same, at all places", _of("pattern")),
    rule("repetition", "answers by which terms come again across the first full stop, and where", _repeated),
    rule("source", "answers by who is said to have said the premises", _of("framing")),
    rule(
        "conclusion-length",
        "answers by the number of words of the conclusion",
        lambda item: str(len(said[1].split())) if (said := _LAST_SENTENCE.search(item.prompt)) else "",
    ),
    copying("lanes", "gives the smallest number of the prompt", _lanes(0)),
    copying("lanes-plus-two", "gives two more than the smallest number of the prompt", _lanes(2)),
    rule("device-first", "answers by the lanes and by which device is named first", _of("lanes", "stopwatch_first")),
    copying("typical", "chooses the sequence most (or least) like the die by its share of letters", _typical),
    rule("lengths", "answers by `most` or `least` and by the lengths of the sequences", _lengths),
    PROMPT_LENGTH,
)
"""Each is right more often than chance only where a subset says so as its `exploit`."""


class TokenBiasScorer(PlainScorer):
    """Replies are read by the form of the answer; the blind strategies know how items are made."""

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """See `BLIND`."""
        return BLIND


SCORER = TokenBiasScorer()
"""The only instance; it has no state."""
