"""Read a prompt back: what is said, as formulas, from the English alone.

Written from the texts and not from the code that writes them, so that the two can disagree: `dataset.check` and
the tests compare what is read here with `metadata["statements"]`. Nothing is looked up but the two words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from generators.errors import InputError
from generators.knights_knaves.formula import letter

__all__ = ["read_prompt"]

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
_COUNT = re.compile(r"(None|All|Exactly [a-z]+) of (us|[A-Za-z, ]+?) (is a|are) ([a-z-]+)")
_REPORT = re.compile(rf"([A-Z][a-z]*) would say that ({_WHO})")
_CLAUSE = re.compile(r"(I am|([A-Z][a-z]*) is) (not )?a ([a-z-]+)")


def read_prompt(text: str, terms: Sequence[str]) -> tuple[list[str], list[str]]:
    """The speakers in order, and what each says in the notation of `metadata["statements"]`.

    `terms` are the words for who tells the truth and who lies. Raises InputError where a line that somebody
    speaks cannot be understood.
    """
    lines = [found for line in text.split("\n") if (found := _SPEECH.fullmatch(line))]
    names = [line["who"] for line in lines]
    return names, [_statement(line["plain"] or line["quoted"], line["who"], names, terms) for line in lines]


def _statement(text: str, speaker: str, names: list[str], terms: Sequence[str]) -> str:
    for pattern, sign in _JOINED:
        if found := pattern.fullmatch(text):
            left, right = (_clause(part, speaker, names, terms) for part in found.groups())
            return f"({left} {sign} {right})"
    if found := _REPORT.fullmatch(text):
        return f"{_letter(found[1], names)}:({_clause(found[2], speaker, names, terms)})"
    if found := _COUNT.fullmatch(text):
        listed = names if found[2] == "us" else re.findall(r"[A-Z][a-z]*", found[2])
        if found[4].removesuffix("s" if found[3] == "are" else "") != terms[0]:
            raise InputError(f"{text!r}: {found[4]!r} is not {terms[0]!r}")
        number = len(listed) if found[1] == "All" else _COUNTS[found[1]]
        return f"#{number}({','.join(_letter(name, names) for name in listed)})"
    return _clause(text, speaker, names, terms)


def _clause(text: str, speaker: str, names: list[str], terms: Sequence[str]) -> str:
    found = _CLAUSE.fullmatch(text)
    if not found or found[4] not in terms:
        raise InputError(f"cannot read {text!r} as something that {speaker} says of a {terms[0]} or a {terms[1]}")
    denied = bool(found[3]) != (found[4] == terms[1])
    return ("~" if denied else "") + _letter(found[2] or speaker, names)


def _letter(name: str, names: list[str]) -> str:
    if name not in names:
        raise InputError(f"{name!r} is none of those who speak: {', '.join(names)}")
    return letter(names.index(name))
