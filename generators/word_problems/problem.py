"""Word problems after Opedal et al. (2024): subset, seed and index in, Item out.

A design draws a pair of problems as logical forms; a wording puts them into words; their mental model solves them.
Casting, design, numbers and wording each have a separate stream. `metadata` carries the forms and the steps.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from generators.dataset import Draft
from generators.stream import Stream
from generators.word_problems.designs.chain import KEYWORDS
from generators.word_problems.expressions import OPERATIONS, steps
from generators.word_problems.forms import notation
from generators.word_problems.model import model
from generators.word_problems.subsets import PLANS
from generators.word_problems.wording import Wording, wording

__all__ = ["NAME", "VERSION", "make", "pair"]

NAME = "word-problems"
VERSION = "1.0.0"


def make(stream: Stream, subset: str, index: int, language: str = "en") -> Draft:
    """Item `index` of a subset, from the stream of the dataset. In paired subsets the easy items have even indices."""
    number, member = divmod(index, len(PLANS[subset].conditions))
    return _kept(stream, subset, number, language)[member]


@lru_cache(maxsize=8)
def _kept(stream: Stream, subset: str, number: int, language: str) -> tuple[Draft, ...]:
    """The pair, kept because its second item is usually made right after its first."""
    return pair(stream, subset, number, wording(language), language)


@lru_cache(maxsize=64)
def _root(stream: Stream, subset: str) -> Stream:
    return stream.child(subset)


def pair(stream: Stream, subset: str, number: int, words: Wording, language: str) -> tuple[Draft, ...]:
    """The items of pair `number`, or the single item, worded by `words`; `language` goes into `metadata`."""
    plan, root = PLANS[subset], _root(stream, subset)
    conditions = plan.conditions
    own = root.child(number)
    drawn = plan.draw(own, root, number, words.vocabulary)
    surfaces = words.surfaces(own.child("wording"), drawn.problems)
    group = f"{subset}-{number:06d}"
    lines: list[str] = []
    answer = ""
    items = []
    for member, problem in enumerate(drawn.problems):
        if not lines or not drawn.same_steps:
            solved = steps(model(problem))
            lines, answer = [str(step) for step in solved], str(solved[-1].result)
        templates, pronouns = surfaces[member]
        metadata: dict[str, Any] = {
            "language": language,
            "forms": [notation(form) for form in problem.forms],
            "question": notation(problem.question),
            "steps": lines.copy(),
            "n_steps": len(lines),
            "operation": OPERATIONS[drawn.operations[member]],
            "keyword": KEYWORDS[drawn.relations[member]],
            "templates": list(templates),
            "pronouns": list(pronouns),
        }
        if drawn.carries:
            metadata["carries"] = drawn.carries[member]
        prompt = " ".join(words.sentences(problem, surfaces[member]))
        items.append(Draft(prompt, None, answer, group, conditions[member], metadata))
    return tuple(items)
