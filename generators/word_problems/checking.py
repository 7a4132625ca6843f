"""A second way to every gold answer: the prompt is read back, its sentences become equations, Fractions solve them.

Shares nothing with `model` and `expressions`: a sentence is a relation `first = second (sign) k` between two amounts,
and relations are used in whichever direction has a known side, until none has. `dataset` hands `check` to verifying.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any, NamedTuple

from generators.errors import InputError
from generators.item import Item
from generators.word_problems.forms import (
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

__all__ = ["READERS", "check", "solved"]

READERS = {"en": "generators.word_problems.english.reading.problems"}
"""Language -> module with `read_problem(text)`."""

_REVERSED = {"+": "-", "-": "+", "*": "/", "/": "*"}
_OPERATIONS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
_KEYWORDS = {"+": "more", "-": "fewer", "*": "times", "/": "part"}
_STEP = re.compile(r"(\d+) ([-+*/]) (\d+) = (\d+)", re.ASCII)
_KEYS = ("language", "subset", "forms", "question", "steps", "n_steps", "operation", "keyword", "templates", "pronouns")

_Amount = tuple[str, Thing, int]  # who, what, after how many changes


class _Relation(NamedTuple):
    first: _Amount
    second: _Amount
    sign: str
    number: int
    form: int


class Calculation(NamedTuple):
    """left (sign) right = result, told by the sentence number `form` (-1: by the question)."""

    left: Fraction
    sign: str
    right: Fraction
    result: Fraction
    form: int


def check(item: Item) -> list[str]:
    """Faults of an item in words; empty where text, forms, steps, labels and answer agree."""
    told = item.metadata
    missing = [key for key in _KEYS if key not in told]
    if missing:
        return [f"metadata lacks {', '.join(missing)}"]
    if misshapen := [key for key in _KEYS if not _has_shape(key, told[key])]:
        return [f"metadata has no list of the right kind, or no text, in {', '.join(misshapen)}"]
    if told["language"] not in READERS:
        return [f"nothing reads the language {told['language']!r}; known: {', '.join(READERS)}"]
    faults: list[str] = []
    try:
        problem: Problem = import_module(READERS[told["language"]]).read_problem(item.prompt)
        forms, question = [notation(form) for form in problem.forms], notation(problem.question)
        faults += [
            f"sentence {place} reads as {said}, metadata says {written}"
            for place, (said, written) in enumerate(zip([*forms, question], [*told["forms"], told["question"]]), 1)
            if said != written
        ]
        if len(forms) != len(told["forms"]):
            faults.append(f"{len(forms)} sentences before the question, {len(told['forms'])} forms")
        given = [parse(text) for text in told["forms"]]
        asked = parse(told["question"])
        if not isinstance(asked, Question) or any(isinstance(form, Question) for form in given):
            return [*faults, "forms hold a question, or the question is none"]
        value, worked = solved(Problem(tuple(given), asked))  # type: ignore[arg-type]
    except InputError as error:
        return [*faults, str(error)]
    return faults + _number_faults(item, value, worked, problem.forms) + _label_faults(item, worked, problem.forms)


def _has_shape(key: str, value: object) -> bool:
    if key in ("language", "subset", "question"):
        return isinstance(value, str)
    if key in ("forms", "steps"):
        return isinstance(value, list | tuple) and all(isinstance(entry, str) for entry in value)
    return key not in ("templates", "pronouns") or isinstance(value, list | tuple)


def solved(problem: Problem) -> tuple[Fraction, list[Calculation]]:
    """The value asked for, and each calculation in the order in which it became possible.

    Raises InputError where the sentences do not determine what is asked.
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
            known[goal] = _apply(known[start], sign, Fraction(relation.number))
            worked.append(Calculation(known[start], sign, Fraction(relation.number), known[goal], relation.form))
        if len(left) == len(waiting):
            raise InputError(f"sentence {left[0].form + 1} cannot be solved: it has two unknowns or none")
        waiting = left
    values = []
    for agent in problem.question.agents:
        amount = (agent, problem.question.thing, moments.get((agent, problem.question.thing), 0))
        if amount not in known:
            raise InputError(f"how much of {problem.question.thing.entity!r} {agent} has is not told")
        values.append(known[amount])
    if problem.question.kind == "count":
        return values[0], worked
    sign = "+" if problem.question.kind == "total" else "-"
    result = _apply(values[0], sign, values[1])
    return result, [*worked, Calculation(values[0], sign, values[1], result, -1)]


def _equations(
    forms: Sequence[Form],
) -> tuple[dict[_Amount, Fraction], list[_Relation], dict[tuple[str, Thing], int]]:
    known: dict[_Amount, Fraction] = {}
    relations: list[_Relation] = []
    moments: dict[tuple[str, Thing], int] = {}

    def amount(agent: str, thing: Thing) -> _Amount:
        return agent, thing, moments.setdefault((agent, thing), 0)

    for place, form in enumerate(forms):
        if isinstance(form, Container):
            if (form.agent, form.thing) in moments:
                raise InputError(f"sentence {place + 1} tells a second time how many {form.agent} has")
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


