"""`hansproof compare --plan`: what was supposed, or what a pilot shows, as a table of items and differences."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING

from generators.errors import UsageError

if TYPE_CHECKING:
    from audit.paired.planning import Design
    from audit.report.terminal.ink import Ink
    from hansproof.compared import Opposed

__all__ = ["Supposed", "planned"]

_USUAL = (1.0, 2.0, 3.0, 5.0, 10.0)
"""Differences in points, where none is asked for."""


@dataclass(frozen=True)
class Supposed:
    """The options of --plan; None for those that were not given."""

    difference: float | None
    count: int | None
    discordant: float | None
    accuracy: float | None
    correlation: float | None
    group_size: float | None
    icc: float | None

    def named(self) -> str:
        """The first option that was given."""
        field = next(name for name, value in vars(self).items() if value is not None)
        return f"--{field.replace('_', '-')}"


def planned(
    supposed: Supposed, opposed: Opposed | None, skip_missing: bool, json_: str | None, force: bool, ink: Ink
) -> None:
    """Print the plan, and write it as JSON where that is asked for. Raises UsageError for numbers that cannot be."""
    from audit.documents.strict_json import json_bytes
    from audit.paired.planning import pilot, plan
    from audit.paired.sides import in_common
    from hansproof.terminal.comparisons import show_plan
    from hansproof.terminal.outputs import write_outputs

    _check(supposed, opposed is not None)
    size = 0
    if opposed is not None:
        common = in_common(opposed.grid, opposed.a, opposed.b, skip_missing=skip_missing)
        size = len(common.items)
        design = pilot(common)
        origin = f"measured on {size:,} items"
    else:
        design, origin = _design(supposed)
    points = [supposed.difference] if supposed.difference is not None else [] if supposed.count else list(_USUAL)
    counts = [supposed.count] if supposed.count else [size] if size and supposed.difference is None else []
    rows = [plan(design, difference=each / 100) for each in points] + [plan(design, items=count) for count in counts]
    show_plan(rows, None if opposed is None else (opposed.a, opposed.b), origin, ink)
    record = {"plans": [asdict(row) for row in rows], "from": origin, "power": 0.8, "alpha": 0.05}
    write_outputs([(json_, lambda: json_bytes(record))], force=force)


def _design(supposed: Supposed) -> tuple[Design, str]:
    from audit.paired.planning import Design, discordance

    size = 1.0 if supposed.group_size is None else supposed.group_size
    icc = supposed.icc or 0.0
    if supposed.discordant is not None:
        return Design(supposed.discordant / 100, nan, nan, size, icc), "as supposed"
    accuracy = 70.0 if supposed.accuracy is None else supposed.accuracy
    correlation = 0.5 if supposed.correlation is None else supposed.correlation
    share = discordance(accuracy / 100, 0.0, correlation)
    said = f"guessed from an accuracy of {accuracy:g} % and a correlation of {correlation:g} of the two scores"
    return Design(share, nan, nan, size, icc), said


def _check(supposed: Supposed, piloted: bool) -> None:
    guesses = (supposed.discordant, supposed.accuracy, supposed.correlation, supposed.group_size, supposed.icc)
    if piloted and any(value is not None for value in guesses):
        name = replace(supposed, difference=None, count=None).named()
        raise UsageError(f"{name} is measured on the answers of a pilot; leave it out, or the answers")
    if supposed.discordant is not None and (supposed.accuracy is not None or supposed.correlation is not None):
        raise UsageError("--discordant says what --accuracy and --correlation guess; leave them out")
    bounds = {
        "difference": (0.0, 100.0, "above 0 and up to 100 points"),
        "discordant": (0.0, 100.0, "above 0 and up to 100 per cent"),
        "accuracy": (0.0, 100.0, "above 0 and up to 100 per cent"),
        "correlation": (-1.0, 1.0, "above -1 and up to 1"),
        "group_size": (0.9999, 1e6, "1 or more"),
        "icc": (-1e-9, 1.0, "from 0 to 1"),
    }
    for name, (low, high, words) in bounds.items():
        value = vars(supposed)[name]
        if value is not None and (isnan(value) or not low < value <= high):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"must be {words}, not {value:g}", option)
