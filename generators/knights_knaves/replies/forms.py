"""The forms of answer that puzzles ask for, so that prompt styles can ask for them too."""

from __future__ import annotations

from dataclasses import replace

from generators.answering.answer_form import AnswerForm
from generators.item import Item
from generators.knights_knaves.replies.asked import Ask

__all__ = ["form_asked"]

_EXPLAINED = 6  # characters; longer explanations run to hundreds of lines, which is no example for a prompt


def form_asked(ask: Ask, n: int) -> AnswerForm:
    """The form of answer to `ask` about n characters; without reasoning where n is too large to explain."""
    form = _FORMS[ask]
    return form if n <= _EXPLAINED else replace(form, name=f"{form.name} of {n} characters", reasoning=None)


def _reasoning(item: Item) -> str:
    from generators.knights_knaves.replies.explanation_text import explained  # no other use of a form needs it

    return explained(item)


def _lines(item: Item) -> str:
    """The gold answer as a prompt wants it: one line per character, a blank line between solutions."""
    return (item.answer or "").replace(" | ", "\n\n").replace("; ", "\n")


def _identity(item: Item) -> str:
    return f"{item.metadata['asked']}: {item.answer}"


def _request_lines(item: Item) -> str:
    truthful, lying = item.metadata["terms"]
    return (
        f"Answer with one line per character, `NAME: {truthful}` or `NAME: {lying}`, in the order of the puzzle, and "
        "nothing else."
    )


def _request_solutions(item: Item) -> str:
    return (
        f"{_request_lines(item)} If several assignments fit, give the lines of each, with an empty line between them; "
        "if none fits, answer `no solution`."
    )


def _request_identity(item: Item) -> str:
    truthful, lying = item.metadata["terms"]
    who = item.metadata["asked"]
    return f"Answer with one line, either `{who}: {truthful}` or `{who}: {lying}`, and nothing else."


def _request_number(item: Item) -> str:
    return "Answer with one word, `none`, `one` or `several`, and nothing else."


_FORMS: dict[Ask, AnswerForm] = {
    "all": AnswerForm("identities", _request_lines, _lines, _reasoning),
    "open": AnswerForm("solutions", _request_solutions, _lines, _reasoning),
    "one": AnswerForm("identity", _request_identity, _identity, _reasoning, closed=True),
    "number": AnswerForm("number of solutions", _request_number, reasoning=_reasoning, closed=True),
}
