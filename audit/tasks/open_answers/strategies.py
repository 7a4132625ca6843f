"""Strategies that answer without the ability: they copy or calculate, or learn what goes with cues from other items.

Ties go to the smallest number or to the first cue in the alphabet, so the order of the items changes nothing.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, DecimalException, localcontext
from itertools import chain
from math import prod
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.tasks import LearntCue
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.open_answers.golds import NOTHING, Golds
from hansproof.audit.tasks.open_answers.prompt_words import Reading

__all__ = ["ARITHMETIC", "Fixed", "Learner", "Strategy", "by_template", "crossfit", "strategies"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

Numbers = Sequence[Decimal]
Rule = Callable[[Numbers], Decimal]

_OPERATIONS: dict[str, Rule] = {
    "sum": lambda x: sum(x, start=Decimal()),
    "product": lambda x: prod(x, start=Decimal(1)),
    "difference": lambda x: max(x) - min(x),
    "quotient": lambda x: max(x) / min(x),
}
_ENDS: dict[str, Callable[[Numbers], Numbers]] = {"first": lambda x: x[:2], "last": lambda x: x[-2:]}


def _of_two(operation: Rule, end: Callable[[Numbers], Numbers]) -> Rule:
    return lambda x: operation(end(x))


ARITHMETIC: dict[str, tuple[str, int, Rule]] = {
    "first number": ("the first number of the prompt", 1, lambda x: x[0]),
    "second number": ("the second number of the prompt", 2, lambda x: x[1]),
    "last number": ("the last number of the prompt", 1, lambda x: x[-1]),
    "largest number": ("the largest number of the prompt", 1, max),
    "smallest number": ("the smallest number of the prompt", 1, min),
    "sum": ("the sum of all numbers of the prompt", 1, _OPERATIONS["sum"]),
    "product": ("the product of all numbers of the prompt", 2, _OPERATIONS["product"]),
    **{
        f"{name} of the {end} two": (f"the {name} of the {end} two numbers", 2, _of_two(rule, taken))
        for end, taken in _ENDS.items()
        for name, rule in _OPERATIONS.items()
    },
    "largest minus smallest": ("the largest number minus the smallest", 2, _OPERATIONS["difference"]),
    "largest minus the others": ("the largest number minus all others", 2, lambda x: 2 * max(x) - sum(x)),
    "next number": ("continues the last two numbers by their difference", 2, lambda x: 2 * x[-1] - x[-2]),
}
"""Name: what it gives, how many numbers the prompt must have, the rule. With fewer numbers it has no answer."""


def calculated(name: str, numbers: Sequence[Decimal], decimals: int) -> Decimal | None:
    """What one rule of `ARITHMETIC` gives; None where it has no answer.

    A result that is no multiple of the last of `decimals` decimals is rounded to them.
    """
    _, least, rule = ARITHMETIC[name]
    if len(numbers) < least:
        return None
    with localcontext() as context:
        context.prec = 40
        try:
            value = rule(numbers)
            if -int(value.as_tuple().exponent) > decimals:
                value = value.quantize(Decimal(1).scaleb(-decimals), "ROUND_HALF_UP")  # as in arithmetic at school
        except DecimalException:  # beyond all bounds, or divided by 0
            return None
    return value


def _last_word_before_question(reading: Reading) -> str:
    told = [sentence for sentence in reading.sentences if sentence != reading.question]
    return told[-1].rstrip(".!?\"' ").split()[-1]


SPANS: dict[str, tuple[str, Callable[[Reading], str]]] = {
    "first name": ("the first capitalised span of the prompt", lambda reading: reading.names[0][0]),
    "last name": ("the last capitalised span of the prompt", lambda reading: reading.names[-1][0]),
    "first word": ("the first word of the prompt", lambda reading: reading.words[0]),
    "last word": ("the last word of the prompt", lambda reading: reading.words[-1]),
    "last word before the question": ("the last word before the question", _last_word_before_question),
    "first alternative": ("of `X or Y` in the question, X", lambda reading: reading.alternatives[0]),
    "last alternative": ("of `X or Y` in the question, Y", lambda reading: reading.alternatives[-1]),
    "text after the colon": ("what stands after the last colon", lambda reading: reading.text.rsplit(":", 1)[1]),
    "whole prompt": ("the prompt itself", lambda reading: reading.text),
}
"""Name: what it gives, the rule. It raises IndexError where the prompt has no such text."""


def copied(name: str, reading: Reading) -> str | None:
    """What one rule of `SPANS` gives; None where it has no answer."""
    try:
        return SPANS[name][1](reading)
    except IndexError:
        return None


@dataclass(frozen=True)
class Fixed:
    """A strategy that learns nothing."""

    kind: ClassVar[Literal["fixed", "learnt"]] = "fixed"

    name: str
    description: str
    """What it gives."""
    guesses: Ints
    """(n,) the numbers of its answers (`Golds`); `NOTHING` for an item to which it has none."""

    def answers(self, train: Bools) -> Ints:
        """(n,) the same whatever the items (n,) to learn from are."""
        return self.guesses


@dataclass(frozen=True)
class Learner:
    """Every item offers candidates under cues; the cue under which candidates were right most often is followed.

    A feature of the item offers one more: the answer that was right most often among the items that have it too. What
    is right most often is counted among the items to learn from alone: if an item's own answer had a say in what is
    offered to it, chance would look like knowledge.

    A cue's rate is (hits + 2 c) / (tries + 2), where c is the rate of the most common answer, so that a cue that was
    met once does not rule; where no cue beats c, the most common answer is given.
    """

    kind: ClassVar[Literal["fixed", "learnt"]] = "learnt"

    name: str
    description: str
    item: Ints
    """(E,) the item of each candidate, ascending."""
    cue: Ints
    """(E,) the number of its cue; within an item in alphabetical order."""
    text: Ints
    """(E,) the number of its text."""
    right: Bools
    """(E,) whether it is right for its item."""
    signs: Sequence[str]
    """What each cue is called."""
    feature: Ints
    """(n,) the number of each item's feature, -1 without one."""
    features: Sequence[str]
    """What each feature is called."""
    golds: Golds

    @classmethod
    def of(
        cls,
        name: str,
        description: str,
        offered: Iterable[Iterable[tuple[str, int]]],
        golds: Golds,
        features: Sequence[str] = (),
    ) -> Learner:
        """From the pairs (cue, number of a text) that each item offers; of equal cues the first counts.

        `features` (n,) are those of the items, "" for none.
        """
        cues: dict[str, int] = {}
        rows = array("q")
        for at, pairs in enumerate(offered):
            own: dict[str, int] = {}
            for sign, guess in pairs:
                if guess != NOTHING:
                    own.setdefault(sign, guess)
            for sign, guess in sorted(own.items()):
                rows.extend((at, cues.setdefault(sign, len(cues)), guess))
        item, cue, text = np.array(rows, dtype=np.int64).reshape(-1, 3).T
        right = golds.right(text, item)
        # Nobody learns a cue that is never right, and most are not.
        kept = np.bincount(cue[right], minlength=len(cues))[cue] > 0
        named = sorted({*features} - {""})
        number = {feature: at for at, feature in enumerate(named)}
        feature = np.array([number.get(of, -1) for of in features or [""] * len(golds.accepted)], dtype=np.int64)
        return cls(name, description, item[kept], cue[kept], text[kept], right[kept], list(cues), feature, named, golds)

    def answers(self, train: Bools) -> Ints:
        """(n,) the number of the text that is given to each item, learnt from those of `train` (n,)."""
        known = self.golds.accepted[train]
        constant = int(np.bincount(known[known >= 0], minlength=1).argmax())
        share = float((known == constant).any(axis=1).sum() / max(len(known), 1))
        out = np.full(len(train), constant, dtype=np.int64)
        learnt = train[self.item]
        tried, met = (
            np.bincount(self.cue[which], minlength=len(self.signs)) for which in (learnt, learnt & self.right)
        )
        rate = np.where(met > 0, (met + 2 * share) / (tried + 2), 0.0)[self.cue]
        texts, hits, among = self._remembered(train)
        having = np.flatnonzero(self.feature >= 0)
        own = self.feature[having]
        rates = np.concatenate((rate, ((hits + 2 * share) / (among + 2) * (hits > 0))[own]))
        item, text = np.concatenate((self.item, having)), np.concatenate((self.text, texts[own]))
        # Sorted by item, then from the best rate down; a stable sort leaves the first in the alphabet on top.
        followed = np.flatnonzero(rates > share)
        best = followed[np.lexsort((-rates[followed], item[followed]))]
        items, first = np.unique(item[best], return_index=True)
        out[items] = text[best[first]]
        return out

    def _remembered(self, train: Bools) -> tuple[Ints, Ints, Ints]:
        """For each feature: the answer that was right most often in `train`, how often, and among how many items."""
        count, most = len(self.features), int(self.golds.accepted.max()) + 1
        item, place = np.nonzero((self.golds.accepted >= 0) & (train & (self.feature >= 0))[:, None])
        codes, times = np.unique(self.feature[item] * most + self.golds.accepted[item, place], return_counts=True)
        features, answers = np.divmod(codes, most)
        order = np.lexsort((answers, -times, features))
        present, first = np.unique(features[order], return_index=True)
        texts, hits = np.zeros((2, count), dtype=np.int64)
        texts[present], hits[present] = answers[order[first]], times[order[first]]
        return texts, hits, np.bincount(self.feature[train & (self.feature >= 0)], minlength=count)

    def evidence(self) -> list[LearntCue]:
        """What was right most often among all items, the surest first."""
        items = np.bincount(self.cue, minlength=len(self.signs))
        hits = np.bincount(self.cue[self.right], minlength=len(self.signs))
        told = [(self.signs[at], int(hits[at]), int(items[at])) for at in np.flatnonzero(hits).tolist()]
        remembered = zip(self.features, *map(np.ndarray.tolist, self._remembered(self.feature >= 0)), strict=True)
        told += [(f"{name}: {self.golds.texts[text]}", right, among) for name, text, right, among in remembered]
        cues = [LearntCue(cue=sign[:_LONGEST_CUE], right=right, items=among) for sign, right, among in told]
        return sorted(cues, key=lambda cue: (-cue.right * cue.right / cue.items, cue.cue))


