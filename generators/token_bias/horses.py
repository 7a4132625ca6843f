"""The twenty-five horses: how few races find the fastest of n^2 animals, n at a time?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache, partial
from math import prod
from typing import Any, Final, NamedTuple

from hansproof.generators.dataset import NUMBER, OPTION, Draft, MatchedConditions, Subset, base_of
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream
from hansproof.generators.token_bias.lexicon.entries import listed, sections
from hansproof.generators.token_bias.plan import OURS, PAPER, Plan, Room, from_sets, stream_of

__all__ = ["HORSES"]

# How few races find the fastest `top` of n^2 animals, n at a time, from the order of finish alone.
#
# *n + 1 are not enough if 2 <= top < n.* In every race, let the animals that nobody has beaten yet come in ahead of the
# others. So a race beats at most n - 1 animals for the first time, and one fewer for every lane that is wasted: left
# empty, or given to an animal beaten before. Where n + 1 races leave u animals unbeaten, n^2 - u = (n + 1)(n - 1) - w,
# so w = u - 1 lanes have been wasted. If the top are now known, all others are known to be slower than each of them.
# The unbeaten are among the top, because each of them may be the fastest; so u <= top < n.
#
# - u = 1: no lane is wasted, and all but the champion have lost a single race. Let the winner of the n-th race,
#   unbeaten until then, win the last one too. Only the champion is known to be faster than the second of either race.
#   So neither second is known to be slower than the other, or than a third animal among the top; thus both are among
#   the top, and the others are known to be slower than both. But to be behind both, an animal must have lost twice.
# - u > 1: each unbeaten animal has won a race, in which it beat others for the first time, since fewer than n - 1 lanes
#   are wasted in all. At most u - 1 of those u races have a loser that runs again, as that wastes a lane. The losers of
#   another one are known to be slower than its winner and than each other, but not than any other unbeaten animal, so
#   all that were beaten there for the first time, n - u or more, are among the top. With the u unbeaten ones they are
#   n.
#
# *n + 2 are enough if top (top + 1) / 2 - 1 <= n.* Race n groups of n, then their winners. The j-th of the group whose
# winner came in i-th has i + j - 2 animals before it, so it can be among the top only if i + j - 1 <= top. These are
# top (top + 1) / 2 animals, the winner of winners among them; the others run one last race.
#
# So three of n^2 take n + 2 races from n = 5 on, four from n = 9 on, five from n = 14 on, and two of n^2 from n = 3 on
# (and for n = 2, where all ways to race have been tried). It is not so for a top of any size: three of nine take six
# races, three at a time, and nobody has proved how many the five fastest of twenty-five take. The tests try all
# ways to race where numbers are small, and for twenty-five horses all ways to race against the order of finish above.


def races(lanes: int, top: int, timed: bool) -> int:
    """The fewest races for the fastest `top` of lanes^2 animals; with a stopwatch each animal runs once.

    Raises ValueError for a top below two and where the last race would not hold all candidates.
    """
    if timed:
        return lanes
    if top < 2 or top * (top + 1) // 2 - 1 > lanes:
        raise ValueError(f"no proof that {lanes + 2} races find the fastest {top} of {lanes**2}")
    return lanes + 2


ORIGINAL: Final = "horses"

TOPS: Final = {2: "two", 3: "three", 4: "four", 5: "five"}

_TEXTS: Final = sections("races")
_PARTS: Final = tuple(_TEXTS[part] for part in ("openings", "lanes", "speeds", "untimed", "questions"))
_STATES: Final = ("broken", "working")


class Race(NamedTuple):
    """What a prompt is about."""

    animals: str
    lanes: int
    top: int
    timed: bool = False
    """Whether the stopwatch works, and not the camera; only where there are devices."""
    devices: int | None = None
    """Which sentence about the devices, and which of them is named first; None where there are none."""
    step: int = 1
    """-1 where the larger of two numbers to choose from comes first."""


def wording(number: int) -> list[str]:
    """The wording with this number, from 0: one sentence of each of `_PARTS`."""
    chosen = []
    for part in _PARTS:
        number, place = divmod(number, len(part))
        chosen.append(part[place])
    return chosen


def prompt(race: Race, words: list[str]) -> str:
    """The prompt."""
    opening, lanes, speeds, untimed, question = words
    shown = _devices(race) if race.devices is not None else untimed
    text = " ".join((opening, lanes, speeds, shown, question))
    text += " Answer with a number." if race.devices is None else "\n" + _options(race)
    return text.format(top=TOPS[race.top], count=race.lanes**2, animals=race.animals, lanes=race.lanes)


def _options(race: Race) -> str:
    """The two numbers that make sense, one with a stopwatch and one without, so that a guess is right half the time."""
    numbers = [races(race.lanes, race.top, timed) for timed in (True, False)]
    return "\n".join(f"{label} {number}" for label, number in zip(LABELS, numbers[:: race.step], strict=True))


def _devices(race: Race) -> str:
    text, first = divmod(race.devices or 0, 2)
    states = {"stopwatch": _STATES[race.timed], "camera": _STATES[not race.timed]}
    said = [f"the {device} is {state}" for device, state in states.items()]
    return _TEXTS["devices"][text].format(first=said[first], second=said[1 - first])


def reasoning(race: Race) -> str:
    """The steps to the answer in words, for solved examples."""
    n = race.lanes
    if race.timed:
        return (
            f"The stopwatch works, so times can be compared across races, and each of the {n**2} {race.animals} has to "
            f"run only once. It has to run at least once, because it may be the fastest. With {n} in each race, "
            f"{n**2} {race.animals} take {n} races."
        )
    top, left = TOPS[race.top], race.top * (race.top + 1) // 2 - 1
    return (
        f"Only the order of finish is known. First race the {race.animals} in {n} groups of {n}: {n} races. Then race "
        f"the {n} winners: the first of them is the fastest of all. The j-th of the group whose winner came in i-th "
        f"has i + j - 2 ahead of it, so besides the fastest only {left} can still be among the {top} fastest, and they "
        f"fit into one last race. That makes {n} + 1 + 1 = {n + 2} races. With one race fewer, the order of finish can "
        f"always be such that a place among the {top} fastest is left undecided."
    )


_TIMED = [("camera", "broken"), ("stopwatch", "working")]
_UNTIMED_DEVICES = [("camera", "working"), ("stopwatch", "broken")]


def check(item: Item) -> list[str]:
    """Faults of an item: another answer than the one that the prompt leads to, or no such prompt."""
    text, *options = re.split(r"\n(?=\([ab]\) )", item.prompt)
    numbers = sorted(set(map(int, re.findall("[0-9]+", text))))
    opening = item.prompt.partition(".")[0]
    tops = [number for number, word in TOPS.items() if f" {word} " in opening]
    if len(numbers) != 2 or numbers[0] ** 2 != numbers[1] or len(tops) != 1:
        return ["the prompt does not say how many of n^2 animals are wanted, n at a time"]
    states = re.findall(r"the (stopwatch|camera) is (working|broken)\b", text)
    if states and sorted(states) not in (_TIMED, _UNTIMED_DEVICES):
        return ["not just one of the two devices is working"]
    timed = sorted(states) == _TIMED
    answer = str(fewest_races(numbers[0], tops[0], timed))
    if options:
        labels = {number: label for label, number in map(str.split, options)}
        if len(labels) != len(LABELS) or answer not in labels:
            return [f"{answer} is none of two options"]
        answer = labels[answer]
    return [] if item.answer == answer else [f"answer is {item.answer!r}, not {answer!r}"]


@cache
def fewest_races(lanes: int, top: int, timed: bool) -> int:
    """The fewest races, from the animals that are left after the heats and the race of the winners.

    The lower bound counts beaten animals: n^2 - 1 have to be beaten, n - 1 a race, and one race more decides who is
    second (`races` has the proof, which the tests confirm by search). Raises ValueError where the two bounds differ.
    """
    if timed:
        return -(-(lanes**2) // lanes)  # each animal runs once
    before = {
        (i, j): {(i, k) for k in range(j)} | {(k, 0) for k in range(i)} for i in range(lanes) for j in range(lanes)
    }
    left = [place for place, faster in before.items() if place != (0, 0) and len(faster) < top]
    enough = lanes + 1 + (-(-len(left) // lanes))
    least = (lanes**2 - 1) // (lanes - 1) + 1
    if enough != least:
        raise ValueError(f"between {least} and {enough} races")
    return enough


HINTS = dict(zip(("weak", "strong"), sections("hints")["horses"], strict=True))
"""By the names that styles give them."""


def _steps(item: Item) -> str:
    about = item.metadata
    return reasoning(Race(about["animals"], about["lanes"], about["top"], about["timed"] == "yes"))


LABELS: Final = ("(a)", "(b)")

_NINE = (
    "Somebody has 9 horses and would like to know which two are the fastest. At most 3 horses can race at a time, over "
    "the same distance. Each horse always runs at the same speed, and no two are equally fast. A race shows only the "
    "order of finish. What is the smallest number of races that is sure to be enough?"
)


def _wrong(subset: str) -> Draft:
    """A puzzle with fewer lanes than any item; its answer is wrong on purpose: it stops after the race of winners."""
    about = {"animals": ORIGINAL, "lanes": 3, "top": 2, "timed": "no"}
    if base_of(subset) == "horses":
        return Draft(f"{_NINE} Answer with a number.", None, "4", "example", "example", about)
    return Draft(f"{_NINE}\n(a) 4\n(b) 5", LABELS, "(a)", "example", "example", about)


EXAMPLES: Mapping[str, Callable[[str], Draft]] = {"wrong": _wrong}
"""By the name that styles give it."""

_LANES_OF_THE_PAPER: Final = 5
"""Of the original: twenty-five horses."""
_SIZES: Final = {2: (4, *range(6, 15)), 3: range(6, 15), 4: range(9, 18), 5: range(14, 21)}
"""How many are wanted -> other numbers of lanes for which the answer is proved. For more than three it is not proved of
twenty-five animals, with which the paper's sets begin."""


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
    root = stream_of(stream, subset)
    own = root.child(number)
    balanced = members is _BALANCED
    top = own.integer(2, 5 if balanced else 3)
    lanes = own.choice(_SIZES[top])
    # Twins with another answer have another animal: with the very same words, an audit would have nothing to test.
    animal = dict(zip((False, True), own.sample(listed("animals"), 2), strict=True))
    devices, step = (own.below(6), own.choice((1, -1))) if balanced else (None, 1)
    order = _order(root, balanced)
    words = wording(order[number % len(order)])
    drafts = []
    for member in members:
        race = Race(
            animals=animal[member.timed] if member.animal else ORIGINAL,
            lanes=lanes if member.numbers else _LANES_OF_THE_PAPER,
            top=top,
            timed=member.timed,
            devices=devices,
            step=step,
        )
        metadata: dict[str, Any] = {
            "animals": race.animals,
            "lanes": race.lanes,
            "top": race.top,
            "timed": "yes" if race.timed else "no",
        }
        if devices is not None:
            metadata["stopwatch_first"] = devices % 2 == 0
        # The smaller number is the one with a stopwatch.
        answer = LABELS[race.timed == (step < 0)] if balanced else str(races(race.lanes, race.top, race.timed))
        choices = LABELS if balanced else None
        drafts.append(Draft(prompt(race, words), choices, answer, f"{subset}-{number:06d}", member.condition, metadata))
    # Solved examples are first items of sets: of all kinds where these are balanced, else not the original itself.
    return tuple(own.shuffled(drafts) if balanced else drafts[::-1])


