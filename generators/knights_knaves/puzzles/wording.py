"""What a model is shown, and the canonical answer: one wording for every puzzle, in three vocabularies.

The wording is the same everywhere, so no phrase gives anything away. `@K` and `@N` are replaced at the very end. Every
prompt ends with `CONCLUSION:`, the heading under which the answer is wanted: nobody in a puzzle says that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from generators.knights_knaves.puzzles.asked import SENTINEL, Ask
from generators.knights_knaves.puzzles.statements import Statement

__all__ = ["TERMS", "answer", "prompt"]

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
    told = [f"{name}: {said.text}." for name, said in zip(names, puzzle, strict=True)]
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
