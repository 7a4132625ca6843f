"""Choosing: which of a few named actions a reply takes.

Stricter than `plain_scorer.read_choice`, because an episode can ask again: where different lines name different
actions, none is taken, unless the last line states one and no other line states another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from generators.answering.plain_scorer import choices_named

__all__ = ["chosen", "is_bare"]

_NEGATION = re.compile(r"\b(?:not|never|cannot|avoid|neither|nor|against|without|except)\b|n['’]t\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.,;:!?](?=\s|$)|[()—–]")
_PASSED_OVER = re.compile(r"(?:\bnot|\bthan|\bover|\binstead of)(?: the)?(?: \w+)? ?$", re.IGNORECASE)
_MARKS = " \t*_`\"'“”‘’>#()[].!-"


def chosen(text: str, names: Sequence[str], *, final: bool = False) -> tuple[str, str]:
    """(the name that a reply takes, "") or ("", why there is none); linear in its length.

    Where `final`, the text is what an answer line says, and may explain itself in parentheses: `W (not J)`. A name in
    another case counts where it is all that the text says.
    """
    head, parenthesis, rest = text.partition("(")
    if final and parenthesis and len(heads := choices_named(head, names)) == 1 and _explains(rest, heads[0], names):
        text = head
    lines = [line for line in re.split(r"[\r\n]+", text) if line.strip()]
    naming = [(line, named) for line in lines if (named := choices_named(line, names))]
    if not naming:
        bare = [
            name for name in names if len(text) < 1000 and text.strip(_MARKS + "\r\n").casefold() == name.casefold()
        ]
        return (bare[0], "") if len(bare) == 1 else ("", "names no choice" if lines else "is empty")
    if denied := [named[0] for line, named in naming if _denied(line, named)]:
        return "", f"says not {denied[0]!r}"
    every = list(dict.fromkeys(name for _, named in naming for name in named))
    if len(every) == 1:
        return every[0], ""
    stated = {name for line, _ in naming if (name := _stated(line, names))}
    if len(stated) == 1 and _stated(lines[-1], names):
        return stated.pop(), ""
    where = "one line names several choices" if len(naming[-1][1]) > 1 else "different lines name different choices"
    return "", f"{where}: {', '.join(map(repr, every[:4]))}"


def is_bare(line: str, text: str) -> bool:
    """Whether a line holds nothing but `text`, apart from marks such as quotes and asterisks."""
    return line.strip(_MARKS) == text.strip(_MARKS)


def _explains(rest: str, name: str, names: Sequence[str]) -> bool:
    """Whether what is in parentheses names other choices only to pass them over: `machine W, not J`."""
    others = re.compile("|".join(rf"(?<!\w){re.escape(other)}(?!\w)" for other in names if other != name) or r"(?!)")
    return all(_PASSED_OVER.search(rest[max(0, match.start() - 40) : match.start()]) for match in others.finditer(rest))


def _denied(line: str, named: Sequence[str]) -> bool:
    """Whether a line that names one choice denies it: `I would not play J`."""
    if len(named) > 1 or not _NEGATION.search(line):
        return False
    clauses = _CLAUSE.split(line)
    return any(_NEGATION.search(clause) and choices_named(clause, named) for clause in clauses)


def _stated(line: str, names: Sequence[str]) -> str:
    """The choice that a line states alone, or with its reason: `W`, `I choose W because J has paid less.`"""
    for name in names:
        if is_bare(line, name):
            return name
    match = _statement(tuple(names)).fullmatch(line.strip(" \t*_"))
    return "" if match is None or _NEGATION.search(match["head"]) else match["name"]


@lru_cache(maxsize=256)
def _statement(names: tuple[str, ...]) -> re.Pattern[str]:
    listed = "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
    return re.compile(
        r"(?P<head>(?:(?i:so|therefore|thus|hence),? )?I(?:['’]ll| will| would|['’]d)? "
        rf"(?:choose|pick|select|play|take|go (?:for|with)) (?:the )?(?:\w+ )?)[*_]*(?P<name>{listed})[*_]*"
        r"(?:,? (?:because|since) (?:[^.!?]|\.\d)*)?[.!]?",
        re.IGNORECASE if all(len(name) > 1 for name in names) else 0,
    )
