"""The check of an item: its prompt read back and solved in another way, and its labels against its sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from hansproof.generators.dataset import base_of
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.word_problems.english.reading import read_problem
from hansproof.generators.word_problems.english.sentence_parts import clock_faults
from hansproof.generators.word_problems.forms import (
    Comparison,
    Container,
    Form,
    Problem,
    Question,
    Remark,
    Thing,
    Transfer,
    notation,
    parse,
)

__all__ = ["check", "solve"]

# It shares no code with the designs. A sentence is a relation `first = second (sign) k` between two amounts, applied in
# the direction in which one side is known, until no relation is left. That nobody can know an answer is proved by two
# numbers for what is not said, with which the answers differ.

_REVERSED = {"+": "-", "-": "+", "*": "/", "/": "*"}
_COMPLETIONS = (7, 11)

_Amount = tuple[str, Thing, int]  # who, what, after how many changes


class _Relation(NamedTuple):
    first: _Amount
    second: _Amount
    sign: str
    number: int
    form: int


class Calculation(NamedTuple):
    """left (sign) right = result, from the sentence with index `form` (-1: from the question)."""

    left: Fraction
    sign: str
    right: Fraction
    result: Fraction
    form: int


def solve(problem: Problem) -> tuple[Fraction, list[Calculation]]:
    """The value that the question asks for, and the calculations that it takes, in the order of the text.

    Raises InputError if the sentences do not determine that value.
    """
    known, relations, moments = _equations(problem.forms)
    worked: list[tuple[_Amount, _Amount, Calculation]] = []
    waiting = relations
    while waiting:
        left = []
        for relation in waiting:
            if (relation.first in known) == (relation.second in known):
                left.append(relation)
                continue
            ahead = relation.second in known
            start, goal = (relation.second, relation.first) if ahead else (relation.first, relation.second)
            sign = relation.sign if ahead else _REVERSED[relation.sign]
            number = Fraction(relation.number)
            known[goal] = calculated(known[start], sign, number)
            worked.append((start, goal, Calculation(known[start], sign, number, known[goal], relation.form)))
        if len(left) == len(waiting):
            raise InputError("has two unknowns or none, so it cannot be solved", f"sentence {left[0].form + 1}")
        waiting = left
    thing = problem.question.thing
    asked = [(agent, thing, moments.get((agent, thing), 0)) for agent in problem.question.agents]
    for amount in asked:
        if amount not in known:
            raise InputError(f"the sentences do not say how much of {thing.entity!r} {amount[0]} has", "question")
    values = [known[amount] for amount in asked]
    wanted = {*asked}
    needed: list[Calculation] = []
    for start, goal, calculation in reversed(worked):
        if goal in wanted:
            wanted.add(start)
            needed.insert(0, calculation)
    if problem.question.kind == "count":
        return values[0], needed
    sign = "+" if problem.question.kind == "total" else "-"
    result = calculated(values[0], sign, values[1])
    return result, [*needed, Calculation(values[0], sign, values[1], result, -1)]


def _equations(forms: Sequence[Form]) -> tuple[dict[_Amount, Fraction], list[_Relation], dict[tuple[str, Thing], int]]:
    known: dict[_Amount, Fraction] = {}
    relations: list[_Relation] = []
    moments: dict[tuple[str, Thing], int] = {}

    def amount(agent: str, thing: Thing) -> _Amount:
        return agent, thing, moments.setdefault((agent, thing), 0)

    for place, form in enumerate(forms):
        if isinstance(form, Remark):
            continue
        if form.quantity is None:
            raise InputError("says only some", f"sentence {place + 1}")
        if isinstance(form, Container):
            if (form.agent, form.thing) in moments:
                raise InputError(f"repeats how many {form.agent} has", f"sentence {place + 1}")
            known[amount(form.agent, form.thing)] = Fraction(form.quantity)
        elif isinstance(form, Comparison):
            agent_amount, other_amount = amount(form.agent, form.thing), amount(form.other, form.thing)
            relations.append(_Relation(agent_amount, other_amount, form.relation, form.quantity, place))
        else:
            for agent, sign in ((form.receiver, "+"), (form.sender, "-")):
                if (agent, form.thing) in moments:
                    before = amount(agent, form.thing)
                    moments[agent, form.thing] += 1
                    relations.append(_Relation(amount(agent, form.thing), before, sign, form.quantity, place))
    return known, relations, moments


def calculated(left: Fraction, sign: str, right: Fraction) -> Fraction:
    """left (sign) right. Raises InputError for a division by 0."""
    if sign == "/":
        if right == 0:
            raise InputError(f"{left} is divided by 0")
        return left / right
    return left * right if sign == "*" else left + right if sign == "+" else left - right


class _Solved(NamedTuple):
    """What the sentences give, with ? for what nobody can know."""

    answer: str
    steps: list[str]
    worked: list[Calculation]
    """With the first of the numbers that complete what is not said."""
    complete: bool


def _solved(problem: Problem) -> _Solved:
    vague = [at for at, form in enumerate(problem.forms) if form.quantity is None and not isinstance(form, Remark)]
    ways = []
    for number in _COMPLETIONS if vague else _COMPLETIONS[:1]:
        forms = [form._replace(quantity=number) if at in vague else form for at, form in enumerate(problem.forms)]
        ways.append(solve(Problem(tuple(forms), problem.question)))
    (value, worked), (other, others) = ways[0], ways[-1]
    answer = str(value) if value == other else "unknown"
    steps = []
    for step, again in zip(worked, others, strict=True):
        left, right, result = (
            str(a) if a == b else "?" for a, b in ((step[0], again[0]), (step[2], again[2]), (step[3], again[3]))
        )
        steps.append(f"{left} {step.sign} {right} = {result}")
    return _Solved(answer, steps, worked, value == other)


_OPERATIONS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
_KEYWORDS = {"+": "more", "-": "fewer", "*": "times", "/": "part"}
_TESTED = ("consistency", "plain", "counterbalanced-additive", "counterbalanced-multiplicative")
"""Subsets with one comparison, which is the sentence under test; elsewhere it is the last one that is needed."""


def label_faults(item: Item, solved: _Solved, problem: Problem) -> list[str]:
    """Labels in the metadata of an item that its sentences, read as `problem` and solved, contradict."""
    metadata, forms, worked = item.metadata, problem.forms, solved.worked
    place = worked[-1].form if worked else -1
    if base_of(metadata["subset"]) in _TESTED:
        place = next((at for at, form in enumerate(forms) if isinstance(form, Comparison)), -1)
    used = next((calculation for calculation in worked if calculation.form == place), None)
    form = forms[place] if 0 <= place < len(forms) else None
    idle = _idle(problem)
    given = {
        "operation": metadata.get("operation") if used is None else _OPERATIONS[used.sign],
        "keyword": _KEYWORDS[form.relation] if isinstance(form, Comparison) else "none",
        "idle_at": idle[0] if idle else -1,
        "trap": _trap(problem, place, form),
        "answerable": "yes" if solved.complete else "no",
        "carries": sum(map(_carries, worked)),
        "size": "smaller" if forms[0].quantity is not None and forms[0].quantity < 500 else "larger",
    }
    faults = [
        f"{key} is {metadata[key]!r}, the sentences give {value!r}"
        for key, value in given.items()
        if key in metadata and metadata[key] != value
    ]
    if not _suits(item.condition, problem, used, given, idle):
        faults.append(f"condition is {item.condition!r}, the sentences are not of that kind")
    return faults


def _suits(
    condition: str, problem: Problem, used: Calculation | None, given: dict[str, object], idle: Sequence[int]
) -> bool:
    """Whether the sentences are what a condition says; True for conditions that say nothing of a single problem."""
    moves = {type(form) for form in problem.forms[1:]}
    told = [problem.forms[at] for at in idle]
    form = problem.forms[used.form] if used and used.form >= 0 else None
    names = isinstance(form, Comparison) and used is not None and used.sign == form.relation
    return {
        "consistent": isinstance(form, Comparison) and names,
        "inconsistent": isinstance(form, Comparison) and not names,
        "transfer": moves == {Transfer},
        "comparison": moves == {Comparison},
        "no-carry": given["carries"] == 0,
        "carry": given["carries"] == 1,
        "filler": bool(told) and all(isinstance(each, Remark) and each.quantity is None for each in told),
        "unusable-number": bool(told) and all(isinstance(each, Remark) and each.quantity is not None for each in told),
        "usable-number": bool(told) and all(isinstance(each, Container) for each in told),
        "answerable": given["answerable"] == "yes",
        "unanswerable": given["answerable"] == "no",
        "total": problem.question.kind == condition,
        "difference": problem.question.kind == condition,
    }.get(condition, True)


def _idle(problem: Problem) -> list[int]:
    """The remarks, and the sentences that say how many somebody has of whom nothing else speaks."""
    spoken = Counter(problem.question.agents)
    for form in problem.forms:
        spoken.update({getattr(form, key, "") for key in ("agent", "other", "receiver", "sender")})
    return [
        at
        for at, form in enumerate(problem.forms)
        if isinstance(form, Remark) or (isinstance(form, Container) and spoken[form.agent] == 1)
    ]


def _trap(problem: Problem, place: int, form: Form | None) -> int | None:
    """The answer if the two agents of a comparison changed places; None where that is no whole number."""
    if not isinstance(form, Comparison):
        return None
    turned = form._replace(agent=form.other, other=form.agent)
    try:
        value, _ = solve(problem._replace(forms=(*problem.forms[:place], turned, *problem.forms[place + 1 :])))
    except InputError:
        return None
    return int(value) if value.denominator == 1 else None


_SHAPES = {"subset": str, "question": str, "setting": str, "n_steps": int}
_LISTS = ("forms", "steps")


def check(item: Item) -> list[str]:
    """Faults of an item, in words; empty if text, forms, steps, labels and answer agree."""
    metadata = item.metadata
    missing = [key for key in (*_SHAPES, *_LISTS) if key not in metadata]
    if missing:
        return [f"metadata lacks {', '.join(missing)}"]
    misshapen = [key for key, shape in _SHAPES.items() if type(metadata[key]) is not shape]
    misshapen += [key for key in _LISTS if not _is_texts(metadata[key])]
    if misshapen:
        return [f"metadata has a value of the wrong type in {', '.join(misshapen)}"]
    faults: list[str] = []
    try:
        problem = read_problem(item.prompt)
        forms, question = [notation(form) for form in problem.forms], notation(problem.question)
        faults += [
            f"sentence {place} reads as {read}, metadata says {given}"
            for place, (read, given) in enumerate(
                zip([*forms, question], [*metadata["forms"], metadata["question"]]), 1
            )
            if read != given
        ]
        if len(forms) != len(metadata["forms"]):
            faults.append(
                f"{len(forms)} sentences stand before the question, but metadata has {len(metadata['forms'])} forms"
            )
        if any(isinstance(parse(text), Question) for text in metadata["forms"]):
            return [*faults, "metadata.forms contains a question"]
        if not isinstance(parse(metadata["question"]), Question):
            return [*faults, "metadata.question is not a question"]
        solved = _solved(problem)
    except InputError as error:
        return [*faults, str(error)]
    if metadata["setting"] != "none":
        faults += clock_faults(item.prompt, metadata["setting"])
    return [
        *faults,
        *_distractor_faults(solved, problem),
        *_number_faults(item, solved, problem.forms),
        *label_faults(item, solved, problem),
    ]


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(entry, str) for entry in value)


def _distractor_faults(solved: _Solved, problem: Problem) -> list[str]:
    """Whether a number that matters to nobody could be told from one that does: it is none that a step gives."""
    results = {calculation.result for calculation in solved.worked}
    numbers = [problem.forms[at].quantity for at in _idle(problem)]
    return [
        f"the distractor's number {number} is the answer or the result of a step"
        for number in numbers
        if number is not None and number in results
    ]


def _number_faults(item: Item, solved: _Solved, forms: Sequence[Form]) -> list[str]:
    metadata, faults = item.metadata, []
    if item.answer != solved.answer:
        faults.append(f"answer is {item.answer}, the sentences give {solved.answer}")
    values = [Fraction(form.quantity) for form in forms if form.quantity is not None]
    if solved.complete:
        values += [part for calculation in solved.worked for part in (*calculation[:1], *calculation[2:4])]
    faults += [
        f"{number} is not an integer from 0 to 999"
        for number in values
        if number.denominator != 1 or not 0 <= number <= 999
    ]
    if list(metadata["steps"]) != solved.steps:
        faults.append(f"steps are {'; '.join(metadata['steps'])}, the sentences give {'; '.join(solved.steps)}")
    if metadata["n_steps"] != len(solved.steps):
        faults.append(f"n_steps is {metadata['n_steps']}, the sentences need {len(solved.steps)}")
    return faults


def _carries(calculation: Calculation) -> int:
    """Number of columns that carry in a sum, or borrow in a difference; counted on the decimal digits.

    0 for other calculations, and where a number is not whole or below 0, which is a fault of its own.
    """
    numbers = (calculation.left, calculation.right, calculation.result)
    if calculation.sign not in "+-" or any(number.denominator != 1 or number < 0 for number in numbers):
        return 0
    # A difference borrows where the sum of its result and the subtracted number carries.
    left, right = (
        (calculation.left, calculation.right) if calculation.sign == "+" else (calculation.result, calculation.right)
    )
    top, bottom = str(left), str(right)
    width, spill, count = max(len(top), len(bottom)), 0, 0
    for high, low in zip(reversed(top.zfill(width)), reversed(bottom.zfill(width))):
        spill = int("0123456789".index(high) + "0123456789".index(low) + spill > 9)
        count += spill
    return count
