"""Personas after Tversky and Kahneman's Linda (1983): an occupation, and an activity that the biography suggests."""

from __future__ import annotations

from generators.stream import Stream
from generators.token_bias.conjunction.judgement import Case, Drawn
from generators.token_bias.conjunction.rotation import borrowed
from generators.token_bias.lexicon.entries import entries, gendered, listed
from generators.token_bias.lexicon.people import GENDERS, NAMES

__all__ = ["draw"]

_PERSONAS = entries("personas_a")
_TEXTS = {
    (entry.name, gender): (gendered(entry.values["bio"], gender), gendered(entry.values["activity"], gender))
    for entry in _PERSONAS
    for gender in GENDERS
}
_OCCUPATIONS = listed("occupations")


def draw(root: Stream, number: int, gender: str) -> Drawn:
    """A persona with an occupation; the second arm has the activity of a persona of another field."""
    own, other = borrowed(root, _PERSONAS, number)
    draws = root.child("group").child(number)
    name, age, occupation = draws.choice(NAMES[gender]), draws.integer(25, 50), draws.choice(_OCCUPATIONS)
    bio = _TEXTS[own.name, gender][0].replace("{name}", name).replace("{age}", str(age))
    event = f"{name} is {occupation}"
    cases = tuple(Case(bio, event, _TEXTS[entry.name, gender][1], entry.name) for entry in (own, other))
    metadata = {"frame": own.name, "name": name, "gender": gender, "age": age, "occupation": occupation}
    return Drawn(cases, metadata)
