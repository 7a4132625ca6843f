"""The forms of regular verbs. The word lists contain only verbs that these three rules inflect correctly."""

from __future__ import annotations

__all__ = ["past", "present_participle", "third_person"]

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
