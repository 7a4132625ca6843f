"""Words for readability: the tokens of letters only in a run of non-space characters, by Penn Treebank conventions.

`prose` calls `words` once per distinct run of the folded texts. The conventions are MacIntyre's (1995) as nltk's
NLTKWordTokenizer applies them, and every run gives exactly the words that nltk gives; the tests compare the two. They
are written out here because importing nltk loads scikit-learn and pandas: 1.2 s and 150 MB in every audit.
"""

from __future__ import annotations

import re

__all__ = ["words"]

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
