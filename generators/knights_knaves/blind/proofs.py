"""Strategies that answer puzzles about logicians and politicians without following the proofs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from generators.answering.blind import BlindStrategy, Guess, copying
from generators.item import Item
from generators.knights_knaves.blind.characters import by_character
from generators.knights_knaves.formula import parse, table
from generators.knights_knaves.logicians.proofs import known, status
from generators.knights_knaves.puzzles.wording import answer

__all__ = ["BLIND_TO_PROOFS"]


def _judged(judge: Callable[[int, list[int], int], Sequence[bool]]) -> Callable[[Item], Guess]:
    """The guess in which the logicians are those whom `judge` (cases of the notes, statements, facts) names."""

    def guess(item: Item) -> Guess:
        if "notes" not in item.metadata:
            return None
        names, terms = item.metadata["names"], item.metadata["terms"]
        facts = [*names, *item.metadata["lamps"]]
        premises = -1
        for note in item.metadata["notes"]:
            premises &= table(parse(note, facts), len(facts))
        said = [table(parse(text, facts), len(facts)) for text in item.metadata["statements"]]
        world = "".join("K" if logician else "N" for logician in judge(premises, said, len(facts)))
        return answer((world,), tuple(names), (terms[0], terms[1]))

    return guess


def _liars(premises: int, said: list[int], facts: int) -> Sequence[bool]:
    """The first assignment that fits if logicians told the truth and politicians lied; all politicians without any."""
    for world in product((True, False), repeat=len(said)):
        left = known(premises, world, facts)
        for logician, saying in zip(world, said, strict=True):
            left &= saying if logician else ~saying
        if left:
            return world
    return [False] * len(said)


def _notes_alone(premises: int, said: list[int], facts: int) -> Sequence[bool]:
    return [status(premises, saying) == "proved" for saying in said]


def _heard(premises: int, said: list[int], facts: int) -> Sequence[bool]:
    world: list[bool] = []
    for saying in said:
        world.append(status(premises, saying) == "proved")
        premises = premises & saying or premises
    return world


def _lamps_in_notes(item: Item, place: int) -> tuple[str, int]:
    """What kind of statement it is, and how many notes name a lamp that it names."""
    lamps = [lamp for lamp in item.metadata["lamps"] if lamp in item.metadata["statements"][place]]
    notes = item.metadata["notes"]
    return item.metadata["kinds"][place], sum(any(lamp in note for lamp in lamps) for note in notes)


_COUNTING = by_character(
    "lamps-in-notes", "guesses each speaker from the number of notes about the lamps of its statement", _lamps_in_notes
)


def _counted(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
    """The strategy, without a guess for items that have no notes."""
    if not all("notes" in item.metadata for item in (*learned, *asked)):
        return [None] * len(asked)
    return list(_COUNTING.answers(learned, asked))


BLIND_TO_PROOFS: tuple[BlindStrategy, ...] = (
    copying(
        "politicians-as-liars",
        "takes logicians for truth-tellers and politicians for liars, and gives the first assignment that fits",
        _judged(_liars),
    ),
    copying(
        "notes-alone",
        "takes for logicians those whose statements follow from the notes, whatever the earlier speakers are",
        _judged(_notes_alone),
    ),
    copying(
        "believing",
        "takes for logicians those whose statements follow from the notes and from all earlier statements",
        _judged(_heard),
    ),
    replace(_COUNTING, answers=_counted),
)
"""For items without notes they have no guess."""
