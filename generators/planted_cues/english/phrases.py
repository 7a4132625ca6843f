"""Long slots: where `filling` puts one word, these put one to five, and some slots stay empty."""

from __future__ import annotations

import re
from collections.abc import Callable

from generators.planted_cues.english.frames import Plan
from generators.stream import Stream

__all__ = ["phrase", "with_empty_slots"]

_NOUNS = ("thing", "role", "place", "event")
_MARK = re.compile(r"<(\w+)>")

_PATTERNS = (
    ("<>",),
    ("<adjective> <>",),
    ("<adjective>, <adjective> <>", "<> from <town>", "<> of <town>"),
    ("<adjective> <> from <town>", "<> near the <place>", "<> of the <role>", "<> behind the <place>"),
    (
        "<adjective> <> near the <place>", "<adjective> <> of the <role>", "<> of the <adjective> <role>",
        "<> beside the <adjective> <place>", "<adjective>, <adjective> <> from <town>",
    ),
)  # fmt: skip
"""Noun phrases of one to five words; `<>` is the noun."""

_ASIDES = (
    ("again", "alone", "anyway", "aloud", "barefoot", "indoors", "today", "twice"),
    ("at noon", "by mistake", "for free", "in private", "on foot", "on Monday", "after dark", "in silence"),
    ("for two days", "in the rain", "for no reason", "without a word", "day and night", "against all advice"),
    ("with a heavy heart", "in front of everybody", "for the third time", "long before the snow"),
    ("in the middle of winter", "on the way to church", "without a word of thanks", "for the sake of peace"),
)  # fmt: skip
"""Adverbials of one to five words."""


def phrase(kind: str, stream: Stream, word: Callable[[str, Stream], str]) -> str:
    """A filling of one to five words for a slot of this kind, or, for a slot `aside`, of none to five.

    Each length is equally likely. Names, towns, verbs and adjectives stay single words. `word` draws an unused word
    of a kind.
    """
    if kind == "aside":
        length = stream.child("length").below(len(_ASIDES) + 1)
        return f" {stream.child('aside').choice(_ASIDES[length - 1])}" if length else ""
    if kind not in _NOUNS:
        return word(kind, stream)
    pattern = stream.child("pattern").choice(stream.child("length").choice(_PATTERNS)).replace("<>", f"<{kind}>")
    pieces = _MARK.split(pattern)  # literal, kind, literal, kind, ... literal
    return "".join(word(piece, stream.child(i)) if i % 2 else piece for i, piece in enumerate(pieces))


def with_empty_slots(plan: Plan) -> Plan:
    """The plan with a slot at the end of each sentence that may stay empty."""
    sentences = tuple(f"{text[:-1]}{{aside:aside{i}}}." for i, text in enumerate(plan.sentences))
    return Plan(sentences, plan.question)
