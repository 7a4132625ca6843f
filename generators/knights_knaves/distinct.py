"""No puzzle twice: canonical forms of truth tables, and the cells that keep puzzles with different ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from hashlib import blake2b
from itertools import islice, permutations
from operator import and_
from typing import NamedTuple

from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.knights_knaves.statements import Puzzle, Statement, mask, said, variable
from hansproof.generators.stream import Stream

__all__ = ["BLOCK", "Bundle", "Cell", "Drawn", "Told", "bundle", "cell_of", "form_key", "solved", "told", "worlds"]

# Two puzzles have the same canonical form exactly if renaming and reordering characters turns one into the other, where
# what a character says counts by its truth table alone: `B if and only if C`, `C would say that B` and a denied `either
# B or C` are the same. After McKay (1981): refine colours of the characters until nothing tells two of one colour
# apart, choose one of them, refine again, and of all orders that this leaves take the one whose statements come first.
# Every character of a colour is tried, except those that a symmetry found before maps to one tried already.

_MOST = 5_000  # orders looked at; only a hostile puzzle, of many parts that are all alike, has more
_LARGEST = 200  # characters


class Told(NamedTuple):
    """What a statement says, whatever its words."""

    table: int
    """The least truth table over the characters mentioned, of all orders in which they can be taken."""
    ways: tuple[tuple[int, ...], ...]
    """The characters, in each order that gives this table."""


def told(table: int, about: Sequence[int]) -> Told:
    """The statement with this truth table, where bit j of a world is the character about[j]."""
    least, orders = _least(table, len(about))
    return Told(least, tuple([tuple([about[place] for place in order]) for order in orders]))


@lru_cache(maxsize=4096)
def _least(table: int, n: int) -> tuple[int, tuple[tuple[int, ...], ...]]:
    tables: dict[int, list[tuple[int, ...]]] = {}
    for order in permutations(range(n)):
        rows = [sum((row >> j & 1) << place for j, place in enumerate(order)) for row in range(1 << n)]
        tables.setdefault(sum((table >> row & 1) << place for place, row in enumerate(rows)), []).append(order)
    least = min(tables)
    return least, tuple(tables[least])


def told_by(it: Statement) -> Told:
    """What a statement of the generator says."""
    n = len(it.about)
    return told(said(it, [variable(place, n) for place in range(n)], (1 << (1 << n)) - 1), it.about)


def form_key(puzzle: Sequence[Told]) -> str:
    """A name for the canonical form: the number of characters, and 64 bits of its digest.

    `puzzle[i]` is what character i says. Among a million puzzles two different forms share a name with a probability
    below 1e-7. Raises InputError for a puzzle that mentions somebody who does not speak, for one with too many
    symmetric parts, and for more than 200 characters.
    """
    if len(puzzle) > _LARGEST:
        raise InputError(f"has {len(puzzle):,} characters; {_LARGEST} are the most", "puzzle")
    if any(place >= len(puzzle) for it in puzzle for place in it.ways[0]):
        raise InputError("mentions a character who says nothing", "puzzle")
    form = _Search(puzzle).least
    return f"{len(puzzle)}-{blake2b(repr(form).encode(), digest_size=8).hexdigest()}"


def _placed(it: Told, where: Sequence[int]) -> tuple[int, ...]:
    """Where the characters mentioned stand, in the least of the orders that say the same."""
    if len(it.ways) == 1:
        return tuple([where[character] for character in it.ways[0]])
    return min([tuple([where[character] for character in way]) for way in it.ways])


class _Search:
    """Finds the order of the characters that gives the least form."""

    def __init__(self, puzzle: Sequence[Told]) -> None:
        self.told = puzzle
        self.n = len(puzzle)
        self.mentions: list[list[tuple[int, int]]] = [[] for _ in puzzle]  # by character: (speaker, place of mention)
        for speaker, it in enumerate(puzzle):
            for character in it.ways[0]:
                self.mentions[character].append((speaker, min(way.index(character) for way in it.ways)))
        self.looked = 0
        self.least: tuple[tuple[int, tuple[int, ...]], ...] | None = None
        self.best: list[int] = []
        self._descend(self._refined(_ranked([(len(it.ways[0]), it.table) for it in puzzle])), ())

    def _refined(self, colours: list[int]) -> list[int]:
        """The coarsest colours that refine the given ones and tell apart whoever says or hears something else."""
        count = len(set(colours))
        while count < self.n:
            seen = [
                (
                    colours[speaker],
                    _placed(it, colours),
                    speaker in it.ways[0],
                    sorted([(colours[other], place) for other, place in self.mentions[speaker]]),
                )
                for speaker, it in enumerate(self.told)
            ]
            colours = _ranked(seen)
            finer = max(colours) + 1
            if finer == count:
                break
            count = finer
        return colours

    def _descend(self, colours: list[int], fixed: tuple[int, ...]) -> list[list[int]]:
        """Look at every order below `colours`; the symmetries that were found, each as a map of the characters."""
        alike = self._smallest(colours)
        if not alike:
            return self._look(colours)
        symmetries: list[list[int]] = []
        tried: list[int] = []
        for character in alike:
            if self._reached(character, tried, symmetries, fixed):
                continue
            tried.append(character)
            # Below all others of its colour: twice the ranks leave room for one more.
            split = [2 * colour + 1 for colour in colours]
            split[character] -= 1
            symmetries += self._descend(self._refined(_ranked(split)), (*fixed, character))
        return symmetries

    def _smallest(self, colours: list[int]) -> list[int]:
        """The characters of the first of the smallest colours that several share; [] where none does."""
        cells: dict[int, list[int]] = {}
        for character, colour in enumerate(colours):
            cells.setdefault(colour, []).append(character)
        shared = [(len(cell), colour) for colour, cell in cells.items() if len(cell) > 1]
        return cells[min(shared)[1]] if shared else []

    def _reached(self, character: int, tried: list[int], symmetries: list[list[int]], fixed: tuple[int, ...]) -> bool:
        """Whether symmetries that keep the characters fixed so far lead from one that was tried to this one."""
        usable = [way for way in symmetries if all(way[place] == place for place in fixed)]
        reached, waiting = set(tried), list(tried)
        while waiting:
            here = waiting.pop()
            for way in usable:
                if way[here] not in reached:
                    reached.add(way[here])
                    waiting.append(way[here])
        return character in reached

    def _look(self, where: list[int]) -> list[list[int]]:
        """Compare the form of one order with the least so far; an equal one is a symmetry of the puzzle."""
        self.looked += 1
        if self.looked > _MOST:
            raise InputError(f"has so many parts alike that {_MOST:,} orders are too few", "puzzle")
        order = sorted(range(self.n), key=where.__getitem__)
        form = tuple([(self.told[who].table, _placed(self.told[who], where)) for who in order])
        if self.least is None or form < self.least:
            self.least, self.best = form, order
            return []
        if form == self.least:
            way = [0] * self.n
            for here, there in zip(self.best, order, strict=True):
                way[here] = there
            return [way]
        return []


def _ranked(values: Sequence[object]) -> list[int]:
    """The rank of each value among the different ones."""
    order = sorted(range(len(values)), key=values.__getitem__)  # type: ignore[arg-type]
    ranks, rank = [0] * len(values), 0
    for before, place in zip([order[0], *order], order):
        rank += values[before] != values[place]
        ranks[place] = rank
    return ranks


def worlds(puzzle: Sequence[Statement]) -> tuple[str, ...]:
    """All solutions, as strings of K and N, sorted, by truth tables: for up to twelve characters."""
    return solved(reduce(and_, [mask(it, len(puzzle)) for it in puzzle]), len(puzzle))


def solved(fits: int, n: int) -> tuple[str, ...]:
    """The worlds of a truth table over n characters, as strings of K and N, sorted."""
    solutions = []
    while fits:
        lowest = fits & -fits
        fits ^= lowest
        solutions.append("".join("K" if lowest.bit_length() - 1 >> place & 1 else "N" for place in range(n)))
    return tuple(sorted(solutions))


@dataclass(frozen=True)
class Drawn:
    """A puzzle, and all its solutions."""

    puzzle: Puzzle
    solutions: tuple[str, ...]
    """Strings of K and N in the order of the characters, sorted."""

    @cached_property
    def key(self) -> str:
        """The name of its canonical form."""
        return form_key([told_by(it) for it in self.puzzle])


Bundle = tuple[Drawn, ...]
"""Puzzles that belong together; most often one."""

# A cell is one design at one small size, such as set S with four characters. A block of `BLOCK` puzzles takes for each
# place the first candidate whose form is new to the block, and to what a release has of the cell. So a release repeats
# nothing within a subset, whatever the order in which items are asked for. Larger puzzles come never twice by chance.

BLOCK = 1000
_TRIES = 100_000  # candidates for one place; a cell that runs out has fewer puzzles than asked for


@dataclass(frozen=True, eq=False)
class Cell:
    """One design at one size."""

    name: str
    """Part of the name of its stream: unique in the family."""
    rows: int
    """Bundles in a release, at most BLOCK."""
    candidates: Callable[[Stream, int], Iterator[Bundle]]
    """(stream of the cell, number) -> candidates for this bundle, without end."""
    few: bool = False
    """Whether there are hardly more than a release has."""


@dataclass
class _Block:
    """The bundles of one block, as far as they were asked for."""

    taken: frozenset[str]
    """What is not new."""
    seen: set[str] = field(default_factory=set)
    bundles: list[Bundle] = field(default_factory=list)


def bundle(stream: Stream, cell: Cell, number: int) -> Bundle:
    """Bundle `number` of a cell, under the dataset's stream. Raises UsageError where there are fewer."""
    which, place = divmod(number, BLOCK)
    block = _block(stream, cell, which)
    while len(block.bundles) <= place:
        candidates = cell.candidates(stream.child(cell.name), which * BLOCK + len(block.bundles))
        for candidate in islice(candidates, _TRIES):
            keys = {drawn.key for drawn in candidate}
            if len(keys) == len(candidate) and not keys & block.seen and not keys & block.taken:
                block.seen |= keys
                block.bundles.append(candidate)
                break
        else:
            break
    if place >= len(block.bundles):
        raise UsageError(f"there are fewer than {number + 1:,} different puzzles of the kind {cell.name}")
    return block.bundles[place]


@lru_cache(maxsize=256)
def _block(stream: Stream, cell: Cell, which: int) -> _Block:
    released = (bundle(stream, cell, number) for number in range(cell.rows if which else 0))
    return _Block(frozenset(drawn.key for some in released for drawn in some))


def cell_of(index: int, cells: tuple[Cell, ...]) -> tuple[int, int]:
    """(place of the cell, number within it) of bundle `index` of a subset.

    Cells take turns until each has what a release has of it; then those that have more do. Raises UsageError where none
    has.
    """
    released = _released(cells)
    if index < len(released):
        return released[index]
    more = [place for place, cell in enumerate(cells) if not cell.few]
    if not more:
        raise UsageError("there are no more different puzzles of this kind")
    number, place = divmod(index - len(released), len(more))
    return more[place], cells[more[place]].rows + number


@lru_cache(maxsize=16)
def _released(cells: tuple[Cell, ...]) -> list[tuple[int, int]]:
    most = max(cell.rows for cell in cells)
    return [(place, number) for number in range(most) for place, cell in enumerate(cells) if number < cell.rows]
