"""Tests of hypotheses in words, and as paired bars in an SVG file."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Final

from hansproof.audit import notation
from hansproof.audit.models.hypotheses import HypothesisReport, Tested
from hansproof.audit.notation import first_of, gathered, listed, one_line, series_title
from hansproof.audit.report.drawing import framed, style, text
from hansproof.audit.statistics.power import ALPHA
from hansproof.generators.dataset import Expectation

__all__ = ["EXPECTED", "doubt_notes", "method_notes", "paired_bars", "untested_notes"]

EXPECTED: Final[dict[Expectation, str]] = {
    "better": "more are right after the change (n12 < n21)",
    "worse": "fewer are right after the change (n12 > n21)",
    "either": "a shift either way (two-sided)",
}
"""What a hypothesis expects of the table of right and wrong pairs."""


def method_notes(report: HypothesisReport) -> list[str]:
    """How the numbers were made, and how many tests hold if pairs with something in common count as one."""
    notes = []
    if report.tests:
        notes.append(
            "p: exact where n12 + n21 <= 10, else normal; BH: corrected over all tests of a hypothesis (models, "
            "changes, styles); *: BH p at most .05, also by clusters; detectable: the smallest shift found about 80 % "
            f"of the time; needs: pairs for {100 * report.shift:g} points to be found as often, both before the "
            "correction"
        )
    shared = {hypothesis.name: " or ".join(hypothesis.shared) or "group" for hypothesis in report.hypotheses}
    for name, tests in groupby(report.tests, key=lambda tested: tested.hypothesis):
        small = [tested for tested in tests if tested.p_bh_all <= ALPHA]
        if small and any(tested.clusters < tested.pairs for tested in small):
            left = sum(tested.supported for tested in small)
            notes.append(
                f"{name}: {left} of {len(small)} tests with a BH p of at most .05 keep their star where pairs with the "
                f"same {shared[name]} count as one"
            )
    return notes


def untested_notes(report: HypothesisReport, name: str) -> list[str]:
    """What of a hypothesis was not tested, and why: a line for each reason."""
    reasons = gathered(
        (
            idle.reason,
            listed(
                f"{idle.before} -> {idle.after}" if idle.before else "",
                series_title(idle.model or "", idle.style or ""),
            ),
        )
        for idle in report.untested
        if idle.hypothesis == name
    )
    return [
        f"{name} is not tested{' on ' if any(where) else ''}{first_of(where)}: {reason}"
        for reason, where in reasons.items()
    ]


def doubt_notes(report: HypothesisReport) -> list[str]:
    """What is not in the tables or counts as wrong, one line a kind: how many, in which tests."""
    tests = report.tests
    halves = [tested for tested in tests if tested.left_out]
    doubts = []
    kinds: tuple[tuple[str, Callable[[Tested], int]], ...] = (
        ("pairs left out, with a reply to one of the two only", lambda tested: tested.left_out),
        ("pairs left out, without any reply", lambda tested: tested.unanswered),
        ("unclear replies, counted as wrong", lambda tested: tested.unclear_before + tested.unclear_after),
    )
    for what, number in kinds:
        if where := [f"{number(tested):,} ({_place(tested)})" for tested in tests if number(tested)]:
            doubts.append(f"{what}: {first_of(where)}")
    if halves:
        doubts[0] += f"; the first is {halves[0].left_out_first[0]}, --json has more"
    if report.unused:
        about = "belong to items that no hypothesis tested here is about"
        doubts.append(f"{report.unused:,} of {report.lines:,} replies {about}")
    without = gathered((tested.note, _place(tested)) for tested in tests if tested.note)
    return [f"p undefined, {reason}: {first_of(places)}" for reason, places in without.items()] + doubts


def _place(tested: Tested) -> str:
    after = "" if tested.hypothesis.endswith(tested.after) else tested.after  # of items that no family declares
    return listed(tested.hypothesis, after, series_title(tested.model, tested.style))


# A file of its own for papers and slides, so it has its own title and legend.

_LETTER: Final = 6.8
"""A generous width of a letter: no font is measured."""
_LINE: Final = 18
_ROW: Final = 34
_BAR: Final = 11
_WIDE: Final = 300
"""Pixels of 100 %."""
_MODEL: Final = 60
_LEGEND: Final = (
    "n12: right only before; n21: right only after; BH p: corrected over all tests of a hypothesis; *: at most .05"
)
_EXPECTED: Final = {"better": "n12 < n21", "worse": "n12 > n21", "either": "a shift either way"}


def paired_bars(report: HypothesisReport) -> str:
    """SVG with a part for each hypothesis that was tested; a sentence where none was."""
    labels = [_label(tested) for tested in report.tests]
    left = 20 + _LETTER * max(map(len, labels), default=10)
    title = f"{f'{report.dataset} {report.version}'.strip()}: right answers before and after a change"
    body: list[str] = [text(12, 26, title, css="title")]
    y = 26
    if report.tests:
        y += _LINE + 4
        for x, css in ((12, "before"), (100, "after")):
            body.append(f'<rect x="{x}" y="{y - 10}" width="{_BAR}" height="{_BAR}" class="{css}-key"/>')
            body.append(text(x + _BAR + 6, y, css))
        body.append(text(180, y, _LEGEND))
    y += 2 * _LINE
    for name, tests in groupby(report.tests, key=lambda tested: tested.hypothesis):
        hypothesis = next(known for known in report.hypotheses if known.name == name)
        body.append(text(12, y, f"{name}: {hypothesis.statement}", css="head"))
        for change, same in groupby(tests, key=lambda tested: (tested.before, tested.after)):
            y += _LINE
            body.append(text(12, y, f"{change[0]} → {change[1]}, expected: {_EXPECTED[hypothesis.expects]}"))
            y += 8
            top = y
            for tested in same:
                body += _row(tested, left, y)
                y += _ROW
            body.append(f'<path d="M{left:g} {top}V{y}H{left + _WIDE:g}" fill="none" class="axis"/>')
            y += 14
            body += [text(left + _WIDE * share / 100, y, f"{share} %", "middle") for share in (0, 50, 100)]
        y += 2 * _LINE
    if not report.tests:
        body.append(text(12, y, "No hypothesis could be tested on these replies."))
        y += _LINE
    headings = [title, *(f"{hypothesis.name}: {hypothesis.statement}" for hypothesis in report.hypotheses)]
    longest = max(24 + _LETTER * max(map(len, headings)), 204 + _LETTER * len(_LEGEND) if report.tests else 0)
    return framed(title, max(left + _WIDE + 400, longest), y, body, style=style())


def _row(tested: Tested, left: float, y: int) -> list[str]:
    p = notation.p_is(tested.p_bh_all)
    star = " *" if tested.supported else ""
    said = f"{tested.pairs:,} pairs, n12 = {tested.before_only:,}, n21 = {tested.after_only:,}, BH {p}{star}"
    bars = []
    for place, (css, share) in enumerate((("before", tested.before_right), ("after", tested.after_right))):
        top = y + 4 + place * (_BAR + 1)
        bars.append(f'<rect x="{left:g}" y="{top}" width="{_WIDE * share:.2f}" height="{_BAR}" class="{css}"/>')
        bars.append(text(left + _WIDE * share + 5, top + _BAR - 1, f"{100 * share:.1f}"))
    return [text(left - 8, y + 20, _label(tested), "end"), *bars, text(left + _WIDE + 50, y + 20, said)]


def _label(tested: Tested) -> str:
    return notation.series_title(one_line(tested.model, _MODEL), one_line(tested.style, _MODEL)) or notation.NAMELESS
