"""Which rules, in which order: the cheap ones first, until nothing is seen, no rule is left or the floor is met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import get_args

import numpy as np

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.repair.items import Items, Look, Rule
from hansproof.audit.repair.records import Removal, RepairStep, StepKind
from hansproof.audit.repair.removal import Bools
from hansproof.generators.errors import Progress

__all__ = ["STEPS", "choose_rules", "removals", "steps_of"]

# The search never reads the answers of held-out items; rules are applied to them, but what becomes of them
# decides nothing here, except that all items count towards the floor.

STEPS: tuple[StepKind, ...] = get_args(StepKind)
"""The kinds of steps, in the order in which they are tried."""

_MOST = {"positions": 3, "answers": 1, "cue": 12, "match": 8, "templates": 2}


@dataclass(frozen=True)
class Choice:
    """A rule and what it leaves; the first choice has no rule."""

    items: Items
    """As the rule leaves them: removed ones are still there, but reordered options are reordered."""
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


def choose_rules(items: Items, kinds: Sequence[str], keep_at_least: float, progress: Progress) -> Search:
    """Choose and apply rules until no cue is seen among the chosen items, no rule is left, or the floor is reached."""
    kept = np.ones(len(items.order), dtype=np.bool_)
    progress("choosing rules", 0, 1)
    last = Choice(items, None, kept, items.look(kept & items.chosen))
    choices = [last]
    used = dict.fromkeys(STEPS, 0)

    def may(kind: StepKind) -> bool:
        return kind in kinds and used[kind] < _MOST[kind]

    while True:
        rejected, satisfied = None, True
        for rule in last.items.candidates(last.kept & items.chosen, last.look, may):
            satisfied = False
            kept = rule.kept(last.kept, len(choices))
            used[rule.kind] += 1
            if kept.sum() < keep_at_least * len(kept) or not items.is_enough(last.kept, kept):
                rejected = rejected or rule
                continue
            if kept.sum() == last.kept.sum() and rule.reordered is None:
                continue
            progress(f"choosing rules: {len(choices)}", 0, 1)
            now = rule.reordered or last.items
            last = Choice(now, rule, kept, now.look(kept & items.chosen))
            choices.append(last)
            break
        else:
            return Search(choices, rejected, satisfied and last.look.suspect(items.settings) is None)


def steps_of(choices: Sequence[Choice]) -> list[RepairStep]:
    """One record per rule. The held-out items are looked at only now that nothing is chosen any more."""
    steps = []
    for old, new in pairwise(choices):
        assert new.rule is not None
        gone = old.kept & ~new.kept
        strongest, chosen = new.look.strongest, new.items.chosen
        steps.append(
            RepairStep(
                kind=new.rule.kind,
                rule=new.rule.words,
                removed_chosen=int((gone & chosen).sum()),
                removed_held_out=int((gone & ~chosen).sum()),
                kept=int(new.kept.sum()),
                vector=strongest.vector,
                label=strongest.label,
                kappa_chosen=strongest.matched,
                kappa_held_out=new.items.kappa_of(new.kept & ~chosen, strongest.vector),
            )
        )
    return steps


def removals(benchmark: Benchmark, choices: Sequence[Choice]) -> list[Removal]:
    """One record per item that a rule removed, or left with another order of options, in the order of the source; then
    one per row that could not be read.
    """
    rows: dict[int, Removal] = {}
    for number, (old, new) in enumerate(pairwise(choices), 1):
        assert new.rule is not None
        items, turned = new.items, new.kept & choices[-1].kept & (new.items is not old.items)
        for row in np.flatnonzero(old.kept & (~new.kept | turned)).tolist():
            order = items.moved(row) if turned[row] else None
            if turned[row] and order is None:
                continue
            place = items.order[row]
            rows[place] = Removal(
                id=benchmark.ids[place],
                place=None if benchmark.places is None else benchmark.places[place],
                part="chosen" if items.chosen[row] else "held out",
                step=number,
                why=new.rule.words,
                order=order,
            )
    unusable = [
        Removal(id=row.place, place=row.place, part="unusable", step=None, why=row.full_reason)
        for row in benchmark.left_out
    ]
    return [*(rows[place] for place in sorted(rows)), *unusable]
