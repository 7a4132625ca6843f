"""Loads the word lists: `<kind>_<size>.txt` in this folder, one word per line, `#` for comments.

The order of a file is part of every item made from it. Even a word added at the end changes what is drawn, so a list
only ever changes together with the versions of the datasets that use it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from generators.errors import unknown

__all__ = ["KINDS", "SIZES", "words"]

KINDS = ("adjectives", "events", "men", "places", "roles", "things", "towns", "verbs", "women")
SIZES = ("short", "long")


@cache
def words(kind: str, size: str) -> tuple[str, ...]:
    """The words of one kind. Short words have one or two syllables, mostly one; long words have three or more.

    Raises UsageError for an unknown kind or size.
    """
    if kind not in KINDS or size not in SIZES:
        raise unknown("word list", f"{kind}_{size}", [f"{known}_{length}" for known in KINDS for length in SIZES])
    text = files("generators.lexicon").joinpath(f"{kind}_{size}.txt").read_text("utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))
