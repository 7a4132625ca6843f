"""One line of a model's reply: which characters does it identify, or does it say that there is not one solution?

`reply` joins the lines to blocks. Patterns only ever see lines of bounded length, stripped of marks and with single
spaces, so reading a reply takes linear time.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

__all__ = ["LineReader", "plain"]

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
_HEADING = re.compile(
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
        return any(_HEADING.fullmatch(head) for head in _heads(line))

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
