"""The family word-problems: its subsets; subset, seed and index in, item out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from hansproof.generators.dataset import (
    LEVEL,
    NUMBER,
    Dataset,
    Draft,
    Figure,
    Hypothesis,
    Knob,
    MatchedConditions,
    Subset,
    base_of,
)
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.designs import carry, mixed, pairs
from hansproof.generators.word_problems.designs.chain import KEYWORDS, Drawn
from hansproof.generators.word_problems.english import plain
from hansproof.generators.word_problems.english.wording import texts
from hansproof.generators.word_problems.forms import notation
from hansproof.generators.word_problems.scorer import ASK, SCORER, UNKNOWN

__all__ = ["DATASET", "PLANS"]

Draw = Callable[[Stream, Stream, int, int], Drawn]
_PAIRS = 500
_PROBLEMS = 100
# Solved examples show the steps of the calculation as their reasoning.
_FORM = replace(NUMBER, reasoning=lambda item: "\n".join(item.metadata["steps"]))
_OR_UNKNOWN = replace(
    _FORM,
    name="number-or-unknown",
    request=lambda item: f"Answer with one number in digits, or with the word {UNKNOWN}, and nothing else.",
)


class Plan(NamedTuple):
    """How the items of a subset are made."""

    draw: Draw
    """(stream of the group, stream of the subset, number of the group, level of the knob) -> the problems."""
    conditions: tuple[str, ...]
    """Of the problems of a group; of single problems, one after the other."""
    subset: Subset
    size: int
    """Problems in a group."""
    ending: str = ""
    """What follows the question."""
    of: str = ""
    """The subset whose problems it tells in short sentences."""


def _grouped(draw: Draw, conditions: tuple[str, ...], text: str, **more: Any) -> Plan:
    about = {
        "rows": len(conditions) * _PAIRS,
        "form": _FORM,
        "matched": MatchedConditions(conditions[0], conditions[1:]),
    }
    subset = Subset(description=text, **{**about, **more})
    return Plan(draw, conditions, subset, len(conditions))


def _knob(name: str, meaning: str, least: int, most: int, shown: str) -> Knob:
    return Knob(meaning, least, most, shown, lambda stream, level, index: make(stream, f"{name}{LEVEL}{level}", index))


_TURNED = "consistent", "inconsistent"
_BALANCED = {"balanced": True, "audit_target": "operation"}

PLANS: dict[str, Plan] = {
    "counterbalanced-additive": _grouped(
        pairs.draw_additive, _TURNED,
        "One comparison with more or fewer among 1-12 steps; the people whom it compares change places, so that no "
        "word or number gives the operation.",
        **_BALANCED,
        knob=_knob(
            "counterbalanced-additive", "steps of the chain", 1, 24,
            "texts have 34 words at 1, 272 at 24, and each step needs the one before",
        ),
    ),
    "counterbalanced-multiplicative": _grouped(
        pairs.draw_multiplicative, _TURNED, "The same with a comparison with times or part.", **_BALANCED
    ),
    "transfer-comparison": _grouped(
        pairs.draw_transfer_comparison, ("transfer", "comparison"),
        "1-5 additions and subtractions as things that change hands, or as people compared: same numbers, same answer, "
        "same question, sentences of the same length.",
        balanced=True,
    ),
    "carry": _grouped(
        carry.draw_carry, ("no-carry", "carry"),
        "One comparison of three-digit numbers without or with a carry, with smaller and larger numbers: the same "
        "first number, the same digits, and keyword and operation crossed.",
        balanced=True,
    ),
    "consistency": _grouped(
        pairs.draw_consistency, _TURNED,
        "One comparison among 2-6 steps names the operation to do, or the opposite one, which works out, too: one "
        "sentence differs.",
    ),
    "plain": _grouped(
        pairs.draw_consistency, _TURNED,
        "The problems of `consistency` in short sentences, as in the paper: Bob has 3 more apples than Ann.",
    )._replace(of="consistency"),
    "distractor": _grouped(
        mixed.draw_distractor, mixed.ARMS,
        "1-12 steps in four arms: as they are, and with a sentence that matters to nobody, without a number, with one "
        "that nobody could use, with one that looks as if it counted.",
        matched=MatchedConditions("filler", ("original", "unusable-number", "usable-number")),
        rows=4 * 250,
        knob=_knob(
            "distractor", "sentences that matter to nobody", 1, 8,
            "a reader who keeps the last four amounts in mind gets 100 % of usable-number right at 1, 0 % at 8",
        ),
    ),
    "unanswerable": _grouped(
        mixed.draw_unanswerable, ("answerable", "unanswerable"),
        "Two stories of 2-6 steps told in turns, and a question about one of them; one number is missing, where it "
        "does not matter or where it does, so that nobody can know the answer.",
        form=_OR_UNKNOWN, balanced=True, audit_target="answerable",
        knob=_knob(
            "unanswerable", "steps of each story", 2, 12,
            "texts have 88 words at 2, 284 at 12, and the gap is 6 and 15 sentences before the question",
        ),
    )._replace(ending=f" {ASK}"),
    "surface-forms": _grouped(
        mixed.draw_surface_forms, mixed.FORMS,
        "2-6 steps; ten forms of one problem: the original, and names, numbers or sentences varied one at a time.",
        matched=MatchedConditions(mixed.FORMS[0], mixed.FORMS[1:], forms=True),
        rows=len(mixed.FORMS) * _PROBLEMS,
    ),
    "nonlinear": Plan(
        mixed.draw_nonlinear, ("total", "difference"),
        Subset(
            _PAIRS, "Two stories whose results the question adds or subtracts: 3-24 steps.", _FORM,
            knob=_knob(
                "nonlinear", "steps of both stories and of the question", 3, 24,
                "a reader who keeps the last four amounts in mind gets 100 % right at 3, 21 % at 24",
            ),
        ),
        1,
    ),
}  # fmt: skip
"""Subset -> how its items are made, in release order."""

NAME = "word-problems"
VERSION = "2.1.0"
_OPERATIONS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}


def make(stream: Stream, subset: str, index: int) -> Draft:
    """Item `index` of a subset, from the stream of the dataset. The items of a group have neighbouring indices."""
    number, member = divmod(index, PLANS[base_of(subset)].size)
    return _kept(stream, subset, number)[member]


@lru_cache(maxsize=64)
def _root(stream: Stream, subset: str) -> Stream:
    return stream.child(subset)


@lru_cache(maxsize=8)
def _kept(stream: Stream, subset: str, number: int) -> tuple[Draft, ...]:
    """The items of group `number`, kept because they are usually made one right after the other."""
    base, _, level = subset.partition(LEVEL)
    plan = PLANS[base]
    root = _root(stream, plan.of or subset)
    own = root.child(number)
    drawn = plan.draw(own, root, number, int(level or 0))
    if plan.of:
        prompts, setting = plain.texts(drawn.problems), ""
    else:
        prompts, setting = texts(own, drawn.problems, drawn.shares)
    # Single problems have the conditions in turn.
    conditions = plan.conditions[number % len(plan.conditions) :] if plan.size == 1 else plan.conditions
    name = f"{subset}-{number:06d}"
    items = []
    first = drawn.problems[-1]
    known = [notation(form) for form in first.forms]
    asked = notation(first.question)
    for member, problem in enumerate(drawn.problems):
        steps = drawn.steps[member] if len(drawn.steps) > 1 else drawn.steps[0]
        answer = steps[-1].rpartition(" ")[2]
        metadata: dict[str, Any] = {
            # Problems of a group share most of their sentences.
            "forms": [
                text if form is same else notation(form) for form, same, text in zip(problem.forms, first.forms, known)
            ],
            "question": asked if problem.question is first.question else notation(problem.question),
            "steps": steps,
            "n_steps": len(steps),
            "setting": setting or "none",
        }
        if drawn.operations:
            metadata["operation"] = _OPERATIONS[drawn.operations[member]]
            metadata["keyword"] = KEYWORDS[drawn.relations[member]]
        if drawn.more:
            metadata |= drawn.more[member]
        text = prompts[member] + plan.ending
        items.append(Draft(text, None, UNKNOWN if answer == "?" else answer, name, conditions[member], metadata))
    return tuple(items)


def check(item: Item) -> list[str]:
    """Faults of an item, in words; none if text, forms, steps and answer agree."""
    from hansproof.generators.word_problems.checking import check as checked  # generating items does not need it

    return checked(item)


def measured(items: Mapping[str, Sequence[Item]]) -> Sequence[Figure]:
    """The figures that a release promises of its texts."""
    from hansproof.generators.word_problems.figures import figures  # generating items does not need it

    return figures(items)


_HYPOTHESES = (
    Hypothesis(
        "W1", "A comparison that names the opposite operation is solved less often.",
        ("consistency", "plain"), (_TURNED,), "worse",
    ),
    Hypothesis(
        "W2", "Additions and subtractions are solved less often as comparisons than as things that change hands.",
        ("transfer-comparison",), (("transfer", "comparison"),), "worse",
    ),
    Hypothesis("W3", "A carry makes a difference at equal size.", ("carry",), (("no-carry", "carry"),), "either"),
    Hypothesis(
        "W4", "A number that matters to nobody does more harm than a sentence of the same length without one.",
        ("distractor",), (("filler", "unusable-number"), ("filler", "usable-number")), "worse",
    ),
    Hypothesis("W5", "A longer text alone does harm.", ("distractor",), (("original", "filler"),), "worse"),
)  # fmt: skip

DATASET = Dataset(
    name=NAME,
    version=VERSION,
    title="Word problems with controlled biases",
    summary="Arithmetic word problems in matched groups: are models led astray where children are?",
    seed=20240131,
    subsets={name: plan.subset for name, plan in PLANS.items()},
    make=make,
    check=check,
    figures=measured,
    scorer=SCORER,
    slices=(("n_steps",), ("operation",), ("size",)),
    expertise="arithmetic word problems",
    hypotheses=_HYPOTHESES,
)
