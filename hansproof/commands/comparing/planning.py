"""`hansproof compare --plan`: what was supposed, or what a pilot shows, as items and differences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING

from generators.errors import UsageError

if TYPE_CHECKING:
    from audit.paired.planned import Planned
    from audit.paired.planning import Design
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


def planned(supposed: Supposed, opposed: Opposed | None, skip_missing: bool) -> Planned:
    """The plan. Raises UsageError for numbers that cannot be."""
    from audit.notation import things
    from audit.paired.planned import Planned
    from audit.paired.planning import pilot, plan
    from audit.paired.sides import in_common

    _check(supposed, opposed is not None)
    size = missing = 0
    points = [supposed.difference] if supposed.difference is not None else [] if supposed.count else list(_USUAL)
    if opposed is not None:
        common = in_common(opposed.grid, opposed.a, opposed.b, skip_missing=skip_missing)
        size = len(common.items)
        missing = int((common.a.missing | common.b.missing).sum())
        design = pilot(common)
        origin = f"measured on {things(size, 'item')}"
    else:
        design, origin = _design(supposed)
    guess = opposed is None and supposed.discordant is None
    # A pilot has an interval of the share, unless its scores are means of runs, which may differ by any fraction.
    most = design.discordant if supposed.discordant is not None else 1.0 if isnan(design.high) else design.high
    if supposed.difference is None:
        points = [each for each in points if each / 100 <= most]
    elif supposed.difference / 100 > most:
        share = f"{100 * most:.3g} %{'' if opposed is None else ' at most'}"
        raise UsageError(
            f"{supposed.difference:g} points cannot be: so large a difference takes at least as many per cent of items "
            f"that only one side gets right, and there are {share}, {origin}",
            "--difference",
        )
    if not points and supposed.count is None and opposed is None:
        raise UsageError("with so few items that only one side gets right, say which difference: --difference 0.5%")
    counts = [supposed.count] if supposed.count else [size] if size and supposed.difference is None else []
    designs = [_at(supposed, design, each / 100) if guess else design for each in points]
    return Planned(
        needs=tuple(plan(held, difference=each / 100) for held, each in zip(designs, points, strict=True)),
        shows=tuple(plan(design, items=count) for count in counts),
        origin=origin,
        between=None if opposed is None else (opposed.a.title, opposed.b.title),
        items=size,
        missing=missing,
        runs=opposed is not None and max(len(opposed.a.columns), len(opposed.b.columns)) > 1,
    )


def _design(supposed: Supposed) -> tuple[Design, str]:
    from audit.paired.planning import Design, discordance

    size = 1.0 if supposed.group_size is None else supposed.group_size
    icc = supposed.icc or 0.0
    if supposed.discordant is not None:
        return Design(supposed.discordant / 100, nan, nan, size, icc), "as supposed"
    accuracy, correlation = _guessed(supposed)
    share = discordance(accuracy / 100, 0.0, correlation)
    said = f"guessed from an accuracy of {accuracy:g} % and a correlation of {correlation:g} of the two scores"
    if supposed.correlation is None:
        said += ", which asks for the most items: models that are right on the same items need fewer (--correlation)"
    return Design(share, nan, nan, size, icc), said


def _guessed(supposed: Supposed) -> tuple[float, float]:
    """Accuracy in per cent and correlation. Without a pilot nobody knows how alike two models are, so that the cautious
    guess is that they are right on unrelated items: of those that are not negative it asks for the most items."""
    accuracy = 70.0 if supposed.accuracy is None else supposed.accuracy
    return accuracy, 0.0 if supposed.correlation is None else supposed.correlation


def _at(supposed: Supposed, design: Design, difference: float) -> Design:
    """The guessed design at a difference: the two accuracies are half of it above and below."""
    from audit.paired.planning import discordance

    accuracy, correlation = _guessed(supposed)
    return replace(design, discordant=discordance(accuracy / 100, difference, correlation))


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
    if (supposed.group_size is None) != (supposed.icc is None):
        given, lacking = ("--icc", "--group-size") if supposed.group_size is None else ("--group-size", "--icc")
        raise UsageError(
            f"{given} changes nothing without {lacking}: it takes more items where groups of --group-size items have "
            "differences that correlate by --icc (0 not at all, 1 wholly); a pilot measures both"
        )
