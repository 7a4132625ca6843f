"""Word problems after Opedal et al. (2024): subset, seed and index in, Item out.

A design draws a group of problems as logical forms; a wording puts them into words; their mental model solves them.
Casting, design, numbers and wording each have a separate stream. `metadata` carries the forms and the steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from generators.dataset import Draft
from generators.stream import Stream
from generators.word_problems.designs.chain import KEYWORDS, Drawn
from generators.word_problems.expressions import OPERATIONS, steps
from generators.word_problems.forms import Comparison, Container, Problem, notation
from generators.word_problems.languages import wording
from generators.word_problems.model import model
from generators.word_problems.subsets import PLANS
from generators.word_problems.wording import Surface, Wording

__all__ = ["NAME", "VERSION", "group", "make"]

NAME = "word-problems"
VERSION = "2.0.0"


def make(stream: Stream, subset: str, index: int, language: str = "en") -> Draft:
    """Item `index` of a subset, from the stream of the dataset. The items of a group have neighbouring indices."""
    number, member = divmod(index, PLANS[subset].size)
    return _kept(stream, subset, number, language)[member]


@lru_cache(maxsize=8)
def _kept(stream: Stream, subset: str, number: int, language: str) -> tuple[Draft, ...]:
    """The group, kept because its items are usually made one right after the other."""
    return group(stream, subset, number, wording(language), language)


@lru_cache(maxsize=64)
def _root(stream: Stream, subset: str) -> Stream:
    return stream.child(subset)


def group(stream: Stream, subset: str, number: int, words: Wording, language: str) -> tuple[Draft, ...]:
    """The items of group `number`, or the single item, worded by `words`; `language` goes into `metadata`."""
    plan, root = PLANS[subset], _root(stream, subset)
    own = root.child(number)
    drawn = plan.draw(own, root, number, words.vocabulary)
    surfaces = _surfaces(own.child("wording"), drawn, words)
    # Single problems have the conditions in turn.
    conditions = plan.conditions[number % len(plan.conditions) :] if plan.size == 1 else plan.conditions
    name = f"{subset}-{number:06d}"
    lines: list[str] = []
    answer = 0
    items = []
    for member, problem in enumerate(drawn.problems):
        if not lines or not drawn.same_steps:
            solved = steps(model(problem))
            lines, answer = [str(step) for step in solved], solved[-1].result
        surface = surfaces[member]
        metadata: dict[str, Any] = {
            "language": language,
            "forms": [notation(form) for form in problem.forms],
            "question": notation(problem.question),
            "steps": lines.copy(),
            "n_steps": len(lines),
            "operation": OPERATIONS[drawn.operations[member]],
            "last_digit": answer % 10,
            "keyword": KEYWORDS[drawn.relations[member]],
            "comparisons": _comparisons(problem),
            "setting": str(next(iter(surface.story), "")),
            "templates": list(surface.templates),
            "pronouns": list(surface.pronouns),
        }
        if drawn.more:
            metadata |= drawn.more[member]
        prompt = " ".join(words.sentences(problem, surface))
        items.append(Draft(prompt, None, str(answer), name, conditions[member], metadata))
    return tuple(items)


def _surfaces(stream: Stream, drawn: Drawn, words: Wording) -> Sequence[Surface]:
    """One surface per problem. Problems with the same draw of words are worded alike, the others all differ."""
    problems = drawn.problems
    if not drawn.wordings:
        return words.surfaces(stream, problems)
    alike = drawn.wordings.count(0)
    surfaces = list(words.surfaces(stream.child(0), problems[:alike]))
    for which, problem in zip(drawn.wordings[alike:], problems[alike:], strict=True):
        again = stream.child(which)
        while len(surfaces) < alike + which:
            (surface,) = words.surfaces(again, [problem])
            if surface not in (surfaces[0], *surfaces[alike:]):
                surfaces.append(surface)
    return surfaces


def _comparisons(problem: Problem) -> list[str]:
    """For each sentence: whether it is a comparison whose subject is the new agent, so that it names the operation."""
    known: set[str] = set()
    kinds = []
    for form in problem.forms:
        if isinstance(form, Comparison):
            consistent = form.other in known
            kinds.append("consistent" if consistent else "inconsistent")
            known.add(form.agent if consistent else form.other)
        else:
            kinds.append("none")
            if isinstance(form, Container):
                known.add(form.agent)
    return kinds
