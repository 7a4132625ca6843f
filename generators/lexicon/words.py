"""The loader of the word lists: `<kind>_<size>.txt` in this folder, one word a line, `#` for remarks.

The order of a file is part of every item made from it: a word added at the end still changes what is drawn,
so a list is only ever changed together with the version of the datasets that read it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from generators.errors import UsageError

__all__ = ["KINDS", "SIZES", "words"]

KINDS = ("adjectives", "events", "men", "places", "roles", "things", "towns", "verbs", "women")
SIZES = ("short", "long")


@cache
def words(kind: str, size: str) -> tuple[str, ...]:
    """The words of one kind: `short` ones have one or two syllables, mostly one, `long` ones three or more.

    Raises UsageError for a kind or a size that there is no list of.
    """
    if kind not in KINDS or size not in SIZES:
        known = f"kinds: {', '.join(KINDS)}; sizes: {', '.join(SIZES)}"
        raise UsageError(f"there is no word list {kind}_{size}; {known}")
    text = files("generators.lexicon").joinpath(f"{kind}_{size}.txt").read_text("utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))
