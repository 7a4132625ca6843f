"""Puzzles for a given solution, of which no single statement tells anything: balanced, ladder and memorisation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

from hansproof.generators.dataset import Draft, Knob, MatchedConditions, Subset
from hansproof.generators.knights_knaves.distinct import Bundle, Cell, Drawn, bundle, cell_of, worlds
from hansproof.generators.knights_knaves.explaining import FORMS
from hansproof.generators.knights_knaves.formula import clauses, sat_solutions
from hansproof.generators.knights_knaves.puzzle import TERMS, Plan, answer, draft, names_of
from hansproof.generators.knights_knaves.sets import linear
from hansproof.generators.knights_knaves.statements import (
    Puzzle,
    Statement,
    Subject,
    World,
    constraint,
    drawn,
    scope,
    subject,
)
from hansproof.generators.stream import Stream

__all__ = ["BALANCED", "LADDER", "MEMORISATION", "letters_of", "opposites", "planted"]

# Statements of even kinds alone (`statements.EVEN`): whatever single statement one looks at, a character whom it
# mentions, and the one who says it, are knights in half of the cases. A swap of one character for its opposite, and of
# what is said of it, turns every puzzle into one with the same kinds and mentions, whose solution differs in that one
# character. So neither the kind of what somebody says, nor how it is put, goes with the truth.
#
# A statement halves the number of worlds, so as many statements as characters leave about one: random puzzles are as
# hard as any of their size (Mezard, Ricci-Tersenghi & Zecchina 2003 on equations of three; mixed here with statements
# that are not linear, so that elimination does not solve them). A puzzle of more characters is as hard as its *core*:
# some of them talk only about each other, and everybody else about those who come before.

_TABLES = 12  # characters up to which truth tables are made
_BEFORE = 4  # how many of those before somebody outside of the core may be talked about: the chain stays long


def letters_of(world: World) -> str:
    """`KNK`: as in `metadata["solutions"]`."""
    return "".join("K" if knight else "N" for knight in world)


def opposites(stream: Stream, n: int, turn: int) -> World:
    """The solution of a turn. Where it is odd, the opposite of the one before; up to eight characters, every round of
    turns has each solution once."""
    number, second = divmod(turn, 2)
    if n > 8:
        draws = stream.child(number)
        return tuple(draws.coin() != bool(second) for _ in range(n))
    cycle, place = divmod(number, 2 ** (n - 1))
    code = stream.child(cycle).shuffled(range(2 ** (n - 1)))[place]
    return tuple(bool(code >> character & 1) != bool(second) for character in range(n))


def planted(stream: Stream, world: World) -> Puzzle:
    """The next puzzle of even kinds whose only solution is `world`, and that is not linear."""
    n = len(world)
    while True:
        told: set[Subject] = set()
        puzzle = tuple(drawn(stream, who, [*range(who), *range(who + 1, n)], world, told) for who in range(n))
        if not linear([said.kind for said in puzzle]) and _solved(puzzle, world) == world:
            return puzzle


def _solved(puzzle: Puzzle, hint: World) -> World | None:
    """The only solution; None where there is none or another one. `hint` is tried first where there is a solver."""
    if len(puzzle) <= _TABLES:
        solutions = worlds(puzzle)
        return tuple(kind == "K" for kind in solutions[0]) if len(solutions) == 1 else None
    rules = [clause for said in puzzle for clause in clauses(scope(said), constraint(said))]
    rules.append([-(who + 1) if knight else who + 1 for who, knight in enumerate(hint)])
    return None if sat_solutions(rules, len(puzzle), most=1) else hint


def cored(stream: Stream, world: World, core: int) -> Puzzle:
    """A puzzle with a core of so many characters, whose only solution is `world`."""
    order = stream.shuffled(range(len(world)))
    inside = planted(stream, tuple(world[character] for character in order[:core]))
    puzzle = [_renamed(said, order) for said in inside]
    told = set(map(subject, puzzle))
    puzzle += [
        drawn(stream, who, order[max(0, place - _BEFORE) : place], world, told)
        for place, who in enumerate(order[core:], core)
    ]
    return tuple(sorted(puzzle, key=lambda said: said.speaker))


def _renamed(said: Statement, names: Sequence[int]) -> Statement:
    about = [names[character] for character in said.about]
    return said._replace(speaker=names[said.speaker], about=tuple(sorted(about) if said.kind == "parity" else about))


_WORLDS = {5: 12 * 32, 6: 6 * 64, 8: 2 * 256}
"""Number of characters -> puzzles in a release: whole rounds of all solutions."""


def _balanced(n: int, stream: Stream, number: int) -> Iterator[Bundle]:
    draws, world = stream.child("puzzles").child(number), opposites(stream.child("worlds"), n, number)
    while True:
        yield (Drawn(planted(draws, world), (letters_of(world),)),)


_CELLS = {n: Cell(f"balanced-{n}", rows, partial(_balanced, n)) for n, rows in _WORLDS.items()}


def _make_balanced(stream: Stream, index: int) -> Draft:
    place, number = cell_of(index, tuple(_CELLS.values()))
    return draft(bundle(stream, tuple(_CELLS.values())[place], number)[0], "even", "all", "balanced", "jabbas")


def _make_balanced_at(stream: Stream, n: int, index: int) -> Draft:
    (puzzle,) = next(_balanced(n, stream.child("balanced@").child(n), index))
    return draft(puzzle, "even", "all", "balanced", "jabbas")


BALANCED = {
    "balanced": Plan(
        _make_balanced,
        Subset(
            rows=sum(_WORLDS.values()),
            description="5, 6 and 8 characters, one solution: all 2^n equally frequent, and no hint on the surface.",
            form=FORMS["all"],
            audit_target="first",
            balanced=True,
            knob=Knob(
                "characters",
                5,
                100,
                "a solver (Minisat 2.2) needs 6 conflicts at 5, 20 at 20, 244 at 60, 1,411 at 100",
                _make_balanced_at,
            ),
        ),
    )
}
"""The one subset of the room."""

SIZES = (10, 15, 20, 30, 40, 60, 80, 100)
"""The numbers of characters on the ladder."""
CORES: dict[str, Callable[[int], int]] = {"chain": lambda n: 4, "half": lambda n: n // 2, "whole": lambda n: n}
"""Rung -> how many of n characters are in the core."""
_ON_A_RUNG = 64


def _make_ladder(stream: Stream, index: int, level: int = 0) -> Draft:
    turn, place = divmod(index, len(CORES))
    number, size = (turn, 0) if level else divmod(turn, len(SIZES))
    n = level or SIZES[size]
    step = tuple(CORES)[place]
    here = stream.child("ladder@" if level else "ladder").child(n).child(step)
    world, core = opposites(here.child("solution"), n, number), CORES[step](n)
    puzzle = Drawn(cored(here.child(number), world, core), (letters_of(world),))
    return draft(puzzle, "even", "all", step, "knights", more={"core": core})


LADDER = {
    "ladder": Plan(
        _make_ladder,
        Subset(
            rows=len(SIZES) * len(CORES) * _ON_A_RUNG,
            description="10 to 100 characters, of whom four, half or all talk only about each other: the core that "
            "must be searched.",
            form=FORMS["all"],
            audit_target="first",
            balanced=True,
            knob=Knob(
                "characters",
                10,
                100,
                "a solver (Minisat 2.2) needs 11 conflicts at 10, 86 at 40, 1,240 at 100 on the rung `whole`",
                lambda stream, level, index: _make_ladder(stream, index, level),
            ),
        ),
    )
}
"""The one subset of the room."""

# After Xie et al. (2024). The three puzzles of a group differ in one word of one statement of the form "if this, then
# that; otherwise, something else": a word in the part that applies changes the answer, a word in the other part does
# not. `original` and `other-answer` are drawn alike, and a coin decides which is which: whoever does not remember the
# original gives either one's answer to the other equally often.

CONDITIONS = ("original", "same-answer", "other-answer")
_MATCHED = (7, 9, 11)
"""Numbers of characters that `balanced` and `ladder` do not have, so no puzzle is in both."""
_GROUPS = 160
"""Of each size."""
_MOVED = 2
"""How many characters at least are something else in `other-answer`: the speaker alone would be too easy to guess."""


@lru_cache(maxsize=64)
def _matched(stream: Stream, name: str, n: int, number: int) -> Bundle:
    """The three puzzles of a group."""
    here = stream.child(name).child(n)
    draws, world = here.child(number), opposites(here.child("solution"), n, number)
    while True:
        claims = planted(draws, world)
        for speaker in draws.shuffled(range(len(world))):
            if claims[speaker].kind == "alternative" and (group := _group(draws, claims, world, speaker)):
                return group[:3]


def _group(draws: Stream, claims: Puzzle, world: World, speaker: int) -> Bundle | None:
    """The three puzzles that change one word of `speaker`, and what `same-answer` would be if the roles were swapped;
    None where there is another solution, or too few characters move."""
    part = _applying(claims[speaker], world)
    other = _changed(claims, speaker, part)
    solution = _solved(other, world)
    if solution is None or sum(map(bool.__ne__, solution, world)) < _MOVED:
        return None
    same, mirror = (
        _changed(claims, speaker, 3 - part),
        _changed(other, speaker, 3 - _applying(other[speaker], solution)),
    )
    if _solved(same, world) != world or _solved(mirror, solution) != solution:
        return None
    told, told_otherwise = (letters_of(world),), (letters_of(solution),)
    group = Drawn(claims, told), Drawn(same, told), Drawn(other, told_otherwise), Drawn(mirror, told_otherwise)
    return group if draws.coin() else (group[2], group[3], group[0], group[1])


def _applying(said: Statement, world: World) -> int:
    """Which part of an alternative applies: the first where what is said of the first character is true."""
    return 1 if said.knights[0] == world[said.about[0]] else 2


def _changed(claims: Puzzle, speaker: int, part: int) -> Puzzle:
    """The puzzle with `knight` for `knave`, or the other way round, in one part of a statement."""
    said = claims[speaker]
    knights = tuple(knight != (place == part) for place, knight in enumerate(said.knights))
    return (*claims[:speaker], said._replace(knights=knights), *claims[speaker + 1 :])


def _make_memorisation(stream: Stream, index: int, level: int = 0) -> Draft:
    group, place = divmod(index, len(CONDITIONS))
    number, size = (group, 0) if level else divmod(group, len(_MATCHED))
    n = level or _MATCHED[size]
    puzzles = _matched(stream, "memorisation@" if level else "memorisation", n, number)
    original, puzzle = puzzles[0], puzzles[place]
    changed = [said != other for said, other in zip(original.puzzle, puzzles[1].puzzle, strict=True)].index(True)
    names = names_of(n)
    more = {
        "changed": names[changed],
        "swapped_answer": answer(puzzles[0 if place == 2 else 2].solutions, names, TERMS["knights"]),
        "moved": sum(map(str.__ne__, original.solutions[0], puzzle.solutions[0])),
    }
    return draft(puzzle, "even", "all", CONDITIONS[place], "knights", group=original.key, more=more)


MEMORISATION = {
    "memorisation": Plan(
        _make_memorisation,
        Subset(
            rows=len(CONDITIONS) * len(_MATCHED) * _GROUPS,
            description="7, 9 and 11 characters; one word is changed, so that the answer changes or does not.",
            form=FORMS["all"],
            matched=MatchedConditions(CONDITIONS[0], CONDITIONS[1:]),
            audit_target="first",
            exploit="puzzles of a group differ in one word, and two of three have one answer: seen one, known two",
            balanced=True,
            knob=Knob(
                "characters",
                6,
                12,
                "a solver (Minisat 2.2) needs 8 conflicts at 6, 11 at 10, 14 at 12",
                lambda stream, level, index: _make_memorisation(stream, index, level),
            ),
        ),
    )
}
"""The one subset of the room."""
