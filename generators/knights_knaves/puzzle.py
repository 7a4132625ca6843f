"""From a puzzle to an item: what it asks, its wording, answer, group and metadata; and the plan of a subset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from hansproof.generators.dataset import Draft, Subset
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.checking import check as checked
from hansproof.generators.knights_knaves.distinct import Drawn
from hansproof.generators.knights_knaves.statements import Statement, notation
from hansproof.generators.knights_knaves.statements import text as worded
from hansproof.generators.stream import Stream

__all__ = ["NAMES", "OUTCOMES", "SENTINEL", "TERMS", "Ask", "Plan", "Room", "answer", "draft", "names_of"]

# What a puzzle asks for: everybody's identity, that of one character, the number of solutions, or all of them.

Ask = Literal["all", "open", "one", "number"]
"""`all`: what every character is; `open`: the same, with no, one or several solutions; `one`: what one character is;
`number`: how many solutions there are."""

SENTINEL = "CONCLUSION:"
"""The last line of every prompt, and the heading of every answer."""

OUTCOMES = ("none", "one", "several")
"""The answers to how many solutions there are."""


NAMES = (
    "Ada", "Ben", "Cleo", "Doug", "Esther", "Finn", "Gloria", "Hugo", "Iris", "Jack", "Kate", "Liam", "Molly", "Nora",
    "Otto", "Petra", "Roger", "Steve", "Tess", "Ursula", "Victor", "Yuri", "Zoe", "Bertha", "Cyril", "Daphne", "Emil",
    "Fay", "Gus", "Helen", "Igor", "Judith", "Klaus", "Lydia", "Oscar", "Paul", "Rufus", "Sonia", "Thomas", "Viola",
    "Walter", "Yvonne", "Amos", "Brigit", "Conrad", "Dorothy", "Edgar", "Greta", "Ingrid", "Jonas", "Keith", "Laura",
    "Marco", "Olga", "Ralph", "Simon", "Agnes", "Dennis", "Frida", "Gerald", "Joseph", "Nigel", "Philip", "Andrew",
    "Deborah", "Ernest", "Felix", "Hubert", "Isabel", "Julia", "Kenneth", "Louis", "Miriam", "Oliver", "Sylvia",
    "Vincent", "Winston", "Francis", "Gordon", "Hannah", "Lucy", "Matthew", "Stanley", "Teresa", "Arthur", "Bruno",
    "David", "George", "Harold", "Pamela", "Ruth", "Trevor", "Bella", "Colin", "Duncan", "Giles", "Henry", "Phoebe",
    "Sophie", "Tobias",
)  # fmt: skip
"""Names for puzzles in which letters would not do: "I" cannot be a name in a statement, and there are only 26. No two
look or sound alike: any two differ in three letters at least, and in their first three."""


@cache
def names_of(n: int) -> tuple[str, ...]:
    """A, B, C, ... for up to six characters, first names for up to 100."""
    return tuple("ABCDEF"[:n]) if n <= 6 else NAMES[:n]


# The wording is the same everywhere, so no phrase gives anything away. Every prompt ends with `CONCLUSION:`, the
# heading under which the answer is wanted: nobody in a puzzle says that.

TERMS: dict[str, tuple[str, str]] = {
    "jabbas": ("jabba", "tette"),
    "knights": ("knight", "knave"),
    "truth-tellers": ("truth-teller", "liar"),
}
"""Vocabulary -> (word for who always tells the truth, word for who always lies); all take "a" and a plural in -s."""

WORLD = (
    "Every character in this puzzle is either a @K or a @N. A @K always tells the truth, and a @N always lies.\n"
    "There are {number} characters, {names}, and each of them makes one statement."
)
_LINES = "one line for each character, in the order above, such as `{first}: @K` or `{first}: @N`"
_FIT = "make every statement by a @K true and every statement by a @N false"
_ASSIGNMENT = "An assignment says of each character whether it is a @K or a @N."
QUESTIONS: dict[Ask, str] = {
    "all": f"Who is a @K, and who is a @N? Finish your answer with {_LINES}, under this heading:",
    "one": "Is {who} a @K or a @N? Finish your answer with one line, `{who}: @K` or `{who}: @N`, under this heading:",
    "number": (
        f"{_ASSIGNMENT} How many assignments {_FIT}: none, exactly one, or several (two or more)? Finish your answer "
        "with one word, `none`, `one` or `several`, under this heading:"
    ),
    "open": (
        f"{_ASSIGNMENT} Which assignments {_FIT}? There may be none, one or several. Finish your answer with {_LINES}. "
        "If several assignments fit, give the lines for each of them, with an empty line between one and the next. "
        "If none fits, write `no solution` instead. Put all of this under the following heading:"
    ),
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def prompt(puzzle: Sequence[Statement], names: Sequence[str], terms: tuple[str, str], ask: Ask, who: str = "") -> str:
    """The whole text; `who` is the character asked about, for `one`."""
    head, tail = _frame(tuple(names), terms, ask, who)
    told = [f"{name}: {worded(said, tuple(names))}." for name, said in zip(names, puzzle, strict=True)]
    return head + "\n".join(told).replace("@K", terms[0]).replace("@N", terms[1]) + tail


@lru_cache(maxsize=4096)
def _frame(names: tuple[str, ...], terms: tuple[str, str], ask: Ask, who: str) -> tuple[str, str]:
    """The text above the statements, and the text below."""
    number = _NUMBERS[len(names)] if len(names) < len(_NUMBERS) else str(len(names))
    listed = ", ".join(names[:-1]) + " and " + names[-1]
    head = WORLD.format(number=number, names=listed) + "\n\n"
    tail = f"\n\n{QUESTIONS[ask].format(first=names[0], who=who)}\n\n{SENTINEL}"
    head, tail = (text.replace("@K", terms[0]).replace("@N", terms[1]) for text in (head, tail))
    return head, tail


@lru_cache(maxsize=4096)
def answer(solutions: tuple[str, ...], names: tuple[str, ...], terms: tuple[str, str]) -> str:
    """`A: knight; B: knave`; several solutions are joined by ` | ` in the given order, none is `no solution`."""
    word = {"K": terms[0], "N": terms[1]}
    rows = ["; ".join([f"{name}: {word[kind]}" for name, kind in zip(names, world)]) for world in solutions]
    return " | ".join(rows) or "no solution"


class Plan(NamedTuple):
    """How the items of a subset are made and checked."""

    make: Callable[[Stream, int], Draft]
    """(stream of the dataset, index) -> the item."""
    subset: Subset
    check: Callable[[Item], list[str]] = checked
    """The faults of an item, found by a second way of solving it."""


Room = Mapping[str, Plan]
"""The subsets of one room, by name, in the order of the release."""


def draft(
    drawn: Drawn,
    set_name: str,
    ask: Ask,
    condition: str,
    terminology: str,
    group: str = "",
    more: dict[str, Any] | None = None,
) -> Draft:
    """The item that asks `ask` about a puzzle in the words of `terminology`.

    `set_name` says which kinds of statement there may be; `more` is metadata of the room's own, for `one` with the
    character `asked` about. The group is the canonical form of the puzzle, unless matched puzzles belong together.
    """
    puzzle, solutions, more = drawn.puzzle, drawn.solutions, more or {}
    n, terms = len(puzzle), TERMS[terminology]
    names = names_of(n)
    metadata: dict[str, Any] = {
        "set": set_name,
        "n": n,
        "terminology": terminology,
        "terms": list(terms),
        "names": list(names),
        "statements": [notation(said) for said in puzzle],
        "kinds": [said.kind for said in puzzle],
        "form": drawn.key,
        "ask": ask,
        "solutions": list(solutions),
    }
    if ask in ("all", "one"):
        metadata["first"] = "truthful" if solutions[0].startswith("K") else "lying"
    choices: tuple[str, ...] | None = None
    gold, who = answer(solutions, names, terms), more.get("asked", "")
    if ask == "one":
        choices, gold = terms, terms["KN".index(solutions[0][names.index(who)])]
    elif ask == "number":
        choices, gold = OUTCOMES, OUTCOMES[min(len(solutions), 2)]
    text = prompt(puzzle, names, terms, ask, who)
    return Draft(text, choices, gold, group or drawn.key, condition, metadata | more)
