"""What a probe sees of an option: the option alone, its words against the question's, against the other options'.

Scores are compared within an item, so whatever is equal for all options of an item cancels. In a linear probe that is
the question itself: joined to each option, it adds the same to the score of each (a test shows it), and only tells how
the options differ through what they share with it. So the question comes in by marking the words of the option that it
has, and the other options by marking those that no other option has. Both are counted as words: token pieces and format
say nothing of overlap that words do not. "Whole option" sees only which option it is, where options repeat.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from audit.options.cues import AGAINST, ALONE, cue_values
from audit.options.items.pool import Pool
from audit.texts.feature_table import FeatureTable
from audit.texts.tokens import WORD, fold
from audit.texts.vectors import FURTHER, THIRTEEN, Vector, by_name

__all__ = ["CUES", "QUESTION_MARK", "View", "question_table", "shown_ngram", "tables", "views"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

QUESTION_MARK, OWN_MARK, WHOLE_MARK = "_q_", "_o_", "_option_"
"""Prefixes of words that the question has, words that no other option has, and whole options."""

_FEWEST_REPEATED = 20
"""Rows whose option occurs in another item as well, below which whole options say nothing."""

_TAGGED = ("word-1-tfidf", "word-1-presence", "word-2-presence")
"""Weightings of marked words: TF is to TF-IDF as in the unmarked vectors, and short options have no counts above 1."""

CUES = Vector("option-cues", "option cues", "dense", "", 0, "")
"""Ranks within the item of length, rarity and likeness to the other options, and words such as "always"."""


@dataclass(frozen=True)
class View:
    """One feature vector of options."""

    name: str
    """Stable name: `question:word-1-presence`; that of the vector itself for the option alone."""
    label: str
    """Label in reports."""
    table: str
    """Which of `tables` it is drawn from."""
    vector: Vector
    with_question: bool
    """Whether it sees the question at all; all others are options only."""
    counted: bool = True


def views(pool: Pool) -> tuple[View, ...]:
    """The vectors of this benchmark, in the order of the report."""
    alone = [
        View(vector.name, vector.label, "option", vector, False, vector.name != "length")
        for vector in (*THIRTEEN, *FURTHER)
    ]
    others = [View(CUES.name, CUES.label, "option", CUES, False)]
    others += [
        View(f"others:{name}", _label(name, "vs other options"), "others", by_name(name), False) for name in _TAGGED
    ]
    if _whole(pool):
        others.append(View("whole", "whole option", "whole", by_name("word-1-presence"), False))
    asked = [View(f"question:{name}", _label(name, "vs question"), "question", by_name(name), True) for name in _TAGGED]
    likeness = replace(CUES, name="question-cues", label="option cues vs question")
    asked.append(View(likeness.name, likeness.label, "question", likeness, True))
    return (*alone, *others, *asked)


def _label(name: str, against: str) -> str:
    """`word 1-grams vs question, TF-IDF`."""
    grams, _, weighting = by_name(name).label.partition(", ")
    return f"{grams} {against}, {weighting}"


def tables(pool: Pool, groups: Ints | None = None) -> dict[str, FeatureTable]:
    """The counts behind `views`: `option`, `others`, `question` and, where options repeat, `whole`.

    `groups` (n,) are those of the items, by default each its own.
    """
    values = cue_values(pool, groups)
    plain = FeatureTable.build(pool.texts, dense=("readability", "length", "format"))
    own = FeatureTable.build(_against_others(pool), levels=("word",), dense=())
    built = {
        "option": replace(plain, numbers={**plain.numbers, CUES.name: values[:, : len(ALONE)]}),
        "others": own,
        "question": _beside(pool, values),
    }
    whole = _whole(pool)
    if whole:
        built["whole"] = FeatureTable.build(whole, levels=("word",), dense=())
    return built


def question_table(pool: Pool, groups: Ints | None = None) -> FeatureTable:
    """The counts behind the views that see the question."""
    return _beside(pool, cue_values(pool, groups))


def _beside(pool: Pool, values: Floats) -> FeatureTable:
    asked = FeatureTable.build(_against_question(pool), levels=("word",), dense=())
    return replace(asked, numbers={"question-cues": values[:, : len(ALONE) + len(AGAINST)]})


def shown_ngram(ngram: str) -> str:
    """An n-gram of a marked text as a reader should see it: `most [in question]`, `not [only here]`."""
    words = []
    for word in ngram.split(" "):
        if word.startswith(QUESTION_MARK):
            words.append(f"{word.removeprefix(QUESTION_MARK)} [in question]")
        elif word.startswith(OWN_MARK):
            words.append(f"{word.removeprefix(OWN_MARK)} [only here]")
        else:
            words.append(word)
    return " ".join(words)


def _against_question(pool: Pool) -> list[str]:
    """Each option with a mark before every word that its question has."""
    out: list[str] = []
    for question, first, last in zip(pool.questions, pool.start[:-1].tolist(), pool.start[1:].tolist(), strict=True):
        known = frozenset(WORD.findall(fold(question)))
        for text in pool.texts[first:last]:
            words = WORD.findall(fold(text))
            out.append(" ".join(f"{QUESTION_MARK}{word}" if word in known else word for word in words))
    return out


def _against_others(pool: Pool) -> list[str]:
    """Each option without the words that all options of its item have, and a mark before those that only it has."""
    out: list[str] = []
    for first, last in zip(pool.start[:-1].tolist(), pool.start[1:].tolist(), strict=True):
        words = [WORD.findall(fold(text)) for text in pool.texts[first:last]]
        having = Counter(word for of in words for word in dict.fromkeys(of))
        for of in words:
            kept = (word for word in of if having[word] < last - first)
            out.append(" ".join(f"{OWN_MARK}{word}" if having[word] == 1 else word for word in kept))
    return out


def _whole(pool: Pool) -> list[str]:
    """Each option as one word, its number among all options; empty where hardly any option occurs in two items."""
    number = {text: place for place, text in enumerate(sorted(set(pool.folded)))}
    ids = np.array([number[text] for text in pool.folded])
    if int((np.bincount(ids)[ids] > 1).sum()) < _FEWEST_REPEATED:
        return []
    return [f"{WHOLE_MARK}{place}" for place in ids.tolist()]
