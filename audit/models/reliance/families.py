"""Families of models: the paper's paired t-test, and the mixed-effects regressions; the whole study."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import Final

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy import stats

from hansproof.audit.models.hypotheses import benjamini_hochberg
from hansproof.audit.models.reliance.estimate import GroupedEstimate, average, combined, difference
from hansproof.audit.models.reliance.likelihood import Answers, Block, Fit, answers_of, beside_others, fitted, plain
from hansproof.audit.models.reliance.pairs import EstimatedPair
from hansproof.audit.models.reliance.parts import PartedAnswers
from hansproof.audit.models.reliance.reliance_records import (
    NO_VERDICT,
    SCHEMA,
    FamilyTest,
    MixedFit,
    Regression,
    Reliance,
)
from hansproof.audit.models.reliance.rounds import last_round
from hansproof.audit.notation import NAMELESS, first_of, kappa, things

__all__ = ["family_tests", "regressions", "study"]

# The paper takes each pair of a model and a benchmark for independent. But pairs of one benchmark share its items and
# its parts, so in the joint test only groups of items count as independent. The t-test takes the benchmarks for a
# sample of others; for the joint test they are fixed.

FEWEST_PAIRS = 5
"""Pairs below which the t-test says little."""
FEWEST_BENCHMARKS = 3


def family_tests(pairs: Sequence[EstimatedPair]) -> list[FamilyTest]:
    """A test for each family, largest mean first, and for all models together, last; `pairs` of benchmarks with a
    shortcut. p-values are corrected over the families; the last row, which has them all, is not among these."""
    if not pairs:
        return []
    names = sorted({pair.record.family for pair in pairs})
    made = [_test(name, [pair for pair in pairs if pair.record.family == name]) for name in names]
    ps = zip(*((test.p, test.joint.p, test.equal_gold.p, test.beyond.p) for test in made), strict=True)
    tests = [
        replace(test, p_bh=p, joint_bh=joint, equal_gold_bh=gold, beyond_bh=beyond)
        for test, p, joint, gold, beyond in zip(made, *map(corrected, ps), strict=True)
    ]
    tests.sort(key=lambda test: (-(test.mean if test.mean is not None else -9.0), test.family))
    return [*tests, _test("", pairs)] if len(names) > 1 else tests


def pooled(
    pairs: Sequence[EstimatedPair], which: Callable[[EstimatedPair], GroupedEstimate | None]
) -> GroupedEstimate | None:
    """The mean of an estimate over models and benchmarks, which weigh the same however many styles and runs there are.

    Answers to one benchmark share its groups of items. None where nothing has an estimate.
    """
    of_benchmark: dict[str, dict[str, list[GroupedEstimate]]] = {}
    for pair in pairs:
        estimate = which(pair)
        if estimate is not None:
            of_benchmark.setdefault(pair.record.benchmark, {}).setdefault(pair.record.model, []).append(estimate)
    if not of_benchmark:
        return None
    means = []
    for of_model in of_benchmark.values():
        longest = max(len(estimate.contributions) for own in of_model.values() for estimate in own)
        means.append(average([average([each.widened(longest) for each in own]) for own in of_model.values()]))
    return combined(means, [len(of_model) for of_model in of_benchmark.values()])


def corrected(ps: Sequence[float | None]) -> list[float | None]:
    """Benjamini and Hochberg's (1995) p over those that are known."""
    known = [p for p in ps if p is not None]
    values = iter(benjamini_hochberg(known))
    return [None if p is None else next(values) for p in ps]


