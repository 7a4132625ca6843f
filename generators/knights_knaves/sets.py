"""The paper's sets, the balanced sets, and the sets in which solutions are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial

from hansproof.generators.dataset import Draft, MatchedConditions, Subset
from hansproof.generators.knights_knaves.distinct import BLOCK, Bundle, Candidates, Cell, Drawn, bundle
from hansproof.generators.knights_knaves.drawing import PuzzleSequence, keys, names_of, permuted, sayings, worlds_of
from hansproof.generators.knights_knaves.explaining import FORMS
from hansproof.generators.knights_knaves.puzzle import OUTCOMES, TERMS, Ask, Plan, cell_of, draft
from hansproof.generators.knights_knaves.statements import SETS, Statement, alternative, nested, pair, single
from hansproof.generators.stream import Stream

__all__ = ["BALANCED", "COUNTS", "FAITHFUL", "LAST"]

# The paper's law; each puzzle in three vocabularies, as items of one group. Set S with three characters has only 152
# different puzzles, 136 of which are in sets I and E as well; what they take, S leaves out: 70 are left.

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
def _sequence(stream: Stream, set_name: str, n: int) -> PuzzleSequence:
    tables = [[sayings(kind, speaker, n) for kind in SETS[set_name]] for speaker in range(n)]
    return PuzzleSequence(tables, stream, _SHARES[set_name])


def _faithful_start(set_name: str, n: int, stream: Stream, block: int) -> Candidates:
    sequence = _sequence(stream, set_name, n)
    width = _SMALL if len(sequence) <= _SMALL else _CANDIDATES
    puzzles = sequence.stretch(block * width, (block + 1) * width)
    bundles = ((Drawn(puzzle, worlds_of(puzzle)),) for puzzle in puzzles)
    return lambda place: bundles


@cache
def _cell(set_name: str, n: int) -> Cell:
    few = _FEW.get((set_name, n))
    earlier = {"E": (), "I": ("E",), "S": ("E", "I")}[set_name]
    rows = min(few or _PUZZLES, _PUZZLES)
    start = partial(_faithful_start, set_name, n)
    return Cell(f"{set_name}-{n}", rows, start, tuple(_cell(other, n) for other in earlier), few)


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
        form=FORMS["all"],
        limit=None if None in capacities else len(TERMS) * sum(few for few in capacities if few),
        matched=MatchedConditions("jabbas", tuple(terms for terms in TERMS if terms != "jabbas")),
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

# Statements are drawn without looking at the world; only then are their polarities set so that it fits. Each kind here
# stays of its kind when it is denied and when somebody mentioned is swapped for the opposite: such a swap turns every
# puzzle into one with the same kinds and mentions, whose solution differs in that one character. So neither the kind of
# what somebody says, nor how it is put, nor what one statement says of somebody goes with the truth.
#
# No conjunction, disjunction or implication can be like this: a conjunction is true in one case of four, so whoever
# says one lies more often than not. If as many truth-tellers as liars said it, what it says of a character would be
# true in two cases of three, unless liars are wrong in both parts, which is a hint of another kind. Accusations are
# left out where everybody is asked about: of the two concerned one lies, so guessing that the accused does would get
# whole puzzles right twice as often as chance.

# Whole rounds: of all 2^n worlds, and of all pairs of characters with all answers about them. Three characters have
# 120 such puzzles, 15 of which say that everybody is truthful, and set E takes some; so there is one round for them.
_WORLDS = {4: 25 * 16, 5: 12 * 32, 6: 6 * 64}
_PAIRS = {3: 24, 4: 4 * 48, 5: 3 * 80, 6: 2 * 120}
_MANY = 1_000_000  # as many as there are of any other size
World = tuple[bool, ...]


def _statement(stream: Stream, kinds: Sequence[str], world: World, speaker: int) -> Statement:
    """What `speaker` says in `world`: kind and mentions are uniform, and so are polarities among those that fit."""
    names, truthful = names_of(len(world)), world[speaker]
    kind = stream.choice(kinds)
    others = [character for character in range(len(world)) if character != speaker]
    if kind == "accusation":
        about = stream.choice(others)
        return single(kind, speaker, about, world[about] == truthful, names)
    if kind == "nested":
        reporter, about = stream.sample(others, 2)
        return nested(speaker, reporter, about, world[about] == (world[reporter] == truthful), names)
    if kind == "alternative":
        first, second, third = stream.sample(others, 3)
        held, free = stream.coin(), stream.coin()
        chosen, other = (second, third) if held == world[first] else (third, second)
        knights = {chosen: world[chosen] == truthful, other: free}
        return alternative(speaker, (first, second, third), (held, knights[second], knights[third]), names)
    first, second = stream.sample(others, 2)
    held = stream.coin()
    alike = truthful == (kind == "equivalence")  # whether both parts are right, or both wrong
    right = (held == world[first]) == alike
    return pair(kind, speaker, (first, second), (held, world[second] == right), names)


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


def _balanced_start(
    set_name: str, n: int, world: Callable[[Stream, int, int], World], stream: Stream, block: int
) -> Candidates:
    def candidates(place: int) -> Iterator[Bundle]:
        number = block * BLOCK + place
        return _puzzles(stream.child("puzzles").child(number), set_name, world(stream, n, number))

    return candidates


_EVERYBODY = {
    n: Cell(f"balanced-{n}", rows, partial(_balanced_start, "balanced", n, _everybody), (FAITHFUL_CELLS["S", n],))
    for n, rows in _WORLDS.items()
}
_CHARACTER = {
    n: Cell(
        f"character-{n}",
        rows,
        partial(_balanced_start, "character", n, _world_with),
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
    cells = tuple(_EVERYBODY.values())
    place, number = cell_of(index, cells)
    return draft(bundle(stream, cells[place], number)[0], "balanced", "all", "balanced")


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
            form=FORMS["all"],
            audit_target="first",
            balanced=True,
        ),
    ),
    "character": Plan(
        _make_one,
        Subset(
            rows=2 * sum(cell.rows for cell in _CHARACTER.values()),
            description="Is one of 3 to 6 characters truthful or lying? Two questions a puzzle; no surface hint.",
            form=FORMS["one"],
            limit=2 * (_PAIRS[3] + (len(SIZES) - 1) * _MANY),
            balanced=True,
        ),
    ),
}
"""Two questions: everybody, and one character."""

# Puzzles come in threes, with no, one and several solutions, with the same kinds of statement (those of set E) speaker
# by speaker, and as many denials in the whole puzzle, so that neither tells how many solutions there are.

_THREES = 100  # in a release, of each size
_MOST = 4  # solutions of a puzzle with several
_TRIES = 500  # draws for one of the three, after which kinds and denials are drawn anew


def _puzzle(stream: Stream, kinds: Sequence[str]) -> tuple[Statement, ...]:
    return tuple([stream.choice(sayings(kind, speaker, len(kinds))) for speaker, kind in enumerate(kinds)])


def _denials(puzzle: Sequence[Statement]) -> int:
    return sum(said.notation.count("~") for said in puzzle)


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
            if len(worlds) <= _MOST:
                drawn.setdefault(min(len(worlds), 2), Drawn(puzzle, worlds))
            if drawn.keys() >= {0, 1, 2}:
                yield tuple(drawn[outcome] for outcome in range(3))
                break


def _counts_start(n: int, stream: Stream, block: int) -> Candidates:
    return lambda place: _threes(stream.child(block * BLOCK + place), n)


def _cells(name: str, after: Sequence[Cell]) -> tuple[Cell, ...]:
    # With three characters there are few such puzzles, and two subsets share them.
    return tuple(
        Cell(f"{name}-{n}", _THREES, partial(_counts_start, n), (earlier,), _THREES if n == 3 else None)
        for n, earlier in zip(SIZES, after, strict=True)
    )


_NUMBER = _cells("number", [BALANCED_CELLS[n][-1] for n in SIZES])
_SOLUTIONS = _cells("solutions", _NUMBER)


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
            form=FORMS["number"],
            balanced=True,
        ),
    ),
    "solutions": Plan(
        _make(_SOLUTIONS, "open"),
        Subset(
            rows=3 * sum(cell.rows for cell in _SOLUTIONS),
            description="3 to 6 characters, set E, no, one or two to four solutions: which are they?",
            form=FORMS["open"],
            audit_target="outcome",
        ),
    ),
}
"""Two questions: how many solutions there are, and which."""

LAST: dict[int, Cell] = dict(zip(SIZES, _SOLUTIONS, strict=True))
"""Number of characters -> the last cell of this size: a new room names it in `after` of its own."""
