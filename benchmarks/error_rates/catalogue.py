"""All scenarios, in the order in which they should run: the most important rates first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatch

from error_rates.scenario import Scenario
from error_rates.scenarios.cues import cues
from error_rates.scenarios.groups import groups
from error_rates.scenarios.nulls import nulls
from error_rates.scenarios.open_ended import open_ended
from error_rates.scenarios.options import options
from error_rates.scenarios.stability import stability
from error_rates.texts import Texts

__all__ = ["catalogue", "chosen", "rank"]


def catalogue(texts: Sequence[Texts]) -> list[Scenario]:
    """Every scenario on these texts, those with an aim first."""
    scenarios = [*nulls(texts), *cues(texts), *groups(texts), *stability(texts), *open_ended(texts), *options(texts)]
    return sorted(scenarios, key=lambda scenario: (scenario.repeats == 0, rank(scenario)))


def rank(scenario: Scenario) -> int:
    """0 for the rates that the README promises first, 2 for those that complete the table."""
    first = ("answers permuted over items", "one answer per template", "same items, other seeds and orders")
    if scenario.family in first or (scenario.family == "cue: one word" and scenario.kappa in (0.1, 0.3)):
        return 0 if scenario.n <= 1000 else 2
    return 1 if scenario.expected.target else 2


def chosen(
    scenarios: Sequence[Scenario], patterns: Sequence[str] = (), repeats: int | None = None, share: float = 1.0
) -> list[Scenario]:
    """The scenarios whose name has a pattern in it (`*` stands for anything), with this many repeats if given.

    Without patterns, those that the run list repeats at least once. `share` of the list's repeats are kept, at least
    one; scenarios that the list leaves out get five.
    """
    matching = [
        scenario
        for scenario in scenarios
        if (any(fnmatch(scenario.name, f"*{pattern}*") for pattern in patterns) if patterns else scenario.repeats)
    ]
    return [
        replace(scenario, repeats=max(1, round(share * (scenario.repeats or 5))) if repeats is None else repeats)
        for scenario in matching
    ]
