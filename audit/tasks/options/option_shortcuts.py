"""Shortcuts to the right option: simple rules, one n-gram, their ladder, and options beside parts of questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hansproof.audit.benchmark import PromptPart
from hansproof.audit.probes.crossfit import Scores
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.shortcuts import Ladder, PartialInputs, SingleNgram
from hansproof.audit.result.tasks import OptionRule
from hansproof.audit.shortcuts.ladder import FittedRung, RungWords, measure_ladder
from hansproof.audit.shortcuts.partial_probes import probe_parts
from hansproof.audit.shortcuts.prompt_parts import Input, partial_inputs
from hansproof.audit.shortcuts.shared_folds import SharedFolds, most_often
from hansproof.audit.shortcuts.short_rules import FEWEST_ITEMS, LEVELS, named_ngram
from hansproof.audit.statistics.intervals import errors_of
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.options.option_crossfit import OptionTask, chance_of, choice_kappa, chosen, influence, letter
from hansproof.audit.tasks.options.option_rows import Floats, Ints, OptionPool
from hansproof.audit.tasks.options.views import MEASURED, cue_values, question_table
from hansproof.audit.texts.vectors import Vector

if TYPE_CHECKING:
    from hansproof.audit.texts.feature_table import FeatureTable

__all__ = [
    "COMMON_POSITION",
    "LENGTHS",
    "OPTIONS",
    "RUNGS",
    "beside_parts",
    "best_position",
    "is_clear",
    "judged",
    "of_rules",
    "options_ladder",
    "rules_on",
    "rung",
    "scores_of",
    "tried_rules",
    "within_items",
]

COMMON_POSITION = "the most common position"
POSITION_RULE, _AT = f"{COMMON_POSITION} (learnt)", "option "

_HAVING = 0.05
"""Least share of the items that must have a position for it to get a rule of its own."""

_BY_VALUE = (
    ("length", "the longest (characters)", "characters", 1),
    ("length", "the shortest (characters)", "characters", -1),
    ("length", "the longest (words)", "words", 1),
    ("length", "the shortest (words)", "words", -1),
    ("wording", "the rarest words", "rarity", 1),
    ("wording", "the commonest words", "rarity", -1),
    ("overlap", "most like the question", "likeness to the question", 1),
    ("overlap", "least like the question", "likeness to the question", -1),
    ("overlap", "most like the other options", "likeness to the other options", 1),
    ("overlap", "least like the other options", "likeness to the other options", -1),
    ("wording", "“all of the above” and the like", "all or none of the above", 1),
    ("wording", "anything but “all of the above”", "all or none of the above", -1),
    ("wording", "without absolutes (always, never, only)", "absolutes", -1),
    ("wording", "with a hedge (may, often, most)", "hedges", 1),
    ("wording", "with a negation", "negations", 1),
    ("style", "the most Markdown", "marks of Markdown", 1),
    ("style", "the least Markdown", "marks of Markdown", -1),
    ("style", "a refusal (I cannot, as an AI)", "refusals", 1),
    ("style", "no refusal (I cannot, as an AI)", "refusals", -1),
    ("style", "what opens like the question", "opens like the question", 1),
    ("style", "the commonest opening words", "commonness of the opening", 1),
    ("style", "the rarest opening words", "commonness of the opening", -1),
)
"""Rung of the ladder, rule, the column by which it chooses, and whether the largest or the smallest value."""

LENGTHS = tuple(name for rung, name, _, _ in _BY_VALUE if rung == "length")
"""The rules of length."""

RUNGS = ("position", "length", "overlap", "wording", "style", "repeats")
"""The rungs that choose an option without any fit, in their order. What is learnt stands alone on its rung: a choice
between rules must not rest on golds that one of them was learnt from."""


class Rule(NamedTuple):
    """What a rule prefers, before it is judged."""

    name: str
    scores: Floats
    """(R,) the highest of each item is chosen."""
    rung: str = ""
    """Of the ladder; none for a single position."""
    learnt: bool = False


def tried_rules(
    task: OptionTask, groups: Ints, fold: Ints, ordered: bool, settings: Settings, tested: Ints | None = None
) -> list[OptionRule]:
    """The rules that tell options apart on the items `tested` alone (by default all), with p corrected for all (max-T).

    `groups` (n,) give the intervals.
    """
    units = np.arange(task.pool.n) if tested is None else tested
    pool, rows, own = task.pool.taken(units), task.pool.rows_of(units), groups[units]
    own = np.unique(own, return_inverse=True)[1]
    known = rules_on(task.pool, task.tables["question"].numbers["rules"], fold, ordered)
    known = [rule._replace(scores=rule.scores[rows]) for rule in known]
    results = [judged(rule, pool, own) for rule in known]
    told = [at for at, rule in enumerate(results) if rule.applies]
    if not told:
        return []
    shares = np.stack([chosen(known[at].scores, pool.start)[None].astype(np.float32) for at in told])
    null = task.null(shares, units, own, settings.permutations, seeded(settings.seed, "rules", "permutations"))
    p = null.test(np.ones(len(told), dtype=np.bool_), alpha=settings.alpha).corrected.tolist()
    return [msgspec.structs.replace(results[at], p=value) for at, value in zip(told, p, strict=True)]


_CLEAR = 0.05
"""Kappa of a rule from which advice is given."""


def is_clear(rule: OptionRule, alpha: float = 0.05) -> bool:
    """Whether a rule goes far enough to be worth a repair, and not by chance, also if p was corrected for others."""
    return rule.kappa >= _CLEAR and (rule.low or 0.0) > 0 and (rule.p is None or rule.p < alpha)


def best_position(rules: Sequence[OptionRule], alpha: float) -> OptionRule | None:
    """The rule of the most common position; a single position, if it goes further and is clear.

    Of a published split, gold options of the training part may stand elsewhere than those of the test part.
    """
    known = [rule for rule in rules if rule.rule == POSITION_RULE]
    known += [rule for rule in rules if rule.rule.startswith(_AT) and is_clear(rule, alpha)]
    return max(known, key=lambda rule: rule.kappa, default=None)


def rules_on(pool: OptionPool, values: Floats, fold: Ints, ordered: bool) -> list[Rule]:
    """Every rule with its scores; `values` are the numbers `rules` of `views.tables`.

    What is learnt (the most common position, the share of its other items in which an option is gold) is learnt on the
    items outside the `fold` (n,) of each item.
    """
    rules = []
    if ordered:
        rules.append(Rule(POSITION_RULE, _position_scores(pool, fold), "position", learnt=True))
        for place in range(int(pool.size.max())):
            if (pool.size > place).mean() < _HAVING:
                break
            rules.append(Rule(_AT + letter(place), (pool.position == place).astype(np.float64)))
    rules += [Rule(name, sign * values[:, MEASURED.index(column)], on) for on, name, column, sign in _BY_VALUE]
    if len(set(pool.folded)) < len(pool.folded):
        rules.append(Rule("most often right elsewhere (learnt)", _gold_rates(pool, fold), "repeats", learnt=True))
    return rules


def judged(rule: Rule, pool: OptionPool, groups: Ints) -> OptionRule:
    """How far a rule goes on all items of the pool."""
    shares = chosen(rule.scores, pool.start)
    hits = shares[pool.gold]
    value = choice_kappa(hits, pool.size)
    spread = errors_of([influence(hits, pool.size)[None]], groups, np.array([[value]]), chance_of(pool.size))
    half = float(spread.half_width()[0])
    told = np.maximum.reduceat(shares, pool.start[:-1]) * pool.size > 1 + 1e-9
    return OptionRule(
        rule=rule.name,
        applies=int(told.sum()),
        accuracy=float(hits.mean()),
        kappa=value,
        low=max(value - half, -1.0) if np.isfinite(half) else None,
        high=min(value + half, 1.0) if np.isfinite(half) else None,
        learnt=rule.learnt,
    )


def _position_scores(pool: OptionPool, fold: Ints) -> Floats:
    """(R,) how many golds of other folds stand at the place of each option, over the items that have such a place."""
    most, scores = int(pool.size.max()), np.zeros(len(pool.texts))
    gold_place = pool.position[pool.gold]
    for number in np.unique(fold):
        seen = fold != number
        golds = np.bincount(gold_place[seen], minlength=most)
        having = np.array([(pool.size[seen] > place).sum() for place in range(most)])
        rows = pool.rows_of(np.flatnonzero(~seen))
        scores[rows] = (golds / np.maximum(having, 1))[pool.position[rows]]
    return scores


def _gold_rates(pool: OptionPool, fold: Ints) -> Floats:
    """(R,) in which share of its occurrences in other folds each option is gold, shrunk to chance by one occurrence."""
    ids = pool.same
    count, chance = int(ids.max()) + 1, float((1 / pool.size).mean())
    y, row_fold, scores = pool.answers(pool.gold), fold[pool.item], np.zeros(len(ids))
    for number in np.unique(fold):
        seen = row_fold != number
        times = np.bincount(ids[seen], minlength=count)
        golds = np.bincount(ids[seen], weights=y[seen], minlength=count)
        held = np.flatnonzero(~seen)
        scores[held] = ((golds + chance) / (times + 1))[ids[held]]
    return scores


OPTIONS = RungWords(
    {
        "constant": "guessing",
        "position": "position",
        "length": "length",
        "overlap": "likeness",
        "wording": "wording",
        "style": "style",
        "repeats": "repeated options",
        "ngram": "one n-gram",
        "format": "format",
        "readability": "readability",
        "unigrams": "unigrams of the option",
        "bigrams": "bigrams of the option",
        "others": "option and other options",
        "question": "option and question",
        "trees": "trees",
    },
    {
        "position": "the position of the option is enough",
        "length": "the length of the option is enough",
        "overlap": "how like the option is to the question or to the other options is enough",
        "wording": "the kind of words in the option (rare, hedged, absolute) is enough",
        "style": "the style of the option (Markdown, refusal, opening words) is enough",
        "repeats": "how often the same option is right elsewhere is enough",
        "format": "the format of the option (case, lines, blanks, punctuation) is enough",
        "readability": "the readability and diversity of the option's words are enough",
        "unigrams": "single words of the option are enough",
        "bigrams": "words and pairs of words of the option are needed",
        "others": "the options compared with each other are needed",
        "question": "the words that option and question share are needed",
        "trees": "combinations of words are needed",
    },
    "option",
)

# The best of eight kappas is too large by what the choice gains. So a rung is the whole procedure, choice included.


def rung(name: str) -> Vector:
    """A rung of the ladder as if it were a view."""
    return Vector(name, OPTIONS.labels[name], "dense", "", 0, "", "option")


def scores_of(vector: Vector, pool: OptionPool, shares: NDArray[np.float32], picked: Sequence[str]) -> Scores:
    """Choices (S, R) of any kind as those of a view, so that they are measured like one."""
    predicted = np.zeros(shares.shape, dtype=np.int16)
    units, probabilities = np.arange(pool.n), np.zeros((shares.shape[1], 2))
    return Scores(vector, units, predicted, shares, probabilities, float("nan"), list(picked), 1)


def of_rules(name: str, pool: OptionPool, rules: Sequence[Sequence[Rule]], folds: Sequence[Ints]) -> tuple[Scores, str]:
    """The choices of the best rule of each training set, and the rule chosen most often.

    `rules` are those of each of the splits `folds`, in one order: a rule that is learnt differs from split to split.
    Ties go to the first rule.
    """
    out, picked = np.zeros((len(folds), len(pool.texts)), dtype=np.float32), []
    for split, (known, fold) in enumerate(zip(rules, folds, strict=True)):
        shares = np.stack([chosen(rule.scores, pool.start) for rule in known])
        hits = shares[:, pool.gold] - 1 / pool.size
        for number in np.unique(fold):
            best = int(np.argmax(np.round(hits[:, fold != number].mean(axis=1), 12)))
            rows = pool.rows_of(np.flatnonzero(fold == number))
            out[split, rows] = shares[best, rows]
            picked.append(known[best].name)
    return scores_of(rung(name), pool, out, picked), most_often(picked, [rule.name for rule in rules[0]])


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

    def told(rows: Ints, pick: tuple[int, int, bool]) -> tuple[str, int]:
        right = int(pool.answers(pool.gold)[rows].sum())
        return pool.names[pick[2]], right if pick[2] else len(rows) - right

    named = named_ngram(table, picks, told)
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


def options_ladder(on: SharedFolds, task: OptionTask, *, ordered: bool) -> Ladder:
    """The rungs under grouped folds; without `ordered` there is no rung of positions."""
    folds, values = on.folds(), task.tables["question"].numbers["rules"]
    rules = [rules_on(task.pool, values, fold, ordered) for fold in folds]
    steps = []
    for name in RUNGS:
        known = [[rule for rule in of if rule.rung == name] for of in rules]
        if known[0]:
            scores, often = of_rules(name, task.pool, known, folds)
            seen = often if known[0][0].learnt else f"{often} most often"
            steps.append(FittedRung(name, task.pool.worded(seen), scores))
    single, ngram = single_option_ngram(task.tables["option"], task.pool, folds)
    seen = task.pool.worded("a word, a token, or two in a row of the option")
    steps.append(FittedRung("ngram", seen, single))
    return measure_ladder(on, steps, OPTIONS.mapped(task.pool.worded), uniform=0.0, ngram=ngram)


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
