"""Steps and answers, confirmed by a plain evaluator and by sympy, which solves the text as linear equations."""

from __future__ import annotations

import operator

import pytest

from hansproof.generators.word_problems.dataset import DATASET, PLANS
from hansproof.generators.word_problems.english.reading import read_problem
from hansproof.generators.word_problems.forms import Comparison, Container, Transfer

SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv}


@pytest.mark.parametrize("subset", [name for name in PLANS if name != "unanswerable"])
def test_a_plain_evaluator_confirms_every_step(subset: str) -> None:
    for index in range(500):
        item = DATASET.item(subset, 3, index)
        for step in item.metadata["steps"]:
            left, sign, right, equals, result = step.split(" ")
            assert equals == "="
            assert SIGNS[sign](int(left), int(right)) == int(result)
            assert sign != "/" or int(left) % int(right) == 0
        assert result == item.answer


@pytest.mark.parametrize("subset", [name for name in PLANS if name != "unanswerable"])
def test_sympy_solves_the_text_and_gets_the_answer(subset: str) -> None:
    import sympy

    for index in range(60):
        item = DATASET.item(subset, 4, index)
        problem = read_problem(item.prompt)
        now: dict[object, sympy.Symbol] = {}
        symbols: list[sympy.Symbol] = []
        equations = []

        def fresh(key: object, now: dict = now, symbols: list = symbols) -> sympy.Symbol:  # type: ignore[type-arg]
            symbols.append(sympy.Symbol(f"x{len(symbols)}"))
            now[key] = symbols[-1]
            return symbols[-1]

        for form in problem.forms:
            if isinstance(form, Container):
                equations.append(fresh((form.agent, form.thing)) - form.quantity)
            elif isinstance(form, Comparison):
                of_agent, of_other = (
                    now.get(key) or fresh(key) for key in ((form.agent, form.thing), (form.other, form.thing))
                )
                factor = {"*": form.quantity, "/": sympy.Rational(1, form.quantity)}.get(form.relation, 1)
                added = {"+": form.quantity, "-": -form.quantity}.get(form.relation, 0)
                equations.append(of_agent - factor * of_other - added)
            elif isinstance(form, Transfer):
                for agent, change in ((form.receiver, form.quantity), (form.sender, -form.quantity)):
                    if before := now.get((agent, form.thing)):
                        equations.append(fresh((agent, form.thing)) - before - change)
        (solution,) = sympy.linsolve(equations, symbols)
        values = dict(zip(symbols, solution))
        amounts = [values[now[agent, problem.question.thing]] for agent in problem.question.agents]
        solved = {"count": amounts[0], "total": sum(amounts), "difference": amounts[0] - amounts[-1]}[
            problem.question.kind
        ]
        assert str(solved) == item.answer
