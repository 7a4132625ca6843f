"""What learners learn from: features of questions, candidate answers with cues, guesses as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.tasks.open_answers.golds import Golds, Ints, key_of, tokens
from hansproof.audit.tasks.open_answers.learners import Candidates, Learner, Lookup
from hansproof.audit.tasks.open_answers.prompt_words import Reading
from hansproof.audit.tasks.open_answers.strategies import ARITHMETIC, alternatives, calculated, question_word

__all__ = ["NOTHING", "Wordings", "learners", "learners_by_template"]

NOTHING = -1
"""The number of no guess."""
_LONGEST = 300
"""Characters of a guess that are kept: nobody's gold is a page."""
_MOST = 2_000
"""Characters of a text whose words count for F1."""


class Wordings:
    """The texts of all guesses. The first K are those of the K gold answers."""

    def __init__(self, golds: Golds) -> None:
        self.texts = list(golds.texts)
        self._golds = golds
        self._keys = {key: number for number, key in enumerate(golds.keys)}
        self._gold = list(range(len(self.texts)))
        self._number = {text: number for number, text in enumerate(self.texts)}
        self._quantities: dict[Decimal, int] = {}
        self._tokens: dict[int, list[str]] = {}

    def of(self, guess: str | Decimal | None) -> int:
        """The number of a text, or of a number without its exponent; `NOTHING` for None and for blanks."""
        if isinstance(guess, Decimal):
            number = self._quantities.get(guess)
            if number is None:
                # Within these bounds it is written out; beyond them nobody's gold is.
                plain = abs(guess.adjusted()) < 2 * _LONGEST // 10
                number = self._quantities[guess] = self.of(f"{guess:f}" if plain else str(guess))
            return number
        guess = guess[:_LONGEST].strip() if guess else None
        if not guess:
            return NOTHING
        number = self._number.get(guess)
        if number is None:
            number = self._number[guess] = len(self.texts)
            self.texts.append(guess)
            self._gold.append(self._keys.get(key_of(guess, any_unit=self._golds.any_unit), NOTHING))
        return number

    def right(self, guesses: Ints, items: Ints | slice = slice(None)) -> NDArray[np.bool_]:
        """Whether each guess, the number of a text or `NOTHING`, is right for its item."""
        return self._golds.right(np.append(self.gold, NOTHING)[guesses], items)

    @property
    def gold(self) -> Ints:
        """(T,) the number of the gold answer that each text is, -1 for a text that is nobody's gold."""
        return np.array(self._gold, dtype=np.int64)

    def tokens(self, number: int) -> list[str]:
        """The words of a text, for F1."""
        known = self._tokens.get(number)
        if known is None:
            known = self._tokens[number] = tokens(self.texts[number][:_MOST])
        return known


_PLACES = 6
"""Candidates counted from the start, and from the end."""
_WORDS = 150
"""Words at the start of a prompt, and at its end, that may follow a cue."""
_KEYWORDS = re.compile(
    r"\b(?:more|fewer|less|times|each|every|per|total|altogether|together|in all|left|remain\w*|differ\w*|twice|half|"
    r"double|share\w*|split|divide\w*|average|per ?cent|%|how much|how many|how long|how far|how old|sum|product|"
    r"quotient|minus|plus|older|younger|than|next|gave|gives|got|gets|lost|loses|spent|spends|cost\w*|combined)|[-+*/×÷]",
    re.I,
)
_WORD = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")


