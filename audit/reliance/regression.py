"""Mixed-effects logistic regression of right answers on whether the probe is right, with and without item difficulty.

A constant for each model and gold answer, an intercept for each item, and the coefficient of the probe, by maximum
likelihood (`audit.reliance.mixed`): for each family over its benchmarks, for each benchmark over its models, and for
all. Like the raw difference, the plain regression does not know easy items from a shortcut. With difficulty, the
success of other models' families on the item is a covariate; their answers measure difficulty with noise, so this takes
away only part of it, and what is left may still be difficulty (`audit.reliance.difficulty` mends that). Several
families beside each other's success are fitted as blocks that share the coefficient of the probe (a pseudolikelihood,
Besag 1975), since none of their answers may tell the difficulty of the items and be explained by it at once.

p is of Wald's test, one-sided, with the error of groups of items and Student's t. In simulations
(`benchmarks/reliance`) it holds its level. Where items are apart, so do the ratio of likelihoods and the error from the
curvature; in groups of four both find something in 13 of 100 studies without any relation.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from audit.reliance.estimate import difference
from audit.reliance.families import corrected
from audit.reliance.mixed.blocks import Answers, answers_of, beside_others, plain
from audit.reliance.mixed.fit import Fit, fitted
from audit.reliance.mixed.likelihood import Block
from audit.reliance.parts import Parted
from audit.reliance.records import MixedFit, Regression

__all__ = ["regressions"]

_MOST: Final = 200_000
"""Answers that are fitted."""
_FEWEST_GROUPS: Final = 10


class _Part(NamedTuple):
    """The answers to one benchmark, and the number of the first of its groups."""

    answers: Answers
    start: int


def regressions(parted: Sequence[Parted], left_out: Collection[str] = ()) -> list[Regression]:
    """Those of families, if there are several; of benchmarks, if several have a shortcut; and of all answers, last.

    Difficulty is measured without the models `left_out`. p are corrected over families and over benchmarks, of a
    regression with difficulty apart from those without.
    """
    parts, start = [], 0
    for each in parted:
        if each.about.shortcut:
            parts.append(_Part(answers_of(each), start))
            start += int(each.groups.max(initial=-1)) + 1
    if not parts:
        return []
    families = sorted({str(family) for part in parts for family in part.answers.families})
    made: list[Regression] = []
    if len(families) > 1:
        made += _corrected([_regression(parts, [family], left_out, family=family) for family in families])
    if len(parts) > 1:
        names = [part.answers.parted.about.benchmark for part in parts]
        made += _corrected([
            _regression([part], families, left_out, benchmark=name) for name, part in zip(names, parts)
        ])  # fmt: skip
    return [*made, _regression(parts, families, left_out)]


def _regression(
    parts: Sequence[_Part], families: Sequence[str], left_out: Collection[str], *, benchmark: str = "", family: str = ""
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
    import msgspec

    replace = msgspec.structs.replace
    plain_ps = corrected([each.plain.log_odds.p for each in made])
    ps = corrected([each.with_difficulty.log_odds.p for each in made])
    return [
        replace(each, plain=replace(each.plain, p_bh=first), with_difficulty=replace(each.with_difficulty, p_bh=second))
        for each, first, second in zip(made, plain_ps, ps, strict=True)
    ]
