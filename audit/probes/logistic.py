"""The probe's models behind one `fit`: three logistic regressions on a prepared training set, and trees."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

__all__ = ["PUBLISHED", "REGULARISATIONS", "TREES", "Model", "Regularisation", "Training", "fit", "fit_all", "prepare"]

# Half the n-grams of a benchmark may occur in exactly the same items as another one. An L2 fit gives such twins equal
# weights, so k of them are one column times sqrt(k); for L1, every way of sharing the weight is optimal, and an even
# share favours none. Of twins of the constant 1, the intercept keeps all: of texts without them, training says nothing.

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Training:
    """Rows X (n, p) with label numbers y (n,), in the forms that the solvers need."""

    def __init__(self, X: sp.csr_matrix, y: Ints) -> None:
        self.X, self.width = X, X.shape[1]
        counts = np.bincount(y)
        self.classes = np.flatnonzero(counts)
        """Label numbers that occur, ascending."""
        self.coded: Ints = (np.cumsum(counts > 0) - 1)[y]
        """(n,) the position of each item's label among them."""

    @cached_property
    def _kinds(self) -> tuple[Ints, Ints, Ints]:
        """Last column of each kind, the kind of each column, and columns per kind.

        Two random sums tell columns apart: equal columns, added in the same order, give sums equal to the last bit.
        Kinds are in the order of their last columns, so that of the constant 1, which follows all columns, is the last.
        """
        random = np.random.Generator(np.random.PCG64(1)).random((self.X.shape[0], 2))
        sums = np.vstack([self.X.T @ random, np.add.accumulate(random)[-1:]])
        order = np.argsort(sums[:, 0])
        fresh = np.append(True, (np.diff(sums[order], axis=0) != 0).any(axis=1))
        kind = np.empty(len(order), dtype=np.int64)
        kind[order] = np.cumsum(fresh) - 1
        last = np.maximum.reduceat(order, np.flatnonzero(fresh))
        place = np.argsort(last)
        return last[place], np.argsort(place)[kind], np.bincount(kind)[place]

    @cached_property
    def _lasts(self) -> sp.csr_matrix:
        """(n, q - 1) the last column of each kind but that of the constant 1."""
        last = self._kinds[0]
        return self.X if len(last) > self.width else self.X[:, last[:-1]]

    @cached_property
    def merged(self) -> sp.csc_matrix:
        """One column per kind (n, q), for L1; the last is the intercept and its twins."""
        X, n = self._lasts.tocsc(), self.X.shape[0]
        data, rows = np.append(X.data, np.ones(n)), np.append(X.indices, np.arange(n, dtype=X.indices.dtype))
        return sp.csc_matrix((data, rows, np.append(X.indptr, len(data))), (n, X.shape[1] + 1))

    @cached_property
    def scaled(self) -> sp.csr_matrix:
        """Each kind but the constant 1 times the root of its number of columns (n, q - 1), for L2."""
        X = self._lasts
        return sp.csr_matrix((X.data * np.sqrt(self._kinds[2])[X.indices], X.indices, X.indptr), X.shape)

    def expand_l1(self, weights: Floats) -> Floats:
        """Weights (p + 1, m) of all columns, from (q, m) of the kinds; the intercept is the last of both."""
        return self._expanded(weights, self._kinds[2])

    def expand_l2(self, weights: Floats) -> Floats:
        """Likewise, of the `scaled` kinds."""
        return self._expanded(weights, np.sqrt(self._kinds[2]))

    def _expanded(self, weights: Floats, shared: NDArray[Any]) -> Floats:
        kind = self._kinds[1]
        out = (weights / shared[:, None])[kind]
        out[kind == kind[-1]] = 0.0
        out[-1] = weights[-1]
        return np.asarray(out)


# As the paper's code makes them: lbfgs stops after 100 iterations, converged or not; liblinear keeps one random state
# for the whole process, so these fits run one at a time, each from the same state.


def published_weights(X: sp.csr_matrix, y: NDArray[np.int64], penalty: str, C: float) -> NDArray[np.float64]:
    """Weights (p + 1, m), intercept last, of scikit-learn's LogisticRegression on rows X (n, p), y (n,) from 0.

    `penalty` is `l2` (lbfgs, multinomial, default iterations) or `l1` (liblinear, one label against the rest). m is 1
    for two labels.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    labels = int(y.max()) + 1
    sides = [y] if penalty == "l2" else [(y == c).astype(int) for c in ([1] if labels == 2 else range(labels))]
    columns = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for side in sides:
            model = (
                LogisticRegression(C=C)
                if penalty == "l2"
                else LogisticRegression(C=C, l1_ratio=1, solver="liblinear", random_state=0)
            )
            model.fit(X, side)
            columns.append(np.vstack([model.coef_.T, model.intercept_]))
    return np.hstack(columns)


@dataclass(frozen=True)
class Regularisation:
    """One kind of model; the paper's lambda is 1 / C."""

    name: str
    penalty: str
    C: float = 1.0
    published: bool = False
    """Whether scikit-learn fits it, as the paper's code does, instead of our compiled solvers."""
    tolerance: float = 1e-4
    """How close to the optimum our solvers stop; scikit-learn's default."""

    @property
    def linear(self) -> bool:
        """Whether the model has one weight per feature and label; trees do not."""
        return self.penalty != "trees"


