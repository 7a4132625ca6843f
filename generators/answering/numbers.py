"""Which number a reply gives, and what a number that is written in one of the usual ways is worth.

A plain answer, after `Answer:` or `the answer is`, in `\boxed{}`, `<answer></answer>` or after GSM8K's `####`, comes
first: the last line with one decides. Without one, a number counts that is stated (alone in front; on the last line
with numbers in bold, as the result of an equation, or as the only one, alone or behind `:` or `is`), or that is the
only one. Among several none is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from hansproof.generators.answering.mentions import taken_back
from hansproof.generators.answering.statements import LEAD, lines_of, runs_on, told

__all__ = ["read_number", "same_number", "value"]

_NUMBER = re.compile(
    r"(?<![\w.])(?<!\d,)[-−+]?[$€£]?(?:"
    r"\d+ [1-9]\d{0,3}/[1-9]\d{0,3}(?![\w/])"
    r"|\d+ ?/ ?\d+(?![\w/]|[.,]\d)"
    r"|(?<!\d )[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d+)?(?! ?\d|\w)"
    r"|\d+(?:[.,]\d+)*(?!\w|[.,]\d)"
    r"|\.\d+(?!\w|[.,]\d))"
)
"""Digits with points and commas, thousands in groups, fractions; `value` says what they mean."""
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_SPACED = re.compile(r"[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d+)?")
_DECIMAL_COMMA = re.compile(r"(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+),\d+")
_FRACTION = re.compile(r"(-?)(?:(\d{1,40}) )?(\d{1,40}) ?/ ?(\d{1,40})")
_LEADING = re.compile(r"^(?!\.\d)(?:[ \t\"'`*_!?,;:()\[\]{}“”‘’]|\.(?!\d))+")
_EDGES = " \t\"'`*_.!?,;:()[]{}“”‘’"
_LONGEST = 400
"""Characters of a number; nobody means a longer one."""
_LEADS, _REACH = 20, 300
"""Places in a line that are looked at for an answer, from its end, and characters behind each."""
_FRAC = re.compile(r"\\[dt]?frac ?\{(\d{1,40})\}\{(\d{1,40})\}")
_URL = re.compile(r"^\W{0,3}\d{1,3}\W{1,3}https?://\S+.*|https?://\S+")
_LEAD = re.compile(LEAD, re.IGNORECASE)
_BOXED = re.compile(r"\\boxed ?\{(?=([^\n]{1,200}))")
_HASHES = re.compile(r"^#{3,5} ?((?!\d{1,2}[.):] [^\W\d])[-−+]?[$€£]?\d[^#]{0,60})$")
_ENDS = re.compile(r"[.;!?](?= |$)|,(?= )|[(]| (?:because|since|as|which|and not|not)\b|</|\}|\[/")
_NOT = re.compile(r"\W{0,9}not? [^,.;]{1,40}?,? but (?:rather )?", re.IGNORECASE)
_WORKING = re.compile(r"[\W_]*(?:[A-Za-z]{1,2}\b|\d|$)")
_SOON = re.compile(
    r"[\W_]*(?:(?:about|approximately|approx|roughly|around|exactly|only|simply|just|equal to|equals"
    r"|there (?:are|is|were)|an|the|total|of|number|value|[A-Za-z])\b[\W_]*)*"
)
_TOLD = re.compile(r"\b(?:is|are|was|were|has|have|had|will|would|can|need|needs|goes?|went|makes?|made|gives?|gave)\b")
"""What makes a number part of a story rather than an answer."""
_STATES = re.compile(r":(?= )|\b(?:is|are|equals|so|thus|therefore|hence)\b,?", re.IGNORECASE)
"""Behind what a conclusion states its number."""
_BOLD = re.compile(r"\*\*([^*\n]{1,80})\*\*")
_ITEM = re.compile(r"\W{0,9}(?:[-•*+] |\d{1,2}[.)] )")
"""A line of a list, which is no conclusion."""
_GOES_ON = re.compile(r"[^\W\d_]{2}|[,;] ")
"""What another equation stands behind: `6 for two, and 4 * 2 = 8`."""
_END = re.compile(r"(?<=[^\W\d])[.!] ")
_UNIT = r"[\W_]*(?:(?!(?:more|additional|extra|then|another)\b)[^\W\d_]+[\W_]*)"
_UNITS = {words: re.compile(_UNIT + f"{{0,{words}}}", re.IGNORECASE) for words in (2, 20)}
"""What may stand behind a number that is alone: `18 dollars each`, but not `1 more race`."""
_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "  # noqa: SIM905
    "nineteen twenty".split()
)
_IN_WORDS = (
    rf"(?:{'|'.join(_WORDS)}|one|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?"
    r"|dozens?|half|halves|quarters?|thirds?|(?:four|fif|six|seven|eigh|nin|ten)ths?)"
)
_IN_A_ROW = re.compile(rf"(?<![\w-]){_IN_WORDS}(?:(?: and)?(?: an?)?[ -]{_IN_WORDS})*(?![\w-])", re.IGNORECASE)
"""Numbers in words. One word alone is read; `two hundred` and `two thirds` are neither 2 nor 3, and stay words."""
_MAGNITUDE = re.compile(r"[ -]?(?:(?:hundred|thousand|million|billion|trillion|dozen)s?\b|[½¼¾⅓⅔])", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:not|never)(?: equal to| exactly)? [$€£*]*$", re.IGNORECASE)
"""Right in front of a number: `It is not 41.`"""
_ALSO = re.compile(r"(?:,| or| and|/) ?[$€£]?\d")
_SUPPOSED = re.compile(r"\b(?:not|n['’]t|never|wrong|incorrect|if|some|many|others|first|might|could)\b", re.IGNORECASE)


class _Rest(NamedTuple):
    """What a line says as its answer."""

    text: str
    at: int
    end: int
    """The line in which it stands, and where it ends there."""


def plain_rests(lines: list[str]) -> Iterator[_Rest]:
    """What follows `Answer:` and the like, the last first; the next line where nothing follows."""
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        if hashes := _HASHES.match(line):
            yield _Rest(hashes[1], at, len(line))
            continue
        leads = [*_LEAD.finditer(line), *_BOXED.finditer(line)]
        for match in sorted(leads, key=lambda lead: -lead.end())[:_LEADS]:
            start = match.start(1) if match.re is _BOXED else match.end()
            if _SUPPOSED.search(re.split(r"[.,;!?] ", line[max(0, match.start() - 60) : match.start()])[-1]):
                continue
            if any(map(str.isalnum, line[start:])):
                yield _Rest(line[start : start + _REACH], at, start)
            elif at + 1 < len(lines):
                yield _Rest(lines[at + 1][:_REACH], at + 1, 0)


def read_number(reply: str) -> tuple[str | None, str]:
    """(the number that a reply gives, as it is written, "") or (None, why there is none); linear in its length."""
    text = _FRAC.sub(r"\1/\2", told(reply).replace("{,}", ","))
    text = _IN_A_ROW.sub(_in_digits, _URL.sub(" ", text))
    if any(map(str.isdigit, head := text[: runs_on(text)])):
        text = head
    lines = lines_of(text)
    if plainly := _plainly(lines):
        number, at, end, reason = plainly
        rest = "\n".join((lines[at][end:], *lines[at + 1 :]))
        for start, stop in taken_back(rest):
            if any(not same_number(each[0], number) for each in _matches(rest[start:stop])):
                return None, "goes back on its answer"
        return (number, "") if not reason else (None, reason)
    naming = [line for line in lines if _matches(line)]
    if not naming:
        return None, "names no number"
    written = [match for line in naming for match in _matches(line)]
    stated = [match for match in (_alone(_END.split(lines[0])[0]), *_concluded(naming[-1])) if match] or written
    several = list({match[0]: None for match in stated if not same_number(match[0], stated[-1][0])})
    if reason := _part(stated[-1]):
        return None, reason
    if value(stated[-1][0]) is None:
        return None, f"{stated[-1][0][:40]!r} may be several numbers"
    if several:
        return None, f"names several numbers: {', '.join((*several[:3], stated[-1][0]))[:80]}"
    return stated[-1][0], ""


def _in_digits(words: re.Match[str]) -> str:
    word = words[0].lower()
    return str(_WORDS.index(word) + 2) if word in _WORDS else words[0]


def _alone(text: str, words: int = 2) -> re.Match[str] | None:
    """The number that is all that a text says, with at most so many words behind it; none in a line of a list."""
    written = _matches(text)
    if len(written) != 1 or _ITEM.match(text) or not _SOON.fullmatch(text[: written[0].start()]):
        return None
    return written[0] if _UNITS[words].fullmatch(text, written[0].end()) else None


def _concluded(line: str) -> list[re.Match[str] | None]:
    """The numbers that the last line states: the result of its only equation, in bold, or its only number."""
    if _ITEM.match(line):
        return []
    _, *results = line.replace("≈", "=").split("=")
    if results:
        return [] if any(map(_GOES_ON.search, results[:-1])) else [_alone(results[-1], 20)]
    written = _matches(line)
    if len(written) == 1 and _BOLD.fullmatch(line):
        return [*written]
    if any(bold := [_alone(_stated(part[1])) for part in _BOLD.finditer(line)]):
        return bold
    return [_alone(_stated(line))] if len(written) == 1 else []


def _stated(text: str) -> str:
    words = list(_STATES.finditer(text))
    return text[words[-1].end() :] if words else text


def _plainly(lines: list[str]) -> tuple[str, int, int, str] | None:
    """The number of the last plain answer that gives one, its line, where it ends, and why it is not clear."""
    for rest in plain_rests(lines):
        said = _NOT.sub("", rest.text)
        if re.match(r"\W{0,9}not\b", said):
            continue
        ends = next((match for match in _ENDS.finditer(said) if any(map(str.isdigit, said[: match.start()]))), None)
        clause = said[: ends.start()] if ends else said
        if ends and ends[0] == "?":
            continue
        worked, _, equal = re.sub("≈", "=", clause).rpartition("=")
        written = _matches(equal)
        if not written:
            continue
        first = written[0]
        rest_of_it = "\n".join((said[len(clause) :], *lines[rest.at + 1 :]))
        if worked and (not _WORKING.match(worked) or "=" in rest_of_it):
            continue  # a step: `Answer: Ann has 2 + 3 = 5 eggs. She eats ...`
        if not _SOON.fullmatch(equal[: first.start()]) or _TOLD.search(equal[first.end() :]):
            continue  # a story: `Answer: The 3 of them share 12`
        end = rest.end + len(rest.text) - len(said) + len(clause)
        if reason := _part(first):
            return first[0], rest.at, end, reason
        if value(first[0]) is None:
            return first[0], rest.at, end, f"{first[0][:40]!r} may be several numbers"
        after = equal[first.end() :].lstrip()
        if len(written) > 1 or (after[:1] and after[:1] in "+×÷") or (ends and _ALSO.match(said[ends.start() :])):
            return first[0], rest.at, end, f"gives several numbers: {said[:40]!r}"
        return first[0], rest.at, end, ""
    return None


def _matches(line: str) -> list[re.Match[str]]:
    """All that are written like a number; `2.3.1` is none."""
    return [match for match in _NUMBER.finditer(line) if "," in match[0] or match[0].count(".") < 2]


def _part(match: re.Match[str]) -> str:
    """Why a number is a part of what is said, such as a power; empty where it is all of it."""
    line = match.string
    if _MAGNITUDE.match(line, match.end()):
        return f"gives a number partly in words: {line[match.start() : match.end() + 12]!r}"
    if re.match(r"[ *_)\"'“”]{0,3}\?", line[match.end() :][:4]):
        return f"asks: {line[max(0, match.start() - 10) : match.end() + 5]!r}"
    if _DENIES.search(line[max(0, match.start() - 30) : match.start()]):
        return f"says what it is not: {line[max(0, match.start() - 10) : match.end() + 5]!r}"
    if re.match(r" ?\^ ?[{(]?-?\w|\*\* ?[{(]?-?\d", line[match.end() :][:4]) or re.search(
        r"\w ?\^ ?[{(]?$|[\dx)]\*\* ?$", line[: match.start()][-9:]
    ):
        return f"gives a power: {line[max(0, match.start() - 10) : match.end() + 5]!r}"
    return ""


def value(text: str) -> Decimal | None:
    """The value of a number; None where it is none, or may be several, as `1,2,3` is.

    Commas part thousands in `1,250.5`, and are the decimal sign in `10,5`, `0,125` and `1.250,5`. Spaces part
    thousands, and `1/2` is a half.
    """
    plain = _LEADING.sub("", " ".join(text.split()).rstrip(_EDGES)).translate(str.maketrans("−", "-", "$€£+"))
    if len(plain) > _LONGEST:
        return None
    if fraction := _FRACTION.fullmatch(plain):
        sign, units, above, below = fraction.groups()
        if not int(below):
            return None
        size = Decimal(units or 0) + Decimal(above) / Decimal(below)
        return -size if sign else size
    if _SPACED.fullmatch(plain.removeprefix("-")):
        plain = plain.replace(" ", "")
    if "," in plain:
        digits = plain.removeprefix("-")
        if _THOUSANDS.fullmatch(digits):
            plain = plain.replace(",", "")
        elif _DECIMAL_COMMA.fullmatch(digits):
            plain = plain.replace(".", "").replace(",", ".")
        else:
            return None
    try:
        number = Decimal(plain)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def same_number(first: str, second: str) -> bool:
    """Whether both are numbers of one value."""
    number = value(first)
    return number is not None and number == value(second)
