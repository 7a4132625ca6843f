"""Syllogisms: the subsets, their groups of matched items, and what a prompt style may add."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, replace
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

from hansproof.generators.dataset import LEVEL, OPTION, Draft, MatchedConditions, Subset
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream
from hansproof.generators.token_bias import premises
from hansproof.generators.token_bias.entailment import check, read_syllogism
from hansproof.generators.token_bias.forms import FORMS, ROTATING, Statement, arguments, reasoning
from hansproof.generators.token_bias.lexicon.entries import sections
from hansproof.generators.token_bias.plan import OURS, PAPER, Levels, Plan, Room, from_sets, stream_of

__all__ = ["SYLLOGISM"]

HINTS = dict(zip(("weak", "strong"), sections("hints")["syllogism"], strict=True))
"""By the names that styles give them."""


def _steps(item: Item) -> str:
    about = item.metadata
    if "setting" in about:
        *given, conclusion = (Statement(*said) for said in read_syllogism(item.prompt) or ())
        return reasoning(given, conclusion)
    kind, category, words = about["kind"], about["category"], about["property"]
    return (
        f"There are {category} that {words}. All {kind} are {category}, but none of those that {words} need be {kind}. "
        "So the premises can be true and the conclusion false: it does not follow."
    )


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
    """One item of a matched set."""

    condition: str
    valid: bool = False
    synonyms: bool = False
    """Whether the quantifiers are synonyms of `all`, `no` and `some`."""
    framing: str = ""
    """Who is said to have said the premises; empty where nobody is."""


def _paper(first: int, members: tuple[Member, ...], stream: Stream, subset: str, number: int) -> list[Draft]:
    """The items of a set: `All A are B. Some B are so. Therefore, some A are so.` of triple `first` + number."""
    # All subsets go through one order of triples, so that no two share one.
    order = _triples(stream_of(stream, "syllogism"))
    triple = order[(first + number) % len(order)]
    own = stream_of(stream, subset).child(number)
    argument = [
        Statement("all", triple.kind, triple.category),
        Statement("some", triple.category, triple.property),
        Statement("some", triple.kind, triple.property),
    ]
    about = dict(zip(("kind", "category", "property", "conclusion_true"), astuple(triple), strict=True))
    wording = premises.draw_wording(own, "", bool(members[0].framing))
    words = {True: own.choice(premises.EXACT[0]), False: premises.PLAIN}
    sources = premises.draw_sources(own, premises.NAMED)
    made = [_draft(member, wording, argument, words[member.synonyms], sources) for member in members]
    return _matched(made, about, f"{subset}-{triple.category.replace(' ', '-')}", f"{subset}-{number:06d}")


def _balanced(members: tuple[Member, ...], stream: Stream, subset: str, number: int) -> list[Draft]:
    """The items of a set in any order: a form in its valid and its invalid pattern, about the people of a setting.

    Every form comes once in a block of sets, and every setting once before any comes again. Framed items repeat an
    argument, so that one of them would give away the next: those of a setting have one form, and its three terms are
    rotated from set to set.
    """
    root = stream_of(stream, subset)
    level = int(subset.partition(LEVEL)[2] or 2)
    framed = any(member.framing for member in members)
    forms = ROTATING if framed else FORMS
    turn, place = divmod(number, len(premises.SETTINGS))
    which = _order(root, "settings", 0, len(premises.SETTINGS))[place]
    block, kind = divmod(place if framed else number, len(forms))
    form = forms[_order(root, "forms", block, len(forms))[kind]]
    own = root.child(number)
    known = root.child("people").child(which).sample(premises.PEOPLE, level + 3)
    terms = [known[(each + turn) % 3] for each in range(3)] if framed else own.shuffled(known)
    made = arguments(form, terms, level, own)
    # Framed items of a setting are worded alike, so that what stands beside a term tells as little as the term.
    worded = root.child("wording").child(which) if framed else own
    wording = premises.draw_wording(worded, premises.SETTINGS[which], framed)
    # Valid and invalid twins have synonyms and sources of their own: with the very same words in all of them, a probe
    # would have nothing to go by, and an audit nothing to test.
    exact = {valid: own.choice(premises.EXACT[1]) for valid in (True, False)}
    sources = {valid: premises.draw_sources(own, premises.GENERIC) for valid in (True, False)}
    drafts = [
        _draft(
            member,
            wording,
            made[member.valid],
            exact[member.valid] if member.synonyms else premises.PLAIN,
            sources[member.valid],
        )
        for member in members
    ]
    about = {"setting": premises.SETTINGS[which], "mood": form.mood}
    # Solved examples are first items of sets, and should be of all kinds.
    return own.shuffled(_matched(drafts, about, f"{subset}-{which:02d}", f"{subset}-{number:06d}"))


def _draft(
    member: Member,
    wording: premises.Wording,
    argument: list[Statement],
    quantifiers: premises.Quantifiers,
    sources: Mapping[str, tuple[str, str]],
) -> Draft:
    text = wording.prompt(argument, quantifiers, sources.get(member.framing))
    about = {
        "valid": member.valid,
        "quantifiers": quantifiers.name,
        "framing": member.framing or "none",
        "pattern": _pattern(argument),
    }
    return Draft(text, premises.ANSWERS, premises.ANSWERS[not member.valid], "", member.condition, about)


def _pattern(argument: list[Statement]) -> str:
    terms = [term for said in argument for term in said[1:]]
    return "".join("abcdefghijklmnop"[sorted(set(terms), key=terms.index).index(term)] for term in terms)


def _matched(drafts: list[Draft], about: Mapping[str, Any], group: str, matched: str) -> list[Draft]:
    return [replace(draft, group=group, metadata={**about, **draft.metadata, "matched": matched}) for draft in drafts]


@lru_cache(maxsize=64)
def _order(root: Stream, name: str, block: int, size: int) -> list[int]:
    return root.child(name).child(block).shuffled(range(size))


@lru_cache(maxsize=64)
def _triples(root: Stream) -> list[premises.Triple]:
    """Triples with shared properties and without in turn, none twice, and no category twice running."""
    pools = [root.child("triples").child(int(shared)).shuffled(premises.triples(shared)) for shared in (True, False)]
    made: list[premises.Triple] = []
    for place in range(2 * min(map(len, pools))):
        pool = pools[place % 2]
        last = made[-1].category if made else ""
        made.append(next((triple for triple in pool if triple.category != last), pool[0]))
        pool.remove(made[-1])
    return made


_VALIDITY: Final = {"invalid": False, "valid": True}
_SYNONYMS: Final = tuple(
    Member(f"{name}{end}", valid, bool(end)) for name, valid in _VALIDITY.items() for end in ("", "-synonyms")
)
_FRAMED: Final = tuple(
    Member(f"{name}-{framing}", valid, framing=framing)
    for name, valid in _VALIDITY.items()
    for framing in premises.FRAMINGS
)
_PREMISES: Final = Levels(
    "premises",
    2,
    12,
    "every premise is needed, so a valid conclusion is reached in level - 1 steps; who combines at most three premises "
    "gets 100 % right at 3 and 50 % from 4 on",
)


def _plan(members: tuple[Member, ...], sets: int, text: str, first: int | None, levels: Levels | None = None) -> Plan:
    """The plan of a subset of the paper's form, from triple `first` on, or of a balanced one, where it is None."""
    conditions = [member.condition for member in members]
    subset = Subset(
        sets * len(members),
        text,
        FORM,
        matched=MatchedConditions(conditions[0], tuple(conditions[1:])),
        hints=HINTS,
        examples=EXAMPLES,
        exploit="no conclusion follows, as in the paper, so the answer is always no" if first is not None else "",
        balanced=first is None,
    )
    group = partial(_balanced, members) if first is None else partial(_paper, first, members)
    return Plan(from_sets(group, len(members)), check, subset, OURS if first is None else PAPER, levels)


SYLLOGISM: Room = {
    "syllogism": _plan(
        (Member("original"), Member("synonyms", synonyms=True)),
        200,
        "All A are B. Some B are C. So some A are C? Then with synonyms of the quantifiers.",
        first=0,
    ),
    "balanced-syllogism": _plan(
        _SYNONYMS,
        512,
        "Seven moods in a pattern that is valid and in one that is not, with the same words; then with synonyms.",
        first=None,
        levels=_PREMISES,
    ),
    "framed-syllogism": _plan(
        tuple(Member(framing, framing=framing) for framing in premises.FRAMINGS),
        200,
        "The invalid syllogism with numbered premises, then from reputable, satirical and anonymous sources.",
        first=200,
    ),
    "balanced-framed-syllogism": _plan(
        _FRAMED, 300, "Two of the moods with numbered premises, and from sources of which none has a name.", first=None
    ),
}
"""Subset -> how its items are made, in the order of the release."""
