"""How numbers, names, strangers' characters and spreadsheet cells are written where a person reads them."""

from __future__ import annotations

import csv
import io
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

__all__ = [
    "NAMELESS",
    "NO_REPLY",
    "UNDEFINED",
    "armed",
    "count",
    "csv_text",
    "drawn",
    "first_of",
    "gathered",
    "interval",
    "is_odd",
    "kappa",
    "last_part",
    "listed",
    "one_line",
    "p_is",
    "p_value",
    "per_cent",
    "points",
    "points_within",
    "rounded",
    "series_title",
    "signed",
    "things",
    "visible",
    "within",
]

# Kappas and p-values have no leading zero (`.47`), as in the papers. A number that does not exist is never a zero.

UNDEFINED: Final = "undefined"

NO_REPLY: Final = "no reply"
"""What stands in place of the numbers of items that are all left out, on request, because they have no reply."""


def kappa(value: float | None, digits: int = 2) -> str:
    """`.47`, `-.03`, `1.00`; `undefined` for None and NaN; a rounded zero has no sign."""
    if value is None or math.isnan(value):
        return UNDEFINED
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def signed(value: float | None, digits: int = 2) -> str:
    """A difference or a coefficient with its sign: `+1.52`, `-.03`, `.00`."""
    text = kappa(value, digits)
    return f"+{text}" if value is not None and value > 0 and float(text) != 0 else text


def interval(low: float | None, high: float | None, digits: int = 2) -> str:
    """`[.41, .53]`; empty if there is no interval."""
    return "" if low is None or high is None else f"[{kappa(low, digits)}, {kappa(high, digits)}]"


def p_value(value: float | None) -> str:
    """`.012`, or `<.001` below one in a thousand; empty if no test was made."""
    if value is None or math.isnan(value):
        return ""
    return "<.001" if value < 0.001 else kappa(value, 3)


def p_is(value: float | None, *, floor: float | None = None) -> str:
    """`p = .012`, or `p < .001` below one in a thousand; `p undefined` if no test was made.

    `floor` is the smallest p that the test could show. At it, the p is `p <= .002`.
    """
    if value is not None and floor is not None and value <= floor * (1 + 1e-9):
        # Rounded up, because p is at most the floor, and .0013 is not at most .001.
        return f"p <= {kappa(math.ceil(floor * 1000 - 1e-6) / 1000, 3)}"
    text = p_value(value)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}" if text else f"p {UNDEFINED}"


def per_cent(value: float | None, digits: int = 1) -> str:
    """A share as `62.5 %`; `undefined` for None and NaN."""
    return UNDEFINED if value is None or math.isnan(value) else f"{100 * value:.{digits}f} %"


def points(share: float, sign: str = "") -> str:
    """A share or a difference of shares in percentage points: `62.5`, with `sign` "+" `+3.1`. Empty for NaN; a rounded
    zero has no sign."""
    if math.isnan(share):
        return ""
    text = f"{100 * share:{sign}.1f}"
    return "0.0" if float(text) == 0 else text


def points_within(share: float, low: float, high: float, sign: str = "") -> str:
    """`+3.1 [-1.0, 7.2]`: points with their interval, where there is one; empty for NaN."""
    text = points(share, sign)
    return text if not text or math.isnan(low) else f"{text} [{points(low)}, {points(high)}]"


def rounded(number: float) -> float:
    """A number as files have it, with nine digits: `0.42045`, not `0.42045000000000005`. Whole and large ones stay.

    The last digits of sums, logarithms and products of matrices depend on the processor; files must not.
    """
    return number if abs(number) >= 10**9 or float(number).is_integer() else float(f"{number:.9g}")


def count(number: int) -> str:
    """`1,600`."""
    return f"{number:,}"