REGULARISATIONS = (
    Regularisation("L2 C=1", "l2"),
    Regularisation("L1 C=1", "l1"),
    Regularisation("L1 C=0.1", "l1", 0.1),
)
"""In the paper's order, because ties in validation accuracy go to the first."""

PUBLISHED = tuple(replace(how, published=True) for how in REGULARISATIONS)
"""The same three, fitted by scikit-learn."""

TREES = Regularisation("trees", "trees")
"""Gradient-boosted trees, which the published code can also fit; never a default."""


@dataclass(frozen=True)
class Model:
    """A fitted probe on p features.

    `weights` is (p + 1, m), intercept last; with m = 1 they give the score of the second class. Trees have none.
    """

    classes: NDArray[np.int64]
    """Label numbers that occurred in training, ascending; the model predicts no others."""
    weights: Floats
    one_vs_rest: bool
    trees: Any = None

    def probabilities(self, X: sp.csr_matrix, labels: int) -> Floats:
        """(n, labels) probabilities; 0 for labels that did not occur in training."""
        out = np.zeros((X.shape[0], labels))
        if len(self.classes) == 1:
            out[:, self.classes[0]] = 1.0
        elif self.trees is not None:
            out[:, self.classes] = self.trees.predict_proba(X)
        else:
            out[:, self.classes] = self._from_scores(X @ self.weights[:-1] + self.weights[-1])
        return out

    def _from_scores(self, z: Floats) -> Floats:
        if z.shape[1] == 1:
            p = _sigmoid(z)
            return np.hstack([1.0 - p, p])
        # The floor avoids a division by 0 if all scores are hugely negative.
        p = np.maximum(_sigmoid(z), 1e-300) if self.one_vs_rest else np.exp(z - z.max(axis=1, keepdims=True))
        return np.asarray(p / p.sum(axis=1, keepdims=True))

    def label_weights(self, labels: int) -> Floats:
        """(p, labels) weight of each feature for each label; with two classes, one is the negative of the other."""
        out = np.zeros((len(self.weights) - 1, labels))
        w = self.weights[:-1]
        if len(self.classes) > 1:
            out[:, self.classes] = np.hstack([-w, w]) if w.shape[1] == 1 else w
        return out


def fit(training: Training, how: Regularisation) -> Model:
    """Fit one model; a training set with a single label gives a model that always predicts it."""
    return fit_all(training, [how])[0]


def fit_all(training: Training, candidates: Sequence[Regularisation]) -> list[Model]:
    """All candidates, in their order; an L1 fit begins where the one with the next stronger penalty ended: the path of
    penalties (Friedman, Hastie & Tibshirani 2010)."""
    models: dict[Regularisation, Model] = {}
    sides = [1] if len(training.classes) == 2 else list(range(len(training.classes)))
    path: Sequence[Floats | None] = [None] * len(sides)
    for how in sorted(candidates, key=lambda how: how.C):
        if how.penalty == "l1" and not how.published and len(training.classes) > 1:
            from hansproof.audit.probes.solver_l1 import solve_l1

            X, y = training.merged, training.coded
            ends = [solve_l1(X, y == c, how.C, begin, tol=how.tolerance) for c, begin in zip(sides, path, strict=True)]
            models[how] = Model(training.classes, training.expand_l1(np.stack(ends, axis=1)), one_vs_rest=True)
            path = ends
        else:
            models[how] = _fitted(training, how)
    return [models[how] for how in candidates]


def _fitted(training: Training, how: Regularisation) -> Model:
    classes, y = training.classes, training.coded
    k, nothing = len(classes), np.zeros((training.width + 1, 1))
    if k == 1:
        return Model(classes, nothing, one_vs_rest=False)
    if how.penalty == "trees":
        from sklearn.ensemble import GradientBoostingClassifier

        trees = GradientBoostingClassifier(n_estimators=50, max_depth=3, max_features="sqrt", random_state=0)
        return Model(classes, nothing, one_vs_rest=False, trees=trees.fit(training.X, y))
    if how.published:
        return Model(classes, published_weights(training.X, y, how.penalty, how.C), one_vs_rest=how.penalty == "l1")
    from hansproof.audit.probes.solver_l2 import solve_l2

    weights = training.expand_l2(solve_l2(training.scaled, y, k, how.C, tol=how.tolerance))
    return Model(classes, weights, one_vs_rest=False)


def prepare() -> None:
    """Compile all loops before threads need them: seconds on the first run on a machine, nothing afterwards."""
    from hansproof.audit.texts.ngrams import choose

    counts, rows = sp.csr_matrix(np.eye(2, dtype=np.int32)), np.arange(2)
    choose(counts, 2, "tf", rows, rows, max_features=2, upstream_counts=False).rows(rows)
    X = sp.csr_matrix(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]))
    training = Training(X, np.array([0, 1, 0, 1]))
    for how in REGULARISATIONS[:2]:
        fit(training, how)


def _sigmoid(z: Floats) -> Floats:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * z)))
