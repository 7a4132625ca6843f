"""Every strategy on every item of groups it never saw, and its advantage over the best constant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.statistics.intervals import Errors, degrees_of_freedom, effective_groups, lower_bounds
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.open_answers.golds import Golds, Ints, f1
from hansproof.audit.tasks.open_answers.learners import Constant, Learner
from hansproof.audit.tasks.open_answers.learnt_cues import NOTHING, Wordings, learners
from hansproof.audit.tasks.open_answers.prompt_words import Reading
from hansproof.audit.tasks.open_answers.strategies import ARITHMETIC, COUNTING, SPANS, calculated
from hansproof.generators.errors import Progress

__all__ = ["CHOSEN", "Advantages", "Attempt", "Attempts", "advantages", "attempt", "refitted", "without_the_best"]

# The advantage is kappa with the best constant in the place of chance: (a - c) / (1 - c), where a is the share that the
# strategy gets right and c that of the constant. It is a smooth function of two means over the same items, so its error
# is a sum of one contribution per item (the delta method), added up within groups.

Floats = NDArray[np.float64]

_FEW = 10
"""With hits in fewer groups than this, the normal interval ends too early: Clopper and Pearson's (1934) joins it."""
_AT_ONCE = 64
"""Sign flips in one go."""


@dataclass(frozen=True)
class Advantages:
    """Of V strategies."""

    value: Floats
    """(V,) (a - c) / (1 - c); NaN if the constant is always right."""
    low: Floats
    """(V,) ends of 95 % intervals over groups."""
    high: Floats
    bound: Floats
    """(V,) lower bounds that hold for all strategies at once, at the level of `leak_alpha`."""
    p: Floats
    """(V,) one-sided: no better than the constant."""
    corrected: Floats
    """(V,) the same for the best of V strategies: max-T."""
    floor: float
    """The smallest p that so many sign flips can show."""


def refitted(folds: int) -> float:
    """By how much the interval of what learns in so many folds is widened: the square root of 1 + folds / (folds - 1).

    Items scored by one fit share its chances. The variance over items knows nothing of that, and no estimate without
    bias exists (Bengio and Grandvalet 2004); the factor is Nadeau and Bengio's (2003).
    """
    return float(np.sqrt(1 + folds / (folds - 1)))


def advantages(
    right: Floats,
    constant: Floats,
    groups: Ints,
    stretch: Floats,
    *,
    leak_alpha: float,
    flips: int,
    draws: np.random.Generator,
    signs: np.random.Generator,
) -> Advantages:
    """The advantages of V strategies over the constant.

    `right` (V, n) and `constant` (n,) are shares of the splits, 0 to 1, in which each item was answered rightly;
    `stretch` (V,) widens errors, 1 for what learns nothing. Intervals need two groups, else they are infinite.
    """
    share, base = right.mean(axis=1), float(constant.mean())
    if base >= 1:
        ones = np.ones(len(right))
        undefined = np.full(len(right), np.nan)
        return Advantages(undefined, undefined, undefined, undefined, ones, ones, 1 / (flips + 1))
    value = (share - base) / (1 - base)
    n, count = len(constant), int(groups.max()) + 1
    influence = np.empty((len(right), count))
    together, alone = np.empty(len(right)), np.empty(len(right))
    for v, row in enumerate(right):
        parts = ((row - share[v]) - (1 - value[v]) * (constant - base)) / (1 - base) / n
        influence[v] = np.bincount(groups, weights=parts, minlength=count)
        together[v], alone[v] = (influence[v] ** 2).sum(), (parts**2).sum()
    degrees = degrees_of_freedom(groups, together, alone)
    widening = np.asarray(stretch, dtype=np.float64)
    if count < 2 or degrees <= 0:
        errors = Errors(influence, np.full(len(right), np.inf), 1.0, widening)
    else:
        degrees = max(degrees, 1.0)
        se = np.sqrt(together * count / (count - 1)) * stretch
        se[(right == 1).all(axis=1)] = _never_wrong(groups, base, degrees)
        errors = Errors(influence, se, degrees, widening)
    half = errors.half_width()
    bound = lower_bounds(value, errors, 1 - leak_alpha, draws)
    high = np.fmax(value + half, _few_hits(right, base, groups))
    p, corrected = sign_flips(right - constant, groups, stretch, flips, signs)
    return Advantages(value, value - half, np.minimum(high, 1.0), bound, p, corrected, 1 / (flips + 1))


