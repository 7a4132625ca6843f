"""Which rules, in which order: the cheap ones first, each chosen on the chosen items alone.

Nothing in this module reads the answers of held-out items; rules are applied to them, but what becomes of them decides
nothing here, except that all items count towards the floor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from audit.repair.cues import strongest_cue
from audit.repair.look import Look, look
from audit.repair.pool import Bools, Pool
from audit.repair.records import StepKind
from audit.repair.rules import BalanceAnswers, BalanceCue, BalanceTemplates, Filter, Match, Rule, ThinTemplates
from audit.verdict.judgement import GROUPED_SHARE
from generators.progress import Progress

__all__ = ["STEPS", "Choice", "Search", "choose_rules"]

STEPS: tuple[StepKind, ...] = get_args(StepKind)
"""The kinds of steps, in the order in which they are tried."""

_MOST = {"answers": 1, "cue": 12, "match": 8, "templates": 2, "filter": 10}
_EAGER = 4.0
"""The chosen items are fewer than all, and a weak cue is harder to see in them: alpha is so many times as large."""


@dataclass(frozen=True)
class Choice:
    """A rule and what it leaves; the first choice has no rule."""

    rule: Rule | None
    kept: Bools
    look: Look
    """At the chosen items that are left."""


@dataclass(frozen=True)
class Search:
    """The rules that were applied, and how it ended."""

    choices: list[Choice]
    """The state before, then one per rule."""
    floor: Rule | None
    """The rule that would have gone below the floor; None if none would."""
    satisfied: bool
    """Whether nothing is wrong with the chosen items that are left, as far as they can show."""


def choose_rules(pool: Pool, kinds: Sequence[str], keep_at_least: float, progress: Progress) -> Search:
    """Choose and apply rules until no cue is seen among the chosen items, no rule is left, or the floor is reached."""
    kept = np.ones(len(pool.y), dtype=np.bool_)
    progress("choosing rules", 0, 1)
    choices = [Choice(None, kept, look(pool, kept & pool.chosen))]
    used = dict.fromkeys(STEPS, 0)
    while True:
        rejected, satisfied = None, True
        for rule in _candidates(pool, choices[-1], kinds, used):
            satisfied = False
            now = rule.kept(pool, choices[-1].kept, len(choices))
            used[rule.kind] += 1
            if now.sum() < keep_at_least * len(pool.y) or not _is_enough(pool, choices[-1].kept, now):
                rejected = rejected or rule
                continue
            if now.sum() == choices[-1].kept.sum():
                continue
            progress(f"choosing rules: {len(choices)}", 0, 1)
            choices.append(Choice(rule, now, look(pool, now & pool.chosen)))
            break
        else:
            return Search(choices, rejected, satisfied)


def _is_enough(pool: Pool, before: Bools, now: Bools) -> bool:
    """Whether each part still has enough groups to be cross-fitted, and every answer that it had often enough."""
    fewest = pool.settings.folds
    for part in (pool.chosen, ~pool.chosen):
        had = np.bincount(pool.y[before & part], minlength=len(pool.labels))
        has = np.bincount(pool.y[now & part], minlength=len(pool.labels))
        if (has[had >= fewest] < fewest).any() or len(np.unique(pool.groups[now & part])) < fewest:
            return False
    return True


def _candidates(pool: Pool, last: Choice, kinds: Sequence[str], used: dict[StepKind, int]) -> Iterator[Rule]:
    """The rules worth trying now, the cheapest first; none if nothing is wrong with the chosen items."""
    rows = last.kept & pool.chosen

    def open_(kind: StepKind) -> bool:
        return kind in kinds and used[kind] < _MOST[kind]

    alpha = min(_EAGER * pool.settings.alpha, 0.5)
    if last.look.p < alpha:
        cue = strongest_cue(pool, rows) if open_("cue") else None
        if cue is not None and cue.p < pool.settings.alpha:
            yield BalanceCue(cue, pool.table.ngram_text(cue.level, cue.column))
        guilty = [v for v in last.look.vectors if v.significant(alpha)]
        guilty.sort(key=lambda vector: -(vector.matched or 0.0))
        if open_("match"):
            yield Match(guilty[0].vector)
        if open_("filter"):
            yield Filter(guilty[0].vector)
        return
    share = pool.shares(rows)
    common = max(int((share >= 0.01).sum()), 2)
    if open_("answers") and (share.max() - 1 / common) / (1 - 1 / common) >= pool.settings.threshold:
        yield BalanceAnswers()
        return
    size = np.bincount(pool.groups[rows])
    if open_("templates") and size[size > 1].sum() >= GROUPED_SHARE * rows.sum() and _is_template_bound(pool, rows):
        rules: list[Rule] = [BalanceTemplates(), ThinTemplates()]
        yield from sorted(rules, key=lambda rule: -int(rule.kept(pool, rows, 0).sum()))


def _is_template_bound(pool: Pool, rows: Bools) -> bool:
    """Whether random folds see what grouped folds do not."""
    loose = look(pool, rows, "random")
    return loose.p < pool.settings.alpha and (loose.strongest.matched or 0.0) >= pool.settings.threshold
