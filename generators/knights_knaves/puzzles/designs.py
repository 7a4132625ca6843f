"""Which puzzle is item i of a subset: the paper's sets, and subsets in which something is held constant.

`paper` and `wide`: draws as they come. `balanced`: the solution is drawn first, with a uniform number of knights and
then uniform knights, and only statements that fit it are used; a second puzzle has the same kinds of statement, and
everybody is the opposite, so the kind of a statement does not tell what its speaker is. `identity`: the same with at
least one of each, and two questions about each puzzle. `none`, `several`: draws with no solution, or with two to four.
`number`: none, one and several in turn, shuffled.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from generators.knights_knaves.puzzles.large import large_puzzle, names_of
from generators.knights_knaves.puzzles.permutation import Keys, keys, permuted
from generators.knights_knaves.puzzles.sequence import Fit, Sequence
from generators.knights_knaves.puzzles.statements import SETS, Statement, statements
from generators.stream import Stream

__all__ = ["ONE", "OUTCOMES", "VERSION", "Drawn", "Outcome", "below", "drawn", "sequence_of", "tables"]

VERSION = "1.0.0"
"""Of the generator: it changes whenever the bytes of an item do."""

Outcome = tuple[str, Fit]
"""The name of a stream, and how many solutions its puzzles have."""

ONE: Outcome = ("one", Fit(1, 1))
OUTCOMES: tuple[Outcome, ...] = (("none", Fit(0, 0)), ONE, ("several", Fit(2, 4)))
_BLOCK = 100
_TARGET_BLOCK = 4  # items of one solution are few, and there are up to 64 solutions
# Lower bounds of the chance that a draw fits, by set; the lowest published ones are .09 (S), .47 (I) and .42 (E).
_SHARES = {"S": 0.075, "I": 0.4, "E": 0.4, "wide": 0.3}


class Drawn(NamedTuple):
    """A puzzle, and all its solutions."""

    puzzle: tuple[Statement, ...]
    solutions: tuple[str, ...]
    """Strings of K and N in the order of the characters, sorted."""


@lru_cache(maxsize=256)
def below(stream: Stream, *names: str) -> Stream:
    """The stream of a base, or of a part of it: all vocabularies of the same puzzles share one."""
    for name in names:
        stream = stream.child(name)
    return stream


@lru_cache(maxsize=256)
def tables(kinds: tuple[str, ...], n: int, target: int = -1) -> list[list[list[Statement]]]:
    """What each speaker can say, by kind; if there is a target world, only what fits it."""
    if target < 0:
        names = names_of(n)
        return [[list(statements(kind, speaker, names)) for kind in kinds] for speaker in range(n)]
    bit = 1 << target
    return [[[said for said in kind if said.mask & bit] for kind in speaker] for speaker in tables(kinds, n)]


def drawn(design: str, set_name: str, n: int, stream: Stream, index: int) -> Drawn:
    """Puzzle `index` of a design. Raises UsageError where there are fewer."""
    name = f"{design}-{set_name}-{n}"
    if design == "large":
        puzzle, solution = large_puzzle(below(stream, name).child(index), n)
        return Drawn(puzzle, (solution,))
    if design in ("balanced", "identity"):
        number, side = divmod(index, 2)
        lowest = 0 if design == "balanced" else 1
        target, rank = _target(stream, name, n, lowest, n - lowest, number)
        # A world and its opposite share a sequence: one has the even places, the other the odd ones.
        opposite = (1 << n) - 1 - target
        low = min(target, opposite)
        puzzles = sequence_of(stream, name, set_name, n, low, ONE).puzzles(2 * rank + (target != low))
        world = opposite if side else target
        return Drawn(puzzles[world != low], (_letters(world, n),))
    if design == "number":
        turn, place = divmod(index, 3)
        outcome = OUTCOMES[permuted(place, 3, _keys(stream, name, "outcome"), turn)]
    else:
        turn, outcome = index, next((outcome for outcome in OUTCOMES if outcome[0] == design), ONE)
    puzzle = sequence_of(stream, name, set_name, n, -1, outcome).puzzles(turn)[0]
    return Drawn(puzzle, _solutions(puzzle))


@lru_cache(maxsize=256)
def _keys(stream: Stream, name: str, what: str) -> Keys:
    return keys(below(stream, name).child(what))


def _target(stream: Stream, name: str, n: int, lowest: int, highest: int, index: int) -> tuple[int, int]:
    """The world of item `index`, and how many items before it have the same one.

    Every round of items has each number of knights once; for each number, every cycle has each choice of knights once.
    """
    turn, place = divmod(index, highest - lowest + 1)
    knights = lowest + permuted(place, highest - lowest + 1, _keys(stream, name, "knights"), turn)
    choices = list(combinations(range(n), knights))
    rank, place = divmod(turn, len(choices))
    chosen = choices[permuted(place, len(choices), _keys(stream, name, "who"), rank * (n + 1) + knights)]
    return sum(1 << character for character in chosen), rank


@lru_cache(maxsize=256)
def sequence_of(stream: Stream, name: str, set_name: str, n: int, target: int, outcome: Outcome) -> Sequence:
    """The sequence that a design draws its puzzles from; with a target world, pairs for it and for its opposite."""
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
    for said in puzzle:
        fits &= said.mask
    return _worlds(fits, len(puzzle))


@lru_cache(maxsize=4096)
def _worlds(fits: int, n: int) -> tuple[str, ...]:
    return tuple(sorted(_letters(world, n) for world in range(1 << n) if fits >> world & 1))


def _letters(world: int, n: int) -> str:
    return "".join("K" if world >> character & 1 else "N" for character in range(n))