def things(number: int, singular: str, plural: str | None = None) -> str:
    """`1 group`, `293 groups`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


NAMELESS: Final = "replies"
"""What a series is called that names neither model nor style nor run."""


def series_title(model: str, style: str = "", run: str = "") -> str:
    """`gpt-4, zero-shot, 2`: what tables, pages and notes call a series; parts that are empty are left out."""
    return listed(model, style, run)


def listed(*parts: str) -> str:
    """The parts that are not empty, with commas between them."""
    return ", ".join(filter(None, parts))


def gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """First -> all that stand second beside it, both in the order in which they come: a note, and who it is about."""
    every: dict[str, list[str]] = {}
    for key, value in pairs:
        every.setdefault(key, []).append(value)
    return every


def first_of(names: Sequence[str], most: int = 3, total: int | None = None) -> str:
    """`a - b; a - c; b - c; and 3 more`, where there are more. A name may hold commas."""
    more = (len(names) if total is None else total) - most
    return "; ".join([*names[:most], *([f"and {more:,} more"] if more > 0 else [])])


# An escape sequence could repaint a terminal, a bidirectional override reverses a line, also in a spreadsheet.

_BIDIRECTIONAL: Final = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_INVISIBLE: Final = "\u00ad\u200b\u2028\u2029\u2060\ufeff\ufff9\ufffa\ufffb"
_ACTIVE: Final = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_BIDIRECTIONAL}{_INVISIBLE}]")


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)  # the control pictures: ␀, ␛
    if code == 0x7F:
        return "␡"
    return f"⟨U+{code:04X}⟩"


def visible(text: str) -> str:
    """`text` with control, bidirectional and invisible characters as signs; newlines and tabs stay."""
    return _ACTIVE.sub(_sign, text.replace("\r\n", "\n"))


# White space made visible: an n-gram of two line breaks must not look like nothing, nor `Yes ` like `Yes`.

BLANK_SIGNS: Final = {" ": "␣", "\n": "⏎", "\t": "⇥"}
"""The sign of a space, a line break and a tab."""
_PLAIN_BLANK: Final = re.compile(r"(?<=\S) (?=\S)")
"""A single space between two visible characters stays as it is."""
_CANDIDATE: Final = re.compile(r"[^\x21-\x7e]")


def drawn(text: str) -> str:
    """`text` with spaces at its ends and in runs as ␣, line breaks as ⏎, tabs as ⇥.

    Other white space and invisible characters become `U+XXXX`; single spaces between visible characters stay.
    """
    if text.isascii() and text.isprintable() and text.strip() == text and "  " not in text:
        return text
    return " ".join(_CANDIDATE.sub(_blank_sign, part) for part in _PLAIN_BLANK.split(text))


def is_odd(text: str) -> bool:
    """Whether `drawn` changes the text."""
    return drawn(text) != text


def _blank_sign(match: re.Match[str]) -> str:
    letter = match[0]
    if letter in BLANK_SIGNS:
        return BLANK_SIGNS[letter]
    return f"U+{ord(letter):04X}" if unicodedata.category(letter)[0] in "CZ" else letter


# One line of a stranger's text: half of a surrogate pair cannot be written to any file, and long texts are cut. The
# template engine does the quoting for HTML.

_SPACES: Final = re.compile(r"\s+")
_PLAIN: Final = {
    "…": "...",
    "≥": ">=",
    "–": "-",
    "’": "'",
    "“": '"',
    "”": '"',
    "·": ".",
    "×": "x",
    "␣": "_",
    "⏎": "\\n",
    "⇥": "\\t",
    "≤": "<=",
    "⟨": "<",
    "⟩": ">",
    "▸": ">",
    "•": "o",
    "★": "#",
    "✗": "x",
    "◆": "#",
    "▲": "^",
    "≈": "~",
    "✓": "+",
}
"""Substitutes for outputs without these characters."""


def one_line(text: str, width: int | None = None) -> str:
    """`text` as one visible line with single spaces, cut to `width` characters with an ellipsis."""
    if width is not None:
        text = text[: 8 * width + 64]  # a prompt of megabytes is not folded to show sixty characters
    line = _SPACES.sub(" ", visible(_SPACES.sub(" ", text))).strip()
    return line if width is None or len(line) <= width else line[: max(width - 1, 0)].rstrip() + "…"


def last_part(text: str, width: int) -> str:
    """`text` as one visible line, cut from the left to `width` characters: a line number and a file name stay.

    The cut falls on a slash if there is one, and an ellipsis stands for what is gone: `…/bench.jsonl line 812`.
    """
    line = one_line(text)
    if len(line) <= width:
        return line
    end = line[len(line) - max(width - 1, 0) :]
    slash = end.find("/")
    return "…" + (end[slash:] if 0 <= slash < len(end) // 2 else end)


def within(text: str, encoding: str) -> str:
    """`text` in the characters of `encoding`, others substituted or escaped with backslashes."""
    if _fits(text, encoding):
        return text
    text = "".join(_PLAIN.get(char, char) if not _fits(char, encoding) else char for char in text)
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


# A spreadsheet computes a cell that begins with = + - or @, and a bare carriage return begins a new row for some
# readers. So every cell is quoted, an apostrophe stands before what would be computed, and characters that would act on
# whoever shows the file become the screen's signs for them; ends of lines and tabs are kept.

_COMPUTED = re.compile("'*[\\s\ufeff]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|'*[\t\r\n]")


def csv_text(rows: Iterable[Sequence[str | float | None]]) -> str:
    """Rows as CSV, every cell quoted: texts visible and disarmed, numbers `rounded`, None blank."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    for row in rows:
        cells: list[str | float] = []
        for cell in row:
            if isinstance(cell, str):  # the returns of a text are its own, and stay
                cell = disarmed("\r".join(map(visible, cell.split("\r"))))
            elif isinstance(cell, float):
                cell = rounded(cell)
            cells.append("" if cell is None else cell)
        writer.writerow(cells)
    return text.getvalue()


def disarmed(cell: str) -> str:
    """`cell` with an apostrophe in front where a spreadsheet would compute it, or where `armed` would take one away."""
    return f"'{cell}" if _COMPUTED.match(cell) else cell


def armed(cell: str) -> str:
    """What `disarmed` was given."""
    return cell[1:] if cell.startswith("'") and _COMPUTED.match(cell) else cell
