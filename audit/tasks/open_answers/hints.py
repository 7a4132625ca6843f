"""What can be told of an answer without giving it, and where gold answers stand in their prompts."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.tasks import AnswerPlace, Aspect, FirstDigits, QuestionKind
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.open_answers.advantages import advantages, refitted
from hansproof.audit.tasks.open_answers.answer_templates import out_of_fold
from hansproof.audit.tasks.open_answers.golds import Golds, Ints, key_of
from hansproof.audit.tasks.open_answers.learners import Lookup
from hansproof.audit.tasks.open_answers.learnt_cues import length_classes, magnitude_of, numbered
from hansproof.audit.tasks.open_answers.prompt_words import Reading
from hansproof.audit.tasks.open_answers.strategies import asks, question_word

__all__ = ["answer_place", "aspects", "first_digits", "question_kinds"]

# Much of this is as it should be (who asks for a person), so it is shown and never counted.

_MONTH = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|"
    r"dec(?:ember)?)\b|\b(?:1\d|20)\d\d\b",
    re.I,
)
_YES = re.compile(r"(?:yes|no|true|false)\b", re.I)
_LONG = 6
"""Words of an answer that is a clause."""


def aspects(readings: Sequence[Reading], golds: Golds, groups: Ints, settings: Settings) -> list[Aspect]:
    """Each aspect that varies, from each cue, cross-fitted over groups."""
    firsts = [golds.texts[number] for number in golds.accepted[:, 0].tolist()]
    length = length_classes([len(reading.words) for reading in readings])
    asked = numbered([question_word(reading.question) for reading in readings])
    done = []
    if golds.number.mean() >= 0.8:
        keys = [golds.keys[number] for number in golds.accepted[:, 0].tolist()]
        sizes = [
            str(Decimal(key[1:]).adjusted()) if number else "no number"
            for key, number in zip(keys, golds.number.tolist(), strict=True)
        ]
        digits = numbered([magnitude_of(reading) for reading in readings])
        for cue, feature in (("number of words", length), ("digits of the prompt's numbers", digits)):
            done.append(_aspect("order of magnitude", cue, sizes, feature, groups, settings))
    else:
        kinds = [_kind(text, bool(number)) for text, number in zip(firsts, golds.number.tolist(), strict=True)]
        done.append(_aspect("kind of answer", "question word", kinds, asked, groups, settings))
        done.append(_aspect("kind of answer", "number of words", kinds, length, groups, settings))
    return [aspect for aspect in done if aspect is not None]


def _kind(text: str, number: bool) -> str:
    """Number, date, yes or no, name, clause or word, by form alone."""
    if _YES.match(text):
        return "yes or no"
    if _MONTH.search(text) and any(char.isdecimal() for char in text):
        return "date"
    if number:
        return "number"
    words = text.split()
    if len(words) >= _LONG:
        return "clause"
    return "name" if sum(word[:1].isupper() for word in words) > len(words) / 2 else "words"


def _aspect(
    aspect: str, cue: str, values: Sequence[str], feature: Ints, groups: Ints, settings: Settings
) -> Aspect | None:
    labels = numbered(values)[:, None]
    if not labels.any():
        return None
    learnt = Lookup(aspect, cue, feature, labels)
    right = np.zeros((2, len(labels)))
    right[:1] = out_of_fold([learnt], groups, lambda given, items: given == labels[items, 0], settings, "folds")
    right[1] = labels[:, 0] == np.bincount(labels[:, 0]).argmax()
    beyond = advantages(
        right[:1], right[1], groups, np.array([refitted(settings.folds)]), leak_alpha=settings.leak_alpha,
        random=seeded(settings.seed, "open-ended", "aspects"),
    )  # fmt: skip
    value, low, high = (float(numbers[0]) for numbers in (beyond.value, beyond.low, beyond.high))
    known = bool(np.isfinite([value, low, high]).all())
    return Aspect(
        aspect=aspect, cue=cue, exact=float(right[0].mean()), constant=float(right[1].mean()),
        advantage=value if known else None, low=low if known else None, high=high if known else None,
    )  # fmt: skip


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
