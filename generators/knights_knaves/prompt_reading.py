"""Reads a prompt back: who says what, as formulas, from the English alone.

Written from the texts, not from the code that writes them, so that the two can disagree: `checking` compares what is
read here with `metadata["statements"]`. All it is given is the two words for truth-tellers and liars.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from generators.errors import InputError
from generators.knights_knaves.formula import letter

__all__ = ["read_prompt", "speeches"]

_SPEECH = re.compile(r'(?P<who>[A-Z][a-z]*)(?:: (?P<plain>[^"`]+)\.| (?:says|claims): "(?P<quoted>[^"]+)\.")')
_WHO = r"(?:I am|[A-Z][a-z]* is) (?:not )?a [a-z-]+"
_COUNTS = {"None": 0, "Exactly one": 1, "Exactly two": 2, "Exactly three": 3, "Exactly four": 4, "Exactly five": 5}
_JOINED = (
    (re.compile(rf"If ({_WHO}), then ({_WHO})"), ">"),
    (re.compile(rf"Either ({_WHO}) or ({_WHO}), but not both"), "^"),
    (re.compile(rf"({_WHO}) or ({_WHO}), or both"), "|"),
    (re.compile(rf"({_WHO}) if and only if ({_WHO})"), "="),
    (re.compile(rf"({_WHO}) and ({_WHO})"), "&"),
)
_ALTERNATIVE = re.compile(rf"If ({_WHO}), then ({_WHO}); otherwise, ({_WHO})")
_COUNT = re.compile(r"(None|All|Exactly [a-z]+) of (us|[A-Za-z, ]+?) (is a|are) ([a-z-]+)")
_REPORT = re.compile(rf"([A-Z][a-z]*) would say that ({_WHO})")
_CLAUSE = re.compile(r"(I am|([A-Z][a-z]*) is) (not )?a ([a-z-]+)")


def speeches(text: str) -> list[tuple[str, str]]:
    """(speaker, what they say without the full stop) for each line of a prompt on which somebody speaks."""
    matches = filter(None, map(_SPEECH.fullmatch, text.split("\n")))
    return [(match["who"], match["plain"] or match["quoted"]) for match in matches]


def read_prompt(text: str, terms: Sequence[str]) -> tuple[list[str], list[str]]:
    """The speakers in order, and what each says in the notation of `metadata["statements"]`.

    `terms` are the words for truth-tellers and liars. Raises InputError for a line that cannot be understood.
    """
    told = speeches(text)
    names = [who for who, _ in told]
    return names, [_statement(said, who, names, terms) for who, said in told]


def _statement(text: str, speaker: str, names: list[str], terms: Sequence[str]) -> str:
    for pattern, sign in _JOINED:
        if match := pattern.fullmatch(text):
            left, right = (_clause(part, speaker, names, terms) for part in match.groups())
            return f"({left} {sign} {right})"
    if match := _ALTERNATIVE.fullmatch(text):
        condition, then, otherwise = (_clause(part, speaker, names, terms) for part in match.groups())
        unlike = condition[1:] if condition.startswith("~") else f"~{condition}"
        return f"(({condition} > {then}) & ({unlike} > {otherwise}))"
    if match := _REPORT.fullmatch(text):
        return f"{_letter(match[1], names)}:({_clause(match[2], speaker, names, terms)})"
    if match := _COUNT.fullmatch(text):
        listed = names if match[2] == "us" else re.findall(r"[A-Z][a-z]*", match[2])
        if match[4].removesuffix("s" if match[3] == "are" else "") != terms[0]:
            raise InputError(f"{match[4]!r} is not {terms[0]!r}", repr(text))
        if match[1] != "All" and match[1] not in _COUNTS:
            raise InputError(f"cannot read the number in {text!r}")
        number = len(listed) if match[1] == "All" else _COUNTS[match[1]]
        return f"#{number}({','.join(_letter(name, names) for name in listed)})"
    return _clause(text, speaker, names, terms)


def _clause(text: str, speaker: str, names: list[str], terms: Sequence[str]) -> str:
    match = _CLAUSE.fullmatch(text)
    if not match or match[4] not in terms:
        raise InputError(f"cannot read {text!r} as something that {speaker} says about a {terms[0]} or a {terms[1]}")
    denied = bool(match[3]) != (match[4] == terms[1])
    return ("~" if denied else "") + _letter(match[2] or speaker, names)


def _letter(name: str, names: list[str]) -> str:
    if name not in names:
        raise InputError(f"{name!r} is not one of the speakers: {', '.join(names)}")
    return letter(names.index(name))
