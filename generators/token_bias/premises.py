"""Syllogisms in English: topics, valid figures, quantifiers, and who is said to have said the premises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final

from hansproof.generators.stream import Stream

__all__ = [
    "ANSWERS",
    "FRAMINGS",
    "GENERIC",
    "LOOSE_PARTICULAR",
    "LOOSE_UNIVERSAL",
    "NAMED",
    "PARTICULAR",
    "PLAIN",
    "UNIVERSAL",
    "Figure",
    "Triple",
    "draw_sources",
    "draw_wording",
    "prompt",
    "reasoning",
    "siblings",
    "triples",
]


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
    """Whether the property is also true of some of the kind, so that every statement with `some` is true."""

    def is_named_after(self) -> bool:
        """Whether the name of the kind says its category: `straw hats` are hats by their name alone."""
        return self.category.rpartition(" ")[2].removesuffix("s") in self.kind


@cache
def siblings(category: str) -> tuple[str, ...]:
    """The kinds of a category, but those that are named after it."""
    return tuple(dict.fromkeys(triple.kind for triple in triples(strict=True) if triple.category == category))


@cache
def triples(shared: bool | None = None, strict: bool = False) -> tuple[Triple, ...]:
    """All triples of `topics.txt` in its order.

    Only those with shared properties, or without, where `shared` says so; with `strict` only those whose kind is not
    named after its category, and whose property does not begin with `are`.
    """
    every: list[Triple] = []
    text = files("hansproof.generators.token_bias.lexicon").joinpath("topics.txt").read_text("utf-8")
    for block in text.split("\n\n"):
        category, *lines = [line for line in block.splitlines() if line and not line.startswith("#")] or [""]
        named = {name: words.split(", ") for name, _, words in (line.partition(": ") for line in lines)}
        for kind in named.get("kinds", []):
            every += [Triple(kind, category, words, True) for words in named["some"]]
            every += [Triple(kind, category, words, False) for words in named.get("other", [])]
    return tuple(
        triple
        for triple in every
        if (shared is None or triple.shared == shared)
        and not (strict and (triple.is_named_after() or triple.property.startswith("are ")))
    )


# With X and Y for a kind and its category, or for two kinds of one category, in either role:
#
#     All X are Y. Some Y are so. Therefore, some X are so.     does not follow: those Y may all be others than X
#     All X are Y. Some X are so. Therefore, some Y are so.     follows
#
# The two hold the same words and, apart from capitals, the same pairs of neighbouring words. Where there are both,
# either term may come first, so the term of the second premise alone, or that of the conclusion alone, goes with both
# answers equally often: valid is whether the two choices agree, and neither an n-gram of two words nor what is true of
# the world knows.


@dataclass(frozen=True)
class Figure:
    """Which term stands where."""

    inside: bool
    """Whether the first premise says `All roses are flowers`, and not `All flowers are roses`."""
    about_kind: bool
    """Whether the second premise says something of `some roses`, and the conclusion of `some flowers`."""

    @classmethod
    def of(cls, inside: bool, valid: bool) -> Figure:
        """The figure with this first premise that is valid, or not."""
        return cls(inside, inside == valid)

    @property
    def valid(self) -> bool:
        """Whether the conclusion follows: both premises are about the same term."""
        return self.inside == self.about_kind

    def terms(self, triple: Triple) -> tuple[str, str, str, str]:
        """(X, Y, S, C) in `All X are Y. Some S are so. Therefore, some C are so.`"""
        kind, category = triple.kind, triple.category
        first = (kind, category) if self.inside else (category, kind)
        return (*first, kind, category) if self.about_kind else (*first, category, kind)

    def conclusion_true(self, triple: Triple) -> bool:
        """Whether the conclusion is true of the world, whether or not it follows."""
        return triple.shared or self.about_kind


# The framings of one syllogism differ in the sources and in nothing else. Real outlets and universities only say what
# is true and harmless: where a premise may be false (`All flowers are roses`), nobody real is named.

FRAMINGS: Final = ("reputable", "satirical", "anonymous")

Sources = tuple[str, str]
"""Who said the first premise, and who the second."""

FRAMES: Final = (
    "{A} recently said that {first}. Some time ago, {b} stated that {second}.",
    "{A} recently claimed that {first}. {B} has said that {second}.",
    "{A} said last week that {first}. This week, {b} stated that {second}.",
    "According to {a}, {first}. We hear from {b} that {second}.",
    "{A} once said that {first}. On another occasion, {b} stated that {second}.",
    "{A} says that {first}. {B} maintains that {second}.",
    "{A} said last month that {first}. Soon after, {b} stated that {second}.",
    "We hear from {a} that {first}. According to {b}, {second}.",
)
"""{A} and {a} are the first source, {B} and {b} the second, with and without a capital; {first} and {second} are the
premises."""

_OUTLETS: Final = (
    "Reuters", "the Associated Press", "the BBC", "Agence France-Presse", "Bloomberg", "The Economist",
    "the Financial Times", "CNN", "Al Jazeera", "Deutsche Welle", "The Guardian", "Le Monde", "The New York Times",
    "The Washington Post", "Kyodo News", "El País", "The Times of India", "the Canadian Broadcasting Corporation",
    "the Australian Broadcasting Corporation", "The Irish Times", "The Straits Times", "The Wall Street Journal",
)  # fmt: skip
_UNIVERSITIES: Final = (
    "the University of Oxford", "Stanford University", "the University of Tokyo", "the University of Cape Town",
    "the National University of Singapore", "the University of Toronto", "Harvard University", "Peking University",
    "the University of São Paulo", "the University of Melbourne", "the University of Edinburgh", "Yale University",
    "the University of Cambridge", "Seoul National University", "the University of Copenhagen", "Uppsala University",
    "the Technical University of Munich", "Princeton University", "the University of Nairobi", "Leiden University",
    "the University of Buenos Aires", "the Indian Institute of Science", "McGill University", "Trinity College Dublin",
)  # fmt: skip
_SATIRE: Final = (
    "The Onion", "Private Eye", "The Daily Mash", "NewsThump", "Waterford Whispers News", "The Betoota Advocate",
    "The Beaverton", "ClickHole", "Der Postillon", "Le Gorafi", "El Mundo Today", "The Babylon Bee", "The Hard Times",
    "Reductress", "Mad magazine", "The Daily Squib", "Walking Eagle News",
)  # fmt: skip
_NAMELESS: Final = (
    "an anonymous blogger", "an anonymous caller to a radio programme", "an anonymous commenter",
    "a stranger on the internet", "an unnamed source", "somebody on a message board", "an unidentified passer-by",
    "an anonymous newsletter", "an anonymous account on social media", "an anonymous forum user",
    "an unnamed podcaster", "a passenger on a bus", "a stranger in a queue", "somebody in a chat room",
)  # fmt: skip

NAMED: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "reputable": (_OUTLETS, _UNIVERSITIES),
    "satirical": (_SATIRE, _SATIRE),
    "anonymous": (_NAMELESS, _NAMELESS),
}
"""Framing -> who may have said the first premise, and who the second, by name where there is one."""

GENERIC: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "reputable": (
        ("a leading news agency", "a respected national newspaper", "a public broadcaster", "a trusted news agency",
         "a respected daily newspaper", "an international broadcaster", "a prize-winning news magazine"),
        ("a leading university", "a renowned university", "a national academy of sciences", "a famous university",
         "a leading research institute", "a respected university", "a world-famous university"),
    ),
    "satirical": (
        ("a satirical website", "a humour magazine", "a parody news show", "a satirical weekly", "a spoof newspaper"),
        ("a comedy podcast", "a satirical blog", "a spoof academic journal", "a parody account", "a comedy show"),
    ),
    "anonymous": (_NAMELESS, _NAMELESS),
}  # fmt: skip
"""The same without a real name."""


def draw_sources(own: Stream, known: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]) -> dict[str, Sources]:
    """Framing -> two different sources of it."""
    drawn = {}
    for framing, (first, second) in known.items():
        said = own.choice(first)
        other = own.choice(second)
        if other == said:
            other = second[(second.index(other) + 1) % len(second)]
        drawn[framing] = (said, other)
    return drawn


ANSWERS: Final = ("yes", "no")

PLAIN: Final = ("all {}", "some {}")
UNIVERSAL: Final = (
    "without exception, {}", "{}, without exception,", "all {}, without exception,", "all {}, with no exceptions,",
)  # fmt: skip
"""What may stand for `all roses`."""
PARTICULAR: Final = (
    "certain {}", "several {}", "a number of {}", "at least some {}", "at least a few {}",
)  # fmt: skip
"""What may stand for `some roses`: each says of at least some small number that it is so, and sets no upper bound. What
holds of so many X, all of which are Y, holds of so many Y, so every one of them is as valid or invalid as `some`."""

LOOSE_UNIVERSAL: Final = ("{}", *UNIVERSAL)
LOOSE_PARTICULAR: Final = ("a few {}", *PARTICULAR)
"""The same with looser synonyms, which do not keep the logic in every reading: the paper's bare plural (`roses are
flowers`) may allow for exceptions, `a few` may mean that there are not many. Where nothing follows from `all` and
`some`, nothing follows from these either; in valid syllogisms they have no place. The paper's `a subset of` is left
out: a subset may be empty, so that every conclusion about one follows."""

_QUESTIONS: Final = (
    "Does the conclusion follow logically from the premises?",
    "Is this argument logically valid?",
    "Is the following inference logically valid?",
    "Is this a logically valid piece of reasoning?",
    "Does the conclusion of this argument follow logically?",
)
_COUNTING: Final = (
    "Does the third statement below follow logically from the first two?",
    "Does the third sentence below follow logically from the first two?",
)
"""Two more, where nothing else counts the sentences."""
_CONDITIONAL: Final = "If the premises are true, does it follow logically that the conclusion is true as well?"
"""One more question, where nothing else says that the premises are to be supposed."""
_GRANTED: Final = (
    "Take the premises as given, even if they are not true, and go by nothing else.",
    "Assume that the premises are true, and leave aside whatever else you know.",
    "Suppose that the premises are true, whether or not they are, and go by them alone.",
    "Judge the logic alone: take the premises as true, and use no other knowledge.",
)
"""Said where a premise may be false of the world. Nothing else is to be used: who adds that roses are flowers, though
the premise says that flowers are roses, passes from `some roses` to `some flowers` by that.
"""
_CLAIMS_GRANTED: Final = (
    "Take the claims in the first two sentences below as given, even if they are not true, and go by nothing else.",
    "Assume that the claims in the first two sentences below are true, and leave aside whatever else you know.",
    "Suppose that the claims in the first two sentences below are true, whether or not they are, and go by them alone.",
    "Judge the logic alone: take the claims in the first two sentences below as true, and use no other knowledge.",
)
"""Said where premises are reported too. That somebody claims something is true does not make it so, and without this
nothing would follow."""
_HENCE: Final = ("Therefore,", "So", "Hence,", "It follows that", "Consequently,", "Thus,")


@dataclass(frozen=True)
class Wording:
    """All that is said around the terms."""

    universal: str
    """`all {}`, with a gap for the term."""
    particular: str
    question: str
    granted: str
    """That premises may be false; empty where all of them are true."""
    hence: str
    particular_first: bool
    """Whether the premise with `some` comes before the premise with `all`."""
    frame: str

    def reworded(self, universal: str, particular: str) -> Wording:
        """The same with other quantifiers."""
        return replace(self, universal=universal, particular=particular)


def draw_wording(own: Stream, balanced: bool, framed: bool) -> Wording:
    """A wording with plain quantifiers; a balanced one says that premises may be false, and has them in any order."""
    granted = _CLAIMS_GRANTED if framed else _GRANTED
    questions = (*_QUESTIONS, *(() if balanced and framed else _COUNTING), *(() if balanced else (_CONDITIONAL,)))
    return Wording(
        *PLAIN,
        question=own.choice(questions),
        granted=own.choice(granted) if balanced else "",
        hence=own.choice(_HENCE),
        particular_first=balanced and own.coin(),
        frame=own.choice(FRAMES),
    )


def prompt(triple: Triple, figure: Figure, words: Wording, sources: Sources | None = None) -> str:
    """The prompt; with `sources` the premises are said to come from them."""
    whole, part, subject, concluded = figure.terms(triple)
    first = f"{words.universal.format(whole)} are {part}"
    second = f"{words.particular.format(subject)} {triple.property}"
    if words.particular_first:
        first, second = second, first
    if sources is None:
        premises = f"{_capital(first)}. {_capital(second)}."
    else:
        a, b = sources
        premises = words.frame.format(a=a, b=b, A=_capital(a), B=_capital(b), first=first, second=second)
    conclusion = f"{words.hence} {words.particular.format(concluded)} {triple.property}."
    asked = f"{words.question} {words.granted}" if words.granted else words.question
    return f"{asked}\n\n{premises} {conclusion}\n\nAnswer yes or no."


def reasoning(triple: Triple, figure: Figure) -> str:
    """Why the conclusion follows, or does not, in words, for solved examples."""
    whole, part, subject, _ = figure.terms(triple)
    if figure.valid:
        return (
            f"There are {subject} that {triple.property}. All {whole} are {part}, so these are {part} as well. So "
            f"there must be {part} that {triple.property}: the conclusion follows."
        )
    return (
        f"There are {subject} that {triple.property}. All {whole} are {part}, but none of those that {triple.property} "
        f"need be {whole}. So the premises can be true and the conclusion false: it does not follow."
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
