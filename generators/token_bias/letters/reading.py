"""The likeliest row found again from the prompt, with exact shares and another recursion."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from generators.item import Item

__all__ = ["check", "share_of_rolls"]

_FACES = re.compile(r"the letter ([A-Z]) on four faces and the letter ([A-Z]) on two")
_ROLLS = re.compile(r"\b([0-9]+) (?:times|rolls|letters)\b")
_OPTION = re.compile(r"^(\([a-c]\)) ([A-Z]+)$", re.MULTILINE)


def check(item: Item) -> list[str]:
    """Faults of an item: another answer than the one that the prompt leads to, or no such prompt."""
    faces, rolls, options = _FACES.search(item.prompt), _ROLLS.search(item.prompt), _OPTION.findall(item.prompt)
    question = [word for word in ("most", "least") if f" {word} likely" in item.prompt]
    if not faces or not rolls or len(options) != 3 or len(question) != 1:
        return ["the prompt does not describe a die, a number of rolls, one question and three rows of letters"]
    if {letter for _, row in options for letter in row} - set(faces.groups()):
        return ["a row has a letter that is not on the die"]
    shares = {
        label: share_of_rolls(row.replace(faces[1], "1").replace(faces[2], "0"), int(rolls[1]))
        for label, row in options
    }
    best = (max if question == ["most"] else min)(shares.values())
    right = [label for label, share in shares.items() if share == best]
    if len(right) > 1:
        return [f"{' and '.join(right)} are equally likely"]
    return [] if item.answer == right[0] else [f"answer is {item.answer!r}, not {right[0]!r}"]


@lru_cache(maxsize=100_000)
def share_of_rolls(row: str, rolls: int) -> Fraction:
    """The probability that `row` turns up in `rolls` rolls of a die with `1` on four faces, `0` on two.

    By first occurrences: of all rolls that end in the row after n rolls, those are left out in which it ended earlier,
    with or without an overlap (Guibas and Odlyzko 1981).
    """
    of = {"1": Fraction(2, 3), "0": Fraction(1, 3)}
    tails = [Fraction(1)]  # probability of the last k letters
    for letter in reversed(row):
        tails.append(tails[-1] * of[letter])
    length = len(row)
    overlaps = [shift for shift in range(1, length) if row[shift:] == row[: length - shift]]
    first: dict[int, Fraction] = {}
    for end in range(length, rolls + 1):
        earlier = sum((first[n] for n in range(length, end - length + 1)), Fraction(0)) * tails[length]
        lapped = sum((first[end - shift] * tails[shift] for shift in overlaps if end - shift >= length), Fraction(0))
        first[end] = tails[length] - earlier - lapped
    return sum(first.values(), Fraction(0))
