"""Problems in short sentences in the present tense, of the kind in which the paper's results were published."""

from __future__ import annotations

from collections.abc import Sequence

from hansproof.generators.word_problems.english.vocabulary import PARTS, TIMES
from hansproof.generators.word_problems.english.wording import phrases
from hansproof.generators.word_problems.forms import Comparison, Container, Form, Problem, Transfer

__all__ = ["texts"]

# As in `Alice has 5 apples. Bob has 3 more apples than Alice.` (Opedal et al. 2024): one sentence a form, every person
# and every thing by name, nothing else.


def texts(problems: Sequence[Problem]) -> list[str]:
    """The prompts of the problems."""
    told = []
    for forms, question in problems:
        (agent,) = question.agents
        asked = f"How many{phrases(question.thing).plural} does {agent} have?"
        told.append(" ".join([*map(_sentence, forms), asked]))
    return told


def _sentence(form: Form) -> str:
    if isinstance(form, Comparison):
        words, number, relation = phrases(form.thing), form.quantity, form.relation
        assert number is not None
        if relation in "*/":
            amount, than = (TIMES if relation == "*" else PARTS)[number] + words.as_many, "as"
        else:
            amount, than = f"{number}{words.more if relation == '+' else words.fewer}", "than"
        return f"{form.agent} has {amount} {than} {form.other}."
    assert isinstance(form, Container | Transfer)
    amount = f"{form.quantity}{phrases(form.thing).plural}"
    if isinstance(form, Container):
        return f"{form.agent} has {amount}."
    if not form.sender:
        return f"{form.receiver} gets {amount}."
    return (
        f"{form.sender} gives {amount} to {form.receiver}." if form.receiver else f"{form.sender} gives away {amount}."
    )
