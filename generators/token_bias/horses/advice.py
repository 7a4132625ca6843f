"""What a prompt style may add to a question about races: hints, worked reasoning, an example with a wrong answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from generators.answering.answer_form import NUMBER
from generators.dataset import Draft
from generators.item import Item
from generators.token_bias.horses.wording import ORIGINAL, Race, reasoning

__all__ = ["EXAMPLES", "FORM", "HINTS"]

HINTS: Mapping[str, str] = {
    "weak": "Watch out for the pull of a well-known puzzle.",
    "strong": "Watch out for the pull of a well-known puzzle: a question that looks familiar brings an answer to mind "
    "that may belong to other animals, other numbers or other rules. So work this one out from what it says. Ask what "
    "a race can show, which animals can still be among the fastest after each race, and how few further races settle "
    "what is still open. Then make sure that no smaller number of races would do.",
}
"""The weak hint names the trap; the strong one also explains it and says how to avoid it."""


def _steps(item: Item) -> str:
    about = item.metadata
    return reasoning(Race(about["animals"], about["lanes"], about["top"], about["timed"] == "yes"))


FORM = replace(NUMBER, reasoning=_steps)
"""A number, with worked reasoning."""

_NINE = (
    "Somebody has 9 horses and would like to know which two are the fastest. At most 3 horses can race at a time. Each "
    "horse always runs at the same speed, and no two are equally fast. A race shows only the order of finish. What is "
    "the smallest number of races that is sure to be enough? Answer with a number."
)


def _nine(subset: str) -> Draft:
    about = {"animals": ORIGINAL, "lanes": 3, "top": 2, "timed": "no"}
    return Draft(_NINE, None, "4", "example", "example", about)


EXAMPLES: Mapping[str, Callable[[str], Draft]] = {"wrong": _nine}
"""By the name that styles give it: a puzzle with fewer lanes than any item. Its answer is wrong on purpose: it stops
after the race of the winners."""