def _test(family: str, pairs: Sequence[EstimatedPair]) -> FamilyTest:
    values = _of_models(pairs)
    benchmarks = len({pair.record.benchmark for pair in pairs})
    t = p = None
    if len(values) > 1 and np.ptp(values) > 1e-9:
        test = stats.ttest_1samp(values, 0.0, alternative="greater")
        t, p = float(test.statistic), float(test.pvalue)
    few = []
    if len(values) < FEWEST_PAIRS:
        few.append(things(len(values), "pair"))
    if benchmarks < FEWEST_BENCHMARKS:
        few.append(things(benchmarks, "benchmark"))
    return FamilyTest(
        family=family,
        pairs=len(values),
        models=len({pair.record.model for pair in pairs}),
        benchmarks=benchmarks,
        mean=float(values.mean()) if len(values) else None,
        t=t,
        p=p,
        p_bh=None,
        joint=difference(pooled(pairs, lambda pair: pair.paper)),
        joint_bh=None,
        equal_gold=difference(pooled(pairs, lambda pair: pair.equal_gold)),
        equal_gold_bh=None,
        beyond=difference(pooled(pairs, lambda pair: pair.beyond), "no pair has a difference beyond difficulty"),
        beyond_bh=None,
        beyond_pairs=len({(pair.record.benchmark, pair.record.model) for pair in pairs if pair.beyond is not None}),
        warning=f"few: {' and '.join(few)}" if few else "",
    )


def _of_models(pairs: Sequence[EstimatedPair]) -> NDArray[np.float64]:
    """One value for each model and benchmark: styles and runs of a model are answers to the same items, not pairs."""
    values: dict[tuple[str, str], list[float]] = {}
    for pair in pairs:
        if pair.record.paper.estimate is not None:
            values.setdefault((pair.record.benchmark, pair.record.model), []).append(pair.record.paper.estimate)
    return np.array([np.mean(own) for own in values.values()])


# The plain regression does not know easy items from a shortcut. With difficulty, the success of other models' families
# on the item is a covariate; it is noisy, so part of difficulty is left (`difficulty` mends that). Families beside each
# other's success are fitted as blocks that share the coefficient of the probe (a pseudolikelihood, Besag 1975), since
# no answer may tell the difficulty of an item and be explained by it at once.
#
# p is of Wald's test, one-sided, with the error of groups of items and Student's t: in simulations
# (`benchmarks/reliance`) it holds its level. In groups of four, the ratio of likelihoods and the error from the
# curvature find something in 13 of 100 studies without any relation.

_MOST: Final = 200_000
"""Answers that are fitted."""
_FEWEST_GROUPS: Final = 10


def regressions(parted: Sequence[PartedAnswers], left_out: Collection[str] = ()) -> list[Regression]:
    """Those of families, if there are several; of benchmarks, if several have a shortcut; and of all answers, last.

    Difficulty is measured without the models `left_out`. p are corrected over families and over benchmarks, of a
    regression with difficulty apart from those without.
    """
    parts: list[tuple[Answers, int]] = []  # with the number of the first of their groups
    start = 0
    for each in parted:
        if each.about.shortcut:
            parts.append((answers_of(each), start))
            start += int(each.groups.max(initial=-1)) + 1
    if not parts:
        return []
    families = sorted({str(family) for answers, _ in parts for family in answers.families})
    made: list[Regression] = []
    if len(families) > 1:
        made += _corrected([_regression(parts, [family], left_out, family=family) for family in families])
    if len(parts) > 1:
        made += _corrected([
            _regression([part], families, left_out, benchmark=part[0].parted.about.benchmark) for part in parts
        ])  # fmt: skip
    return [*made, _regression(parts, families, left_out)]


def _regression(
    parts: Sequence[tuple[Answers, int]],
    families: Sequence[str],
    left_out: Collection[str],
    *,
    benchmark: str = "",
    family: str = "",
) -> Regression:
    every = [block for answers, start in parts for block in plain(answers, family or None, start)]
    beside = [
        block
        for answers, start in parts
        for name in families
        for block in beside_others(answers, name, left_out, start)
    ]
    models = {
        str(model)
        for answers, _ in parts
        for model, own in zip(answers.models, answers.families)
        if not family or own == family
    }
    return Regression(
        benchmark=benchmark,
        family=family,
        models=len(models),
        plain=_fit(every, "the models are always right, or always wrong, with the same gold answer"),
        with_difficulty=_fit(beside, "no other model tells the difficulty of these items"),
    )


