"""Strategies that learn from some items and answer others: by a feature of the question, or by cues of candidates.

Ties go to the smallest number, and numbers follow the alphabet, so the order of the items changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.open_answers.golds import NOTHING, Ints, Wordings
from hansproof.audit.tasks.open_answers.prompt_words import Reading
from hansproof.audit.tasks.open_answers.strategies import ARITHMETIC, alternatives, calculated, question_word

__all__ = ["Learner", "crossfit", "learners", "learners_by_template"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Learnt(NamedTuple):
    """What a strategy learnt of one cue."""

    cue: str
    right: int
    """Items for which following it is right, of those that have it."""
    items: int


@dataclass(frozen=True)
class Lookup:
    """Gives the most common answer among the items with the same feature; over all items for a feature that is new."""

    name: str
    description: str
    feature: Ints
    """(n,) number of each item's feature."""
    accepted: Ints
    """(n, m) numbers of the answers that are right for it, -1 for none."""
    signs: Sequence[str] = ()
    """What each feature is called; empty for features that are mere numbers."""

    @cached_property
    def _codes(self) -> tuple[Ints, Ints]:
        """The item of every right answer, and one number for its feature and the answer."""
        item, place = np.nonzero(self.accepted >= 0)
        return item, self.feature[item] * (self.accepted.max() + 1) + self.accepted[item, place]

    def _most_common(self, train: Bools) -> tuple[Ints, Ints, Ints, int]:
        """(features, the most common answer of each, how often it is right, the most common answer of all)."""
        item, code = self._codes
        codes, counts = np.unique(code[train[item]], return_counts=True)
        features, answers = np.divmod(codes, self.accepted.max() + 1)
        order = np.lexsort((answers, -counts, features))
        first = order[np.unique(features[order], return_index=True)[1]]
        constant = int(np.bincount(answers, weights=counts).argmax()) if len(answers) else 0
        return features[first], answers[first], counts[first], constant

    def evidence(self, texts: Sequence[str]) -> list[Learnt]:
        """What was learnt from all items together, most often right first; `texts` are those of the answers."""
        features, answers, counts, _ = self._most_common(np.ones(len(self.feature), dtype=np.bool_))
        items = np.bincount(self.feature)
        rows = zip(features.tolist(), answers.tolist(), counts.tolist(), strict=True)
        cues = [Learnt(f"{self.signs[f]}: {texts[a]}", count, int(items[f])) for f, a, count in rows if self.signs]
        return sorted(cues, key=lambda cue: (-cue.right, cue.cue))

    def answers(self, train: Bools) -> Ints:
        """(n,) the number of the text that is given to each item, learnt from those of `train` (n,)."""
        features, answers, _, constant = self._most_common(train)
        given = np.full(int(self.feature.max()) + 1, constant, dtype=np.int64)
        given[features] = answers
        return given[self.feature]


@dataclass(frozen=True)
class Candidates:
    """Every prompt offers candidates under cues; the cue under which candidates were right most often is followed.

    A cue's rate is (hits + 2 c) / (tries + 2), where c is the rate of the most common answer, so that a cue that was
    met once does not rule; where no cue beats c, the most common answer is given.
    """

    name: str
    description: str
    item: Ints
    """(E,) the item of each candidate, ascending."""
    cue: Ints
    """(E,) the number of its cue, ascending within an item."""
    text: Ints
    """(E,) the number of its text."""
    gold: Ints
    """(T,) the number of the gold answer that each text is, -1 for a text that is nobody's gold."""
    accepted: Ints
    """(n, m)"""
    signs: Sequence[str] = ()
    """The cues, in the order of their numbers."""

    @cached_property
    def _right(self) -> Bools:
        answer = self.gold[self.text]
        return np.asarray(((answer[:, None] == self.accepted[self.item]) & (answer >= 0)[:, None]).any(axis=1))

    @cached_property
    def _useful(self) -> Ints:
        """The places of candidates whose cue is ever right: nobody learns the others."""
        return np.flatnonzero(np.bincount(self.cue[self._right], minlength=self._cues)[self.cue] > 0)

    @property
    def _cues(self) -> int:
        return int(self.cue.max()) + 1 if len(self.cue) else 0

    def evidence(self, texts: Sequence[str]) -> list[Learnt]:
        """The cues that were right most often among all items, the surest of them first."""
        items = np.bincount(self.cue, minlength=len(self.signs))
        hits = np.bincount(self.cue[self._right], minlength=len(self.signs))
        cues = [Learnt(self.signs[at], int(hits[at]), int(items[at])) for at in np.flatnonzero(hits).tolist()]
        return sorted(cues, key=lambda cue: (-cue.right * cue.right / cue.items, cue.cue))

    def answers(self, train: Bools) -> Ints:
        """As of `Lookup`."""
        out = Lookup("", "", np.zeros(len(self.accepted), dtype=np.int64), self.accepted).answers(train)
        share = float((out[0] == self.accepted[train]).any(axis=1).mean()) if train.any() else 0.0
        item, cue, text = self.item[self._useful], self.cue[self._useful], self.text[self._useful]
        if not len(item):
            return out
        learnt = train[item]
        tried = np.bincount(cue[learnt], minlength=self._cues)
        met = np.bincount(cue[learnt & self._right[self._useful]], minlength=self._cues)
        rate = ((met + 2 * share) / (tried + 2))[cue]
        items, starts, counts = np.unique(item, return_index=True, return_counts=True)
        best = np.maximum.reduceat(rate, starts)
        at = np.flatnonzero(rate == np.repeat(best, counts))
        first = at[np.unique(item[at], return_index=True)[1]]
        followed = (best > share) & (met[cue[first]] > 0)
        out[items[followed]] = text[first[followed]]
        return out


