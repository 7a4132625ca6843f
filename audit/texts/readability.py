"""Readability: words, syllables and sentences counted once; nine measures, grades and length."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from hansproof.audit.texts.tokens import Pieces

__all__ = ["LENGTHS", "grades", "length", "readability"]

# MacIntyre's conventions (1995) as nltk's NLTKWordTokenizer applies them; the tests compare the two. They are written
# out here because importing nltk loads scikit-learn and pandas: 1.2 s and 150 MB in every audit.

_STOPS = (".", ",", ";", ":", "?", "!")
_PARTED = frozenset({"cannot", "gimme", "gonna", "gotta", "lemme", "wanna"})
_LETTER = re.compile(r"[^\W\d_]")

# The order matters: a later rule sees the blanks that the earlier ones put in. The flag says that a rule needs an
# apostrophe, which most runs do not have.
_RULES: tuple[tuple[bool, re.Pattern[str], str], ...] = (
    # An apostrophe opens a quotation unless a clitic follows it.
    (True, re.compile(r"(?i)(?<!\w)'(?!(?:re|ve|ll|[mtsdn])\b)(?=\w)"), "' "),
    # The full stop that ends the run, and whatever closes after it.
    (False, re.compile(r"(?<=[^.])\.[\])}>\"'»”’]*$"), " "),
    # Not within numbers. Each match takes the next character along, so of two commas the second stays with its word.
    (False, re.compile(r"[:,](\D|$)"), r" , \1"),
    (False, re.compile(r"[«“‘„`;@#$%&?!\u2012-\u2015]|\.{2,}"), " "),
    (True, re.compile(r"(?<=[^'])' "), " ' "),
    (False, re.compile(r"[»”’\"\[\](){}<>*]|--|''|$"), " "),
    # Clitics, one per word in each of the two rounds.
    (True, re.compile(r"(?<=[^' ])('[sSmMdD]?) "), r" \1 "),
    (True, re.compile(r"(?<=[^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) "), r" \1 "),
    # Two words written as one.
    (False, re.compile(r"(?i)\b(?=(?:cannot|d'ye|gimme|gonna|gotta|lemme|more'n)\b|wanna )"
                       r"(can|d|gim|gon|got|lem|more|wan)(\w+|'ye|'n)"), r" \1 \2 "),
    (True, re.compile(r"(?i) 't(is)\b"), r" \1 "),
    (True, re.compile(r"(?i) 't(was)\b"), r" \1 "),
)  # fmt: skip


def words(run: str) -> list[str]:
    """The tokens of one folded run that are letters only (`str.isalpha`): `don't.` has `do`, `2nd` has none."""
    core = run[:-1] if run.endswith(_STOPS) else run
    if core.isalpha() and core.lower() not in _PARTED:  # the rules would say the same, ten times slower
        return [core]
    if not _LETTER.search(run):
        return []
    quoted = "'" in run
    for needs_apostrophe, pattern, replacement in _RULES:
        if quoted or not needs_apostrophe:
            run = pattern.sub(replacement, run)
    return [token for token in run.split() if token.isalpha()]


_END = re.compile(r"[.?!\u2026]")
"""What nupunkt takes for a possible end of a sentence."""


def count_sentences(texts: Sequence[str]) -> NDArray[np.int32]:
    """(N,) int32: number of sentences in each text; 0 for a text without letters.

    A line end always ends a sentence, because prompts are often lists of lines that nupunkt alone would join. A run
    without letters (dashes, the number of an item) is not a sentence. Case matters to nupunkt.
    """
    return np.array([sum(map(_sentences, text.splitlines())) for text in texts], dtype=np.int32)


@lru_cache(maxsize=1 << 16)  # prompts repeat their lines; those that never do would only fill memory
def _sentences(line: str) -> int:
    """Sentences with letters in one line."""
    import nupunkt

    end = _END.search(line)
    if end is None or _LETTER.search(line, end.end()) is None:  # nothing follows that could be a second one
        return int(_LETTER.search(line) is not None)
    return sum(_LETTER.search(sentence) is not None for sentence in nupunkt.sent_tokenize(line))


# Syllables are syllapy's; nothing needs the network.

_LETTERS_BY_VALUE = {1: "aeilnorstu", 2: "dg", 3: "bcmp", 4: "fhvwy", 5: "k", 8: "jx", 10: "qz"}
_VALUES = bytearray(256)
for _value, _letters in _LETTERS_BY_VALUE.items():
    for _letter in _letters:
        _VALUES[ord(_letter)] = _value


def scrabble_value(word: str) -> int:
    """The sum of the values of the letters of `word` in the English set; `quiz` is 10 + 1 + 1 + 10 = 22."""
    return sum(word.lower().encode("ascii", "ignore").translate(_VALUES))


def _syllables(word: str) -> int:
    """At least 1: syllapy finds none in some abbreviations and in other scripts, but a spoken word has one."""
    import syllapy

    # A folded word is in the dictionary as it stands, or syllapy has to count.
    known: int | None = syllapy.WORD_DICT.get(word)
    return max(1, syllapy.count(word) if known is None else known)


MEASURES = (
    "flesch reading ease",
    "gunning fog",
    "smog",
    "forcast",
    "scrabble",
    "words",
    "words per sentence",
    "type-token ratio",
    "yule's k",
)


def readability(texts: Sequence[str], pieces: Pieces) -> NDArray[np.float64]:
    """(N, 9) float64 in the order of `MEASURES`, not standardised; all zero for a text without words.

    Each run of non-space characters is cut into words on its own. A distinct run is therefore cut once however
    often it occurs, and a full stop comes off its word everywhere, not only at the end of a text.
    A text has W words in S sentences: Y syllables, W1 words of one syllable, W3 of three or more, V distinct words,
    of which V(m) occur m times.

    - Flesch reading ease = 206.835 - 1.015 W/S - 84.6 Y/W. Flesch (1948)
    - Gunning fog = 0.4 (W/S + 100 W3/W), without exempting proper nouns and inflected endings. Gunning (1952)
    - SMOG, regression equation C = 0.9986 sqrt(30 W3/S + 5) + 2.8795. McLaughlin (1969)
    - FORCAST = 20 - (150 W1/W) / 10: scaled to a sample of 150 words. Caylor et al. (1973)
    - mean over words of the sum of their letters' Scrabble values (English set, 1 to 10; other letters 0)
    - W
    - W/S
    - type-token ratio = V/W
    - Yule's K = 10,000 (sum over m of m^2 V(m) - W) / W^2. Yule (1944)
    """
    find_words = cache(words)
    ids: dict[str, int] = {}
    stream = pieces.tokens(
        lambda piece: [ids.setdefault(word, len(ids)) for run in piece.split() for word in find_words(run)]
    )
    n = len(texts)
    counts = csr_matrix((np.ones(len(stream.tokens), np.int32), stream.tokens, stream.starts), shape=(n, len(ids)))
    counts.sum_duplicates()
    per_word = np.array([_syllables(word) for word in ids], dtype=np.int32)
    squared = counts.astype(np.float64).power(2)
    everything = np.ones(counts.shape[1])
    total = counts @ everything
    types = np.diff(counts.indptr).astype(np.float64)
    syllables = counts @ per_word.astype(np.float64)
    short = counts @ (per_word == 1).astype(np.float64)
    long = counts @ (per_word >= 3).astype(np.float64)
    scrabble = counts @ np.array([scrabble_value(word) for word in ids], dtype=np.float64)
    result = np.zeros((n, len(MEASURES)))
    has = total > 0
    w, s = total[has], np.maximum(count_sentences(texts)[has], 1)
    result[has] = np.column_stack([
        206.835 - 1.015 * w / s - 84.6 * syllables[has] / w,
        0.4 * (w / s + 100 * long[has] / w),
        0.9986 * np.sqrt(30 * long[has] / s + 5) + 2.8795,
        20 - 150 * short[has] / w / 10,
        scrabble[has] / w,
        w,
        w / s,
        types[has] / w,
        10_000 * ((squared @ everything)[has] - w) / w**2,
    ])  # fmt: skip
    return result


# The length of a text, counted four ways: the simplest shortcut of all. A vector outside the thirteen.

LENGTHS = ("characters", "words", "sentences", "digits")

_DIGIT = re.compile(r"\d")


def length(texts: Sequence[str]) -> NDArray[np.float64]:
    """(N, 4) float64: characters, words (runs between white space), sentences, decimal digits; not standardised."""
    result = np.zeros((len(texts), len(LENGTHS)))
    for row, text in enumerate(texts):
        result[row] = len(text), len(text.split()), 0, len(_DIGIT.findall(text))
    result[:, 2] = count_sentences(texts)
    return result


# Only the measures of textstat that need no corpus: it downloads one to count syllables. Importing textstat loads nltk,
# scikit-learn and pandas.

GRADES = (
    "coleman_liau_index",
    "automated_readability_index",
    "lix",
    "rix",
    "mcalpine_eflaw",
    "lexicon_count",
    "letter_count",
    "sentence_count",
)


def grades(texts: Sequence[str]) -> NDArray[np.float64]:
    """(N, 8) float64: textstat's `GRADES` of each text, not standardised; zeros for a text without words.

    Coleman & Liau (1975); Senter & Smith (1967) for the automated readability index; Björnsson (1968) for
    LIX; Anderson (1983) for RIX; McAlpine (2005) for EFLAW. textstat counts words and sentences its own way, which is
    not that of `readability`.
    """
    import textstat

    functions = [getattr(textstat, name) for name in GRADES]
    known: dict[str, list[float]] = {}
    for text in texts:
        if text not in known:
            known[text] = [float(function(text)) for function in functions]
    return np.array([known[text] for text in texts], dtype=np.float64).reshape(len(texts), len(GRADES))
