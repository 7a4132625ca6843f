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
    distractor,
    nonlinear,
    rate,
    surface_forms,
    transfer_comparison,
)
from generators.word_problems.designs.chain import Drawn
from generators.word_problems.wording import Vocabulary

__all__ = ["PLANS", "Plan", "subsets"]

Draw = Callable[[Stream, Stream, int, Vocabulary], Drawn]
_PAIRS = 500
_PROBLEMS = 100
# Solved examples show the steps of the calculation as their reasoning.
_FORM = replace(NUMBER, reasoning=lambda item: "\n".join(item.metadata["steps"]))


class Plan(NamedTuple):
    """How the items of a subset are made."""

    draw: Draw
    """(stream of the group, stream of the subset, number of the group, vocabulary) -> the problems."""
    conditions: tuple[str, ...]
    """Of the problems of a group, the original first; of single problems, one after the other."""
    subset: Subset
    size: int
    """Problems in a group."""


def _pairs(draw: Draw, easy: str, hard: str, text: str, target: str = "", balanced: bool = False) -> Plan:
    contrast = Contrast(easy, (hard,))
    subset = Subset(2 * _PAIRS, text, _FORM, contrast=contrast, audit_target=target, balanced=balanced)
    return Plan(draw, (easy, hard), subset, 2)


def _single(draw: Draw, conditions: tuple[str, ...], text: str) -> Plan:
    return Plan(draw, conditions, Subset(_PAIRS, text, _FORM), 1)


PLANS: dict[str, Plan] = {
    "counterbalanced-additive": _pairs(
        counterbalanced.draw_additive, "consistent", "inconsistent",
        "One comparison with more or fewer among 1-12 steps; the people whom it compares change places, so that no "
        "word or number gives the operation.",
        "operation", balanced=True,
    ),
    "counterbalanced-multiplicative": _pairs(
        counterbalanced.draw_multiplicative, "consistent", "inconsistent",
        "The same with a comparison with times or part.",
        "operation", balanced=True,
    ),
    "counterbalanced-transfer": _pairs(
        transfer_comparison.draw_counterbalanced, "transfer", "comparison",
        "1-5 additions and subtractions as things that change hands, or as people compared: same numbers, same answer, "
        "about the same person.",
        balanced=True,
    ),
    "counterbalanced-carry": _pairs(
        carry.draw_counterbalanced, "no-carry", "carry",
        "One comparison of three-digit numbers without or with carries: the same digits in another order; keyword and "
        "operation are crossed.",
        balanced=True,
    ),
    "consistency": _pairs(
        consistency.draw, "consistent", "inconsistent",
        "One comparison among 1-5 steps names the operation to do, or the opposite one, which works out, too: one "
        "sentence differs.",
    ),
    "transfer-comparison": _pairs(
        transfer_comparison.draw, "transfer", "comparison",
        "1-5 additions and subtractions as things that change hands, or as people compared: same numbers, same answer, "
        "same first sentence.",
    ),
    "carry": _pairs(
        carry.draw, "no-carry", "carry",
        "One comparison of three-digit numbers, in the same words with the same answer: without or with carries.",
    ),
    "distractor": _pairs(
        distractor.draw, "plain", "distractor",
        "1-12 steps without and with a sentence whose number matters to nobody.",
    ),
    "surface-forms": Plan(
        surface_forms.draw, surface_forms.FORMS,
        Subset(
            len(surface_forms.FORMS) * _PROBLEMS,
            "2-6 steps; ten forms of one problem: the original, and names, numbers or sentences varied one at a time.",
            _FORM,
            contrast=Contrast(surface_forms.FORMS[0], surface_forms.FORMS[1:], forms=True),
        ),
        len(surface_forms.FORMS),
    ),
    "nonlinear": _single(
        nonlinear.draw, ("total", "difference"),
        "Two stories whose results the question adds or subtracts: 3-12 steps.",
    ),
    "rate": _single(
        rate.draw, ("multiply", "divide"),
        "Multiplying or dividing by a rate among 1-12 steps: so many in each box. Not pairs.",
    ),
}  # fmt: skip
"""Subset -> how its items are made, in release order."""


def subsets() -> dict[str, Subset]:
    """Subset -> its description for the rest of hansproof."""
    return {name: plan.subset for name, plan in PLANS.items()}
