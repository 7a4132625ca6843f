"""The races in English: who wants to know, how many can race, what a race shows, what is asked."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import prod
from typing import Final, NamedTuple

__all__ = ["ORIGINAL", "TOPS", "WORDINGS", "Race", "Wording", "animals", "prompt", "reasoning", "wording"]

ORIGINAL: Final = "horses"

TOPS: Final = {2: "two", 3: "three"}

_OPENINGS: Final = (
    "Somebody wants to find the {top} fastest of {count} {animals}.",
    "A trainer has {count} {animals} and wants to know which {top} are the fastest.",
    "Somebody owns {count} {animals} and wants to pick out the {top} fastest.",
    "A film crew needs the {top} fastest of {count} {animals}.",
    "A club would like to find the {top} fastest of its {count} {animals}.",
    "Out of {count} {animals}, the {top} fastest are to be chosen for a big race.",
    "A researcher wants to know which {top} of {count} {animals} are the fastest.",
    "A prize has been promised to whoever finds the {top} fastest of {count} {animals}.",
)
_LANES: Final = (
    "The track has {lanes} lanes, so at most {lanes} {animals} can race at a time.",
    "At most {lanes} {animals} can race at once.",
    "No more than {lanes} {animals} can take part in one race.",
    "There is room for at most {lanes} {animals} in a race.",
    "Only {lanes} {animals} can race at a time.",
    "The course is narrow, so no more than {lanes} {animals} can race on it at once.",
)
_SPEEDS: Final = (
    "Each of the {count} {animals} always runs at the same speed, and no two are equally fast.",
    "No two of the {count} {animals} are equally fast, and each always runs at the same speed.",
    "Each of the {count} {animals} keeps the same speed from race to race, and no two ever tie.",
    "The {animals} all have different speeds, which never change.",
)
_UNTIMED: Final = (
    "There is no stopwatch: a race shows only the order in which the {animals} finish.",
    "Nobody can measure times, so each race shows only the order of finish.",
    "Without a stopwatch, nothing but the ranking within each race is known.",
    "Times cannot be measured; all that can be seen is the order of the {animals} at the finish.",
)
_QUESTIONS: Final = (
    "What is the smallest number of races that will always be enough to find the {top} fastest?",
    "What is the smallest number of races that will always be enough to tell which {top} are the fastest?",
    "What is the smallest number of races with which the {top} fastest can always be found?",
    "What is the smallest number of races that is enough to find the {top} fastest, whatever the results?",
    "What is the smallest number of races that will be enough, whatever the results, to find the {top} fastest?",
)
_PARTS: Final = (_OPENINGS, _LANES, _SPEEDS, _UNTIMED, _QUESTIONS)
WORDINGS: Final = prod(map(len, _PARTS))
"""How many wordings there are."""

_DEVICES: Final = (
    "There is a stopwatch at the finish, to record the time of every animal, and a camera, to show nothing but the "
    "order of finish. {first} {second}",
    "Two devices stand at the finish: a stopwatch for the time of every animal, and a camera for nothing but the order "
    "of finish. {first} {second}",
    "At the finish there is a stopwatch, meant to record the time of every animal, and a camera, meant to show the "
    "order of finish without any times. {first} {second}",
)
_STATES: Final = ("broken", "working")


class Wording(NamedTuple):
    """One sentence of each kind."""

    opening: str
    lanes: str
    speeds: str
    untimed: str
    question: str


class Race(NamedTuple):
    """What a prompt is about."""

    animals: str
    lanes: int
    top: int
    timed: bool = False
    """Whether the stopwatch works, and not the camera; only where there are devices."""
    devices: int | None = None
    """Which sentence about the devices, and which of them is named first; None where there are none."""


def wording(number: int) -> Wording:
    """The wording with this number, from 0."""
    chosen = []
    for part in _PARTS:
        number, place = divmod(number, len(part))
        chosen.append(part[place])
    return Wording(*chosen)


@cache
def animals() -> tuple[str, ...]:
    """All animals but the horses, plural."""
    text = files("generators.token_bias.horses").joinpath("animals.txt").read_text("utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


def prompt(race: Race, words: Wording) -> str:
    """The prompt."""
    shown = _devices(race) if race.devices is not None else words.untimed
    text = " ".join((words.opening, words.lanes, words.speeds, shown, words.question, "Answer with a number."))
    return text.format(top=TOPS[race.top], count=race.lanes**2, animals=race.animals, lanes=race.lanes)


def _devices(race: Race) -> str:
    text, first = divmod(race.devices or 0, 2)
    states = {"stopwatch": _STATES[race.timed], "camera": _STATES[not race.timed]}
    said = [f"The {device} is {state}." for device, state in states.items()]
    return _DEVICES[text % len(_DEVICES)].format(first=said[first], second=said[1 - first])


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