def _never_wrong(groups: Ints, base: float, degrees: float) -> float:
    """Standard error whose 95 % interval begins where Clopper and Pearson's does, where no group has an error."""
    from scipy.stats import t

    return float((1 - 0.025 ** (1 / effective_groups(groups))) / (1 - base) / t.ppf(0.975, degrees))


def _few_hits(right: Floats, base: float, groups: Ints) -> Floats:
    """(V,) upper ends that hold where hits are few: those of Clopper and Pearson over the effective number of groups.

    NaN where more than a few groups have hits. Without a hit among 100 groups it is .036 before the constant's share
    is taken off.
    """
    from scipy.stats import beta

    trials = effective_groups(groups)
    out = np.full(len(right), np.nan)
    for v, row in enumerate(right):
        hit = np.bincount(groups, weights=row) > 0
        if hit.sum() < _FEW:
            hits = float(row.mean()) * trials
            top = float(beta.ppf(0.975, hits + 1, max(trials - hits, 1e-9)))
            out[v] = (top - base) / (1 - base)
    return out


def without_the_best(right: Floats, constant: Floats, clusters: Ints) -> float:
    """The smallest advantage (n,) that is left when one of the clusters (n,) is left out; NaN with a single one.

    What learns nothing is as good without the texts of a cluster as with them, so leaving clusters out of training
    shows nothing: this shows whether it works in one cluster alone.
    """
    size = np.bincount(clusters)
    if len(size) < 2:
        return float("nan")
    share = (right.sum() - np.bincount(clusters, weights=right)) / (len(right) - size)
    base = (constant.sum() - np.bincount(clusters, weights=constant)) / (len(right) - size)
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.nanmin(np.where(base < 1, (share - base) / (1 - base), np.nan)))


def sign_flips(
    differences: Floats, groups: Ints, stretch: Sequence[float] | Floats, flips: int, random: np.random.Generator
) -> tuple[Floats, Floats]:
    """(p, corrected p), both (V,): does a strategy answer more items rightly than the constant?

    If it is no better, each group's difference is as likely negative as positive. The statistic is their sum over
    the root of the sum of squares, which flipping signs leaves alone; p = (b + 1) / (B + 1) (Phipson and Smyth 2010),
    exact for any number of groups, as in McNemar's test. The corrected p compares with the largest statistic over the
    strategies (max-T, Westfall and Young 1993). Those that learn are divided by `stretch`.
    """
    count = int(groups.max()) + 1
    sums = np.stack([np.bincount(groups, weights=row, minlength=count) for row in differences])
    norm = np.sqrt((sums**2).sum(axis=1))
    scaled = sums / np.where(norm > 0, norm, 1.0)[:, None]
    observed = scaled.sum(axis=1) / np.asarray(stretch)
    single, joint = np.ones(len(sums)), np.ones(len(sums))
    scaled, done = scaled.T.astype(np.float32), 0
    while done < flips:
        times = min(_AT_ONCE, flips - done)
        signs = random.integers(0, 2, size=(times, count), dtype=np.int8).astype(np.float32) * 2 - 1
        null = signs @ scaled
        # What should be equal may differ in the last bits.
        single += (null >= observed - 1e-4).sum(axis=0)
        joint += (null.max(axis=1)[:, None] >= observed - 1e-4).sum(axis=0)
        done += times
    varies = norm > 0
    return np.where(varies, single / (flips + 1), 1.0), np.where(varies, joint / (flips + 1), 1.0)


# The chosen strategy was right most often on the other folds, where those that learn were asked without both folds:
# choosing sees neither the items that are asked nor anything that was learnt from them.

CONSTANT, CHOSEN = "constant", "best in training"
_RARE = 0.2
"""Strategies for numbers are tried if a larger share of the golds are numbers, those for words if more are not."""


@dataclass(frozen=True)
class Attempt:
    """One strategy on n items."""

    name: str
    description: str
    kind: Literal["fixed", "learnt", "chosen"]
    right: Floats
    """(n,) share of the splits in which it was right."""
    texts: Ints
    """(n,) numbers of its guesses in the first split; -1 for none."""
    f1: float
    """Mean token F1 of these."""


