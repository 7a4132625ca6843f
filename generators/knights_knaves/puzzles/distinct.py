"""No puzzle twice: the puzzles of a cell, each with a canonical form of its own, and none that an earlier cell has.

A cell is one design at one size, such as set S with four characters. Its puzzles come in blocks of `BLOCK`; a block
takes from the candidates of each place the first whose form is new: to the block, to what releases have of the cells
named in `after`, and to what they have of the cell itself. So a release, which never has more than one block of a
cell, repeats nothing, whatever the order in which items are asked for. Forms may come back in later blocks, which no
release has; then `group` says so, because it is the form.

Candidates are bundles: one puzzle, or several that belong together and are all new, or none is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice

from generators.errors import UsageError
from generators.knights_knaves.puzzles.canonical import form_key
from generators.knights_knaves.puzzles.statements import Statement
from generators.stream import Stream

__all__ = ["BLOCK", "Bundle", "Cell", "Drawn", "Start", "bundle"]

BLOCK = 1000
_TRIES = 100_000  # candidates for one place; a cell that runs out has fewer puzzles than asked for


@dataclass(frozen=True)
class Drawn:
    """A puzzle, and all its solutions."""

    puzzle: tuple[Statement, ...]
    solutions: tuple[str, ...]
    """Strings of K and N in the order of the characters, sorted."""

    @cached_property
    def key(self) -> str:
        """The name of its canonical form."""
        return form_key([said.notation for said in self.puzzle])


Bundle = tuple[Drawn, ...]

Start = Callable[[Stream, int], Callable[[int], Iterator[Bundle]]]
"""(stream of the cell, block) -> (place in the block -> candidates for it). Called once for a block, whose places are
then asked for in order."""


@dataclass(frozen=True, eq=False)
class Cell:
    """One design at one size."""

    name: str
    """Part of the name of its stream: unique in the family."""
    rows: int
    """Bundles in a release, at most BLOCK."""
    start: Start
    after: tuple[Cell, ...] = ()
    """Cells whose puzzles it must not repeat; together with what they must not repeat, every earlier cell that could
    have the same puzzles."""
    capacity: int | None = None
    """How many bundles there are under any seed; None for as many as you like."""


@dataclass
class _Block:
    """The bundles of one block, as far as they were asked for."""

    candidates: Callable[[int], Iterator[Bundle]]
    taken: frozenset[str]
    """What is not new."""
    seen: set[str] = field(default_factory=set)
    bundles: list[Bundle] = field(default_factory=list)

    def at(self, place: int) -> Bundle | None:
        while len(self.bundles) <= place:
            for bundle in islice(self.candidates(len(self.bundles)), _TRIES):
                keys = {drawn.key for drawn in bundle}
                if len(keys) == len(bundle) and not keys & self.seen and not keys & self.taken:
                    self.seen |= keys
                    self.bundles.append(bundle)
                    break
            else:
                return None
        return self.bundles[place]


def bundle(stream: Stream, cell: Cell, number: int) -> Bundle:
    """Bundle `number` of a cell, under the dataset's stream. Raises UsageError where there are fewer."""
    block, place = divmod(number, BLOCK)
    taken = _block(stream, cell, block).at(place) if cell.capacity is None or number < cell.capacity else None
    if taken is None:
        raise UsageError(f"there are fewer than {number + 1:,} different puzzles of the kind {cell.name}")
    return taken


@lru_cache(maxsize=256)
def _block(stream: Stream, cell: Cell, block: int) -> _Block:
    taken = _released(stream, *cell.after)
    if block:
        taken |= _released(stream, cell)
    return _Block(cell.start(stream.child(cell.name), block), taken)


@lru_cache(maxsize=256)
def _released(stream: Stream, *cells: Cell) -> frozenset[str]:
    """The forms of all puzzles that releases have of these cells, and of those that they must not repeat."""
    keys: set[str] = set()
    for cell in cells:
        if cell.after:
            keys |= _released(stream, *cell.after)
        keys.update(drawn.key for number in range(cell.rows) for drawn in bundle(stream, cell, number))
    return frozenset(keys)
