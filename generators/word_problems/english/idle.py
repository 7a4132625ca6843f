"""What people are said to do where it matters to nobody: remarks of any length, without a number and with one.

They stand for `had 12 red pens` and have as many words and characters: what somebody wore or carried, the number of the
bus that they took, or that of the house where they lived.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from hansproof.generators.stream import Stream

__all__ = ["remark"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ADJECTIVES = _words(
    "old new red blue grey green brown white black yellow purple orange striped spotted woollen checked knitted leather"
    " colourful beautiful waterproof second-hand"
)
_CLOTHES = _words("hat cap scarf coat shawl jacket raincoat sweater cardigan overcoat waistcoat")
_BAGS = _words("bag basket handbag rucksack umbrella")
_DONE = _words("rented painted decorated redecorated")
_WORK = (*_DONE, *(f"had {done}" for done in _DONE))
_NUMBERED = (
    *product(("took", "caught", "missed", "came by", "got onto", "arrived by", "travelled by"), ("bus",)),
    *product(_WORK, ("flat", "room", "office")),
    *product(("took", "lived in", "moved into"), ("flat", "room")),
    *product(_WORK, ("house",)),
    *product(("lived at", "worked at"), ("number",)),
    *product(("worked in",), ("room", "office")),
)
"""What people did, and what has a number."""
_STREETS = tuple(
    f"{first} {second}"
    for first in _words(
        "Elm Mill Park Lake High York Abbey North South Church Garden School Market Station Victoria Hawthorn Waterloo"
        " Nightingale"
    )
    for second in _words("Row Lane Road Street Avenue Terrace Crescent")
)
_AT = ("lived at", "worked at", "had lived at", "had worked at", "had always lived at", "had formerly lived at",
       "had until recently lived at", "had for many years lived at")  # fmt: skip


@cache
def _without() -> dict[tuple[int, int], list[str]]:
    """(words, characters) -> remarks without a number."""
    table: dict[tuple[int, int], list[str]] = {}
    pairs = product(_ADJECTIVES[:2], _ADJECTIVES[2:])
    describing = ["", *(f"{each} " for each in _ADJECTIVES), *(f"{first} {second} " for first, second in pairs)]
    worn = [*product(("wore",), describing, _CLOTHES), *product(("carried",), describing[:11], _BAGS)]
    also = ["", *(f" and a {adjective}{noun}" for adjective, noun in product(("", "long ", "thick "), _CLOTHES[:3]))]
    for (verb, adjective, noun), more in product(worn, also):
        text = f"{verb} {_with_article(adjective + noun)}{more}"
        table.setdefault((len(text.split()), len(text)), []).append(text)
    return table


@cache
def _numbered() -> dict[tuple[int, int], list[str]]:
    """(words, characters but for the number) -> remarks with `{}` for a number."""
    table: dict[tuple[int, int], list[str]] = {}
    said = [f"{verb} {what} {{}}" for verb, what in _NUMBERED]
    said += [f"{verb} {{}} {street}" for verb, street in product(_AT, _STREETS)]
    for text in said:
        words, size = len(text.split()), len(text) - 2
        table.setdefault((words, size), []).append(text)
    return table


def _with_article(what: str) -> str:
    return f"{'an' if what[0] in 'aeiou' else 'a'} {what}"


def remark(stream: Stream, instead: str, number: int | None) -> str:
    """What stands instead of `had 12 red pens`, with `number` if it is one, and as long in words and in characters."""
    words, size = len(instead.split()), len(instead)
    fitting = _without()[words, size] if number is None else _numbered()[words, size - len(str(number))]
    # Nobody is to ask whether a hat counts among the party hats.
    alike = [noun for noun in (*_CLOTHES, *_BAGS) if noun[:4] in instead]
    other = [each for each in fitting if not any(noun in each for noun in alike)] if alike else fitting
    said = stream.choice(other or fitting)
    return said if number is None else said.format(number)
