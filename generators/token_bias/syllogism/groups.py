"""Groups of matched syllogisms: a triple and a wording, asked in several conditions."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from generators.dataset import Draft
from generators.stream import Stream
from generators.token_bias.syllogism.figures import Figure
from generators.token_bias.syllogism.framing import FRAMINGS, GENERIC, NAMED, draw_sources
from generators.token_bias.syllogism.topics import Triple, siblings, triples
from generators.token_bias.syllogism.wording import (
    ANSWERS,
    LOOSE_PARTICULAR,
    LOOSE_UNIVERSAL,
    PARTICULAR,
    UNIVERSAL,
    draw_wording,
    prompt,
)

__all__ = ["GroupDesign", "Member", "make_group"]


class Member(NamedTuple):
    """One item of a group."""

    condition: str
    valid: bool
    synonyms: bool = False
    """Whether the quantifiers are synonyms of `all` and `some`."""
    framing: str = ""
    """Who is said to have said the premises; empty where nobody is."""


class GroupDesign(NamedTuple):
    """What the groups of a subset are like."""

    members: tuple[Member, ...]
    triples_of: str
    """Name of the order of triples that the groups go through; two subsets of one order share no triple."""
    first: int
    """Place in this order of the first group's triple."""
    balanced: bool
    """Whether both terms are kinds of one category, in any order of the premises, and nobody real is named.

    `All tulips are roses` is false, and neither term contains the other: of `All flowers are roses. Some roses are so.
    Therefore, some flowers are so` the conclusion would not follow from the premises, but from what roses are.

    No property then begins with `are`. Beside `All X are Y`, `some S are so` would hold `X are` or `Y are` a second
    time or not, and from which neighbouring words occur at all a linear probe of the premises could tell S from X.
    """


def make_group(design: GroupDesign, stream: Stream, subset: str, number: int) -> tuple[Draft, ...]:
    """The items of group `number`: in the order of the members, or in any order where the design is balanced."""
    root = _root(stream, subset)
    triple = _triple(_root(stream, design.triples_of), design.first + number, strict=design.balanced)
    own = root.child(number)
    inside = own.coin() or not design.balanced
    others = [kind for kind in siblings(triple.category) if kind != triple.kind]
    terms = replace(triple, category=own.choice(others)) if design.balanced else triple
    framed = any(member.framing for member in design.members)
    words = draw_wording(own, design.balanced, framed)
    validities = tuple(dict.fromkeys(member.valid for member in design.members))
    # Valid and invalid twins have synonyms and sources of their own. With the very same words in all of them, a probe
    # would have nothing to go by, and an audit nothing to test.
    of_all, of_some = (UNIVERSAL, PARTICULAR) if design.balanced else (LOOSE_UNIVERSAL, LOOSE_PARTICULAR)
    synonyms = {valid: words.reworded(own.choice(of_all), own.choice(of_some)) for valid in validities}
    known = GENERIC if design.balanced else NAMED
    sources = {valid: draw_sources(own, known) for valid in validities}
    group = f"{subset}-{number:06d}"
    drafts = []
    for member in design.members:
        figure = Figure.of(inside, member.valid)
        chosen = synonyms[member.valid] if member.synonyms else words
        text = prompt(terms, figure, chosen, sources[member.valid].get(member.framing))
        metadata = {
            "kind": triple.kind,
            "other": terms.category,
            "category": triple.category,
            "property": triple.property,
            "valid": member.valid,
            "kind_first": inside,
            "conclusion_true": triple.shared if design.balanced else figure.conclusion_true(triple),
            "particular_first": words.particular_first,
            "universal": chosen.universal.format("..."),
            "particular": chosen.particular.format("..."),
            "framing": member.framing or "none",
        }
        answer = ANSWERS[0] if member.valid else ANSWERS[1]
        drafts.append(Draft(text, ANSWERS, answer, group, member.condition, metadata))
    # Solved examples are first items of groups, and should be of all kinds.
    return tuple(own.shuffled(drafts) if design.balanced else drafts)


assert set(FRAMINGS) == set(NAMED) == set(GENERIC)


@lru_cache(maxsize=64)
def _root(stream: Stream, subset: str) -> Stream:
    return stream.child(subset)


@lru_cache(maxsize=64)
def _order(root: Stream, turn: int, shared: bool, strict: bool) -> list[Triple]:
    return root.child("triples").child(turn).child(int(shared)).shuffled(triples(shared, strict))


def _triple(root: Stream, number: int, strict: bool) -> Triple:
    """Triples with shared properties and without take turns; each occurs once before any occurs again."""
    place, odd = divmod(number, 2)
    shared = not odd
    turn, place = divmod(place, len(triples(shared, strict)))
    return _order(root, turn, shared, strict)[place]
