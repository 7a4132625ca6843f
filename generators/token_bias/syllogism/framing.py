"""Who is said to have said the premises: nobody, a reputable source, a satirical one, one without a name.

A frame leaves a gap for each source, so the framings of one syllogism differ in the sources and in nothing else. Real
outlets and universities are only ever said to have said what is true and harmless. Where a premise may be false
(`All flowers are roses`), nobody real is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generators.stream import Stream

__all__ = ["FRAMES", "FRAMINGS", "GENERIC", "NAMED", "Sources", "draw_sources"]

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
