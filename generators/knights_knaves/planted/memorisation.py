"""Memorisation pairs: a puzzle, and the same puzzle with one word changed, so that the answer changes or does not.

Xie et al. (2024) change one statement of puzzles that a model was trained on, and ask whether it still solves them.
Here each group has three puzzles, which differ in one word of one statement: `knight` for `knave` or the other way
round. In `same-answer` that changes nothing, in `other-answer` the solution is another one, and all take equally many
suppositions. The statement is of the form "if this, then that; otherwise, something else": a word in the part that
applies changes the answer, a word in the other part does not. `original` and `other-answer` are drawn alike, and a coin
decides which is which: whoever does not remember the original gives either one's answer to the other equally often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generators.dataset import Contrast, Draft, Subset
from generators.knights_knaves.plan import Plan
from generators.knights_knaves.planted.claims import Claim, World, claim, evenly, letters_of, worded
from generators.knights_knaves.planted.ladder import opposites
from generators.knights_knaves.planted.needs import needs, solved
from generators.knights_knaves.puzzles.distinct import Bundle, Cell, Drawn, bundle
from generators.knights_knaves.puzzles.large import names_of
from generators.knights_knaves.puzzles.puzzle import draft
from generators.knights_knaves.puzzles.wording import TERMS, answer
from generators.knights_knaves.replies.forms import form_asked
from generators.knights_knaves.sets.cells import LAST
from generators.stream import Stream

__all__ = ["MEMORISATION"]

CONDITIONS = ("original", "same-answer", "other-answer")
_SIZES = (5, 6, 8, 10)
_GROUPS = 125
"""Of each size."""
_MOVED = 2
"""How many characters at least are something else in `other-answer`: the speaker alone would be too easy to guess."""


def _start(n: int) -> Callable[[Stream, int], Callable[[int], Iterator[Bundle]]]:
    def start(stream: Stream, block: int) -> Callable[[int], Iterator[Bundle]]:
        return lambda place: _candidates(stream.child(block), n, place)

    return start


def _candidates(stream: Stream, n: int, place: int) -> Iterator[Bundle]:
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


_CELLS = {n: Cell(f"memorisation-{n}", _GROUPS, _start(n), (LAST[n],)) for n in _SIZES if n in LAST}


def _at(stream: Stream, n: int, number: int) -> Bundle:
    """Group `number` of puzzles about n characters; only small ones could come twice by chance."""
    if n in _CELLS:
        return bundle(stream, _CELLS[n], number)
    return next(_candidates(stream.child("memorisation").child(n), n, number))


def _make(stream: Stream, index: int) -> Draft:
    group, place = divmod(index, len(CONDITIONS))
    number, size = divmod(group, len(_SIZES))
    n = _SIZES[size]
    puzzles = _at(stream, n, number)
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
        _make,
        Subset(
            rows=len(CONDITIONS) * len(_SIZES) * _GROUPS,
            description="5 to 10 characters; one word is changed, so that the answer changes or does not.",
            form=form_asked("all"),
            contrast=Contrast(CONDITIONS[0], CONDITIONS[1:]),
            audit_target="first",
            balanced=True,
        ),
    )
}
"""The one subset of the room."""
