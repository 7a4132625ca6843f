"""The ladder of options, its shortest shortcut, and what they predict beside each question part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from hansproof.audit.benchmark import PromptPart
from hansproof.audit.probes.crossfit import Fitting, Scores, crossfit, draw_folds
from hansproof.audit.probes.kappas import RefitWidening, measure, number
from hansproof.audit.result.audit_result import Settings, VectorResult
from hansproof.audit.result.shortcuts import Ladder, PartialInputs, Rung, SingleNgram, Untried
from hansproof.audit.shortcuts.ladder import ladder_of, rung_of
from hansproof.audit.shortcuts.partial_probes import SHARE, part_read
from hansproof.audit.shortcuts.prompt_parts import Input, partial_inputs
from hansproof.audit.shortcuts.short_rules import FEWEST_ITEMS, LEVELS
from hansproof.audit.statistics.intervals import errors_of
from hansproof.audit.tasks.options.option_crossfit import (
    RIGHT,
    WRONG,
    OptionTask,
    chance_of,
    choice_kappa,
    chosen,
    influence,
)
from hansproof.audit.tasks.options.option_rows import Floats, Ints, OptionPool
from hansproof.audit.tasks.options.simple_rules import (
    LABELS,
    RULES,
    SAID,
    VIEWS,
    of_rules,
    of_views,
    rules_on,
    rung,
    scores_of,
    views_of,
)
from hansproof.audit.tasks.options.views import cue_values, question_table, views

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


def options_ladder(
    task: OptionTask,
    groups: Ints,
    fitting: Fitting,
    scores: Sequence[Scores],
    stretch: RefitWidening,
    settings: Settings,
    *,
    ordered: bool,
) -> Ladder:
    """The rungs under grouped folds, on the splits of `scores`, which are those of all views; `groups` are (n,).

    All rungs share the folds; p is corrected for all of them (max-T), and differences are paired item by item. Trees
    are a rung of their own: if they compete in this audit, the rungs below are fitted once more without them.
    `stretch` is that of the scheme; without `ordered` there is no rung of positions.
    """
    pool, splits = task.pool, len(scores[0].matched)
    folds = draw_folds(pool.strata, groups, settings.seed, "grouped", settings.folds, splits)
    linear = tuple(how for how in fitting.candidates if how.linear)
    trees = None
    if linear != fitting.candidates:
        trees = of_views("trees", pool, [entry for entry in scores if entry.vector.kind == "ngram"], folds)
        plain, views = replace(fitting.quiet(), candidates=linear), [entry.vector for entry in scores]
        scores = crossfit(task, groups, views, plain, scheme="grouped", folds=settings.folds, splits=splits)
    steps, ngram = _steps(task, scores, folds, ordered)
    if trees is not None:
        steps["trees"] = trees
    return _climbed(steps, ngram, task, groups, settings, stretch)


def _steps(
    task: OptionTask, scores: Sequence[Scores], folds: Sequence[Ints], ordered: bool
) -> tuple[dict[str, tuple[Scores, str]], SingleNgram | None]:
    """What each rung chooses, with what training preferred, simplest first."""
    pool, values = task.pool, task.tables["question"].numbers["question-cues"]
    rules = [rules_on(pool, values, fold, ordered) for fold in folds]
    steps: dict[str, tuple[Scores, str]] = {}
    for name, wanted in RULES.items():
        known = [[rule for rule in of if rule.name in wanted] for of in rules]
        if (made := of_rules(name, pool, known, folds)) is not None:
            steps[name] = made
    single, ngram = single_option_ngram(task.tables["option"], pool, folds)
    steps["ngram"] = single, "a word, a token, or two in a row of the option"
    for name, kind in VIEWS.items():
        if (made := of_views(name, pool, views_of(kind, scores), folds)) is not None:
            steps[name] = made
    return steps, ngram


def _climbed(
    steps: dict[str, tuple[Scores, str]],
    ngram: SingleNgram | None,
    task: OptionTask,
    groups: Ints,
    settings: Settings,
    stretch: RefitWidening,
) -> Ladder:
    pool, made = task.pool, [scores for scores, _ in steps.values()]
    measured = measure("grouped", task, groups, made, settings, set(steps), lambda strongest, null_sd: stretch)
    splits = len(made[0].matched)
    rungs: list[Rung] = [rung_of("constant", LABELS["constant"], "nothing", None, None, 0.0, splits)]
    for (name, (_, often)), vector in zip(steps.items(), measured.result.vectors, strict=True):
        several = len(RULES.get(name, ())) > 1 or name in ("unigrams", "bigrams", "others", "question", "trees")
        sees = f"{often} most often" if several else often
        rungs.append(rung_of(name, LABELS[name], sees, vector, vector.p_corrected, vector.matched, splits))
    hits = {name: scores.matched[:, pool.gold].astype(np.float64) for name, (scores, _) in steps.items()}
    hits["constant"] = np.tile(1 / pool.size, (splits, 1))

    def half_width(first: str, second: str) -> float | None:
        pairs = list(zip(hits[first], hits[second], strict=True))
        parts = np.stack([influence(a, pool.size) - influence(b, pool.size) for a, b in pairs])
        gains = np.array([[choice_kappa(a, pool.size) - choice_kappa(b, pool.size) for a, b in pairs]])
        spread = errors_of(
            [parts], groups, gains, chance_of(pool.size), stretch=stretch.sampling, stretched_by=stretch.degrees
        )
        return number(spread.half_width()[0])

    grouped = int(groups.max()) + 1 < pool.n
    return ladder_of(rungs, half_width, settings, ngram, grouped=grouped, said=SAID, unit="option")


# Options are seen in full throughout, with marks on the words that the part has, as in the views "vs question". So what
# a part adds is what its kappa exceeds that of options only.

_ALONE = ("word-2-presence", "option-cues")
_BESIDE = ("question:word-2-presence", "question-cues")
"""The views that training chooses from: few, because every part is fitted anew."""


def beside_parts(
    task: OptionTask,
    parts: Sequence[PromptPart],
    groups: Ints,
    fitting: Fitting,
    scores: Sequence[Scores],
    stretch: RefitWidening,
    settings: Settings,
) -> PartialInputs:
    """The kappa of options alone, and beside each part of the question, under grouped folds.

    `parts` are those that columns name, in the order of the pool; without any, questions are split into sentences.
    `scores` are those of all views, whose first splits are used: `SHARE` of them, or all with `settings.partial`.
    """
    pool = task.pool
    splits = len(scores[0].matched) if settings.partial else ceil(SHARE * len(scores[0].matched))
    folds = draw_folds(pool.strata, groups, settings.seed, "grouped", settings.folds, splits)
    known = partial_inputs(pool.questions, parts, fuller=settings.partial)
    alone = [entry for entry in scores if entry.vector.name in _ALONE]
    whole = [entry for entry in scores if entry.vector.name in _BESIDE]
    n = pool.n
    seen = [Input("options only", "the options alone", [" "] * n, True)]
    picked = [_of("options only", pool, alone, folds)]
    for entry in known.inputs:
        seen.append(replace(entry, name=_part_name(entry.name), sees=f"the options beside {entry.sees}"))
        picked.append(_of(entry.name, pool, _fitted(task, entry.texts, groups, fitting, settings, splits), folds))

    def measured(several: list[Scores]) -> list[VectorResult]:
        counted = {entry.vector.name for entry in several}
        return measure(
            "grouped", task, groups, several, settings, counted, lambda strongest, null_sd: stretch
        ).result.vectors

    results = measured([made for made, _ in picked])
    return PartialInputs(
        how=known.how,
        whole=measured([_of("whole", pool, whole, folds)[0]])[0].matched,
        splits=splits,
        vectors=[view.label for view in views(pool) if view.name in (*_ALONE, *_BESIDE)],
        inputs=[
            part_read(entry, vector, often) for entry, (_, often), vector in zip(seen, picked, results, strict=True)
        ],
        left_out=[Untried(name=_part_name(name), reason=reason) for name, reason in known.left_out],
    )


def _part_name(name: str) -> str:
    """`options and question` for `question only`."""
    return f"options and {name.removesuffix(' only')}"


def _of(name: str, pool: OptionPool, scores: Sequence[Scores], folds: Sequence[Ints]) -> tuple[Scores, str]:
    made = of_views("question", pool, scores, folds)
    if made is None:
        raise ValueError(f"no view to choose from for {name!r}")
    return made


def _fitted(
    task: OptionTask, texts: list[str], groups: Ints, fitting: Fitting, settings: Settings, splits: int
) -> list[Scores]:
    """The views of options beside `texts` (n,) in place of their questions."""
    pool = replace(task.pool, questions=texts)
    linear = tuple(how for how in fitting.candidates if how.linear)  # trees would take longer than all the rest
    own = OptionTask({"question": question_table(pool, cue_values(pool, groups))}, pool)
    wanted = [view for view in views(task.pool) if view.name in _BESIDE]
    plain = replace(fitting.quiet(), candidates=linear)
    return crossfit(own, groups, wanted, plain, scheme="grouped", folds=settings.folds, splits=splits)
