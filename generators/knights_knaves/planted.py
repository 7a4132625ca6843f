"""Subsets with planted solutions: the ladder of difficulty, and the pairs that test memorisation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from hansproof.generators.dataset import Draft, MatchedConditions, Subset
from hansproof.generators.knights_knaves.claims import (
    Claim,
    Settling,
    World,
    claim,
    evenly,
    letters_of,
    planted,
    redrawn,
    worded,
)
from hansproof.generators.knights_knaves.difficulty import Needs, hard, needs, solved
from hansproof.generators.knights_knaves.distinct import Bundle, Cell, Drawn, Start, bundle
from hansproof.generators.knights_knaves.drawing import names_of
from hansproof.generators.knights_knaves.explaining import FORMS
from hansproof.generators.knights_knaves.formula import clauses, sat_solutions
from hansproof.generators.knights_knaves.puzzle import TERMS, Plan, answer, cell_of, draft
from hansproof.generators.knights_knaves.sets import LAST
from hansproof.generators.stream import Stream

__all__ = ["LADDER", "MEMORISATION", "opposites"]

# | rung | what it takes (see `needs`) | characters |
# |---|---|---|
# | `none` | no supposition: one statement after the other settles somebody | 3 and more |
# | `one` | one supposition that fails | 3 and more |
# | `several` | several that fail, one after the other | 4 and more |
# | `nested` | a supposition within a supposition | 8 and more |
#
# Of two neighbours of a rung, the second has the opposite solution of the first, so every character is a knight exactly
# as often as a knave.

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


def _places(candidates: Callable[[Stream, int, int], Iterator[Bundle]], n: int) -> Start:
    return lambda stream, block: partial(candidates, stream.child(block), n)


def _ladder_candidates(stream: Stream, n: int, place: int) -> Iterator[Bundle]:
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
            return _drawn(claims, world)


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


_LADDER_CELLS = {
    n: Cell(
        f"ladder-{n}", len(rungs(n)) * _ON_A_RUNG.get(n, _MANY), _places(_ladder_candidates, n), capacity=_FEW.get(n)
    )
    for n in SIZES
}


def _make_ladder(stream: Stream, index: int) -> Draft:
    place, number = cell_of(index, tuple(_LADDER_CELLS.values()))
    n = SIZES[place]
    if n <= _TABLES:
        (drawn,) = bundle(stream, _LADDER_CELLS[n], number)
    else:  # among so many characters, no two puzzles will ever be the same by chance
        (drawn,) = next(_ladder_candidates(stream.child("ladder").child(n), n, number))
    need = needs(drawn.puzzle, _DEEPEST)
    assert need is not None  # it stands on a rung
    more = {"rung": rung_of(need), "refuted": need.refuted}
    return draft(drawn, "ladder", "all", rung_of(need), "knights", more=more)


LADDER = {
    "ladder": Plan(
        _make_ladder,
        Subset(
            rows=sum(cell.rows for cell in _LADDER_CELLS.values()),
            description="3 to 40 characters, from puzzles without any supposition to suppositions within suppositions.",
            form=FORMS["all"],
            audit_target="first",
            exploit="what a conjunction says of somebody else is true in two cases of three",
        ),
    )
}
"""The one subset of the room."""

# After Xie et al. (2024). The three puzzles of a group differ in one word of one statement of the form "if this, then
# that; otherwise, something else": a word in the part that applies changes the answer, a word in the other part does
# not. `original` and `other-answer` are drawn alike, and a coin decides which is which: whoever does not remember the
# original gives either one's answer to the other equally often.

CONDITIONS = ("original", "same-answer", "other-answer")
_SIZES = (5, 6, 8, 10)
_GROUPS = 125
"""Of each size."""
_MOVED = 2
"""How many characters at least are something else in `other-answer`: the speaker alone would be too easy to guess."""


def _memorisation_candidates(stream: Stream, n: int, place: int) -> Iterator[Bundle]:
    draws, world = stream.child(place), opposites(stream.child("solution"), n, place)
    while True:
        yield from _groups(draws, world)


def _groups(draws: Stream, world: World) -> Iterator[Bundle]:
    """The groups that one draw gives: one, or none."""
    claims = evenly(draws, world)
    need = needs(claims, 2) if solved(claims) == world else None
    for speaker in draws.shuffled(range(len(world))) if need is not None else ():
        said = claims[speaker]
        if said.kind != "alternative":
            continue
        # Of the two parts that may apply, the first does where what is said of the first character is true.
        part = 1 if said.knights[0] == world[said.about[0]] else 2
        other = _changed(claims, speaker, part)
        solution = solved(other)
        if solution is None or sum(map(bool.__ne__, solution, world)) < _MOVED:
            continue
        now = 1 if said.knights[0] == solution[said.about[0]] else 2
        puzzles = [(claims, world), (_changed(claims, speaker, 3 - part), world), (other, solution)]
        mirror = _changed(other, speaker, 3 - now)  # what `same-answer` would be if the roles were swapped
        if solved(puzzles[1][0]) != world or solved(mirror) != solution:
            continue
        if any(needs(puzzle, 2) != need for puzzle in (puzzles[1][0], other, mirror)):
            continue
        if draws.coin():
            puzzles = [puzzles[2], (mirror, solution), puzzles[0]]
        yield tuple(_drawn(*puzzle) for puzzle in puzzles)
        return


def _changed(claims: tuple[Claim, ...], speaker: int, part: int) -> tuple[Claim, ...]:
    """The puzzle with `knight` for `knave`, or the other way round, in one part of a statement."""
    said = claims[speaker]
    knights = tuple(knight != (place == part) for place, knight in enumerate(said.knights))
    return (*claims[:speaker], claim(said.kind, speaker, said.about, knights), *claims[speaker + 1 :])


def _drawn(claims: tuple[Claim, ...], world: World) -> Drawn:
    names = names_of(len(world))
    return Drawn(tuple(worded(said, speaker, names) for speaker, said in enumerate(claims)), (letters_of(world),))


_MEMORISATION_CELLS = {
    n: Cell(f"memorisation-{n}", _GROUPS, _places(_memorisation_candidates, n), (LAST[n],)) for n in _SIZES if n in LAST
}


def _make_memorisation(stream: Stream, index: int) -> Draft:
    group, place = divmod(index, len(CONDITIONS))
    number, size = divmod(group, len(_SIZES))
    n = _SIZES[size]
    if n in _MEMORISATION_CELLS:
        puzzles = bundle(stream, _MEMORISATION_CELLS[n], number)
    else:  # only small ones could come twice by chance
        puzzles = next(_memorisation_candidates(stream.child("memorisation").child(n), n, number))
    original, drawn = puzzles[0], puzzles[place]
    need = needs(drawn.puzzle, 2)
    assert need is not None  # it was drawn so
    changed = [said != other for said, other in zip(original.puzzle, puzzles[1].puzzle, strict=True)].index(True)
    names = names_of(n)
    more = {
        "refuted": need.refuted,
        "changed": names[changed],
        "swapped_answer": answer(puzzles[0 if place == 2 else 2].solutions, names, TERMS["knights"]),
        "moved": sum(map(str.__ne__, original.solutions[0], drawn.solutions[0])),
    }
    return draft(drawn, "balanced", "all", CONDITIONS[place], "knights", group=original.key, more=more)


MEMORISATION = {
    "memorisation": Plan(
        _make_memorisation,
        Subset(
            rows=len(CONDITIONS) * len(_SIZES) * _GROUPS,
            description="5 to 10 characters; one word is changed, so that the answer changes or does not.",
            form=FORMS["all"],
            matched=MatchedConditions(CONDITIONS[0], CONDITIONS[1:]),
            audit_target="first",
            balanced=True,
        ),
    )
}
"""The one subset of the room."""