_LONGEST_CUE = 200

Strategy = Fixed | Learner


def crossfit(
    tried: Sequence[Strategy], groups: Ints, golds: Golds, settings: Settings, *, scheme: str, splits: int
) -> tuple[Floats, Ints]:
    """The share of the splits in which each strategy is right for each item, and its first guesses: (V, n) each.

    Every item is answered by what was learnt without its fold, and no group (n,) is in two folds. `scheme` names the
    draws.
    """
    right = np.zeros((len(tried), len(groups)))
    first = np.zeros((len(tried), len(groups)), dtype=np.int64)
    for split in range(splits):
        random = seeded(settings.seed, "open-ended", scheme, split)
        fold = fold_numbers(np.zeros_like(groups), groups, settings.folds, random)
        for at, way in enumerate(tried):
            guesses = np.zeros_like(groups)
            for held in np.unique(fold):
                guesses[fold == held] = way.answers(fold != held)[fold == held]
            right[at] += golds.right(guesses)
            if split == 0:
                first[at] = guesses
    return right / splits, first


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

Offered = Iterator[tuple[str, int]]
"""Cues, and the numbers of the texts that a prompt has under them; of equal cues the first counts."""


def _by_key_word(reading: Reading, golds: Golds) -> Offered:
    if not golds.numbers or not reading.values:
        return
    keywords = sorted({match.lower() for match in _KEYWORDS.findall(reading.text)})
    signs = ["", *keywords[:12], "|".join(keywords)[:200]]
    for rule, guess in _calculations(reading, golds):
        for sign in signs:
            yield f"{sign}: {rule}" if sign else f" {rule} {len(reading.values)}", guess


