"""Whether the labels of an item are what its sentences give: the operation, the keyword, comparisons, traps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from generators.errors import InputError
from generators.item import Item
from generators.word_problems.forms import Comparison, Container, Form, Problem, Rate, Transfer
from generators.word_problems.solving import Calculation, solve

__all__ = ["label_faults"]

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
        "distractor": _distractor(problem, idle),
        "trap": _trap(problem, place, form),
    }
    faults += [
        f"{key} is {metadata[key]!r}, the sentences give {value!r}"
        for key, value in given.items()
        if key in metadata and _plain(metadata[key]) != value
    ]
    kind = kinds[place] if form else "none"
    if item.condition in ("consistent", "inconsistent") and kind != item.condition:
        faults.append(f"condition is {item.condition!r}, the comparison is {kind}")
    if not _suits(item.condition, problem, str(given["operation"]), metadata.get("carries"), idle):
        faults.append(f"condition is {item.condition!r}, the sentences are not of that kind")
    return faults


def _distractor(problem: Problem, idle: Sequence[int]) -> str:
    """What an idle sentence is about: a thing of its own, or a person of their own who has the same thing."""
    if not idle:
        return "none"
    return "person" if problem.forms[idle[0]].thing == problem.question.thing else "thing"


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


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


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
