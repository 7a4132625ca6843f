"""What a model is shown, and the canonical answer: one puzzle in several wordings and four vocabularies.

A wording is drawn per puzzle, from a stream that depends neither on the puzzle nor on the vocabulary, so that no phrase
gives anything away and a puzzle reads alike in every vocabulary. `@K` and `@N` are replaced at the very end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from generators.knights_knaves.puzzles.statements import Statement
from generators.stream import Stream

__all__ = ["TERMS", "Wording", "answer", "draw_wording", "prompt"]

TERMS: dict[str, tuple[str, str]] = {
    "jabbas": ("jabba", "tette"),
    "knights": ("knight", "knave"),
    "truth-tellers": ("truth-teller", "liar"),
    "logicians": ("logician", "politician"),
}
"""Vocabulary -> (word for who always tells the truth, word for who always lies); all take "a" and a plural in -s."""

OPENINGS = (
    "Everybody here is either a @K or a @N. A @K always tells the truth, a @N always lies.\n"
    "There are {number} characters: {names}. Each of them says one thing.",
    "On a certain island there are only @Ks and @Ns. Whatever a @K says is true; whatever a @N says is false.\n"
    "You meet {number} of the islanders, {names}, and each makes one statement.",
    "In this puzzle a character is one of two things: a @K, who makes only true statements, or a @N, who makes "
    "only false ones.\nThe {number} characters are {names}. This is what they say.",
)
LINES = ("{}: {}.", '{} says: "{}."', '{} claims: "{}."')
ASKS = {
    "all": ("Who is a @K and who is a @N?", "Find out what each of them is.", "What is each of the characters?"),
    "one": ("What is {who}?", "Is {who} a @K or a @N?", "Find out whether {who} is a @K or a @N."),
    "number": (
        "In how many ways can the characters be @Ks and @Ns so that all of this holds: in none, in one or in several?",
        "Find out whether what they say fits no assignment of @Ks and @Ns, just one, or several.",
        "How many assignments of @Ks and @Ns agree with these statements: none, one, or several?",
    ),
}
CLOSINGS = ("Reason step by step. ", "Think it through first. ", "Show your reasoning. ")
_LINES_WANTED = (
    "Then end with {number} lines, one for each character in the order given, "
    "each of the form `{first}: @K` or `{first}: @N`."
)
_OPEN = (
    " There may be no assignment that fits, or more than one. If none fits, end with the single line "
    "`no solution` instead. If several fit, give the {number} lines for each of them, with an empty line between "
    "one assignment and the next."
)
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True, eq=False)  # there are only 54, so identity tells them apart, and hashes faster
class Wording:
    """Which phrasings an item has: four design factors, drawn independently."""

    opening: int
    """0 to 2: the introduction."""
    line: int
    """0 to 2: `A: ...`, `A says: "..."` or `A claims: "..."`."""
    denial: int
    """0: `B is a knave`; 1: `B is not a knight`."""
    closing: int
    """0 to 2: the question, and the request to reason."""


_WORDINGS = [
    Wording(opening, line, denial, closing)
    for opening in range(3)
    for line in range(3)
    for denial in range(2)
    for closing in range(3)
]


def draw_wording(stream: Stream) -> Wording:
    """One of the 54 wordings."""
    return stream.choice(_WORDINGS)


def prompt(
    puzzle: Sequence[Statement],
    names: Sequence[str],
    terms: tuple[str, str],
    wording: Wording,
    ask: str,
    who: str = "",
) -> str:
    """The whole text. `ask` is as in `replies.forms.Ask`; `who` is the character asked about, for `one`."""
    head, line, tail = _frame(tuple(names), terms, wording, ask, who)
    told = [line.format(name, said.texts[wording.denial]) for name, said in zip(names, puzzle, strict=True)]
    return head + "\n".join(told).replace("@K", terms[0]).replace("@N", terms[1]) + tail


@lru_cache(maxsize=4096)
def _frame(
    names: tuple[str, ...], terms: tuple[str, str], wording: Wording, ask: str, who: str
) -> tuple[str, str, str]:
    """The text above the statements, the form of their lines, and the text below."""
    number = _NUMBERS[len(names)] if len(names) < len(_NUMBERS) else str(len(names))
    listed = ", ".join(names[:-1]) + " and " + names[-1]
    question = ASKS["all" if ask == "open" else ask][wording.closing].format(who=who)
    wanted = _wanted(ask).format(number=number, first=names[0], who=who)
    head = OPENINGS[wording.opening].format(number=number, names=listed) + "\n\n"
    tail = f"\n\n{question}\n{CLOSINGS[wording.closing]}{wanted}"
    head, tail = (text.replace("@K", terms[0]).replace("@N", terms[1]) for text in (head, tail))
    return head, LINES[wording.line], tail


def _wanted(ask: str) -> str:
    """The request for the last lines of a reply, before numbers and words are put in."""
    if ask == "one":
        return "Then end with one line, either `{who}: @K` or `{who}: @N`."
    if ask == "number":
        return "Then end with one line: `none`, `one` or `several`."
    return _LINES_WANTED + (_OPEN if ask == "open" else "")


@lru_cache(maxsize=4096)
def answer(solutions: tuple[str, ...], names: tuple[str, ...], terms: tuple[str, str]) -> str:
    """`A: knight; B: knave`; several solutions are joined by ` | ` in the given order, none is `no solution`."""
    word = {"K": terms[0], "N": terms[1]}
    rows = ["; ".join([f"{name}: {word[kind]}" for name, kind in zip(names, world)]) for world in solutions]
    return " | ".join(rows) or "no solution"
