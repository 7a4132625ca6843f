"""One choice per item from several rules or views: in each fold, the one that training preferred.

The best of eight kappas is too large by what the choice gains. So a rung is the whole procedure, choice included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.options.choosing import chosen
from audit.options.crossfit import ViewScores
from audit.options.items.pool import Pool
from audit.options.rules import Rule
from audit.options.shortcuts.rungs import LABELS
from audit.options.views import View
from audit.texts.vectors import Vector

__all__ = ["of_rules", "of_views", "scores_of", "views_of"]

Ints = NDArray[np.int64]


def scores_of(name: str, shares: NDArray[np.float32], picked: Sequence[str]) -> ViewScores:
    """The choices (S, R) of a rung as those of a view, so that they are measured like one."""
    view = View(name, LABELS[name], "option", Vector(name, LABELS[name], "dense", "", 0, ""), False)
    return ViewScores(view, shares, np.zeros(shares.shape[1]), float("nan"), list(picked), 1)


def of_rules(
    name: str, pool: Pool, rules: Sequence[Sequence[Rule]], folds: Sequence[Ints]
) -> tuple[ViewScores, str] | None:
    """The choices of the best rule of each training set, and the rule chosen most often; None without any rule.

    `rules` are those of each of the splits `folds`, in one order: a rule that is learnt differs from split to split.
    Ties go to the first rule.
    """
    if not rules[0]:
        return None
    out, picked = np.zeros((len(folds), len(pool.texts)), dtype=np.float32), []
    for split, (known, fold) in enumerate(zip(rules, folds, strict=True)):
        shares = np.stack([chosen(rule.scores, pool.start) for rule in known])
        hits = shares[:, pool.gold] - 1 / pool.size
        for number in np.unique(fold):
            best = int(np.argmax(np.round(hits[:, fold != number].mean(axis=1), 12)))
            rows = pool.rows_of(np.flatnonzero(fold == number))
            out[split, rows] = shares[best, rows]
            picked.append(known[best].name)
    return scores_of(name, out, picked), _most_often(picked, [rule.name for rule in rules[0]])


def views_of(kind: str, scores: Sequence[ViewScores]) -> list[ViewScores]:
    """The cross-fitted views that a rung draws on; `kind` as in `rungs.VIEWS`."""
    return [entry for entry in scores if _is(kind, entry.view)]


def _is(kind: str, view: View) -> bool:
    if kind in ("format", "readability"):
        return view.table == "option" and view.vector.name == kind
    if kind in ("1-grams", "2-grams"):
        return view.table == "option" and view.vector.kind == "ngram" and view.vector.n == int(kind[0])
    if kind == "others":
        return view.table in ("others", "whole") or view.name == "option-cues"
    return view.with_question


def of_views(
    name: str, pool: Pool, scores: Sequence[ViewScores], folds: Sequence[Ints]
) -> tuple[ViewScores, str] | None:
    """The choices of the view with the best kappa in validation, fold by fold, and the view chosen most often.

    `scores` were cross-fitted on the splits `folds` and perhaps on more. Ties, and validations that are undefined, go
    to the first view. None without any view.
    """
    if not scores:
        return None
    out, picked, at = np.zeros((len(folds), len(pool.texts)), dtype=np.float32), [], 0
    for split, fold in enumerate(folds):
        for number in np.unique(fold):
            known = [_validation(entry, at) for entry in scores]
            best = int(np.argmax(np.round(known, 12)))
            rows = pool.rows_of(np.flatnonzero(fold == number))
            out[split, rows] = scores[best].shares[split, rows]
            picked.append(scores[best].view.label)
            at += 1
    return scores_of(name, out, picked), _most_often(picked, [entry.view.label for entry in scores])


def _validation(scores: ViewScores, at: int) -> float:
    value = scores.validations[at] if at < len(scores.validations) else float("nan")
    return -1.0 if np.isnan(value) else value


def _most_often(picked: Sequence[str], order: Sequence[str]) -> str:
    often = Counter(picked)
    return max(order, key=lambda name: (often[name], -order.index(name)))
