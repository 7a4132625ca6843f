"""The check of an item: its prompt read back and solved in another way, and its labels against its sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from typing import NamedTuple

from hansproof.generators.errors import InputError, unknown
from hansproof.generators.item import Item
from hansproof.generators.word_problems.forms import (
    Comparison,
    Container,
    Form,
    Problem,
    Question,
    Rate,
    Thing,
    Transfer,
    notation,
    parse,
)

__all__ = ["check"]

# It shares no code with `model`. A sentence is a relation `first = second (sign) k` between two
# amounts, applied in the direction in which one side is known, until no relation is left.

_REVERSED = {"+": "-", "-": "+", "*": "/", "/": "*"}

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
    """The value that the question asks for, and the calculations in the order in which they became possible.

    Raises InputError if the sentences do not determine that value.
    """
    known, relations, moments = _equations(problem.forms)
    worked: list[Calculation] = []
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
            known[goal] = calculated(known[start], sign, Fraction(relation.number))
            worked.append(Calculation(known[start], sign, Fraction(relation.number), known[goal], relation.form))
        if len(left) == len(waiting):
            raise InputError("has two unknowns or none, so it cannot be solved", f"sentence {left[0].form + 1}")
        waiting = left
    values = []
    for agent in problem.question.agents:
        amount = (agent, problem.question.thing, moments.get((agent, problem.question.thing), 0))
        if amount not in known:
            raise InputError(
                f"the sentences do not say how much of {problem.question.thing.entity!r} {agent} has", "question"
            )
        values.append(known[amount])
    if problem.question.kind == "count":
        return values[0], worked
    sign = "+" if problem.question.kind == "total" else "-"
    result = calculated(values[0], sign, values[1])
    return result, [*worked, Calculation(values[0], sign, values[1], result, -1)]


def _equations(forms: Sequence[Form]) -> tuple[dict[_Amount, Fraction], list[_Relation], dict[tuple[str, Thing], int]]:
    known: dict[_Amount, Fraction] = {}
    relations: list[_Relation] = []
    moments: dict[tuple[str, Thing], int] = {}

    def amount(agent: str, thing: Thing) -> _Amount:
        return agent, thing, moments.setdefault((agent, thing), 0)

    for place, form in enumerate(forms):
        if isinstance(form, Container):
            if (form.agent, form.thing) in moments:
                raise InputError(f"repeats how many {form.agent} has", f"sentence {place + 1}")
            known[amount(form.agent, form.thing)] = Fraction(form.quantity)
        elif isinstance(form, Comparison):
            agent_amount, other_amount = amount(form.agent, form.thing), amount(form.other, form.thing)
            relations.append(_Relation(agent_amount, other_amount, form.relation, form.quantity, place))
        elif isinstance(form, Transfer):
            for agent, sign in ((form.receiver, "+"), (form.sender, "-")):
                if (agent, form.thing) in moments:
                    before = amount(agent, form.thing)
                    moments[agent, form.thing] += 1
                    relations.append(_Relation(amount(agent, form.thing), before, sign, form.quantity, place))
        elif isinstance(form, Rate):
            contents, containers = amount(form.agent, form.thing), amount(form.agent, form.per)
            relations.append(_Relation(contents, containers, "*", form.quantity, place))
    return known, relations, moments


def calculated(left: Fraction, sign: str, right: Fraction) -> Fraction:
    """left (sign) right. Raises InputError for a division by 0."""
    if sign == "/":
        if right == 0:
            raise InputError(f"{left} is divided by 0")
        return left / right
    return left * right if sign == "*" else left + right if sign == "+" else left - right


_OPERATIONS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
_KEYWORDS = {"+": "more", "-": "fewer", "*": "times", "/": "part"}


def label_faults(item: Item, worked: Sequence[Calculation], problem: Problem) -> list[str]:
    """Labels in the metadata of an item that its sentences, read as `problem` and solved as `worked`, contradict.

    Labels that releases before 2.0.0 do not have are checked where they are.
    """
    metadata, forms = item.metadata, problem.forms
    faults = [
        f"{key} has {len(metadata[key])} entries for {len(forms) + 1} sentences"
        for key in ("templates", "pronouns")
        if len(metadata[key]) != len(forms) + 1
    ]
    place = _under_test(metadata["subset"], worked, forms)
    used = next((calculation for calculation in worked if calculation.form == place), None)
    form = forms[place] if 0 <= place < len(forms) else None
    signs = {calculation.form: calculation.sign for calculation in worked}
    kinds = [_kind(other, signs.get(at)) for at, other in enumerate(forms)]
    keyword = _KEYWORDS[form.relation] if isinstance(form, Comparison) else "none"
    idle = _idle(problem)
    given = {
        "operation": metadata["operation"] if used is None else _OPERATIONS[used.sign],
        "keyword": keyword,
        "comparisons": kinds,
        "distractor_at": idle[0] if idle else -1,
        "distractor": "none" if not idle else "person" if forms[idle[0]].thing == problem.question.thing else "thing",
        "trap": _trap(problem, place, form),
    }
    faults += [
        f"{key} is {metadata[key]!r}, the sentences give {value!r}"
        for key, value in given.items()
        if key in metadata and (list(metadata[key]) if isinstance(metadata[key], tuple) else metadata[key]) != value
    ]
    kind = kinds[place] if form else "none"
    if item.condition in ("consistent", "inconsistent") and kind != item.condition:
        faults.append(f"condition is {item.condition!r}, the comparison is {kind}")
    if not _suits(item.condition, problem, str(given["operation"]), metadata.get("carries"), idle):
        faults.append(f"condition is {item.condition!r}, the sentences are not of that kind")
    return faults


def _suits(condition: str, problem: Problem, operation: str, carries: object, idle: Sequence[int]) -> bool:
    """Whether the sentences are what a condition says; True for conditions that say nothing of a single problem."""
    moves = {type(form) for form in problem.forms[1:]}
    return {
        "transfer": moves == {Transfer},
        "comparison": moves == {Comparison},
        "no-carry": carries == 0,
        "carry": carries not in (0, None),
        "plain": not idle,
        "distractor": bool(idle),
        "multiply": operation == condition,
        "divide": operation == condition,
        "total": problem.question.kind == condition,
        "difference": problem.question.kind == condition,
    }.get(condition, True)


def _kind(form: Form, sign: str | None) -> str:
    """Whether a comparison names the operation that solving it took."""
    if not isinstance(form, Comparison):
        return "none"
    return "consistent" if sign == form.relation else "inconsistent"


def _idle(problem: Problem) -> list[int]:
    """The sentences that say how many somebody has, where nothing else speaks of that."""
    spoken = Counter((agent, problem.question.thing) for agent in problem.question.agents)
    for form in problem.forms:
        things = (form.thing, form.per) if isinstance(form, Rate) else (form.thing,)
        people = {getattr(form, key, "") for key in ("agent", "other", "receiver", "sender")}
        spoken.update((agent, thing) for agent in people for thing in things)
    return [
        at
        for at, form in enumerate(problem.forms)
        if isinstance(form, Container) and spoken[form.agent, form.thing] == 1
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


def _under_test(subset: str, worked: Sequence[Calculation], forms: Sequence[Form]) -> int:
    """Index of the sentence that `operation` and `keyword` describe; -1 for the question."""
    if subset in ("consistency", "counterbalanced-additive", "counterbalanced-multiplicative"):
        return next((place for place, form in enumerate(forms) if isinstance(form, Comparison)), -1)
    if subset == "rate":
        return next((place for place, form in enumerate(forms) if isinstance(form, Rate | Comparison)), -1)
    return worked[-1].form if worked else -1


READERS = {"en": "hansproof.generators.word_problems.english.reading"}
"""Language -> module with `read_problem(text)`."""

CLOCKS = {"en": "hansproof.generators.word_problems.english.sentence_parts"}
"""Language -> module with `clock_faults(text, setting)`."""

_STEP = re.compile(r"(\d{1,9}) ([-+*/]) (\d{1,9}) = (\d{1,9})", re.ASCII)
_KEYS = ("language", "subset", "forms", "question", "steps", "n_steps", "operation", "keyword", "templates", "pronouns")


def check(item: Item) -> list[str]:
    """Faults of an item, in words; empty if text, forms, steps, labels and answer agree."""
    metadata = item.metadata
    missing = [key for key in _KEYS if key not in metadata]
    if missing:
        return [f"metadata lacks {', '.join(missing)}"]
    if misshapen := [key for key in _KEYS if not _has_shape(key, metadata[key])]:
        return [f"metadata has a value of the wrong type in {', '.join(misshapen)}"]
    if metadata["language"] not in READERS:
        return [unknown("reader of prompts for the language", metadata["language"], READERS).reason]
    faults: list[str] = []
    try:
        problem: Problem = import_module(READERS[metadata["language"]]).read_problem(item.prompt)
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
        given_forms = [parse(text) for text in metadata["forms"]]
        given_question = parse(metadata["question"])
        if not isinstance(given_question, Question):
            return [*faults, "metadata.question is not a question"]
        if any(isinstance(form, Question) for form in given_forms):
            return [*faults, "metadata.forms contains a question"]
        value, worked = solve(Problem(tuple(given_forms), given_question))  # type: ignore[arg-type]
    except InputError as error:
        return [*faults, str(error)]
    if "setting" in metadata:
        faults += import_module(CLOCKS[metadata["language"]]).clock_faults(item.prompt, metadata["setting"])
    faults += _distractor_faults(item, value, worked, given_forms)
    return faults + _number_faults(item, value, worked, problem.forms) + label_faults(item, worked, problem)


def _has_shape(key: str, value: object) -> bool:
    if key in ("language", "subset", "question"):
        return isinstance(value, str)
    if key in ("forms", "steps"):
        return isinstance(value, list | tuple) and all(isinstance(entry, str) for entry in value)
    return key not in ("templates", "pronouns") or isinstance(value, list | tuple)


def _distractor_faults(
    item: Item, value: Fraction, worked: Sequence[Calculation], forms: Sequence[Form | Question]
) -> list[str]:
    """Whether the number that matters to nobody could be told from one that does: it is none that a step gives."""
    place = item.metadata.get("distractor_at", -1)
    if not isinstance(place, int) or not 0 <= place < len(forms):
        return []
    idle = forms[place]
    if isinstance(idle, Container) and idle.quantity in {value, *(calculation.result for calculation in worked)}:
        return [f"the distractor's number {idle.quantity} is the answer or the result of a step"]
    return []


def _number_faults(item: Item, value: Fraction, worked: Sequence[Calculation], forms: Sequence[Form]) -> list[str]:
    metadata, faults = item.metadata, []
    if metadata.get("last_digit", value % 10) != value % 10:
        faults.append(f"last_digit is {metadata['last_digit']}, the sentences give {value % 10}")
    if item.answer != str(value):
        faults.append(f"answer is {item.answer}, the sentences give {value}")
    values = [
        *(part for calculation in worked for part in calculation[:1] + calculation[2:4]),
        *(Fraction(form.quantity) for form in forms),
    ]
    faults += [
        f"{number} is not an integer from 0 to 999"
        for number in values
        if number.denominator != 1 or not 0 <= number <= 999
    ]
    own = [
        f"{calculation.left} {calculation.sign} {calculation.right} = {calculation.result}" for calculation in worked
    ]
    if list(metadata["steps"]) != own:
        faults.append(f"steps are {'; '.join(metadata['steps'])}, the sentences give {'; '.join(own)}")
    for step in metadata["steps"]:
        match = _STEP.fullmatch(step)
        if match is None:
            faults.append(f"step {step!r} is not a calculation, such as '5 + 3 = 8'")
        elif (match[2] == "/" and int(match[3]) == 0) or (
            calculated(Fraction(match[1]), match[2], Fraction(match[3])) != int(match[4])
        ):
            faults.append(f"step {step!r} is wrong")
    if metadata["steps"] and metadata["steps"][-1].rpartition(" ")[2] != item.answer:
        faults.append(f"the last step is {metadata['steps'][-1]}, the answer {item.answer}")
    if metadata["n_steps"] != len(worked):
        faults.append(f"n_steps is {metadata['n_steps']}, the sentences need {len(worked)}")
    carries = sum(_carries(calculation) for calculation in worked)
    if metadata.get("carries", carries) != carries:
        faults.append(f"carries is {metadata['carries']}, the digits give {carries}")
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
