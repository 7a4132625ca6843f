"""The table of subsets: what each measures, which design draws it, and the names of its conditions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from generators.answering.answer_form import NUMBER
from generators.dataset import Contrast, Subset
from generators.stream import Stream
from generators.word_problems.designs import (
    carry,
    consistency,
    counterbalanced,
    nonlinear,
    rate_comparison,
    transfer_comparison,
)
from generators.word_problems.designs.chain import Drawn
from generators.word_problems.wording import Vocabulary

__all__ = ["PLANS", "Plan", "subsets"]

Draw = Callable[[Stream, Stream, int, Vocabulary], Drawn]
_PAIRS = 500
# Solved examples show the steps of the calculation as their reasoning.
_FORM = replace(NUMBER, reasoning=lambda item: "\n".join(item.metadata["steps"]))


class Plan(NamedTuple):
    """How the items of a subset are made."""

    draw: Draw
    """(stream of the pair, stream of the subset, number of the pair, vocabulary) -> the problems."""
    conditions: tuple[str, ...]
    """(easy, hard), or the only condition of single items."""
    subset: Subset


def _pairs(draw: Draw, easy: str, hard: str, text: str, audit_target: str = "") -> Plan:
    subset = Subset(2 * _PAIRS, text, _FORM, contrast=Contrast(easy, (hard,)), audit_target=audit_target)
    return Plan(draw, (easy, hard), subset)


PLANS: dict[str, Plan] = {
    "consistency": _pairs(
        consistency.draw, "consistent", "inconsistent",
        "One comparison among 1-5 steps names the operation to do, or the opposite one: one sentence differs.",
    ),
    "transfer-comparison": _pairs(
        transfer_comparison.draw, "transfer", "comparison",
        "1-5 additions and subtractions as things that change hands, or as people compared: same numbers, same answer.",
    ),
    "carry": _pairs(
        carry.draw, "no-carry", "carry",
        "One comparison with three-digit numbers, in the same words with the same answer: without or with carries.",
    ),
    "rate": _pairs(
        rate_comparison.draw, "rate", "comparison",
        "Multiplying or dividing by a rate, or by a comparison, among 1-5 steps: same numbers, same answer.",
    ),
    "nonlinear": Plan(
        nonlinear.draw, ("nonlinear",),
        Subset(_PAIRS, "Two stories whose results the question adds or subtracts: 3-5 steps.", form=_FORM),
    ),
    "counterbalanced-additive": _pairs(
        counterbalanced.draw_additive, "consistent", "inconsistent",
        "One comparison with more or fewer; the agents of a pair change places, so that no word or number gives the "
        "operation.",
        audit_target="operation",
    ),
    "counterbalanced-multiplicative": _pairs(
        counterbalanced.draw_multiplicative, "consistent", "inconsistent",
        "One comparison with times or part; the agents of a pair change places, so that no word or number gives the "
        "operation.",
        audit_target="operation",
    ),
}  # fmt: skip
"""Subset -> how its items are made, in release order."""


def subsets() -> dict[str, Subset]:
    """Subset -> its description for the rest of hansproof."""
    return {name: plan.subset for name, plan in PLANS.items()}
