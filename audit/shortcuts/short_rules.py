"""The two shortest shortcuts: one n-gram, present or absent, and an answer that stands in its prompt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hansproof.audit.probes.crossfit import Fitting, Scores
from hansproof.audit.probes.spreading import in_threads
from hansproof.audit.result.explanation import MentionRule, Mentions
from hansproof.audit.result.shortcuts import SingleNgram
from hansproof.audit.statistics import kappa
from hansproof.audit.statistics.kappa import matched
from hansproof.audit.texts.vectors import Vector

if TYPE_CHECKING:
    from hansproof.audit.texts.feature_table import FeatureTable

__all__ = ["FEWEST_ITEMS", "LEVELS", "find_mentions", "named_ngram", "single_ngram"]

# That is a decision tree of depth 1 on all n-grams at once (a decision stump; Iba & Langley 1992).

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ONE_NGRAM = Vector("ngram", "one n-gram", "ngram", "", 0, "presence")

LEVELS = ("word", "gpt2")
"""Where the n-gram comes from. Words come first, because they win ties: they are easier to read."""

FEWEST_ITEMS = 5
"""An n-gram in fewer items is a cue to those items, not to the benchmark."""

_BLOCK = 2_000_000
"""Counts handled at a time."""


@dataclass(frozen=True)
class Chosen:
    """The scores of the single n-gram, and which n-grams the training sets chose."""

    scores: Scores
    named: SingleNgram | None
    """The one chosen most often; None if there was none to choose."""


def single_ngram(
    table: FeatureTable, y: Ints, labels: Sequence[str], folds: Sequence[Ints], fitting: Fitting
) -> Chosen:
    """Out-of-fold scores of the best single n-gram on the given splits, each the fold (N,) of every item.

    For each fold, the n-gram with the largest chi-square against the answers among the other folds' items is chosen
    (`best_ngram`). A held-out item gets the shares of the answers among the training items with or without it.
    """
    presences = [_frequent(table.presence(level)) for level in LEVELS]
    k, n = len(labels), len(y)
    done = in_threads(lambda fold: _split(presences, y, fold, k), folds, fitting.workers)
    picks = [pick for split in done for pick in split.picks]
    scores = Scores(
        vector=ONE_NGRAM,
        units=np.arange(n),
        predicted=np.stack([split.probabilities.argmax(axis=1) for split in done]).astype(np.int16),
        matched=np.stack([split.matched for split in done]),
        probabilities=np.mean([split.probabilities for split in done], axis=0),
        validation=float("nan"),
        regularisation=["one n-gram"] * len(picks),
        features=1,
    )

    def told(rows: Ints, _: tuple[int, int]) -> tuple[str, int]:
        inside, answers = np.bincount(y[rows], minlength=k), np.bincount(y, minlength=k)
        c = int(np.argmax(np.round(inside / len(rows) - answers / n, 12)))
        return labels[c], int(inside[c])

    return Chosen(scores, named_ngram(table, picks, told))


def best_ngram(inside: NDArray[np.integer], answers: Ints) -> tuple[float, int]:
    """(chi-square, row) of the n-gram with the largest chi-square, the first of several; 0 without one that varies.

    `inside` (p, k) holds how many training items with each n-gram have each answer, and `answers` (k,) how many of all
    have it. chi-square = N^2 / (m (N - m)) * sum over answers of (a - m s / N)^2 / s, for an n-gram in m of N items, a
    of them with an answer that s items have (Pearson 1900). Ranking by it is ranking by the ANOVA F of presence, as in
    scikit-learn's `SelectKBest(f_classif)`.
    """
    if not len(inside):
        return 0.0, 0
    size = answers.astype(np.float64)
    total, known = size.sum(), answers > 0
    times = inside.sum(axis=1, dtype=np.float64)
    apart = times * (total - times)
    off = inside[:, known] - times[:, None] * (size[known] / total)
    square = (off**2 / size[known]).sum(axis=1) * total**2
    chi = np.round(np.where(apart > 0, square / np.where(apart > 0, apart, 1.0), 0.0), 8)
    return float(chi.max()), int(chi.argmax())


@dataclass(frozen=True)
class _Presence:
    """The n-grams of one level that occur in enough items."""

    entries: sp.csc_matrix
    """(N, p) 1 where an n-gram occurs."""
    columns: Ints
    """(p,) their columns in the table, ascending."""


def _frequent(presence: sp.csr_matrix) -> _Presence:
    columns = np.flatnonzero(np.bincount(presence.indices, minlength=presence.shape[1]) >= FEWEST_ITEMS)
    return _Presence(presence[:, columns].tocsc(), columns)


@dataclass(frozen=True)
class _Split:
    """The single n-gram on one split."""

    probabilities: Floats
    matched: NDArray[np.int16]
    picks: list[tuple[int, int] | None]
    """(place of the level, column) for each fold; None without n-grams."""


def _split(presences: Sequence[_Presence], y: Ints, fold: Ints, labels: int) -> _Split:
    used, place = np.unique(fold, return_inverse=True)
    sizes = np.bincount(place * labels + y, minlength=len(used) * labels).reshape(len(used), labels)
    probabilities = np.zeros((len(y), labels))
    given = np.zeros(len(y), dtype=np.int16)
    picks: list[tuple[int, int] | None] = []
    best = _best_of_folds(presences, place * labels + y, sizes)
    for f in range(len(used)):
        answers, rows = sizes.sum(axis=0) - sizes[f], np.flatnonzero(place == f)
        pick, those = best[f]
        shares = answers / answers.sum()
        probabilities[rows] = shares
        if pick is not None:
            level, at = pick
            entries, present = presences[level].entries, np.zeros(len(y), dtype=bool)
            present[entries.indices[entries.indptr[at] : entries.indptr[at + 1]]] = True
            others = answers - those
            probabilities[rows] = np.where(present[rows, None], those / those.sum(), others / others.sum())
        given[rows] = matched(probabilities[rows], shares)
        picks.append(None if pick is None else (pick[0], int(presences[pick[0]].columns[pick[1]])))
    return _Split(probabilities, given, picks)


def _best_of_folds(
    presences: Sequence[_Presence], cells: Ints, sizes: Ints
) -> list[tuple[tuple[int, int] | None, Ints]]:
    """For each fold, (place of the level, row) of the best n-gram among the other folds' items, and its items by answer
    (k,); None where none varies. Ties go to the earlier level, then to the lower row.

    `cells` (N,) number the fold and answer of each item, `sizes` (folds, k) count them. The n-grams are counted by fold
    and answer some at a time: all of them at once would fill the memory where there are hundreds of answers.
    """
    folds, labels = sizes.shape
    n = len(cells)
    indicator = sp.csr_matrix((np.ones(n, dtype=np.int32), (np.arange(n), cells)), shape=(n, folds * labels))
    step = max(1, _BLOCK // (folds * labels))
    largest = np.zeros(folds)
    best: list[tuple[tuple[int, int] | None, Ints]] = [(None, np.zeros(labels, dtype=np.int64))] * folds
    for level, presence in enumerate(presences):
        for start in range(0, presence.entries.shape[1], step):
            counts = (presence.entries[:, start : start + step].T @ indicator).toarray().reshape(-1, folds, labels)
            total = counts.sum(axis=1)
            for f in range(folds):
                inside = total - counts[:, f]
                chi, row = best_ngram(inside, sizes.sum(axis=0) - sizes[f])
                if chi > largest[f]:
                    largest[f], best[f] = chi, ((level, start + row), inside[row].copy())
    return best


def named_ngram(
    table: FeatureTable, picks: Sequence[Any], told: Callable[[Ints, Any], tuple[str, int]]
) -> SingleNgram | None:
    """The n-gram chosen most often, the first of several in the order of levels and columns, with which picks begin.

    `told` gives the label that a pick points to, and how many of the rows with the n-gram have it.
    """
    times = Counter(pick for pick in picks if pick is not None)
    if not times:
        return None
    pick, chosen = min(times.items(), key=lambda entry: (-entry[1], entry[0]))
    level, column = pick[:2]
    rows = table.presence(LEVELS[level])[:, [column]].nonzero()[0]
    label, hits = told(rows, pick)
    return SingleNgram(
        ngram=table.ngram_text(LEVELS[level], column),
        level=LEVELS[level],
        words=1 if column < table.unigrams(LEVELS[level]) else 2,
        label=label,
        count=len(rows),
        count_label=hits,
        chosen=chosen / len(picks),
    )


# In bAbI 16, "What colour is Greg?" follows sentences that name colours. Taking the colour named most often is no
# reasoning, and no shortcut of the wording either: a baseline, beside which a kappa is read.

_MOST = 0.5
"""Share of the items that mention their gold answer, above which it stands there by design."""
_OTHERS = 0.1
"""Share of the items that mention another answer, below which there is nothing to choose from."""
_CONSTANT = 0.8
"""Share of the items with the same first (and the same last) mention, above which the answers are only listed."""
_SHORT = 2
"""Answers up to this many characters are found only in their own case: `A` is not the article."""

_RULES: dict[str, Callable[[list[int]], int]] = {
    "first": lambda mentioned: mentioned[0],
    "last": lambda mentioned: mentioned[-1],
    # Counter keeps the order of first mention, which decides between equals.
    "most frequent": lambda mentioned: Counter(mentioned).most_common(1)[0][0],
}


def find_mentions(prompts: Sequence[str], answers: Sequence[str]) -> Mentions | None:
    """The mentions of the answers as whole words; None unless most prompts mention the gold answer, and some others.

    None too if nearly all prompts begin and end with the same mentions, as where each lists its options A to D.
    """
    labels = list(dict.fromkeys(answers))
    number = {label: c for c, label in enumerate(labels)}
    gold = np.array([number[answer] for answer in answers], dtype=np.int64)
    mentioned = _mentioned(prompts, labels)
    n = len(prompts)
    with_gold = sum(int(c) in places for c, places in zip(gold, mentioned, strict=True))
    with_others = sum(any(place != c for place in places) for c, places in zip(gold, mentioned, strict=True))
    if with_gold <= _MOST * n or with_others < _OTHERS * n or _listed(mentioned):
        return None
    common = int(np.bincount(gold).argmax())
    rules = []
    for rule, choose in _RULES.items():
        predicted = np.array([choose(places) if places else common for places in mentioned], dtype=np.int64)
        cohen = float(kappa.cohen(kappa.confusion(gold, predicted, len(labels))))
        rules.append(
            MentionRule(rule=rule, accuracy=float((predicted == gold).mean()), cohen=None if np.isnan(cohen) else cohen)
        )
    return Mentions(gold=with_gold, others=with_others, rules=rules)


def _listed(mentioned: Sequence[Sequence[int]]) -> bool:
    """Whether the first mention is nearly always the same answer, and the last one too."""
    return all(
        max(Counter(places[end] for places in mentioned if places).values()) > _CONSTANT * len(mentioned)
        for end in (0, -1)
    )


def _mentioned(prompts: Sequence[str], labels: Sequence[str]) -> list[list[int]]:
    """The numbers of the labels that each prompt mentions, in reading order; of two that overlap, the longer."""
    longest = max((len(prompt.casefold()) for prompt in prompts), default=0)
    stripped = [(label.strip(), c) for c, label in enumerate(labels) if 0 < len(label.strip()) <= longest]
    short = {label: c for label, c in reversed(stripped) if len(label) <= _SHORT}
    long = {label.casefold(): c for label, c in reversed(stripped) if len(label) > _SHORT}
    patterns = [(_pattern(short), short, False), (_pattern(long), long, True)]
    result = []
    for prompt in prompts:
        places = []
        for pattern, numbers, folded in patterns:
            if pattern is not None:
                text = prompt.casefold() if folded else prompt
                places += [(match.start(), numbers[match[0]]) for match in pattern.finditer(text)]
        result.append([c for _, c in sorted(places)])
    return result


def _pattern(labels: dict[str, int]) -> re.Pattern[str] | None:
    if not labels:
        return None
    longest_first = sorted(labels, key=lambda label: (-len(label), label))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