def learners(
    readings: Sequence[Reading], golds: Golds, wordings: Wordings, *, numbers: bool, texts: bool
) -> list[Learner]:
    """Everything that learns, for answers that are `numbers`, `texts`, or both."""
    asked = [question_word(reading.question) for reading in readings]
    starts = [" ".join(reading.question.lower().split()[:3]) for reading in readings]
    most: list[Learner] = [
        Lookup("answer by question word", "the most common answer to questions with the same question word",
               _numbered(asked), golds.accepted, sorted(set(asked))),
        Lookup("answer by question start", "the most common answer to questions with the same first three words",
               _numbered(starts), golds.accepted, sorted(set(starts))),
    ]  # fmt: skip
    if numbers:
        most.append(_keyword_arithmetic(readings, golds, wordings))
    placed = (_at_places(reading, wordings, numbers=numbers, texts=texts) for reading in readings)
    where = "the name, word or number at the place (counted from either end) where answers stood most often"
    most.append(_candidates("place", where, placed, golds, wordings))
    most.append(_after_cues(readings, golds, wordings, numbers=numbers, texts=texts))
    if any(alternatives(reading.question) for reading in readings):
        most.append(
            _candidates("alternative", "of `X or Y` in the question, the place or the word that was right most often",
                        (_offered(reading, wordings) for reading in readings), golds, wordings)
        )  # fmt: skip
    return most


def _offered(reading: Reading, wordings: Wordings) -> Iterable[tuple[str, int]]:
    offered = alternatives(reading.question)
    for place, text in [("first", text) for text in offered[:1]] + [("last", text) for text in offered[-1:]]:
        yield f"{place} alternative", wordings.of(text)
    for text in offered:
        yield f"alternative {text.lower()}", wordings.of(text)


def _numbered(values: Sequence[str]) -> Ints:
    """Numbers in alphabetical order."""
    return np.unique(np.array(values, dtype=object).astype(str), return_inverse=True)[1].astype(np.int64)


def _candidates(
    name: str, description: str, offered: Iterable[Iterable[tuple[str, int]]], golds: Golds, wordings: Wordings
) -> Candidates:
    """From the (cue, number of a text) pairs that each item offers; of equal cues of an item the first counts."""
    cues: dict[str, int] = {}
    item, cue, text = [], [], []
    for at, pairs in enumerate(offered):
        own: dict[str, int] = {}
        for sign, guess in pairs:
            if guess != NOTHING:
                own.setdefault(sign, guess)
        for sign, guess in own.items():
            item.append(at)
            cue.append(cues.setdefault(sign, len(cues)))
            text.append(guess)
    rank = np.empty(len(cues), dtype=np.int64)
    rank[[cues[sign] for sign in sorted(cues)]] = np.arange(len(cues))
    items, ranked, guesses = (np.array(values, dtype=np.int64) for values in (item, cue, text))
    ranked = rank[ranked] if len(cues) else ranked
    order = np.lexsort((ranked, items))
    return Candidates(
        name, description, items[order], ranked[order], guesses[order], wordings.gold, golds.accepted, sorted(cues)
    )


def _keyword_arithmetic(readings: Sequence[Reading], golds: Golds, wordings: Wordings) -> Candidates:
    decimals = golds.decimals

    def offered(reading: Reading) -> Iterable[tuple[str, int]]:
        values = [quantity.value for quantity in reading.numbers]
        if not values:
            return
        keywords = sorted({match.lower() for match in _KEYWORDS.findall(reading.text)})
        signs = ["", *keywords[:12], "|".join(keywords)[:200]]
        for rule in ARITHMETIC:
            guess = wordings.of(calculated(rule, values, decimals))
            for sign in signs:
                yield f"{sign} {rule} {len(values)}" if not sign else f"{sign}: {rule}", guess

    return _candidates(
        "arithmetic by key word", "the calculation that was right most often with the same key words (more, each, ...)",
        map(offered, readings), golds, wordings,
    )  # fmt: skip


