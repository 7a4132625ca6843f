"""Which of two statements is more (or less) probable? The items of one group, from what a theme has drawn.

One statement is an event A, the other is A with a connective and a second part B. Where the connective makes the whole
entail A (`and`, `to`, `because`, `so that`, `but`, `after`), A is at least as probable; where it is `or`, the whole is.
In balanced subsets the connective, the word `more` or `less` and the order of the statements are crossed exactly, so
each of them, and each pair of them, says nothing about the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from generators.dataset import Draft
from generators.stream import Stream
from generators.token_bias.lexicon.people import GENDERS

__all__ = ["LABELS", "Case", "Design", "Drawn", "Turn", "judgement"]

LABELS = ("(a)", "(b)")

_QUESTIONS = (
    "Which is {} probable?",
    "Which of the two is {} probable?",
    "Which statement is {} probable?",
    "Which of these statements is {} probable?",
)
_BLOCK = 16  # groups in which gender, place, question and connective are crossed


class Turn(NamedTuple):
    """Which group it is."""

    number: int
    """Of the group within its subset, from 0."""
    gender: str
    """Of the person it is about, if it is about one."""
    rank: int
    """Of the group among those of this gender, from 0."""


class Case(NamedTuple):
    """One wording of a group: what differs between the arms of the pair."""

    scene: str
    """What is said before the question."""
    event: str
    """The short statement, without its full stop."""
    second: str
    """What the long statement adds, after the connective."""
    completion: str
    """The entry from which `second` comes."""


class Drawn(NamedTuple):
    """What a theme draws for one group."""

    cases: tuple[Case, ...]
    metadata: dict[str, Any]


class Design(NamedTuple):
    """How the groups of a subset are made."""

    draw: Callable[[Stream, Stream, Turn], Drawn]
    """(stream of the subset, stream of the group, which group) -> its cases."""
    conditions: tuple[str, ...]
    """Names of the cases, the original first."""
    connectives: tuple[str, ...]
    """Each is that of as many groups. Where there are several, the question also asks for the less probable one."""
    clauses: bool = False
    """Whether what follows the connective is a clause with a subject of its own, rather than another predicate."""

    @property
    def balanced(self) -> bool:
        """Whether neither connective, question nor order says anything about the answer, alone or two together."""
        return len(self.connectives) > 1


def judgement(design: Design, stream: Stream, subset: str, index: int) -> Draft:
    """Item `index`. The items of a group stand together, in the order of `Design.conditions`."""
    number, member = divmod(index, len(design.conditions))
    return _group(design, stream, subset, number)[member]


@lru_cache(maxsize=8)
def _group(design: Design, stream: Stream, subset: str, number: int) -> list[Draft]:
    root = _root(stream, subset)
    shorter, question, connective, turn = _cell(root, number, design)
    draws = root.child("group").child(number)
    asked = draws.choice(_QUESTIONS).format(question)
    drawn = design.draw(root, draws, turn)
    # Said of every whole with `or`, so that nobody takes it for `either ... or`.
    both = "" if connective != "or" else ", or both will happen" if design.clauses else ", or both"
    comma = "," if design.clauses else ""
    short_is_right = (connective != "or") == (question == "more")
    answer = LABELS[shorter if short_is_right else 1 - shorter]
    drafts = []
    for condition, case in zip(design.conditions, drawn.cases, strict=True):
        texts = [f"{case.event}.", f"{case.event}{comma} {connective} {case.second}{both}."]
        if shorter:
            texts.reverse()
        metadata = {
            **drawn.metadata,
            "completion": case.completion,
            "connective": connective,
            "question": question,
            "shorter": LABELS[shorter],
        }
        prompt = f"{case.scene}\n\n{asked}\n(a) {texts[0]}\n(b) {texts[1]}"
        drafts.append(Draft(prompt, LABELS, answer, f"{subset}-{number:06d}", condition, metadata))
    return drafts


@lru_cache(maxsize=64)
def _root(stream: Stream, subset: str) -> Stream:
    return stream.child(subset)


def _cell(root: Stream, number: int, design: Design) -> tuple[int, str, str, Turn]:
    """(place of the shorter statement, `more` or `less`, connective, the turn) of a group.

    A block has every combination once; without balance, every combination of place and gender four times.
    """
    block, place = divmod(number, _BLOCK)
    cells = _cells(root, block)
    cell = cells[place]
    gender, shorter = cell >> 3, cell >> 2 & 1
    question = "less" if design.balanced and cell >> 1 & 1 else "more"
    connective = design.connectives[cell & 1 if design.balanced else 0]
    rank = block * _BLOCK // 2 + sum(other >> 3 == gender for other in cells[:place])
    return shorter, question, connective, Turn(number, GENDERS[gender], rank)


@lru_cache(maxsize=32)
def _cells(root: Stream, block: int) -> list[int]:
    return root.child("cells").child(block).shuffled(range(_BLOCK))
