"""Level 4, text: what a language must offer so that logical forms become sentences; the table of languages.

Nothing outside a language's own folder holds a word of it: designs draw from `vocabulary`, hand over forms and get
text back. A second language is a second folder and a second line here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import NamedTuple, Protocol

from generators.stream import Stream
from generators.word_problems.forms import Problem

__all__ = ["LANGUAGES", "Surface", "Vocabulary", "Wording", "wording"]

LANGUAGES = {"en": "generators.word_problems.english.wording"}
"""Language -> module with `WORDING`."""


@dataclass(frozen=True)
class Vocabulary:
    """What a design may draw, as keys; the lists' order is part of every item made from them."""

    names: tuple[str, ...]
    """Agents, as they are written."""
    countable: tuple[str, ...]
    """Entities that are counted one by one and may have any of `attributes`."""
    attributes: tuple[str, ...]
    measured: tuple[tuple[str, str], ...]
    """(entity, unit) pairs that fit, of mass and countable entities alike."""
    packed: tuple[tuple[str, str], ...]
    """(container noun, entity) pairs that fit: a box holds pens; for rates."""


class Surface(NamedTuple):
    """How a problem is worded: drawn once, so that text = f(problem, surface)."""

    templates: tuple[int, ...]
    """The template of each sentence among those of its form, the question's last."""
    pronouns: tuple[bool, ...]
    """Whether the sentence (the question's last) has a pronoun for its subject."""


class Wording(Protocol):
    """A language."""

    vocabulary: Vocabulary

    def surfaces(self, stream: Stream, problems: Sequence[Problem]) -> tuple[Surface, ...]:
        """One for each problem of a pair; where their n-th sentences are of one form (or differ only in who, in the
        relation or in the number), template and pronoun are the same in both.
        """

    def sentences(self, problem: Problem, surface: Surface) -> list[str]:
        """The sentences, the question last; the text is these joined by one space."""


@cache
def wording(language: str) -> Wording:
    """The wording of a language of LANGUAGES."""
    language_wording: Wording = import_module(LANGUAGES[language]).WORDING
    return language_wording
