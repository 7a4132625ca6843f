"""Fits held against statsmodels, scikit-learn and scipy; and why a fit does not exist."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from toy_records.rows import SIMULATED

from hansproof.audit.phenotype.instrumental_learning import fit_learner
from hansproof.audit.phenotype.metric import coefficient, mean_over_rows, mean_over_runs
from hansproof.audit.phenotype.task_measures import fit_logits, logit_coefficient


def made_choices(n=200, seed=1):
    random = np.random.default_rng(seed)
    design = np.column_stack([random.choice([-12, -4, 4, 12], n), random.choice([-1, 1], n), np.ones(n)])
    choice = (random.random(n) < 1 / (1 + np.exp(-design @ [0.1, 0.4, 0.2]))).astype(float)
    return design, choice, random.integers(0, 40, n)


def test_least_squares_are_those_of_statsmodels_however_runs_are_weighted():
    random = np.random.default_rng(0)
    design, run = random.normal(size=(90, 3)), random.integers(0, 9, 90)
    outcome = design @ [1, -2, 0.5] + random.normal(size=90)
    statistic = coefficient(design, outcome, run, 9, 1)
    assert statistic.value()[0] == pytest.approx(sm.OLS(outcome, design).fit().params[1], abs=1e-12)
    weights = random.integers(0, 4, 9)
    expected = sm.WLS(outcome, design, weights=weights[run]).fit().params[1]
    assert statistic.formula((weights @ statistic.sums)[None])[0] == pytest.approx(expected, abs=1e-12)


def test_least_squares_say_why_they_do_not_exist():
    design = np.column_stack([np.arange(5.0), 2 * np.arange(5.0)])
    assert coefficient(design, np.ones(5), np.arange(5), 5, 0).value()[1] == "the predictors do not vary independently"
    short = coefficient(np.ones((1, 2)), np.ones(1), np.zeros(1, dtype=int), 1, 0)
    assert short.value()[1] == "too few trials for 2 coefficients: 1"


@pytest.mark.parametrize("which", [0, 1, 2])
def test_logits_are_those_of_statsmodels_and_scikit_learn(which):
    design, choice, run = made_choices()
    value, reason = logit_coefficient(design, choice, run, 40, which).value()
    assert reason == ""
    assert value == pytest.approx(sm.Logit(choice, design).fit(disp=False).params[which], abs=1e-9)
    plain = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, solver="newton-cholesky").fit(design, choice)
    assert value == pytest.approx(plain.coef_[0, which], abs=1e-6)
    assert logit_coefficient(design, choice, run, 40, which, sign=-1).value()[0] == -value


def test_a_run_that_was_drawn_twice_counts_twice():
    design, choice, run = made_choices()
    statistic = logit_coefficient(design, choice, run, 40, 1)
    weights = np.random.default_rng(2).integers(0, 3, 40)
    repeated = np.repeat(np.arange(200), weights[run])
    expected = sm.Logit(choice[repeated], design[repeated]).fit(disp=False).params[1]
    assert statistic.resampled((weights @ statistic.sums)[None])[0] == pytest.approx(expected, abs=1e-9)


def test_the_penalised_fit_maximises_the_likelihood_times_the_jeffreys_prior():
    design, choice, run = made_choices(n=30)

    def objective(beta):
        share = 1 / (1 + np.exp(-design @ beta))
        information = design.T @ (design * (share * (1 - share))[:, None])
        return -np.sum(np.log(np.where(choice > 0, share, 1 - share))) - 0.5 * np.linalg.slogdet(information)[1]

    best = minimize(
        objective, np.zeros(3), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 5000}
    )
    for which in range(3):
        value = logit_coefficient(design, choice, run, 40, which, penalised=True).value()[0]
        assert value == pytest.approx(best.x[which], abs=1e-5)


def test_the_penalised_logit_of_a_two_by_two_table_adds_half_to_every_cell():
    # Firth (1993): 5 of 5 against 1 of 5; log((5.5 / .5) / (1.5 / 4.5)) = log 33, halved for a flag of -1 and 1
    cells = np.array([[1.0, 1.0], [-1.0, 1.0]])
    beta = fit_logits(cells, np.array([[0.0, 4.0]]), np.array([[5.0, 1.0]]), penalised=True)
    assert beta[0, 0] == pytest.approx(np.log(33) / 2, abs=1e-9)


@pytest.mark.parametrize(
    ("x", "choice", "said"),
    [
        ([-2, -1, 1, 2], [0, 0, 1, 1], "separation"),
        ([-2, 0, 0, 2], [0, 0, 1, 1], "separation"),  # quasi-separation: ties at 0
        ([-2, -1, 1, 2], [1, 1, 1, 1], "the same arm was chosen in every game"),
        (
            [3, 3, 3, 3],
            [0, 1, 0, 1],
            "too few different games to tell the effects of the predictors apart; play about 200",
        ),
        ([3], [1], "too few games (1) for 2 coefficients; play about 200"),
        ([], [], "too few games (0) for 2 coefficients; play about 200"),
    ],
)
def test_a_logit_without_a_maximum_is_undefined_and_says_why(x, choice, said):
    design = np.column_stack([np.array(x, dtype=float), np.ones(len(x))])
    value, reason = logit_coefficient(
        design, np.array(choice, dtype=float), np.arange(len(x)), max(len(x), 1), 0
    ).value()
    assert np.isnan(value)
    assert said in reason


def test_a_resample_that_is_separated_is_fitted_with_the_penalty():
    design = np.column_stack([[-2.0, -1, 1, 2], np.ones(4)])
    plain = logit_coefficient(design, np.array([0.0, 1, 0, 1]), np.arange(4), 4, 0)
    penalised = logit_coefficient(design, np.array([0.0, 1, 0, 1]), np.arange(4), 4, 0, penalised=True)
    drawn = np.array([2.0, 0, 0, 2])  # only the first and the last run, which a line tells apart
    totals = (drawn @ plain.sums)[None]
    assert np.isnan(plain.formula(totals)[0])
    assert plain.resampled(totals)[0] == penalised.formula(totals)[0] > 0


def test_means_over_rows_and_over_runs_differ_where_runs_are_of_different_length():
    assert mean_over_rows(np.array([6.0, 2.0]), np.array([3.0, 1.0]), "").value()[0] == 2
    assert mean_over_runs(np.array([2.0, 5.0, np.nan]), "").value()[0] == 3.5
    assert mean_over_runs(np.array([np.nan]), "nothing").value()[1] == "nothing"


def arrays(rows):
    casino, choice = (np.array([row[name] for row in rows], dtype=np.int64) for name in ("casino", "choice"))
    return casino, choice, np.array([row["reward"] for row in rows], dtype=float), np.array([0, len(rows)])


def surprise(parameters, casino, choice, reward):
    """Minus the log posterior, written out as in the papers."""
    up, down, beta = parameters
    values, total = np.full((4, 2), 0.5), 0.0
    for place, arm, got in zip(casino, choice, reward):
        total += np.logaddexp(0, -beta * (values[place, arm] - values[place, 1 - arm]))
        error = got - values[place, arm]
        values[place, arm] += (up if error > 0 else down) * error
    return total - 0.1 * np.log(up * (1 - up) * down * (1 - down)) + 0.02 * beta


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_learner_is_fitted_as_well_as_by_scipy_from_many_starts(seed):
    rows = SIMULATED["learner_runs"](0.5, 0.2, 6.0, 1, np.random.default_rng(seed))
    casino, choice, reward, start = arrays(rows)
    up, down, beta, cost = fit_learner(casino, choice, reward, start, True, 0.1, 0.02)
    bounds = [(1e-6, 1 - 1e-6), (1e-6, 1 - 1e-6), (1e-3, 200)]
    starts = [(a, b, c) for a in (0.1, 0.6) for b in (0.1, 0.6) for c in (2, 12)]
    best = min(
        (minimize(surprise, x0, (casino, choice, reward), bounds=bounds) for x0 in starts), key=lambda fit: fit.fun
    )
    assert cost <= best.fun + 1e-7
    assert cost == pytest.approx(surprise((up, down, beta), casino, choice, reward), abs=1e-9)
    assert (up, down) == pytest.approx(best.x[:2], abs=2e-3)


def test_without_priors_the_learner_is_the_maximum_of_the_likelihood():
    casino, choice, reward, start = arrays(SIMULATED["learner_runs"](0.4, 0.4, 5.0, 1, np.random.default_rng(7)))
    rate, _, beta, cost = fit_learner(casino, choice, reward, start, False, 0.0, 0.0)

    def likelihood(x):
        prior = 0.1 * np.log((x[0] * (1 - x[0])) ** 2) - 0.02 * x[1]
        return surprise((x[0], x[0], x[1]), casino, choice, reward) + prior

    assert cost == pytest.approx(likelihood((rate, beta)), abs=1e-9)
    assert all(
        cost <= likelihood((rate + d, beta * (1 + e))) + 1e-9 for d in (-1e-3, 0, 1e-3) for e in (-1e-3, 0, 1e-3)
    )


def test_two_runs_fitted_at_once_start_from_fresh_values():
    rows = SIMULATED["learner_runs"](0.4, 0.4, 5.0, 2, np.random.default_rng(3))
    casino, choice, reward, _ = arrays(rows)
    both = fit_learner(casino, choice, reward, np.array([0, 96, 192]), False, 0.1, 0.02)
    as_one = fit_learner(casino, choice, reward, np.array([0, 192]), False, 0.1, 0.02)
    swapped = np.r_[96:192, 0:96]
    again = fit_learner(casino[swapped], choice[swapped], reward[swapped], np.array([0, 96, 192]), False, 0.1, 0.02)
    assert both == pytest.approx(again, abs=1e-6)
    assert abs(both[3] - as_one[3]) > 1e-3
