"""The ways to answer a puzzle without reasoning about it: `BLIND`, at the end, lists all, the best known first.

First what a strategy sees of a puzzle, and how it puts a guess; then guesses by character and for whole answers; then
the sum of all single hints, and guesses for puzzles that take proofs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import cache, lru_cache, reduce
from itertools import chain, product
from math import log
from operator import and_

from hansproof.generators.answering.scorer import BlindStrategy, Guess, copying
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.formula import parse, place_of, table
from hansproof.generators.knights_knaves.logicians import known, status
from hansproof.generators.knights_knaves.puzzle import answer

__all__ = ["BLIND"]

# A strategy sees who speaks when, the kind of each statement, whom it names, and whom it calls no truth-teller.

_MENTION = re.compile(r"(~?)([A-Z]+)")


@lru_cache(maxsize=2**18)
def said(notation: str) -> tuple[tuple[int, bool], ...]:
    """(the place of a character, whether it is denied to be a truth-teller) for each mention in a statement."""
    told = [(place_of(letters), bool(denial)) for denial, letters in _MENTION.findall(notation)]
    if notation.startswith("~("):  # an even number of three: each of them counts as denied
        told = [(place, True) for place, _ in told]
    if notation.startswith("(("):  # an alternative names its condition once, the notation twice
        del told[2]
    return tuple(told)


def mentions(item: Item) -> list[tuple[int, bool]]:
    """All mentions of a puzzle, statement by statement."""
    return [mention for notation in item.metadata["statements"] for mention in said(notation)]


def denials(item: Item) -> int:
    """How many mentions call somebody no truth-teller."""
    return sum(denied for _, denied in mentions(item))


def size(item: Item) -> int:
    """The number of characters."""
    return len(item.metadata["names"])


def meaning(item: Item) -> str | None:
    """The answer of a learned item, whatever its words: K and N for the characters asked about, else as it stands."""
    if item.answer is None or item.metadata["ask"] not in ("all", "one"):
        return item.answer
    truthful = item.metadata["terms"][0]
    return "".join("K" if part.rpartition(": ")[2] == truthful else "N" for part in item.answer.split("; "))


def guessed(item: Item, truthful: Callable[[int], bool]) -> Guess:
    """The answer in which the characters for whom `truthful` holds tell the truth and the others lie.

    None where the item asks for a number or for a list of solutions: one assignment is no answer to that.
    """
    ask = item.metadata["ask"]
    if ask == "one":
        return worded(item, "K" if truthful(item.metadata["names"].index(item.metadata["asked"])) else "N")
    if ask != "all":
        return None
    return worded(item, "".join("K" if truthful(place) else "N" for place in range(size(item))))


def worded(item: Item, meant: str | None) -> Guess:
    """The answer of `item` that means this, in its own words."""
    ask = item.metadata["ask"]
    if meant is None or ask not in ("all", "one"):
        return meant
    terms = item.metadata["terms"]
    if ask == "one":
        return str(terms["KN".index(meant)])
    return answer((meant,), tuple(item.metadata["names"]), (terms[0], terms[1]))


def by_character(name: str, description: str, features: Callable[[Item], Sequence[Hashable]]) -> BlindStrategy:
    """Each character is what most characters with the same of `features`, one for each, were (ties: lying); all of them
    for a new one."""

    def guesses(learned: Sequence[Seen], asked: Sequence[Seen]) -> list[Guess]:
        counts = Counter(chain.from_iterable(known for _, _, known in learned))
        balance: Counter[Hashable] = Counter()
        for (seen, truthful), count in counts.items():
            balance[seen] += count if truthful else -count
        overall = balance.total()

        def guess(item: Item, own: Sequence[Hashable]) -> Guess:
            return guessed(item, lambda place: balance.get(own[place], overall) > 0)

        return [guess(item, own) for item, own, _ in asked]

    def view(item: Item) -> Seen:
        own = features(item)
        return item, own, [(own[place], truthful) for place, truthful in identified(item)]

    return BlindStrategy(name, description, guesses, learns=True, view=view)


Seen = tuple[Item, Sequence[Hashable], list[tuple[Hashable, bool]]]
"""An item, what is seen of each character, and of those whom the answer identifies whether they are truthful."""


def identified(item: Item) -> list[tuple[int, bool]]:
    """(place, whether truthful) of each character whom the answer of a learned item identifies."""
    ask, meant = item.metadata["ask"], meaning(item)
    if ask not in ("all", "one") or meant is None:
        return []
    if ask == "one":
        return [(item.metadata["names"].index(item.metadata["asked"]), meant == "K")]
    return [(place, kind == "K") for place, kind in enumerate(meant)]


def statements(item: Item) -> list[tuple[str, int]]:
    """The kind of what each character says, and how many it denies to be truth-tellers."""
    told = zip(item.metadata["kinds"], item.metadata["statements"], strict=True)
    return [(kind, sum(no for _, no in said(notation))) for kind, notation in told]


def talk(item: Item) -> list[tuple[int, int]]:
    """How often each character is called no truth-teller, and how often one, up to two each."""
    told = Counter(mentions(item))
    return [(min(told[place, True], 2), min(told[place, False], 2)) for place in range(size(item))]


def profile(item: Item) -> list[tuple[Hashable, ...]]:
    """Both together."""
    return [(*own, *others) for own, others in zip(statements(item), talk(item), strict=True)]


def everybody(item: Item, truthful: bool) -> Guess:
    """Everybody tells the truth, or everybody lies."""
    return guessed(item, lambda place: truthful)


def commonest(name: str, description: str, feature: Callable[[Item], Hashable]) -> BlindStrategy:
    """The commonest answer among learned items with the same `feature`; of all of the same size for a new one."""

    Known = tuple[Item, tuple[Hashable, Hashable], str | None]

    def guesses(learned: Sequence[Known], asked: Sequence[Known]) -> list[Guess]:
        known: dict[Hashable, Counter[str]] = {}
        for (seen, meant), count in Counter((seen, meant) for _, seen, meant in learned).items():
            if meant is not None:
                known.setdefault(seen, Counter())[meant] += count
                known.setdefault(seen[0], Counter())[meant] += count
        best = {key: min(counts, key=lambda meant: (-counts[meant], meant)) for key, counts in known.items()}
        return [worded(item, best.get(seen, best.get(seen[0]))) for item, seen, _ in asked]

    def view(item: Item) -> Known:
        return item, ((size(item), item.metadata["ask"]), feature(item)), meaning(item)

    return BlindStrategy(name, description, guesses, learns=True, view=view)


_NAME = re.compile(r"[A-Z]+")

Hint = tuple[Hashable, ...]
Hinted = tuple[Item, list[list[Hint]], list[tuple[Hint, bool]]]


def _guesses(learned: Sequence[Hinted], asked: Sequence[Hinted]) -> list[Guess]:
    """Naive Bayes over the hints of a character: each counts by how often characters with it were truthful."""
    seen = Counter(chain.from_iterable(known for _, _, known in learned))

    @cache
    def leaning(hint: Hint) -> float:
        return log((seen[hint, True] + 1) / (seen[hint, False] + 1))

    def guess(item: Item, hints: list[list[Hint]]) -> Guess:
        leanings = [sum(map(leaning, own)) for own in hints]
        return guessed(item, lambda place: leanings[place] > 0)

    return [guess(item, hints) for item, hints, _ in asked]


def _hinted(item: Item) -> Hinted:
    hints = _hints(item)
    return item, hints, [(hint, truthful) for place, truthful in identified(item) for hint in hints[place]]


def _hints(item: Item) -> list[list[Hint]]:
    """By character: its own statement without the names, and every mention of it."""
    statements, kinds = item.metadata["statements"], item.metadata["kinds"]
    put = [_NAME.sub("_", text) for text in statements]
    hints: list[list[Hint]] = [[("says", text, kind)] for text, kind in zip(put, kinds, strict=True)]
    for speaker, text in enumerate(statements):
        for order, (character, _) in enumerate(said(text)):
            if character < len(hints):
                hints[character].append(("told", put[speaker], order, character == speaker))
    return hints


ALL_HINTS = BlindStrategy(
    "all-hints",
    "guesses each character from its statement and from every statement that mentions it, each without the names: "
    "hints that are added up",
    _guesses,
    learns=True,
    view=_hinted,
)
"""The strongest strategy that looks at one statement at a time."""


def _judged(judge: Callable[[int, list[int], int], Sequence[bool]]) -> Callable[[Item], Guess]:
    """The guess in which the logicians are those whom `judge` (cases of the notes, statements, facts) names."""

    def guess(item: Item) -> Guess:
        if "notes" not in item.metadata:
            return None
        facts = (*item.metadata["names"], *item.metadata["lamps"])
        notes, said = ([_table(text, facts) for text in item.metadata[key]] for key in ("notes", "statements"))
        return guessed(item, judge(reduce(and_, notes), said, len(facts)).__getitem__)

    return guess


@lru_cache(maxsize=4096)
def _table(text: str, facts: tuple[str, ...]) -> int:
    return table(parse(text, facts), len(facts))


def _liars(premises: int, said: list[int], facts: int) -> Sequence[bool]:
    """The first assignment that fits if logicians told the truth and politicians lied; all politicians without any."""
    for world in product((True, False), repeat=len(said)):
        left = known(premises, world, facts)
        for logician, saying in zip(world, said, strict=True):
            left &= saying if logician else ~saying
        if left:
            return world
    return [False] * len(said)


def _heard(premises: int, said: list[int], facts: int) -> Sequence[bool]:
    world: list[bool] = []
    for saying in said:
        world.append(status(premises, saying) == "proved")
        premises = premises & saying or premises
    return world


def _lamps_in_notes(item: Item) -> list[tuple[str, int]]:
    """What kind of statement each is, and how many notes name a lamp that it names."""
    told = zip(item.metadata["kinds"], item.metadata["statements"], strict=True)
    named = [(kind, [lamp for lamp in item.metadata["lamps"] if lamp in notation]) for kind, notation in told]
    return [
        (kind, sum(any(lamp in note for lamp in lamps) for note in item.metadata["notes"])) for kind, lamps in named
    ]


_COUNTING = by_character(
    "lamps-in-notes", "guesses each speaker from the number of notes about the lamps of its statement", _lamps_in_notes
)


def _counted(learned: Sequence[Seen | None], asked: Sequence[Seen | None]) -> Sequence[Guess]:
    """The strategy, without a guess for items that have no notes."""
    return [None] * len(asked) if None in (*learned, *asked) else _COUNTING.guesses(learned, asked)


BLIND_TO_PROOFS: tuple[BlindStrategy, ...] = (
    copying(
        "politicians-as-liars",
        "takes logicians for truth-tellers and politicians for liars, and gives the first assignment that fits",
        _judged(_liars),
    ),
    copying(
        "notes-alone",
        "takes for logicians those whose statements follow from the notes, whatever the earlier speakers are",
        _judged(lambda premises, said, facts: [status(premises, saying) == "proved" for saying in said]),
    ),
    copying(
        "believing",
        "takes for logicians those whose statements follow from the notes and from all earlier statements",
        _judged(_heard),
    ),
    replace(_COUNTING, guesses=_counted, view=lambda item: _COUNTING.view(item) if "notes" in item.metadata else None),
)
"""For items without notes they have no guess."""


BLIND: tuple[BlindStrategy, ...] = (
    commonest("constant", "always gives the most common answer for as many characters", lambda item: ""),
    copying("all-liars", "says that everybody lies", lambda item: everybody(item, False)),
    copying("all-truthful", "says that everybody tells the truth", lambda item: everybody(item, True)),
    commonest("condition", "gives the most common answer of the condition", lambda item: item.condition),
    commonest("denials", "gives the most common answer among puzzles with the same number of denials", denials),
    commonest(
        "kinds",
        "gives the most common answer among puzzles with the same kinds of statement, in order",
        lambda item: tuple(item.metadata["kinds"]),
    ),
    commonest(
        "prompt-length",
        "gives the most common answer among prompts with the same number of words",
        lambda item: len(item.prompt.split()),
    ),
    by_character("place", "guesses each character from its place among the speakers", lambda item: range(size(item))),
    by_character(
        "single-statement",
        "guesses each character from the kind of its statement and its number of denials",
        statements,
    ),
    by_character("talk", "guesses each character from how often others affirm and deny it to be truthful", talk),
    by_character("profile", "guesses each character from its own statement and from what others say of it", profile),
    ALL_HINTS,
    *BLIND_TO_PROOFS,
)
"""Each is measured on whole answers and on characters, out of sample where it learns."""
