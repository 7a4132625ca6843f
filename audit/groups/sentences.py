"""Texts cut into sentences and words, and the frame that all of them share cut away.

Reads the prompts of a benchmark; feeds skeletons and shared sentences (`audit.groups.joins`). The cutting is
plainer than a linguist's (`Dr. No` is two sentences) but the same wherever the same words stand, and that is
all that comparing needs.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

__all__ = ["FRAME_SHARE", "MARKS", "OPTION", "Sentence", "fold_text", "split_sentences", "strip_frame"]

Sentence = tuple[str, ...]
"""Folded words and sentence marks, in order."""

FRAME_SHARE = 0.5
"""A sentence in more than this share of the texts is the frame (instructions), not a story."""

OPTION = "•"
"""First word of a sentence that is a line of a list: `1. Yes`, `(b) No`, `- maybe`."""

MARKS = frozenset(".?!。？！" + OPTION)
"""What stands in a sentence and is no word."""

_LINE = re.compile(r"[\r\n\u2028\u2029]+")
_ITEM = re.compile(r"\s*(?:\(?(?:\d{1,2}|[a-z])[.):]|[-*•])\s+(?=\S)")

# After a full stop there must be space, or `3.5` would be two sentences; CJK marks stand without.
_BREAK = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+|(?<=[。！？])")
_WORD = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)*|_+|[.?!。？！]")


def fold_text(text: str) -> str:
    """Return the key under which two texts are the same: NFKC, case folded, white space runs made one space.

    Folding can undo normal form (and the other way round), so both are done twice, as Unicode 3.13 (D147)
    says. An empty or blank text gives "".
    """
    if text.isascii():  # nothing to normalise, and the commonest case by far
        return " ".join(text.casefold().split())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def split_sentences(text: str) -> list[Sentence]:
    """Cut a text into sentences of folded words; sentences without a word are left out.

    A word is a run of letters (with inner apostrophes), a number, or a run of underscores (a gap to be
    filled). A line of a list is one sentence, and its number or letter gives way to `OPTION`.
    """
    folded = text.casefold() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    folded = folded.replace("’", "'").replace("ʼ", "'")
    cut: list[Sentence] = []
    for line in _LINE.split(folded):
        mark = _ITEM.match(line)
        if mark:
            cut.append((OPTION, *_WORD.findall(line[mark.end() :])))
        else:
            cut.extend(tuple(_WORD.findall(part)) for part in _BREAK.split(line))
    return [words for words in cut if any(word not in MARKS for word in words)]


def strip_frame(texts: Sequence[list[Sentence]]) -> list[list[Sentence]]:
    """Take out the sentences that more than half of the texts have, wherever they stand: the instructions.

    A text that is nothing but frame keeps its sentences, and so do all texts where there are fewer than
    three: two texts that share a sentence are a pair, not a frame.
    """
    if len(texts) < 3:
        return list(texts)
    spread = Counter(sentence for text in texts for sentence in dict.fromkeys(text))
    limit = FRAME_SHARE * len(texts)
    kept = ([sentence for sentence in text if spread[sentence] <= limit] for text in texts)
    return [rest or whole for rest, whole in zip(kept, texts)]
