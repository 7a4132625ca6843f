"""Strategies that answer puzzles without solving them.

They see only the surface: who speaks when, the kind of each statement, the characters that it names, and which of them
it says are no truth-tellers. Some answer for the whole puzzle at once, others guess each character separately.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache

from generators.answering.blind import BlindStrategy, Guess, constant, copying, rule
from generators.item import Item
from generators.knights_knaves.puzzles.wording import answer
from generators.knights_knaves.replies.asked import asks

__all__ = ["BLIND"]

_MENTION = re.compile(r"(~?)([A-Z]+)")


@lru_cache(maxsize=65_536)
def _mentions(notation: str) -> tuple[tuple[int, bool], ...]:
    """(the place of a character, whether it is denied to be a truth-teller) for each mention in a statement."""
    return tuple((_place(letters), bool(denial)) for denial, letters in _MENTION.findall(notation))


def _place(letters: str) -> int:
    place = 0
    for letter in letters:  # A ... Z, AA, AB, ... as in a spreadsheet
        place = place * 26 + ord(letter) - 64
    return place - 1


def _all_mentions(item: Item) -> list[tuple[int, bool]]:
    return [mention for notation in item.metadata["statements"] for mention in _mentions(notation)]


def _denials(item: Item) -> int:
    return sum(denied for _, denied in _all_mentions(item))


# -- guesses for whole puzzles ------------------------------------------------------------------------


def _guess(item: Item, truthful: Callable[[int], bool]) -> Guess:
    """The answer in which the characters for whom `truthful` holds tell the truth and the others lie.

    None where the item asks for a number or for a list of solutions: one assignment is no answer to that.
    """
    terms = item.metadata["terms"]
    ask = asks(item)
    if ask == "one":
        return str(terms[0 if truthful(item.metadata["names"].index(item.metadata["asked"])) else 1])
    if ask != "all":
        return None
    names = tuple(item.metadata["names"])
    world = "".join("K" if truthful(place) else "N" for place in range(len(names)))
    return answer((world,), names, (terms[0], terms[1]))


def _everybody(item: Item, truthful: bool) -> Guess:
    return _guess(item, lambda place: truthful)


def _plain_claims(item: Item) -> Guess:
    told = zip(item.metadata["kinds"], item.metadata["statements"], strict=True)
    denies = any("~" in notation for kind, notation in told if kind in ("accusation", "conjunction"))
    return _everybody(item, not denies)


def _cut(name: str, description: str, amount: Callable[[Item], float]) -> BlindStrategy:
    """Everybody truthful up to a learned `amount`, everybody lying above it.

    The cut is the one that is right most often among the learned items (ties: the lowest).
    """

    def answers(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
        gains: Counter[float] = Counter()  # by amount: right answers gained where the cut rises to include it
        for item in learned:
            gains[amount(item)] += (item.answer == _everybody(item, True)) - (item.answer == _everybody(item, False))
        cut, best, total = float("-inf"), 0, 0
        for value in sorted(gains):
            total += gains[value]
            if total > best:
                cut, best = value, total
        return [_everybody(item, amount(item) <= cut) for item in asked]

    return BlindStrategy(name, description, answers, learns=True)


def _share_denied(item: Item) -> float:
    mentions = _all_mentions(item)
    return _denials(item) / len(mentions) if mentions else 0.0


def _denying_statements(item: Item) -> float:
    return sum("~" in notation for notation in item.metadata["statements"])


# -- guesses for single characters --------------------------------------------------------------------


def _accused(item: Item) -> Guess:
    told = zip(item.metadata["kinds"], item.metadata["statements"], strict=True)
    accused = {place for kind, said in told if kind == "accusation" for place, denied in _mentions(said) if denied}
    return _guess(item, lambda place: place not in accused)


def _reputation(item: Item) -> Guess:
    balance: Counter[int] = Counter()
    for place, denied in _all_mentions(item):
        balance[place] += -1 if denied else 1
    return _guess(item, lambda place: balance[place] > 0)


def _last(item: Item) -> int:
    return len(item.metadata["names"]) - 1


def _known(item: Item) -> list[tuple[int, bool]]:
    """(place, whether truthful) of each character whom the answer of a learned item identifies."""
    ask, names = asks(item), item.metadata["names"]
    if ask not in ("all", "one") or item.answer is None:
        return []
    truthful = item.metadata["terms"][0]
    if ask == "one":
        return [(names.index(item.metadata["asked"]), item.answer == truthful)]
    return [(place, part.endswith(f": {truthful}")) for place, part in enumerate(item.answer.split("; "))]


def _by_character(name: str, description: str, feature: Callable[[Item, int], Hashable]) -> BlindStrategy:
    """Each character is what most characters with the same `feature` were (ties: lying); all of them for a new one."""

    def answers(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
        balance: Counter[Hashable] = Counter()
        overall = 0
        for item in learned:
            for place, truthful in _known(item):
                balance[feature(item, place)] += 1 if truthful else -1
                overall += 1 if truthful else -1

        def guess(item: Item) -> Guess:
            def truthful(place: int) -> bool:
                return balance.get(feature(item, place), overall) > 0

            return _guess(item, truthful)

        return [guess(item) for item in asked]

    return BlindStrategy(name, description, answers, learns=True)


def _statement(item: Item, place: int) -> tuple[str, int]:
    """The kind of what a character says, and how many it denies to be truth-tellers."""
    return item.metadata["kinds"][place], item.metadata["statements"][place].count("~")


def _profile(item: Item, place: int) -> tuple[Hashable, ...]:
    told = [denied for character, denied in _all_mentions(item) if character == place]
    return (*_statement(item, place), min(sum(told), 2), min(len(told) - sum(told), 2))


BLIND: tuple[BlindStrategy, ...] = (
    constant(),
    copying("all-liars", "says that everybody lies", lambda item: _everybody(item, False)),
    copying("all-truthful", "says that everybody tells the truth", lambda item: _everybody(item, True)),
    copying(
        "first-truthful", "says that only the first speaker tells the truth", lambda item: _guess(item, (0).__eq__)
    ),
    copying(
        "last-truthful",
        "says that only the last speaker tells the truth",
        lambda item: _guess(item, _last(item).__eq__),
    ),
    copying("accused", "says that the characters accused of lying lie, and that all others tell the truth", _accused),
    copying(
        "reputation",
        "says that the characters called truth-tellers more often than not tell the truth, and that all others lie",
        _reputation,
    ),
    copying(
        "plain-claims",
        "says that everybody tells the truth if accusations and conjunctions deny nothing, otherwise that everybody "
        "lies",
        _plain_claims,
    ),
    _cut(
        "denied-share",
        "says that everybody tells the truth up to a learned share of denials among the mentions, otherwise that "
        "everybody lies",
        _share_denied,
    ),
    _cut(
        "denying-statements",
        "says that everybody tells the truth up to a learned number of statements with a denial, otherwise that "
        "everybody lies",
        _denying_statements,
    ),
    rule(
        "denials",
        "gives the most common answer among puzzles with the same number of denials",
        lambda item: str(_denials(item)),
    ),
    rule(
        "mentions",
        "gives the most common answer among puzzles with the same number of characters named in the statements",
        lambda item: str(len(_all_mentions(item))),
    ),
    rule(
        "kinds",
        "gives the most common answer among puzzles with the same kinds of statement, in order",
        lambda item: " ".join(item.metadata["kinds"]),
    ),
    rule(
        "kinds-in-any-order",
        "gives the most common answer among puzzles with the same kinds of statement, in any order",
        lambda item: " ".join(sorted(item.metadata["kinds"])),
    ),
    rule(
        "prompt-length",
        "gives the most common answer among prompts with the same number of words",
        lambda item: str(len(item.prompt.split())),
    ),
    _by_character("place", "guesses each character from its place among the speakers", lambda item, place: place),
    _by_character(
        "kind-of-statement",
        "guesses each character from the kind of its statement",
        lambda item, place: str(item.metadata["kinds"][place]),
    ),
    _by_character(
        "single-statement",
        "guesses each character from the kind of its statement and its number of denials",
        _statement,
    ),
    _by_character(
        "profile",
        "guesses each character from its statement as above, and from how often others affirm and deny it to be "
        "truthful",
        _profile,
    ),
)
"""Best known first."""
