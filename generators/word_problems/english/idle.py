"""What people are said to do where it matters to nobody: remarks of any length, without a number and with one.

They stand for `had 12 red pens` and have as many words and characters: what somebody wore or carried, or the number of
a bus that they took or of a house where they lived.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from hansproof.generators.stream import Stream

__all__ = ["remark"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_WORN = _words("wore carried brought")
_ADJECTIVES = _words(
    "old new red blue grey green brown white black yellow purple orange striped spotted woollen checked knitted leather"
    " colourful beautiful waterproof second-hand"
)
_CLOTHES = _words("hat cap scarf coat shawl jacket raincoat sweater umbrella overcoat waistcoat")
_RIDES = ("took", "caught", "missed", "boarded", "came by")
_VEHICLES = ("bus", "tram", "train", "ferry")
_PLACES = _words("flat room cabin cottage bungalow apartment")
_KEPT = ("rented", "cleaned", "painted", "occupied", "redecorated", "lived in", "slept in", "stayed in", "worked in",
         "came from", "had rented", "had occupied", "had redecorated")  # fmt: skip
_STREETS = tuple(
    f"{first} {second}"
    for first in _words(
        "Elm Mill Park Lake High York Abbey North South Church Garden School Market Station Victoria Hawthorn Waterloo"
        " Nightingale"
    )
    for second in _words("Row Lane Road Street Avenue Terrace Crescent")
)
_AT = ("ate at", "lived at", "worked at", "had lived at", "had worked at", "had always lived at",
       "had formerly lived at", "had until recently lived at", "had for many years lived at")  # fmt: skip


@cache
def _without() -> dict[tuple[int, int], list[str]]:
    """(words, characters) -> remarks without a number."""
    table: dict[tuple[int, int], list[str]] = {}
    pairs = product(_ADJECTIVES[:2], _ADJECTIVES[2:])
    describing = ["", *(f"{each} " for each in _ADJECTIVES), *(f"{first} {second} " for first, second in pairs)]
    worn = [_with_article(adjective + noun) for adjective, noun in product(describing, _CLOTHES)]
    also = [f" and a {adjective}{noun}" for adjective, noun in product(("", "long ", "thick "), _CLOTHES[:3])]
    short = worn[: len(_CLOTHES) * (1 + len(_ADJECTIVES))]
    for verb, (what, more) in product(_WORN, (*product(worn, [""]), *product(short, also))):
        text = f"{verb} {what}{more}"
        table.setdefault((len(text.split()), len(text)), []).append(text)
    return table


@cache
def _numbered() -> dict[tuple[int, int], list[str]]:
    """(words, characters but for the number) -> remarks with `{}` for a number."""
    table: dict[tuple[int, int], list[str]] = {}
    said = [f"{verb} {vehicle} {{}}" for verb, vehicle in product(_RIDES, _VEHICLES)]
    said += [f"{verb} {place} {{}}" for verb, place in product(_KEPT, _PLACES)]
    said += [f"{verb} {{}} {street}" for verb, street in product(_AT, _STREETS)]
    for text in said:
        words, size = len(text.split()), len(text) - 2
        table.setdefault((words, size), []).append(text)
    return table


def _with_article(what: str) -> str:
    return f"{'an' if what[0] in 'aeiou' else 'a'} {what}"


def remark(stream: Stream, instead: str, number: int | None) -> str:
    """What stands instead of `had 12 red pens`, with `number` if it is one, and as long: in words, and in characters
    up to what the lists have."""
    words, size = len(instead.split()), len(instead)
    table = _without() if number is None else _numbered()
    size -= 0 if number is None else len(str(number))
    fitting = table.get((words, size))
    if fitting is None:
        nearest = min((key for key in table if key[0] == words), key=lambda key: (abs(key[1] - size), key))
        fitting = table[nearest]
    # Nobody is to ask whether a hat counts among the party hats.
    other = [each for each in fitting if not any(noun[:4] in instead and noun in each for noun in _CLOTHES)]
    said = stream.choice(other or fitting)
    return said if number is None else said.format(number)
