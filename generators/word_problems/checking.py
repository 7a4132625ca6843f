"""The check of an item: read the prompt back, solve what it says in another way, and compare with its metadata.

Verification calls `check` through `dataset`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module

from generators.errors import InputError, unknown
from generators.item import Item
from generators.word_problems.forms import Container, Form, Problem, Question, notation, parse
from generators.word_problems.labels import label_faults
from generators.word_problems.solving import Calculation, calculated, solve

__all__ = ["READERS", "check"]

READERS = {"en": "generators.word_problems.english.reading.problems"}
"""Language -> module with `read_problem(text)`."""

CLOCKS = {"en": "generators.word_problems.english.reading.clock"}
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
        elif (match[2] == "/" and int(match[3]) == 0) or _value(match) != int(match[4]):
            faults.append(f"step {step!r} is wrong")
    if metadata["steps"] and metadata["steps"][-1].rpartition(" ")[2] != item.answer:
        faults.append(f"the last step is {metadata['steps'][-1]}, the answer {item.answer}")
    if metadata["n_steps"] != len(worked):
        faults.append(f"n_steps is {metadata['n_steps']}, the sentences need {len(worked)}")
    carries = sum(_carries(calculation) for calculation in worked)
    if metadata.get("carries", carries) != carries:
        faults.append(f"carries is {metadata['carries']}, the digits give {carries}")
    return faults


def _value(match: re.Match[str]) -> Fraction:
    return calculated(Fraction(match[1]), match[2], Fraction(match[3]))


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
