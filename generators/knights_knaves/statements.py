"""What a character can say: every statement of a kind, its notation, its English and its truth table as one int.

A world is a number whose bit v is 1 where character v is a knight. The table of a statement is an int whose bit w is
its truth in world w: 2^n bits, hence one 64-bit mask for n = 6. The small table covers only the characters in the
statement's `scope`, so it serves any number of characters. The kinds follow Mondorf & Plank (2024); disjunction,
exclusive or, counts, nested reports and alternatives are ours. `@K` and `@N` stand for the two words until a prompt
fills them in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import permutations, product

__all__ = [
    "SETS",
    "Statement",
    "alternative",
    "letter",
    "nested",
    "pair",
    "place_of",
    "single",
    "statements",
    "variable_mask",
]

SETS: dict[str, tuple[str, ...]] = {
    "S": ("self", "accusation", "conjunction"),
    "I": ("accusation", "implication", "conjunction"),
    "E": ("accusation", "conjunction", "implication", "equivalence"),
    "wide": (
        "accusation", "conjunction", "implication", "equivalence", "disjunction", "exclusive", "count", "nested",
    ),
    "balanced": ("equivalence", "exclusive", "nested", "alternative"),
    "character": ("accusation", "equivalence", "exclusive", "nested", "alternative"),
}  # fmt: skip
"""The kinds of statement in each set; the first three sets are the paper's."""

_NUMBERS = ("None", "one", "two", "three", "four", "five", "six")
# kind -> (sign in the notation, English with two gaps)
_PAIRS = {
    "conjunction": ("&", "{} and {}"),
    "implication": (">", "If {}, then {}"),
    "equivalence": ("=", "{} if and only if {}"),
    "disjunction": ("|", "{} or {}, or both"),
    "exclusive": ("^", "Either {} or {}, but not both"),
}
_OPERATIONS: dict[str, Callable[[int, int, int], int]] = {
    "conjunction": lambda p, q, every: p & q,
    "implication": lambda p, q, every: (every ^ p) | q,
    "equivalence": lambda p, q, every: every ^ p ^ q,
    "disjunction": lambda p, q, every: p | q,
    "exclusive": lambda p, q, every: p ^ q,
}


@dataclass(frozen=True)
class Statement:
    """One thing that a character can say."""

    kind: str
    """One of a set, or `self`."""
    notation: str
    """As in `metadata["statements"]`, in the letters of the characters' places: `(A & ~C)`."""
    text: str
    """In English, without the full stop."""
    scope: tuple[int, ...]
    """The speaker, followed by the other characters that the statement is about."""
    local: int
    """Truth table of (speaker is a knight <-> statement) over `scope`: bit j of a world is scope[j]."""
    mask: int
    """The same over all n characters: 2^n bits; 0 where n is too large for tables."""


@cache
def variable_mask(character: int, n: int) -> int:
    """The truth table of "this character is a knight" over n characters."""
    return sum(1 << world for world in range(1 << n) if world >> character & 1)


@cache
def letter(character: int) -> str:
    """A ... Z, AA, AB, ... ZZ as in a spreadsheet: the notation uses letters, whatever the names are."""
    high, low = divmod(character, 26)
    return (chr(64 + high) if high else "") + chr(65 + low)


def place_of(letters: str) -> int:
    """The character that `letter` writes so."""
    place = 0
    for each in letters:
        place = place * 26 + ord(each) - 64
    return place - 1


@dataclass(frozen=True)
class _Literal:
    """`character` is a knight, or a knave."""

    character: int
    knight: bool

    def notation(self) -> str:
        return ("" if self.knight else "~") + letter(self.character)

    def text(self, names: Sequence[str], speaker: int) -> str:
        who = "I am" if self.character == speaker else f"{names[self.character]} is"
        return f"{who} a @K" if self.knight else f"{who} a @N"

    def table(self, places: Sequence[int]) -> int:
        mask = variable_mask(places.index(self.character), len(places))
        return mask if self.knight else mask ^ _every(len(places))


def _every(n: int) -> int:
    return (1 << (1 << n)) - 1


def statements(kind: str, speaker: int, names: tuple[str, ...]) -> Iterator[Statement]:
    """All statements of a kind that `speaker` can make, in a fixed order: the space from which puzzles are drawn."""
    n = len(names)
    others = [character for character in range(n) if character != speaker]
    if kind == "self":
        yield single("self", speaker, speaker, True, names)
    elif kind == "accusation":
        for character, knight in product(others, (True, False)):
            yield single("accusation", speaker, character, knight, names)
    elif kind == "count":
        for number in range(n + 1):
            yield count_of(speaker, number, tuple(range(n)), names)
    elif kind == "nested":
        for reporter, knight, character in product(others, (True, False), range(n)):
            if character != reporter:
                yield nested(speaker, reporter, character, knight, names)
    elif kind == "alternative":
        for three, p, q, r in product(permutations(others, 3), (True, False), (True, False), (True, False)):
            yield alternative(speaker, three, (p, q, r), names)
    else:
        for (first, second), p, q in product(permutations(others, 2), (True, False), (True, False)):
            yield pair(kind, speaker, (first, second), (p, q), names)