def _apply(left: Fraction, sign: str, right: Fraction) -> Fraction:
    if sign == "/":
        if right == 0:
            raise InputError(f"{left} is divided by 0")
        return left / right
    return left * right if sign == "*" else left + right if sign == "+" else left - right


def _number_faults(item: Item, value: Fraction, worked: Sequence[Calculation], forms: Sequence[Form]) -> list[str]:
    told, faults = item.metadata, []
    if item.answer != str(value):
        faults.append(f"answer is {item.answer}, the sentences give {value}")
    values = [
        *(part for calculation in worked for part in calculation[:1] + calculation[2:4]),
        *(Fraction(form.quantity) for form in forms),
    ]
    faults += [
        f"{number} is no integer from 0 to 999"
        for number in values
        if number.denominator != 1 or not 0 <= number <= 999
    ]
    own = [
        f"{calculation.left} {calculation.sign} {calculation.right} = {calculation.result}" for calculation in worked
    ]
    if list(told["steps"]) != own:
        faults.append(f"steps are {'; '.join(told['steps'])}, the sentences give {'; '.join(own)}")
    for step in told["steps"]:
        match = _STEP.fullmatch(step)
        if match is None:
            faults.append(f"step {step!r} is no calculation; a calculation is '5 + 3 = 8'")
        elif (match[2] == "/" and int(match[3]) == 0) or _value(match) != int(match[4]):
            faults.append(f"step {step!r} is wrong")
    if told["steps"] and told["steps"][-1].rpartition(" ")[2] != item.answer:
        faults.append(f"the last step is {told['steps'][-1]}, the answer {item.answer}")
    if told["n_steps"] != len(worked):
        faults.append(f"n_steps is {told['n_steps']}, the sentences need {len(worked)}")
    if "carries" in told and told["carries"] != (carries := sum(_carries(calculation) for calculation in worked)):
        faults.append(f"carries is {told['carries']}, the digits give {carries}")
    return faults


def _value(match: re.Match[str]) -> Fraction:
    return _apply(Fraction(match[1]), match[2], Fraction(match[3]))


def _carries(calculation: Calculation) -> int:
    """How often a column spills over: into the next one in a sum, out of it in a difference; counted on digits."""
    if calculation.sign not in "+-":
        return 0
    # A difference borrows where the sum of the result and the number taken away carries.
    left, right = (
        (calculation.left, calculation.right) if calculation.sign == "+" else (calculation.result, calculation.right)
    )
    top, bottom = str(left), str(right)
    width, spill, count = max(len(top), len(bottom)), 0, 0
    for high, low in zip(reversed(top.zfill(width)), reversed(bottom.zfill(width))):
        spill = int("0123456789".index(high) + "0123456789".index(low) + spill > 9)
        count += spill
    return count


def _label_faults(item: Item, worked: Sequence[Calculation], forms: Sequence[Form]) -> list[str]:
    told: dict[str, Any] = item.metadata
    faults = [
        f"{key} has {len(told[key])} entries for {len(forms) + 1} sentences"
        for key in ("templates", "pronouns")
        if len(told[key]) != len(forms) + 1
    ]
    place = _under_test(told["subset"], worked, forms)
    used = next((calculation for calculation in worked if calculation.form == place), None)
    if used is not None and told["operation"] != _OPERATIONS[used.sign]:
        faults.append(f"operation is {told['operation']!r}, the sentences give {_OPERATIONS[used.sign]!r}")
    form = forms[place] if 0 <= place < len(forms) else None
    keyword = _KEYWORDS[form.relation] if isinstance(form, Comparison) else "none"
    if told["keyword"] != keyword:
        faults.append(f"keyword is {told['keyword']!r}, the sentences give {keyword!r}")
    if item.condition in ("consistent", "inconsistent") and isinstance(form, Comparison) and used is not None:
        comparison = "consistent" if used.sign == form.relation else "inconsistent"
        if comparison != item.condition:
            faults.append(f"condition is {item.condition!r}, the comparison is {comparison}")
    return faults


def _under_test(subset: str, worked: Sequence[Calculation], forms: Sequence[Form]) -> int:
    """The sentence that `operation` and `keyword` are about; -1 the question."""
    if subset == "consistency" or subset.startswith("counterbalanced"):
        return next((place for place, form in enumerate(forms) if isinstance(form, Comparison)), -1)
    if subset == "rate":
        return next((place for place, form in enumerate(forms) if isinstance(form, Rate | Comparison)), -1)
    return worked[-1].form if worked else -1
