"""All scenarios, in the order in which they should run: the most important rates first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatch

from error_rates.scenario import Scenario
from error_rates.scenarios.cues import cues
from error_rates.scenarios.groups import groups
from error_rates.scenarios.nulls import nulls
from error_rates.scenarios.stability import stability
from error_rates.texts import Texts

__all__ = ["catalogue", "chosen"]


def catalogue(texts: Sequence[Texts]) -> list[Scenario]:
    """Every scenario on these texts, those with an aim first."""
    scenarios = [*nulls(texts), *cues(texts), *groups(texts), *stability(texts)]
    return sorted(scenarios, key=lambda scenario: (scenario.repeats == 0, _rank(scenario)))


def _rank(scenario: Scenario) -> int:
    first = ("answers permuted over items", "one answer per template", "same items, other seeds and orders")
    if scenario.family in first or (scenario.family == "cue: one word" and scenario.kappa in (0.1, 0.3)):
        return 0 if scenario.n <= 1000 else 2
    return 1 if scenario.expected.target else 2


def chosen(scenarios: Sequence[Scenario], patterns: Sequence[str] = (), repeats: int | None = None) -> list[Scenario]:
    """The scenarios whose name has a pattern in it (`*` stands for anything), with this many repeats if given.

    Without patterns, those that the run list repeats at least once.
    """
    matching = [
        scenario
        for scenario in scenarios
        if (any(fnmatch(scenario.name, f"*{pattern}*") for pattern in patterns) if patterns else scenario.repeats)
    ]
    return [replace(scenario, repeats=scenario.repeats or 5 if repeats is None else repeats) for scenario in matching]
