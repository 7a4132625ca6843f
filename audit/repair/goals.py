"""What counts as repaired, and what to say of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from audit.notation import kappa
from audit.options.rules import COMMON_POSITION
from audit.repair.records import Goal, KappaReading, Reading
from audit.result.audit_result import SchemeResult, VectorResult, Verdict
from audit.result.tasks import OptionRule
from audit.verdict.rule import Judgement

__all__ = ["FAULTS", "About", "about_of", "goal_of", "reading"]

FAULTS: Final[tuple[Verdict, ...]] = ("LEAKS", "TEMPLATE-BOUND", "IMBALANCED", "TRACES")
"""Verdicts that show something to repair."""


class About(NamedTuple):
    """What a verdict is about."""

    scheme: str
    vector: str


class _Judged(Protocol):
    """What has a verdict."""

    @property
    def verdict(self) -> Verdict: ...

    @property
    def reason(self) -> str: ...


def reading(
    judged: _Judged,
    schemes: Sequence[SchemeResult],
    items: int,
    groups: int,
    about: About,
    alpha: float,
    rules: Sequence[OptionRule] = (),
) -> Reading:
    """What an audit of so many `items` says, read under the folds and for the vector that the first one was `about`.

    A verdict on the positions of options is about one of the `rules`.
    """
    by_name = {scheme.scheme: scheme for scheme in schemes}
    used = by_name.get("random" if about.scheme == "random" else "grouped") or schemes[0]
    known = [entry for entry in used.counted if entry.matched is not None]
    return Reading(
        items=items,
        groups=groups,
        verdict=judged.verdict,
        reason=judged.reason,
        significant=any(entry.significant(alpha) for entry in used.counted),
        scheme=used.scheme,
        splits=used.splits,
        first=_of_rule(rules, about.vector) or _of(used.find(about.vector)),
        strongest=_of(max(known, key=lambda entry: entry.matched or 0.0, default=None)),
    )


def _of(vector: VectorResult | None) -> KappaReading | None:
    if vector is None:
        return None
    return KappaReading(
        vector=vector.vector,
        label=vector.label,
        kappa=vector.matched,
        low=vector.matched_low,
        high=vector.matched_high,
        p_corrected=vector.p_corrected,
    )


def _of_rule(rules: Sequence[OptionRule], name: str) -> KappaReading | None:
    rule = next((rule for rule in rules if rule.rule == name), None)
    if rule is None:
        return None
    return KappaReading(vector=name, label=name, kappa=rule.kappa, low=rule.low, high=rule.high, p_corrected=None)


def about_of(judged: Judgement, rules: Sequence[OptionRule]) -> About:
    """What a verdict is about: a vector, or the positions of options if these are not balanced."""
    positions = [rule.rule for rule in rules if rule.rule.startswith(COMMON_POSITION)]
    return About(judged.scheme, positions[0] if judged.verdict == "IMBALANCED" and positions else judged.vector)


def goal_of(
    before: Reading,
    after: tuple[Reading | None, Reading | None] | None,
    floor: str = "",
    *,
    satisfied: bool = False,
    few: str = "",
) -> tuple[Goal, str]:
    """The goal that was reached, and why. `after` are the audits of all items that are left and of the held-out ones.

    `floor` is the step that would have left too few items, if there was one; `satisfied` says that the choosing items
    that are left showed nothing any more; `few` says how many items are too few to audit, where that is known.
    """
    if after is None:
        return (
            "nothing to repair",
            f"The verdict is {before.verdict}, and no feature vector is significant: every item is kept.",
        )
    whole, held_out = after
    way = (
        " The choosing items do not show it by themselves; pass a smaller --held-out, so that more items have a say."
        if satisfied
        else f" The next step, “{floor}”, would leave fewer items than allowed; lower --keep-at-least or add items."
        if floor
        else " No step is left that could help; write new items, or rewrite those that --removed does not list."
    )
    if whole is None or held_out is None:
        few = few or "Too few items are left, here or among the held-out ones, to audit them: at least 30 are needed."
        return "not reached", few if satisfied else few + way
    for name, left in (("items", whole), ("held-out items", held_out)):
        if left.verdict in FAULTS or left.significant:
            return "not reached", f"The {name} that are left are {left.verdict}: {left.reason}{way}"
    now = held_out.first.kappa if held_out.first is not None else None
    where = f"On groups that had no say in the choice, the kappa of the first cue is now {kappa(now)}."
    if before.verdict == "IMBALANCED":
        where = "The held-out items are no longer imbalanced either."
    if whole.verdict == "CLEAN":
        return "clean", f"The items that are left are CLEAN. {where}"
    return "no fault shown", f"No fault is shown any more, but too few items are left for CLEAN. {where}"
