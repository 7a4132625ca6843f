"""Natural disasters after Tversky and Kahneman's flood (1983): an event, and a cause that makes it vivid."""

from __future__ import annotations

from generators.stream import Stream
from generators.token_bias.conjunction.judgement import Case, Drawn, Turn
from generators.token_bias.conjunction.rotation import turn as turn_of
from generators.token_bias.lexicon.entries import entries, listed

__all__ = ["DISASTERS", "SCALES", "draw"]

DISASTERS = entries("disasters")
"""Disasters in which nobody is hurt, with a cause and the places where they may happen."""

SCALES = {"medium": 100, "small": 10, "large": 1_000}
"""Condition -> what a number from 11 to 99 is multiplied by, to say how many people are affected."""

_DATES = listed("dates")


def draw(root: Stream, draws: Stream, turn: Turn, key: str) -> Drawn:
    """The same disaster on every scale; `key` is the form of its cause: `because`, or `and` for both connectives."""
    disaster = turn_of(root, DISASTERS, turn.number)
    place, date = draws.choice(disaster.values["place"].split("; ")), draws.choice(_DATES)
    number = draws.integer(11, 99)
    scene = f"A group of forecasters met to discuss which natural disasters might strike {place}."
    event = disaster.values["event"].replace("{place}", place).replace("{time}", date)
    event = event[0].upper() + event[1:]
    cases = tuple(
        Case(scene, event.replace("{n}", f"{number * scale:,}"), disaster.values[key], disaster.name)
        for scale in SCALES.values()
    )
    return Drawn(cases, {"frame": disaster.name, "place": place})
