"""Clean text: the words and marks of a text without its format, as a reader of the words sees it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from audit.texts.tokens import fold

__all__ = ["changed", "clean"]

_ASCII: Final = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″「」『』", '"'),
        **dict.fromkeys("‘’‚‛‹›′´`", "'"),
        **dict.fromkeys("‐‑‒–—―−⁃", "-"),
        **dict.fromkeys("•·●▪◦‣∙", "-"),
        **dict.fromkeys("→⇒⟶➜➔", ">"),
        **dict.fromkeys("←⇐", "<"),
    }
)
_BLANKS: Final = re.compile(r"\s+")
# Runs are taken whole and from their beginning: a text of one long run takes linear time.
_ARROW: Final = re.compile(r"(?<![-=])[-=]++>|<[-=]++")
_DASHES: Final = re.compile(r"-{2,}")
_LAST_STOP: Final = re.compile(r"(?:(?<![^\S\n])[^\S\n]++\.++|(?<!\.)(?<![^\S\n])\.++)[^\S\n]*+$", re.M)
_MARK: Final = re.compile(r"([^\w\s])")
_ODD_SPACING: Final = re.compile(r"\s[,.;:!?)\]}]|[(\[{]\s")


def clean(text: str) -> str:
    """`text` without its format.

    Compatibility forms, case and accents are folded, invisible characters dropped, and typographic quotes, dashes and
    arrows become ASCII. All white space is one blank, with one on both sides of every mark, and no line ends in a full
    stop. What remains are the words and the marks between them.
    """
    line_ends = _LAST_STOP.sub("", _typed(_folded(text)))
    return _BLANKS.sub(" ", _MARK.sub(r" \1 ", line_ends)).strip()


def changed(texts: Sequence[str]) -> list[bool]:
    """Which texts have a format beyond what counting n-grams folds anyway, which is case and accents.

    That is: line breaks, tabs, double, leading or trailing blanks, a blank before a comma or inside a bracket,
    invisible characters, typographic quotes, dashes or arrows.
    """
    return [_has_format(_folded(text), text) for text in texts]


def _has_format(folded: str, text: str) -> bool:
    counted = fold(text).casefold()
    return _BLANKS.sub(" ", _typed(folded)).strip() != counted or _ODD_SPACING.search(counted) is not None


def _folded(text: str) -> str:
    folded = fold(text).casefold()
    if folded.isascii():
        return folded
    return "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")


def _typed(text: str) -> str:
    return _DASHES.sub("-", _ARROW.sub(lambda arrow: ">" if arrow[0].endswith(">") else "<", text.translate(_ASCII)))
