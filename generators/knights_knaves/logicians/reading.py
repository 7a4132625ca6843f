"""Reads a prompt about logicians and politicians back: notes and statements, from the English alone.

Written from the texts, not from the code that writes them, so that the two can disagree.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from generators.errors import InputError

__all__ = ["Told", "read_scene"]

_NOTE = re.compile(r"[0-9]+\. (?P<text>[^`]+)\.")
_SPEECH = re.compile(r"(?P<who>[A-Z][a-z]*): (?P<text>[^`]+)\.")
_JOINTS = (
    (re.compile(r"if (.+), then (.+)"), ">"),
    (re.compile(r"either (.+) or (.+), but not both"), "^"),
    (re.compile(r"either (.+) or (.+), or both"), "|"),
    (re.compile(r"(.+) if and only if (.+)"), "="),
)
_LAMP = re.compile(r"the ([a-z]+) lamp is (on|off)")
_PERSON = re.compile(r"([A-Za-z][a-z]*) is a (logician|politician)")
_COLOURS = re.compile(r"an? ([a-z]+) one")


class Told(NamedTuple):
    """What a prompt tells, in the notation of the metadata."""

    names: list[str]
    lamps: list[str]
    notes: list[str]
    said: list[str]


def read_scene(text: str) -> Told:
    """Notes and statements of a prompt. Raises InputError for a line that cannot be understood."""
    parts = re.split(r"\n\n(?:Notes|Statements):\n|\n\nWho is a logician", text)
    if len(parts) != 4:
        raise InputError("has not one list of notes and one of statements", "prompt")
    lamps = _COLOURS.findall(parts[0])
    notes = [match["text"] for match in map(_NOTE.fullmatch, parts[1].split("\n")) if match]
    spoken = [match for match in map(_SPEECH.fullmatch, parts[2].split("\n")) if match]
    names = [match["who"] for match in spoken]
    known = {*names, *lamps}
    return Told(
        names, lamps, [_clause(note, known) for note in notes], [_clause(match["text"], known) for match in spoken]
    )


def _clause(text: str, known: set[str]) -> str:
    # A name stays as it is; "The", "If" and "Either" are written small within a sentence.
    lowered = text if _PERSON.match(text) else text[0].lower() + text[1:]
    for pattern, sign in _JOINTS:
        if match := pattern.fullmatch(lowered):
            return f"({_fact(match[1], known)} {sign} {_fact(match[2], known)})"
    return _fact(lowered, known)


def _fact(text: str, known: set[str]) -> str:
    match = _LAMP.fullmatch(text) or _PERSON.fullmatch(text)
    if not match or match[1] not in known:
        raise InputError(f"cannot read {text!r} as something about a lamp or a speaker", "prompt")
    return ("" if match[2] in ("on", "logician") else "~") + match[1]