Learner = Lookup | Candidates
"""A strategy that learns."""


def crossfit(
    learners: Sequence[Learner],
    groups: Ints,
    is_right: Callable[[Ints], Bools],
    settings: Settings,
    *,
    scheme: str,
    splits: int,
) -> tuple[Floats, Ints]:
    """The share of the splits in which each learner is right for each item, and its guesses in the first split: (L, n).

    Every item is answered by what was learnt without its fold, and no group (n,) is in two folds. `is_right` says of a
    guess for each item whether it is right; `scheme` names the draws.
    """
    right = np.zeros((len(learners), len(groups)))
    first = np.zeros((len(learners), len(groups)), dtype=np.int64)
    for split in range(splits):
        random = seeded(settings.seed, "open-ended", scheme, split)
        fold = fold_numbers(np.zeros_like(groups), groups, settings.folds, random)
        for at, learner in enumerate(learners):
            guesses = np.zeros_like(groups)
            for held in np.unique(fold):
                guesses[fold == held] = learner.answers(fold != held)[fold == held]
            right[at] += is_right(guesses)
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


def _by_key_word(reading: Reading, wordings: Wordings) -> Offered:
    values = [quantity.value for quantity in reading.numbers]
    if not wordings.golds.numbers or not values:
        return
    keywords = sorted({match.lower() for match in _KEYWORDS.findall(reading.text)})
    signs = ["", *keywords[:12], "|".join(keywords)[:200]]
    for rule, guess in _calculations(reading, wordings):
        for sign in signs:
            yield f"{sign}: {rule}" if sign else f" {rule} {len(values)}", guess


def _calculations(reading: Reading, wordings: Wordings) -> Offered:
    values, decimals = [quantity.value for quantity in reading.numbers], wordings.golds.decimals
    for rule in ARITHMETIC if wordings.golds.numbers else ():
        yield rule, wordings.of(calculated(rule, values, decimals))


def _at_places(reading: Reading, wordings: Wordings) -> Offered:
    kinds: dict[str, Sequence[str | Decimal]] = {}
    if wordings.golds.numbers:
        kinds["number"] = [quantity.value for quantity in reading.numbers]
    if wordings.golds.words:
        kinds |= {"name": list(dict.fromkeys(name for name, _ in reading.names)), "word": reading.words}
    for kind, values in kinds.items():
        for place, value in enumerate(values[:_PLACES]):
            yield f"{kind} {place + 1}", wordings.of(value)
        for place, value in enumerate(reversed(values[-_PLACES:])):
            yield f"{kind} -{place + 1}", wordings.of(value)


