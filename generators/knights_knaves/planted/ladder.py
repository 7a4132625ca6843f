"""The ladder: 3 to 40 characters, and four rungs by the suppositions that a solution takes.

| rung | what it takes (see `needs`) | characters |
|---|---|---|
| `none` | no supposition: one statement after the other settles somebody | 3 and more |
| `one` | one supposition that fails | 3 and more |
| `several` | several that fail, one after the other | 4 and more |
| `nested` | a supposition within a supposition | 8 and more |

All sizes take turns, and within a size all rungs that it has. Of two neighbours of a rung, the second has the opposite
solution of the first, so every character is a knight exactly as often as a knave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from generators.dataset import Draft, Subset
from generators.knights_knaves.plan import Plan
from generators.knights_knaves.planted.claims import Claim, World, letters_of, planted, redrawn, worded
from generators.knights_knaves.planted.needs import Needs, hard, needs
from generators.knights_knaves.planted.settling import Settling
from generators.knights_knaves.puzzles.distinct import Bundle, Cell, Drawn, bundle
from generators.knights_knaves.puzzles.large import names_of
from generators.knights_knaves.puzzles.puzzle import cell_of, draft
from generators.knights_knaves.replies.forms import form_asked
from generators.knights_knaves.satisfiability import clauses, sat_solutions
from generators.stream import Stream

__all__ = ["LADDER", "OURS", "SIZES", "one_solution", "opposites", "rung_of", "rungs"]

SIZES = (3, 4, 5, 6, 8, 10, 15, 20, 30, 40)
"""The numbers of characters."""

_ON_A_RUNG = {3: 144, 4: 208, 5: 224, 6: 256}
"""Puzzles of a size on each rung: whole rounds of all solutions, but with three characters there are no more."""
_MANY = 200
"""The same for larger sizes."""
_DEEPEST = 2
_RARE = 10  # with more characters than this, fewer than one random puzzle in twenty needs no supposition
_MOST = {"none": 0, "one": 1, "several": None}
_TABLES = 6
_FEW = {3: 300}  # on both rungs; more run out under some seeds
_FROM = {"none": 3, "one": 3, "several": 4, "nested": 8}
OURS = {"disjunction", "exclusive", "nested"}
"""Kinds that the paper lacks. Each puzzle has one of these, and also a conjunction, disjunction or implication, so no
other subset has it."""


def rungs(n: int) -> tuple[str, ...]:
    """The rungs that puzzles about n characters can stand on."""
    return tuple(rung for rung, least in _FROM.items() if n >= least)


def rung_of(need: Needs) -> str:
    """The rung of a puzzle that takes these suppositions."""
    if need.depth > 1:
        return "nested"
    return ("none", "one")[need.refuted] if need.refuted < 2 else "several"


def opposites(stream: Stream, n: int, turn: int) -> World:
    """The solution of a turn. Where it is odd, the opposite of the one before; up to six characters, every round of
    turns has each solution once."""
    number, second = divmod(turn, 2)
    if n > _TABLES:
        draws = stream.child(number)
        return tuple(draws.coin() != bool(second) for _ in range(n))
    cycle, place = divmod(number, 2 ** (n - 1))
    code = stream.child(cycle).shuffled(range(2 ** (n - 1)))[place]
    return tuple(bool(code >> character & 1) != bool(second) for character in range(n))


def _start(n: int) -> Callable[[Stream, int], Callable[[int], Iterator[Bundle]]]:
    def start(stream: Stream, block: int) -> Callable[[int], Iterator[Bundle]]:
        return lambda place: _candidates(stream.child(block), n, place)

    return start


def _candidates(stream: Stream, n: int, place: int) -> Iterator[Bundle]:
    levels = rungs(n)
    turn, level = divmod(place, len(levels))
    draws, world = stream.child(place), opposites(stream.child(levels[level]), n, turn)
    while True:
        yield (_puzzle(draws, world, levels[level]),)


def _puzzle(draws: Stream, world: World, rung: str) -> Drawn:
    """The next puzzle with this solution and no other, on this rung."""
    while True:
        claims = _chain(draws, world) if rung == "none" and len(world) > _RARE else planted(draws, world)
        if OURS.isdisjoint(said.kind for said in claims):
            continue
        need = None
        if rung != "nested":
            need = needs(claims, 1, _MOST[rung])
        elif hard(claims) and one_solution(claims):
            need = needs(claims, _DEEPEST)
        if need is not None and rung_of(need) == rung:
            names = names_of(len(world))
            puzzle = tuple(worded(said, speaker, names) for speaker, said in enumerate(claims))
            return Drawn(puzzle, (letters_of(world),))


def _chain(draws: Stream, world: World) -> tuple[Claim, ...]:
    """A puzzle that settles itself without suppositions, or nearly: among so many characters, random ones hardly do.

    Whoever is not settled says something else, as long as that does not settle fewer.
    """
    settling = Settling(list(planted(draws, world)))
    for _ in range(20 * len(world)):
        still_open = settling.open()
        if not still_open:
            break
        speaker = draws.choice(still_open)
        settling.change(speaker, redrawn(draws, world, speaker, settling.claims[speaker]))
    return tuple(settling.claims)


def one_solution(claims: Sequence[Claim]) -> bool:
    """Whether nothing fits but what the claims were drawn for, by a SAT solver."""
    ruled_out = [clause for said in claims for clause in clauses(said.scope, said.local)]
    return len(sat_solutions(ruled_out, len(claims))) == 1


_CELLS = {
    n: Cell(f"ladder-{n}", len(rungs(n)) * _ON_A_RUNG.get(n, _MANY), _start(n), capacity=_FEW.get(n)) for n in SIZES
}


def _at(stream: Stream, n: int, number: int) -> Drawn:
    """Puzzle `number` about n characters. Among more than six, no two will ever be the same by chance."""
    if n <= _TABLES:
        return bundle(stream, _CELLS[n], number)[0]
    return next(_candidates(stream.child("ladder").child(n), n, number))[0]


def _make(stream: Stream, index: int) -> Draft:
    place, number = cell_of(index, tuple(_CELLS.values()))
    n = SIZES[place]
    drawn = _at(stream, n, number)
    need = needs(drawn.puzzle, _DEEPEST)
    assert need is not None  # it stands on a rung
    more = {"rung": rung_of(need), "refuted": need.refuted}
    return draft(drawn, "ladder", "all", rung_of(need), "knights", more=more)


LADDER = {
    "ladder": Plan(
        _make,
        Subset(
            rows=sum(cell.rows for cell in _CELLS.values()),
            description="3 to 40 characters, from puzzles without any supposition to suppositions within suppositions.",
            form=form_asked("all"),
            audit_target="first",
            exploit="what a conjunction says of somebody else is true in two cases of three",
        ),
    )
}
"""The one subset of the room."""
