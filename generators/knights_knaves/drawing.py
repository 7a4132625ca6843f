"""Drawing puzzles: without repetition and with random access, or one by one where they are large."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from math import ceil, isqrt, prod, sqrt

from hansproof.generators.errors import UsageError
from hansproof.generators.knights_knaves.formula import clauses, sat_needed
from hansproof.generators.knights_knaves.statements import Statement, statements
from hansproof.generators.stream import Stream

__all__ = ["NAMES", "PuzzleSequence", "keys", "large_needed", "names_of", "permuted", "sayings", "worlds_of"]

# A Feistel network on two digits (Black & Rogaway 2002): nothing is stored, no number comes twice, and every place
# costs the same. The round function is Knuth's multiplicative hash (1973) with the multiplier of SplitMix64 (Steele,
# Lea & Flood 2014): good enough for puzzles, not for secrets.

Keys = tuple[int, int, int, int]

_WORD = 2**64 - 1
_MULTIPLIER = 0xBF58476D1CE4E5B9
_TWEAK = 0x9E3779B97F4A7C15  # odd: tweaks 0, 1, 2 ... lie far apart in 64 bits


def keys(stream: Stream) -> Keys:
    """Four round keys: the next draws of a stream."""
    return stream.word(), stream.word(), stream.word(), stream.word()


def permuted(place: int, size: int, rounds: Keys, tweak: int) -> int:
    """The number at `place` in the order that `rounds` and `tweak` choose; 0 <= place < size <= 2**64."""
    width = isqrt(size - 1) + 1
    height = -(-size // width)
    shift = tweak * _TWEAK & _WORD
    first, second, third, fourth = rounds
    # Unrolled: this is the innermost loop of drawing puzzles.
    while True:
        left, right = divmod(place, width)
        hashed = (right + first) ^ shift
        left = (left + (((hashed ^ hashed >> 29) * _MULTIPLIER & _WORD) >> 24)) % height
        hashed = (left + second) ^ shift
        right = (right + (((hashed ^ hashed >> 29) * _MULTIPLIER & _WORD) >> 24)) % width
        hashed = (right + third) ^ shift
        left = (left + (((hashed ^ hashed >> 29) * _MULTIPLIER & _WORD) >> 24)) % height
        hashed = (left + fourth) ^ shift
        right = (right + (((hashed ^ hashed >> 29) * _MULTIPLIER & _WORD) >> 24)) % width
        place = left * width + right
        if place < size:  # the rectangle is a little larger than size; walk on until inside
            return place


# The paper's law: one statement per speaker, its kind uniform in the set, the statement uniform within its kind; only
# puzzles with one solution, none twice. Remembering earlier puzzles would make item i depend on all others, so draws go
# in rounds: each uses every pattern of kinds once, in a keyed order, and round r takes the r-th puzzle of a keyed
# permutation of all puzzles of that pattern, until it is used up. Block b of items takes the first puzzles that fit
# from its own stretch of draws, long enough to fall short with a probability below 1e-12. A small space is one block.

_WHOLE = 30_000  # spaces up to this size are searched once and kept
_ENOUGH = 50_000_000  # where the first pattern lasts for more draws than this, no list of patterns is made
_LAST = 1 << 62  # above any round
_PLANS = 5_000  # patterns kept in a form that is fast to draw from
_BLOCK = 100  # items that share a stretch of draws
_BLOCKS = 32  # blocks kept, because neighbours are often asked for next

Tables = Sequence[Sequence[Sequence[Statement]]]
Puzzle = tuple[Statement, ...]
_Pattern = tuple[int, list[tuple[list[int], int]], list[Sequence[Statement]]]


def stretch(items: int, share: float) -> int:
    """The number of draws, each fitting with probability `share`, of which fewer than `items` fit with p < 1e-12.

    7.5 standard deviations of the normal approximation.
    """
    root = (7.5 * sqrt(1 - share) + sqrt(56.25 * (1 - share) + 4 * items)) / 2
    return ceil(root * root / share)


class PuzzleSequence:
    """Puzzles 0, 1, 2, ... with one solution, one statement per speaker.

    `tables[s][k]` lists what speaker s can say of kind k. `share` is a lower bound of the probability that a draw has
    one solution.
    """

    def __init__(self, tables: Tables, stream: Stream, share: float) -> None:
        self._tables = tables
        self._masks = [[[said.mask for said in kind] for kind in speaker] for speaker in tables]
        self._kinds = len(tables[0])
        self._every = (1 << (1 << len(tables))) - 1
        self._order_keys, self._puzzle_keys = keys(stream.child("order")), keys(stream.child("puzzles"))
        self._patterns: list[tuple[int, int]] = []  # (puzzles, pattern), largest first
        self._phases: list[tuple[int, int, int]] = []  # (first draw, first round, patterns left)
        self._plans: dict[int, _Pattern] = {}
        self._total = self._arrange()
        self._small = self._total <= _WHOLE
        self._stretch = self._total if self._small else stretch(_BLOCK, share)
        self._block = self._total if self._small else _BLOCK
        self._kept: OrderedDict[int, list[Puzzle]] = OrderedDict()

    def __len__(self) -> int:
        """How many items there are."""
        return len(self._fits(0)) if self._small else self._total // self._stretch * self._block

    def puzzle(self, index: int) -> Puzzle:
        """The puzzle at `index` of those that fit. Raises UsageError where there are fewer."""
        if index < 0 or index >= len(self):
            raise UsageError(f"there are only {len(self)} different puzzles of this kind, so none has index {index}")
        number, place = divmod(index, self._block)
        return self._fits(number)[place]

    def stretch(self, start: int, stop: int) -> Iterator[Puzzle]:
        """The puzzles from `start` to before `stop`, as far as there are any."""
        return (self.puzzle(index) for index in range(min(start, len(self)), min(stop, len(self))))

    def _arrange(self) -> int:
        """Order the patterns by size, note when each drops out, and return the number of draws."""
        smallest = prod(min(len(kind) for kind in speaker) for speaker in self._tables)
        patterns: int = self._kinds ** len(self._tables)
        if smallest * patterns > _ENOUGH:
            self._phases = [(0, 0, patterns)]
            return smallest * patterns
        # product runs its last factor fastest: reversed twice, pattern number p has speaker 0 as its lowest digit
        sizes = map(prod, product(*[[len(kind) for kind in reversed(speaker)] for speaker in reversed(self._tables)]))
        sized = [(size, patterns - 1 - place) for place, size in enumerate(sizes)]
        self._patterns = sorted(sized, key=lambda pair: (-pair[0], pair[1]))
        draws = rounds = 0
        left = patterns
        while left:
            size = self._patterns[left - 1][0]
            if size > rounds:
                self._phases.append((draws, rounds, left))
                draws, rounds = draws + (size - rounds) * left, size
            while left and self._patterns[left - 1][0] <= rounds:
                left -= 1
        return draws

    def _fits(self, number: int) -> list[Puzzle]:
        if number in self._kept:
            self._kept.move_to_end(number)
            return self._kept[number]
        fitting: list[Puzzle] = []
        for draw in range(number * self._stretch, (number + 1) * self._stretch):
            puzzle = self._drawn(draw)
            if puzzle is not None:
                fitting.append(puzzle)
                if len(fitting) == self._block:
                    break
        else:
            if not self._small:
                raise RuntimeError(f"block {number}: {len(fitting)} of {self._block} puzzles in {self._stretch} draws")
        self._kept[number] = fitting
        if len(self._kept) > _BLOCKS:
            self._kept.popitem(last=False)
        return fitting

    def _drawn(self, draw: int) -> Puzzle | None:
        """The puzzle of a draw; None where it does not fit."""
        first, rounds, left = self._phases[bisect_right(self._phases, (draw, _LAST, 0)) - 1]
        turn, place = divmod(draw - first, left)
        turn += rounds
        pattern = place = permuted(place, left, self._order_keys, turn)
        if self._patterns:
            pattern = self._patterns[place][1]
        size, tables, places = self._plans.get(pattern) or self._planned(pattern)
        code = number = permuted(turn, size, self._puzzle_keys, pattern)
        fits = self._every
        for masks, count in tables:
            code, place = divmod(code, count)
            fits &= masks[place]
            if not fits:
                return None
        if fits & (fits - 1):
            return None
        puzzle: list[Statement] = []
        for choices in places:
            number, place = divmod(number, len(choices))
            puzzle.append(choices[place])
        return tuple(puzzle)

    def _planned(self, pattern: int) -> _Pattern:
        """How many puzzles a pattern has, and what the digits of a number stand for: masks and statements."""
        number, tables, places = pattern, [], []
        for masks, choices in zip(self._masks, self._tables, strict=True):
            number, kind = divmod(number, self._kinds)
            tables.append((masks[kind], len(masks[kind])))
            places.append(choices[kind])
        plan = prod(count for _, count in tables), tables, places
        if len(self._plans) < _PLANS:
            self._plans[pattern] = plan
        return plan


NAMES = (
    "Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Iris", "Jack", "Kate", "Leo", "Mia", "Nora", "Otto",
    "Pia", "Quinn", "Rosa", "Sam", "Tess", "Uma", "Vito", "Wes", "Xena", "Yara", "Zoe", "Abel", "Beth", "Carl", "Dora",
    "Emil", "Fay", "Gus", "Hope", "Ivan", "Jane", "Kurt", "Lily", "Max", "Nell",
)  # fmt: skip
"""Names for puzzles in which letters would not do: "I" cannot be a name in a statement, and there are only 26."""


@cache
def names_of(n: int) -> tuple[str, ...]:
    """A, B, C, ... for up to six characters, first names for up to 40."""
    return tuple("ABCDEF"[:n]) if n <= 6 else NAMES[:n]


def large_needed(puzzle: Sequence[Statement], solution: str) -> int:
    """How many statements are needed, by a SAT solver, where a puzzle has too many characters for truth tables."""
    return sat_needed([clauses(said.scope, said.local) for said in puzzle], solution)


@lru_cache(maxsize=1024)
def sayings(kind: str, speaker: int, n: int) -> tuple[Statement, ...]:
    """Everything of one kind that a character can say, in a fixed order."""
    return tuple(statements(kind, speaker, names_of(n)))


def worlds_of(puzzle: Sequence[Statement]) -> tuple[str, ...]:
    """All solutions of a puzzle of up to six characters, as strings of K and N, sorted."""
    fits = -1
    for said in puzzle:
        fits &= said.mask
    return _worlds(fits, len(puzzle))


@lru_cache(maxsize=65_536)
def _worlds(fits: int, n: int) -> tuple[str, ...]:
    worlds = [world for world in range(1 << n) if fits >> world & 1]
    return tuple(sorted("".join("K" if world >> place & 1 else "N" for place in range(n)) for world in worlds))
