"""Texts split into sentences and words, without the frame that all of them share.

The splitting is cruder than a linguist's (`Dr. No` is two sentences), but the same words are always split the same
way, and comparing texts needs no more.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from sys import intern

__all__ = ["FRAME_SHARE", "MARKS", "OPTION", "Sentence", "fold_text", "split_sentences", "strip_frame"]

Sentence = tuple[str, ...]
"""Folded words and sentence marks, in order."""

FRAME_SHARE = 0.5
"""A sentence in more than this share of the texts belongs to the frame (the instructions), not to a story."""

OPTION = "•"
"""First word of a sentence that is a list item: `1. Yes`, `(b) No`, `- maybe`."""

MARKS = frozenset(".?!。？！" + OPTION)
"""The parts of a sentence that are not words."""

_LINE = re.compile(r"[\r\n\u2028\u2029]+")
_ITEM = re.compile(r"\s*(?:\(?(?:\d{1,2}|[a-z])[.):]|[-*•])\s+(?=\S)")

# A full stop must be followed by a space, or `3.5` would be two sentences; CJK marks need none.
_BREAK = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+|(?<=[。！？])")
_WORD = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)*|_+|[.?!。？！]")


def fold_text(text: str) -> str:
    """Return the key by which two texts are the same: NFKC, case folded, runs of white space as one space.

    Case folding can undo normalisation and the reverse, so both are done twice, as Unicode section 3.13 (D147)
    requires. An empty or blank text gives "".
    """
    if text.isascii():  # nothing to normalise, and by far the most common case
        return " ".join(text.casefold().split())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def split_sentences(text: str) -> list[Sentence]:
    """Split a text into sentences of folded words; sentences without a word are dropped.

    A word is a run of letters (with inner apostrophes), a number, or a run of underscores (a gap to fill in).
    A list item is one sentence, and its number or letter is replaced by `OPTION`.
    """
    folded = text.casefold() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    folded = folded.replace("’", "'").replace("ʼ", "'")
    sentences: list[Sentence] = []
    for line in _LINE.split(folded):
        mark = _ITEM.match(line)
        if mark:
            sentences.append((OPTION, *_words(line[mark.end() :])))
        else:
            sentences.extend(tuple(_words(part)) for part in _BREAK.split(line))
    return [words for words in sentences if any(word not in MARKS for word in words)]


def _words(text: str) -> Iterator[str]:
    """The words and marks of a sentence; each word is one object however often it occurs, which saves most memory."""
    return map(intern, _WORD.findall(text))


def strip_frame(texts: Sequence[list[Sentence]]) -> list[list[Sentence]]:
    """Remove the sentences that occur in more than half of the texts, wherever they are: the instructions.

    A text that consists of nothing else keeps its sentences, and so do all texts if there are fewer than
    three: two texts that share a sentence are a pair, not a frame.
    """
    if len(texts) < 3:
        return list(texts)
    spread = Counter(sentence for text in texts for sentence in dict.fromkeys(text))
    limit = FRAME_SHARE * len(texts)
    kept = ([sentence for sentence in text if spread[sentence] <= limit] for text in texts)
    return [own or text for own, text in zip(kept, texts)]
