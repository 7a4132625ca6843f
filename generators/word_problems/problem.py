"""Word problems after Opedal et al. (2024): subset, seed and index in, Item out.

A pair of problems is drawn as logical forms, put into words by a wording and solved by its mental model; casting,
design, numbers and wording come from streams of their own. `metadata` carries the forms and the steps.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import Any

from generators.errors import UsageError
from generators.item import Item
from generators.stream import Stream
from generators.word_problems.chain import KEYWORDS
from generators.word_problems.expressions import OPERATIONS, steps
from generators.word_problems.forms import notation
from generators.word_problems.model import model
from generators.word_problems.subsets import PLANS
from generators.word_problems.wording import Wording, wording

__all__ = ["CANARY", "NAME", "VERSION", "make", "pair"]

NAME = "word-problems"
VERSION = "1.0.0"


def _canary() -> str:
    """A string that occurs nowhere else: who finds it in a model's training data has found this dataset."""
    digest = blake2b(f"canary {NAME} {VERSION}".encode(), digest_size=16).hexdigest()
    return "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:]))


CANARY = _canary()


def make(subset: str, seed: int, index: int, language: str = "en") -> Item:
    """Item `index` of a subset; the same whatever is made before, beside or after it. Easy ones are even.

    Raises UsageError for an unknown subset and a negative index.
    """
    plan = PLANS.get(subset)
    if plan is None:
        raise UsageError(f"{NAME} has no subset {subset!r}; it has {', '.join(PLANS)}")
    if index < 0:
        raise UsageError(f"an index is 0 or more, not {index}")
    number, member = divmod(index, len(plan.conditions))
    return _kept(subset, seed, number, language)[member]


@lru_cache(maxsize=8)
def _kept(subset: str, seed: int, number: int, language: str) -> tuple[Item, ...]:
    """The pair: its second item is asked for right after its first."""
    return pair(subset, seed, number, wording(language), language)


@lru_cache(maxsize=64)
def _root(subset: str, seed: int) -> Stream:
    return Stream(seed, NAME, VERSION, subset)


def pair(subset: str, seed: int, number: int, words: Wording, language: str) -> tuple[Item, ...]:
    """The items of pair `number` (or the single one), told in `words`, which `metadata` calls `language`."""
    plan, root = PLANS[subset], _root(subset, seed)
    conditions = plan.conditions
    own = root.child(number)
    drawn = plan.draw(own, root, number, words.vocabulary)
    surfaces = words.surfaces(own.child("wording"), drawn.problems)
    group, index = f"{subset}-{number:06d}", number * len(conditions)
    lines: list[str] = []
    answer = ""
    items = []
    for member, problem in enumerate(drawn.problems):
        if not lines or not drawn.alike:
            solved = steps(model(problem))
            lines, answer = [str(step) for step in solved], str(solved[-1].result)
        templates, pronouns = surfaces[member]
        metadata: dict[str, Any] = {
            "dataset": NAME,
            "version": VERSION,
            "subset": subset,
            "seed": seed,
            "canary": CANARY,
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
        name = f"{NAME}/{VERSION}/{subset}/{index + member:06d}"
        prompt = " ".join(words.sentences(problem, surfaces[member]))
        items.append(Item(name, prompt, None, answer, group, conditions[member], metadata))
    return tuple(items)
