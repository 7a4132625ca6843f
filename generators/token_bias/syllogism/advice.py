"""What a prompt style may add to a syllogism: hints, worked reasoning, and an example with a wrong answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from generators.answering.answer_form import OPTION
from generators.dataset import Draft
from generators.item import Item
from generators.token_bias.syllogism.figures import Figure
from generators.token_bias.syllogism.topics import Triple
from generators.token_bias.syllogism.wording import ANSWERS, reasoning

__all__ = ["EXAMPLES", "FORM", "HINTS"]

HINTS: Mapping[str, str] = {
    "weak": "Watch out for the fallacy of the undistributed middle.",
    "strong": "Watch out for the fallacy of the undistributed middle: two groups each overlap with a third, and people "
    "take it for granted that they overlap with each other. But what is true of some members of a group need not be "
    "true of those that belong to a smaller group within it. So leave aside whether the statements sound true, and "
    "look for a situation in which both premises are true and the conclusion is false. If there can be one, the "
    "conclusion does not follow; if there can be none, it does.",
}
"""The weak hint names the fallacy; the strong one also explains it and says how to avoid it. Neither says how often
conclusions follow."""


def _steps(item: Item) -> str:
    about = item.metadata
    triple = Triple(about["kind"], about["other"], about["property"], shared=False)
    return reasoning(triple, Figure.of(about["kind_first"], about["valid"]))


FORM = replace(OPTION, reasoning=_steps)
"""Yes or no, with worked reasoning."""

_ROSES = (
    "Does the conclusion follow logically from the premises?\n\n"
    "All roses are flowers. Some flowers fade quickly. Therefore, some roses fade quickly.\n\nAnswer yes or no."
)


def _roses(subset: str) -> Draft:
    return Draft(_ROSES, ANSWERS, "yes", "example", "example", {"kind": "roses", "category": "flowers"})


EXAMPLES: Mapping[str, Callable[[str], Draft]] = {"wrong": _roses}
"""By the name that styles give it: the best-known syllogism of its kind, which is no item; its answer is wrong on
purpose."""