def _after_cues(reading: Reading, wordings: Wordings) -> Offered:
    if wordings.golds.numbers:
        question = reading.question.lower()
        for end, quantities in (("first", reading.numbers), ("last", reading.numbers[::-1])):
            for quantity in quantities[:_WORDS]:
                guess = wordings.of(quantity.value)
                yield f"{end} number after {quantity.before}", guess
                yield f"{end} number after {quantity.before.rpartition(' ')[2]}", guess
                yield f"{end} number before {quantity.after}", guess
                if quantity.after and quantity.after in question:
                    yield f"{end} number of what is asked for", guess
    if wordings.golds.words:
        for name, start in reading.names:
            before = _WORD.findall(reading.text[max(0, start - 30) : start].lower())
            yield f"name after {' '.join(before[-1:])}", wordings.of(name)
            yield f"name after {' '.join(before[-2:])}", wordings.of(name)
        kept = reading.words
        kept = kept if len(kept) <= 2 * _WORDS else [*kept[:_WORDS], *kept[-_WORDS:]]
        words, guesses = [word.lower() for word in kept], [wordings.of(word) for word in kept]
        for at in range(1, len(words)):
            yield f"first word after {words[at - 1]}", guesses[at]
        for at in range(len(words) - 1, 0, -1):
            yield f"last word after {words[at - 1]}", guesses[at]
            if at > 1:
                yield f"last word after {words[at - 2]} {words[at - 1]}", guesses[at]


def _among_alternatives(reading: Reading, wordings: Wordings) -> Offered:
    offered = alternatives(reading.question)
    for place, text in [("first", text) for text in offered[:1]] + [("last", text) for text in offered[-1:]]:
        yield f"{place} alternative", wordings.of(text)
    for text in offered:
        yield f"alternative {text.lower()}", wordings.of(text)


FEATURES: dict[str, tuple[str, Callable[[Reading], str]]] = {
    "answer by question word": (
        "the most common answer to questions with the same question word",
        lambda reading: question_word(reading.question),
    ),
    "answer by question start": (
        "the most common answer to questions with the same first three words",
        lambda reading: " ".join(reading.question.lower().split()[:3]),
    ),
}
"""Name: what it gives, the feature that is looked up."""

CANDIDATES: dict[str, tuple[str, Callable[[Reading, Wordings], Offered]]] = {
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


def learners(readings: Sequence[Reading], wordings: Wordings) -> list[Learner]:
    """Everything that learns and has something to learn from."""
    made: list[Learner] = []
    for name, (text, feature) in FEATURES.items():
        signs, index = np.unique([feature(reading) for reading in readings], return_inverse=True)
        made.append(Lookup(name, text, index.astype(np.int64), wordings.golds.accepted, signs.tolist()))
    for name, (text, offers) in CANDIDATES.items():
        offered = _candidates(name, text, (offers(reading, wordings) for reading in readings), wordings)
        made += [offered] if len(offered.item) else []
    return made


def learners_by_template(
    readings: Sequence[Reading], wordings: Wordings, templates: Sequence[Ints]
) -> list[list[Learner]]:
    """For each of the `templates`, numbers (n,) of what belongs together: its answer, and its place or calculation.

    They remember one item of a template to answer another, so with templates kept together they know nothing.
    """
    rules = [[*_at_places(reading, wordings), *_calculations(reading, wordings)] for reading in readings]
    rule = "the place or calculation that was right most often in the template"
    made: list[list[Learner]] = []
    for template in templates:
        offered = (
            [(f"{number} {sign}", guess) for sign, guess in pairs]
            for number, pairs in zip(template.tolist(), rules, strict=True)
        )
        answer = "the most common answer to the other items of the template"
        made.append(
            [
                Lookup("answer by template", answer, template, wordings.golds.accepted),
                _candidates("rule by template", rule, offered, wordings),
            ]
        )
    return made


def _candidates(
    name: str, description: str, offered: Iterable[Iterable[tuple[str, int]]], wordings: Wordings
) -> Candidates:
    cues: dict[str, int] = {}
    item: list[int] = []
    cue: list[int] = []
    text: list[int] = []
    for at, pairs in enumerate(offered):
        own: dict[str, int] = {}
        for sign, guess in pairs:
            if guess != NOTHING:
                own.setdefault(sign, guess)
        item += [at] * len(own)
        cue += [cues.setdefault(sign, len(cues)) for sign in own]
        text += own.values()
    signs = sorted(cues)
    rank = np.argsort([cues[sign] for sign in signs])  # the alphabetical place of each cue
    items, texts = np.array(item, dtype=np.int64), np.array(text, dtype=np.int64)
    ranked = rank[np.array(cue, dtype=np.int64)] if signs else np.array([], dtype=np.int64)
    order = np.lexsort((ranked, items))
    accepted = wordings.golds.accepted
    return Candidates(name, description, items[order], ranked[order], texts[order], wordings.gold, accepted, signs)