def _plan(members: tuple[_Member, ...], sets: int, description: str) -> Plan:
    balanced = members is _BALANCED
    subset = Subset(
        sets * len(members),
        description,
        replace(OPTION if balanced else NUMBER, reasoning=_steps),
        matched=MatchedConditions(members[0].condition, tuple(member.condition for member in members[1:])),
        hints=HINTS,
        examples=EXAMPLES,
        exploit="" if balanced else "the answer is always two more than the number of lanes",
        balanced=balanced,
    )
    make = from_sets(partial(_group, members), len(members))
    return Plan(make, check, subset, OURS if balanced else PAPER)


@lru_cache(maxsize=64)
def _order(root: Stream, balanced: bool) -> list[int]:
    """Every wording once, so that prompts do not repeat; in balanced sets the sentence about times is not shown."""
    first = _TEXTS["untimed"][0]
    every = [number for number in range(prod(map(len, _PARTS))) if not balanced or first in wording(number)]
    return root.child("wordings").shuffled(every)


HORSES: Room = {
    "horses": _plan(_PAPER, 100, "The fastest two or three of n^2 animals, n at a time: n + 2 races."),
    "balanced-horses": _plan(
        _BALANCED, 500, "The fastest two to five, with a stopwatch or a camera that is broken: n or n + 2 races."
    ),
}
"""Subset -> how its items are made, in the order of the release."""
