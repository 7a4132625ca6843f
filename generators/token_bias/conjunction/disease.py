"""Diagnoses: an everyday complaint, and a symptom that is typical of the disease (or of another one)."""

from __future__ import annotations

from generators.stream import Stream
from generators.token_bias.conjunction.judgement import Case, Drawn, Turn
from generators.token_bias.conjunction.rotation import borrowed
from generators.token_bias.lexicon.entries import Entry, entries, gendered, listed
from generators.token_bias.lexicon.people import GENDERS, NAMES

__all__ = ["DISEASES", "SYMPTOMS", "draw"]

DISEASES = entries("diseases_a", "diseases_b", "diseases_c")
"""Diseases with their typical symptoms: `own` can be lent to diseases of another theme, `shared` cannot."""

SYMPTOMS = tuple(
    Entry(f"{disease.name}-{place}", disease.theme, {"disease": disease.values["disease"], "symptom": symptom})
    for disease in DISEASES
    for place, symptom in enumerate(disease.values["own"].split("; "), 1)
)
"""The symptoms that can be lent, each with its disease."""

_SCENES = {gender: tuple(gendered(text, gender) for text in listed("diagnoses")) for gender in GENDERS}
_COMPLAINTS = listed("complaints")


def draw(root: Stream, draws: Stream, turn: Turn) -> Drawn:
    """A patient with a complaint; the second case has a symptom of a disease of another theme."""
    own, other = borrowed(root, SYMPTOMS, turn.number)
    gender = turn.gender
    name, age, complaint = draws.choice(NAMES[gender]), draws.integer(40, 70), draws.choice(_COMPLAINTS)
    disease = own.values["disease"]
    scene = draws.choice(_SCENES[gender]).replace("{name}", name).replace("{age}", str(age))
    scene = scene.replace("{disease}", disease)
    event = f"{name} has {complaint}"
    cases = tuple(Case(scene, event, entry.values["symptom"], entry.name) for entry in (own, other))
    metadata = {"frame": own.name, "name": name, "gender": gender, "age": age, "disease": disease}
    return Drawn(cases, metadata)
