"""What a model's reply answers: the last word of pages of reasoning, read without guessing.

The rule is TruthQuest's (Mondorf & Plank 2024): n lines in a row, `name: term`. Several such blocks must agree,
otherwise the reply counts as unparsed. Used by `scorer` and `errors_in_traces`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from generators.errors import InputError
from generators.knights_knaves.replies.answer_lines import LineReader, plain

__all__ = ["Kind", "Told", "conclusion", "read_identity", "read_number", "read_reply"]

Kind = Literal["identities", "none", "several", "unparsed"]


_HEADING = re.compile(r"^[ \t>#*_`~-]*conclusions?[ \t*_`~]*(?::|$)", re.IGNORECASE | re.MULTILINE)


def conclusion(text: str) -> str:
    """What stands under the last heading `CONCLUSION:` with anything below it, in any case and marks; the whole text
    where there is none.

    Reasoning above the heading, and puzzles quoted there, are no answers.
    """
    end = len(text)
    for heading in reversed(list(_HEADING.finditer(text))):
        under = text[heading.end() : end].lstrip("*_`~ ")
        if under.strip():
            return under
        end = heading.start()
    return text


@dataclass(frozen=True)
class Told:
    """What a reply tells. Only the fields that `kind` calls for are filled."""

    kind: Kind
    """`identities`: one solution; `none`: no solution; `several`: more than one; `unparsed`: no clear answer."""
    identities: dict[str, str] | None
    """Name -> term of the puzzle for every character, in the order of the names; None for other kinds."""
    solutions: tuple[str, ...] = ()
    """The solutions written out, as strings of K and N in the order of the names, sorted, without repetition."""
    reason: str = ""
    """Why it is unparsed, in words; empty otherwise."""
    line: int = 0
    """The line of the reply, counted from 1, on which the answer ends; 0 where there is none."""


@dataclass
class _Run:
    """Consecutive lines that identify characters; contradictory if they give one character both identities."""

    said: dict[int, bool] = field(default_factory=dict)
    last: int = 0
    contradictory: bool = False
    group: int = 0

    def add(self, pairs: list[tuple[int, bool]], line: int) -> None:
        for character, knight in pairs:
            self.contradictory |= self.said.setdefault(character, knight) != knight
        self.last = line


@dataclass
class _Answers:
    """Everything on the lines of a reply that could be an answer, in order."""

    runs: list[_Run] = field(default_factory=list)
    inline: list[_Run] = field(default_factory=list)
    verdicts: list[tuple[int, str]] = field(default_factory=list)


def read_reply(text: str, names: Sequence[str], terms: Sequence[str], several: bool = False) -> Told:
    """Read the reply `text` to a puzzle about `names`; `terms` are its words for a knight and for a knave.

    A block may contain blank lines, code fences and table frames. Bullets, numbers, bold and italic marks, CONCLUSION,
    `is a` and `not a knave` are understood, and so are tables with one row or one column per character. Without a
    block, a line that identifies everybody (`A is a knight, B is a knave`) counts. `No solution` or `several
    solutions` on a line of its own is an answer unless a complete block follows; blocks beside `several` are listed.

    Set `several` for prompts that ask for every solution: the list is then the last run of blocks with nothing but
    blank lines and headings between them, and blocks further up are reasoning. Linear in the length of `text`.
    Raises InputError where two names, or the two terms, are the same.
    """
    _check(names, terms)
    answers = _collect(text, LineReader(names, terms))
    n = len(names)
    blocks = [run for run in answers.runs if len(run.said) == n]
    if not blocks:
        blocks = [run for run in answers.inline if len(run.said) == n]
    if several and blocks:
        blocks = [run for run in blocks if run.group == blocks[-1].group]
    end = blocks[-1].last if blocks else 0
    late = [(line, verdict) for line, verdict in answers.verdicts if line > end or verdict == "several"]
    if late:
        return _verdict(late, blocks, n)
    if several and len({_world(run, n) for run in blocks}) > 1:
        return _listed(blocks, n, end)
    if blocks:
        return _agreed(blocks, answers.runs, names, terms)
    return _unparsed(_why_not(answers.runs, n, text))


def read_identity(text: str, name: str, terms: Sequence[str]) -> Told:
    """Read a reply to the question what one character is: the last line `name: term`, understood as in `read_reply`.

    Lines one under the other that say both are no answer.
    """
    _check((name,), terms)
    answers = _collect(text, LineReader((name,), terms))
    if not answers.runs:
        return _unparsed(_why_not([], 1, text))
    answer = answers.runs[-1]
    if any(run.said != answer.said for run in answers.runs if run.group == answer.group):
        return _unparsed("gives the character both identities")
    identities = {name: terms[0] if answer.said[0] else terms[1]}
    return Told("identities", identities, (_world(answer, 1),), line=answer.last)


def read_number(text: str) -> str:
    """Read a reply to the question how many solutions there are: `none`, `one`, `several`, or "" where unparsed.

    The last line that consists of one of these words counts; marks, a full stop and `Answer:` may surround it.
    """
    reader = LineReader(("?",), ("?", "??"))
    for _, raw in reversed(list(_lines(text))):
        line = reader.clean(raw)
        if line and (verdict := reader.verdict(line)):
            return verdict
    return ""


def _check(names: Sequence[str], terms: Sequence[str]) -> None:
    if not names or len({plain(name) for name in names} - {""}) < len(names):
        raise InputError(f"the names of the characters, {list(names)!r}, are not all different")
    if len(terms) != 2 or len({plain(term).replace("-", "") for term in terms} - {""}) < 2:
        raise InputError(f"the terms are {list(terms)!r}, not two different words for a knight and a knave")


def _collect(text: str, reader: LineReader) -> _Answers:
    answers = _Answers()
    run: _Run | None = None
    columns: list[int] | None = None
    rows: list[_Run] = []
    group = 0  # grows with every line that is not part of an answer
    for number, raw in _lines(text):
        line = reader.clean(raw)
        if not line:
            continue
        cells = reader.cells(line)
        if columns and cells and (values := reader.values(cells, len(columns))) is not None:
            rows.append(_Run(dict(zip(columns, values)), number, group=group))
            continue
        _close(rows, answers)
        columns = reader.header(cells) if cells else None
        if pair := reader.pair(line):
            # One whole block directly under another is a second answer, not a contradiction within the first.
            if run is None or (len(run.said) == reader.count and pair[0] in run.said):
                run = _Run(group=group)
                answers.runs.append(run)
            run.add([pair], number)
            continue
        run = None
        worlds = reader.worlds(line)
        for pairs in worlds:
            inline = _Run(group=group)
            inline.add(pairs, number)
            answers.inline.append(inline)
        verdict = reader.verdict(line)
        if verdict in ("none", "several"):
            answers.verdicts.append((number, verdict))
        group += not worlds and not verdict and not reader.heading(line)
    _close(rows, answers)
    return answers


def _close(rows: list[_Run], answers: _Answers) -> None:
    """A table with the characters as columns is an answer if it has one row; with more rows it lists cases."""
    if len(rows) == 1:
        answers.runs.append(rows[0])
    rows.clear()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1)


def _verdict(late: list[tuple[int, str]], blocks: list[_Run], n: int) -> Told:
    line = max([late[-1][0], *(run.last for run in blocks)])
    verdicts = {verdict for _, verdict in late}
    if len(verdicts) > 1:
        return _unparsed("says both that there is no solution and that there are several")
    if "none" not in verdicts:
        return _listed(blocks, n, line)
    if blocks:
        return _unparsed("identifies the characters, then says that there is no solution")
    return Told("none", None, line=line)


def _listed(blocks: list[_Run], n: int, line: int) -> Told:
    if any(run.contradictory for run in blocks):
        return _unparsed("a listed solution gives one character both identities")
    return Told("several", None, tuple(sorted({_world(run, n) for run in blocks})), line=line)


def _agreed(blocks: list[_Run], runs: list[_Run], names: Sequence[str], terms: Sequence[str]) -> Told:
    if any(run.contradictory for run in blocks):
        return _unparsed("a block gives one character both identities")
    answer = blocks[-1]
    if any(run.said != answer.said for run in blocks):
        return _unparsed(f"{len(blocks)} blocks of answers do not agree")
    # A stray line before the block is reasoning; after the block it takes the answer back.
    after = [run for run in runs if run.last > answer.last]
    later = [run for run in after if run.contradictory or not run.said.items() <= answer.said.items()]
    if later:
        return _unparsed(f"line {later[0].last} contradicts the block of answers above it")
    identities = {name: terms[0] if answer.said[i] else terms[1] for i, name in enumerate(names)}
    return Told("identities", identities, (_world(answer, len(names)),), line=answer.last)


def _world(run: _Run, n: int) -> str:
    return "".join("K" if run.said[i] else "N" for i in range(n))


def _why_not(runs: list[_Run], n: int, text: str) -> str:
    if not text.strip():
        return "the reply is empty"
    if not runs:
        return "no line identifies a character"
    most = max(len(run.said) for run in runs)
    return f"the longest block identifies {most} of {n} characters"


def _unparsed(reason: str) -> Told:
    return Told("unparsed", None, reason=reason)
