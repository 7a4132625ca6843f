"""Groups of matched syllogisms: a triple and a wording, asked in several conditions."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from generators.dataset import Draft
from generators.stream import Stream
from generators.token_bias.syllogism.figures import Figure
from generators.token_bias.syllogism.framing import FRAMINGS, GENERIC, NAMED, draw_sources
from generators.token_bias.syllogism.topics import Triple, triples
from generators.token_bias.syllogism.wording import ANSWERS, PARTICULAR, UNIVERSAL, draw_wording, prompt

__all__ = ["Design", "Member", "make_group"]


class Member(NamedTuple):
    """One item of a group."""

    condition: str
    valid: bool
    synonyms: bool = False
    """Whether the quantifiers are synonyms of `all` and `some`."""
    framing: str = ""
    """Who is said to have said the premises; empty where nobody is."""


class Design(NamedTuple):
    """What the groups of a subset are like."""

    members: tuple[Member, ...]
    balanced: bool
    """Whether the first premise is true or turned round, in any order of the premises, and nobody real is named."""


def make_group(design: Design, stream: Stream, subset: str, number: int) -> tuple[Draft, ...]:
    """The items of group `number`, in the order of the members."""
    root = _root(stream, subset)
    triple = _triple(root, number)
    own = root.child(number)
    inside = own.coin() or not design.balanced
    words = draw_wording(own, granted=design.balanced, any_order=design.balanced)
    universal, particular = own.choice(UNIVERSAL), own.choice(PARTICULAR)
    synonyms = words.reworded(universal, particular)
    sources = draw_sources(own, GENERIC if design.balanced else NAMED)
    group = f"{subset}-{number:06d}"
    drafts = []
    for member in design.members:
        figure = Figure.of(inside, member.valid)
        chosen = synonyms if member.synonyms else words
        text = prompt(triple, figure, chosen, sources[member.framing] if member.framing else None)
        metadata = {
            "kind": triple.kind,
            "category": triple.category,
            "property": triple.property,
            "valid": member.valid,
            "first_premise_true": inside,
            "conclusion_true": figure.conclusion_true(triple),
            "particular_first": words.particular_first,
            "universal": chosen.universal.format("..."),
            "particular": chosen.particular.format("..."),
            "framing": member.framing or "none",
        }
        answer = ANSWERS[0] if member.valid else ANSWERS[1]
        drafts.append(Draft(text, ANSWERS, answer, group, member.condition, metadata))
    return tuple(drafts)


assert set(FRAMINGS) == set(NAMED) == set(GENERIC)


@lru_cache(maxsize=64)
def _root(stream: Stream, subset: str) -> Stream:
    return stream.child(subset)


@lru_cache(maxsize=64)
def _orders(root: Stream, turn: int) -> tuple[list[Triple], list[Triple]]:
    own = root.child("triples").child(turn)
    return own.shuffled(triples(shared=True)), own.shuffled(triples(shared=False))


def _triple(root: Stream, number: int) -> Triple:
    """Triples with shared properties and without take turns; each occurs once before any occurs again."""
    place, which = divmod(number, 2)
    turn = place // len(triples(shared=bool(which)))
    order = _orders(root, turn)[1 - which]
    return order[place % len(order)]
