"""Memorisation pairs: a puzzle, and the same puzzle with one word changed, so that the answer changes or does not.

Xie et al. (2024) change one statement of puzzles that a model was trained on, and ask whether it still solves them. Here
each group has three puzzles, which differ in one word of one statement: `knight` for `knave` or the other way round. In
`same-answer` that changes nothing, in `other-answer` the solution is another one. The three stand on the same rung of
the ladder. Whoever answers from memory gets the first right and the last wrong; whoever notices the change and takes
every change for a change of the answer gets the middle one wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from generators.dataset import Contrast, Draft, Subset
from generators.knights_knaves.plan import Plan
from generators.knights_knaves.planted.claims import Claim, World, claim, letters_of, planted, worded
from generators.knights_knaves.planted.ladder import LADDER_CELLS, OURS, opposites, rung_of
from generators.knights_knaves.planted.needs import needs, solved
from generators.knights_knaves.puzzles.distinct import Bundle, Cell, Drawn, bundle
from generators.knights_knaves.puzzles.large import names_of
from generators.knights_knaves.puzzles.puzzle import draft
from generators.knights_knaves.puzzles.wording import TERMS, answer
from generators.knights_knaves.replies.forms import form_asked
from generators.stream import Stream

__all__ = ["MEMORISATION", "MEMORISATION_CELLS"]

CONDITIONS = ("original", "same-answer", "other-answer")
_SIZES = (5, 6, 8, 10)
_GROUPS = 125
"""Of each size."""
_MOVED = 2
"""How many characters at least are something else in `other-answer`: the speaker alone would be too easy to guess."""
_BOUND = ("conjunction", "disjunction", "implication")
"""Kinds in which one word can change without changing whether the statement fits the solution."""


def _start(n: int) -> Callable[[Stream, int], Callable[[int], Iterator[Bundle]]]:
    def start(stream: Stream, block: int) -> Callable[[int], Iterator[Bundle]]:
        here = stream.child(block)

        def candidates(place: int) -> Iterator[Bundle]:
            draws, world = here.child(place), opposites(here.child("solution"), n, place)
            while True:
                yield from _triples(draws, world)

        return candidates

    return start


def _triples(draws: Stream, world: World) -> Iterator[Bundle]:
    """The group that one draw gives, if it gives one."""
    claims = planted(draws, world)
    if OURS.isdisjoint(said.kind for said in claims) or solved(claims) != world:
        return
    rung = needs(claims, 1)
    for speaker in draws.shuffled(range(len(world))):
        kept, moved = [], []
        for changed in _one_word_changed(claims, speaker):
            solution = solved(changed)
            if solution is not None and needs(changed, 1) == rung:
                if solution == world:
                    kept.append((changed, solution))
                elif sum(map(bool.__ne__, solution, world)) >= _MOVED:
                    moved.append((changed, solution))
        if kept and moved:
            yield tuple(_drawn(*puzzle) for puzzle in ((claims, world), kept[0], moved[0]))
            return


def _one_word_changed(claims: tuple[Claim, ...], speaker: int) -> Iterator[tuple[Claim, ...]]:
    said = claims[speaker]
    if said.kind in _BOUND:
        first, second = said.knights
        for knights in ((not first, second), (first, not second)):
            other = claim(said.kind, speaker, said.about, knights)
            yield (*claims[:speaker], other, *claims[speaker + 1 :])


def _drawn(claims: tuple[Claim, ...], world: World) -> Drawn:
    names = names_of(len(world))
    return Drawn(tuple(worded(said, speaker, names) for speaker, said in enumerate(claims)), (letters_of(world),))


MEMORISATION_CELLS = {
    n: Cell(f"memorisation-{n}", _GROUPS, _start(n), (LADDER_CELLS[n],)) for n in _SIZES
}
"""Number of characters -> its groups."""


def _make(stream: Stream, index: int) -> Draft:
    group, place = divmod(index, len(CONDITIONS))
    number, size = divmod(group, len(_SIZES))
    n = _SIZES[size]
    puzzles = bundle(stream, MEMORISATION_CELLS[n], number)
    original, drawn = puzzles[0], puzzles[place]
    need = needs(drawn.puzzle, 1)
    assert need is not None  # it was drawn so
    changed = [said != other for said, other in zip(original.puzzle, puzzles[1].puzzle, strict=True)].index(True)
    names = names_of(n)
    more = {
        "rung": rung_of(need),
        "refuted": need.refuted,
        "changed": names[changed],
        "original_answer": answer(original.solutions, names, TERMS["knights"]),
        "moved": sum(map(str.__ne__, original.solutions[0], drawn.solutions[0])),
    }
    item = draft(drawn, "planted", "all", CONDITIONS[place], "knights", more=more)
    return replace(item, group=original.key)


MEMORISATION = {
    "memorisation": Plan(
        _make,
        Subset(
            rows=len(CONDITIONS) * len(_SIZES) * _GROUPS,
            description="5 to 10 characters; one word of one statement is changed, so that the answer changes or does not.",
            form=form_asked("all", max(_SIZES)),
            contrast=Contrast(CONDITIONS[0], CONDITIONS[1:]),
            audit_target="first",
        ),
    )
}
"""The one subset of the room."""
