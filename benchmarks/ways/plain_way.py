"""The paper's protocol as a plain scikit-learn script writes it, for `audit_speed` to time.

One vectoriser per feature vector, dense matrices, SelectKBest, three LogisticRegression fits, readability text by
text, one thing after the other. It runs in its own process: paths come on the command line (see `measured_process`)
and figures leave as JSON. It shares with the audit only what a fair comparison needs: the loader, the split, GPT-2's
vocabulary and the folding of letters.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import nupunkt
import sklearn
import syllapy
from measured_process import Outcome, run
from nltk.tokenize import NLTKWordTokenizer
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import StandardScaler

from hansproof.audit.probes.folds import paper_split
from hansproof.audit.texts.tokens import encoding, fold

__all__ = ["classifiers", "gpt2_tokens", "probe", "readability", "select_and_score"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SCRABBLE = {
    letter: value
    for value, letters in
    ((1, "aeilnorstu"), (2, "dg"), (3, "bcmp"), (4, "fhvwy"), (5, "k"), (8, "jx"), (10, "qz"))
    for letter in letters
}  # fmt: skip
_LETTER = re.compile(r"[^\W\d_]")
# The audit cuts each run between blanks on its own, so marks come off every word, not only off a text's first and
# last. Having nltk do the same would take eight to twenty times as long and gain nothing.
_MARKS = re.compile(r"^'(?!(?:re|ve|ll|m|t|s|d|n)$)|'?\.$")
_NLTK = NLTKWordTokenizer()


def readability(text: str) -> list[float]:
    """The nine numbers of `audit.texts.readability.measures` for one text; zeros if it has no words."""
    tokens = _NLTK.tokenize(fold(text))
    words = [word for token in tokens if (word := token if token.isalpha() else _MARKS.sub("", token)).isalpha()]
    lines = [line for line in text.splitlines() if line]
    sentences = [sentence for line in lines for sentence in nupunkt.sent_tokenize(line)]
    s = max(1, sum(_LETTER.search(sentence) is not None for sentence in sentences))
    if not words:
        return [0.0] * 9
    w, counts = len(words), Counter(words)
    syllables = [max(1, syllapy.count(word)) for word in words]
    short, long = syllables.count(1), sum(number >= 3 for number in syllables)
    return [
        206.835 - 1.015 * w / s - 84.6 * sum(syllables) / w,
        0.4 * (w / s + 100 * long / w),
        0.9986 * (30 * long / s + 5) ** 0.5 + 2.8795,
        20 - 150 * short / w / 10,
        sum(SCRABBLE.get(letter, 0) for word in words for letter in word) / w,
        w,
        w / s,
        len(counts) / w,
        10_000 * (sum(times**2 for times in counts.values()) - w) / w**2,
    ]


def gpt2_tokens(text: str) -> list[str]:
    """GPT-2's token numbers as strings, because CountVectorizer joins the two parts of a bigram with a blank."""
    return [str(token) for token in encoding().encode_ordinary(text)]


def classifiers(labels: int, l2_solver: str = "lbfgs") -> list[tuple[str, Any]]:
    """The three regressions by name, at scikit-learn's defaults but for penalty and solver; one-vs-rest for L1."""
    # scikit-learn 1.8 renamed the option.
    old = tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8)
    sparse = {"penalty": "l1"} if old else {"l1_ratio": 1.0}

    def l1(C: float) -> Any:
        model = LogisticRegression(C=C, solver="liblinear", random_state=0, **sparse)
        return model if labels == 2 else OneVsRestClassifier(model)

    return [("L2 C=1", LogisticRegression(C=1.0, solver=l2_solver)), ("L1 C=1", l1(1.0)), ("L1 C=0.1", l1(0.1))]


def ngrams(train: list[str], rest: list[list[str]], y: Ints, *, level: str, n: int, weighting: str) -> list[Floats]:
    """Dense matrices of the training texts and of each list in `rest`."""
    options: dict[str, Any] = {
        "lowercase": True, "strip_accents": "unicode", "min_df": 2, "ngram_range": (1, n)
    }  # fmt: skip
    if level == "gpt2":
        options |= {"tokenizer": gpt2_tokens, "token_pattern": None}
    if weighting == "tfidf":
        vectoriser = TfidfVectorizer(**options)
    else:
        vectoriser = CountVectorizer(**options, binary=weighting == "presence")
    X = [vectoriser.fit_transform(train).toarray()]
    X += [vectoriser.transform(texts).toarray() for texts in rest]
    if weighting == "tf":
        # A text with nothing of the vocabulary stays a row of zeros.
        X = [counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) for counts in X]
    best = SelectKBest(f_classif, k=min(20_000, X[0].shape[1])).fit(X[0], y)
    return [best.transform(part) for part in X]


def select_and_score(X: list[Any], y: list[Ints], labels: int, models: list[tuple[str, Any]]) -> Outcome:
    """Fit on the first part, choose on the second, score the third; X is dense or sparse."""
    best, accuracy, chosen = None, -1.0, ""
    for name, model in models:
        model.fit(X[0], y[0])
        right = float((model.predict(X[1]) == y[1]).mean())
        if right > accuracy:
            best, accuracy, chosen = model, right, name
    predicted = best.predict(X[2]) if best is not None else y[2]
    uniform = ((predicted == y[2]).mean() - 1 / labels) / (1 - 1 / labels)
    cohen = float(cohen_kappa_score(y[2], predicted))
    return Outcome(cohen, float(uniform), accuracy, chosen, [int(label) for label in predicted])


def probe(texts: Sequence[str], y: Ints, labels: int) -> dict[str, Outcome]:
    """Each of the thirteen vectors: 39 fits on N texts with label numbers y (N,)."""
    parts = paper_split(len(y))
    train, *rest = ([texts[row] for row in part] for part in parts)
    gold = [y[part] for part in parts]
    models = classifiers(labels)
    outcomes = {}
    for level in ("word", "gpt2"):
        for n in (1, 2):
            for weighting in ("tf", "tfidf", "presence"):
                X = ngrams(train, rest, gold[0], level=level, n=n, weighting=weighting)
                outcomes[f"{level}-{n}-{weighting}"] = select_and_score(X, gold, labels, models)
    numbers = np.array([readability(text) for text in texts])
    scaler = StandardScaler().fit(numbers[parts[0]])
    X = [scaler.transform(numbers[part]) for part in parts]
    outcomes["readability"] = select_and_score(X, gold, labels, models)
    return outcomes


def warm_up() -> Callable[[Sequence[str], Ints, int], dict[str, Outcome]]:
    """Load what loads on first use, and return the function to time."""
    # lbfgs stops at its 100 iterations, as in the published code; SelectKBest meets constant columns.
    warnings.simplefilter("ignore", ConvergenceWarning)
    warnings.filterwarnings("ignore", module="sklearn.feature_selection")
    readability("Nothing is counted yet. It only warms up.")
    gpt2_tokens("nothing")
    return probe


if __name__ == "__main__":
    run(warm_up)
