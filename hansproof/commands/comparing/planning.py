"""`hansproof compare --plan`: what was supposed, or what a pilot shows, as items and differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, nan, sqrt
from typing import TYPE_CHECKING

from generators.errors import UsageError

if TYPE_CHECKING:
    from audit.paired.planned import Planned
    from audit.paired.planning import Design, Plan
    from hansproof.compared import Opposed

__all__ = ["Supposed", "planned"]

_ROUNDING = 1e-9
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
    if guess and supposed.difference is not None:
        _refuse_impossible(supposed, supposed.difference)
    # A pilot has an interval of the share, unless its scores are means of runs, which may differ by any fraction.
    most = design.discordant if supposed.discordant is not None else 1.0 if isnan(design.high) else design.high
    if supposed.difference is None:
        points = [each for each in points if each / 100 <= most and not (guess and each > _widest(supposed))]
    elif supposed.difference / 100 > most:
        share = f"{100 * most:.3g} %{'' if opposed is None else ' at most'}"
        raise UsageError(
            f"{supposed.difference:g} points cannot be: so large a difference takes at least as many per cent of items "
            f"that only one side gets right, and there are {share}, {origin}",
            "--difference",
        )
    if not points and supposed.count is None and opposed is None:
        widest = _widest(supposed) if guess else 100 * most
        reason = (
            f"at an accuracy of {_guessed(supposed)[0]:g} %" if guess else "with so few items right with only one side"
        )
        raise UsageError(f"{reason}, say which difference: --difference {min(0.5, widest / 2):.2g}%")
    counts = [supposed.count] if supposed.count else [size] if size and supposed.difference is None else []
    designs = [_at(supposed, design, each / 100) if guess else design for each in points]
    shows = tuple(_shown(supposed, design, count) if guess else plan(design, items=count) for count in counts)
    if opposed is None and not guess:
        _refuse_more(supposed, shows)
    return Planned(
        needs=tuple(plan(held, difference=each / 100) for held, each in zip(designs, points, strict=True)),
        shows=shows,
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
    how = "guessed" if supposed.accuracy is None else "reckoned"
    said = f"{how} from an accuracy of {accuracy:g} % and a correlation of {correlation:g} of the two scores"
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


def _widest(supposed: Supposed) -> float:
    """The largest difference in points of two accuracies whose mean is the supposed one."""
    accuracy, _ = _guessed(supposed)
    return 2 * min(accuracy, 100 - accuracy)


def _refuse_impossible(supposed: Supposed, points: float) -> None:
    """Raise UsageError for a difference, and a correlation, that two sides of that accuracy cannot have."""
    accuracy, correlation = _guessed(supposed)
    if points > _widest(supposed):
        raise UsageError(
            f"{points:g} points cannot be at a mean accuracy of {accuracy:g} %: at most {_widest(supposed):g}, with "
            f"one side at {'100' if accuracy >= 50 else '0'} %",
            "--difference",
        )
    p, q = (accuracy + points / 2) / 100, (accuracy - points / 2) / 100
    most = min(p + q, 2 - p - q)
    spread = 2 * sqrt(p * (1 - p) * q * (1 - q))
    apart = p * (1 - q) + q * (1 - p)
    if apart - correlation * spread > most + _ROUNDING:
        least = (apart - most) / spread
        raise UsageError(
            f"{correlation:g} cannot be at accuracies of {100 * p:.3g} and {100 * q:.3g} %: at least {least:.2f} can",
            "--correlation",
        )


def _shown(supposed: Supposed, design: Design, items: int) -> Plan:
    """What `items` show where the share is guessed: at the very difference that they show, as --difference has it."""
    from scipy import optimize

    from audit.paired.planning import found_with, plan

    widest = _widest(supposed) / 100

    def lacking(difference: float) -> float:
        shown = found_with(items, _at(supposed, design, difference))
        return (1.0 if isnan(shown) else shown) - difference

    if lacking(widest) > 0:
        accuracy, _ = _guessed(supposed)
        raise UsageError(
            f"{items:,} show no difference that can be: at a mean accuracy of {accuracy:g} % it is at most "
            f"{_widest(supposed):g} points, and takes more items",
            "--count",
        )
    reached = float(optimize.brentq(lacking, 0.0, widest))
    _refuse_impossible(supposed, 100 * reached)
    return plan(_at(supposed, design, reached), items=items)


def _refuse_more(supposed: Supposed, shows: Sequence[Plan]) -> None:
    """Raise UsageError where so few items show only differences that take more discordant items than are supposed."""
    for row in shows:
        if row.difference > row.design.discordant + _ROUNDING:
            raise UsageError(
                f"{row.items:,} show no difference that can be: with {supposed.discordant:g} % of items right with "
                f"only one side it is at most {supposed.discordant:g} points, and takes more items",
                "--count",
            )


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
        "accuracy": (0.0, 100 - 1e-9, "above 0 and below 100 per cent"),
        "correlation": (-1.0, 1.0, "above -1 and up to 1"),
        "group_size": (0.9999, 1e6, "from 1 to 1,000,000"),
        "icc": (-1e-9, 1.0, "from 0 to 1"),
    }
    for name, (low, high, words) in bounds.items():
        value = vars(supposed)[name]
        if value is not None and (isnan(value) or not low < value <= high):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"must be {words}, not {value:,.12g}", option)
    if (supposed.group_size is None) != (supposed.icc is None):
        given, lacking = ("--icc", "--group-size") if supposed.group_size is None else ("--group-size", "--icc")
        raise UsageError(
            f"{given} changes nothing without {lacking}: it takes more items where groups of --group-size items have "
            "differences that correlate by --icc (0 not at all, 1 wholly); a pilot measures both"
        )
