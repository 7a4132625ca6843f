"""Wording without content: sentence plans assembled from `parts`, with numbered slots for content words.

A plan is a template: the function words and their order. It is drawn from a stream that knows nothing of the label;
`filling` puts words of the lexicon into its slots.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from generators.planted_cues.english import parts
from generators.stream import Stream

__all__ = ["Plan", "draw_plan"]


@dataclass(frozen=True)
class Plan:
    """The wording of one item: sentences with slots `{kind:label}`; equal labels are equal words."""

    sentences: tuple[str, ...]
    """Two to four, each with its full stop: `{women:A} {past:1} the {thing:2}.`"""
    question: str
    """The closing question, which the sentences never decide."""


_PRONOUNS = {
    "women": {"she": "she", "him": "her", "her": "her"},
    "men": {"she": "he", "him": "him", "her": "his"},
}
_ONCE = ("<B>", "neither", "more than")  # else "Fran was with Fran", "neither of them was neither ..."
_MARK = re.compile(r"<(\w+)(?::(\w+))?>")


def draw_plan(stream: Stream, sentences: int, extra: str = "") -> Plan:
    """A plan with this many sentences and a question.

    `extra` is "" or what one of the sentences must contain: "habit" (slot `{cue}`) or "pair" (slots `{first}` and
    `{second}`). The wording of a sentence does not depend on how many there are.
    """
    special = stream.child("extra").below(sentences) if extra else -1
    texts = []
    for i in range(sentences):
        draws = stream.child("sentence").child(i)
        if i == special and extra == "habit":
            texts.append(_habit(draws, first=i == 0))
        else:
            texts.append(_sentence(draws, first=i == 0, pair=i == special))
    question = stream.child("question").choice(parts.QUESTIONS) + "?"
    return _numbered(texts, question, female=stream.child("people").coin())


def _sentence(stream: Stream, first: bool, pair: bool) -> str:
    subjects = parts.NAMING if first else parts.FOLLOWING
    text = _opener(stream) + _clause(stream, subjects, adjuncts=stream.below(3))
    if pair:
        text += " " + stream.choice(parts.PAIRS)
    if stream.chance(1, 4):
        joiner = stream.choice(parts.JOINERS)
        text += f" {joiner} {_clause(stream, parts.FOLLOWING, adjuncts=stream.below(2))}"
    return text + "."


def _opener(stream: Stream) -> str:
    return stream.choice(parts.OPENERS) + ", " if stream.chance(9, 20) else ""


def _clause(stream: Stream, subjects: Sequence[str], adjuncts: int) -> str:
    subject = stream.choice(subjects)
    chosen = [subject]
    if stream.chance(1, 5):
        chosen.append(_new(stream, parts.STATES, chosen))
    elif stream.chance(1, 5) and not subject.startswith(("no", "neither")):
        chosen += [stream.choice(parts.DENIALS), _new(stream, parts.OBJECTS, chosen)]
    else:
        chosen += [stream.choice(parts.VERBS), _new(stream, parts.OBJECTS + parts.AMOUNTS, chosen)]
    text = " ".join(chosen + _adjuncts(stream, adjuncts, chosen))
    plural = subject.startswith("+")
    for singular, several in (("was", "were"), ("has", "have")):
        text = text.replace(f"<{singular}>", several if plural else singular)
    return text.removeprefix("+")


def _adjuncts(stream: Stream, count: int, before: Sequence[str]) -> list[str]:
    kinds = stream.sample((parts.PLACES, parts.TIMES, parts.COMPANY), count)
    return [_new(stream, kind, before) for kind in kinds]


def _new(stream: Stream, choices: Sequence[str], before: Sequence[str]) -> str:
    """A part that repeats nothing of _ONCE within a clause."""
    part = stream.choice(choices)
    while any(mark in part and any(mark in earlier for earlier in before) for mark in _ONCE):
        part = stream.choice(choices)
    return part


def _habit(stream: Stream, first: bool) -> str:
    subject = "<A>" if first else stream.choice(parts.HABITS)
    chosen = [subject, "{cue} <third>", stream.choice(parts.OBJECTS + parts.AMOUNTS)]
    return _opener(stream) + " ".join(chosen + _adjuncts(stream, stream.below(3), chosen)) + "."


def _numbered(sentences: list[str], question: str, female: bool) -> Plan:
    """Turn every mark into a slot of its own, a slot shared by the whole item, or a pronoun."""
    people = {"A": "women" if female else "men", "B": "men" if female else "women"}
    count = 0

    def slot(mark: re.Match[str]) -> str:
        nonlocal count
        name, case = mark[1], mark[2]
        if name in people:
            return _PRONOUNS[people[name]][case] if case else f"{{{people[name]}:{name}}}"
        if name == "X":
            return "{thing:X}"
        count += 1
        return f"{{{name}:{count}}}"

    texts = [_MARK.sub(slot, text).replace(",,", ",").replace(",.", ".") for text in sentences]
    return Plan(tuple(texts), _MARK.sub(slot, question))
