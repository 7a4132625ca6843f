"""What is said of tests of hypotheses, on the screen and on the page: what was expected, and what to know."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from audit.notation import listed, series_title
from audit.responses.hypotheses.tested import HypothesisReport, Tested
from audit.statistics.power import ALPHA
from generators.dataset import Expectation

__all__ = ["EXPECTED", "doubt_notes", "hypothesis_notes", "method_notes", "untested_notes"]

EXPECTED: Final[dict[Expectation, str]] = {
    "better": "more are right after the change (n12 < n21)",
    "worse": "fewer are right after the change (n12 > n21)",
    "either": "a shift either way (two-sided)",
}
"""What a hypothesis expects of the table of right and wrong pairs."""

_SHOWN: Final = 3


def hypothesis_notes(report: HypothesisReport) -> list[str]:
    """Lines below the tables: how the numbers were made, what was not tested, what cannot be relied on."""
    return [*method_notes(report), *untested_notes(report), *doubt_notes(report)]


def method_notes(report: HypothesisReport) -> list[str]:
    """How the numbers were made, and how many tests hold if pairs with something in common count as one."""
    notes = []
    if report.tests:
        notes.append(
            "p: exact where n12 + n21 <= 10, else normal; BH: corrected over all tests of a hypothesis (models, "
            "changes, styles); *: BH p at most .05; detectable: the smallest shift found about 80 % of the "
            f"time; needs: pairs for {100 * report.shift:g} points to be found as often, both before the correction"
        )
    shared = {hypothesis.name: " or ".join(hypothesis.shared) for hypothesis in report.hypotheses}
    for name, tests in groupby(report.tests, key=lambda tested: tested.hypothesis):
        starred = [tested for tested in tests if tested.supported]
        if starred and any(tested.clusters < tested.pairs for tested in starred):
            left = sum(tested.p_clusters_bh_all <= ALPHA for tested in starred)
            notes.append(
                f"{name}: {left} of {len(starred)} stars stay if pairs with the same {shared[name]} count as one"
            )
    return notes


def untested_notes(report: HypothesisReport, only: str = "") -> list[str]:
    """What was not tested, and why: a line for each reason; of one hypothesis only, where it is named."""
    notes = []
    reasons: dict[tuple[str, str], list[str]] = {}
    for idle in report.untested:
        if only and idle.hypothesis != only:
            continue
        change = f"{idle.before} -> {idle.after}" if idle.before else ""
        named = listed(change, series_title(idle.model or "", idle.style or ""))
        reasons.setdefault((idle.hypothesis, idle.reason), []).append(named)
    for (name, reason), where in reasons.items():
        notes.append(f"{name} is not tested{' on ' if any(where) else ''}{_some(where)}: {reason}")
    return notes


def doubt_notes(report: HypothesisReport) -> list[str]:
    """What is not in the tables or counts as wrong."""
    return _doubts(report.tests)


def _doubts(tests: Sequence[Tested]) -> list[str]:
    """What is not in the tables or counts as wrong, one line a kind: how many, in which tests."""
    halves = [(tested.left_out, tested) for tested in tests if tested.left_out]
    silent = [(tested.unanswered, tested) for tested in tests if tested.unanswered]
    unclear = [(number, tested) for tested in tests if (number := tested.unclear_before + tested.unclear_after)]
    doubts = []
    for what, where in (
        ("pairs left out, with a reply to one of the two only", halves),
        ("pairs left out, without any reply", silent),
        ("unclear replies, counted as wrong", unclear),
    ):
        if where:
            named = [f"{number:,} ({_named(tested)})" for number, tested in where]
            doubts.append(f"{what}: {_some(named)}")
    if halves:
        doubts[0] += f"; the first is {halves[0][1].left_out_first[0]}, --json has more"
    return doubts


def _named(tested: Tested) -> str:
    return listed(tested.hypothesis, tested.after, series_title(tested.model, tested.style))


def _some(names: list[str]) -> str:
    return "; ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
