"""The English of syllogisms: what they are about, quantifiers and synonyms, and who is said to say the premises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from hansproof.generators.stream import Stream
from hansproof.generators.token_bias.forms import Statement
from hansproof.generators.token_bias.lexicon.entries import entries, listed, sections

__all__ = [
    "ANSWERS",
    "EXACT",
    "FRAMINGS",
    "GENERIC",
    "NAMED",
    "PEOPLE",
    "PLAIN",
    "SETTINGS",
    "Quantifiers",
    "Triple",
    "Wording",
    "draw_sources",
    "draw_wording",
    "triples",
]

ANSWERS: Final = ("yes", "no")

# The paper's form is about kinds of things and what is true of them in the world. Balanced syllogisms are about people
# in a setting, of whom nobody knows anything: neither belief nor what a word means can help or mislead.


@dataclass(frozen=True)
class Triple:
    """A kind, its category, and a property of some members of the category: true of the world."""

    kind: str
    """`roses`: all of them are of the category."""
    category: str
    """`flowers`"""
    property: str
    """`fade within a week`: true of some members of the category."""
    shared: bool
    """Whether the property is also true of some of the kind, so that the conclusion is true, though it does not
    follow."""


@cache
def triples(shared: bool | None = None) -> tuple[Triple, ...]:
    """All triples of `topics.txt` in its order; only those with shared properties, or without, if `shared` says so."""
    return tuple(
        Triple(kind, topic.theme, words, is_shared)
        for topic in entries("topics")
        for kind in topic.values["kinds"].split(", ")
        for key, is_shared in (("some", True), ("other", False))
        if key in topic.values and shared in (None, is_shared)
        for words in topic.values[key].split(", ")
    )


SETTINGS: Final = listed("settings")
"""`the members of a village choir`"""
PEOPLE: Final = listed("people")
"""The terms of balanced syllogisms, plural: `bird watchers`. None implies or rules out another."""


class Quantifiers(NamedTuple):
    """How statements are put, by their quantifier: with `{s}` and `{p}` for the terms."""

    name: str
    """As metadata has it: `all of the, at least some`."""
    all: str
    no: str
    some: str
    """Before a subject; what follows is `are` and a term, or a property."""

    def said(self, statement: Statement) -> str:
        """The statement in words, without a capital and a full stop."""
        kind, subject, predicate = statement
        if kind in ("all", "no"):
            return (self.all if kind == "all" else self.no).format(s=subject, p=predicate)
        noun = predicate in PEOPLE
        return f"{self.some} {subject} {'are not ' if kind == 'not' else 'are ' if noun else ''}{predicate}"


PLAIN: Final = Quantifiers("all, some", "all {s} are {p}", "no {s} are {p}", "some")

# Synonyms, for kinds of things and for people of a setting, keep the logic: `at least some` says what `some` says to
# a logician, where `several` says more; bare plurals, as in the paper, may allow for exceptions, and its `a subset of`
# may be empty. They do not keep the length: each is two words longer, but `without exception` one.

_ALL: Final = {"without exception": "{s} are, without exception, {p}", "all of the": "all of the {s} are {p}"}
EXACT: Final = tuple(
    tuple(Quantifiers(f"{every}, {some}", _ALL[every], "none of the {s} are {p}", some) for some in kinds)
    for every, kinds in zip(_ALL, (("at least some", "one or more"), ("at least some", "some of the")), strict=True)
)

_CONCLUSIONS: Final = {
    "all": "{s} must all be {p}",
    "no": "there cannot be any {s} who are also {p}",
    "some": "there must be {s} who are also {p}",
    "not": "there must be {s} who are not {p}",
}
"""How balanced conclusions are put. No term stands beside a word that it has beside it in a premise, or else how many
pairs of words occur twice would tell. (Framed items hold the same sentences in another order instead.)"""

# The sources of one syllogism have as many words and characters together under each framing. Unframed, the premises are
# numbered in as many words.

FRAMES: Final = (
    "{A} says that {first}. {B} says that {second}.",
    "{A} holds that {first}. {B} holds that {second}.",
    "According to {a}, {first}. According to {b}, {second}.",
    "{A} says that {first}. According to {b}, {second}.",
)
"""{A} and {a} are the first source, {B} and {b} the second; {first} and {second} are the premises."""

FRAMINGS: Final = ("unframed", "reputable", "satirical", "anonymous")

Sources = tuple[str, str]
"""Who said the first premise, and who the second."""


def _paired(reputable: tuple[str, str], satirical: tuple[str, str]) -> Mapping[int, Mapping[str, Sequence[Sources]]]:
    """Characters of both together -> framing -> pairs of sources with six words and so many characters.

    Both arguments are headings of `sources.txt`, for the first and the second source.
    """
    known = sections("sources")
    every: dict[str, list[Sources]] = {
        "unframed": [(first, second) for first, _, second in (both.partition("; ") for both in known["numbered"])],
        "reputable": list(product(known[reputable[0]], known[reputable[1]])),
        "satirical": list(product(known[satirical[0]], known[satirical[1]])),
        "anonymous": list(product(known["nameless"], known["nameless"])),
    }
    by_length = {
        size: {
            name: [
                pair
                for pair in pairs
                if len(" ".join(pair).split()) == 6 and len("".join(pair)) == size and pair[0] != pair[1]
            ]
            for name, pairs in every.items()
        }
        for size in range(20, 60)
    }
    return {size: of for size, of in by_length.items() if all(of.values())}


NAMED: Final = _paired(("outlets", "universities"), ("satire", "satire"))
"""Sources by name, where there is one."""
GENERIC: Final = _paired(("trusted media", "trusted scholars"), ("jokers on paper", "jokers on air"))
"""Sources without a name."""


def draw_sources(own: Stream, known: Mapping[int, Mapping[str, Sequence[Sources]]]) -> dict[str, Sources]:
    """Framing -> two sources of it, with as many words and characters under each."""
    of = known[own.choice(sorted(known))]
    return {framing: own.choice(of[framing]) for framing in FRAMINGS}


_WORDS: Final = sections("arguments")
"""Questions, what is to be granted in every item (that somebody says something does not make it so), and `so`."""


@dataclass(frozen=True)
class Wording:
    """All that is said around the statements."""

    question: str
    """With what is to be granted."""
    about: str
    """A sentence that says of whom the statements are; empty where they say it themselves."""
    hence: str
    frame: str

    def prompt(self, argument: Sequence[Statement], quantifiers: Quantifiers, sources: Sources | None = None) -> str:
        """The prompt of an argument, the conclusion last; with `sources` its two premises come from them."""
        *premises, conclusion = (quantifiers.said(statement) for statement in argument)
        if self.about and sources is None:
            kind, subject, predicate = argument[-1]
            conclusion = _CONCLUSIONS[kind].format(s=subject, p=predicate)
        if sources is None:
            said = " ".join(f"{_capital(premise)}." for premise in premises)
        else:
            (a, b), (first, second) = sources, premises
            said = self.frame.format(a=a, b=b, A=_capital(a), B=_capital(b), first=first, second=second)
        return f"{self.question}\n\n{self.about}{said} {self.hence} {conclusion}.\n\nAnswer yes or no."


def draw_wording(own: Stream, setting: str, framed: bool) -> Wording:
    """A wording; with a `setting`, the statements are said to be about the people there."""
    question = own.choice(_WORDS["questions"])
    granted = own.choice(_WORDS["granted"]).format(it="both statements" if framed else "the premises")
    about = f"These statements {'are from a novel' if framed else 'are'} about {setting}. " if setting else ""
    return Wording(f"{question} {granted}", about, own.choice(_WORDS["hence"]), own.choice(FRAMES))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
