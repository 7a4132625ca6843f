"""Balanced puzzles: neither the kind of a statement, nor how it is put, nor whom it names tells who lies.

Every world is equally frequent, and the statements of a puzzle are drawn without looking at it; only then are their
polarities set so that the world fits. This can be done because each kind of statement here stays of its kind when it is
denied and when somebody mentioned is swapped for the opposite: such a swap turns every puzzle into another one with the
same kinds and mentions, whose solution differs in that one character. So over all puzzles neither the kind of what
somebody says, nor how it is put, nor what one statement says of somebody goes with the truth.

No conjunction, disjunction or implication can be like this. A conjunction is true in one case of four: whoever says one
lies more often than not. If as many truth-tellers as liars said it, what it says of a character would be true in two
cases of three, unless liars are wrong in both parts, which is a hint of another kind.

Accusations are left out where everybody is asked about. They tell nothing of a single character, but of the two
concerned one lies, so guessing that the accused does would get whole puzzles right twice as often as chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from generators.dataset import Draft, Subset
from generators.knights_knaves.plan import Plan
from generators.knights_knaves.puzzles.distinct import BLOCK, Bundle, Cell, Drawn, bundle
from generators.knights_knaves.puzzles.large import names_of
from generators.knights_knaves.puzzles.permutation import keys, permuted
from generators.knights_knaves.puzzles.puzzle import cell_of, draft
from generators.knights_knaves.puzzles.statements import SETS, Statement, alternative, nested, pair, single
from generators.knights_knaves.replies.forms import form_asked
from generators.knights_knaves.sets.faithful import FAITHFUL_CELLS, SIZES
from generators.stream import Stream

__all__ = ["BALANCED", "BALANCED_CELLS"]

# Whole rounds: of all 2^n worlds, and of all pairs of characters with all answers about them. Three characters have
# 120 such puzzles, 15 of which say that everybody is truthful, and set E takes some; so there is one round for them.
_WORLDS = {4: 25 * 16, 5: 12 * 32, 6: 6 * 64}
_PAIRS = {3: 24, 4: 4 * 48, 5: 3 * 80, 6: 2 * 120}
_MANY = 1_000_000  # as many as there are of any other size
World = tuple[bool, ...]


def _statement(stream: Stream, kinds: Sequence[str], world: World, speaker: int) -> Statement:
    """What `speaker` says in `world`: kind and mentions are uniform, and so are polarities among those that fit."""
    n, truthful = len(world), world[speaker]
    kind = stream.choice(kinds)
    others = [character for character in range(n) if character != speaker]
    if kind == "accusation":
        about = stream.choice(others)
        return _single(speaker, about, world[about] == truthful, n)
    if kind == "nested":
        reporter, about = stream.sample(others, 2)
        return _nested(speaker, reporter, about, world[about] == (world[reporter] == truthful), n)
    if kind == "alternative":
        first, second, third = stream.sample(others, 3)
        held, free = stream.coin(), stream.coin()
        chosen, other = (second, third) if held == world[first] else (third, second)
        knights = {chosen: world[chosen] == truthful, other: free}
        return _alternative(speaker, (first, second, third), (held, knights[second], knights[third]), n)
    first, second = stream.sample(others, 2)
    held = stream.coin()
    alike = truthful == (kind == "equivalence")  # whether both parts are right, or both wrong
    right = (held == world[first]) == alike
    return _pair(kind, speaker, (first, second), (held, world[second] == right), n)


@lru_cache(maxsize=4096)
def _single(speaker: int, about: int, knight: bool, n: int) -> Statement:
    return single("accusation", speaker, about, knight, names_of(n))


@lru_cache(maxsize=4096)
def _nested(speaker: int, reporter: int, about: int, knight: bool, n: int) -> Statement:
    return nested(speaker, reporter, about, knight, names_of(n))


@lru_cache(maxsize=16_384)
def _pair(kind: str, speaker: int, about: tuple[int, int], knights: tuple[bool, bool], n: int) -> Statement:
    return pair(kind, speaker, about, knights, names_of(n))


@lru_cache(maxsize=16_384)
def _alternative(speaker: int, about: tuple[int, int, int], knights: tuple[bool, bool, bool], n: int) -> Statement:
    return alternative(speaker, about, knights, names_of(n))


def _puzzles(stream: Stream, set_name: str, world: World) -> Iterator[Bundle]:
    """Puzzles whose only solution is `world`, without end."""
    letters = "".join("K" if knight else "N" for knight in world)
    kinds = [kind for kind in SETS[set_name] if kind != "alternative" or len(world) > 3]  # it is about three others
    only = 1 << sum(1 << place for place, knight in enumerate(world) if knight)
    while True:
        puzzle = tuple([_statement(stream, kinds, world, speaker) for speaker in range(len(world))])
        fits = -1
        for said in puzzle:
            fits &= said.mask
        if fits == only:
            yield (Drawn(puzzle, (letters,)),)


def _everybody(stream: Stream, n: int, number: int) -> World:
    """The world of puzzle `number`: all 2^n of them come once before any comes twice."""
    turn, place = divmod(number, 1 << n)
    world = permuted(place, 1 << n, keys(stream.child("worlds")), turn)
    return tuple(bool(world >> character & 1) for character in range(n))


def _asked(stream: Stream, n: int, number: int) -> tuple[tuple[int, int], tuple[bool, bool]]:
    """Which two characters are asked about in puzzle `number`, and whether they are truth-tellers.

    Every ordered pair of characters with every pair of answers comes once before any comes twice.
    """
    turn, place = divmod(number, 4 * n * (n - 1))
    pair, answers = divmod(permuted(place, 4 * n * (n - 1), keys(stream.child("asked")), turn), 4)
    first, other = divmod(pair, n - 1)
    return (first, other + (other >= first)), (answers >= 2, answers % 2 == 1)


def _world_with(stream: Stream, n: int, number: int) -> World:
    """A world for the two characters that are asked about, everybody else at random."""
    who, knights = _asked(stream, n, number)
    draws = stream.child("others").child(number)
    world = [draws.coin() for _ in range(n)]
    for character, knight in zip(who, knights, strict=True):
        world[character] = knight
    return tuple(world)


def _start(
    set_name: str, n: int, world: Callable[[Stream, int, int], World]
) -> Callable[[Stream, int], Callable[[int], Iterator[Bundle]]]:
    def start(stream: Stream, block: int) -> Callable[[int], Iterator[Bundle]]:
        def candidates(place: int) -> Iterator[Bundle]:
            number = block * BLOCK + place
            return _puzzles(stream.child("puzzles").child(number), set_name, world(stream, n, number))

        return candidates

    return start


_EVERYBODY = {
    n: Cell(f"balanced-{n}", rows, _start("balanced", n, _everybody), (FAITHFUL_CELLS["S", n],))
    for n, rows in _WORLDS.items()
}
_CHARACTER = {
    n: Cell(
        f"character-{n}",
        rows,
        _start("character", n, _world_with),
        (_EVERYBODY.get(n, FAITHFUL_CELLS["S", n]),),
        rows if n == 3 else _MANY,
    )
    for n, rows in _PAIRS.items()
}

BALANCED_CELLS: dict[int, tuple[Cell, ...]] = {
    n: tuple(cells[n] for cells in (_EVERYBODY, _CHARACTER) if n in cells) for n in SIZES
}
"""Number of characters -> its cells, in the order in which they take puzzles."""


def _make_all(stream: Stream, index: int) -> Draft:
    place, number = cell_of(index, tuple(_EVERYBODY.values()))
    return draft(bundle(stream, _EVERYBODY[tuple(_WORLDS)[place]], number)[0], "balanced", "all", "balanced")


def _make_one(stream: Stream, index: int) -> Draft:
    puzzle, question = divmod(index, 2)
    place, number = cell_of(puzzle, tuple(_CHARACTER.values()))
    n = SIZES[place]
    cell = _CHARACTER[n]
    who, _ = _asked(stream.child(cell.name), n, number)
    drawn = bundle(stream, cell, number)[0]
    return draft(drawn, "character", "one", "character", who=names_of(n)[who[question]])


BALANCED = {
    "balanced": Plan(
        _make_all,
        Subset(
            rows=sum(cell.rows for cell in _EVERYBODY.values()),
            description="4 to 6 characters, one solution: all 2^n equally frequent, and no hint on the surface.",
            form=form_asked("all"),
            audit_target="first",
            balanced=True,
        ),
    ),
    "character": Plan(
        _make_one,
        Subset(
            rows=2 * sum(cell.rows for cell in _CHARACTER.values()),
            description="Is one of 3 to 6 characters truthful or lying? Two questions a puzzle; no surface hint.",
            form=form_asked("one"),
            limit=2 * (_PAIRS[3] + (len(SIZES) - 1) * _MANY),
            balanced=True,
        ),
    ),
}
"""Two questions: everybody, and one character."""
