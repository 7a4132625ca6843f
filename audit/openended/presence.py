"""Where gold answers stand in their prompts, which question words have which answers, first digits of numbers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from audit.openended.golds import Golds, key_of
from audit.openended.strategies.reading import Reading
from audit.openended.strategies.spans import asks, question_word
from audit.result.tasks import AnswerPlace, FirstDigits, QuestionKind

__all__ = ["answer_place", "first_digits", "question_kinds"]

_MOST = 0.5
"""Share of the items that have their answer in the prompt, above which it stands there by design."""
_FEWEST = 30
"""Gold numbers whose first digits are worth a look."""
_KINDS = 8


def answer_place(readings: Sequence[Reading], golds: Golds) -> AnswerPlace:
    """Whether and where an accepted answer stands in each prompt, as whole words or as a number."""
    thirds, with_gold, first_sentence = [0, 0, 0], 0, 0
    for reading, accepted in zip(readings, golds.accepted.tolist(), strict=True):
        keys = [number for number in accepted if number >= 0]
        text = reading.text.casefold()
        at = max(_place(text, golds.texts[number].casefold()) for number in keys)
        if at < 0:
            at = _numeric_place(reading, {golds.keys[number] for number in keys})
        if at >= 0:
            with_gold += 1
            thirds[min(2, 3 * at // max(len(text), 1))] += 1
            first_sentence += bool(reading.sentences) and at < text.find(reading.sentences[0].casefold()) + len(
                reading.sentences[0]
            )
    share = with_gold / len(readings)
    return AnswerPlace(
        items=with_gold, share=share, by_design=share > _MOST, thirds=thirds, first_sentence=first_sentence
    )


def _place(text: str, answer: str) -> int:
    """Where the last occurrence of an answer as whole words begins; -1 without one."""
    if not answer or len(answer) > len(text) or answer not in text:
        return -1
    pattern = rf"(?<!\w){re.escape(answer)}(?!\w)"
    places = [match.start() for match in re.finditer(pattern, text)]
    return places[-1] if places else -1


def _numeric_place(reading: Reading, keys: set[str]) -> int:
    """About where the last number stands that is the answer in another spelling; -1 without one."""
    places = [at for at, quantity in enumerate(reading.numbers) if key_of(quantity.value) in keys]
    return len(reading.text) * places[-1] // len(reading.numbers) if places else -1


def question_kinds(readings: Sequence[Reading], golds: Golds) -> list[QuestionKind]:
    """The most common question words with their most common answers, at most eight.

    Empty where fewer than half of the prompts ask with a question word.
    """
    if sum(asks(reading.question) for reading in readings) < _MOST * len(readings):
        return []
    answers: dict[str, Counter[int]] = {}
    for reading, accepted in zip(readings, golds.accepted.tolist(), strict=True):
        answers.setdefault(question_word(reading.question), Counter()).update(n for n in set(accepted) if n >= 0)
    counts = Counter(question_word(reading.question) for reading in readings)
    kinds = []
    counts = Counter({word: count for word, count in counts.items() if asks(word)})
    for word, items in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:_KINDS]:
        number, right = min(answers[word].items(), key=lambda entry: (-entry[1], entry[0]))
        kinds.append(QuestionKind(word=word, items=items, answer=golds.texts[number], share=right / items))
    return kinds


def first_digits(golds: Golds) -> FirstDigits | None:
    """The first digits of the gold numbers that are not 0; None for fewer than 30."""
    numbers = [abs(Decimal(golds.keys[at][1:])) for at in golds.accepted[golds.number, 0].tolist()]
    digits = [number.as_tuple().digits[0] for number in numbers if number]
    if len(digits) < _FEWEST:
        return None
    counts = np.bincount(digits, minlength=10)[1:]
    benford = [math.log10(1 + 1 / digit) for digit in range(1, 10)]
    deviation = float(np.abs(counts / counts.sum() - benford).mean())
    return FirstDigits(counts=counts.tolist(), benford=benford, deviation=deviation)
