"""Loads the word lists of this folder, and inflects their regular verbs."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from hansproof.generators.errors import unknown

__all__ = ["SIZES", "past", "present_participle", "third_person", "words"]

# The order of a file is part of every item made from it: even a word added at the end changes what is drawn, so a list
# only ever changes together with the versions of the datasets that use it.

KINDS = ("adjectives", "events", "men", "places", "roles", "things", "towns", "verbs", "women")
SIZES = ("short", "long")


@cache
def words(kind: str, size: str) -> tuple[str, ...]:
    """The words of one kind. Short words have one or two syllables, mostly one; long words have three or more.

    Raises UsageError for an unknown kind or size.
    """
    if kind not in KINDS or size not in SIZES:
        raise unknown("word list", f"{kind}_{size}", [f"{known}_{length}" for known in KINDS for length in SIZES])
    text = files("hansproof.generators.lexicon").joinpath(f"{kind}_{size}.txt").read_text("utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


# The forms of regular verbs. The word lists contain only verbs that these three rules inflect correctly.

_HISSING = ("s", "x", "z", "ch", "sh")


def past(base: str) -> str:
    """mend -> mended, carve -> carved, purify -> purified; both the past tense and the past participle."""
    if base.endswith("e"):
        return base + "d"
    return base[:-1] + "ied" if _consonant_y(base) else base + "ed"


def present_participle(base: str) -> str:
    """mend -> mending, carve -> carving, guarantee -> guaranteeing."""
    return base[:-1] + "ing" if base.endswith("e") and not base.endswith("ee") else base + "ing"


def third_person(base: str) -> str:
    """mend -> mends, fetch -> fetches, purify -> purifies."""
    if _consonant_y(base):
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(_HISSING) else "s")


def _consonant_y(base: str) -> bool:
    return base.endswith("y") and base[-2] not in "aeiou"
