"""Level 4, text: what a language must provide to turn logical forms into sentences; the table of languages.

All words of a language are in its folder. Designs draw from its `vocabulary`; its wording turns forms into text. To add
a language, add a folder and a line to LANGUAGES.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import NamedTuple, Protocol

from generators.errors import unknown
from generators.stream import Stream
from generators.word_problems.forms import Problem

__all__ = ["LANGUAGES", "Surface", "Vocabulary", "Wording", "wording"]

LANGUAGES = {"en": "generators.word_problems.english.wording"}
"""Language -> module with `WORDING`."""


@dataclass(frozen=True)
class Vocabulary:
    """What a design may draw, as keys. The order of the lists determines every item made from them."""

    names: tuple[str, ...]
    """Agents, as the text writes them."""
    countable: tuple[str, ...]
    """Entities that are counted one by one and may have any of `attributes`."""
    attributes: tuple[str, ...]
    measured: tuple[tuple[str, str], ...]
    """(entity, unit) pairs that fit, for mass and for countable entities."""
    packed: tuple[tuple[str, str], ...]
    """(container noun, entity) pairs that fit (a box holds pens), for rates."""


class Surface(NamedTuple):
    """How a problem is worded. It is drawn once: the text is a function of problem and surface."""

    templates: tuple[int, ...]
    """Index of the template of each sentence among those of its form, the question last."""
    pronouns: tuple[bool, ...]
    """Whether the subject of each sentence is a pronoun, the question last."""

    def naming(self, place: int) -> Surface:
        """The same words with a name for the subject of the sentence at index `place`."""
        return self._replace(pronouns=(*self.pronouns[:place], False, *self.pronouns[place + 1 :]))

    def without(self, place: int) -> Surface:
        """The same words without the sentence at index `place`."""
        shared = ("story",)  # everything else has an entry for each sentence
        told = {name: entries for name, entries in self._asdict().items() if name not in shared}
        return self._replace(**{name: entries[:place] + entries[place + 1 :] for name, entries in told.items()})


class Wording(Protocol):
    """A language: its vocabulary, and how problems become sentences."""

    vocabulary: Vocabulary

    def surfaces(self, stream: Stream, problems: Sequence[Problem]) -> tuple[Surface, ...]:
        """One surface per problem of a group.

        If the n-th sentences of both problems have the same form (up to agents, relation and number), they have the
        same template and both or neither have a pronoun.
        """

    def sentences(self, problem: Problem, surface: Surface) -> list[str]:
        """The sentences, the question last. The text joins them with one space."""


@cache
def wording(language: str) -> Wording:
    """The wording of a language. Raises UsageError if LANGUAGES does not list it."""
    if language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES, within="word-problems")
    language_wording: Wording = import_module(LANGUAGES[language]).WORDING
    return language_wording
