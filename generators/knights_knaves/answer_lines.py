"""One line of a model's reply: which characters does it identify, or does it say that there is no one solution?

Lines come from `reply`, which joins them to blocks. Every pattern here is tried on a line of bounded length, cleaned
of marks and with single spaces, so that no reply takes more than linear time.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

__all__ = ["LineReader", "plain"]

_CUT = 300  # characters of a line beside its names that are looked at
_MARKS = str.maketrans(dict.fromkeys("*_`~\u00ad"))
# Punctuation of other scripts that Unicode's compatibility forms leave as it is.
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
    r"(?:no (?:valid |consistent |possible )?(?:solutions?|assignments?)(?: exists?| is possible)?|unsolvable|none)"
)
_SEVERAL = re.compile(
    r"(?:there (?:is|are|exists?) |it has |the puzzle has |this puzzle has )?"
    r"(?:several|multiple|many|two or more|more than one|no unique|not unique)"
    r"(?: (?:valid |consistent |possible |different )?(?:solutions?|assignments?|answers?)(?: exists?| are possible)?)?"
)
_ONE = re.compile(r"(?:(?:there is |it has )?(?:exactly |only )?one(?: (?:unique )?(?:solution|assignment))?)")
_HEADING = re.compile(
    r"(?:and|or|(?:the )?(?:first|second|third|solution|assignment|option|possibility|case|answer|conclusion)?s?"
    r"(?: (?:solution|assignment|option|possibility|case))?(?: (?:[0-9]{1,3}|[a-h]|[ivx]{1,5}))?) ?[:.)]? ?"
)
_COMMENT = re.compile(r" ?\((?P<comment>[^()]*)\)")
_HEDGES = re.compile(r"\b(?:if|not|or|assum\w*|suppos\w*|hypothe\w*|maybe|possibly|perhaps|unless|would|could)\b|\?")
_BETWEEN = re.compile(r" ?[,;/|] ?(?:and )?| and ")
_FRAME = re.compile(r"[|\-: +=]+")


def plain(text: str) -> str:
    """A line as it is compared: composed, case folded, without emphasis and invisible marks, single spaces."""
    if text.isascii():  # nothing to compose and nothing invisible, and by far the most lines
        return " ".join(text.casefold().translate(_MARKS).split())
    folded = unicodedata.normalize("NFKC", text.translate(_POINTS)).casefold()
    text = folded.translate(_POINTS).translate(_MARKS)
    kept = [one for one in text if unicodedata.category(one) not in ("Cf", "Mn")]
    return " ".join("".join(kept).split())


class LineReader:
    """Reads lines that speak of `names` in the words `terms` = (word for a knight, word for a knave)."""

    def __init__(self, names: Sequence[str], terms: Sequence[str]) -> None:
        self.count = len(names)
        self._places = {plain(name): place for place, name in enumerate(names)}
        self._knight = {_term(terms[0]): True, _term(terms[1]): False}
        self._longest = _CUT + 2 * sum(map(len, names)) + len(names) * (8 + max(map(len, terms)))
        name = "|".join(re.escape(one) for one in sorted(self._places, key=len, reverse=True))
        term = "|".join(_spaced(one) for one in sorted(self._knight, key=len, reverse=True))
        self._value_pattern = f"(?:is )?(?P<nota>not )?(?:(?:a|an|the) )?(?P<notb>not )?(?P<term>{term})(?![\\w'-])"
        self._value = re.compile(self._value_pattern)
        joint = r"(?: ?(?:[:=]|-+>|-{1,2}) ?(?:is )?| (?=is ))"
        self._pair = re.compile(f"(?:(?:character|person|islander) )?[(\\[\"']?(?P<name>{name})[)\\]\"']?{joint}"
                                f"{self._value_pattern}")  # fmt: skip

    def clean(self, line: str) -> str:
        """The line as the other methods want it; "" where it is blank or a frame, "?" where it is too long."""
        if len(line) > 4 * self._longest:  # room for marks and indentation, yet bounded
            line = line.strip()
        if len(line) > 4 * self._longest:
            return "?"
        found = plain(line)
        if len(found) > self._longest:
            return "?"
        return "" if _FRAME.fullmatch(found) else found

    def pair(self, line: str) -> tuple[int, bool] | None:
        """(character, is a knight) where a clean line says this and no more, else None."""
        if line.startswith("|") or line.endswith("|"):
            return self._row(self.cells(line))
        for head in _heads(line):
            if found := self._whole_pair(head):
                return found
        return None

    def worlds(self, line: str) -> list[list[tuple[int, bool]]]:
        """Answers within a clean line, `A: knight, B: knave`; several are parted by |. [] for anything else."""
        for head in _heads(line.rstrip(".! ")):
            for pieces in (head.split("|"), [head]):
                found = [self._pairs(piece.strip()) for piece in pieces]
                if all(found):
                    return found
        return []

    def _pairs(self, text: str) -> list[tuple[int, bool]]:
        found = [self._whole_pair(piece) for piece in _BETWEEN.split(text)]
        return [pair for pair in found if pair] if len(found) > 1 and all(found) else []

    def heading(self, line: str) -> bool:
        """Whether a clean line only numbers what follows: `Solution 2:`, `(b)`, `Possibility B`, `or`."""
        return any(_HEADING.fullmatch(head) for head in _heads(line))

    def cells(self, line: str) -> list[str]:
        """The cells of a row of a markdown table, or [] for a line that is none."""
        if line.count("|") < 2:
            return []
        return [cell.strip() for cell in line.strip("|").split("|")]

    def header(self, cells: Sequence[str]) -> list[int] | None:
        """The characters that head the columns of a table, all of them and no others (a first label may be)."""
        for shown in (cells, cells[1:]):
            if len(shown) == len(self._places) > 1 and set(shown) == set(self._places):
                return [self._places[cell] for cell in shown]
        return None

    def values(self, cells: Sequence[str], count: int) -> list[bool] | None:
        """The identities in the last `count` cells of a row, or None where a cell is something else."""
        if len(cells) not in (count, count + 1):
            return None
        found = [self._whole_value(cell) for cell in cells[-count:]]
        return [one for one in found if one is not None] if None not in found else None

    def verdict(self, line: str) -> str:
        """ "none" or "several" where a clean line is nothing but that statement, else ""."""
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
        found = [value for value in map(self._whole_value, cells[1:]) if value is not None]
        return (place, found[0]) if place is not None and len(found) == 1 else None

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
        """Whether what follows a pair leaves it standing: full stops, or a comment that takes nothing back."""
        comment = _COMMENT.match(rest)
        if comment:
            words = comment["comment"]
            if _HEDGES.search(words) or any(re.search(rf"\b{_spaced(one)}\b", words) for one in self._knight):
                return False
            rest = rest[comment.end() :]
        return not rest.strip(" .,;!|)]\\\"'")


def _heads(line: str) -> list[str]:
    """The line, and what is left of it after bullets and numbers, after CONCLUSION, after both in either order."""
    found = [line]
    for pattern in (_NUMBERING, _LEAD, _NUMBERING, _NUMBERING):
        match = pattern.match(found[-1])
        if match and match.end() and match.end() < len(found[-1]):
            found.append(found[-1][match.end() :].lstrip(" "))
    bare = line.lstrip("\"'([{-+>#✅✔☑✓➤▪●◦○■□ ")
    return [*found, bare] if bare not in found else found


def _term(word: str) -> str:
    """A term without the hyphens and spaces that people write differently: truth-teller, truth teller."""
    return _joined(plain(word))


def _joined(word: str) -> str:
    return word.replace("-", "").replace(" ", "")


def _spaced(term: str) -> str:
    return "[- ]?".join(map(re.escape, term))