def _calculations(reading: Reading, golds: Golds) -> Offered:
    for rule in ARITHMETIC if golds.numbers else ():
        yield rule, golds.of(calculated(rule, reading.values, golds.decimals))


def _at_places(reading: Reading, golds: Golds) -> Offered:
    kinds: dict[str, Sequence[str | Decimal]] = {}
    if golds.numbers:
        kinds["number"] = reading.values
    if golds.words:
        kinds |= {"name": list(dict.fromkeys(name for name, _ in reading.names)), "word": reading.words}
    for kind, values in kinds.items():
        for place, value in enumerate(values[:_PLACES]):
            yield f"{kind} {place + 1}", golds.of(value)
        for place, value in enumerate(reversed(values[-_PLACES:])):
            yield f"{kind} -{place + 1}", golds.of(value)


def _after_cues(reading: Reading, golds: Golds) -> Offered:
    if golds.numbers:
        question = reading.question.lower()
        for end, quantities in (("first", reading.numbers), ("last", reading.numbers[::-1])):
            for quantity in quantities[:_WORDS]:
                guess = golds.of(quantity.value)
                yield f"{end} number after {quantity.before}", guess
                yield f"{end} number after {quantity.before.rpartition(' ')[2]}", guess
                yield f"{end} number before {quantity.after}", guess
                if quantity.after and quantity.after in question:
                    yield f"{end} number of what is asked for", guess
    if golds.words:
        for name, start in reading.names:
            before = _WORD.findall(reading.text[max(0, start - 30) : start].lower())
            yield f"name after {' '.join(before[-1:])}", golds.of(name)
            yield f"name after {' '.join(before[-2:])}", golds.of(name)
        kept = reading.words
        kept = kept if len(kept) <= 2 * _WORDS else [*kept[:_WORDS], *kept[-_WORDS:]]
        words, guesses = [word.lower() for word in kept], [golds.of(word) for word in kept]
        for at in range(1, len(words)):
            yield f"first word after {words[at - 1]}", guesses[at]
        for at in range(len(words) - 1, 0, -1):
            yield f"last word after {words[at - 1]}", guesses[at]
            if at > 1:
                yield f"last word after {words[at - 2]} {words[at - 1]}", guesses[at]