def _fit(blocks: Sequence[Block], none: str) -> MixedFit:
    """`none` is the reason where there are no blocks."""
    answers = int(sum(block.known.sum() for block in blocks))
    groups = len({int(group) for block in blocks for group in block.groups})
    if not blocks:
        fit = Fit(None, none)
    elif groups < _FEWEST_GROUPS:
        fit = Fit(None, f"too few groups of items: {groups}")
    elif answers > _MOST:
        fit = Fit(None, f"too many answers: {answers:,}")
    else:
        fit = fitted(blocks)
    return MixedFit(
        log_odds=difference(fit.estimate, fit.reason),
        p_bh=None,
        answers=answers,
        groups=groups,
        item_sd=_spread(blocks, fit),
    )


def _spread(blocks: Sequence[Block], fit: Fit) -> float | None:
    """Of blocks with intercepts of items: the root of the mean square, each weighing as much as it has items."""
    random = [(len(block.probe), own[block.sloped - 1]) for block, own in zip(blocks, fit.parameters) if block.random]
    items = sum(count for count, _ in random)
    return math.sqrt(sum(count * float(sigma) ** 2 for count, sigma in random) / items) if items else None


def _corrected(made: Sequence[Regression]) -> list[Regression]:
    plain_ps = corrected([each.plain.log_odds.p for each in made])
    ps = corrected([each.with_difficulty.log_odds.p for each in made])
    return [
        replace(each, plain=replace(each.plain, p_bh=first), with_difficulty=replace(each.with_difficulty, p_bh=second))
        for each, first, second in zip(made, plain_ps, ps, strict=True)
    ]


_FEW_MODELS, _FEW_BENCHMARKS = 5, 3
_NAMED = 20
"""Models that a note names."""


def study(
    parted: Sequence[PartedAnswers], *, threshold: float = 0.2, alpha: float = 0.05, notes: Sequence[str] = ()
) -> Reliance:
    """The study of benchmarks parted by their probes (`audit.models.reliance.parts`).

    `threshold` is that of the audit; benchmarks without a shown shortcut have their pairs listed, and are in no test.
    `alpha` is the level at which models are left out of the difficulty of others; `notes` come before the study's own.
    """
    last = last_round(parted, alpha)
    leaky = [pair for pair in last.pairs if pair.record.shortcut]
    return Reliance(
        schema=SCHEMA,
        threshold=threshold,
        alpha=alpha,
        benchmarks=[each.about for each in parted],
        models=last.models,
        left_out=last.left_out,
        families=family_tests(leaky),
        pairs=[pair.record for pair in last.pairs],
        regressions=regressions(parted, last.left_out),
        notes=[*notes, *_notes(parted, leaky, last.left_out, alpha)],
    )


def _notes(
    parted: Sequence[PartedAnswers], leaky: Sequence[EstimatedPair], left_out: Sequence[str], alpha: float
) -> list[str]:
    """What cannot be said of so few, and what the numbers cannot tell."""
    if not parted:
        return ["no benchmark could be assessed: nothing was tested"]
    if not leaky:
        return [NO_VERDICT, f"the audit shows no shortcut ({things(len(parted), 'benchmark')}): nothing was tested"]
    models = len({pair.record.model for pair in leaky})
    benchmarks = len({pair.record.benchmark for pair in leaky})
    notes = [
        NO_VERDICT,
        "raw differences also show that some items are easier for everybody. The difference beyond difficulty, and "
        "agreement in error, compare a model with the others: what all models share counts as difficulty, or as "
        "temptation",
        "the paired t-test of a family is about other benchmarks, of which these are a sample, and takes pairs of one "
        "benchmark for independent, although they share its items and parts. The joint BH p knows what they share, and "
        "is about other items of these very benchmarks: it may find what the t-test does not, and the other way round",
    ]
    if left_out:
        which = "whose corrected p is" if len(left_out) == 1 else "whose corrected p are"
        names = first_of([name or NAMELESS for name in left_out], _NAMED)
        notes.append(
            f"for all other models, difficulty is measured without {names}, {which} at most {kappa(alpha)}; "
            "that does not say why"
        )
    if models < _FEW_MODELS or benchmarks < _FEW_BENCHMARKS:
        notes.append(
            f"{things(models, 'model')} on {things(benchmarks, 'benchmark')} with a shortcut are few: what is not "
            "found may still be there"
        )
    return notes
