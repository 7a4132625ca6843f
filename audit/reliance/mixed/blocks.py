"""Answers of one benchmark as blocks of a mixed model, with the difficulty of the items where others can tell it.

Difficulty is the share of the other models that are right, as a logit, on which easiness adds up as ability does
(Rasch 1960), and which is not squeezed where nearly all are right or wrong. It comes from models of other families
alone, so that it is the same for all answers of a block to an item. From all models but the one that answers, it would
say who is right: of the answers to an item, the wrong ones have one more right answer beside them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.reliance.mixed.likelihood import Block
from audit.reliance.parts import Parted

__all__ = ["Answers", "answers_of", "beside_others", "plain"]

Floats = NDArray[np.float64]

_CELLS: Final = 100
"""Constants up to which each model has one for each gold answer; with more, models and gold answers add up."""
_SHARED: Final = 0.9
"""Of the items that a family answered, what another model must have answered to tell their difficulty."""
_REPEATED: Final = 10
"""Items with two answers or more, below which nothing tells the spread of their intercepts."""


class Answers(NamedTuple):
    """What M models answered to the N items of a benchmark: the means over their styles and runs."""

    parted: Parted
    right: Floats
    """(N, M): NaN where there is no answer."""
    models: NDArray[np.str_]
    """(M,)"""
    families: NDArray[np.str_]
    """(M,)"""


def answers_of(parted: Parted) -> Answers:
    """Styles and runs of a model are one answer: they are no more independent than the answers of a copy."""
    models = list(dict.fromkeys(series.model for series in parted.series))
    columns, families = [], []
    for model in models:
        own = [place for place, series in enumerate(parted.series) if series.model == model]
        known = ~np.isnan(parted.right[:, own])
        total = np.where(known, parted.right[:, own], 0.0).sum(axis=1)
        count = known.sum(axis=1)
        columns.append(np.where(count > 0, total / np.maximum(count, 1), np.nan))
        families.append(parted.series[own[0]].family or model)
    return Answers(parted, np.stack(columns, axis=1), np.array(models), np.array(families))


def plain(answers: Answers, family: str | None = None, start: int = 0) -> list[Block]:
    """One block, of all models or those of a family, without the difficulty of the items; none without answers.

    `start` is the number of the first group, so that those of several benchmarks have different ones.
    """
    of = np.ones(len(answers.models), dtype=np.bool_) if family is None else answers.families == family
    return _block(answers, of, np.arange(len(answers.right)), None, start)


def beside_others(answers: Answers, family: str, left_out: Collection[str], start: int = 0) -> list[Block]:
    """The block of a family, with the difficulty that models of other families tell, but for those `left_out`.

    In a benchmark with a single family each model is a block, beside the others. None where nobody can tell.
    """
    mine = np.asarray(answers.families == family)
    blocks = []
    for of in [mine] if (~mine).any() else list(np.eye(len(mine), dtype=np.bool_)):
        answered = ~np.isnan(answers.right[:, of]).all(axis=1)
        if not answered.any():
            continue
        known = ~np.isnan(answers.right)
        others = ~of & ~np.isin(answers.models, list(left_out)) & (known[answered].mean(axis=0) >= _SHARED)
        rows = np.flatnonzero(answered & known[:, others].all(axis=1))
        if not others.any() or not len(rows):
            continue
        count = int(others.sum())
        share = (answers.right[np.ix_(rows, others)].sum(axis=1) + 0.5) / (count + 1)
        told = np.log(share / (1 - share))
        blocks += _block(answers, of, rows, told - told.mean(), start)
    return blocks


def _block(
    answers: Answers, of: NDArray[np.bool_], rows: NDArray[np.int64], difficulty: Floats | None, start: int
) -> list[Block]:
    """Models that are always right, or always wrong, with a gold answer say nothing there and are left out."""
    right = answers.right[np.ix_(rows, of)]
    stratum = np.unique(answers.parted.gold[rows], return_inverse=True)[1]
    strata = int(stratum.max(initial=-1)) + 1
    every, hits = np.zeros((strata, right.shape[1])), np.zeros((strata, right.shape[1]))
    np.add.at(every, stratum, ~np.isnan(right))
    np.add.at(hits, stratum, np.nan_to_num(right))
    varies = (hits > 1e-9) & (hits < every - 1e-9)
    if varies.sum() > _CELLS:
        models = np.asarray((hits.sum(axis=0) > 1e-9) & (hits.sum(axis=0) < every.sum(axis=0) - 1e-9))
        golds = np.asarray((hits.sum(axis=1) > 1e-9) & (hits.sum(axis=1) < every.sum(axis=1) - 1e-9))
        varies = (every > 0) & models & golds[:, None]
        constants = _added(varies)
    else:
        constants = np.zeros((*varies.shape, int(varies.sum())))
        constants[(*np.nonzero(varies), np.arange(int(varies.sum())))] = 1.0
    known = (~np.isnan(right) & varies[stratum]).astype(np.float64)
    kept = known.any(axis=1)
    if not kept.any():
        return []
    known = known[kept]
    return [
        Block(
            np.where(known > 0, right[kept], 0.0),
            known,
            answers.parted.probe_right[rows][kept],
            None if difficulty is None else difficulty[kept],
            stratum[kept],
            constants,
            answers.parted.groups[rows][kept] + start,
            random=bool((known.sum(axis=1) > 1).sum() >= _REPEATED),
        )
    ]


def _added(varies: NDArray[np.bool_]) -> Floats:
    """(S, J, C): a constant for each model, and one for each gold answer but the first."""
    golds, models = varies.shape
    constants = np.zeros((golds, models, models + golds - 1))
    constants[:, np.arange(models), np.arange(models)] = 1.0
    constants[np.arange(1, golds), :, models + np.arange(golds - 1)] = 1.0
    constants *= varies[:, :, None]
    return constants[:, :, constants.any(axis=(0, 1))]
