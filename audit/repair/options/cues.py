"""The cheapest ways to choose an option without the question that are right too often: simple rules, and one n-gram."""

from __future__ import annotations

import msgspec
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from audit.ladder.ngram import FEWEST_ITEMS, LEVELS
from audit.notation import drawn
from audit.options.choosing import chosen, kappa
from audit.options.crossfit import Bed, ViewScores
from audit.options.numbers.scheme import measure
from audit.options.rules import COMMON_POSITION, rules_of, rules_on
from audit.options.shortcuts.ngram import within_items
from audit.options.views import CUES, View
from audit.probes.kappas import RefitWidening
from audit.repair.options.rules import BalanceChoice
from audit.result.audit_result import Settings
from audit.result.tasks import OptionRule as RuleReading

__all__ = ["position_reading", "strongest_choices"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_PERMUTATIONS = 199


def position_reading(bed: Bed, groups: Ints, fold: Ints) -> RuleReading | None:
    """How far the most common position goes among some items, learnt outside the `fold` (n,) of each."""
    rules = rules_of(bed.pool, _values(bed), groups, fold, ordered=True)
    return next((rule for rule in rules if rule.rule.startswith(COMMON_POSITION)), None)


def strongest_choices(bed: Bed, items: Ints, groups: Ints, settings: Settings) -> list[BalanceChoice]:
    """What chooses the right option among `items` significantly more often than chance, with the largest kappa first.

    `groups` (n,) are those of all items. Rules that are learnt, and positions, are not among them; p is corrected for
    all rules (max-T), and that of an n-gram for all n-grams (Bonferroni). Chosen on `items`, each holds for all items.
    """
    own = bed.of(items)
    part = np.asarray(np.unique(groups[items], return_inverse=True)[1], dtype=np.int64)
    known = rules_on(bed.pool, _values(bed), np.zeros(bed.pool.n, dtype=np.int64), ordered=False)
    choices = [BalanceChoice(rule.name, rule.scores) for rule in known if not rule.learnt]
    rows = bed.pool.rows_of(items)
    scores = [_as_view(choice, chosen(choice.scores[rows], own.pool.start)) for choice in choices]
    judged = measure(
        "grouped", own.pool, part, scores, msgspec.structs.replace(settings, permutations=_PERMUTATIONS), None,
        lambda strongest, null_sd: RefitWidening(),
    )  # fmt: skip
    guilty = [
        choice for choice, of in zip(choices, judged.result.vectors, strict=True) if of.significant(settings.alpha)
    ]
    ngram = _strongest_ngram(bed, items, part, settings.alpha)
    guilty += [ngram] if ngram is not None else []

    def reach(choice: BalanceChoice) -> float:
        return kappa(chosen(choice.scores[rows], own.pool.start)[own.pool.gold], own.pool.size)

    return sorted((choice for choice in guilty if reach(choice) > 0), key=lambda choice: -reach(choice))


def _values(bed: Bed) -> Floats:
    return bed.tables["question"].numbers["question-cues"]


def _as_view(choice: BalanceChoice, shares: Floats) -> ViewScores:
    view = View(choice.name, choice.name, "option", CUES, False)
    return ViewScores(view, shares[None].astype(np.float32), np.zeros(len(shares)), float("nan"), [], 1)


def _strongest_ngram(bed: Bed, items: Ints, groups: Ints, alpha: float) -> BalanceChoice | None:
    """To look for the n-gram with the largest |z| within items, or to avoid it; None unless it is significant.

    Items count by the inverse of the size of their group, so that a template of a hundred items is one observation.
    `groups` (m,) are those of the m `items`.
    """
    pool = bed.pool.taken(items)
    rows, table = bed.pool.rows_of(items), bed.tables["option"]
    weight = sp.csr_matrix(1.0 / np.bincount(groups)[groups])
    best: tuple[float, str, int] | None = None
    tests = 0
    for level in LEVELS:
        presence = table.presence(level)
        off, variance = within_items(presence[rows].astype(np.float64), pool)
        telling = np.flatnonzero(
            np.bincount(variance.indices[variance.data > 1e-12], minlength=presence.shape[1]) >= FEWEST_ITEMS
        )
        if not len(telling):
            continue
        tests += len(telling)
        moved = (weight @ off[:, telling]).toarray()[0]
        spread = (weight.multiply(weight) @ variance[:, telling]).toarray()[0]
        z = np.round(moved / np.sqrt(spread), 8)
        at = int(np.abs(z).argmax())
        if best is None or abs(z[at]) > abs(best[0]):
            best = float(z[at]), level, int(telling[at])
    if best is None:
        return None
    from scipy.stats import norm

    z_best, level, column = best
    if 2 * float(norm.sf(abs(z_best))) * tests >= alpha:
        return None
    having = table.presence(level)[:, [column]].toarray().ravel() > 0
    name = f"an option {'with' if z_best > 0 else 'without'} “{drawn(table.ngram_text(level, column))}”"
    return BalanceChoice(name, np.where(having, np.sign(z_best), 0.0))
