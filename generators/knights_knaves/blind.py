"""All blind strategies, the best known first; with single hints, and for puzzles that take proofs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from itertools import product
from math import log

from hansproof.generators.answering.scorer import BlindStrategy, Guess, copying
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.blind_guesses import (
    accused,
    by_character,
    commonest,
    cut,
    denials,
    denied,
    denying_statements,
    everybody,
    guessed,
    identified,
    mentions,
    plain_claims,
    profile,
    reputation,
    said,
    share_denied,
    size,
    statement,
    talk,
)
from hansproof.generators.knights_knaves.formula import parse, table
from hansproof.generators.knights_knaves.puzzle import answer
from hansproof.generators.knights_knaves.scenes import known, status

__all__ = ["BLIND"]


# A strategy that adds up all single hints: what a character says, and how each of the others speaks of it.

_NAME = re.compile(r"[A-Z]+")

Hint = tuple[Hashable, ...]


def _answers(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
    """Naive Bayes over the hints of a character: each counts by how often characters with it were truthful."""
    seen: Counter[tuple[Hint, bool]] = Counter()
    for item in learned:
        hints = _hints(item)
        for place, truthful in identified(item):
            seen.update((hint, truthful) for hint in hints[place])

    def leaning(hint: Hint) -> float:
        return log((seen[hint, True] + 1) / (seen[hint, False] + 1))

    def guess(item: Item) -> Guess:
        leanings = [sum(map(leaning, hints)) for hints in _hints(item)]
        return guessed(item, lambda place: leanings[place] > 0)

    return [guess(item) for item in asked]


def _hints(item: Item) -> list[list[Hint]]:
    """By character: its own statement without the names, and every mention of it."""
    statements, kinds = item.metadata["statements"], item.metadata["kinds"]
    hints: list[list[Hint]] = [
        [("says", _NAME.sub("_", text), kind)] for text, kind in zip(statements, kinds, strict=True)
    ]
    for speaker, text in enumerate(statements):
        for order, (character, negated) in enumerate(said(text)):
            if character < len(hints):
                hints[character].append(("told", kinds[speaker], order, negated, character == speaker))
    return hints


ALL_HINTS = BlindStrategy(
    "all-hints",
    "guesses each character from its statement and from the kind, place and polarity of every mention of it: hints "
    "that are added up",
    _answers,
    learns=True,
)
"""The strongest strategy that looks at one statement at a time."""


# Strategies that answer puzzles about logicians and politicians without following the proofs.


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


# All blind strategies, the best known first.


def _talked_about(item: Item) -> tuple[int, ...]:
    counts = [0] * size(item)
    for place, _ in mentions(item):
        counts[place] += 1
    return tuple(sorted(counts))


BLIND: tuple[BlindStrategy, ...] = (
    commonest("constant", "always gives the most common answer for as many characters", lambda item: ""),
    copying("all-liars", "says that everybody lies", lambda item: everybody(item, False)),
    copying("all-truthful", "says that everybody tells the truth", lambda item: everybody(item, True)),
    copying(
        "first-truthful", "says that only the first speaker tells the truth", lambda item: guessed(item, (0).__eq__)
    ),
    copying(
        "last-truthful",
        "says that only the last speaker tells the truth",
        lambda item: guessed(item, (size(item) - 1).__eq__),
    ),
    copying("accused", "says that the characters accused of lying lie, and that all others tell the truth", accused),
    copying("denied", "says that whoever is called a liar anywhere lies, and that all others tell the truth", denied),
    copying(
        "reputation",
        "says that the characters called truth-tellers more often than not tell the truth, and that all others lie",
        reputation,
    ),
    copying(
        "plain-claims",
        "says that everybody tells the truth if accusations and conjunctions deny nothing, otherwise that everybody "
        "lies",
        plain_claims,
    ),
    cut(
        "denied-share",
        "says that everybody tells the truth up to a learned share of denials among the mentions, otherwise that "
        "everybody lies",
        share_denied,
    ),
    cut(
        "denying-statements",
        "says that everybody tells the truth up to a learned number of statements with a denial, otherwise that "
        "everybody lies",
        denying_statements,
    ),
    commonest("condition", "gives the most common answer of the condition", lambda item: item.condition),
    commonest("denials", "gives the most common answer among puzzles with the same number of denials", denials),
    commonest(
        "mentions",
        "gives the most common answer among puzzles with the same number of characters named in the statements",
        lambda item: len(mentions(item)),
    ),
    commonest(
        "talked-about",
        "gives the most common answer among puzzles in which characters are named equally often",
        _talked_about,
    ),
    commonest(
        "first-statement",
        "gives the most common answer among puzzles with the same kind of first statement and as many denials in it",
        lambda item: statement(item, 0),
    ),
    commonest(
        "kinds",
        "gives the most common answer among puzzles with the same kinds of statement, in order",
        lambda item: tuple(item.metadata["kinds"]),
    ),
    commonest(
        "kinds-in-any-order",
        "gives the most common answer among puzzles with the same kinds of statement, in any order",
        lambda item: tuple(sorted(item.metadata["kinds"])),
    ),
    commonest(
        "prompt-length",
        "gives the most common answer among prompts with the same number of words",
        lambda item: len(item.prompt.split()),
    ),
    by_character("place", "guesses each character from its place among the speakers", lambda item, place: place),
    by_character(
        "kind-of-statement",
        "guesses each character from the kind of its statement",
        lambda item, place: str(item.metadata["kinds"][place]),
    ),
    by_character(
        "single-statement",
        "guesses each character from the kind of its statement and its number of denials",
        statement,
    ),
    by_character("talk", "guesses each character from how often others affirm and deny it to be truthful", talk),
    by_character("profile", "guesses each character from its own statement and from what others say of it", profile),
    ALL_HINTS,
    *BLIND_TO_PROOFS,
)
"""Each is measured on whole answers and on characters, out of sample where it learns."""
