"""Puzzles about logicians and politicians in English, and in the notation of the metadata."""

from __future__ import annotations

from collections.abc import Sequence

from generators.knights_knaves.logicians.proofs import SIGNS, Clause
from generators.knights_knaves.logicians.scenes import LAMPS, Scene
from generators.knights_knaves.puzzles.asked import SENTINEL

__all__ = ["TERMS", "notated", "prompt"]

TERMS = ("logician", "politician")

_NUMBERS = ("three", "four", "five", "six")
_ENGLISH = {
    "single": "{}",
    "disjunction": "Either {} or {}, or both",
    "implication": "If {}, then {}",
    "equivalence": "{} if and only if {}",
    "exclusive": "Either {} or {}, but not both",
}
_PROMPT = """\
There are {lamps} lamps: {colours}. Each of them is on or off. {People} people talk about them: {names}. Each person \
is either a logician or a politician. They speak one after the other, in the order in which they are listed.

A logician says only what can be proved. A politician never gives a straight answer: a politician says only what can \
be neither proved nor disproved. A proof may use that each lamp is on or off, that each person is either a logician or \
a politician, the notes below, which are all true, and which of the two each earlier speaker is. It may not assume \
which of the two the speaker or a later speaker is, but it may go through both cases. That somebody has said something \
proves nothing.

Notes:
{notes}

Statements:
{said}

Who is a logician, and who is a politician? Finish your answer with one line for each person, in the order above, such \
as `{first}: logician` or `{first}: politician`, under this heading:

{sentinel}"""


def prompt(scene: Scene, names: Sequence[str]) -> str:
    """The whole text."""
    lamps = LAMPS[: len(names) + 1]
    return _PROMPT.format(
        lamps=_NUMBERS[len(lamps) - 3],
        colours=_listed([f"a {lamp} one" if lamp != "orange" else "an orange one" for lamp in lamps]),
        People=_NUMBERS[len(names) - 3].capitalize(),
        names=_listed(names),
        notes="\n".join(f"{number}. {_english(note, names)}." for number, note in enumerate(scene.notes, start=1)),
        said="\n".join(f"{name}: {_english(said, names)}." for name, said in zip(names, scene.said, strict=True)),
        first=names[0],
        sentinel=SENTINEL,
    )


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1]


def _english(clause: Clause, names: Sequence[str]) -> str:
    parts = [_part(place, holds, names) for place, holds in zip(clause.facts, clause.holds, strict=True)]
    text = _ENGLISH[clause.kind].format(*parts)
    return text[0].upper() + text[1:]


def _part(place: int, holds: bool, names: Sequence[str]) -> str:
    if place < len(names):
        return f"{names[place]} is a {TERMS[0 if holds else 1]}"
    return f"the {LAMPS[place - len(names)]} lamp is {'on' if holds else 'off'}"


def notated(clause: Clause, names: Sequence[str]) -> str:
    """`(Ada > ~red)`: names for logicians, colours for lamps that are on, and the signs of the other puzzles."""
    parts = [
        ("" if holds else "~") + (names[place] if place < len(names) else LAMPS[place - len(names)])
        for place, holds in zip(clause.facts, clause.holds, strict=True)
    ]
    return parts[0] if clause.kind == "single" else f"({parts[0]} {SIGNS[clause.kind]} {parts[1]})"
