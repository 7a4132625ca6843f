"""The compiled solvers against scikit-learn's: the same objective, the same optimum, the same predictions."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from hansproof.audit.probes.logistic import REGULARISATIONS, TREES, Training, fit, fit_all
from hansproof.audit.probes.solver_l1 import solve_l1
from hansproof.audit.probes.solver_l2 import solve_l2


def problem(n=300, p=80, k=2, seed=0, density=0.1):
    random = np.random.default_rng(seed)
    X = sp.random(n, p, density=density, format="csr", rng=random, data_rvs=lambda m: random.integers(1, 4, m))
    X = X.astype(np.float64)
    X.indptr, X.indices = X.indptr.astype(np.int32), X.indices.astype(np.int32)
    truth = random.normal(size=(p, k))
    y = np.argmax(X @ truth + random.gumbel(size=(n, k)), axis=1)
    return X, y


def l2_objective(X, y, w, C):
    z = X @ w[:-1] + w[-1]
    if z.shape[1] == 1:
        loss = np.logaddexp(0, z[:, 0]) - z[:, 0] * y
    else:
        loss = np.log(np.exp(z).sum(axis=1)) - z[np.arange(len(y)), y]
    return C * loss.sum() + 0.5 * (w[:-1] ** 2).sum()


@pytest.mark.parametrize(("k", "C"), [(2, 1.0), (2, 0.1), (3, 1.0), (6, 10.0)])
def test_l2_reaches_the_optimum_of_scikit_learn(k, C):
    X, y = problem(k=k)
    w = solve_l2(X, y, k, C)
    peer = LogisticRegression(C=C, solver="newton-cg", tol=1e-8, max_iter=1000).fit(X, y)
    best = l2_objective(X, y, np.vstack([peer.coef_.T, peer.intercept_]), C)
    assert l2_objective(X, y, w, C) == pytest.approx(best, rel=5e-4)
    tight = solve_l2(X, y, k, C, tol=1e-9)
    assert np.allclose(tight[:-1].T, peer.coef_, atol=1e-4)


@pytest.mark.parametrize("C", [1.0, 0.1])
def test_l1_reaches_the_optimum_of_liblinear(C):
    X, y = problem(n=400, p=120)
    A = sp.csc_matrix(sp.hstack([X, np.ones((400, 1))]))
    w = solve_l1(A, y == 1, C)
    peer = LogisticRegression(C=C, solver="liblinear", l1_ratio=1, tol=1e-8, random_state=0, max_iter=5000).fit(X, y)
    theirs = np.append(peer.coef_[0], peer.intercept_)
    sign = 2.0 * (y == 1) - 1

    def objective(v):
        return C * np.logaddexp(0, -sign * (A @ v)).sum() + np.abs(v).sum()

    assert objective(w) == pytest.approx(objective(theirs), rel=1e-4)
    assert objective(w) >= objective(theirs) * (1 - 1e-9)  # theirs is solved to a finer tolerance
    assert ((np.abs(w) > 1e-3) == (np.abs(theirs) > 1e-3)).mean() > 0.97


def test_l1_without_any_use_for_features_keeps_all_weights_zero():
    X = sp.csr_matrix(np.eye(40))
    model = fit(Training(X, np.tile([0, 1], 20)), REGULARISATIONS[2])
    assert not model.weights[:-1].any()


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("how", REGULARISATIONS, ids=lambda how: how.name)
def test_probabilities_and_predictions_are_those_of_scikit_learn(how, k):
    X, y = problem(n=500, k=k, seed=3)
    held, _ = problem(n=200, k=k, seed=4)
    if how.penalty == "l2":
        peer = LogisticRegression(C=how.C, solver="newton-cg", tol=1e-7).fit(X, y)
    else:
        side = LogisticRegression(C=how.C, solver="liblinear", l1_ratio=1, tol=1e-7, random_state=0, max_iter=5000)
        peer = (side if k == 2 else OneVsRestClassifier(side)).fit(X, y)
    mine = fit(Training(X, y), how).probabilities(held, k)
    theirs = peer.predict_proba(held)
    assert mine.sum(axis=1) == pytest.approx(np.ones(200))
    assert np.abs(mine - theirs).max() < 0.03
    assert (mine.argmax(axis=1) == theirs.argmax(axis=1)).mean() > 0.97


def test_labels_that_training_never_saw_get_no_probability():
    X, y = problem(n=100)
    model = fit(Training(X, y * 2 + 1), REGULARISATIONS[0])  # labels 1 and 3 of four
    p = model.probabilities(X, 4)
    assert not p[:, [0, 2]].any()
    assert fit(Training(X, np.full(100, 2)), REGULARISATIONS[1]).probabilities(X, 4)[:, 2].min() == 1.0


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("how", REGULARISATIONS[:2], ids=lambda how: how.name)
def test_twin_and_constant_columns_are_fitted_as_if_nothing_had_been_merged(how, k):
    X, y = problem(n=300, p=40, k=k, seed=8)
    twins = sp.csr_matrix(sp.hstack([X, X[:, :15], X[:, :5], np.full((300, 2), 3.0), np.ones((300, 1))]))
    if how.penalty == "l2":
        peer = LogisticRegression(C=how.C, solver="newton-cg", tol=1e-8, max_iter=1000).fit(twins, y)
        mine = fit(Training(twins, y), how)
        assert np.allclose(mine.weights[:-4].T, peer.coef_[:, :-3], atol=5e-3)
        assert np.abs(mine.weights[-4:-2]).max() < 0.03  # a constant 3 and the intercept share a flat direction
        assert not mine.weights[-2].any()
    else:
        side = LogisticRegression(C=how.C, solver="liblinear", l1_ratio=1, tol=1e-7, random_state=0, max_iter=9999)
        peer = (side if k == 2 else OneVsRestClassifier(side)).fit(twins, y)
        mine = fit(Training(twins, y), how)
        assert np.array_equal(mine.weights[:5], mine.weights[40:45])
    difference = mine.probabilities(twins, k) - peer.predict_proba(twins)
    assert np.abs(difference).max() < 0.02


def test_four_fits_at_once_give_the_numbers_of_one_after_the_other():
    X, y = problem(n=400, p=150, k=3)

    def run(how):
        return fit(Training(X, y), how).weights

    jobs = [how for how in REGULARISATIONS for _ in range(4)]
    alone = [run(how) for how in jobs]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(run, jobs))
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))


def test_a_separable_problem_ends():
    X = sp.csr_matrix(np.repeat([[1.0, 0.0], [0.0, 1.0]], 50, axis=0))
    y = np.repeat([0, 1], 50)
    for how in (*REGULARISATIONS, TREES):
        assert (fit(Training(X, y), how).probabilities(X, 2).argmax(axis=1) == y).all()


def many_labels(k=25):
    X, y = problem(n=1500, p=60, k=k, density=0.05)
    return X, y, Training(X, y)


def gap(model, peer, X, k):
    return np.abs(model.probabilities(X, k) - peer.probabilities(X, k)).max()


@pytest.mark.parametrize("how", REGULARISATIONS[1:], ids=lambda how: how.name)
def test_an_l1_fit_begins_at_the_shares(how):
    X, _, training = many_labels()
    begun = fit(training, replace(how, tolerance=1e9))  # it ends where it begins; L2 takes a step
    shares = np.bincount(training.coded) / 1500
    assert begun.probabilities(X, 25)[0] == pytest.approx(shares / shares.sum(), abs=1e-9)


@pytest.mark.parametrize("C", [1.0, 0.1])
def test_an_l1_fit_ends_at_the_same_optimum_wherever_it_begins(C):
    X, y = problem(n=400, p=120)
    A = sp.csc_matrix(sp.hstack([X, np.ones((400, 1))]))
    end = solve_l1(A, y == 1, C, tol=1e-10)
    for start in (np.zeros(121), np.linspace(-1, 1, 121)):
        np.testing.assert_allclose(solve_l1(A, y == 1, C, start, tol=1e-10), end, atol=1e-5)
    np.testing.assert_allclose(solve_l1(A, y == 1, C, end, tol=1e-8), end, atol=1e-12)  # it stays there


def test_many_rare_words_are_learnt_though_each_has_a_small_gradient_at_nothing():
    rows = np.arange(40_000)
    X = sp.csr_matrix((np.ones(len(rows)), (rows, rows // 4)))  # each word in four items of one answer
    y = (np.random.default_rng(0).random(10_000) < 0.3).astype(np.int64)[rows // 4]
    model = fit(Training(X, y), REGULARISATIONS[0])
    assert (model.probabilities(X, 2).argmax(axis=1) == y).all()


def test_candidates_come_in_their_order_and_along_the_path_of_penalties():
    X, _, training = many_labels()
    ridge, weak, strong = fit_all(training, REGULARISATIONS)
    alone = [fit(training, how) for how in REGULARISATIONS]
    assert (ridge.weights == alone[0].weights).all()
    assert (strong.weights == alone[2].weights).all()
    assert (weak.weights != alone[1].weights).any()  # another way there
    assert gap(weak, alone[1], X, 25) < 0.02
