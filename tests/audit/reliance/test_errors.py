"""Agreement in error: a worked table, permutations by hand, and simulated models."""

import numpy as np
import pytest

from audit.reliance.errors import agreement_in_error
from tests.audit.reliance.studies import parted


def agreed(said, predicted, gold=None, shared=True, labels=3):
    said, predicted = np.array(said), np.array(predicted)
    n = len(said)
    gold = np.zeros(n, dtype=int) if gold is None else gold
    return agreement_in_error(
        said, predicted, np.ones(n, dtype=bool), gold, np.full(n, 1 / labels), np.arange(n), shared
    )[0]


def test_a_worked_table():
    # 12 items, gold "a": model says b 6, c 6; probe b 6, c 6; they agree on 8. Expected .5, excess (8/12 - .5) * 12/11.
    said = ["b"] * 6 + ["c"] * 6
    predicted = ["b"] * 4 + ["c"] * 2 + ["b"] * 2 + ["c"] * 4
    record = agreed(said, predicted)
    assert record.agree == pytest.approx(8 / 12)
    assert record.excess.estimate == pytest.approx((8 / 12 - 0.5) * 12 / 11)
    assert record.expected == pytest.approx(8 / 12 - (8 / 12 - 0.5) * 12 / 11)


def test_chance_is_that_of_answers_shuffled_within_gold():
    random = np.random.default_rng(2)
    n, gold = 3000, np.repeat([0, 1, 2], 1000)
    said = np.where(random.random(n) < 0.8, (gold + 1) % 3, (gold + 2) % 3)
    predicted = np.where(random.random(n) < 0.7, (gold + 1) % 3, (gold + 2) % 3)
    record = agreed(said.astype(str), predicted.astype(str), gold)
    shuffled = []
    for _ in range(200):
        order = np.lexsort((random.random(n), gold))
        shuffled.append((said[order] == predicted).mean())
    assert record.agree - record.excess.estimate == pytest.approx(np.mean(shuffled), abs=0.005)


def test_the_error_covers_simulated_agreement():
    values, errors = [], []
    for seed in range(300):
        random = np.random.default_rng(seed)
        said, predicted = random.integers(0, 3, (2, 60))
        same = random.random(60) < 0.3
        record = agreed(np.where(same, predicted, said).astype(str), predicted.astype(str), labels=4)
        values.append(record.excess.estimate)
        errors.append(record.excess.se)
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.1)
    assert np.mean(values) == pytest.approx(0.3 * 2 / 3, abs=0.02)


def test_own_options_are_compared_with_one_over_the_other_options():
    record = agreed(["b", "c"] * 10, ["b"] * 20, shared=False, labels=5)
    assert record.expected == pytest.approx(0.25)
    assert record.excess.estimate == pytest.approx(0.25)


def test_two_answers_tell_nothing():
    assert agreed(["b"] * 20, ["b"] * 20, labels=2).items == 0


def test_answers_that_are_not_known_do_not_count():
    record = agreed([""] * 15 + ["b"] * 5, ["b"] * 20)
    assert record.items == 5
    assert "fewer than 10" in record.excess.reason


@pytest.mark.parametrize(("reliance", "signs"), [(0.0, (0, 2)), (0.3, (16, 20))])
def test_simulated_models_that_lean_are_found_even_if_all_do(reliance, signs):
    count = 0
    for seed in range(20):
        each = parted(seed, labels=4, reliance=reliance, leaning=tuple(range(8)), easier=2)
        record, _ = agreement_in_error(
            each.said[:, 1], each.predicted, (each.right[:, 1] < 1) & (each.probe_right < 1), each.gold, each.chance,
            each.groups, True,
        )  # fmt: skip
        count += record.excess.p < 0.05
    assert signs[0] <= count <= signs[1]
