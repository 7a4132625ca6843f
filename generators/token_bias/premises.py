"""The English of syllogisms: what they are about, quantifiers and synonyms, and who is said to say the premises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from hansproof.generators.stream import Stream
from hansproof.generators.token_bias.forms import Statement
from hansproof.generators.token_bias.lexicon.entries import listed

__all__ = [
    "ANSWERS",
    "EXACT",
    "FRAMINGS",
    "GENERIC",
    "LOOSE",
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
    every: list[Triple] = []
    text = files("hansproof.generators.token_bias.lexicon").joinpath("topics.txt").read_text("utf-8")
    for block in text.split("\n\n"):
        category, *lines = [line for line in block.splitlines() if line and not line.startswith("#")] or [""]
        named = {name: words.split(", ") for name, _, words in (line.partition(": ") for line in lines)}
        for kind in named.get("kinds", []):
            every += [Triple(kind, category, words, True) for words in named["some"]]
            every += [Triple(kind, category, words, False) for words in named.get("other", [])]
    return tuple(triple for triple in every if shared is None or triple.shared == shared)


SETTINGS: Final = listed("settings")
"""`the members of a village choir`"""
PEOPLE: Final = listed("people")
"""The terms of balanced syllogisms, plural: `bird watchers`. None implies or rules out another."""


class Quantifiers(NamedTuple):
    """How statements are put, by their quantifier: with `{s}` and `{p}` for the terms."""

    name: str
    """As metadata has it: `are all, certain`."""
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

# Synonyms keep the number of words. EXACT ones also keep the logic: each says of at least some small number that it is
# so, and what holds of so many X, all of which are Y, holds of so many Y. Bare plurals (`roses are flowers`), which may
# allow for exceptions, and `a few`, which may mean that there are not many, stand only where nothing follows from `all`
# and `some` and so nothing from these; there, one word more and one word fewer come equally often. The paper's `a
# subset of` is left out: an empty subset would make every conclusion true.

EXACT: Final = tuple(
    Quantifiers(f"are all, {some}", "{s} are all {p}", "{s} are never {p}", some)
    for some in ("certain", "several", "various")
)
LOOSE: Final = tuple(
    Quantifiers(f"none, {some}", "{s} are {p}", "no {s} are {p}", some)
    for some in ("certain", "a few", "several", "a few", "various", "a few")
)

# The sources of one syllogism have as many words and characters together under each framing. Unframed, the same words
# say where the premises stand. Real outlets and universities only say what is true and harmless.

FRAMES: Final = (
    "{A} says that {first}. {B} says that {second}.",
    "{A} states that {first}. {B} states that {second}.",
    "According to {a}, {first}. According to {b}, {second}.",
    "We learn from {a} that {first}. From {b} we learn that {second}.",
    "What {a} says is that {first}. What {b} says is that {second}.",
    "{A} says that {first}. According to {b}, {second}.",
)
"""{A} and {a} are the first source, {B} and {b} the second, with and without a capital; {first} and {second} are the
premises."""

_OUTLETS: Final = (
    "Reuters", "the Associated Press", "the BBC", "Agence France-Presse", "Bloomberg", "The Economist",
    "the Financial Times", "CNN", "Al Jazeera", "Deutsche Welle", "The Guardian", "Le Monde", "The New York Times",
    "The Washington Post", "Kyodo News", "El País", "The Irish Times", "The Straits Times",
)  # fmt: skip
_UNIVERSITIES: Final = (
    "the University of Oxford", "Stanford University", "the University of Tokyo", "the University of Cape Town",
    "the University of Toronto", "Harvard University", "the University of São Paulo", "the University of Melbourne",
    "the University of Edinburgh", "Yale University", "the University of Cambridge", "Seoul National University",
    "the University of Copenhagen", "Uppsala University", "the University of Nairobi", "Trinity College Dublin",
)  # fmt: skip
_SATIRE: Final = (
    "The Onion", "Private Eye", "The Daily Mash", "NewsThump", "Waterford Whispers News", "The Betoota Advocate",
    "The Beaverton", "ClickHole", "Der Postillon", "Le Gorafi", "El Mundo Today", "The Babylon Bee", "The Hard Times",
    "Mad magazine", "The Daily Squib", "Walking Eagle News",
)  # fmt: skip
_NAMELESS: Final = (
    "an anonymous blogger", "an unnamed source", "an anonymous caller", "an unknown author", "an unsigned letter",
    "an unnamed stranger", "an anonymous website", "an unknown caller", "an unsigned note", "an unnamed podcaster",
    "some random stranger", "an unnamed passer-by", "an anonymous account",
)  # fmt: skip
_TRUSTED: Final = (
    ("a leading newspaper", "a trusted newspaper", "a public broadcaster", "a respected weekly", "a news agency",
     "a quality newspaper", "a trusted broadcaster"),
    ("a leading university", "a renowned university", "a scientific academy", "a famous university",
     "a respected institute", "a national academy"),
)  # fmt: skip
_JOKERS: Final = (
    ("a satirical website", "a humour magazine", "a parody show", "a satirical weekly", "a spoof newspaper"),
    ("a comedy podcast", "a satirical blog", "a spoof journal", "a parody account", "a comedy programme"),
)
_NEUTRAL: Final = (
    "card", "sheet", "entry", "record", "passage", "section", "excerpt", "extract", "sentence", "statement", "paragraph"
)  # fmt: skip

FRAMINGS: Final = ("unframed", "reputable", "satirical", "anonymous")

Sources = tuple[str, str]
"""Who said the first premise, and who the second."""


def _paired(reputable: tuple[Sequence[str], Sequence[str]], satirical: tuple[Sequence[str], Sequence[str]]
            ) -> Mapping[int, Mapping[str, Sequence[Sources]]]:  # fmt: skip
    """Characters of both together -> framing -> pairs of sources with six words and so many characters."""
    every = {
        "unframed": [(f"the first {noun}", f"the second {noun}") for noun in _NEUTRAL],
        "reputable": [(a, b) for a in reputable[0] for b in reputable[1]],
        "satirical": [(a, b) for a in satirical[0] for b in satirical[1] if a != b],
        "anonymous": [(a, b) for a in _NAMELESS for b in _NAMELESS if a != b],
    }
    by_length = {
        size: {
            name: [pair for pair in pairs if len(" ".join(pair).split()) == 6 and len("".join(pair)) == size]
            for name, pairs in every.items()
        }
        for size in range(20, 60)
    }
    return {size: of for size, of in by_length.items() if all(of.values())}


NAMED: Final = _paired((_OUTLETS, _UNIVERSITIES), (_SATIRE, _SATIRE))
"""Sources by name, where there is one."""
GENERIC: Final = _paired(_TRUSTED, _JOKERS)
"""Sources without a name."""


def draw_sources(own: Stream, known: Mapping[int, Mapping[str, Sequence[Sources]]]) -> dict[str, Sources]:
    """Framing -> two sources of it, with as many words and characters under each."""
    of = known[own.choice(sorted(known))]
    return {framing: own.choice(of[framing]) for framing in FRAMINGS}


_QUESTIONS: Final = (
    "Does the conclusion follow logically from the premises?",
    "Is this argument logically valid?",
    "Is the following inference logically valid?",
    "Is this a logically valid piece of reasoning?",
    "Does the conclusion of this argument follow logically?",
)
_GRANTED: Final = (
    "Take {it} as given, and go by nothing else.",
    "Assume that {it} are true, and leave aside whatever else you know.",
    "Suppose that {it} are true, and go by them alone.",
    "Judge the logic alone: take {it} as true, and use no other knowledge.",
)
"""Said in balanced syllogisms: that somebody says something does not make it so, and it is of these people alone."""
_HENCE: Final = ("Therefore,", "So", "Hence,", "It follows that", "Consequently,", "Thus,")


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
        if sources is None:
            said = " ".join(f"{_capital(premise)}." for premise in premises)
        else:
            (a, b), (first, second) = sources, premises
            said = self.frame.format(a=a, b=b, A=_capital(a), B=_capital(b), first=first, second=second)
        return f"{self.question}\n\n{self.about}{said} {self.hence} {conclusion}.\n\nAnswer yes or no."


def draw_wording(own: Stream, setting: str, framed: bool) -> Wording:
    """A wording; with a `setting`, the statements are said to be about the people there, and to be granted."""
    question = own.choice(_QUESTIONS)
    granted = own.choice(_GRANTED).format(it="both claims" if framed else "the premises") if setting else ""
    about = f"All statements are about {setting}. " if setting else ""
    return Wording(f"{question} {granted}".strip(), about, own.choice(_HENCE), own.choice(FRAMES))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
