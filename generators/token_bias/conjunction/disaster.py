"""Natural disasters after Tversky and Kahneman's flood (1983): an event, and a cause that makes it vivid."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from generators.stream import Stream
from generators.token_bias.conjunction.judgement import Case, Drawn, Turn
from generators.token_bias.conjunction.rotation import turn as turn_of
from generators.token_bias.lexicon.entries import Entry, entries, listed

__all__ = ["DISASTERS", "SCALES", "draw"]

DISASTERS = entries("disasters")
"""Disasters in which nobody is hurt, with a cause, something that goes with them, and where they may happen."""

SCALES = {"medium": 100, "small": 10, "large": 1_000}
"""Condition -> what a round number is multiplied by, to say how many people are affected."""

_NUMBERS = (10, 12, 15, 18, 20, 25, 30, 35, 40, 45, 50, 60, 70, 75, 80, 90)
_DATES = listed("dates")


def draw(root: Stream, draws: Stream, turn: Turn, key: str) -> Drawn:
    """The same disaster on every scale; `key` is what is added: its cause (`because`), or what `and` and `or` join."""
    disaster = turn_of(root, DISASTERS, turn.number)
    # A disaster has every setting before it has one again.
    settings = _settings(root, disaster)
    place, date, number = settings[turn.number // len(DISASTERS) % len(settings)]
    scene = f"A group of forecasters met to discuss which natural disasters might strike {place}."
    event = disaster.values["event"].replace("{place}", place).replace("{time}", date)
    event = event[0].upper() + event[1:]
    cases = tuple(
        Case(scene, event.replace("{n}", f"{number * scale:,}"), disaster.values[key], disaster.name)
        for scale in SCALES.values()
    )
    return Drawn(cases, {"frame": disaster.name, "place": place})


@lru_cache(maxsize=128)
def _settings(root: Stream, disaster: Entry) -> list[tuple[str, str, int]]:
    """(place, date, number), shuffled."""
    every = product(disaster.values["place"].split("; "), _DATES, _NUMBERS)
    return root.child("settings").child(disaster.name).shuffled(list(every))
