"""The paper's sets S, I and E: draws as they come, kept where they have one solution (Mondorf & Plank 2024).

One statement a speaker, its kind uniform in the set, speakers, polarities and who is mentioned uniform. Each puzzle is
asked in three vocabularies: three items of one group, side by side. Set S with three characters has only 152 different
puzzles, 136 of which sets I and E have as well; what they take, S leaves out, so 70 are left for it under any seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from generators.dataset import Contrast, Draft, Subset
from generators.knights_knaves.plan import Plan
from generators.knights_knaves.puzzles.distinct import BLOCK, Bundle, Cell, Drawn, bundle
from generators.knights_knaves.puzzles.puzzle import cell_of, draft
from generators.knights_knaves.puzzles.sequence import Sequence
from generators.knights_knaves.puzzles.statements import SETS
from generators.knights_knaves.puzzles.wording import TERMS
from generators.knights_knaves.replies.forms import form_asked
from generators.knights_knaves.sets.drawing import sayings, worlds_of
from generators.stream import Stream

__all__ = ["FAITHFUL", "FAITHFUL_CELLS", "SIZES"]

SIZES = (3, 4, 5, 6)
"""The numbers of characters in the paper."""

_PUZZLES = 200
# Lower bounds of the chance that a draw has one solution; the lowest published ones are .09 (S), .47 (I) and .42 (E).
_SHARES = {"S": 0.075, "I": 0.4, "E": 0.4}
# Where there are few different puzzles, fewer than under any seed; a test counts them.
_FEW = {
    **{("S", 3): 70, ("S", 4): 1000, ("S", 5): 100_000, ("S", 6): 100_000},
    **{("I", 3): 500, ("I", 4): 500_000, ("E", 3): 1000, ("E", 4): 2_000_000},
}
_CANDIDATES = 3 * BLOCK  # for one block; the share of repeated forms is largest in set S with five characters
_SMALL = 50_000  # up to here all puzzles are candidates for one block


@lru_cache(maxsize=64)
def _sequence(stream: Stream, set_name: str, n: int) -> Sequence:
    tables = [[sayings(kind, speaker, n) for kind in SETS[set_name]] for speaker in range(n)]
    return Sequence(tables, stream, _SHARES[set_name])


def _start(set_name: str, n: int) -> Callable[[Stream, int], Callable[[int], Iterator[Bundle]]]:
    def start(stream: Stream, block: int) -> Callable[[int], Iterator[Bundle]]:
        sequence = _sequence(stream, set_name, n)
        width = _SMALL if len(sequence) <= _SMALL else _CANDIDATES
        puzzles = sequence.stretch(block * width, (block + 1) * width)
        bundles = ((Drawn(puzzle, worlds_of(puzzle)),) for puzzle in puzzles)
        return lambda place: bundles

    return start


@cache
def _cell(set_name: str, n: int) -> Cell:
    few = _FEW.get((set_name, n))
    earlier = {"E": (), "I": ("E",), "S": ("E", "I")}[set_name]
    rows = min(few or _PUZZLES, _PUZZLES)
    return Cell(f"{set_name}-{n}", rows, _start(set_name, n), tuple(_cell(other, n) for other in earlier), few)


FAITHFUL_CELLS = {(set_name, n): _cell(set_name, n) for set_name in "EIS" for n in SIZES}
"""(set, number of characters) -> cell, in the order in which they take puzzles."""


def _plan(set_name: str, description: str, exploit: str) -> Plan:
    cells = [FAITHFUL_CELLS[set_name, n] for n in SIZES]
    capacities = tuple(cell.capacity for cell in cells)

    def make(stream: Stream, index: int) -> Draft:
        puzzle, place = divmod(index, len(TERMS))
        cell, number = cell_of(puzzle, cells)
        terminology = tuple(TERMS)[place]
        return draft(bundle(stream, cells[cell], number)[0], set_name, "all", terminology, terminology)

    subset = Subset(
        rows=sum(cell.rows for cell in cells) * len(TERMS),
        description=description,
        form=form_asked("all"),
        limit=None if None in capacities else len(TERMS) * sum(few for few in capacities if few),
        contrast=Contrast("jabbas", tuple(terms for terms in TERMS if terms != "jabbas")),
        audit_target="first",
        exploit=exploit,
    )
    return Plan(make, subset)


_TOLD = "3 to 6 characters, set {} of the paper ({}), one solution; each puzzle in three vocabularies."

FAITHFUL = {
    "set-S": _plan(
        "S",
        _TOLD.format("S", "self-reference, accusation, conjunction"),
        "as in the paper, truth-tellers are rare, and what characters say hints at what they are",
    ),
    "set-I": _plan(
        "I",
        _TOLD.format("I", "accusation, implication, conjunction"),
        "as in the paper, what characters say hints at what they are",
    ),
    "set-E": _plan(
        "E",
        _TOLD.format("E", "accusation, conjunction, implication, equivalence"),
        "as in the paper, what characters say hints at what they are",
    ),
}
"""Set -> its puzzles at all sizes."""
