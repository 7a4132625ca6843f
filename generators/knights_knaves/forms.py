"""The forms of answer that puzzles ask for, so that prompt styles can ask for them too."""

from __future__ import annotations

from generators.answer_form import AnswerForm
from generators.item import Item

__all__ = ["form_asked"]


def _lines(item: Item) -> str:
    """The gold answer as a prompt wants it: one line per character, solutions parted by a blank line."""
    return (item.answer or "").replace(" | ", "\n\n").replace("; ", "\n")


def _identity(item: Item) -> str:
    return f"{item.metadata['asked']}: {item.answer}"


def _terms(item: Item) -> tuple[str, str]:
    truthful, lying = item.metadata["terms"]
    return truthful, lying


def _request_lines(item: Item) -> str:
    truthful, lying = _terms(item)
    return (
        f"Answer with one line per character, `NAME: {truthful}` or `NAME: {lying}`, in the order of the puzzle, and "
        "nothing else."
    )


def _request_identity(item: Item) -> str:
    truthful, lying = _terms(item)
    who = item.metadata["asked"]
    return f"Answer with one line, either `{who}: {truthful}` or `{who}: {lying}`, and nothing else."


_FORMS = {
    "all": AnswerForm("identities", _request_lines, _lines),
    "open": AnswerForm("solutions", _request_lines, _lines),
    "one": AnswerForm("identity", _request_identity, _identity, closed=True),
    "number": AnswerForm(
        "number of solutions", lambda item: "Answer with one word, `none`, `one` or `several`.", closed=True
    ),
}


def form_asked(ask: str) -> AnswerForm:
    """The form that `prompts.prompt` asks for: `all`, `open`, `one` or `number`."""
    return _FORMS[ask]
