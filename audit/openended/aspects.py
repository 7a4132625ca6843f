"""What can be told of an answer without giving it: its order of magnitude from the length, its kind from the question.

Much of this is as it should be (who asks for a person), so it is shown and never counted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from audit.openended.advantage import advantages, refitted
from audit.openended.golds import Golds
from audit.openended.strategies.cues import length_classes, magnitude_of, numbered
from audit.openended.strategies.learners import Lookup
from audit.openended.strategies.reading import Reading
from audit.openended.strategies.spans import question_word
from audit.probes.folds import fold_numbers
from audit.result.audit_result import Settings
from audit.result.tasks import Aspect
from audit.statistics.permutation import seeded

__all__ = ["aspects"]

Ints = NDArray[np.int64]

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
        sizes = [_size(golds, item) for item in range(len(firsts))]
        digits = numbered([magnitude_of(reading) for reading in readings])
        for cue, feature in (("number of words", length), ("digits of the prompt's numbers", digits)):
            done.append(_aspect("order of magnitude", cue, sizes, feature, groups, settings))
    else:
        kinds = [_kind(text, bool(number)) for text, number in zip(firsts, golds.number.tolist(), strict=True)]
        done.append(_aspect("kind of answer", "question word", kinds, asked, groups, settings))
        done.append(_aspect("kind of answer", "number of words", kinds, length, groups, settings))
    return [aspect for aspect in done if aspect is not None]


def _size(golds: Golds, item: int) -> str:
    key = golds.keys[golds.accepted[item, 0]]
    return str(Decimal(key[1:]).adjusted()) if golds.number[item] else "no number"


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
    right[1] = labels[:, 0] == np.bincount(labels[:, 0]).argmax()
    for split in range(settings.splits):
        random = seeded(settings.seed, "open-ended", "folds", split)
        fold = fold_numbers(np.zeros_like(groups), groups, settings.folds, random)
        taught = learnt.prepared(fold, settings.folds)
        for held in sorted(set(fold.tolist())):
            asked = fold == held
            right[0, asked] += taught.answers((held,))[asked] == labels[asked, 0]
    right[0] /= settings.splits
    beyond = advantages(
        right[:1], right[1], groups, np.array([refitted(settings.folds)]), leak_alpha=settings.leak_alpha, flips=1,
        draws=seeded(settings.seed, "open-ended", "aspects"), signs=seeded(settings.seed, "open-ended", "aspects", 1),
    )  # fmt: skip
    value, low, high = (float(numbers[0]) for numbers in (beyond.value, beyond.low, beyond.high))
    known = bool(np.isfinite([value, low, high]).all())
    return Aspect(
        aspect=aspect, cue=cue, exact=float(right[0].mean()), constant=float(right[1].mean()),
        advantage=value if known else None, low=low if known else None, high=high if known else None,
    )  # fmt: skip
