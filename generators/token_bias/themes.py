"""What conjunctions are about: personas, stories, diseases, disasters, and public figures."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product

from hansproof.generators.stream import Stream
from hansproof.generators.token_bias.judgement import Case, Drawn, Turn, borrowed, places_near
from hansproof.generators.token_bias.judgement import turn as turn_of
from hansproof.generators.token_bias.lexicon.entries import GENDERS, NAMES, Entry, entries, gendered, listed

__all__ = [
    "PERSONAS",
    "SCALES",
    "SCENARIOS",
    "STORIES",
    "SYMPTOMS",
    "draw_celebrity",
    "draw_disaster",
    "draw_disease",
    "draw_persona",
    "draw_story",
]


@cache
def _texts(entry: Entry, gender: str) -> dict[str, str]:
    return {key: gendered(text, gender) for key, text in entry.values.items()}


# Personas after Tversky and Kahneman's Linda (1983): an occupation, and an activity that the biography suggests.

PERSONAS = entries("personas_a", "personas_b", "personas_c")
"""Biographies with a fitting activity; none of them names a paid job."""

_PERSONAS_APART = places_near(PERSONAS)
_OCCUPATIONS = listed("occupations")


def draw_persona(root: Stream, draws: Stream, turn: Turn) -> Drawn:
    """A persona with an occupation; the second case has an activity that does not fit."""
    own, other = borrowed(root, PERSONAS, turn.number, _PERSONAS_APART)
    gender = turn.gender
    name, age, occupation = draws.choice(NAMES[gender]), draws.integer(25, 50), draws.choice(_OCCUPATIONS)
    scene = _texts(own, gender)["bio"].replace("{name}", name).replace("{age}", str(age))
    event = f"{name} is {occupation}"
    cases = tuple(Case(scene, event, _texts(entry, gender)["activity"], entry.name) for entry in (own, other))
    metadata = {"frame": own.name, "name": name, "gender": gender, "age": age, "occupation": occupation}
    return Drawn(own.name, cases, metadata)


# Stories: what somebody will do next, and what else, or to what end and why, as the situation suggests.

STORIES = entries("stories_a", "stories_b", "stories_c", "stories_d")
"""Situations, each with an event and a completion for each of `and` (or `or`), `to`, `because` and `so that`."""

_STORIES_APART = places_near(STORIES)
REASONS = entries("reasons")
"""Aims, reasons and purposes that suit every story, and that none suggests."""


def _unlike(text: str, other: str) -> tuple[int, int]:
    """By how many words and characters two texts differ in length."""
    return abs(len(text.split()) - len(other.split())), abs(len(text) - len(other))


def draw_story(root: Stream, draws: Stream, turn: Turn, kind: str) -> Drawn:
    """A story with a completion of one kind; the second case has one that the story does not suggest.

    An act is borrowed; borrowed aims and reasons would make no sense, so those are of `REASONS`, about as long.
    """
    own, other = borrowed(root, STORIES, turn.number, _STORIES_APART)
    texts = _texts(own, turn.gender)
    if kind != "and":
        known = (reason for reason in REASONS if kind in reason.values)
        like = sorted(known, key=lambda reason: _unlike(_texts(reason, turn.gender)[kind], texts[kind]))
        other = draws.choice(like[:2])
    # A story has every name of a gender before it has one again.
    block = turn.number // len(STORIES)
    name = _names(root, own.name, turn.gender)[block % len(NAMES[turn.gender])]
    scene, event = texts["story"].replace("{name}", name), f"{name} will {texts['event']}"
    cases = (
        Case(scene, event, texts[kind], own.name),
        Case(scene, event, _texts(other, turn.gender)[kind], other.name),
    )
    return Drawn(own.name, cases, {"frame": own.name, "name": name, "gender": turn.gender})


@lru_cache(maxsize=1024)
def _names(root: Stream, frame: str, kind: str) -> list[str]:
    """Names of a gender, or of cities, shuffled for a frame."""
    return root.child("names").child(frame).shuffled(NAMES.get(kind, _CITIES))


# Diagnoses: an everyday complaint, and a symptom that is typical of the disease (or of another one).

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


_SYMPTOMS_APART = frozenset(
    pair
    for own in SYMPTOMS
    for other in SYMPTOMS
    if own.values["disease"] in related(other)
    for pair in ((own.name, other.name), (other.name, own.name))
)
_SCENES = {gender: tuple(gendered(text, gender) for text in listed("diagnoses")) for gender in GENDERS}


def draw_disease(root: Stream, draws: Stream, turn: Turn) -> Drawn:
    """A patient with a complaint; the second case has a symptom of a disease that has nothing to do with theirs."""
    own, other = borrowed(root, SYMPTOMS, turn.number, _SYMPTOMS_APART)
    disease, gender = own.values["disease"], turn.gender
    first, last = _ages(disease)
    name, age = draws.choice(NAMES[gender]), draws.integer(first, last)
    complaint = draws.choice(_complaints(disease, other.values["disease"]))
    scene = draws.choice(_SCENES[gender]).replace("{name}", name).replace("{age}", str(age))
    scene = scene.replace("{disease}", disease)
    event = f"{name} has {gendered(complaint, gender)}"
    cases = tuple(Case(scene, event, gendered(entry.values["symptom"], gender), entry.name) for entry in (own, other))
    metadata = {"frame": own.name, "name": name, "gender": gender, "age": age, "disease": disease}
    return Drawn(own.name.rpartition("-")[0], cases, metadata)


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


# Natural disasters after Tversky and Kahneman's flood (1983): an event, and a cause that makes it vivid.

DISASTERS = entries("disasters")
"""Disasters in which nobody is hurt, with what sets them off, what goes with them, and the land."""

SCALES = {"medium": 100, "small": 10, "large": 1_000}
"""Condition -> what a round number is multiplied by, to say how many people are affected."""

_NUMBERS = (10, 12, 15, 18, 20, 25, 30, 35, 40, 45)
# Places have no names: of a real one, thousands are certain to see some of this within a year.
_PLACES = ("province", "region", "state", "county", "district")
_DATES = listed("dates")


def draw_disaster(root: Stream, draws: Stream, turn: Turn, key: str) -> Drawn:
    """The same disaster on every scale; `key` is what is added: its cause (`after`), or what `and` and `or` join."""
    disaster = turn_of(root, DISASTERS, turn.number)
    # A disaster has every setting before it has one again.
    settings = _settings(root, disaster.name)
    place, date, number = settings[turn.number // len(DISASTERS) % len(settings)]
    land = f"{disaster.values['land']} {place}"
    scene = f"A group of forecasters met to discuss which natural disasters might strike a {land}."
    event = disaster.values["event"].replace("{place}", f"the {place}").replace("{time}", date)
    event = event[0].upper() + event[1:]
    cases = tuple(
        Case(scene, event.replace("{n}", f"{number * scale:,}"), disaster.values[key], disaster.name)
        for scale in SCALES.values()
    )
    return Drawn(disaster.name, cases, {"frame": disaster.name, "place": land})


@lru_cache(maxsize=128)
def _settings(root: Stream, disaster: str) -> list[tuple[str, str, int]]:
    """(place, date, number), shuffled."""
    return root.child("settings").child(disaster).shuffled(list(product(_PLACES, _DATES, _NUMBERS)))


# After the tennis player in Tversky and Kahneman (1983), who may lose the first set but win the match. It is supposed
# to have happened once, to people of the past and to others of whom nobody has heard; nothing else is said of them.

FIGURES = entries("figures")
"""Public figures by field, each with a gender and a stranger: an invented name as long, in words and characters."""

SCENARIOS = entries("scenarios")
"""What somebody of a field may have done, with a slip and a success."""

_CITIES = listed("cities")


def draw_celebrity(root: Stream, draws: Stream, turn: Turn) -> Drawn:
    """A figure in a scenario of their field; the second case is of a stranger of the same gender."""
    scenario = turn_of(root, SCENARIOS, turn.number)
    fitting = [each for each in FIGURES if (each.theme, each.values["gender"]) == (scenario.theme, turn.gender)]
    # A scenario has every figure of a gender and every city before it has one again.
    block = turn.number // len(SCENARIOS)
    figure = fitting[block % len(fitting)]
    values, names = scenario.values, (figure.values["figure"], figure.values["stranger"])
    scene = values["scene"].replace("{city}", _names(root, scenario.name, "city")[block % len(_CITIES)])
    cases = tuple(
        Case(f"Suppose that {name} once {scene}.", f"{name} {values['slip']}", values["success"], scenario.name)
        for name in names
    )
    about = {"frame": scenario.name, "figure": names[0], "stranger": names[1], "gender": turn.gender}
    return Drawn(scenario.name, cases, about)
