"""Which puzzle item i of a subset is: the paper's sets, and the subsets in which something is held constant.

`paper` and `wide`: draws as they come. `balanced`: the solution first, its number of knights uniform and then the
knights uniform, and only statements that fit it; then a second puzzle with the same kinds of statement, in which
everybody is the opposite, so that the kind of what somebody says tells nothing either. `identity`: the same with at
least one of each, every puzzle asked twice. `none`, `several`: draws with no solution, or with two to four.
`number`: none, one and several in turn, shuffled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

from generators.knights_knaves.large import large_puzzle, names_of
from generators.knights_knaves.permutation import Keys, keys, permuted
from generators.knights_knaves.sequence import Fit, Sequence
from generators.knights_knaves.statements import SETS, Statement, statements
from generators.stream import Stream

__all__ = ["VERSION", "Drawn", "below", "capacity", "drawn", "tables"]

VERSION = "1.0.0"
_BLOCK = 100
_TARGET_BLOCK = 4  # items of one solution are few, and there are up to 64 solutions
# Lower bounds of the chance that a draw fits, by set; the facts of the paper's sets are .09 (S) and .42 (I, E).
_SHARES = {"S": 0.075, "I": 0.4, "E": 0.4, "wide": 0.3}
_OUTCOMES = (("none", Fit(0, 0)), ("one", Fit(1, 1)), ("several", Fit(2, 4)))


@dataclass(frozen=True)
class Drawn:
    """A puzzle, and all its solutions."""

    puzzle: tuple[Statement, ...]
    solutions: tuple[str, ...]
    """Strings of K and N in the characters' order, sorted."""


@lru_cache(maxsize=256)
def below(stream: Stream, *names: str) -> Stream:
    """The stream of a base or a part of it, below the dataset's: all vocabularies of the same puzzles share one."""
    for name in names:
        stream = stream.child(name)
    return stream


@lru_cache(maxsize=256)
def tables(kinds: tuple[str, ...], n: int, target: int = -1) -> list[list[list[Statement]]]:
    """What each speaker can say, by kind; with a target world only what fits it."""
    if target < 0:
        names = names_of(n)
        return [[list(statements(kind, speaker, names)) for kind in kinds] for speaker in range(n)]
    bit = 1 << target
    return [[[one for one in kind if one.mask & bit] for kind in speaker] for speaker in tables(kinds, n)]


def drawn(design: str, set_name: str, n: int, stream: Stream, index: int) -> Drawn:
    """Puzzle `index` of a design. Raises UsageError where there are not so many."""
    name = f"{design}-{set_name}-{n}"
    if design == "large":
        puzzle, solution = large_puzzle(below(stream, name).child(index), n)
        return Drawn(puzzle, (solution,))
    if design in ("balanced", "identity"):
        number, side = divmod(index, 2)
        lowest = 0 if design == "balanced" else 1
        target, rank = _target(stream, name, n, lowest, n - lowest, number)
        # A world and its opposite share one sequence: even places for the one, odd places for the other.
        opposite = (1 << n) - 1 - target
        low = min(target, opposite)
        puzzles = _sequence(stream, name, set_name, n, low, _OUTCOMES[1]).puzzles(2 * rank + (target != low))
        world = opposite if side else target
        return Drawn(puzzles[world != low], (_letters(world, n),))
    if design == "number":
        turn, place = divmod(index, 3)
        outcome = _OUTCOMES[permuted(place, 3, _keys(stream, name, "outcome"), turn)]
    else:
        turn, outcome = index, next((one for one in _OUTCOMES if one[0] == design), _OUTCOMES[1])
    puzzle = _sequence(stream, name, set_name, n, -1, outcome).puzzles(turn)[0]
    return Drawn(puzzle, _solutions(puzzle))


def capacity(design: str, set_name: str, n: int, stream: Stream) -> int | None:
    """How many different puzzles there are; None where nobody will ask for so many.

    Of three characters `balanced` and `identity` have about this many: which puzzles are paired depends on the seed.
    """
    name = f"{design}-{set_name}-{n}"
    if design == "large":
        return None
    if design in ("balanced", "identity"):
        lowest = 0 if design == "balanced" else 1
        cycle = [
            len(_sequence(stream, name, set_name, n, (1 << k) - 1, _OUTCOMES[1])) // 2 * comb(n, k)
            for k in range(lowest, n // 2 + 1)
        ]
        found = 2 * min(cycle) * (n + 1 - 2 * lowest)
    elif design == "number":
        found = 3 * min(len(_sequence(stream, name, set_name, n, -1, outcome)) for outcome in _OUTCOMES)
    else:
        outcome = next((one for one in _OUTCOMES if one[0] == design), _OUTCOMES[1])
        found = len(_sequence(stream, name, set_name, n, -1, outcome))
    return found if found < 10_000_000 else None


@lru_cache(maxsize=256)
def _keys(stream: Stream, name: str, what: str) -> Keys:
    return keys(below(stream, name).child(what))


def _target(stream: Stream, name: str, n: int, lowest: int, highest: int, index: int) -> tuple[int, int]:
    """The world of item `index`, and how many items before it have the same one.

    Every round of items has each number of knights once; every cycle of a number has each choice of knights once.
    """
    turn, place = divmod(index, highest - lowest + 1)
    knights = lowest + permuted(place, highest - lowest + 1, _keys(stream, name, "knights"), turn)
    choices = list(combinations(range(n), knights))
    rank, place = divmod(turn, len(choices))
    chosen = choices[permuted(place, len(choices), _keys(stream, name, "who"), rank * (n + 1) + knights)]
    return sum(1 << character for character in chosen), rank


@lru_cache(maxsize=256)
def _sequence(stream: Stream, name: str, set_name: str, n: int, target: int, outcome: tuple[str, Fit]) -> Sequence:
    share, block = _SHARES[set_name], _BLOCK
    label, fit = outcome
    if label != "one":
        share = 0.15
    sides = [tables(SETS[set_name], n, target)]
    if target >= 0:
        share, block = 0.06, _TARGET_BLOCK
        sides.append(tables(SETS[set_name], n, (1 << n) - 1 - target))
    return Sequence(sides, below(stream, name).child(label).child(target), fit, share, block)


def _solutions(puzzle: tuple[Statement, ...]) -> tuple[str, ...]:
    fits = -1
    for one in puzzle:
        fits &= one.mask
    return _worlds(fits, len(puzzle))


@lru_cache(maxsize=4096)
def _worlds(fits: int, n: int) -> tuple[str, ...]:
    return tuple(sorted(_letters(world, n) for world in range(1 << n) if fits >> world & 1))


def _letters(world: int, n: int) -> str:
    return "".join("K" if world >> character & 1 else "N" for character in range(n))
