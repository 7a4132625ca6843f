"""The subsets of the races."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from generators.dataset import Contrast, Draft, Subset
from generators.stream import Stream
from generators.token_bias.horses.advice import EXAMPLES, FORM, HINTS
from generators.token_bias.horses.races import races
from generators.token_bias.horses.reading import check
from generators.token_bias.horses.wording import ORIGINAL, WORDINGS, Race, animals, prompt, wording
from generators.token_bias.plan import OURS, PAPER, Plan, Room

__all__ = ["HORSES"]

_LANES: Final = 5
"""Of the original: twenty-five horses."""
_SIZES: Final = {2: (4, 6, 7, 8, 9, 10, 11, 12, 13, 14), 3: (6, 7, 8, 9, 10, 11, 12, 13, 14)}
"""How many are wanted -> other numbers of lanes for which the answer is proved."""


class _Member(NamedTuple):
    condition: str
    animal: bool = False
    numbers: bool = False
    timed: bool = False


_PAPER: Final = (
    _Member("original"),
    _Member("animal", animal=True),
    _Member("numbers", numbers=True),
    _Member("both", animal=True, numbers=True),
)
_BALANCED: Final = (
    _Member("untimed", numbers=True),
    _Member("untimed-animal", animal=True, numbers=True),
    _Member("timed", numbers=True, timed=True),
    _Member("timed-animal", animal=True, numbers=True, timed=True),
)


def _group(members: tuple[_Member, ...], stream: Stream, subset: str, number: int) -> tuple[Draft, ...]:
    root = _root(stream, subset)
    own = root.child(number)
    balanced = members is _BALANCED
    top = own.integer(2, 3)
    lanes = own.choice(_SIZES[top])
    # Twins with another answer have another animal: with the very same words, an audit would have nothing to test.
    animal = dict(zip((False, True), own.sample(animals(), 2), strict=True))
    devices = own.below(6) if balanced else None
    order = _order(root, balanced)
    words = wording(order[number % len(order)])
    drafts = []
    for member in members:
        race = Race(
            animals=animal[member.timed] if member.animal else ORIGINAL,
            lanes=lanes if member.numbers else _LANES,
            top=top,
            timed=member.timed,
            devices=devices,
        )
        metadata: dict[str, Any] = {
            "animals": race.animals,
            "lanes": race.lanes,
            "top": race.top,
            "timed": "yes" if race.timed else "no",
        }
        if devices is not None:
            metadata["stopwatch_first"] = devices % 2 == 0
        answer = str(races(race.lanes, race.top, race.timed))
        drafts.append(Draft(prompt(race, words), None, answer, f"{subset}-{number:06d}", member.condition, metadata))
    # Solved examples are first items of groups: of all kinds where these are balanced, else not the original itself.
    return tuple(own.shuffled(drafts) if balanced else drafts[::-1])


def _plan(members: tuple[_Member, ...], groups: int, description: str) -> Plan:
    balanced = members is _BALANCED
    subset = Subset(
        groups * len(members),
        description,
        FORM,
        contrast=Contrast(members[0].condition, tuple(member.condition for member in members[1:])),
        hints=HINTS,
        examples=EXAMPLES,
        audit_target="timed" if balanced else "",
        exploit="" if balanced else "the answer is always two more than the number of lanes",
        balanced=balanced,
    )

    @lru_cache(maxsize=8)
    def group(stream: Stream, name: str, number: int) -> tuple[Draft, ...]:
        return _group(members, stream, name, number)

    def make(stream: Stream, name: str, index: int) -> Draft:
        number, member = divmod(index, len(members))
        return group(stream, name, number)[member]

    return Plan(make, check, subset, OURS if balanced else PAPER)


@lru_cache(maxsize=64)
def _root(stream: Stream, subset: str) -> Stream:
    return stream.child(subset)


@lru_cache(maxsize=64)
def _order(root: Stream, balanced: bool) -> list[int]:
    """Every wording once, so that prompts do not repeat; in balanced sets the sentence about times is not shown."""
    first = wording(0).untimed
    every = [number for number in range(WORDINGS) if not balanced or wording(number).untimed == first]
    return root.child("wordings").shuffled(every)


HORSES: Room = {
    "horses": _plan(_PAPER, 100, "The fastest two or three of n^2 animals, n at a time: n + 2 races."),
    "balanced-horses": _plan(
        _BALANCED, 500, "The same with a stopwatch and a camera, one of which is broken: n or n + 2 races."
    ),
}
"""Subset -> how its items are made, in the order of the release."""
