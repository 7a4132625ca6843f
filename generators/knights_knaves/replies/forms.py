"""The forms of answer that puzzles ask for, so that prompt styles can ask for them too."""

from __future__ import annotations

from generators.answering.answer_form import AnswerForm
from generators.item import Item
from generators.knights_knaves.puzzles.asked import SENTINEL, Ask

__all__ = ["form_asked"]

_EXPLAINED = 12
"""Characters up to which a puzzle makes an example with reasoning; beyond, explanations run to hundreds of lines."""


def form_asked(ask: Ask) -> AnswerForm:
    """The form of answer to `ask`."""
    return _FORMS[ask]


# No other use of a form needs what explains its items, so it is imported when the first one is explained.
def _reasoning(item: Item) -> str:
    from generators.knights_knaves.replies.explanation_text import explained

    return explained(item) if len(item.metadata["names"]) <= _EXPLAINED else ""


def _lines(item: Item) -> str:
    """The gold answer as a prompt wants it: one line per character, a blank line between solutions."""
    return _headed((item.answer or "").replace(" | ", "\n\n").replace("; ", "\n"))


def _identity(item: Item) -> str:
    return _headed(f"{item.metadata['asked']}: {item.answer}")


def _number(item: Item) -> str:
    return _headed(item.answer or "")


def _headed(lines: str) -> str:
    return f"{SENTINEL}\n{lines}"


def _request_lines(item: Item) -> str:
    return f"{_lines_wanted(item)}, and nothing else."


def _lines_wanted(item: Item) -> str:
    truthful, lying = item.metadata["terms"]
    return (
        f"Answer with the heading `{SENTINEL}` and, below it, one line for each character, `NAME: {truthful}` or "
        f"`NAME: {lying}`, in the order of the puzzle"
    )


def _request_solutions(item: Item) -> str:
    return (
        f"{_lines_wanted(item)}. If several assignments fit, give the lines of each, with an empty line between them; "
        "if none fits, write `no solution`. Write nothing else."
    )


def _request_identity(item: Item) -> str:
    truthful, lying = item.metadata["terms"]
    who = item.metadata["asked"]
    return (
        f"Answer with the heading `{SENTINEL}` and, below it, one line, `{who}: {truthful}` or `{who}: {lying}`, and "
        "nothing else."
    )


def _request_number(item: Item) -> str:
    return (
        f"Answer with the heading `{SENTINEL}` and, below it, one word, `none`, `one` or `several`, and nothing else."
    )


_FORMS: dict[Ask, AnswerForm] = {
    "all": AnswerForm("identities", _request_lines, _lines, _reasoning),
    "open": AnswerForm("solutions", _request_solutions, _lines, _reasoning),
    "one": AnswerForm("identity", _request_identity, _identity, _reasoning, closed=True),
    "number": AnswerForm("number of solutions", _request_number, _number, _reasoning, closed=True),
}