@lru_cache(maxsize=16_384)
def single(kind: str, speaker: int, character: int, knight: bool, names: tuple[str, ...]) -> Statement:
    """`character` is (not) a knight; about oneself: I am a knight."""
    literal = _Literal(character, knight)
    text = literal.text(names, speaker)
    return _statement(kind, speaker, literal.notation(), text, (character,), literal.table, names)


@lru_cache(maxsize=16_384)
def pair(
    kind: str, speaker: int, characters: tuple[int, int], knights: tuple[bool, bool], names: tuple[str, ...]
) -> Statement:
    """Two literals about two other characters, joined as `kind` says."""
    first, second = (_Literal(character, knight) for character, knight in zip(characters, knights, strict=True))
    sign, english = _PAIRS[kind]
    text = english.format(first.text(names, speaker), second.text(names, speaker))

    def table(places: Sequence[int]) -> int:
        return _OPERATIONS[kind](first.table(places), second.table(places), _every(len(places)))

    notation = f"({first.notation()} {sign} {second.notation()})"
    return _statement(kind, speaker, notation, text, characters, table, names)


@lru_cache(maxsize=16_384)
def alternative(
    speaker: int, characters: tuple[int, int, int], knights: tuple[bool, bool, bool], names: tuple[str, ...]
) -> Statement:
    """If the first literal holds, then the second; otherwise the third. True in half of all worlds."""
    first, second, third = (_Literal(character, knight) for character, knight in zip(characters, knights, strict=True))
    condition, then, otherwise = (literal.text(names, speaker) for literal in (first, second, third))
    text = f"If {condition}, then {then}; otherwise, {otherwise}"

    def table(places: Sequence[int]) -> int:
        held = first.table(places)
        return held & second.table(places) | ~held & third.table(places) & _every(len(places))

    unlike = _Literal(first.character, not first.knight)
    notation = f"(({first.notation()} > {second.notation()}) & ({unlike.notation()} > {third.notation()}))"
    return _statement("alternative", speaker, notation, text, characters, table, names)


@lru_cache(maxsize=16_384)
def nested(speaker: int, reporter: int, character: int, knight: bool, names: tuple[str, ...]) -> Statement:
    """`reporter` would say that `character` is (not) a knight: true where the reporter would tell the truth by it,
    or lie.
    """
    literal, other = _Literal(character, knight), _Literal(reporter, True)
    text = f"{names[reporter]} would say that {literal.text(names, speaker)}"

    def table(places: Sequence[int]) -> int:
        return _every(len(places)) ^ other.table(places) ^ literal.table(places)

    notation = f"{letter(reporter)}:({literal.notation()})"
    return _statement("nested", speaker, notation, text, (reporter, character), table, names)


def count_of(speaker: int, number: int, characters: tuple[int, ...], names: tuple[str, ...]) -> Statement:
    """Exactly `number` of the listed characters are knights; "of us" where everybody is listed."""
    listed = [names[character] for character in characters]
    whom = "us" if len(listed) == len(names) else ", ".join(listed[:-1]) + " and " + listed[-1]
    if number == 0:
        text = f"None of {whom} is a @K"
    elif number == len(listed):
        text = f"All of {whom} are @Ks"
    else:
        text = f"Exactly {_NUMBERS[number]} of {whom} " + ("is a @K" if number == 1 else "are @Ks")

    def table(places: Sequence[int]) -> int:
        bits = [places.index(character) for character in characters]
        worlds = range(1 << len(places))
        return sum(1 << world for world in worlds if sum(world >> bit & 1 for bit in bits) == number)

    notation = f"#{number}({','.join(map(letter, characters))})"
    return _statement("count", speaker, notation, text, characters, table, names)


def _statement(
    kind: str,
    speaker: int,
    notation: str,
    text: str,
    about: tuple[int, ...],
    table: Callable[[Sequence[int]], int],
    names: tuple[str, ...],
) -> Statement:
    n = len(names)
    scope = (speaker, *dict.fromkeys(character for character in about if character != speaker))

    def constraint(places: Sequence[int]) -> int:
        # P <-> Q as tables: the bits in which both agree
        return _every(len(places)) ^ variable_mask(places.index(speaker), len(places)) ^ table(places)

    mask = constraint(range(n)) if n <= 6 else 0
    return Statement(kind, notation, text, scope, constraint(scope), mask)
