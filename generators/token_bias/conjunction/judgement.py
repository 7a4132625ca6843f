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

__all__ = ["LABELS", "QUESTIONS", "Case", "Design", "Drawn", "judgement"]

LABELS = ("(a)", "(b)")

QUESTIONS = (
    "Which is {} probable?",
    "Which of the two is {} probable?",
    "Which statement is {} probable?",
    "Which of these statements is {} probable?",
)
"""Wordings of the question, with a place for `more` or `less`."""


class Case(NamedTuple):
    """One wording of a group: what differs between the arms of the pair."""

    scene: str
    """What is said before the question; ends with a full stop."""
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

    draw: Callable[[Stream, int, str], Drawn]
    """(stream of the subset, number of the group, gender) -> its cases."""
    conditions: tuple[str, ...]
    """Names of the cases, the original first."""
    connectives: tuple[str, ...]
    """The first is that of the original."""
    flips: bool = False
    """Whether the question also asks for the less probable statement."""

    @property
    def arms(self) -> tuple[str, ...]:
        """The conditions of a group, in order: cases within connectives."""
        if len(self.connectives) == 1:
            return self.conditions
        return tuple(f"{word}-{condition}" for word in self.connectives for condition in self.conditions)


def judgement(design: Design, stream: Stream, subset: str, index: int) -> Draft:
    """Item `index`. The items of a group stand together, in the order of `Design.arms`."""
    number, member = divmod(index, len(design.arms))
    return _group(design, stream, subset, number)[member]


@lru_cache(maxsize=8)
def _group(design: Design, stream: Stream, subset: str, number: int) -> list[Draft]:
    root = _root(stream, subset)
    shorter, question, gender, wording = _cell(root, number, design.flips)
    drawn = design.draw(root, number, gender)
    asked = QUESTIONS[wording].format(question)
    arms = iter(design.arms)
    drafts = []
    for connective in design.connectives:
        for case in drawn.cases:
            short = f"{case.event}."
            both = ", or both" if connective == "or" else ""
            long = f"{case.event} {connective} {case.second}{both}."
            first, last = (short, long) if shorter == 0 else (long, short)
            prompt = f"{case.scene}\n\n{asked}\n(a) {first}\n(b) {last}"
            short_is_right = (connective != "or") == (question == "more")
            answer = LABELS[shorter if short_is_right else 1 - shorter]
            metadata = {
                **drawn.metadata,
                "completion": case.completion,
                "connective": connective,
                "question": question,
                "shorter": LABELS[shorter],
            }
            drafts.append(Draft(prompt, LABELS, answer, f"{subset}-{number:06d}", next(arms), metadata))
    return drafts


@lru_cache(maxsize=64)
def _root(stream: Stream, subset: str) -> Stream:
    return stream.child(subset)


def _cell(root: Stream, number: int, flips: bool) -> tuple[int, str, str, int]:
    """(place of the shorter statement, `more` or `less`, gender, wording of the question) of a group."""
    size = 32
    block, place = divmod(number, size)
    cell = _cells(root, block)[place]
    # Without flips the word is `more` throughout, and every other combination occurs twice in a block.
    question = "less" if flips and cell & 1 else "more"
    return cell >> 1 & 1, question, GENDERS[cell >> 2 & 1], cell >> 3


@lru_cache(maxsize=32)
def _cells(root: Stream, block: int) -> list[int]:
    return root.child("cells").child(block).shuffled(range(32))
