"""What a model's reply answers: the last word of pages of reasoning, found without guessing.

The rule is TruthQuest's (Mondorf and Plank, 2024): n lines in a row, `name: term`; where several such blocks occur
they must agree, else the reply counts as unparsed. Read by `score` and `errors_in_traces`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from generators.errors import InputError
from generators.knights_knaves.answer_lines import LineReader, plain

__all__ = ["Kind", "Reading", "read_number", "read_one", "read_reply"]

Kind = Literal["identities", "none", "several", "unparsed"]


@dataclass(frozen=True)
class Reading:
    """What a reply says. Only what `kind` calls for is filled."""

    kind: Kind
    """`identities`: one solution; `none`: no solution; `several`: more than one; `unparsed`: no clear answer."""
    identities: dict[str, str] | None
    """Name -> the term of the puzzle, in the names' order, for every character; None for other kinds."""
    solutions: tuple[str, ...] = ()
    """The solutions written out, as strings of K and N in the names' order, sorted, without repetition."""
    reason: str = ""
    """Why it is unparsed, in words; empty otherwise."""
    line: int = 0
    """The line of the reply, from 1, where the answer ends; 0 where there is none."""


@dataclass
class _Run:
    """Lines in a row that identify characters; one that gives a character both identities is contradictory."""

    said: dict[int, bool] = field(default_factory=dict)
    last: int = 0
    contradictory: bool = False
    group: int = 0

    def add(self, pairs: list[tuple[int, bool]], line: int) -> None:
        for character, knight in pairs:
            self.contradictory |= self.said.setdefault(character, knight) != knight
        self.last = line


@dataclass
class _Found:
    """All that a pass over the lines found, in their order."""

    runs: list[_Run] = field(default_factory=list)
    inline: list[_Run] = field(default_factory=list)
    verdicts: list[tuple[int, str]] = field(default_factory=list)


def read_reply(text: str, names: Sequence[str], terms: Sequence[str], several: bool = False) -> Reading:
    """Read the reply `text` to a puzzle about `names`; `terms` are its words for a knight and for a knave.

    Blank lines, code fences and table frames may stand within a block; bullets, numbers, bold and italic marks,
    CONCLUSION, `is a` and `not a knave` are understood, and tables with a row or a column a character. Where no
    block is found, a line that identifies all (`A is a knight, B is a knave`) serves. `No solution` or `several
    solutions` as a line of its own is an answer unless a complete block follows; blocks beside `several` are listed.

    `several` is for prompts that ask for every solution: the last blocks with nothing but blank lines and headings
    between them are then the list, and blocks further up are reasoning. Linear in the length of `text`.
    Raises InputError where names or terms cannot be told apart.
    """
    _check(names, terms)
    found = _collect(text, LineReader(names, terms))
    n = len(names)
    blocks = [run for run in found.runs if len(run.said) == n]
    if not blocks:
        blocks = [run for run in found.inline if len(run.said) == n]
    if several and blocks:
        blocks = [run for run in blocks if run.group == blocks[-1].group]
    end = blocks[-1].last if blocks else 0
    late = [(line, verdict) for line, verdict in found.verdicts if line > end or verdict == "several"]
    if late:
        return _verdict(late, blocks, n)
    if several and len({_world(run, n) for run in blocks}) > 1:
        return _listed(blocks, n, end)
    if blocks:
        return _agreed(blocks, found.runs, names, terms)
    return _unparsed(_why_not(found.runs, n, text))


def read_one(text: str, name: str, terms: Sequence[str]) -> Reading:
    """Read a reply that was asked what one character is: the last line `name: term`, as in `read_reply`."""
    _check((name,), terms)
    found = _collect(text, LineReader((name,), terms))
    if not found.runs:
        return _unparsed(_why_not([], 1, text))
    answer = found.runs[-1]
    identities = {name: terms[0] if answer.said[0] else terms[1]}
    return Reading("identities", identities, (_world(answer, 1),), line=answer.last)


