"""The ladder of options, its shortest shortcut, and what they predict beside each question part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from hansproof.audit.benchmark import PromptPart
from hansproof.audit.probes.crossfit import Scores
from hansproof.audit.result.shortcuts import Ladder, PartialInputs, SingleNgram
from hansproof.audit.shortcuts.ladder import FittedRung, measure_ladder
from hansproof.audit.shortcuts.partial_probes import probe_parts
from hansproof.audit.shortcuts.prompt_parts import Input, partial_inputs
from hansproof.audit.shortcuts.shared_folds import SharedFolds
from hansproof.audit.shortcuts.short_rules import FEWEST_ITEMS, LEVELS
from hansproof.audit.tasks.options.option_crossfit import RIGHT, WRONG, OptionTask, chosen
from hansproof.audit.tasks.options.option_rows import Floats, Ints, OptionPool
from hansproof.audit.tasks.options.simple_rules import OPTIONS, RUNGS, of_rules, rules_on, rung, scores_of
from hansproof.audit.tasks.options.views import cue_values, question_table

if TYPE_CHECKING:
    from hansproof.audit.texts.feature_table import FeatureTable

__all__ = ["beside_parts", "options_ladder", "within_items"]

# An n-gram tells something only where some options of an item have it and others do not. So it is judged within items:
# how often the right option has it, against the share of the item's options that do (Mantel & Haenszel 1959).


def single_option_ngram(
    table: FeatureTable, pool: OptionPool, folds: Sequence[Ints]
) -> tuple[Scores, SingleNgram | None]:
    """The choices of the best single n-gram on the splits `folds`, each the fold (n,) of every item, and its name.

    For each fold, the n-gram with the largest absolute z among the other folds' items chooses: the options that have
    it, or where z is negative those that do not. Where all have it or none, every option is as good.
    """
    levels = [_Level.of(table.presence(level), pool) for level in LEVELS]
    shares = np.zeros((len(folds), len(pool.texts)), dtype=np.float32)
    picks: list[tuple[int, int, bool] | None] = []
    for split, fold in enumerate(folds):
        used, place = np.unique(fold, return_inverse=True)
        sums = [level.by_fold(place, len(used)) for level in levels]
        for f in range(len(used)):
            rows = pool.rows_of(np.flatnonzero(place == f))
            pick = _best([(off.sum(axis=0) - off[f], var.sum(axis=0) - var[f]) for off, var in sums])
            scores = np.zeros(len(pool.texts))
            if pick is not None:
                level, at, having = pick
                scores[levels[level].rows(at)] = 1.0 if having else -1.0
            shares[split, rows] = chosen(scores, pool.start)[rows]
            picks.append(None if pick is None else (pick[0], int(levels[pick[0]].columns[pick[1]]), pick[2]))
    named = _ngram_named(table, pool, picks)
    return scores_of(rung("ngram"), pool, shares, ["one n-gram"] * len(picks)), named


def within_items(having: sp.csr_matrix, pool: OptionPool) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """What every n-gram adds to the statistic in every item, (n, p) each: hit minus expectation, and its variance.

    `having` (R, p) has 1 where an option has an n-gram. In an item, t of k options have it, and the right one is any of
    the k by chance: its hit has the mean t / k and the variance t / k (1 - t / k). z is the sum of the former over the
    root of the sum of the latter, without continuity correction (Mantel & Haenszel 1959).
    """
    member = sp.csr_matrix((np.ones(len(pool.item)), (pool.item, np.arange(len(pool.item)))))
    share = sp.diags_array(1 / pool.size) @ (member @ having)
    return sp.csr_matrix(having[pool.gold] - share), sp.csr_matrix(share - share.multiply(share))


@dataclass(frozen=True)
class _Level:
    """The n-grams of one level that tell options apart in enough items."""

    having: sp.csc_matrix
    """(R, p)"""
    columns: Ints
    """(p,) their columns in the table, ascending."""
    off: sp.csr_matrix
    """(n, p) as in `within_items`."""
    variance: sp.csr_matrix

    @classmethod
    def of(cls, presence: sp.csr_matrix, pool: OptionPool) -> _Level:
        often = np.flatnonzero(np.bincount(presence.indices, minlength=presence.shape[1]) >= FEWEST_ITEMS)
        off, variance = within_items(presence[:, often].astype(np.float64), pool)
        variance.data[variance.data < 1e-12] = 0.0
        variance.eliminate_zeros()
        telling = np.flatnonzero(np.bincount(variance.indices, minlength=len(often)) >= FEWEST_ITEMS)
        columns = often[telling]
        return cls(presence[:, columns].tocsc(), columns, off[:, telling], variance[:, telling])

    def by_fold(self, place: Ints, folds: int) -> tuple[Floats, Floats]:
        """(folds, p) sums over the items of each fold."""
        member = sp.csr_matrix((np.ones(len(place)), (place, np.arange(len(place)))), shape=(folds, len(place)))
        return (member @ self.off).toarray(), (member @ self.variance).toarray()

    def rows(self, at: int) -> Ints:
        """The options with the n-gram in this place."""
        return np.asarray(self.having.indices[self.having.indptr[at] : self.having.indptr[at + 1]], dtype=np.int64)


def _best(sums: Sequence[tuple[Floats, Floats]]) -> tuple[int, int, bool] | None:
    """(level, place, whether to look for it) of the largest |z|.

    Ties go to the earlier level, then to an n-gram to look for, then to the lower place.
    """
    best, largest = None, 0.0
    for level, (off, variance) in enumerate(sums):
        z = np.round(np.where(variance > 0, off / np.sqrt(np.where(variance > 0, variance, 1.0)), 0.0), 8)
        if len(z) and np.abs(z).max() > largest:
            at = int(z.argmax() if z.max() >= -z.min() else z.argmin())
            best, largest = (level, at, bool(z[at] > 0)), float(np.abs(z[at]))
    return best


def _ngram_named(
    table: FeatureTable, pool: OptionPool, picks: Sequence[tuple[int, int, bool] | None]
) -> SingleNgram | None:
    """The n-gram chosen most often, the first of several in the order of levels and columns."""
    times = Counter(pick for pick in picks if pick is not None)
    if not times:
        return None
    (level, column, having), often = min(times.items(), key=lambda entry: (-entry[1], entry[0]))
    rows = table.presence(LEVELS[level])[:, [column]].nonzero()[0]
    right = int(pool.answers(pool.gold)[rows].sum())
    return SingleNgram(
        ngram=table.ngram_text(LEVELS[level], column),
        level=LEVELS[level],
        words=1 if column < table.unigrams(LEVELS[level]) else 2,
        label=RIGHT if having else WRONG,
        count=len(rows),
        count_label=right if having else len(rows) - right,
        chosen=often / len(picks),
    )


def options_ladder(on: SharedFolds, task: OptionTask, *, ordered: bool) -> Ladder:
    """The rungs under grouped folds; without `ordered` there is no rung of positions."""
    folds, values = on.folds(), task.tables["question"].numbers["question-cues"]
    rules = [rules_on(task.pool, values, fold, ordered) for fold in folds]
    steps = []
    for name in RUNGS:
        known = [[rule for rule in of if rule.rung == name] for of in rules]
        if known[0]:
            scores, often = of_rules(name, task.pool, known, folds)
            steps.append(FittedRung(name, often if known[0][0].learnt else f"{often} most often", scores))
    single, ngram = single_option_ngram(task.tables["option"], task.pool, folds)
    steps.append(FittedRung("ngram", "a word, a token, or two in a row of the option", single))
    return measure_ladder(on, steps, OPTIONS, uniform=0.0, ngram=ngram)


# Options are seen in full throughout, with marks on the words that the part has, as in the views "vs question". So what
# a part adds is what its kappa exceeds that of options only.

_ALONE = ("word-2-presence", "option-cues")
_BESIDE = ("question:word-2-presence", "question-cues")
"""The views that training chooses from: few, because every part is fitted anew."""


def beside_parts(on: SharedFolds, task: OptionTask, parts: Sequence[PromptPart]) -> PartialInputs:
    """The kappa of options alone, and beside each part of the question.

    `parts` are those that columns name, in the order of the pool; without any, questions are split into sentences.
    """
    pool = task.pool

    def beside(texts: Sequence[str]) -> OptionTask:
        other = replace(pool, questions=list(texts))
        return OptionTask({"question": question_table(other, cue_values(other, on.groups))}, other)

    known = partial_inputs(pool.questions, parts, fuller=on.settings.partial)
    known.inputs = [
        replace(entry, name=_part_name(entry.name), sees=f"the options beside {entry.sees}") for entry in known.inputs
    ]
    known.left_out = [(_part_name(name), reason) for name, reason in known.left_out]
    alone = Input("options only", "the options alone", [" "] * pool.n, True)
    return probe_parts(known, on, _BESIDE, beside, alone=(alone, _ALONE)).result


def _part_name(name: str) -> str:
    """`options and question` for `question only`."""
    return f"options and {name.removesuffix(' only')}"
