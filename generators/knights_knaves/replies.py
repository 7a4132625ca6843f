"""What a reply answers: whom each of its lines identifies, and the last word of pages of reasoning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from hansproof.generators.errors import InputError

__all__ = ["conclusion", "plain", "read_identity", "read_number", "read_reply"]

# Patterns only see lines of bounded length, stripped of marks and with single spaces: reading takes linear time.

_CUT = 300  # longest line that is read, not counting names and terms
_MARKS = str.maketrans(dict.fromkeys("*_`~\u00ad"))
# Punctuation of other scripts that Unicode's compatibility forms do not change.
_COLONS, _STOPS, _COMMAS, _DASHES = "։׃∶፡꞉", "。।۔።", "、،፣", "–—−‐‑•·"
_POINTS = str.maketrans(
    dict.fromkeys(_COLONS, ":")
    | dict.fromkeys(_STOPS, ".")
    | dict.fromkeys(_COMMAS, ",")
    | dict.fromkeys(_DASHES, "-")
    | {"؛": ";", "→": "->", "⇒": "->", "’": "'", "【": "(", "】": ")"}
)
_NUMBERING = re.compile(r"(?:\(?[0-9]{1,3}[.):\]]|[-+>#|=]{1,6}) ?")
_LEAD = re.compile(r"(?:the )?(?:final |correct )?(?:conclusion|answer|solution|result)s?(?: is| are)? ?[:.\-]* ?")
_NONE = re.compile(
    r"(?:there (?:is|are|exists?) |it has |the puzzle has |this puzzle has )?"
    r"(?:no (?:valid |consistent |possible )?(?:solutions?|assignments?)(?: exists?| is possible|(?: that)? fits?)?"
    r"|unsolvable|none|zero)"
)
_SEVERAL = re.compile(
    r"(?:there (?:is|are|exists?) |it has |the puzzle has |this puzzle has )?"
    r"(?:several|multiple|many|two or more|more than one|no unique|not unique)"
    r"(?: (?:valid |consistent |possible |different )?(?:solutions?|assignments?|answers?)"
    r"(?: exists?| are possible| fit)?)?(?: \(two or more\))?"
)
_ONE = re.compile(
    r"(?:(?:there is |it has )?(?:exactly |only )?one(?: (?:unique )?(?:solution|assignment)(?: fits)?)?)"
)
_LIST_HEADING = re.compile(
    r"(?:and|or|(?:the )?(?:first|second|third|solution|assignment|option|possibility|case|answer|conclusion)?s?"
    r"(?: (?:solution|assignment|option|possibility|case))?(?: (?:[0-9]{1,3}|[a-h]|[ivx]{1,5}))?) ?[:.)]? ?"
)
_COMMENT = re.compile(r" ?\((?P<comment>[^()]*)\)")
_HEDGES = re.compile(r"\b(?:if|not|or|assum\w*|suppos\w*|hypothe\w*|maybe|possibly|perhaps|unless|would|could)\b|\?")
_BETWEEN = re.compile(r" ?[,;/|] ?(?:and )?| and ")
_FRAME = re.compile(r"[|\-: +=]+")


def plain(text: str) -> str:
    """A line as it is compared: composed, case folded, with single spaces, without emphasis and invisible marks."""
    if text.isascii():  # nothing to compose and nothing invisible; true of most lines
        return " ".join(text.casefold().translate(_MARKS).split())
    folded = unicodedata.normalize("NFKC", text.translate(_POINTS)).casefold()
    text = folded.translate(_POINTS).translate(_MARKS)
    kept = [character for character in text if unicodedata.category(character) not in ("Cf", "Mn")]
    return " ".join("".join(kept).split())


class LineReader:
    """Reads lines about `names` in the words `terms` = (word for a knight, word for a knave)."""

    def __init__(self, names: Sequence[str], terms: Sequence[str]) -> None:
        self.count = len(names)
        self._places = {plain(name): place for place, name in enumerate(names)}
        self._knight = {_term(terms[0]): True, _term(terms[1]): False}
        self._longest = _CUT + 2 * sum(map(len, names)) + len(names) * (8 + max(map(len, terms)))
        name = "|".join(re.escape(known) for known in sorted(self._places, key=len, reverse=True))
        term = "|".join(_spaced(word) for word in sorted(self._knight, key=len, reverse=True))
        self._value_pattern = f"(?:is )?(?P<nota>not )?(?:(?:a|an|the) )?(?P<notb>not )?(?P<term>{term})(?![\\w'-])"
        self._value = re.compile(self._value_pattern)
        joint = r"(?: ?(?:[:=]|-+>|-{1,2}) ?(?:is )?| (?=is ))"
        self._pair = re.compile(f"(?:(?:character|person|islander) )?[(\\[\"']?(?P<name>{name})[)\\]\"']?{joint}"
                                f"{self._value_pattern}")  # fmt: skip

    def clean(self, line: str) -> str:
        """The line in the form that the other methods expect; "" for a blank line or a frame, "?" for one too long."""
        if len(line) > 4 * self._longest:  # leaves room for marks and indentation, yet is bounded
            line = line.strip()
        if len(line) > 4 * self._longest:
            return "?"
        cleaned = plain(line)
        if len(cleaned) > self._longest:
            return "?"
        return "" if _FRAME.fullmatch(cleaned) else cleaned

    def pair(self, line: str) -> tuple[int, bool] | None:
        """(character, is a knight) where a clean line says exactly that, else None."""
        if line.startswith("|") or line.endswith("|"):
            return self._row(self.cells(line))
        for head in _heads(line):
            if pair := self._whole_pair(head):
                return pair
        return None

    def worlds(self, line: str) -> list[list[tuple[int, bool]]]:
        """The answers within a clean line, `A: knight, B: knave`, separated by |; [] for anything else."""
        for head in _heads(line.rstrip(".! ")):
            for pieces in (head.split("|"), [head]):
                worlds = [self._pairs(piece.strip()) for piece in pieces]
                if all(worlds):
                    return worlds
        return []

    def _pairs(self, text: str) -> list[tuple[int, bool]]:
        pairs = [self._whole_pair(piece) for piece in _BETWEEN.split(text)]
        return [pair for pair in pairs if pair] if len(pairs) > 1 and all(pairs) else []

    def heading(self, line: str) -> bool:
        """Whether a clean line only introduces what follows: `Solution 2:`, `(b)`, `Possibility B`, `or`."""
        return any(_LIST_HEADING.fullmatch(head) for head in _heads(line))

    def cells(self, line: str) -> list[str]:
        """The cells of a row of a Markdown table; [] for any other line."""
        if line.count("|") < 2:
            return []
        return [cell.strip() for cell in line.strip("|").split("|")]

    def header(self, cells: Sequence[str]) -> list[int] | None:
        """The characters that head the columns of a table: all of them and no others, apart from a first label."""
        for shown in (cells, cells[1:]):
            if len(shown) == len(self._places) > 1 and set(shown) == set(self._places):
                return [self._places[cell] for cell in shown]
        return None

    def values(self, cells: Sequence[str], count: int) -> list[bool] | None:
        """The identities in the last `count` cells of a row; None where a cell is something else."""
        if len(cells) not in (count, count + 1):
            return None
        values = [self._whole_value(cell) for cell in cells[-count:]]
        return [value for value in values if value is not None] if None not in values else None

    def verdict(self, line: str) -> str:
        """`none`, `one` or `several` where a clean line says nothing else, else ""."""
        for head in _heads(line.rstrip(".:! ")):
            if _NONE.fullmatch(head):
                return "none"
            if _SEVERAL.fullmatch(head):
                return "several"
            if _ONE.fullmatch(head):
                return "one"
        return ""

    def _row(self, cells: Sequence[str]) -> tuple[int, bool] | None:
        place = self._places.get(cells[0]) if cells else None
        values = [value for value in map(self._whole_value, cells[1:]) if value is not None]
        return (place, values[0]) if place is not None and len(values) == 1 else None

    def _whole_pair(self, text: str) -> tuple[int, bool] | None:
        match = self._pair.match(text)
        if not match or not self._ends(text[match.end() :]):
            return None
        return self._places[match["name"]], self._truth(match)

    def _whole_value(self, text: str) -> bool | None:
        match = self._value.match(text)
        return self._truth(match) if match and self._ends(text[match.end() :]) else None

    def _truth(self, match: re.Match[str]) -> bool:
        knight = self._knight[_joined(match["term"])]
        return knight != (bool(match["nota"]) != bool(match["notb"]))

    def _ends(self, rest: str) -> bool:
        """Whether a pair still stands after what follows it: full stops, or a comment that takes nothing back."""
        comment = _COMMENT.match(rest)
        if comment:
            words = comment["comment"]
            if _HEDGES.search(words) or any(re.search(rf"\b{_spaced(word)}\b", words) for word in self._knight):
                return False
            rest = rest[comment.end() :]
        return not rest.strip(" .,;!|)]\\\"'")


def _heads(line: str) -> list[str]:
    """The line, and what is left of it without bullets and numbers, without CONCLUSION, and without both."""
    heads = [line]
    for pattern in (_NUMBERING, _LEAD, _NUMBERING, _NUMBERING):
        match = pattern.match(heads[-1])
        if match and match.end() and match.end() < len(heads[-1]):
            heads.append(heads[-1][match.end() :].lstrip(" "))
    bare = line.lstrip("\"'([{-+>#✅✔☑✓➤▪●◦○■□ ")
    return [*heads, bare] if bare not in heads else heads


def _term(word: str) -> str:
    """A term without hyphens and spaces, which vary: truth-teller, truth teller."""
    return _joined(plain(word))


def _joined(word: str) -> str:
    return word.replace("-", "").replace(" ", "")


def _spaced(term: str) -> str:
    return "[- ]?".join(map(re.escape, term))


# The rule is TruthQuest's (Mondorf & Plank 2024): n lines in a row, `name: term`. Several such blocks must agree,
# otherwise the reply counts as unparsed.

Kind = Literal["identities", "none", "several", "unparsed"]

_CONCLUSION_HEADING = re.compile(r"^[ \t>#*_`~-]*conclusions?[ \t*_`~]*(?::|$)", re.IGNORECASE | re.MULTILINE)


def conclusion(text: str) -> str:
    """What stands under the last heading `CONCLUSION:` with anything below it, in any case and marks; the whole text
    where there is none.

    Reasoning above the heading, and puzzles quoted there, are no answers.
    """
    end = len(text)
    for heading in reversed(list(_CONCLUSION_HEADING.finditer(text))):
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
