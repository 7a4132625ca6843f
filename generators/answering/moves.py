"""Moves: what may be done at a turn of an episode, and how a reply says which."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from hansproof.generators.answering.naming import choices_named
from hansproof.generators.answering.scorer import Reading
from hansproof.generators.errors import InputError

__all__ = ["Choice", "Move", "Number"]

# Stricter than `plain_scorer.read_choice`, because an episode can ask again: where lines name different actions, none
# is taken, unless the last line states one and no other line states another.

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


# The last line `Answer: ...` decides. Without one, all lines must agree, or the last one must state an action that no
# other line contradicts. Anything unclear has no action.

_ANSWER = re.compile(
    r"^[ \t>*_#`-]*(?:so |my |the )?(?:final |best )?(?:answer|choice|estimate|decision)(?: is)?[ \t*_]*[:：=][ \t*_`]*"
    r"(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_TOKEN = re.compile(
    # What a number may be part of, whole: a piece of `1e-1`, `0.6-0.7` or `1,000,5` is never read as a number.
    r"(?<![\w.,])(?<![\w.,][-+−])(?P<digits>[-+−]?[.,]?\d[\w.,+−٫٬·'’-]*)"
    r"(?P<unit>\s?(?:[%‰‱٪％]+|per ?cent\w*|pct\b))?",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    r"(?P<thousands>[-+]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?)|"
    r"[-+]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)(?:e[-+]?[0-9]{1,3})?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[0-9]+(?:['’-]?[^\W\d_]+)+")
"""`2nd`, `3-armed`: a word that has digits."""
_PLAIN = re.compile(r"[-+]?[0-9]*\.?[0-9]+|[-+]?[0-9]+\.")
_LONGEST = 40
"""Characters of a number; nobody means a longer one."""


class Move(Protocol):
    """What may be done at one turn."""

    @property
    def actions(self) -> tuple[str, ...] | None:
        """The legal actions in the order in which the prompt names them; None where they are beyond listing."""
        ...

    @property
    def options(self) -> str:
        """The same in words: `J or P`, `a number from 0 to 1`."""
        ...

    def canonical(self, action: str) -> str:
        """The action as transcripts keep it. Raises InputError, naming the legal ones, for one that is not legal."""
        ...

    def read(self, reply: str) -> Reading:
        """The action that a reply names, or why it names none; linear in the length of the reply."""
        ...


@dataclass(frozen=True)
class Choice:
    """One of a few named actions."""

    names: tuple[str, ...]

    @property
    def actions(self) -> tuple[str, ...]:
        """The names."""
        return self.names

    @property
    def options(self) -> str:
        """`J or P`, `1, 2 or 3`."""
        return ", ".join(self.names[:-1]) + f" or {self.names[-1]}" if len(self.names) > 1 else self.names[0]

    def canonical(self, action: str) -> str:
        """The action itself. Raises InputError for anything but one of the names."""
        if action not in self.names:
            raise InputError(f"{_short(action)} is not a legal action; choose {self.options}")
        return action

    def read(self, reply: str) -> Reading:
        """The name that the answer line of the reply gives, or else as `chosen`."""
        text = _answer(reply)
        choice, reason = chosen(reply if text is None else text, self.names, final=text is not None)
        return Reading(choice or None, reason)


@dataclass(frozen=True)
class Number:
    """A number between two others, both included. Transcripts keep six decimals."""

    low: float
    high: float

    @property
    def actions(self) -> None:
        """None: there are too many to list."""
        return

    @property
    def options(self) -> str:
        """`a number from 0 to 1`."""
        return f"a number from {self.low:g} to {self.high:g}"

    def canonical(self, action: str) -> str:
        """The number with at most six decimals: `0.70` is `0.7`. Raises InputError for anything else."""
        value = float(action) if len(action) <= _LONGEST and _PLAIN.fullmatch(action) else math.nan
        return self._kept(value, action)

    def read(self, reply: str) -> Reading:
        """The number that the answer line gives, or the only one in the last line that has any.

        Without an answer line no other line may give another, unless the last one is bare, or a result after an equals
        sign, and the others are not bare.

        What stands before the last equals sign of the line is working. A percentage is a share where the range ends at
        1. `from 0 to 1`, the range itself, is passed over. Scientific notation is read; where anything else than a
        number looks like one, the line gives none. The same again in per cent (`0.857 (85.7 %)`) is passed over.
        """
        answer = _answer(reply)
        lines = [line for line in re.split(r"[\r\n]+", reply if answer is None else answer) if _given(line)]
        if not lines:
            return Reading(None, "gives no number" if reply.strip() else "is empty")
        values = self._values(lines[-1])
        if answer is None and (other := self._contradiction(lines, values)):
            return Reading(None, f"different lines give different numbers: {', '.join(other)}")
        for text, value in values.items():
            if math.isnan(value):
                return Reading(None, f"{_short(text)} is not a number that can be read; give {self.options}")
        if len(set(values.values())) != 1:
            listed = ", ".join(text[:_LONGEST] for text in list(values)[:4])
            return Reading(None, f"one line gives several numbers: {listed}" if values else "gives no number")
        text, value = next(iter(values.items()))
        try:
            return Reading(self._kept(value, text))
        except InputError as error:
            return Reading(None, error.reason)

    def _values(self, line: str) -> dict[str, float]:
        """The numbers of a line, as written -> their values; without a share's own percentage after it."""
        given = _given(self._range.sub(" ", re.split("[=≈]", line)[-1]))
        values = {text: self._value(*pair) for text, pair in given.items()}
        if len(values) == 2 and self.high == 1:
            (share, value), (again, _) = values.items()
            digits, unit = given[again]
            if unit and not given[share][1] and _PLAIN.fullmatch(digits) and f"({again})" in line:
                decimals = len(digits.partition(".")[2])
                if abs(value * 100 - float(digits)) <= 0.5 * 10**-decimals + 1e-9:
                    return {share: value}
        return values

    def _contradiction(self, lines: list[str], last: dict[str, float]) -> list[str]:
        """Numbers of different lines that do not agree, up to four; none where the last line decides."""
        if len(lines) == 1:
            return []
        result = re.search("[=≈]", lines[-1]) or any(is_bare(lines[-1], text) for text in last)
        every = dict(last)
        for line in lines[:-1]:
            values = self._values(line)
            every |= {text: value for text, value in values.items() if not result or is_bare(line, text)}
        return (
            [text[:_LONGEST] for text in list(every)[:4]] if len(set(every.values())) > len(set(last.values())) else []
        )

    def _kept(self, value: float, text: str) -> str:
        if not self.low <= value <= self.high:
            raise InputError(f"{_short(text)} is not a legal action; give {self.options}")
        kept = f"{value:.6f}".rstrip("0").rstrip(".")
        return "0" if kept == "-0" else kept

    @property
    def _range(self) -> re.Pattern[str]:
        low, high = (re.escape(f"{end:g}") for end in (self.low, self.high))
        return re.compile(rf"(?<![\w.]){low}\s?(?:to|and|-|–|through)\s?{high}(?!\w|[.,]?[0-9])")

    def _value(self, digits: str, unit: str) -> float:
        """A number as it may be written: `0,7`, `1,000`, `7e-1`, `70` with the unit `%`; NaN for what is none."""
        match = _WRITTEN.fullmatch(digits) if len(digits) <= _LONGEST else None
        if match is None or unit[:1] in tuple("‰‱٪％") or unit[:2] == "%%":
            return math.nan
        value = float(digits.replace(",", "") if match["thousands"] else digits.replace(",", "."))
        return value / 100 if unit and self.high == 1 else value


def _given(line: str) -> dict[str, tuple[str, str]]:
    """What stands for a number in a line, in order: as it is written -> its digits and its unit."""
    given = {}
    for match in _TOKEN.finditer(line):
        digits, unit = match["digits"].rstrip(".,'’·").replace("−", "-"), (match["unit"] or "").strip()
        if not _WORD.fullmatch(digits):
            given[match[0].strip()] = digits, unit
    return given


def _answer(reply: str) -> str | None:
    """What a reply says in its last answer line, or below it where the line is bare; None without such a line."""
    lines = list(_ANSWER.finditer(reply))
    if not lines:
        return None
    last = lines[-1]
    return last[1] if re.search(r"\w", last[1]) else reply[last.end() :]


def _short(action: object) -> str:
    text = repr(action)
    return text if len(text) <= 60 else f"{text[:57]}..."