@dataclass(frozen=True)
class Attempts:
    """The best constant, and every strategy that has an answer to some item and differs from those before it."""

    constant: Attempt
    """The most common answer of all items: what chance is to this audit, and never less than it is."""
    strategies: list[Attempt]
    """The chosen one last."""
    chosen: dict[str, int]
    """How often training folds chose each strategy, most often first."""
    wordings: Wordings
    learners: dict[str, Learner]
    """Those that learn, by name."""
    numbers: bool
    """Whether strategies for numbers were tried, and those for words."""
    texts: bool


def attempt(
    readings: Sequence[Reading], golds: Golds, groups: Ints, *, folds: int, splits: int, seed: int, progress: Progress
) -> Attempts:
    """Try everything that suits the answers. `readings` and `groups` (n,) are in the order of the golds."""
    numbers, texts = float(golds.number.mean()) > _RARE, float(1 - golds.number.mean()) > _RARE
    progress("trying strategies", 0, splits + 1)
    wordings = Wordings(golds)
    fixed = _fixed(readings, golds, wordings, numbers=numbers, texts=texts)
    learning: list[Learner] = [
        Constant(golds.accepted),
        *learners(readings, golds, wordings, numbers=numbers, texts=texts),
    ]
    gold = np.append(wordings.gold, NOTHING)  # the last is that of no guess
    fixed = _different(fixed, gold)
    still = (
        np.stack([golds.right(gold[guesses]) for _, _, guesses in fixed])
        if fixed
        else np.empty((0, len(groups)), dtype=np.bool_)
    )
    names = [CONSTANT, *[learner.name for learner in learning[1:]], *[name for name, _, _ in fixed]]
    right = np.zeros((len(learning) + 1, len(groups)))
    first = np.full((len(learning) + 1, len(groups)), NOTHING, dtype=np.int64)
    chosen: Counter[str] = Counter()
    for split in range(splits):
        fold = fold_numbers(np.zeros_like(groups), groups, folds, seeded(seed, "open-ended", "folds", split))
        run = _Split(learning, fold, folds, golds, gold)
        learnt, hits = run.outer()
        picks = run.picks(still)
        for held, pick in picks.items():
            chosen[names[pick]] += 1
            asked = fold == held
            guesses = learnt[pick] if pick < len(learning) else fixed[pick - len(learning)][2]
            right[-1, asked] += golds.right(gold[guesses[asked]], np.flatnonzero(asked))
            if split == 0:
                first[-1, asked] = guesses[asked]
        right[:-1] += hits
        if split == 0:
            first[:-1] = learnt
        progress("trying strategies", split + 2, splits + 1)
    right /= splits
    scored = _F1(golds, wordings)
    done = [
        Attempt(learner.name, learner.description, "learnt", right[at], first[at], scored.mean(first[at]))
        for at, learner in enumerate(learning)
        if at
    ]
    strategies = [
        Attempt(name, description, "fixed", still[at].astype(np.float64), guesses, scored.mean(guesses))
        for at, (name, description, guesses) in enumerate(fixed)
    ]
    described = "the strategy that was right most often in training, chosen anew for every fold"
    best = Attempt(CHOSEN, described, "chosen", right[-1], first[-1], scored.mean(first[-1]))
    return Attempts(
        _constant(golds, scored),
        [*strategies, *done, best],
        dict(chosen.most_common()),
        wordings,
        {way.name: way for way in learning},
        numbers,
        texts,
    )


def _constant(golds: Golds, scored: _F1) -> Attempt:
    """The most common answer, asked of the items that it was counted on.

    Counted on the training folds, it would be right less often than by chance where all answers are about as common:
    what training folds have most of is what the fold in question lacks. Every strategy would seem to beat it.
    """
    guesses = np.full(len(golds.accepted), golds.common, dtype=np.int64)
    right = golds.right(guesses).astype(np.float64)
    return Attempt(CONSTANT, "always the most common answer", "fixed", right, guesses, scored.mean(guesses))


