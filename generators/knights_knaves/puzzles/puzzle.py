"""From a puzzle to an item: prompt, gold answer, group and metadata, the same for every room.

The paper is Mondorf & Plank (2024), TruthQuest. Every character tells the truth or lies, and makes one statement; who
is what? Which puzzles there are is the business of the rooms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from generators.dataset import Draft
from generators.errors import UsageError
from generators.knights_knaves.puzzles.asked import OUTCOMES, Ask
from generators.knights_knaves.puzzles.difficulty import difficulty, needed
from generators.knights_knaves.puzzles.distinct import Cell, Drawn
from generators.knights_knaves.puzzles.large import large_needed, names_of
from generators.knights_knaves.puzzles.wording import TERMS, answer, prompt

__all__ = ["cell_of", "draft"]

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