def _among_alternatives(reading: Reading, golds: Golds) -> Offered:
    offered = reading.alternatives
    if offered:
        yield "first alternative", golds.of(offered[0])
        yield "last alternative", golds.of(offered[-1])
    for text in offered:
        yield f"alternative {text.lower()}", golds.of(text)


CANDIDATES: dict[str, tuple[str, Callable[[Reading, Golds], Offered]]] = {
    "arithmetic by key word": (
        "the calculation that was right most often with the same key words (more, each, ...)", _by_key_word,
    ),
    "place": (
        "the name, word or number at the place (counted from either end) where answers stood most often", _at_places,
    ),
    "after a cue word": ("what follows the words that stood before answers most often", _after_cues),
    "alternative": (
        "of `X or Y` in the question, the place or the word that was right most often", _among_alternatives,
    ),
}  # fmt: skip
"""Name: what it gives, the candidates with their cues."""


def strategies(readings: Sequence[Reading], golds: Golds) -> list[Strategy]:
    """Everything that suits the golds: what learns nothing, for numbers, words, or both, and then what learns.

    Without those that have no answer to any item, and those that are right where an earlier one is right.
    """
    kept: dict[bytes, Strategy] = {}
    for way in _fixed(readings, golds):
        answers = golds.gold[way.guesses]
        if (way.guesses != NOTHING).any():
            kept.setdefault((answers if (answers != NOTHING).any() else way.guesses).tobytes(), way)
    answer = "the most common answer to questions with the same question word"
    learners = [Learner.of("answer by question word", answer, (), golds, [reading.asks_with for reading in readings])]
    for name, (text, offers) in CANDIDATES.items():
        learner = Learner.of(name, text, (offers(reading, golds) for reading in readings), golds)
        learners += [learner] if learner.signs else []
    return [*kept.values(), *learners]


def _fixed(readings: Sequence[Reading], golds: Golds) -> Iterator[Fixed]:
    for name, (text, *_) in ARITHMETIC.items() if golds.numbers else ():
        given = [golds.of(calculated(name, reading.values, golds.decimals)) for reading in readings]
        yield Fixed(name, text, np.array(given, dtype=np.int64))
    for name, (text, _) in SPANS.items() if golds.words else ():
        yield Fixed(name, text, np.array([golds.of(copied(name, reading)) for reading in readings], dtype=np.int64))


def by_template(readings: Sequence[Reading], golds: Golds, templates: Sequence[str]) -> Learner:
    """What remembers one item of a template to answer another: the answer, place or calculation that was right in it.

    `templates` (n,) are their names, "" for an item that is in none. With templates kept together, it knows nothing.
    """
    offered = (
        [
            (f"{template} {sign}", guess)
            for sign, guess in chain(_at_places(reading, golds), _calculations(reading, golds))
        ]
        if template
        else []
        for template, reading in zip(templates, readings, strict=True)
    )
    return Learner.of("by template", "what was right most often in the template", offered, golds, templates)
