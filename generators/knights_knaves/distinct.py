"""No puzzle twice: canonical forms, and the cells that keep puzzles with different ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import islice

from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.knights_knaves.statements import Statement, letter, place_of
from hansproof.generators.stream import Stream

__all__ = ["BLOCK", "Bundle", "Candidates", "Cell", "Drawn", "Start", "bundle", "form_key"]

# Two puzzles have the same canonical form exactly if renaming and reordering characters turns one into the other; what
# a character says is compared word by word (`B and C` is not `C and B`). After McKay (1981): refine colours of the
# characters until nothing tells two of one colour apart, choose one of them, refine again, and of all orders that this
# leaves take the one whose statements come first. Every character of a colour is tried, except those that a symmetry
# found before maps to one tried already.

_LETTERS = re.compile(r"[A-Z]+")
_MOST = 5_000  # orders looked at; only a hostile puzzle, of many parts that are all alike, has more

_LARGEST = 200  # characters; a puzzle has at most 40

_Told = tuple[tuple[str, tuple[int, ...]], ...]
"""By speaker: the statement with a gap for each character that it mentions, and who these are."""


def canonical_form(statements: Sequence[str]) -> tuple[str, ...]:
    """The statements of the puzzle in the canonical order of its characters, in the notation of `metadata`.

    `statements[i]` is what character i says. Raises InputError for a puzzle that mentions somebody who does not speak,
    for one with too many symmetric parts (more than `_MOST` orders to compare), and for more than 200 characters.
    """
    if len(statements) > _LARGEST:
        raise InputError(f"has {len(statements):,} characters; {_LARGEST} are the most", "puzzle")
    told = tuple(_shape(text) for text in statements)
    if any(place >= len(told) for _, about in told for place in about):
        raise InputError("mentions a character who says nothing", f"puzzle {list(statements)!r}"[:200])
    order = _Search(told).best
    names = [letter(place) for place in range(len(told))]
    where = [0] * len(told)
    for place, character in enumerate(order):
        where[character] = place
    return tuple(_filled(*told[character], where, names) for character in order)


def form_key(statements: Sequence[str]) -> str:
    """A name for the canonical form: the number of characters, and 64 bits of its digest.

    Among a million puzzles two different forms share a name with a probability below 1e-7.
    """
    digest = blake2b("\n".join(canonical_form(statements)).encode(), digest_size=8).hexdigest()
    return f"{len(statements)}-{digest}"


@lru_cache(maxsize=65_536)
def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    gaps = _LETTERS.sub("_", text)
    return gaps, tuple(place_of(letters) for letters in _LETTERS.findall(text))


def _placed(gaps: str, about: tuple[int, ...], where: Sequence[int]) -> tuple[int, ...]:
    """Where the characters mentioned stand; in a count, whose order says nothing, from the first to the last."""
    placed = tuple([where[character] for character in about])
    return tuple(sorted(placed)) if gaps.startswith("#") else placed


def _filled(gaps: str, about: tuple[int, ...], where: Sequence[int], names: Sequence[str]) -> str:
    pieces = gaps.split("_")
    placed = _placed(gaps, about, where)
    return pieces[0] + "".join(names[place] + piece for place, piece in zip(placed, pieces[1:], strict=True))


class _Search:
    """Finds the order of the characters that gives the least form."""

    def __init__(self, told: _Told) -> None:
        self.told = told
        self.n = len(told)
        self.mentions: list[list[tuple[int, int]]] = [[] for _ in told]  # by character: (speaker, place of mention)
        for speaker, (gaps, about) in enumerate(told):
            for place, character in enumerate(about):
                self.mentions[character].append((speaker, 0 if gaps.startswith("#") else place))
        self.looked = 0
        self.least: tuple[tuple[str, tuple[int, ...]], ...] | None = None
        self.best: list[int] = []
        first = [
            (gaps, tuple([character == speaker for character in about])) for speaker, (gaps, about) in enumerate(told)
        ]
        self._descend(self._refined(_ranked(first)), ())

    def _refined(self, colours: list[int]) -> list[int]:
        """The coarsest colours that refine the given ones and tell apart whoever says or hears something else."""
        count = len(set(colours))
        while count < self.n:
            seen = [
                (
                    colours[speaker],
                    _placed(gaps, about, colours),
                    tuple(sorted([(colours[other], place) for other, place in self.mentions[speaker]])),
                )
                for speaker, (gaps, about) in enumerate(self.told)
            ]
            colours = _ranked(seen)
            finer = len(set(colours))
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
        form = tuple([(self.told[who][0], _placed(*self.told[who], where)) for who in order])
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
    ranks = {value: rank for rank, value in enumerate(sorted(set(values)))}  # type: ignore[type-var]
    return [ranks[value] for value in values]


# A cell is one design at one size, such as set S with four characters. A block of `BLOCK` puzzles takes for each place
# the first candidate whose form is new: to the block, to what releases have of the cells named in `after`, and of the
# cell itself. So a release, which has at most one block of a cell, repeats nothing, whatever the order in which items
# are asked for. Forms may come back in later blocks; then `group` says so, because it is the form.

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

Candidates = Callable[[int], Iterator[Bundle]]
"""Place in the block -> candidates for it; the places are asked for in order."""

Start = Callable[[Stream, int], Candidates]
"""(stream of the cell, block) -> the candidates of the block. Called once for a block."""


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

    candidates: Candidates
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