def _at_places(reading: Reading, wordings: Wordings, *, numbers: bool, texts: bool) -> Iterable[tuple[str, int]]:
    parts: list[Iterable[tuple[str, int]]] = []
    if numbers:
        values = [quantity.value for quantity in reading.numbers]
        parts.append(_from_both_ends("number", [wordings.of(value) for value in values[:_PLACES]],
                                     [wordings.of(value) for value in values[-_PLACES:]]))  # fmt: skip
    if texts:
        names = list(dict.fromkeys(name for name, _ in reading.names))
        parts.append(_from_both_ends("name", [wordings.of(name) for name in names[:_PLACES]],
                                     [wordings.of(name) for name in names[-_PLACES:]]))  # fmt: skip
        words = reading.words
        parts.append(_from_both_ends("word", [wordings.of(word) for word in words[:_PLACES]],
                                     [wordings.of(word) for word in words[-_PLACES:]]))  # fmt: skip
    return chain.from_iterable(parts)


def learners_by_template(
    readings: Sequence[Reading],
    golds: Golds,
    wordings: Wordings,
    templates: Sequence[Ints],
    *,
    numbers: bool,
    texts: bool,
) -> list[list[Learner]]:
    """For each of the `templates`, numbers (n,) of what belongs together: its answer, and its place or calculation.

    They remember one item of a template to answer another, so with templates kept together they know nothing.
    """
    decimals = golds.decimals
    rules: list[list[tuple[str, int]]] = []
    for reading in readings:
        offered = list(_at_places(reading, wordings, numbers=numbers, texts=texts))
        if numbers:
            values = [quantity.value for quantity in reading.numbers]
            offered += [(rule, wordings.of(calculated(rule, values, decimals))) for rule in ARITHMETIC]
        rules.append(offered)
    return [
        [
            Lookup("answer by template", "the most common answer to the other items of the template", template,
                   golds.accepted),
            _candidates(
                "rule by template", "the place or calculation that was right most often in the template",
                ([(f"{number} {sign}", guess) for sign, guess in offered]
                 for number, offered in zip(template.tolist(), rules, strict=True)),
                golds, wordings,
            ),
        ]
        for template in templates
    ]  # fmt: skip


def _from_both_ends(kind: str, firsts: Sequence[int], lasts: Sequence[int]) -> Iterable[tuple[str, int]]:
    for place, guess in enumerate(firsts):
        yield f"{kind} {place + 1}", guess
    for place, guess in enumerate(reversed(lasts)):
        yield f"{kind} -{place + 1}", guess


def _after_cues(
    readings: Sequence[Reading], golds: Golds, wordings: Wordings, *, numbers: bool, texts: bool
) -> Candidates:
    def offered(reading: Reading) -> Iterable[tuple[str, int]]:
        if numbers:
            question = reading.question.lower()
            for end, quantities in (("first", reading.numbers), ("last", reading.numbers[::-1])):
                for quantity in quantities[:_WORDS]:
                    guess = wordings.of(quantity.value)
                    yield f"{end} number after {quantity.before}", guess
                    yield f"{end} number after {quantity.before.rpartition(' ')[2]}", guess
                    yield f"{end} number before {quantity.after}", guess
                    if quantity.after and quantity.after in question:
                        yield f"{end} number of what is asked for", guess
        if texts:
            for name, start in reading.names:
                before = _WORD.findall(reading.text[max(0, start - 30) : start].lower())
                yield f"name after {' '.join(before[-1:])}", wordings.of(name)
                yield f"name after {' '.join(before[-2:])}", wordings.of(name)
            words = [word.lower() for word in _ends(reading.words)]
            guesses = [wordings.of(word) for word in _ends(reading.words)]
            for at in range(1, len(words)):
                yield f"first word after {words[at - 1]}", guesses[at]
            for at in range(len(words) - 1, 0, -1):
                yield f"last word after {words[at - 1]}", guesses[at]
                if at > 1:
                    yield f"last word after {words[at - 2]} {words[at - 1]}", guesses[at]

    return _candidates(
        "after a cue word", "what follows the words that stood before answers most often",
        map(offered, readings), golds, wordings,
    )  # fmt: skip


def _ends(words: Sequence[str]) -> Sequence[str]:
    return words if len(words) <= 2 * _WORDS else [*words[:_WORDS], *words[-_WORDS:]]
