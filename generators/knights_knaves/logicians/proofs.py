"""What counts as proved, for logicians and politicians, by truth tables.

Everybody speaks in turn. A logician says only what can be proved, a politician only what can be neither proved nor
disproved: from the notes, which are true, and from what the earlier speakers are, and from nothing else. So the first
statement shows what the first speaker is, then the second one what the second speaker is, and so on. A politician is no
liar: what a politician says may be true.

A case says which facts hold: first whether each speaker is a logician, then whether each lamp is on. A table is an int
whose bit c is the truth in case c, where bit v of c is fact v.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Literal, NamedTuple

__all__ = ["SIGNS", "Clause", "Status", "chained", "known", "status", "table"]

Status = Literal["proved", "disproved", "open"]
"""What the premises say of a statement."""

SIGNS = {"single": "", "disjunction": "|", "implication": ">", "equivalence": "=", "exclusive": "^"}
"""Kind -> its sign in the notation of `metadata`."""


class Clause(NamedTuple):
    """A note or a statement: one fact, or two that are joined."""

    kind: str
    """One of SIGNS."""
    facts: tuple[int, ...]
    holds: tuple[bool, ...]
    """For each fact, whether it is affirmed or denied."""


@cache
def _fact(place: int, facts: int) -> int:
    return sum(1 << case for case in range(1 << facts) if case >> place & 1)


@cache
def table(clause: Clause, facts: int) -> int:
    """The truth table of a clause among so many facts."""
    every = (1 << (1 << facts)) - 1
    parts = [
        _fact(place, facts) ^ (0 if holds else every) for place, holds in zip(clause.facts, clause.holds, strict=True)
    ]
    if clause.kind == "single":
        return parts[0]
    left, right = parts
    return {
        "disjunction": left | right,
        "implication": (every ^ left) | right,
        "equivalence": every ^ left ^ right,
        "exclusive": left ^ right,
    }[clause.kind]


def known(premises: int, speakers: Sequence[bool], facts: int, first: int = 0) -> int:
    """The cases that the premises leave once speakers, from the `first` on, are known to be logicians or not."""
    for place, logician in enumerate(speakers, first):
        premises &= _fact(place, facts) ^ (0 if logician else (1 << (1 << facts)) - 1)
    return premises


def status(premises: int, said: int) -> Status:
    """Whether what is said can be proved, disproved or neither, from the cases that the premises leave, never none."""
    if not premises & ~said:
        return "proved"
    return "open" if premises & said else "disproved"


def chained(premises: int, said: Sequence[int], facts: int) -> int:
    """How many statements can be judged only by those who know what earlier speakers are.

    That is, whose status is not the same for all that the earlier speakers could be as far as the premises go.
    """
    return sum(
        len({status(left, saying) for left in _cases(premises, place, facts)}) > 1 for place, saying in enumerate(said)
    )


def _cases(premises: int, speakers: int, facts: int) -> Iterator[int]:
    for earlier in product((True, False), repeat=speakers):
        if left := known(premises, earlier, facts):
            yield left
