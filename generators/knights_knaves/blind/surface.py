"""What a blind strategy sees of a puzzle, and how it puts a guess.

It sees who speaks when, the kind of each statement, whom it names, and which of them it calls no truth-teller.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from generators.answering.blind import Guess
from generators.item import Item
from generators.knights_knaves.puzzles.asked import asks
from generators.knights_knaves.puzzles.wording import answer

__all__ = ["denials", "guessed", "meaning", "mentions", "said", "size", "worded"]

_MENTION = re.compile(r"(~?)([A-Z]+)")


@lru_cache(maxsize=65_536)
def said(notation: str) -> tuple[tuple[int, bool], ...]:
    """(the place of a character, whether it is denied to be a truth-teller) for each mention in a statement."""
    told = [(_place(letters), bool(denial)) for denial, letters in _MENTION.findall(notation)]
    if notation.startswith("(("):  # an alternative names its condition once, the notation twice
        del told[2]
    return tuple(told)


def _place(letters: str) -> int:
    place = 0
    for letter in letters:  # A ... Z, AA, AB, ... as in a spreadsheet
        place = place * 26 + ord(letter) - 64
    return place - 1


def mentions(item: Item) -> list[tuple[int, bool]]:
    """All mentions of a puzzle, statement by statement."""
    return [mention for notation in item.metadata["statements"] for mention in said(notation)]


def denials(item: Item) -> int:
    """How many mentions call somebody no truth-teller."""
    return sum(denied for _, denied in mentions(item))


def size(item: Item) -> int:
    """The number of characters."""
    return len(item.metadata["names"])


def meaning(item: Item) -> str | None:
    """The answer of a learned item, whatever its words: K and N for the characters asked about, else as it stands."""
    if item.answer is None or asks(item) not in ("all", "one"):
        return item.answer
    truthful = item.metadata["terms"][0]
    return "".join("K" if part.rpartition(": ")[2] == truthful else "N" for part in item.answer.split("; "))


def guessed(item: Item, truthful: Callable[[int], bool]) -> Guess:
    """The answer in which the characters for whom `truthful` holds tell the truth and the others lie.

    None where the item asks for a number or for a list of solutions: one assignment is no answer to that.
    """
    ask = asks(item)
    if ask == "one":
        return worded(item, "K" if truthful(item.metadata["names"].index(item.metadata["asked"])) else "N")
    if ask != "all":
        return None
    return worded(item, "".join("K" if truthful(place) else "N" for place in range(size(item))))


def worded(item: Item, meant: str | None) -> Guess:
    """The answer of `item` that means this, in its own words."""
    ask = asks(item)
    if meant is None or ask not in ("all", "one"):
        return meant
    terms = item.metadata["terms"]
    if ask == "one":
        return str(terms["KN".index(meant)])
    return answer((meant,), tuple(item.metadata["names"]), (terms[0], terms[1]))