class _Split:
    """One division into folds."""

    def __init__(self, learning: Sequence[Learner], fold: Ints, folds: int, golds: Golds, gold: Ints) -> None:
        self._taught = [learner.prepared(fold, folds) for learner in learning]
        self._fold, self._folds, self._golds, self._gold = fold, folds, golds, gold
        self._used = sorted(set(fold.tolist()))

    def outer(self) -> tuple[Ints, NDArray[np.bool_]]:
        """Guesses and whether they are right (L, n), each learnt without the item's own fold."""
        guesses = np.full((len(self._taught), len(self._fold)), NOTHING, dtype=np.int64)
        for held in self._used:
            asked = self._fold == held
            for at, taught in enumerate(self._taught):
                guesses[at, asked] = taught((held,))[asked]
        return guesses, np.stack([self._golds.right(self._gold[row]) for row in guesses])

    def picks(self, still: NDArray[np.bool_]) -> dict[int, int]:
        """For each fold the number of the strategy that was right most often on the others; learners come first."""
        hits = np.zeros((len(self._taught), self._folds))  # by the fold that the choice is for
        for pair in combinations(self._used, 2):
            for at, taught in enumerate(self._taught):
                guesses = self._gold[taught(pair)]
                for held, asked in (pair, pair[::-1]):
                    places = np.flatnonzero(self._fold == asked)
                    hits[at, held] += self._golds.right(guesses[places], places).sum()
        fixed = (
            np.stack([np.bincount(self._fold, weights=row, minlength=self._folds) for row in still])
            if len(still)
            else np.empty((0, self._folds))
        )
        others = fixed.sum(axis=1, keepdims=True) - fixed
        every = np.concatenate([hits, others])
        return {held: int(every[:, held].argmax()) for held in self._used}


def _fixed(
    readings: Sequence[Reading], golds: Golds, wordings: Wordings, *, numbers: bool, texts: bool
) -> list[tuple[str, str, Ints]]:
    """(name, description, numbers of the guesses) of what learns nothing."""
    rows: dict[str, list[int]] = {}
    described: dict[str, str] = {}
    decimals = golds.decimals
    if numbers:
        described |= {name: text for name, (text, _, _) in ARITHMETIC.items()}
        described |= {name: text for name, (text, _) in COUNTING.items()}
    if texts:
        described |= {name: text for name, (text, _) in SPANS.items()}
    for name in described:
        rows[name] = []
    for reading in readings:
        if numbers:
            values = [quantity.value for quantity in reading.numbers]
            for name in ARITHMETIC:
                rows[name].append(wordings.of_number(calculated(name, values, decimals)))
            for name, (_, count) in COUNTING.items():
                rows[name].append(wordings.of(str(count(reading))))
        if texts:
            for name, (_, pick) in SPANS.items():
                rows[name].append(wordings.of(pick(reading)))
    return [(name, text, np.array(rows[name], dtype=np.int64)) for name, text in described.items()]


def _different(fixed: list[tuple[str, str, Ints]], gold: Ints) -> list[tuple[str, str, Ints]]:
    """Without those that have no answer to any item, and those that are right where an earlier one is right."""
    kept, seen = [], set()
    for entry in fixed:
        answers = gold[entry[2]]
        told = (answers if (answers >= 0).any() else entry[2]).tobytes()
        if (entry[2] != NOTHING).any() and told not in seen:
            seen.add(told)
            kept.append(entry)
    return kept


class _F1:
    """Mean token F1 of guesses. A gold number is matched or not, as in DROP (Dua et al. 2019)."""

    def __init__(self, golds: Golds, wordings: Wordings) -> None:
        self._accepted = [[number for number in row if number >= 0] for row in golds.accepted.tolist()]
        self._wordings, self._gold = wordings, wordings.gold.tolist()
        self._numbers = [key.startswith("#") for key in golds.keys]

    def mean(self, guesses: Ints) -> float:
        tokens = self._wordings.tokens
        total = 0.0
        for guess, accepted in zip(guesses.tolist(), self._accepted, strict=True):
            if guess != NOTHING and self._gold[guess] in accepted:
                total += 1.0
            elif guess != NOTHING and not self._numbers[accepted[0]]:
                total += f1(tokens(guess), [tokens(number) for number in accepted])
        return total / len(guesses)
