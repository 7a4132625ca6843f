"""Syllogisms: the subsets, their groups of matched items, and what a prompt style may add."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

from hansproof.generators.dataset import OPTION, Draft, MatchedConditions, Subset
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream
from hansproof.generators.token_bias import premises
from hansproof.generators.token_bias.entailment import check
from hansproof.generators.token_bias.plan import OURS, PAPER, Plan, Room, from_groups, stream_of

__all__ = ["SYLLOGISM"]

HINTS: Mapping[str, str] = {
    "weak": "Watch out for the fallacy of the undistributed middle.",
    "strong": "Watch out for the fallacy of the undistributed middle: two groups each overlap with a third, and people "
    "take it for granted that they overlap with each other. But what is true of some members of a group need not be "
    "true of those that belong to a smaller group within it. So leave aside whether the statements sound true, and "
    "look for a situation in which both premises are true and the conclusion is false. If there can be one, the "
    "conclusion does not follow; if there can be none, it does.",
}
"""The weak hint names the fallacy; the strong one also explains it and says how to avoid it. Neither says how often
conclusions follow."""


def _steps(item: Item) -> str:
    about = item.metadata
    triple = premises.Triple(about["kind"], about["other"], about["property"], shared=False)
    return premises.reasoning(triple, premises.Figure.of(about["kind_first"], about["valid"]))


FORM = replace(OPTION, reasoning=_steps)
"""Yes or no, with worked reasoning."""

_ROSES = (
    "Does the conclusion follow logically from the premises?\n\n"
    "All roses are flowers. Some flowers fade quickly. Therefore, some roses fade quickly.\n\nAnswer yes or no."
)

EXAMPLES: Mapping[str, Callable[[str], Draft]] = {
    "wrong": lambda subset: Draft(
        _ROSES, premises.ANSWERS, "yes", "example", "example", {"kind": "roses", "category": "flowers"}
    )
}
"""By the name that styles give it: the best-known syllogism of its kind, which is no item; its answer is wrong on
purpose."""


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
    root = stream_of(stream, subset)
    triple = _triple(stream_of(stream, design.triples_of), design.first + number, strict=design.balanced)
    own = root.child(number)
    inside = own.coin() or not design.balanced
    others = [kind for kind in premises.siblings(triple.category) if kind != triple.kind]
    terms = replace(triple, category=own.choice(others)) if design.balanced else triple
    framed = any(member.framing for member in design.members)
    words = premises.draw_wording(own, design.balanced, framed)
    validities = tuple(dict.fromkeys(member.valid for member in design.members))
    # Valid and invalid twins have synonyms and sources of their own. With the very same words in all of them, a probe
    # would have nothing to go by, and an audit nothing to test.
    of_all, of_some = (
        (premises.UNIVERSAL, premises.PARTICULAR)
        if design.balanced
        else (premises.LOOSE_UNIVERSAL, premises.LOOSE_PARTICULAR)
    )
    synonyms = {valid: words.reworded(own.choice(of_all), own.choice(of_some)) for valid in validities}
    known = premises.GENERIC if design.balanced else premises.NAMED
    sources = {valid: premises.draw_sources(own, known) for valid in validities}
    group = f"{subset}-{number:06d}"
    drafts = []
    for member in design.members:
        figure = premises.Figure.of(inside, member.valid)
        chosen = synonyms[member.valid] if member.synonyms else words
        text = premises.prompt(terms, figure, chosen, sources[member.valid].get(member.framing))
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
        answer = premises.ANSWERS[0] if member.valid else premises.ANSWERS[1]
        drafts.append(Draft(text, premises.ANSWERS, answer, group, member.condition, metadata))
    # Solved examples are first items of groups, and should be of all kinds.
    return tuple(own.shuffled(drafts) if design.balanced else drafts)


assert set(premises.FRAMINGS) == set(premises.NAMED) == set(premises.GENERIC)


@lru_cache(maxsize=64)
def _order(root: Stream, turn: int, shared: bool, strict: bool) -> list[premises.Triple]:
    return root.child("triples").child(turn).child(int(shared)).shuffled(premises.triples(shared, strict))


def _triple(root: Stream, number: int, strict: bool) -> premises.Triple:
    """Triples with shared properties and without take turns; each occurs once before any occurs again."""
    place, odd = divmod(number, 2)
    shared = not odd
    turn, place = divmod(place, len(premises.triples(shared, strict)))
    return _order(root, turn, shared, strict)[place]


_EXPLOIT = "no conclusion follows, as in the paper, so the answer is always no"

_UNFRAMED = {"unframed": ""} | {framing: framing for framing in premises.FRAMINGS}

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
    "syllogism": (200, "All A are B. Some B are C. So some A are C? Then with synonyms of the quantifiers."),
    "balanced-syllogism": (500, "The same of two kinds of one category, with valid syllogisms of the same words."),
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
        matched=MatchedConditions(conditions[0], tuple(conditions[1:])),
        hints=HINTS,
        examples=EXAMPLES,
        exploit="" if design.balanced else _EXPLOIT,
        balanced=design.balanced,
    )
    make = from_groups(partial(make_group, design), len(conditions))
    return Plan(make, check, subset, OURS if design.balanced else PAPER)


SYLLOGISM: Room = {name: _plan(name, design) for name, design in _DESIGNS.items()}
"""Subset -> how its items are made, in the order of the release."""
