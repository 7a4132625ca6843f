"""Benchmarks with a known cue at a known strength: for testing audits, not models.

Each item is a short made-up scenario followed by a yes-no question that the scenario never settles. The gold answer is
the toss of a coin. Apart from the planted cue it is independent of everything in the text, because words and wording
are drawn from other streams than labels. So nothing here tests reasoning: an audit that finds more than the cue is
wrong, and an audit that does not find the cue is weak.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generators.dataset import Draft
from generators.errors import UsageError, unknown
from generators.planted_cues.design import LABELS, Cell, cue_cells, share_cells
from generators.planted_cues.filling import fill
from generators.planted_cues.frames import Plan, draw_plan
from generators.stream import Stream

__all__ = ["NAME", "SUBSETS", "TEMPLATES", "VERSION", "PlantedCue", "drafts"]

NAME = "planted-cues"
VERSION = "1.0.0"
TEMPLATES = 100  # of `template-only`; half of them answer yes


@dataclass(frozen=True)
class PlantedCue:
    """One kind of cue."""

    strength: float
    """Its default strength, 0 to 1."""
    cue: str
    """What gives the answer away, in words."""


SUBSETS = {
    "none": PlantedCue(0.0, "nothing: any kappa found here is a false alarm"),
    "unigram": PlantedCue(0.6, "'usually' points to yes, 'often' to no; every item has one of the two"),
    "bigram": PlantedCue(
        0.6,
        "'old bridge' and 'new mill' point to yes, 'new bridge' and 'old mill' to no; every item has all "
        "four words, so that no single word tells",
    ),
    "length": PlantedCue(
        0.6,
        "four sentences point to yes, two to no, worded alike; counts of n-grams see it too, because a "
        "longer text has more of everything",
    ),
    "readability": PlantedCue(0.6, "long words in eight of ten places point to yes, short words in eight of ten to no"),
    "template-only": PlantedCue(
        1.0, f"{TEMPLATES} wordings with one answer each: random folds find it, folds by template do not"
    ),
    "imbalance": PlantedCue(0.5, "no cue, but a share of (1 + strength) / 2 of the answers is no"),
}


def drafts(stream: Stream, subset: str, indices: range, strength: float | None = None) -> Iterator[Draft]:
    """The items of consecutive `indices`; each is the same whatever else is made.

    `stream` is the dataset's. `strength` is the Cohen's kappa that a perfect reader of the cue reaches, by default the
    subset's own; of `imbalance` it is the uniform-chance kappa of always answering no. Labels are balanced in blocks of
    20, those of `template-only` over every round of its templates.
    Raises UsageError for an unknown subset and a strength outside [0, 1].
    """
    if subset not in SUBSETS:
        raise unknown("subset", subset, SUBSETS, within=NAME)
    power = SUBSETS[subset].strength if strength is None else float(strength)
    if not 0 <= power <= 1:
        raise UsageError(f"a strength must be between 0 and 1, not {strength}")
    return _drafts(stream.child(subset), subset, indices, power)


def _drafts(stream: Stream, subset: str, indices: range, strength: float) -> Iterator[Draft]:
    if subset == "imbalance":
        cells = share_cells(stream, indices.start, strength)
    elif subset == "template-only":
        cells = _template_cells(stream, indices.start, strength)
    else:
        cells = cue_cells(stream, indices.start, strength, cued=subset != "none")
    for index, cell in zip(indices, cells):
        group, plan = f"{index:06d}", _plan(subset, cell, stream.child("plan").child(index))
        if subset == "template-only":
            number = _template(stream, index)
            group, plan = f"template-{number:03d}", _template_plan(stream, number)
        yield Draft(
            prompt=_text(subset, cell, plan, stream.child("text").child(index)),
            choices=LABELS,
            answer=cell.label,
            group=group,
            condition=subset,
            metadata={"cue": cell.cue, "strength": strength},
        )


def _plan(subset: str, cell: Cell, stream: Stream) -> Plan:
    sentences = stream.child("sentences").integer(2, 4)
    if subset == "length":
        sentences = 4 if cell.cue == "yes" else 2
    return draw_plan(stream, sentences, {"unigram": "habit", "bigram": "pair"}.get(subset, ""))


def _text(subset: str, cell: Cell, plan: Plan, stream: Stream) -> str:
    yes = cell.cue == "yes"
    long_words, extras = (1, 2), {}
    if subset == "readability":
        long_words = (4, 5) if yes else (1, 5)
    elif subset == "unigram":
        extras = {"cue": "usually" if yes else "often"}
    elif subset == "bigram":
        pair = ("old bridge", "new mill") if yes else ("new bridge", "old mill")
        extras = dict(zip(("first", "second"), stream.child("order").shuffled(pair), strict=True))
    return fill(plan, stream.child("words"), long_words, extras)


def _template(stream: Stream, index: int) -> int:
    """Every round goes through all templates, in an order of its own."""
    rounds, place = divmod(index, TEMPLATES)
    return stream.child("round").child(rounds).shuffled(range(TEMPLATES))[place]


def _template_plan(stream: Stream, number: int) -> Plan:
    draws = stream.child("template").child(number)
    return draw_plan(draws, draws.child("sentences").integer(2, 4))


def _template_cells(stream: Stream, start: int, strength: float) -> Iterator[Cell]:
    """An item has its template's label with probability `strength`, otherwise that of a coin."""
    labels = stream.child("labels").shuffled(LABELS * (TEMPLATES // 2))
    index = start
    while True:
        cue = labels[_template(stream, index)]
        draws = stream.child("cell").child(index)
        shown = draws.chance(round(strength * 1_000_000), 1_000_000)
        yield Cell(cue if shown else draws.choice(LABELS), cue)
        index += 1