def read_number(text: str) -> str:
    """Read a reply that was asked how many solutions there are: `none`, `one`, `several`, or "" where unparsed.

    The last line that is nothing but one of these words counts, with marks, full stop or `Answer:` around it.
    """
    reader = LineReader(("?",), ("?", "??"))
    for _, raw in reversed(list(_lines(text))):
        line = reader.clean(raw)
        if line and (verdict := reader.verdict(line)):
            return verdict
    return ""


def _check(names: Sequence[str], terms: Sequence[str]) -> None:
    if not names or len({plain(name) for name in names} - {""}) < len(names):
        raise InputError(f"the characters' names {list(names)!r} are not all different")
    if len(terms) != 2 or len({plain(term).replace("-", "") for term in terms} - {""}) < 2:
        raise InputError(f"terms are {list(terms)!r}, not two different words (for a knight, for a knave)")


def _collect(text: str, reader: LineReader) -> _Found:
    found = _Found()
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
        _close(rows, found)
        columns = reader.header(cells) if cells else None
        if pair := reader.pair(line):
            # One whole block directly under another is a second answer, not a contradiction within the first.
            if run is None or (len(run.said) == reader.count and pair[0] in run.said):
                run = _Run(group=group)
                found.runs.append(run)
            run.add([pair], number)
            continue
        run = None
        worlds = reader.worlds(line)
        for pairs in worlds:
            inline = _Run(group=group)
            inline.add(pairs, number)
            found.inline.append(inline)
        verdict = reader.verdict(line)
        if verdict in ("none", "several"):
            found.verdicts.append((number, verdict))
        group += not worlds and not verdict and not reader.heading(line)
    _close(rows, found)
    return found


def _close(rows: list[_Run], found: _Found) -> None:
    """A table with the characters as columns answers with its one row; with more it lists cases."""
    if len(rows) == 1:
        found.runs.append(rows[0])
    rows.clear()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1)


def _verdict(late: list[tuple[int, str]], blocks: list[_Run], n: int) -> Reading:
    line = max([late[-1][0], *(run.last for run in blocks)])
    verdicts = {verdict for _, verdict in late}
    if len(verdicts) > 1:
        return _unparsed("says both that there is no solution and that there are several")
    if "none" not in verdicts:
        return _listed(blocks, n, line)
    if blocks:
        return _unparsed("identifies the characters, then says that there is no solution")
    return Reading("none", None, line=line)


def _listed(blocks: list[_Run], n: int, line: int) -> Reading:
    if any(run.contradictory for run in blocks):
        return _unparsed("a listed solution gives one character both identities")
    return Reading("several", None, tuple(sorted({_world(run, n) for run in blocks})), line=line)


def _agreed(blocks: list[_Run], runs: list[_Run], names: Sequence[str], terms: Sequence[str]) -> Reading:
    if any(run.contradictory for run in blocks):
        return _unparsed("a block gives one character both identities")
    answer = blocks[-1]
    if any(run.said != answer.said for run in blocks):
        return _unparsed(f"{len(blocks)} blocks of answers do not agree")
    # A loose line before the block is reasoning; after it, it takes the answer back.
    after = [run for run in runs if run.last > answer.last]
    later = [run for run in after if run.contradictory or not run.said.items() <= answer.said.items()]
    if later:
        return _unparsed(f"line {later[0].last} contradicts the block of answers above it")
    identities = {name: terms[0] if answer.said[i] else terms[1] for i, name in enumerate(names)}
    return Reading("identities", identities, (_world(answer, len(names)),), line=answer.last)


def _world(run: _Run, n: int) -> str:
    return "".join("K" if run.said[i] else "N" for i in range(n))


def _why_not(runs: list[_Run], n: int, text: str) -> str:
    if not text.strip():
        return "the reply is empty"
    if not runs:
        return "no line identifies a character"
    most = max(len(run.said) for run in runs)
    return f"the longest block identifies {most} of {n} characters"


def _unparsed(reason: str) -> Reading:
    return Reading("unparsed", None, reason=reason)
