"""Errors in a model's reasoning that a machine can prove: false reproduction, unfaithfulness, wrong conclusion.

Three of the categories of Mondorf and Plank (2024); the others need a reader (`annotation`). Precision comes first:
a label is given only where the line says something that cannot be meant otherwise, so the counts are lower bounds.

Limits: only sentences of the forms below are looked at. SR needs a speaker, a verb of saying and a whole sentence that
`quotation` understands; a quotation that leaves out part of the statement is none, as long as what it keeps follows.
UF needs a line that opens a conclusion with `so`, `therefore`, `hence` or `thus`, outside any supposition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from generators.item import Item
from generators.knights_knaves.answer_lines import plain
from generators.knights_knaves.formula import Both, Formula, parse, table
from generators.knights_knaves.quotation import QuotationReader, quotation
from generators.knights_knaves.reply import read_one, read_reply
from generators.knights_knaves.score import score

__all__ = ["TraceError", "trace_errors"]

_LONGEST = 2000  # characters of a line that is looked at; longer ones are no sentences
_SAYS = r"(?:says|said|states|stated|claims|claimed|asserts|asserted|tells us|told us)"
_SUPPOSITION = re.compile(r"\b(?:suppos\w*|assum\w*|if|would|case|scenario|option|hypothe\w*|consider|let|try|say)\b")
_CLOSING = re.compile(r"\b(?:contradict\w*|impossible|inconsistent|cannot be|can't be)\b")
_SENTENCE_END = re.compile(r"[.;!?]|, (?:so|which|but|because|hence|thus|therefore)\b")
_HEDGE = re.compile(
    r"\b(?:if|would|suppos\w*|assum\w*|unless|when|whether|could|might|may|imagine|neither|nobody|not|n't|never)\b|\?"
)
_THEREFORE = r"(?:so|therefore|hence|thus|we conclude that|this means(?: that)?)"


@dataclass(frozen=True)
class TraceError:
    """One proven error of a trace."""

    label: Literal["SR", "UF", "WC"]
    """SR: a statement is reproduced falsely; UF: the answer contradicts what was derived; WC: it is wrong."""
    line: int
    """Where, from 1."""
    text: str
    """The offending line, without white space at its ends; cut after 200 characters."""
    detail: str
    """What it should be, in words."""


def trace_errors(item: Item, trace: str) -> list[TraceError]:
    """The errors of a trace in the order of its lines; [] where none can be proven, which is not a clean bill.

    `trace` is the whole reply: reasoning and answer. Linear in its length. Raises InputError for an item that is
    not of knights-knaves or whose statements are not of the notation.
    """
    names, terms = item.metadata["names"], item.metadata["terms"]
    statements = [parse(text, names) for text in item.metadata["statements"]]
    lines = trace.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept = [line if len(line) <= _LONGEST else "" for line in lines]
    answer = _answer(item, trace)
    found = [*_reproductions(kept, statements, names, terms), *_conclusions(item, trace, lines, answer)]
    found += _unfaithful(kept, answer, names, terms) if answer else ()
    return sorted(found, key=lambda one: (one.line, one.label))


def _error(label: Literal["SR", "UF", "WC"], lines: Sequence[str], line: int, detail: str) -> TraceError:
    return TraceError(label, line, lines[line - 1].strip()[:200], detail)


def _reproductions(
    lines: Sequence[str], statements: Sequence[Formula], names: Sequence[str], terms: Sequence[str]
) -> Iterator[TraceError]:
    """Quotations that do not follow from what the speaker said. For up to 12 characters, where tables are short."""
    if len(names) > 12:
        return
    reader = QuotationReader(names, terms)
    tables = [table(one, len(names)) for one in statements]
    places = {plain(name): place for place, name in enumerate(names)}
    name = "|".join(re.escape(one) for one in sorted(places, key=len, reverse=True))
    opening = re.compile(f"(?<![\\w'-])(?P<name>{name}) {_SAYS}(?: that)? ?:? ?(?P<mark>[\"“«]?)")
    for number, line in enumerate(lines, start=1):
        for name, quoted, marked in _quotations(plain(line), opening):
            speaker = places[name]
            read = reader.read(quoted, speaker)
            # "A says B lies and C does not": where A's words end is anybody's guess without quotation marks.
            if read is not None and not marked and isinstance(read, Both) and read.sign == "&":
                read = read.left
            if read is not None and tables[speaker] & ~table(read, len(names)):
                told = quotation(statements[speaker], names, terms)
                yield _error("SR", lines, number, f"{names[speaker]} says: {told}")


def _quotations(line: str, opening: re.Pattern[str]) -> Iterator[tuple[str, str, bool]]:
    """(speaker, quoted words, whether in quotation marks) of each `A says ...` in a plain line."""
    matches = list(opening.finditer(line))
    for place, match in enumerate(matches):
        before = re.split(r"[.;:!]", line[: match.start()])[-1]
        # "B would say that A says", "if A said": no report of what A said.
        if _HEDGE.search(before) or re.search(rf"\b{_SAYS}\b", before) or re.search(r"\bsay\b", before):
            continue
        rest = line[match.end() : matches[place + 1].start() if place + 1 < len(matches) else len(line)]
        if match["mark"]:
            end = re.search(r"[\"”»]", rest)
            if end:
                yield match["name"], rest[: end.start()], True
        else:
            yield match["name"], _SENTENCE_END.split(rest)[0], False


def _conclusions(
    item: Item, trace: str, lines: Sequence[str], answer: tuple[dict[str, str], int] | None
) -> Iterator[TraceError]:
    result = score(item, trace)
    if result.parsed and not result.right:
        last = max((number for number, line in enumerate(lines, start=1) if line.strip()), default=1)
        yield _error("WC", lines, answer[1] if answer else last, f"{result.reason}; right is {item.answer}")


def _answer(item: Item, trace: str) -> tuple[dict[str, str], int] | None:
    """The identities that the reply ends with and the line where they end; None where it does not give them."""
    names, terms, asked = item.metadata["names"], item.metadata["terms"], item.metadata.get("asked")
    if item.choices and "several" in item.choices:
        return None
    reading = read_one(trace, asked, terms) if asked is not None else read_reply(trace, names, terms)
    return (reading.identities, reading.line) if reading.identities is not None else None


def _unfaithful(
    lines: Sequence[str], answer: tuple[dict[str, str], int], names: Sequence[str], terms: Sequence[str]
) -> Iterator[TraceError]:
    """Characters whose last conclusion before the answer, outside every supposition, is not what the answer says."""
    identities, end = answer
    name = "|".join(re.escape(plain(one)) for one in sorted(names, key=len, reverse=True))
    knight, knave = (re.escape(plain(term)) for term in terms)
    fact = f"(?P<name>{name}) (?:is|must be|has to be) (?P<no>not )?an? (?:(?P<knight>{knight})|{knave})"
    conclusion = re.compile(f"(?:[-*•] ?)?{_THEREFORE},? {fact}[.!]?")
    mention = re.compile(f"(?<![\\w'-])(?P<name>{name})(?![\\w'-])")
    places = {plain(one): one for one in names}
    derived: dict[str, tuple[bool, int]] = {}
    open_cases, closable = 0, False
    for number, line in enumerate(lines[: max(0, end - len(identities))], start=1):
        text = plain(line)
        match = conclusion.fullmatch(text)
        # Whatever is said of a character later may revise what was concluded before.
        for mentioned in mention.finditer(text):
            derived.pop(places[mentioned["name"]], None)
        if match and not open_cases:
            derived[places[match["name"]]] = bool(match["knight"]) != bool(match["no"]), number
        if match:
            closable = True
        elif _CLOSING.search(text):
            # A contradiction that is stated twice closes one supposition, not the one around it too.
            open_cases -= closable and open_cases > 0
            closable = False
        elif _SUPPOSITION.search(text):
            open_cases, closable = open_cases + 1, True
    for who, (is_knight, number) in derived.items():
        term = terms[0] if is_knight else terms[1]
        if who in identities and identities[who] != term:
            yield _error("UF", lines, number, f"the answer in line {end} says {who}: {identities[who]}")
