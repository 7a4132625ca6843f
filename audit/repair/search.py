"""Which rules, in which order: the cheap ones first, each chosen on the chosen items alone.

Nothing in this module reads the answers of held-out items; rules are applied to them, but what becomes of them decides
nothing here, except that all items count towards the floor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, get_args

import numpy as np

from audit.repair.records import StepKind
from audit.repair.subject import Bools, Look, R, Subject
from generators.errors import Progress

__all__ = ["STEPS", "Choice", "Search", "choose_rules"]

STEPS: tuple[StepKind, ...] = get_args(StepKind)
"""The kinds of steps, in the order in which they are tried."""

_MOST = {"positions": 3, "answers": 1, "cue": 12, "match": 8, "templates": 2, "filter": 10}


@dataclass(frozen=True)
class Choice(Generic[R]):
    """A rule and what it leaves; the first choice has no rule."""

    subject: Subject[R]
    """The items as the rule leaves them: removed ones are still there, but reordered options are reordered."""
    rule: R | None
    kept: Bools
    look: Look
    """At the chosen items that are left."""


@dataclass(frozen=True)
class Search(Generic[R]):
    """The rules that were applied, and how it ended."""

    choices: list[Choice[R]]
    """The state before, then one per rule."""
    floor: R | None
    """The rule that would have gone below the floor; None if none would."""
    satisfied: bool
    """Whether nothing is wrong with the chosen items that are left, as far as they can show."""


def choose_rules(subject: Subject[R], kinds: Sequence[str], keep_at_least: float, progress: Progress) -> Search[R]:
    """Choose and apply rules until no cue is seen among the chosen items, no rule is left, or the floor is reached."""
    kept = np.ones(len(subject.order), dtype=np.bool_)
    progress("choosing rules", 0, 1)
    last = Choice(subject, None, kept, subject.look(kept & subject.chosen))
    choices = [last]
    used = dict.fromkeys(STEPS, 0)

    def may(kind: StepKind) -> bool:
        return kind in kinds and used[kind] < _MOST[kind]

    while True:
        rejected, satisfied = None, True
        for rule in last.subject.candidates(last.kept & subject.chosen, last.look, may):
            satisfied = False
            now, kept = last.subject.applied(rule, last.kept, len(choices))
            used[rule.kind] += 1
            if kept.sum() < keep_at_least * len(kept) or not subject.is_enough(last.kept, kept):
                rejected = rejected or rule
                continue
            if kept.sum() == last.kept.sum() and now is last.subject:
                continue
            progress(f"choosing rules: {len(choices)}", 0, 1)
            last = Choice(now, rule, kept, now.look(kept & subject.chosen))
            choices.append(last)
            break
        else:
            return Search(choices, rejected, satisfied and not last.look.is_suspect(subject.settings))
