"""Agreement in error: worked tables, least squares of statsmodels, and simulated models that follow or do not."""

import importlib

import numpy as np
import pytest
import statsmodels.api as statsmodels
from simulated.reliance import World, simulated

from hansproof.audit.models.reliance.pairs import agreement_in_error, pairs_of


def agreed(said, predicted, others, labels=3, gold=None):
    """Everybody is wrong on all items; `others` (J, n) are answers of other models."""
    said, predicted, others = (np.array(each) for each in (said, predicted, others))
    n = len(said)
    return agreement_in_error(
        said, predicted, [each[:, None] for each in others], np.ones(n, dtype=bool),
        np.zeros(n, dtype=int) if gold is None else gold, np.full(n, labels), np.arange(n),
    )[0]  # fmt: skip


def test_a_worked_table_in_which_nothing_tempts():
    # Gold 0. Model says 1 in 6 items and 2 in 6; so does the probe, and they agree on 8: by the marginals on 6. The
    # others give each answer as often whatever the probe gives: 1 - 2 (1/2)^2 = 1/2 of the items could follow.
    said = [1] * 6 + [2] * 6
    predicted = [1] * 4 + [2] * 2 + [1] * 2 + [2] * 4
    record = agreed(said, predicted, [[1, 2] * 6, [2, 1] * 6])
    assert record.agree == pytest.approx(8 / 12)
    assert record.expected == pytest.approx(6 / 12)
    assert record.excess.estimate == pytest.approx((8 / 12 - 6 / 12) / (1 / 2))


def test_twice_what_tempts_the_others_is_expected():
    # The model goes with the probe on 8 of 12 items, a third more than by the marginals; so does each of the others.
    predicted = np.array([1, 2] * 6)
    said, *others = (np.where(np.arange(12) % 3 == k, 3 - predicted, predicted) for k in range(3))
    record = agreed(said, predicted, others)
    assert record.agree == pytest.approx(8 / 12)
    assert record.excess.estimate == pytest.approx(1 / 3 - 2 / 3)


def test_others_who_avoid_the_probes_answer_excuse_nobody():
    predicted = np.array([1, 2] * 12)
    said = np.where(np.arange(24) % 3 == 0, 3 - predicted, predicted)
    away = np.where(np.arange(24) % 4 == 0, predicted, 3 - predicted)
    record = agreed(said, predicted, [away, np.roll(away, 2)])
    assert record.excess.estimate == pytest.approx(1 / 3)  # nothing is taken off, and nothing added


def test_it_is_least_squares_over_the_wrong_answers_less_twice_the_others():
    random = np.random.default_rng(5)
    n = 2000
    pull = random.normal(0, 1, (n, 3))
    drawn = [(pull * strength + random.gumbel(size=(n, 3))).argmax(axis=1) + 1 for strength in (1, 0.5, 1, 1)]
    said, predicted, *others = drawn
    record = agreed(said, predicted, others, labels=4)
    item, answer = np.repeat(np.arange(n), 3), np.tile([1, 2, 3], n)
    own, probe, first, second = ((each[item] == answer).astype(float) for each in (said, predicted, *others))
    design = np.column_stack([probe, np.eye(4)[answer][:, 1:]])
    fit = statsmodels.OLS(own - 2 * (first + second) / 2, design).fit(cov_type="cluster", cov_kwds={"groups": item})
    assert record.excess.estimate == pytest.approx(fit.params[0])
    assert record.excess.se == pytest.approx(fit.bse[0], rel=0.01)


def test_two_answers_and_too_few_items_tell_nothing():
    assert agreed([1] * 20, [1] * 20, [[1] * 20, [1] * 20], labels=2).items == 0
    record = agreed([-1] * 15 + [1] * 5, [1] * 20, [[1, 2] * 10, [2, 1] * 10])
    assert record.items == 5
    assert "all wrong on fewer than 10 items" in record.excess.reason


def test_a_probe_that_always_gives_one_answer_cannot_be_followed():
    record = agreed([1, 2] * 10, [1] * 20, [[1, 2] * 10, [2, 1] * 10])
    assert record.agree == 0.5
    assert "the same wrong answer to all" in record.excess.reason


def test_a_model_that_says_one_thing_when_it_is_wrong_tells_nothing():
    # Others who avoid the probe's answer would otherwise make it agree by twice of what they avoid.
    predicted = np.array([1, 2] * 10)
    record = agreed([1] * 20, predicted, [3 - predicted, 3 - predicted])
    assert record.excess.estimate is None
    assert record.excess.reason == "its wrong answer is always the same with the same gold answer"


def test_a_model_that_always_gives_the_probes_answer_has_an_excess():
    predicted = np.array([1, 2] * 20)
    record = agreed(predicted, predicted, [[1, 1, 2, 2] * 10, [2, 1, 1, 2] * 10])
    assert (record.agree, record.excess.estimate) == (1.0, pytest.approx(1.0))
    assert record.excess.low > 0


def one_study(**changes):
    return simulated(World(**changes), np.random.default_rng(0))[0]


@pytest.mark.parametrize(
    ("models", "reason"), [(1, "no other model answered these items"), (2, "a single other model does not tell which")]
)
def test_with_one_other_model_or_none_it_is_undefined_and_says_why(models, reason):
    for pair in pairs_of(one_study(models=models, families=models, labels=4)):
        assert (pair.errors, pair.record.errors.agree, pair.record.errors.excess.estimate) == (None, None, None)
        assert reason in pair.record.errors.excess.reason


def test_others_who_know_much_less_do_not_tell_what_tempts():
    *others, last = pairs_of(one_study(models=4, labels=4, abilities=(-1.5, -1.5), stronger=5, items=600))
    assert "fewer than two other models know half as much" in last.record.errors.excess.reason
    assert all(pair.errors is not None for pair in others)


@pytest.fixture
def rates(monkeypatch, pytestconfig):
    monkeypatch.syspath_prepend(str(pytestconfig.rootpath / "benchmarks" / "reliance"))
    return importlib.import_module("rates")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "10 % wrong golds", "10 % wrong golds, 3 answers", "10 % wrong golds, 3 models",
        "two topics and 10 % wrong golds", "10 % wrong golds, one strong model beside weak ones",
        "answers tempt some models twice as much",
    ],
)  # fmt: skip
def test_fewer_than_5_percent_of_the_studies_in_which_nobody_follows_say_so_of_somebody(rates, name):
    world = rates.WORLDS[name]
    erring = [bool(rates.accused(world, np.random.default_rng(seed))) for seed in range(100)]
    assert sum(erring) <= 6  # of 100 at 3.4 %, seven or more happen once in 30 times


@pytest.mark.slow
def test_a_model_that_follows_is_found_and_none_if_all_do(rates):
    world = rates.WORLDS["one follows, r = .3, two topics and 10 % wrong golds"]
    said = [rates.accused(world, np.random.default_rng(seed)) for seed in range(20)]
    assert sum(of == {"model-2"} for of in said) >= 18
    every = World(labels=4, items=600, reliance=0.3, following=tuple(range(8)))
    assert not any(rates.accused(every, np.random.default_rng(seed)) for seed in range(8))
