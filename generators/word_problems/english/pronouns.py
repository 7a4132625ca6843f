"""Where a pronoun can only mean one person."""

from __future__ import annotations

from collections.abc import Sequence

from generators.word_problems.english.frames import Frame
from generators.word_problems.english.vocabulary import PRONOUNS
from generators.word_problems.forms import Comparison, Form, Question, Transfer

__all__ = ["people", "pronouns"]


def pronouns(
    lines: Sequence[Sequence[Form | Question]],
    places: Sequence[Sequence[int]],
    frames: Sequence[Sequence[Frame]],
    draws: Sequence[int],
) -> list[bool]:
    """For each row whether its subject is a pronoun: in three of four cases where all problems allow one.

    The sentence must have the same subject as the sentence before it, and neither of them may name anybody else of that
    gender. In the question nobody else of that gender may have been named at all. `places` says which row each line of
    a problem belongs to.
    """
    coins = [bits >> 40 & 3 != 0 for bits in draws]
    for own, rows, worded in zip(lines, places, frames, strict=True):
        about = ""
        before: tuple[str, ...] = ()
        nameless: frozenset[str] = frozenset()
        everybody: list[str] = []
        for line, row, frame in zip(own, rows, worded, strict=True):
            subject, other = people(line, frame.receives)
            named = (*before, subject, other, *(everybody if isinstance(line, Question) else ()))
            everybody += (subject, other)
            # The costly test comes last: the cheap ones rarely leave a pronoun possible.
            if coins[row] and not (subject == about and frame.pronoun and _is_plain(subject, named, nameless)):
                coins[row] = False
            about, before, nameless = subject, (subject, other), frame.genders
    return coins


def people(line: Form | Question, receives: bool) -> tuple[str, str]:
    """The subject of the sentence, and the other agent that it names, or ""."""
    if isinstance(line, Transfer):
        return (line.receiver, line.sender) if receives else (line.sender, line.receiver)
    if isinstance(line, Comparison):
        return line.agent, line.other
    if isinstance(line, Question):
        return line.agents[0], "" if len(line.agents) == 1 else line.agents[1]
    return line.agent, ""


def _is_plain(subject: str, named: Sequence[str], nameless: frozenset[str]) -> bool:
    """Whether a pronoun can only mean the subject, given the names in two sentences ("" stands for nobody) and who
    else is in the first of them, such as his brother."""
    gender = PRONOUNS.get(subject)
    return (
        gender is not None
        and gender[0] not in nameless
        and {name for name in named if PRONOUNS.get(name) == gender} == {subject}
    )
