"""All blind strategies, the best known first."""

from __future__ import annotations

from generators.answering.blind import BlindStrategy, copying
from generators.item import Item
from generators.knights_knaves.blind.characters import by_character, profile, statement, talk
from generators.knights_knaves.blind.hints import ALL_HINTS
from generators.knights_knaves.blind.proofs import BLIND_TO_PROOFS
from generators.knights_knaves.blind.surface import denials, guessed, mentions, size
from generators.knights_knaves.blind.whole import (
    accused,
    commonest,
    cut,
    denied,
    denying_statements,
    everybody,
    plain_claims,
    reputation,
    share_denied,
)

__all__ = ["BLIND"]


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
