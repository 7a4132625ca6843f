"""The subsets of conjunctions: the paper's designs, and their balanced twins."""

from __future__ import annotations

from functools import partial

from generators.answering.answer_form import OPTION
from generators.dataset import Contrast, Subset
from generators.token_bias.conjunction import persona
from generators.token_bias.conjunction.checking import check
from generators.token_bias.conjunction.judgement import Design, judgement
from generators.token_bias.plan import OURS, PAPER, Plan, Room

__all__ = ["CONJUNCTION"]

_RELEVANCE = ("relevant", "irrelevant")


def _plan(design: Design, rows: int, description: str) -> Plan:
    """A balanced subset where the connectives are several, else one of the paper's."""
    balanced = len(design.connectives) > 1
    original, *perturbed = design.arms
    subset = Subset(
        rows=rows,
        description=description,
        form=OPTION,
        contrast=Contrast(original, tuple(perturbed)),
        exploit="" if balanced else "the shorter statement is always the more probable one",
        balanced=balanced,
    )
    return Plan(partial(judgement, design), check, subset, OURS if balanced else PAPER)


CONJUNCTION: Room = {
    "conjunction-persona": _plan(
        Design(persona.draw, _RELEVANCE, ("and",)),
        200,
        "An occupation, or the occupation and an activity that fits the biography (or another's).",
    ),
    "balanced-persona": _plan(
        Design(persona.draw, _RELEVANCE, ("and", "or"), flips=True),
        2_000,
        "Personas with `and` and `or`, more and less probable.",
    ),
}
"""By name, in the order of the release."""
