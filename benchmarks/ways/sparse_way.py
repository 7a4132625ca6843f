"""The paper's protocol as well as scikit-learn can do it, for `audit_speed` to time: sparse from end to end.

One CountVectorizer per level counts unigrams and bigrams together; all six vectors of a level are made from these
counts, which stay CSR through TfidfTransformer, SelectKBest and the fits. L2 is fitted by newton-cg, which converges
(lbfgs, the default, often stops at 100 iterations), L1 by liblinear. Readability is the audit's own, because
scikit-learn has none. One thread: liblinear keeps its random state for the whole process.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from measured_process import Outcome, run
from plain_way import Floats, Ints, classifiers, gpt2_tokens, select_and_score
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.preprocessing import StandardScaler, normalize

from hansproof.audit.probes.folds import paper_split
from hansproof.audit.texts.readability import readability
from hansproof.audit.texts.tokens import cut

__all__ = ["probe", "weighted"]


def weighted(counts: list[sp.csr_matrix], weighting: str) -> list[sp.csr_matrix]:
    """The training part and the parts after it with the weights of the first; a row without n-grams stays zero."""
    if weighting == "tf":
        return [normalize(part.astype(np.float64), norm="l1") for part in counts]
    if weighting == "presence":
        return [(part > 0).astype(np.float64) for part in counts]
    transformer = TfidfTransformer().fit(counts[0])
    return [transformer.transform(part) for part in counts]


def probe(texts: Sequence[str], y: Ints, labels: int) -> dict[str, Outcome]:
    """Each of the thirteen vectors: 39 fits on N texts with label numbers y (N,)."""
    parts = paper_split(len(y))
    train, *rest = ([texts[row] for row in part] for part in parts)
    gold = [y[part] for part in parts]
    models = classifiers(labels, l2_solver="newton-cg")
    outcomes = {}
    for level in ("word", "gpt2"):
        options: dict[str, Any] = {"tokenizer": gpt2_tokens, "token_pattern": None} if level == "gpt2" else {}
        vectoriser = CountVectorizer(strip_accents="unicode", min_df=2, ngram_range=(1, 2), **options)
        both = [vectoriser.fit_transform(train), *map(vectoriser.transform, rest)]
        unigrams = [" " not in name for name in vectoriser.get_feature_names_out()]
        for n, counts in ((1, [part[:, unigrams] for part in both]), (2, both)):
            for weighting in ("tf", "tfidf", "presence"):
                X = weighted(counts, weighting)
                best = SelectKBest(f_classif, k=min(20_000, X[0].shape[1])).fit(X[0], gold[0])
                X = [best.transform(part) for part in X]
                outcomes[f"{level}-{n}-{weighting}"] = select_and_score(X, gold, labels, models)
    numbers: Floats = readability(texts, cut(texts))
    scaler = StandardScaler().fit(numbers[parts[0]])
    X = [scaler.transform(numbers[part]) for part in parts]
    outcomes["readability"] = select_and_score(X, gold, labels, models)
    return outcomes


def warm_up() -> Callable[[Sequence[str], Ints, int], dict[str, Outcome]]:
    """Load what loads on first use, and return the function to time."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    warnings.filterwarnings("ignore", module="sklearn.feature_selection")  # constant columns
    readability(["Nothing is counted yet. This only warms up."], cut(["Nothing."]))
    gpt2_tokens("nothing")
    return probe


if __name__ == "__main__":
    run(warm_up)
