"""The subsets of syllogisms."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from generators.dataset import Contrast, Draft, Subset
from generators.stream import Stream
from generators.token_bias.plan import OURS, PAPER, Plan, Room
from generators.token_bias.syllogism.advice import EXAMPLES, FORM, HINTS
from generators.token_bias.syllogism.framing import FRAMINGS
from generators.token_bias.syllogism.groups import GroupDesign, Member, make_group
from generators.token_bias.syllogism.reading import check

__all__ = ["SYLLOGISM"]

_EXPLOIT = "no conclusion follows, as in the paper, so the answer is always no"

_UNFRAMED = {"unframed": ""} | {framing: framing for framing in FRAMINGS}

_DESIGNS: Mapping[str, GroupDesign] = {
    "syllogism": GroupDesign(
        (Member("original", valid=False), Member("synonyms", valid=False, synonyms=True)),
        triples_of="syllogism",
        first=0,
        balanced=False,
    ),
    "balanced-syllogism": GroupDesign(
        tuple(
            Member(f"{'valid' if valid else 'invalid'}{'-synonyms' if synonyms else ''}", valid, synonyms)
            for valid in (False, True)
            for synonyms in (False, True)
        ),
        triples_of="balanced-syllogism",
        first=0,
        balanced=True,
    ),
    "framed-syllogism": GroupDesign(
        tuple(Member(name, valid=False, framing=framing) for name, framing in _UNFRAMED.items()),
        triples_of="syllogism",
        first=200,
        balanced=False,
    ),
    "balanced-framed-syllogism": GroupDesign(
        tuple(
            Member(f"{'valid' if valid else 'invalid'}-{name}", valid, framing=framing)
            for valid in (False, True)
            for name, framing in _UNFRAMED.items()
        ),
        triples_of="balanced-framed-syllogism",
        first=0,
        balanced=True,
    ),
}
_ABOUT = {
    "syllogism": (
        200,
        "All A are B. Some B are C. So some A are C? Then with synonyms of the quantifiers.",
    ),
    "balanced-syllogism": (
        500,
        "The same of two kinds of one category, with valid syllogisms of the same words.",
    ),
    "framed-syllogism": (200, "The invalid syllogism alone, then from reputable, satirical and anonymous sources."),
    "balanced-framed-syllogism": (250, "The same, with valid syllogisms of the same words; no source has a name."),
}
"""Subset -> groups in a release, and what it is."""


def _plan(name: str, design: GroupDesign) -> Plan:
    conditions = [member.condition for member in design.members]
    groups, text = _ABOUT[name]
    subset = Subset(
        groups * len(conditions),
        text,
        FORM,
        contrast=Contrast(conditions[0], tuple(conditions[1:])),
        hints=HINTS,
        examples=EXAMPLES,
        exploit="" if design.balanced else _EXPLOIT,
        balanced=design.balanced,
    )

    @lru_cache(maxsize=8)
    def group(stream: Stream, subset_name: str, number: int) -> tuple[Draft, ...]:
        return make_group(design, stream, subset_name, number)

    def make(stream: Stream, subset_name: str, index: int) -> Draft:
        number, member = divmod(index, len(conditions))
        return group(stream, subset_name, number)[member]

    return Plan(make, check, subset, OURS if design.balanced else PAPER)


SYLLOGISM: Room = {name: _plan(name, design) for name, design in _DESIGNS.items()}
"""Subset -> how its items are made, in the order of the release."""
