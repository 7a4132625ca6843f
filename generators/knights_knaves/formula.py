"""The notation of `metadata["statements"]`: a parser, and solutions by truth table or by SAT solver."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from hansproof.generators.errors import InputError, UsageError

__all__ = [
    "Both",
    "Clauses",
    "Formula",
    "Knight",
    "Not",
    "Says",
    "clauses",
    "constraint_table",
    "holds",
    "letter",
    "mentioned",
    "parse",
    "place_of",
    "relation",
    "sat_solutions",
    "solutions",
    "table",
]

# It shares no code with the generator, so it gives a second opinion on items. A puzzle is AND over speakers i of (i is
# a knight <-> statement i).

_DEEPEST = 50  # levels of nesting; bounds the recursion
_WIDEST = 16  # characters; a truth table has 2**n rows, so more need a SAT solver
_TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|[~&|^>=():]|\S)")
_NAME = re.compile(r"[A-Za-z_]")
_LETTERS = re.compile(r"[A-Z]+")


@dataclass(frozen=True)
class Knight:
    """`A`: the character is a knight."""

    character: int
    """Its place among the characters, from 0."""


@dataclass(frozen=True)
class Not:
    """`~B`: the inner formula is false."""

    inner: Formula


@dataclass(frozen=True)
class Both:
    """`(A & ~C)`: two formulas joined by one of & | ^ > =."""

    sign: str
    left: Formula
    right: Formula


@dataclass(frozen=True)
class Says:
    """`B:(~C)`: if asked, B would say so; true exactly where (B is a knight) = (the inner formula is true)."""

    character: int
    inner: Formula


Formula = Knight | Not | Both | Says


@cache
def place_of(letters: str) -> int:
    """The character that `letter` writes so."""
    place = 0
    for each in letters:
        place = place * 26 + ord(each) - 64
    return place - 1


@cache
def letter(character: int) -> str:
    """The letters of a place: A ... Z, AA, AB, ... as in a spreadsheet."""
    text = ""
    left = character + 1
    while left:
        left, digit = divmod(left - 1, 26)
        text = chr(ord("A") + digit) + text
    return text


def parse(text: str, names: Sequence[str]) -> Formula:
    """The formula that `text` writes in the letters of the characters' places, or in their names.

    Raises InputError that says where `text` departs from the notation.
    """
    return _Parser(text, _places(tuple(names))).whole()


@lru_cache(maxsize=1024)
def _places(names: tuple[str, ...]) -> dict[str, int]:
    known = {name: place for place, name in enumerate(names)}
    return known | {letter(place): place for place in range(len(names))}  # a letter wins over a name


class _Parser:
    def __init__(self, text: str, known: dict[str, int]) -> None:
        self.text, self.known = text, known
        self.tokens = [(match[1], match.start(1) + 1) for match in _TOKEN.finditer(text)]
        self.at = 0

    @property
    def place(self) -> str:
        return f"statement {_short(self.text)}"

    def whole(self) -> Formula:
        formula = self.formula(0)
        if self.peek():
            raise self.fault("nothing more")
        return formula

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def take(self, wanted: str) -> None:
        if self.peek() != wanted:
            raise self.fault(repr(wanted))
        self.at += 1

    def fault(self, wanted: str) -> InputError:
        token = _short(self.peek()) if self.peek() else "the end"
        place = self.tokens[self.at][1] if self.at < len(self.tokens) else len(self.text) + 1
        return InputError(f"character {place} is {token}, where {wanted} should be", self.place)

    def formula(self, depth: int) -> Formula:
        if depth > _DEEPEST:
            raise InputError(f"is nested deeper than {_DEEPEST} levels", self.place)
        token = self.peek()
        if token == "~":
            self.at += 1
            return Not(self.formula(depth + 1))
        if token == "(":
            return self.bracket(depth)
        character = self.character()
        if self.peek() != ":":
            return Knight(character)
        self.at += 1
        return Says(character, self.formula(depth + 1))

    def bracket(self, depth: int) -> Formula:
        self.take("(")
        formula = self.formula(depth + 1)
        sign = self.peek()
        if sign in ("&", "|", "^", ">", "="):
            self.at += 1
            formula = Both(sign, formula, self.formula(depth + 1))
        self.take(")")
        return formula

    def character(self) -> int:
        token = self.peek()
        if not _NAME.match(token) or token not in self.known:
            raise self.fault("a character")
        self.at += 1
        return self.known[token]


def mentioned(formula: Formula) -> tuple[int, ...]:
    """The characters that occur, ascending."""
    if isinstance(formula, Knight):
        return (formula.character,)
    if isinstance(formula, Both):
        return tuple(sorted({*mentioned(formula.left), *mentioned(formula.right)}))
    own = {formula.character} if isinstance(formula, Says) else set()
    return tuple(sorted(own.union(mentioned(formula.inner))))


def holds(formula: Formula, world: Sequence[bool] | Mapping[int, bool]) -> bool:
    """Whether the formula is true where `world[i]` says that character i is a knight."""
    if isinstance(formula, Knight):
        return world[formula.character]
    if isinstance(formula, Not):
        return not holds(formula.inner, world)
    if isinstance(formula, Says):
        return world[formula.character] == holds(formula.inner, world)
    left, right = holds(formula.left, world), holds(formula.right, world)
    truths = {"&": left and right, "|": left or right, "^": left != right, ">": not left or right, "=": left == right}
    return truths[formula.sign]


def table(formula: Formula, n: int) -> int:
    """The truth table as an int of 2**n bits: bit w is the truth in world w, bit i of w is character i.

    Raises InputError for n above 16.
    """
    if n > _WIDEST:
        raise InputError(f"truth tables go up to {_WIDEST} characters, not {n}")
    return _table(formula, n)


def _table(formula: Formula, n: int) -> int:
    every = (1 << (1 << n)) - 1
    if isinstance(formula, Knight):
        half = 1 << formula.character
        # 2**i zeros, then 2**i ones, repeated: all ones divided by (2**half + 1), shifted up.
        return every // ((1 << half) + 1) << half & every
    if isinstance(formula, Not):
        return every ^ _table(formula.inner, n)
    if isinstance(formula, Says):
        return every ^ _table(Knight(formula.character), n) ^ _table(formula.inner, n)
    left, right = _table(formula.left, n), _table(formula.right, n)
    if formula.sign == "&":
        return left & right
    if formula.sign == "|":
        return left | right
    if formula.sign == "^":
        return left ^ right
    return every ^ left | right if formula.sign == ">" else every ^ left ^ right


def relation(text: str) -> tuple[tuple[int, ...], int]:
    """The places of the letters in `text`, in order, and its truth table over these characters alone.

    Raises InputError as `parse` does, and for more than 16 characters.
    """
    scope = list(dict.fromkeys(_LETTERS.findall(text)))
    shape = _LETTERS.sub(lambda match: letter(scope.index(match[0])), text)
    return tuple(map(place_of, scope)), _shaped(shape, len(scope))


@cache
def _shaped(shape: str, n: int) -> int:
    return table(parse(shape, list(map(letter, range(n)))), n)


def constraint_table(speaker: int, statement: Formula, n: int) -> int:
    """The truth table of (speaker is a knight <-> statement). Raises as `table` does."""
    return table(Both("=", Knight(speaker), statement), n)


def solutions(statements: Sequence[Formula]) -> list[str]:
    """Every solution as a string of K and N in the order of the characters, sorted; [] where none fits.

    Raises InputError for more than 16 characters.
    """
    n = len(statements)
    left = (1 << (1 << n)) - 1 if n <= _WIDEST else 0
    for speaker, statement in enumerate(statements):
        left &= constraint_table(speaker, statement, n)
    worlds = [world for world in range(1 << n) if left >> world & 1]
    return sorted("".join("K" if world >> i & 1 else "N" for i in range(n)) for world in worlds)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


# CaDiCaL (python-sat), for more characters than a truth table holds. A statement concerns few characters, so it becomes
# one clause per world of these characters that it rules out.

Clauses = list[list[int]]


def clauses(scope: Sequence[int], table: int) -> Clauses:
    """One clause per world of `scope` that is not in `table` (bit j of a world is scope[j])."""
    ruled_out = [world for world in range(1 << len(scope)) if not table >> world & 1]
    return [[-(c + 1) if world >> j & 1 else c + 1 for j, c in enumerate(scope)] for world in ruled_out]


def sat_solutions(constraints: Iterable[Sequence[int]], n: int, most: int = 2) -> list[str]:
    """Up to `most` solutions over n characters as strings of K and N, sorted; [] where there is none.

    Raises UsageError where python-sat is not installed.
    """
    worlds: list[str] = []
    with _solver([list(clause) for clause in constraints]) as solver:
        while len(worlds) < most and solver.solve():
            true = {value for value in solver.get_model() or [] if value > 0}
            worlds.append("".join("K" if character + 1 in true else "N" for character in range(n)))
            solver.add_clause([-(c + 1) if c + 1 in true else c + 1 for c in range(n)])
    return sorted(worlds)


def _solver(constraints: Clauses) -> Any:
    try:
        solvers = import_module("pysat.solvers")
    except ImportError as error:
        raise UsageError("puzzles of more than six characters need a SAT solver: pip install python-sat") from error
    return solvers.Solver(name="cadical153", bootstrap_with=constraints)
