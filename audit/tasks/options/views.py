"""What a probe sees of an option: its simplest cues, the option alone, its words against the others'."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hansproof.audit.tasks.options.option_rows import Floats, Ints, OptionPool
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.tokens import WORD, fold
from hansproof.audit.texts.vectors import FURTHER, THIRTEEN, Vector, by_name

__all__ = [
    "AGAINST",
    "ALONE",
    "ASKING",
    "CUES",
    "MEASURED",
    "UNCOUNTED",
    "WORDS",
    "cue_values",
    "question_table",
    "ranks_within",
    "shown_ngram",
    "tables",
    "views",
]

# Each is also ranked within the item, from 0 (least) to 1 (most), equal ones sharing their mean rank: "the longest"
# means the same in every item.

RANKED = ("characters", "words", "rarity", "likeness to the other options", "digits")
WORDS = ("all or none of the above", "absolutes", "hedges", "negations")
ALONE = tuple(name for ranked in RANKED for name in (ranked, f"rank of {ranked}")) + WORDS
"""Columns that need no question."""
AGAINST = ("likeness to the question", "rank of likeness to the question", "share of its words in the question")
"""Columns that do."""
FORMS = ("marks of Markdown", "refusals", "opens like the question", "commonness of the opening")
"""How an option is written, whatever it says: simple rules go by it, no probe."""
MEASURED = (*ALONE, *AGAINST, *FORMS)
"""What simple rules choose by: the numbers `rules` of the table `question`."""

_ABOVE = re.compile(
    r"\b(?:(?:all|none|any|neither|both|either|two|more) (?:(?:one )?of )?(?:the |these|those|them)?"
    r"(?:above|following|preceding|foregoing|these|those|them|other options|options|choices|answers|statements)"
    r"|both [a-h1-9] (?:and|&) [a-h1-9]|[a-h1-9] (?:and|&) [a-h1-9] (?:only|both)|not enough information"
    r"|cannot be determined)\b"
)
_ABSOLUTE = re.compile(
    r"\b(?:always|never|only|all|every|everyone|everything|nobody|nothing|none|must|completely|entirely|totally"
    r"|absolutely|impossible|cannot|solely|exclusively|invariably|purely)\b"
)
_HEDGE = re.compile(
    r"\b(?:may|might|can|could|usually|often|sometimes|generally|typically|probably|likely|possibly|perhaps|some|most"
    r"|many|tend|tends|mainly|mostly|largely|partly|rarely|seldom|almost|about|approximately)\b"
)
_NEGATION = re.compile(r"\b(?:not|no|nor|without|neither)\b|n['’]t\b")
_PATTERNS = (_ABOVE, _ABSOLUTE, _HEDGE, _NEGATION)

_BLOCK = 4096
"""Items handled at a time."""


def cue_values(pool: OptionPool, groups: Ints | None = None) -> Floats:
    """(R, ALONE + AGAINST) float64, not standardised; `groups` (n,) are those of the items, by default each its own.

    How rare a word is depends on the number of groups that have it, not of items: otherwise words that right options
    of one passage share would look common, and an item would be told by others of its own group.
    """
    of_row = pool.item if groups is None else groups[pool.item]
    option_counts, question_counts, rarity = _counted(pool.texts, pool.questions, of_row)
    alike, shared, share = likeness(option_counts, question_counts, rarity, pool)
    total = np.maximum(np.asarray(option_counts.sum(axis=1)).ravel(), 1)
    ranked = [
        np.log1p(_each(pool.texts, len)),
        np.log1p(_each(pool.texts, lambda text: len(text.split()))),
        option_counts @ rarity / total,
        alike,
        np.log1p(_each(pool.texts, lambda text: sum(map(str.isdigit, text)))),
    ]
    columns = [column for values in ranked for column in (values, ranks_within(values, pool.start))]
    flags = _each(pool.texts, _flags)
    columns += [np.floor(flags / 2**place) % 2 for place in range(len(_PATTERNS))]
    columns += [shared, ranks_within(shared, pool.start), share]
    return np.stack(columns, axis=1)


def _each(texts: Sequence[str], of: Callable[[str], float]) -> Floats:
    return np.fromiter(map(of, texts), dtype=np.float64, count=len(texts))


def _flags(text: str) -> int:
    """Which of the patterns occur, as the bits of a number."""
    folded = fold(text)
    return sum(2**place for place, pattern in enumerate(_PATTERNS) if pattern.search(folded))


def ranks_within(values: Floats, start: Ints) -> Floats:
    """(R,) the rank of each row within its item, 0 for the least and 1 for the most; equal values share their mean."""
    size = np.diff(start)
    item = np.repeat(np.arange(len(size)), size)
    rounded = np.round(values, 10)
    order = np.lexsort((rounded, item))
    sorted_item, sorted_value = item[order], rounded[order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (sorted_item[1:] != sorted_item[:-1]) | (sorted_value[1:] != sorted_value[:-1])
    run = np.cumsum(fresh) - 1
    place = np.arange(len(order)) - start[sorted_item]
    mean = np.bincount(run, weights=place) / np.bincount(run)
    ranks = np.empty(len(order))
    ranks[order] = mean[run]
    return np.asarray(ranks / np.maximum(size - 1, 1)[item])


def likeness(options: sp.csr_matrix, questions: sp.csr_matrix, rarity: Floats, pool: OptionPool) -> tuple[Floats, ...]:
    """(R,) mean cosine with the other options of the item; cosine with the question; share of words in the question.

    Words weigh by their rarity. The mean cosine comes from the sum of the item's unit vectors, so time is linear. The
    question of an item stands beside each of its options, so items are taken in blocks: a million options with
    questions of fifty words would fill 600 MB otherwise.
    """
    out: list[list[Floats]] = [[], [], []]
    for first in range(0, pool.n, _BLOCK):
        last = min(first + _BLOCK, pool.n)
        rows = slice(int(pool.start[first]), int(pool.start[last]))
        item, size = pool.item[rows] - first, pool.size[first:last]
        own, asked = options[rows], questions[first:last]
        unit = _unit(own, rarity)
        member = sp.csr_matrix((np.ones(len(item)), (item, np.arange(len(item)))))
        squares = np.asarray(unit.multiply(unit).sum(axis=1)).ravel()
        sums = np.asarray(unit.multiply((member @ unit)[item]).sum(axis=1)).ravel()
        total = np.maximum(np.asarray(own.sum(axis=1)).ravel(), 1)
        out[0].append((sums - squares) / np.maximum(size - 1, 1)[item])
        out[1].append(np.asarray(unit.multiply(_unit(asked, rarity)[item]).sum(axis=1)).ravel())
        out[2].append(np.asarray(own.multiply(asked[item] > 0).sum(axis=1)).ravel() / total)
    return tuple(np.concatenate(parts) for parts in out)


def _counted(texts: Sequence[str], asked: Sequence[str], groups: Ints) -> tuple[sp.csr_matrix, sp.csr_matrix, Floats]:
    """Counts of the words of options (R, W) and questions (n, W), and the rarity of each word (W,).

    Rarity is the logarithm of all groups over those with the word in an option, with one more of each, so that it is at
    least 0; `groups` (R,) are those of the options.
    """
    ids: dict[str, int] = {}
    options, questions = _numbered(texts, ids), _numbered(asked, ids)
    counts = [_matrix(*numbered, len(ids)) for numbered in (options, questions)]
    member = sp.csr_matrix((np.ones(len(groups)), (groups, np.arange(len(groups)))))
    having = np.bincount((member @ counts[0]).tocsr().indices, minlength=counts[0].shape[1])
    return counts[0], counts[1], np.log((1 + len(np.unique(groups))) / (1 + having))


def _numbered(texts: Sequence[str], ids: dict[str, int]) -> tuple[NDArray[np.int32], Ints]:
    """The numbers of all words, text after text, and where each text begins; `ids` gets the words that are new."""
    numbers, starts = array("i"), array("q", [0])
    for text in texts:
        numbers.extend([ids.setdefault(word, len(ids)) for word in WORD.findall(fold(text))])
        starts.append(len(numbers))
    return np.array(numbers, dtype=np.int32), np.array(starts, dtype=np.int64)


def _matrix(indices: NDArray[np.int32], indptr: Ints, width: int) -> sp.csr_matrix:
    matrix = sp.csr_matrix((np.ones(len(indices)), indices, indptr), shape=(len(indptr) - 1, max(width, 1)))
    matrix.sum_duplicates()
    return matrix


def _unit(counts: sp.csr_matrix, rarity: Floats) -> sp.csr_matrix:
    """Rows of length 1, weighted by rarity; a row without words stays 0."""
    weighted = counts.copy()
    weighted.data = weighted.data * rarity[weighted.indices]
    length = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    return sp.diags_array(1 / np.where(length > 0, length, 1)) @ weighted


_MARKDOWN = re.compile(
    r"^[ \t]{0,3}(?:#{1,6}[ \t]+\S|(?:[-*+]|\d{1,3}[.)])[ \t]+\S|```|>[ \t])|\*\*[^*\n]+\*\*|`[^`\n]+`", re.M
)
"""Headings, list items, code, quotations at the beginning of a line; bold words and code within it."""

_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am) (?:(?:so|very|really|just|only) )?(?:sorry|an ai|not able|unable|not programmed)"
    r"|i (?:must |have to )?apologi[sz]e|as an? (?:ai|(?:large )?language model)|don't feel comfortable"
    r"|(?:i|we) (?:can ?not|can't|won't|will not|could not|couldn't))\b"
)
"""English only: `I cannot`, `I'm sorry`, `As an AI`."""

_BEGINNING, _OPENING = 400, 2
"""Characters among which a refusal stands, and words of an opening."""


def form_values(pool: OptionPool) -> Floats:
    """(R, FORMS) float64.

    An opening is as common as there are items with an option that has it.
    """
    beginnings = [fold(text[:_BEGINNING]).replace("’", "'") for text in pool.texts]
    openings = [tuple(WORD.findall(text)[:_OPENING]) for text in beginnings]
    asked = [tuple(WORD.findall(fold(question[:_BEGINNING]))[:_OPENING]) for question in pool.questions]
    items = pool.item.tolist()
    common = Counter(opening for _, opening in sorted({*zip(items, openings, strict=True)}))
    columns = [
        [len(_MARKDOWN.findall(text)) for text in pool.texts],
        [_REFUSAL.search(text) is not None for text in beginnings],
        [opening == asked[item] for item, opening in zip(items, openings, strict=True)],
        [common[opening] for opening in openings],
    ]
    return np.array(columns, dtype=np.float64).T


# Scores are compared within an item, so whatever is equal for all options of an item cancels; in a linear probe that is
# the question itself, joined to each option (a test shows it). So the question comes in by marking the words of the
# option that it has, and the other options by marking those that no other option has. Token pieces and format say
# nothing of overlap that words do not. "Whole option" sees only which option it is, where options repeat.

QUESTION_MARK, OWN_MARK, WHOLE_MARK = "_q_", "_o_", "_option_"
"""Prefixes of words that the question has, words that no other option has, and whole options."""

_FEWEST_REPEATED = 20
"""Rows whose option occurs in another item as well, below which whole options say nothing."""

_TAGGED = ("word-1-tfidf", "word-1-presence", "word-2-presence")
"""Weightings of marked words: TF is to TF-IDF as in the unmarked vectors, and short options have no counts above 1."""

CUES = Vector("option-cues", "option cues", "dense", "", 0, "", "option")
"""Ranks within the item of length, rarity and likeness to the other options, and words such as "always"."""


ASKING = "question"
"""The table of the views that see the question at all; all others are options only."""


def views(pool: OptionPool) -> tuple[Vector, ...]:
    """The vectors of this benchmark by the table that they are drawn from, in the order of the report.

    A name says what is beside the option: `question:word-1-presence`; that of the vector itself for the option alone.
    """
    whole = replace(by_name("word-1-presence"), name="whole", label="whole option", table="whole")
    known = [
        *(replace(vector, table="option") for vector in (*THIRTEEN, *FURTHER)),
        CUES,
        *_tagged("others", "vs other options"),
        *([whole] if _whole(pool) else []),
        *_tagged(ASKING, "vs question"),
        replace(CUES, name="question-cues", label="option cues vs question", table=ASKING),
    ]
    return tuple(replace(view, label=pool.worded(view.label)) for view in known)


UNCOUNTED = "length"
"""The view that decides no verdict: the ranks of length within the item say more."""


def _tagged(table: str, against: str) -> Iterator[Vector]:
    """The vectors of marked words: `word 1-grams vs question, TF-IDF`."""
    for plain in map(by_name, _TAGGED):
        grams, _, weighting = plain.label.partition(", ")
        yield replace(plain, name=f"{table}:{plain.name}", label=f"{grams} {against}, {weighting}", table=table)


def tables(pool: OptionPool, groups: Ints | None = None) -> dict[str, FeatureTable]:
    """The counts behind `views`: `option`, `others`, `question` and, where options repeat, `whole`.

    `groups` (n,) are those of the items, by default each its own.
    """
    values = cue_values(pool, groups)
    plain = FeatureTable.build(pool.texts, dense=("readability", "length", "format"))
    own = FeatureTable.build(_against_others(pool), levels=("word",), dense=())
    asked = question_table(pool, values)
    built = {
        "option": replace(plain, numbers={**plain.numbers, CUES.name: values[:, : len(ALONE)]}),
        "others": own,
        "question": replace(asked, numbers={**asked.numbers, "rules": np.hstack([values, form_values(pool)])}),
    }
    whole = _whole(pool)
    if whole:
        built["whole"] = FeatureTable.build(whole, levels=("word",), dense=())
    return built


def question_table(pool: OptionPool, values: Floats) -> FeatureTable:
    """The counts behind the views that see the question; `values` are those of `cue_values`."""
    asked = FeatureTable.build(_against_question(pool), levels=("word",), dense=())
    return replace(asked, numbers={"question-cues": values[:, : len(ALONE) + len(AGAINST)]})


def shown_ngram(ngram: str, asked: str = "question") -> str:
    """An n-gram of a marked text as a reader should see it: `most [in question]`, `not [only here]`."""
    words = []
    for word in ngram.split(" "):
        if word.startswith(QUESTION_MARK):
            words.append(f"{word.removeprefix(QUESTION_MARK)} [in {asked}]")
        elif word.startswith(OWN_MARK):
            words.append(f"{word.removeprefix(OWN_MARK)} [only here]")
        else:
            words.append(word)
    return " ".join(words)


def _against_question(pool: OptionPool) -> list[str]:
    """Each option with a mark before every word that its question has."""
    out: list[str] = []
    for question, first, last in zip(pool.questions, pool.start[:-1].tolist(), pool.start[1:].tolist(), strict=True):
        known = frozenset(WORD.findall(fold(question)))
        for text in pool.texts[first:last]:
            words = WORD.findall(fold(text))
            out.append(" ".join(f"{QUESTION_MARK}{word}" if word in known else word for word in words))
    return out


def _against_others(pool: OptionPool) -> list[str]:
    """Each option without the words that all options of its item have, and a mark before those that only it has."""
    out: list[str] = []
    for first, last in zip(pool.start[:-1].tolist(), pool.start[1:].tolist(), strict=True):
        words = [WORD.findall(fold(text)) for text in pool.texts[first:last]]
        having = Counter(word for of in words for word in dict.fromkeys(of))
        for of in words:
            kept = (word for word in of if having[word] < last - first)
            out.append(" ".join(f"{OWN_MARK}{word}" if having[word] == 1 else word for word in kept))
    return out


def _whole(pool: OptionPool) -> list[str]:
    """Each option as one word, its number among all options; empty where hardly any option occurs in two items."""
    number = {text: place for place, text in enumerate(sorted(set(pool.folded)))}
    ids = np.array([number[text] for text in pool.folded])
    if int((np.bincount(ids)[ids] > 1).sum()) < _FEWEST_REPEATED:
        return []
    return [f"{WHOLE_MARK}{place}" for place in ids.tolist()]
