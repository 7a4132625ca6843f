"""Texts split into sentences and words, without a shared frame; the skeleton of function words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from sys import intern
from typing import Literal

__all__ = [
    "OPTION",
    "UNSPACED",
    "Language",
    "Sentence",
    "Skeleton",
    "Words",
    "fold_text",
    "language_of",
    "own_function_words",
    "skeleton",
    "split_sentences",
    "strip_frame",
]

# Cruder than a linguist's (`Dr. No` is two sentences), but the same words are always split the same way, and comparing
# texts needs no more.

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


# Items made from one template have the same skeleton, whatever names were filled in.


@dataclass(frozen=True)
class Words:
    """The words that a skeleton keeps and those that it drops; all others become slots."""

    kept: frozenset[str]
    dropped: frozenset[str]


@dataclass(frozen=True)
class Skeleton:
    """What is left of one text."""

    tokens: tuple[str, ...]
    """Function words; `_` for a word that occurs once; `0`, `1`, ... for repeated words; `.` ends a sentence."""
    evidence: int
    """Number of function words and repetitions: what two unrelated texts would have to share by chance."""


@cache
def function_words() -> Words:
    """Return the closed-class words of English from the list that ships with the package; articles are dropped."""
    classes: dict[str, list[str]] = {}
    heading = ""
    for line in files("hansproof.audit.texts").joinpath("function_words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        else:
            classes.setdefault(heading, []).extend(line.split())
    dropped = frozenset(classes.pop("articles"))
    return Words(frozenset(word for group in classes.values() for word in group), dropped)


UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Scripts that are written without spaces, as characters of a regular expression: Thai to Khmer, kana, Han."""

Language = Literal["English", "other", "without blanks"]


def language_of(texts: Sequence[str]) -> Language:
    """Whether the texts part words by blanks, and whether they are English: also with fewer than two words a text."""
    letters = "".join(char for text in texts for char in text if char.isalpha())
    if 2 * len(re.findall(f"[{UNSPACED}]", letters)) > len(letters):
        return "without blanks"
    words = _words_of(map(split_sentences, texts))
    return "English" if words.total() < 2 * len(texts) or _is_english(words) else "other"


def own_function_words(texts: Sequence[list[Sentence]]) -> Words:
    """Return the function words of these texts: the English list, or for another language its most common words.

    Those are the words that occur in at least a tenth of the texts.
    """
    if _is_english(_words_of(texts)):
        return function_words()
    spread = Counter(
        word
        for text in texts
        for word in dict.fromkeys(token for sentence in text for token in sentence if token.isalpha())
    )
    return Words(frozenset(word for word, count in spread.items() if 10 * count >= len(texts)), frozenset())


def _words_of(texts: Iterable[list[Sentence]]) -> Counter[str]:
    return Counter(word for text in texts for sentence in text for word in sentence if word.isalpha())


def _is_english(words: Counter[str]) -> bool:
    """Whether a sixth of the words is on the list: closed-class words make up 40 to 60 % of running English."""
    english = function_words()
    listed = sum(count for word, count in words.items() if word in english.kept or word in english.dropped)
    return 6 * listed >= words.total()


def skeleton(sentences: Iterable[Sentence], words: Words) -> Skeleton:
    """Return the skeleton of a text.

    `Ann is on the bus. The bus is under a bridge.` gives `_ is on 0 . 0 is under _ .`: repeated words are
    numbered by first occurrence, so that names do not matter but which name goes where does. Words that occur
    only side by side (`San Francisco`, twice) share one slot. A text without words gives no tokens.
    """
    kept, dropped = words.kept, words.dropped
    flat = [word for sentence in sentences for word in sentence if word not in dropped]
    # Kept words become "": what remains are the open-class words and their neighbours.
    fills = ["" if word in kept or word in MARKS else word for word in flat]
    count = Counter(fills)
    beside = Counter(pairwise(fills))
    numbers: dict[str, int] = {}
    tokens: list[str] = []
    evidence = 0
    before = ""
    for word, fill in zip(flat, fills):
        if not fill:
            tokens.append("." if word in MARKS else word)
            evidence += word not in MARKS
        elif before and beside[before, fill] == count[fill] == count[before]:
            pass  # the second word of a name
        elif count[fill] == 1:
            tokens.append("_")
        else:
            evidence += fill in numbers
            tokens.append(str(numbers.setdefault(fill, len(numbers))))
        before = fill
    return Skeleton(tuple(tokens), evidence)
