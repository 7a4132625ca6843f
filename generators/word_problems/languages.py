"""The table of languages. To add one, add a folder with its words and a line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from generators.errors import unknown
from generators.word_problems.wording import Wording

__all__ = ["LANGUAGES", "wording"]

LANGUAGES = {"en": "generators.word_problems.english.wording"}
"""Language -> module with `WORDING`."""


@cache
def wording(language: str) -> Wording:
    """The wording of a language. Raises UsageError if LANGUAGES does not list it."""
    if language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES, within="word-problems")
    language_wording: Wording = import_module(LANGUAGES[language]).WORDING
    return language_wording
