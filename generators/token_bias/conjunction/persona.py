"""Personas after Tversky and Kahneman's Linda (1983): an occupation, and an activity that the biography suggests."""

from __future__ import annotations

from generators.stream import Stream
from generators.token_bias.conjunction.judgement import Case, Drawn, Turn
from generators.token_bias.conjunction.rotation import borrowed, places_near
from generators.token_bias.lexicon.entries import entries, gendered, listed
from generators.token_bias.lexicon.people import GENDERS, NAMES

__all__ = ["PERSONAS", "draw"]

PERSONAS = entries("personas_a", "personas_b", "personas_c")
"""Biographies with a fitting activity; none of them names a paid job."""

_TEXTS = {
    (entry.name, gender): (gendered(entry.values["bio"], gender), gendered(entry.values["activity"], gender))
    for entry in PERSONAS
    for gender in GENDERS
}
_APART = places_near(PERSONAS)
_OCCUPATIONS = listed("occupations")


def draw(root: Stream, draws: Stream, turn: Turn) -> Drawn:
    """A persona with an occupation; the second case has an activity that does not fit."""
    own, other = borrowed(root, PERSONAS, turn.number, _APART)
    gender = turn.gender
    name, age, occupation = draws.choice(NAMES[gender]), draws.integer(25, 50), draws.choice(_OCCUPATIONS)
    scene = _TEXTS[own.name, gender][0].replace("{name}", name).replace("{age}", str(age))
    event = f"{name} is {occupation}"
    cases = tuple(Case(scene, event, _TEXTS[entry.name, gender][1], entry.name) for entry in (own, other))
    metadata = {"frame": own.name, "name": name, "gender": gender, "age": age, "occupation": occupation}
    return Drawn(cases, metadata)
