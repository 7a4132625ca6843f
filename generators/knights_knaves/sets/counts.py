"""Puzzles with no, one or several solutions, under one prompt and one question.

They come in threes, one of each: with the same kinds of statement, speaker by speaker, and the same number of denials
in the whole puzzle, so that neither tells how many solutions there are. Statements are those of the paper's set E.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from generators.dataset import Draft, Subset
from generators.knights_knaves.plan import Plan
from generators.knights_knaves.puzzles.asked import OUTCOMES, Ask
from generators.knights_knaves.puzzles.distinct import BLOCK, Bundle, Cell, Drawn, bundle
from generators.knights_knaves.puzzles.puzzle import cell_of, draft
from generators.knights_knaves.puzzles.statements import SETS, Statement
from generators.knights_knaves.replies.forms import form_asked
from generators.knights_knaves.sets.balanced import BALANCED_CELLS
from generators.knights_knaves.sets.drawing import sayings, worlds_of
from generators.knights_knaves.sets.faithful import SIZES
from generators.stream import Stream

__all__ = ["COUNTS", "COUNT_CELLS"]

_THREES = 100  # in a release, of each size
_MOST = 4  # solutions of a puzzle with several
_TRIES = 500  # draws for one of the three, after which kinds and denials are drawn anew


def _puzzle(stream: Stream, kinds: Sequence[str]) -> tuple[Statement, ...]:
    return tuple([stream.choice(sayings(kind, speaker, len(kinds))) for speaker, kind in enumerate(kinds)])


def _denials(puzzle: Sequence[Statement]) -> int:
    return sum(said.notation.count("~") for said in puzzle)


def _outcome(worlds: Sequence[str]) -> int:
    """0 for none, 1 for one, 2 for several, 3 for too many."""
    return min(len(worlds), 2) if len(worlds) <= _MOST else 3


def _threes(stream: Stream, n: int) -> Iterator[Bundle]:
    """Puzzles with no, one and several solutions, with the same kinds and as many denials; without end."""
    while True:
        kinds = [stream.choice(SETS["E"]) for _ in range(n)]
        denials = _denials(_puzzle(stream, kinds))
        drawn: dict[int, Drawn] = {}
        for _ in range(_TRIES):
            puzzle = _puzzle(stream, kinds)
            if _denials(puzzle) != denials:
                continue
            worlds = worlds_of(puzzle)
            drawn.setdefault(_outcome(worlds), Drawn(puzzle, worlds))
            if drawn.keys() >= {0, 1, 2}:
                yield tuple(drawn[outcome] for outcome in range(3))
                break


def _start(n: int) -> Callable[[Stream, int], Callable[[int], Iterator[Bundle]]]:
    def start(stream: Stream, block: int) -> Callable[[int], Iterator[Bundle]]:
        return lambda place: _threes(stream.child(block * BLOCK + place), n)

    return start


def _cells(name: str, after: Sequence[Cell]) -> tuple[Cell, ...]:
    # With three characters there are few such puzzles, and two subsets share them.
    return tuple(
        Cell(f"{name}-{n}", _THREES, _start(n), (earlier,), _THREES if n == 3 else None)
        for n, earlier in zip(SIZES, after, strict=True)
    )


_NUMBER = _cells("number", [BALANCED_CELLS[n][-1] for n in SIZES])
_SOLUTIONS = _cells("solutions", _NUMBER)

COUNT_CELLS = {n: cells for n, *cells in zip(SIZES, _NUMBER, _SOLUTIONS, strict=True)}
"""Number of characters -> its cells, in the order in which they take puzzles."""


def _make(cells: tuple[Cell, ...], ask: Ask) -> Callable[[Stream, int], Draft]:
    def make(stream: Stream, index: int) -> Draft:
        three, place = divmod(index, 3)
        cell, number = cell_of(three, cells)
        order = stream.child(cells[cell].name).child("order").child(number).shuffled(range(3))
        three_puzzles = bundle(stream, cells[cell], number)
        which = order[place]
        # The middle one names the group: matched puzzles are never parted.
        return draft(
            *(three_puzzles[which], "E", ask, "mixed"), group=three_puzzles[1].key, more={"outcome": OUTCOMES[which]}
        )

    return make


COUNTS = {
    "number": Plan(
        _make(_NUMBER, "number"),
        Subset(
            rows=3 * sum(cell.rows for cell in _NUMBER),
            description="3 to 6 characters, set E: do the statements have no solution, one, or several?",
            form=form_asked("number"),
            balanced=True,
        ),
    ),
    "solutions": Plan(
        _make(_SOLUTIONS, "open"),
        Subset(
            rows=3 * sum(cell.rows for cell in _SOLUTIONS),
            description="3 to 6 characters, set E, no, one or two to four solutions: which are they?",
            form=form_asked("open"),
            audit_target="outcome",
        ),
    ),
}
"""Two questions: how many solutions there are, and which."""
