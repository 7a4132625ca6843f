"""From a puzzle to an item: what it asks, its wording, answer, group and metadata; and the plan of a subset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from hansproof.generators.dataset import Draft, Subset
from hansproof.generators.errors import UsageError
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.checking import check as checked
from hansproof.generators.knights_knaves.difficulty import difficulty, needed
from hansproof.generators.knights_knaves.distinct import Cell, Drawn
from hansproof.generators.knights_knaves.drawing import large_needed, names_of
from hansproof.generators.knights_knaves.statements import Statement
from hansproof.generators.stream import Stream

__all__ = ["OUTCOMES", "SENTINEL", "TERMS", "VERSION", "Ask", "Plan", "Room", "answer", "asks", "cell_of", "draft"]

# What a puzzle asks for: everybody's identity, that of one character, the number of solutions, or all of them.

Ask = Literal["all", "open", "one", "number"]
"""`all`: what every character is; `open`: the same, with no, one or several solutions; `one`: what one character is;
`number`: how many solutions there are."""

SENTINEL = "CONCLUSION:"
"""The last line of every prompt, and the heading of every answer."""

OUTCOMES = ("none", "one", "several")
"""The answers to how many solutions there are."""


def asks(item: Item) -> Ask:
    """What an item of knights-knaves asks for; items of version 1.0.0 do not say it, but show it."""
    said: Ask | None = item.metadata.get("ask")
    if said in ("all", "open", "one", "number"):
        return said
    if item.choices and "several" in item.choices:
        return "number"
    if item.metadata.get("asked") is not None:
        return "one"
    return "all" if len(item.metadata["solutions"]) == 1 else "open"


# The wording is the same everywhere, so no phrase gives anything away. Every prompt ends with `CONCLUSION:`, the
# heading under which the answer is wanted: nobody in a puzzle says that.

TERMS: dict[str, tuple[str, str]] = {
    "jabbas": ("jabba", "tette"),
    "knights": ("knight", "knave"),
    "truth-tellers": ("truth-teller", "liar"),
}
"""Vocabulary -> (word for who always tells the truth, word for who always lies); all take "a" and a plural in -s."""

WORLD = (
    "Every character in this puzzle is either a @K or a @N. A @K always tells the truth, and a @N always lies.\n"
    "There are {number} characters, {names}, and each of them makes one statement."
)
_LINES = "one line for each character, in the order above, such as `{first}: @K` or `{first}: @N`"
_FIT = "make every statement by a @K true and every statement by a @N false"
_ASSIGNMENT = "An assignment says of each character whether it is a @K or a @N."
QUESTIONS: dict[Ask, str] = {
    "all": f"Who is a @K, and who is a @N? Finish your answer with {_LINES}, under this heading:",
    "one": "Is {who} a @K or a @N? Finish your answer with one line, `{who}: @K` or `{who}: @N`, under this heading:",
    "number": (
        f"{_ASSIGNMENT} How many assignments {_FIT}: none, exactly one, or several (two or more)? Finish your answer "
        "with one word, `none`, `one` or `several`, under this heading:"
    ),
    "open": (
        f"{_ASSIGNMENT} Which assignments {_FIT}? There may be none, one or several. Finish your answer with {_LINES}. "
        "If several assignments fit, give the lines for each of them, with an empty line between one and the next. "
        "If none fits, write `no solution` instead. Put all of this under the following heading:"
    ),
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def prompt(puzzle: Sequence[Statement], names: Sequence[str], terms: tuple[str, str], ask: Ask, who: str = "") -> str:
    """The whole text; `who` is the character asked about, for `one`."""
    head, tail = _frame(tuple(names), terms, ask, who)
    told = [f"{name}: {said.text}." for name, said in zip(names, puzzle, strict=True)]
    return head + "\n".join(told).replace("@K", terms[0]).replace("@N", terms[1]) + tail


@lru_cache(maxsize=4096)
def _frame(names: tuple[str, ...], terms: tuple[str, str], ask: Ask, who: str) -> tuple[str, str]:
    """The text above the statements, and the text below."""
    number = _NUMBERS[len(names)] if len(names) < len(_NUMBERS) else str(len(names))
    listed = ", ".join(names[:-1]) + " and " + names[-1]
    head = WORLD.format(number=number, names=listed) + "\n\n"
    tail = f"\n\n{QUESTIONS[ask].format(first=names[0], who=who)}\n\n{SENTINEL}"
    head, tail = (text.replace("@K", terms[0]).replace("@N", terms[1]) for text in (head, tail))
    return head, tail


@lru_cache(maxsize=4096)
def answer(solutions: tuple[str, ...], names: tuple[str, ...], terms: tuple[str, str]) -> str:
    """`A: knight; B: knave`; several solutions are joined by ` | ` in the given order, none is `no solution`."""
    word = {"K": terms[0], "N": terms[1]}
    rows = ["; ".join([f"{name}: {word[kind]}" for name, kind in zip(names, world)]) for world in solutions]
    return " | ".join(rows) or "no solution"


VERSION = "2.0.0"
"""Of the generator: it changes whenever the bytes of an item do."""


class Plan(NamedTuple):
    """How the items of a subset are made and checked."""

    make: Callable[[Stream, int], Draft]
    """(stream of the dataset, index) -> the item."""
    subset: Subset
    check: Callable[[Item], list[str]] = checked
    """The faults of an item, found by a second way of solving it."""


Room = Mapping[str, Plan]
"""The subsets of one room, by name, in the order of the release."""

_TABLES = 6  # characters up to which statements carry truth tables over everybody


def draft(
    drawn: Drawn,
    set_name: str,
    ask: Ask,
    condition: str,
    terminology: str = "jabbas",
    who: str = "",
    group: str = "",
    more: dict[str, Any] | None = None,
) -> Draft:
    """The item that asks `ask` about a puzzle in the words of `terminology`.

    `set_name` says which kinds of statement there may be; `who` is the character asked about, for `one`; `more` is
    metadata of the room's own. The group is the canonical form of the puzzle, unless items of several
    forms belong together.
    """
    puzzle, solutions = drawn.puzzle, drawn.solutions
    n, terms = len(puzzle), TERMS[terminology]
    names = names_of(n)
    hard = difficulty(puzzle)
    metadata: dict[str, Any] = {
        "set": set_name,
        "n": n,
        "terminology": terminology,
        "terms": list(terms),
        "names": list(names),
        "statements": [said.notation for said in puzzle],
        "kinds": [said.kind for said in puzzle],
        "form": drawn.key,
        "ask": ask,
        "solutions": list(solutions),
        "suppositions": hard.suppositions,
        "depth": hard.depth,
        "settled": hard.settled,
    }
    if ask in ("all", "one"):
        metadata["needed"] = needed(puzzle) if n <= _TABLES else large_needed(puzzle, solutions[0])
        metadata["knights"] = solutions[0].count("K")
        metadata["first"] = "truthful" if solutions[0].startswith("K") else "lying"
    choices: tuple[str, ...] | None = None
    gold = answer(solutions, names, terms)
    if ask == "one":
        metadata["asked"] = who
        choices, gold = terms, terms["KN".index(solutions[0][names.index(who)])]
    elif ask == "number":
        choices, gold = OUTCOMES, OUTCOMES[min(len(solutions), 2)]
    text, group = prompt(puzzle, names, terms, ask, who), group or drawn.key
    return Draft(text, choices, gold, group, condition, metadata | (more or {}))


def cell_of(index: int, cells: Sequence[Cell]) -> tuple[int, int]:
    """(place of the cell, number within it) of bundle `index` of a subset.

    Cells take turns until each has what a release has of it, and then again until they are used up.
    Raises UsageError where all are used up.
    """
    released = sum(cell.rows for cell in cells)
    if index < released:
        return _turns(index, [cell.rows for cell in cells])
    left = [None if cell.capacity is None else cell.capacity - cell.rows for cell in cells]
    place, number = _turns(index - released, left)
    return place, cells[place].rows + number


def _turns(index: int, capacities: Sequence[int | None]) -> tuple[int, int]:
    begun = 0
    while True:
        left = [cell for cell, capacity in enumerate(capacities) if capacity is None or capacity > begun]
        if not left:
            raise UsageError("there are no more different puzzles of this kind")
        ends = [capacity for cell in left if (capacity := capacities[cell]) is not None]
        rounds = min(ends) - begun if ends else index + 1
        if index < rounds * len(left):
            turn, place = divmod(index, len(left))
            return left[place], begun + turn
        index -= rounds * len(left)
        begun += rounds
