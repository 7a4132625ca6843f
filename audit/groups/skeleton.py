"""The skeleton of a text: its function words in order, every other word a slot, repetition kept.

Items made from one template have the same skeleton, whatever names were filled in. The function words are in
`function_words.txt` beside this file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from audit.groups.sentences import MARKS, Sentence

__all__ = ["Skeleton", "Words", "function_words", "own_function_words", "skeleton"]


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
    for line in files("audit.groups").joinpath("function_words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        else:
            classes.setdefault(heading, []).extend(line.split())
    dropped = frozenset(classes.pop("articles"))
    return Words(frozenset(word for group in classes.values() for word in group), dropped)


def own_function_words(texts: Sequence[list[Sentence]]) -> Words:
    """Return the function words of these texts: the English list, or for another language its most common words.

    Closed-class words make up 40 to 60 % of running English. If the list covers less than a sixth of all words,
    the texts are in another language, and the words that occur in at least a tenth of the texts are used instead.
    """
    english = function_words()
    tokens = Counter(word for text in texts for sentence in text for word in sentence if word.isalpha())
    listed = sum(count for word, count in tokens.items() if word in english.kept or word in english.dropped)
    if 6 * listed >= tokens.total():
        return english
    spread = Counter(
        word
        for text in texts
        for word in dict.fromkeys(token for sentence in text for token in sentence if token.isalpha())
    )
    return Words(frozenset(word for word, count in spread.items() if 10 * count >= len(texts)), frozenset())


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
