"""What people are said to do where it matters to nobody: remarks of any length, without a number and with one.

They stand for `had 12 red pens`, have as many words and characters, and hold at any time: what animals somebody has or
would like to have, what they play, the size that they wear, the number of a bus or of a house.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product

from hansproof.generators.stream import Stream

__all__ = ["remark"]


_words = str.split

_ADJECTIVES = _words(
    "old big small grey brown black white lazy quiet noisy clever lively gentle playful cheerful friendly"
    " good-natured well-behaved"
)
_ANIMALS = _words("cat dog horse poodle beagle terrier spaniel hamster sheepdog greyhound wolfhound retriever")
_INSTRUMENTS = _words(
    "harp flute cello viola organ violin guitar trumpet clarinet trombone recorder saxophone accordion"
)
_FLATS = _words("flat studio cottage apartment")
_RENTED = ("owned", "rented", "leased")
_NUMBERED = (
    ("wore", "size"),
    *product(("led", "was in"), ("team", "group")),
    *product(_RENTED, _FLATS),
    *product(("drove", "often took", "usually took", "sometimes took"), ("bus", "tram")),
    *product(("lived in", "still lived in", "had always lived in"), _FLATS),
)
"""What people did, and what has a number."""
_STREETS = product(
    _words(
        "Elm Mill Park Lake High York Abbey North South Church Garden School Market Station Victoria Hawthorn Waterloo"
        " Nightingale"
    ),
    _words("Row Lane Road Street Avenue Terrace Crescent"),
)
_SIZED = _words("hat cap ring shoe boot glove shirt jacket jumper")
_AT = (*_RENTED, *(f"{when} {each}" for when, each in product(("also", "still"), _RENTED)), "lived at",
       "still lived at", "had always lived at", "had until recently lived at",
       "had for many years lived at")  # fmt: skip


def _table(texts: Iterable[str]) -> dict[tuple[int, int], list[str]]:
    """(words, characters but for `{}`) -> texts."""
    table: dict[tuple[int, int], list[str]] = {}
    for text in texts:
        table.setdefault((len(text.split()), len(text.replace("{}", ""))), []).append(text)
    return table


@cache
def _without() -> dict[tuple[int, int], list[str]]:
    """The remarks without a number."""
    pairs = product(_ADJECTIVES[:3], _ADJECTIVES[3:])
    describing = ["", *(f"{each} " for each in _ADJECTIVES), *(f"{first} {second} " for first, second in pairs)]
    more = ["", *(f" and a {each}{noun}" for each, noun in product(("", "young ", "cheerful "), _ANIMALS[:3]))]
    owned = product(("had", "kept", "owned", "wanted"), describing, _ANIMALS, more)
    whose = [(verb, f"{each}{noun}{also}") for verb, each, noun, also in owned if noun not in also]
    texts = [f"{verb} a{'n' * (what[0] in 'aeiou')} {what}" for verb, what in whose]
    return _table(texts + [f"played the {what}{how}" for what, how in product(_INSTRUMENTS, ("", " well", " badly"))])


@cache
def _numbered() -> dict[tuple[int, int], list[str]]:
    """The remarks with `{}` for a number."""
    said = [f"{verb} {what} {{}}" for verb, what in _NUMBERED]
    said += [f"{verb} a size {{}} {what}" for verb, what in product(("wore", "took"), _SIZED)]
    return _table(said + [f"{verb} {{}} {' '.join(street)}" for verb, street in product(_AT, _STREETS)])


def remark(stream: Stream, instead: str, number: int | None) -> str:
    """What stands instead of `had 12 red pens`, with `number` if it is one, and as long in words and in characters."""
    words, size = len(instead.split()), len(instead)
    fitting = _without()[words, size] if number is None else _numbered()[words, size - len(str(number))]
    said = stream.choice(fitting)
    return said if number is None else said.format(number)
