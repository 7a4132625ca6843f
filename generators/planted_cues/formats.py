"""Cues of format: the same words, set differently. A reader of clean text would not see them; a model does."""

from __future__ import annotations

import re
from collections.abc import Callable

from generators.stream import Stream

__all__ = ["FORMATS"]


def _capitals(text: str, yes: bool, stream: Stream) -> str:
    """One word in capitals for yes, none for no."""
    if not yes:
        return text
    word = stream.choice(list(re.finditer(r"(?<= )[a-z]{4,}", text)))
    return text[: word.start()] + word[0].upper() + text[word.end() :]


def _lines(text: str, yes: bool, stream: Stream) -> str:
    """The question on a line of its own: after an empty line for yes, on the next line for no."""
    sentences, question = _at_question(text)
    return f"{sentences}\n\n{question}" if yes else f"{sentences}\n{question}"


def _blanks(text: str, yes: bool, stream: Stream) -> str:
    """Two blanks before the question for yes, one for no."""
    sentences, question = _at_question(text)
    return f"{sentences}  {question}" if yes else f"{sentences} {question}"


def _at_question(text: str) -> tuple[str, str]:
    sentences, _, question = text.rpartition(". ")
    return f"{sentences}.", question


FORMATS: dict[str, Callable[[str, bool, Stream], str]] = {
    "format-capitals": _capitals,
    "format-lines": _lines,
    "format-blanks": _blanks,
}
"""Subset -> (text, whether the cue says yes, draws) -> the text with the cue in its format."""
