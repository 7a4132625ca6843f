"""A plan and what it rests on, in words: the same on the screen, in a table and on its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import isclose, isinf, isnan, nan
from typing import Any, Final, Literal

from hansproof.audit.models.difference import FEW, FEWEST_GROUPS
from hansproof.audit.models.planning import Design, Plan
from hansproof.audit.notation import points, rounded, things
from hansproof.audit.report.score_rows import cells_at, paths
from hansproof.audit.report.terms import correlation

__all__ = ["TITLE", "Planned", "used"]

_Kind = Literal["items", "difference"]

_SHARE: Final = "only one right in %"
"""The heading of the share that each row was reckoned with; of means of runs it is their mean squared difference."""
_SQUARES: Final = "mean square in %"

TITLE: Final = "Found with about 80 % power, two-sided at 5 %"
"""What every row of a plan says."""


@dataclass(frozen=True)
class Planned:
    """The rows of a plan, and where they come from."""

    needs: tuple[Plan, ...]
    """How many items a difference needs."""
    shows: tuple[Plan, ...]
    """What difference so many items show."""
    origin: str
    """Where the share of items comes from that only one side gets right, as a clause."""
    between: tuple[str, str] | None = None
    """What the two sides of the pilot are called; None without one."""
    items: int = 0
    """Of the pilot."""
    missing: int = 0
    """Items among them without a reply of both; the two seldom differ there, so that they ask for too few."""
    runs: bool = False
    """Whether the scores of the pilot are means of several runs."""

    @property
    def design(self) -> Design:
        """What is known, or supposed, of the two models and of the items."""
        return (*self.needs, *self.shows)[0].design

    @property
    def title(self) -> str:
        """Of the table."""
        return TITLE + (f": {self.between[0]} and {self.between[1]}" if self.between else "")

    @property
    def warning(self) -> str:
        """That a pilot is small, or lacks replies; empty otherwise, and without one."""
        return "; ".join(filter(None, (self._small(), self._lacking()))) if self.between else ""

    def _lacking(self) -> str:
        if not self.missing:
            return ""
        return (
            f"{self.missing:,} of {things(self.items, 'item')} of the pilot lack a reply and count as wrong, so it "
            "asks for too few: --skip-missing leaves them out"
        )

    def _small(self) -> str:
        groups = self.items / self.design.group_size  # Kish's number
        if self.items >= FEW and groups >= FEWEST_GROUPS:
            return ""
        held = things(self.items, "item") + (f" in {_size(groups)} independent groups" if groups < self.items else "")
        interval = "" if isnan(self.design.low) else ": `between` says how far off it may be"
        return (
            f"this pilot says little{interval}. It has {held}, and not the {FEW} items in {FEWEST_GROUPS} independent "
            "groups that a test takes"
        )

    def rows(self) -> list[dict[str, str]]:
        """Heading -> text, of each row: groups and ranges only where there are any, the share of items where rows
        differ in it."""
        design, share = self.design, _SQUARES if self.runs else _SHARE
        shown = {"groups": design.group_size > 1, share: self._varied(), "between": not isnan(design.low)}
        return [
            {heading: text for heading, text in _texts(row, kind, share).items() if shown.get(heading, True)}
            for kind, row in self._rows()
        ]

    def notes(self) -> list[str]:
        """What the rows rest on."""
        design = self.design
        ranged = not isnan(design.low)
        ends = f" [{points(design.low)}, {points(design.high)}]" if ranged else ""
        share = f"{_share(design.discordant)}{ends}, {self.origin}"
        if self._varied():
            larger = "; each row has the share that it was reckoned with, as the share grows with the difference"
            share = f"{share}{larger}" if self.between else f"{self.origin}{larger}"
        elif not self.between and self._used():
            share = f"{self._used()[0]}, {self.origin}"
        said = [
            f"mean squared difference of the two scores, which are means of runs: {share}; of single runs it would be "
            "the items right with only one of the two"
            if self.runs
            else f"items right with only one of the two: {share}"
        ]
        if design.group_size > 1:
            said.append(
                f"groups of {_sizes(design)}, intraclass correlation {correlation(design.icc)}: "
                f"{design.effect:.2f} times the variance of as many items without groups (design effect)"
            )
        if ranged:
            said.append("between: at the ends of the 95 % interval of that share")
        elif self.between:
            said.append(f"no interval of that share: it is of {'means of runs' if self.runs else 'too few groups'}")
        return said

    def record(self) -> dict[str, Any]:
        """As a JSON object in which undefined numbers are still NaN; numbers are those of `table`, without noise."""
        return {
            "plans": [_quiet(asdict(row) | {"discordant_used": used(row)}) for row in (*self.needs, *self.shows)],
            "from": self.origin,
            "discordant_is": "mean squared difference of means of runs" if self.runs else "share of items",
            "pilot": self.items or None,
            "warning": self.warning or None,
            "power": 0.8,
            "alpha": 0.05,
        }

    def table(self) -> list[list[str | float | None]]:
        """As rows of a table, headings first; shares from 0 to 1, blank where undefined or without end.

        `low` and `high` are items where `asked` is `items`, and differences where it is `difference`.
        """
        rows = [cells_at({"asked": kind, "row": row, "used": used(row)}, _TABLE) for kind, row in self._rows()]
        return [
            [*_TABLE],
            *([rounded(each) if isinstance(each, float) else each for each in row.values()] for row in rows),
        ]

    def _used(self) -> list[str]:
        """The shares that rows were reckoned with, in words, each once."""
        shares = [used(row) for row in (*self.needs, *self.shows)]
        return list(dict.fromkeys(_share(share) for share in shares if not isnan(share)))

    def _varied(self) -> bool:
        """Whether the share that rows were reckoned with has to stand in each: it is not the one that is known."""
        return len(self._used()) > 1 or (
            bool(self.between) and self._used() not in ([], [_share(self.design.discordant)])
        )

    def _rows(self) -> list[tuple[_Kind, Plan]]:
        """Each row, the smaller end of its range first, and what it asks for."""
        asked: list[tuple[_Kind, Plan]] = [("items", row) for row in self.needs]
        asked += [("difference", row) for row in self.shows]
        ends = [sorted((row.low, row.high)) for _, row in asked]
        return [(kind, replace(row, low=low, high=high)) for (kind, row), (low, high) in zip(asked, ends, strict=True)]


_TABLE: Final = paths("""
    asked difference=row.difference items=row.items groups=row.groups low=row.low high=row.high
    discordant=row.design.discordant discordant_low=row.design.low discordant_high=row.design.high discordant_used=used
    group_size=row.design.group_size icc=row.design.icc mean_group_size=row.design.per_group
