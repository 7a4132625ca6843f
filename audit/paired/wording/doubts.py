"""What cannot be relied on, or looks odd, in a difference as it is printed: one rule for the screen and every page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan
from typing import Final, Protocol

from audit.notation import points
from audit.paired.clear import Clear
from audit.paired.difference import UNSEEN, Difference
from audit.paired.models import ModelDifference
from audit.statistics.power import ALPHA

__all__ = ["difference_doubts", "doubts", "ends", "first_names", "strained", "touching", "where_said"]

_USUAL: Final = (1.5, 2.7)
"""Standard errors that an interval usually has to each side."""
_TOUCHES: Final = 1e-6
"""An end as near to 0 is there because the exact test leaves 0 out."""
_NAMED: Final = 3
"""Differences that a note names."""


class _Interval(Protocol):
    """A difference or an effect with its interval and its exact p."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def p(self) -> float: ...


def strained(measured: Difference | ModelDifference) -> str:
    """Why the interval is not the usual two standard errors wide to each side, where it is far from that; else empty.

    A normal interval has 1.96 of them, and one with Student's quantile for six groups 2.57.
    """
    half = (measured.high - measured.low) / 2
    if isnan(half) or isnan(measured.se) or _USUAL[0] * measured.se <= half <= _USUAL[1] * measured.se:
        return ""
    return (
        "se and interval differ from the usual: the two differ in few items or groups, so the interval follows the "
        "score test and the exact p; go by the interval"
    )


def touching(measured: _Interval) -> str:
    """Why an interval with an end that is printed as 0.0 leaves 0 out; empty for others.

    An interval leaves 0 out exactly where p is at most .05 (`interval`), and then lies on one side of it.
    """
    near = min(abs(measured.low), abs(measured.high))
    if not measured.p <= ALPHA or points(near) != "0.0":
        return ""
    if near > _TOUCHES:
        return "the interval leaves 0 out: its end at 0.0 is rounded"
    return (
        "the interval ends at 0.0 and leaves 0 out: the exact p is surer of 0 than the interval, which allows for one "
        "group more that moves. The end stands where p leaves it: how small the difference may be is not known better"
    )


def ends(measured: _Interval, clear: Clear | None) -> list[str]:
    """What is said of ends at 0.0: of the interval, and of that on the items with `clear` replies, if it is printed."""
    said = touching(measured)
    there = touching(clear) if clear is not None else ""
    return [*filter(None, [said]), *([f"where both replies are clear, {there}"] if there else [])]


def doubts(measured: Difference | ModelDifference, clear: Clear | None = None) -> list[str]:
    """All that is said of a difference whose standard error is printed beside its interval, in this order."""
    return [*filter(None, (measured.note, strained(measured))), *ends(measured, clear)]


def where_said(named: Iterable[tuple[str, Iterable[str]]]) -> dict[str, list[str]]:
    """Doubt -> the names of all of which it is said, both in the order in which they come.

    What a sample may miss is said once, with the numbers of each behind its name.
    """
    said: dict[str, list[str]] = {}
    for name, reasons in named:
        for reason in reasons:
            before, unseen, after = reason.partition(UNSEEN)
            if before:
                said.setdefault(before.removesuffix("; "), []).append(name)
            if unseen:
                what, _, numbers = after.partition(" (")
                said.setdefault(unseen + what, []).append(f"{name} ({numbers}")
    return said


def difference_doubts(shown: Sequence[ModelDifference], minus: str = "-") -> list[str]:
    """A line for each doubt about the differences of a table, with the first of those that it is about."""
    said = where_said((f"{each.first} {minus} {each.second}", doubts(each, each.clear)) for each in shown)
    return [f"{doubt}: {first_names(names)}" for doubt, names in said.items()]


def first_names(names: Sequence[str]) -> str:
    """`a - b; a - c; b - c; and 3 more`. A name may hold commas."""
    return "; ".join(names[:_NAMED]) + (f"; and {len(names) - _NAMED:,} more" if len(names) > _NAMED else "")
