"""Diagnoses: an everyday complaint, and a symptom that is typical of the disease (or of another one)."""

from __future__ import annotations

from functools import cache

from generators.stream import Stream
from generators.token_bias.conjunction.judgement import Case, Drawn, Turn
from generators.token_bias.conjunction.rotation import borrowed
from generators.token_bias.lexicon.entries import Entry, entries, gendered, listed
from generators.token_bias.lexicon.people import GENDERS, NAMES

__all__ = ["COMPLAINTS", "DISEASES", "SYMPTOMS", "draw", "related"]

DISEASES = entries("diseases_a", "diseases_b", "diseases_c")
"""Diseases with their typical symptoms: `own` can be lent to diseases of another theme, `shared` cannot."""

SYMPTOMS = tuple(
    Entry(f"{disease.name}-{place}", disease.theme, {**disease.values, "symptom": symptom})
    for disease in DISEASES
    for place, symptom in enumerate(disease.values["own"].split("; "), 1)
)
"""The symptoms that can be lent, each with the values of its disease."""

COMPLAINTS = entries("complaints")
"""Everyday complaints, each with the diseases that it has something to do with."""


def related(entry: Entry) -> tuple[str, ...]:
    """The diseases from which a symptom or a complaint is kept apart."""
    return tuple(entry.values["apart"].split("; ")) if "apart" in entry.values else ()


_APART = frozenset(
    pair
    for own in SYMPTOMS
    for other in SYMPTOMS
    if own.values["disease"] in related(other)
    for pair in ((own.name, other.name), (other.name, own.name))
)
_SCENES = {gender: tuple(gendered(text, gender) for text in listed("diagnoses")) for gender in GENDERS}


def draw(root: Stream, draws: Stream, turn: Turn) -> Drawn:
    """A patient with a complaint; the second case has a symptom of a disease that has nothing to do with theirs."""
    own, other = borrowed(root, SYMPTOMS, turn.number, _APART)
    disease, gender = own.values["disease"], turn.gender
    first, last = _ages(disease)
    name, age = draws.choice(NAMES[gender]), draws.integer(first, last)
    complaint = draws.choice(_complaints(disease, other.values["disease"]))
    scene = draws.choice(_SCENES[gender]).replace("{name}", name).replace("{age}", str(age))
    scene = scene.replace("{disease}", disease)
    event = f"{name} has {gendered(complaint, gender)}"
    cases = tuple(Case(scene, event, gendered(entry.values["symptom"], gender), entry.name) for entry in (own, other))
    metadata = {"frame": own.name, "name": name, "gender": gender, "age": age, "disease": disease}
    return Drawn(cases, metadata)


@cache
def _ages(disease: str) -> tuple[int, int]:
    """The first and the last age of patients."""
    values = next(entry.values for entry in DISEASES if entry.values["disease"] == disease)
    first, _, last = values.get("ages", "40-70").partition("-")
    return int(first), int(last)


@cache
def _complaints(*diseases: str) -> tuple[str, ...]:
    """Complaints that have nothing to do with any of the diseases."""
    return tuple(entry.values["complaint"] for entry in COMPLAINTS if not set(diseases) & set(related(entry)))
