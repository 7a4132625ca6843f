"""The family word-problems: its subsets and languages; subset, seed and index in, item out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, NamedTuple

from hansproof.generators.dataset import NUMBER, Dataset, Draft, Figure, MatchedConditions, Subset
from hansproof.generators.errors import unknown
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.designs import comparisons, mixed, operations
from hansproof.generators.word_problems.designs.chain import KEYWORDS, Drawn
from hansproof.generators.word_problems.forms import (
    Comparison,
    Container,
    Problem,
    Surface,
    Vocabulary,
    Wording,
    notation,
)
from hansproof.generators.word_problems.model import OPERATIONS, model, steps
from hansproof.generators.word_problems.scorer import SCORER

__all__ = ["DATASET"]

# The table of languages. To add one, add a folder with its words and a line here.

LANGUAGES = {"en": "hansproof.generators.word_problems.english.wording"}
"""Language -> module with `WORDING`."""


@cache
def wording(language: str) -> Wording:
    """The wording of a language. Raises UsageError if LANGUAGES does not list it."""
    if language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES, within="word-problems")
    language_wording: Wording = import_module(LANGUAGES[language]).WORDING
    return language_wording


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
    contrast = MatchedConditions(easy, (hard,))
    subset = Subset(2 * _PAIRS, text, _FORM, matched=contrast, audit_target=target, balanced=balanced)
    return Plan(draw, (easy, hard), subset, 2)


def _single(draw: Draw, conditions: tuple[str, ...], text: str) -> Plan:
    return Plan(draw, conditions, Subset(_PAIRS, text, _FORM), 1)


PLANS: dict[str, Plan] = {
    "counterbalanced-additive": _pairs(
        comparisons.draw_additive, "consistent", "inconsistent",
        "One comparison with more or fewer among 1-12 steps; the people whom it compares change places, so that no "
        "word or number gives the operation.",
        "operation", balanced=True,
    ),
    "counterbalanced-multiplicative": _pairs(
        comparisons.draw_multiplicative, "consistent", "inconsistent",
        "The same with a comparison with times or part.",
        "operation", balanced=True,
    ),
    "counterbalanced-transfer": _pairs(
        operations.draw_transfer_counterbalanced, "transfer", "comparison",
        "1-5 additions and subtractions as things that change hands, or as people compared: same numbers, same answer, "
        "about the same person.",
        balanced=True,
    ),
    "counterbalanced-carry": _pairs(
        operations.draw_carry_counterbalanced, "no-carry", "carry",
        "One comparison of three-digit numbers without or with carries: the same digits in another order; keyword and "
        "operation are crossed.",
        balanced=True,
    ),
    "consistency": _pairs(
        comparisons.draw_consistency, "consistent", "inconsistent",
        "One comparison among 1-5 steps names the operation to do, or the opposite one, which works out, too: one "
        "sentence differs.",
    ),
    "transfer-comparison": _pairs(
        operations.draw_transfer_comparison, "transfer", "comparison",
        "1-5 additions and subtractions as things that change hands, or as people compared: same numbers, same answer, "
        "same first sentence.",
    ),
    "carry": _pairs(
        operations.draw_carry, "no-carry", "carry",
        "One comparison of three-digit numbers, in the same words with the same answer: without or with carries.",
    ),
    "distractor": _pairs(
        mixed.draw_distractor, "plain", "distractor",
        "1-12 steps without and with a sentence whose number matters to nobody.",
    ),
    "surface-forms": Plan(
        mixed.draw_surface_forms, mixed.FORMS,
        Subset(
            len(mixed.FORMS) * _PROBLEMS,
            "2-6 steps; ten forms of one problem: the original, and names, numbers or sentences varied one at a time.",
            _FORM,
            matched=MatchedConditions(mixed.FORMS[0], mixed.FORMS[1:], forms=True),
        ),
        len(mixed.FORMS),
    ),
    "nonlinear": _single(
        mixed.draw_nonlinear, ("total", "difference"),
        "Two stories whose results the question adds or subtracts: 3-12 steps.",
    ),
    "rate": _single(
        operations.draw_rate, ("multiply", "divide"),
        "Multiplying or dividing by a rate among 1-12 steps: so many in each box. Not pairs.",
    ),
}  # fmt: skip
"""Subset -> how its items are made, in release order."""

# A design draws problems as logical forms, a wording puts them into words, their mental model solves them. Casting,
# design, numbers and wording each have a separate stream.

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


def check(item: Item) -> list[str]:
    """Faults of an item, in words; none if text, forms, steps and answer agree."""
    from hansproof.generators.word_problems.checking import check as checked  # generating items does not need it

    return checked(item)


def measured(items: Mapping[str, Sequence[Item]]) -> Sequence[Figure]:
    """The figures that a release promises of its texts."""
    from hansproof.generators.word_problems.figures import figures  # generating items does not need it

    return figures(items)


DATASET = Dataset(
    name=NAME,
    version=VERSION,
    title="Word problems with controlled biases",
    summary="Arithmetic word problems in matched pairs: are models led astray where children are?",
    seed=20240131,
    subsets={name: plan.subset for name, plan in PLANS.items()},
    make=make,
    check=check,
    figures=measured,
    scorer=SCORER,
    slices=(("n_steps",), ("operation",)),
    expertise="arithmetic word problems",
)
