"""The subsets of conjunctions: the paper's designs, and their balanced twins."""

from __future__ import annotations

from functools import partial

from generators.dataset import Contrast, Subset
from generators.token_bias.conjunction import celebrity, disaster, disease, persona, story
from generators.token_bias.conjunction.advice import EXAMPLES, FORM, HINTS
from generators.token_bias.conjunction.checking import check
from generators.token_bias.conjunction.judgement import Design, judgement
from generators.token_bias.plan import OURS, PAPER, Plan, Room

__all__ = ["CONJUNCTION"]

_RELEVANCE = ("relevant", "irrelevant")
_FAME = ("famous", "unknown")
_SCALES = tuple(disaster.SCALES)
_BOTH = ("and", "or")


def _plan(design: Design, groups: int, description: str) -> Plan:
    """A balanced subset where the connectives are several, else one of the paper's."""
    balanced = design.balanced
    original, *perturbed = design.conditions
    subset = Subset(
        rows=groups * len(design.conditions),
        description=description,
        form=FORM,
        contrast=Contrast(original, tuple(perturbed)),
        hints=HINTS,
        examples=EXAMPLES,
        exploit="" if balanced else "the shorter statement is always the more probable one",
        balanced=balanced,
    )
    return Plan(partial(judgement, design), check, subset, OURS if balanced else PAPER)


def _story(kind: str, description: str) -> Plan:
    return _plan(Design(partial(story.draw, kind=kind), _RELEVANCE, (kind,)), len(story.STORIES), description)


CONJUNCTION: Room = {
    "conjunction-persona": _plan(
        Design(persona.draw, _RELEVANCE, ("and",)),
        len(persona.PERSONAS),
        "A job, against the job and an activity that the biography suggests; or one that another biography suggests.",
    ),
    "conjunction-story-to": _story(
        "to", "An event, against the event and an aim (`to`) that the story suggests; or one that another suggests."
    ),
    "conjunction-story-because": _story(
        "because",
        "An event, against the event and a reason (`because`) that the story suggests; or one that another suggests.",
    ),
    "conjunction-story-so-that": _story(
        "so that",
        "An event, against the event and a purpose (`so that`) that the story suggests; or one that another suggests.",
    ),
    "conjunction-disease": _plan(
        Design(disease.draw, _RELEVANCE, ("and",)),
        len(disease.SYMPTOMS),
        "A complaint, against the complaint and a symptom that is typical of the disease; or of an unrelated one.",
    ),
    "conjunction-celebrity": _plan(
        Design(celebrity.draw, _FAME, ("but",)),
        252,
        "A slip, against the slip and a success that is likely for a public figure; or for somebody unknown.",
    ),
    "conjunction-disaster": _plan(
        Design(partial(disaster.draw, key="because"), _SCALES, ("because",)),
        100,
        "A disaster, against the disaster and its cause, for thousands of people; for hundreds; for tens of thousands.",
    ),
    "balanced-persona": _plan(
        Design(persona.draw, _RELEVANCE, _BOTH),
        1_120,
        "Jobs and activities joined by `and` or `or`; the more or the less probable statement is asked for.",
    ),
    "balanced-story": _plan(
        Design(partial(story.draw, kind="and"), _RELEVANCE, _BOTH),
        1_120,
        "Events and further events joined by `and` or `or`; the more or the less probable statement is asked for.",
    ),
    "balanced-disease": _plan(
        Design(disease.draw, _RELEVANCE, _BOTH),
        1_120,
        "Complaints and symptoms joined by `and` or `or`; the more or the less probable statement is asked for.",
    ),
    "balanced-celebrity": _plan(
        Design(celebrity.draw, _FAME, _BOTH),
        1_120,
        "Slips and successes joined by `and` or `or`; the more or the less probable statement is asked for.",
    ),
    "balanced-disaster": _plan(
        Design(partial(disaster.draw, key="and"), _SCALES, _BOTH, clauses=True),
        1_120,
        "Disasters and further damage joined by `and` or `or`; the more or the less probable statement is asked for.",
    ),
}
"""By name, in the order of the release."""