""")


def used(row: Plan) -> float:
    """The share of items right with only one side (of means of runs, their mean squared difference) that a row was
    reckoned with: a difference takes at least as many. In a pilot's plan more items differ than did there at a larger
    difference than that of the pilot, and fewer at a smaller one.

    NaN where no difference is found.
    """
    shift = row.difference
    return nan if isnan(shift) else row.design.at(shift).variance + shift**2


def _quiet(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record without the noise in the last digits of its numbers, in records within it, too."""
    quiet: dict[str, Any] = {}
    for key, value in record.items():
        quiet[key] = _quiet(value) if isinstance(value, Mapping) else rounded(value) if value is not None else None
    return quiet


def _share(share: float) -> str:
    return f"{points(share)} %"


def _size(items: float) -> str:
    """`2`, `7.33`, `1,200`: the size of groups, and how many there are."""
    return f"{items:,.0f}" if items >= 100 else f"{items:.3g}"


def _sizes(design: Design) -> str:
    """`2 items`, or `3.32 items on average, a random item in one of 5.23`."""
    if isclose(design.per_group, design.group_size):
        return f"{_size(design.group_size)} items"
    return f"{_size(design.per_group)} items on average, a random item in one of {_size(design.group_size)}"


def _texts(row: Plan, kind: _Kind, share: str) -> dict[str, str]:
    of_items = kind == "items"
    ends = [_count(end) if of_items else points(end) or "none" for end in (row.low, row.high)]
    return {
        "difference in points": "none" if isnan(row.difference) else f"{100 * row.difference:.3g}",
        "items": _count(row.items),
        "groups": _count(row.groups),
        share: points(used(row)),
        "between": f"{ends[0]} and {ends[1]} {'items' if of_items else 'points'}",
    }


def _count(number: float) -> str:
    return "" if isnan(number) else "no number" if isinf(number) else f"{number:,.0f}"
