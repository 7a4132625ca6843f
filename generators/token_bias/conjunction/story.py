"""Stories: what somebody will do next, and what else, or to what end and why, as the situation suggests."""

from __future__ import annotations

from functools import lru_cache

from generators.stream import Stream
from generators.token_bias.conjunction.judgement import Case, Drawn, Turn
from generators.token_bias.conjunction.rotation import borrowed, places_near
from generators.token_bias.lexicon.entries import entries, gendered
from generators.token_bias.lexicon.people import GENDERS, NAMES

__all__ = ["KINDS", "STORIES", "draw"]

KINDS = ("and", "to", "because", "so that")
"""Ways to go on with an event, each the connective and the key of an entry; what follows `and` may follow `or`."""

STORIES = entries("stories_a", "stories_b", "stories_c", "stories_d")
"""Situations, each with an event and one completion of every kind."""

_APART = places_near(STORIES)
_TEXTS = {
    (entry.name, gender): {key: gendered(text, gender) for key, text in entry.values.items()}
    for entry in STORIES
    for gender in GENDERS
}


def draw(root: Stream, draws: Stream, turn: Turn, kind: str) -> Drawn:
    """A story with a completion of one kind; the second case has one that does not fit."""
    own, other = borrowed(root, STORIES, turn.number, _APART)
    gender = turn.gender
    # A story has every name of a gender before it has one again.
    block = turn.number // len(STORIES)
    name = _names(root, own.name, gender)[block % len(NAMES[gender])]
    texts = _TEXTS[own.name, gender]
    scene, event = texts["story"].replace("{name}", name), f"{name} will {texts['event']}"
    cases = tuple(Case(scene, event, _TEXTS[entry.name, gender][kind], entry.name) for entry in (own, other))
    return Drawn(cases, {"frame": own.name, "name": name, "gender": gender})


@lru_cache(maxsize=1024)
def _names(root: Stream, frame: str, gender: str) -> list[str]:
    return root.child("names").child(frame).shuffled(NAMES[gender])
