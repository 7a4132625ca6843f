"""The whole study: which word may be said of a model, what its numbers tell, and what the records hold."""

import dataclasses
import re

import msgspec
import numpy as np
import pytest
import statsmodels.api as statsmodels
from simulated.reliance import World, simulated
from statsmodels.stats.multitest import multipletests

from hansproof.audit.models.reliance.pairs import model_results, pairs_of, study
from hansproof.audit.models.reliance.reliance_records import NO_VERDICT, Reliance
from hansproof.audit.replies.grid import UNCLEAR, WRONG


def worlds(seed=0, **changes):
    return simulated(World(**changes), np.random.default_rng(seed))


def changed(parted, model, right, codes=None):
    """The same, with other right answers of one model; codes of the grid follow, but for what is given."""
    every, outcomes = parted.right.copy(), parted.outcomes.copy()
    every[:, model] = right
    outcomes[:, model] = np.where(right > 0, 1, WRONG) if codes is None else codes
    return dataclasses.replace(parted, right=every, outcomes=outcomes)


def test_only_agreement_in_error_may_say_that_a_model_follows():
    result = study(worlds(items=600, benchmarks=2, labels=4, reliance=0.4, following=(0,)))
    assert result.schema == "hansproof.reliance/4"
    assert result.notes == [NO_VERDICT]
    assert [model.follows for model in result.models] == [True, *[False] * 7]
    two = study(worlds(items=600, benchmarks=2, reliance=0.4, following=(0,)))
    assert {model.follows for model in two.models} == {None}
    assert {model.errors.reason for model in two.models} == {"with two answers, whoever is wrong agrees"}
    said = {key for pair in result.pairs for key, value in msgspec.to_builtins(pair).items() if isinstance(value, bool)}
    assert said == {"shortcut", "ruled_out"}
    assert not re.search(r"\blean|\brel(y|ies|iance)|NOT SHOWN", " ".join(result.notes), re.IGNORECASE)


def test_differences_and_errors_are_those_of_least_squares_with_clusters():
    (each,) = worlds(items=900, labels=3, group=3)
    for place, pair in enumerate(pairs_of(each)):
        right, probe = each.right[:, place], each.probe_right
        for measured, constants in (
            (pair.record.raw, np.ones((900, 1))),
            (pair.record.equal_gold, np.eye(3)[each.gold]),
        ):
            fit = statsmodels.OLS(right, np.column_stack([probe, constants])).fit(
                cov_type="cluster", cov_kwds={"groups": each.groups}
            )
            assert measured.estimate == pytest.approx(fit.params[0])
            assert measured.se == pytest.approx(fit.bse[0], rel=0.02)
            half = fit.bse[0] * 1.97
            assert (measured.low, measured.high) == pytest.approx(
                (fit.params[0] - half, fit.params[0] + half), abs=0.005
            )
        assert pair.record.on_right.share == right[probe == 1].mean()
        assert pair.record.on_wrong.items == int((probe == 0).sum())
        assert pair.record.on_wrong.low < right[probe == 0].mean() < pair.record.on_wrong.high


def test_intervals_hold_the_truth():
    # Items that the probe predicts are as easy as others: the true difference is 0.
    held = [
        pair.record.raw.low <= 0 <= pair.record.raw.high
        for seed in range(60)
        for pair in pairs_of(worlds(seed, items=120, group=4, easier=0, models=2)[0])
    ]
    assert 0.88 <= np.mean(held) <= 0.99


@pytest.mark.parametrize("labels", [2, 4])
def test_a_model_without_a_clear_reply_has_no_difference(labels):
    (each,) = worlds(labels=labels)
    silent = changed(each, 2, np.zeros(300), UNCLEAR)
    if each.said is not None:
        said = each.said.copy()
        said[:, 2] = -1
        silent = dataclasses.replace(silent, said=said)
    result = study([silent])
    record = result.pairs[2]
    for undefined in (record.raw, record.equal_gold):
        assert (undefined.estimate, undefined.se, undefined.low, undefined.high) == (None,) * 4
        assert undefined.reason == "none of its replies is clear"
    assert (record.errors.excess.estimate, result.models[2].p, result.models[2].follows) == (None, None, None)
    assert (record.unclear, record.accuracy, record.on_right.share) == (300, 0.0, 0.0)
    assert result.pairs[0].raw.estimate is not None


def test_answers_that_never_vary_in_a_part_have_no_difference():
    (each,) = worlds()
    some = np.arange(300) % 3 == 0
    for right, reason in (
        (np.where(each.probe_right > 0, 1.0, some), "where the probe is right, the model is right on all items"),
        (np.where(each.probe_right > 0, some, 0.0), "where the probe is wrong, the model is wrong on all items"),
        (np.zeros(300), "where the probe is right, the model is wrong on all items"),
    ):
        record = pairs_of(changed(each, 0, right))[0].record
        for undefined in (record.raw, record.equal_gold):
            assert (undefined.estimate, undefined.se, undefined.low) == (None, None, None)
            assert undefined.reason.startswith(reason)
        assert record.on_right.share == right[each.probe_right > 0].mean()


def test_a_model_that_always_gives_one_answer_has_a_raw_difference_and_none_at_equal_gold():
    # Within items of one gold answer it is always right, or always wrong: a difference of rounding errors.
    (each,) = worlds(bias=1)
    record = pairs_of(changed(each, 0, (each.gold == 0).astype(float)))[0].record
    assert record.raw.estimate > 0
    assert record.equal_gold.estimate is None
    assert "the model is right, or wrong, on all items with the same gold answer" in record.equal_gold.reason


def test_a_probe_that_is_always_right_parts_nothing():
    (each,) = worlds()
    record = pairs_of(dataclasses.replace(each, probe_right=np.ones(300)))[0].record
    assert record.raw.reason == "the probe is right, or wrong, on all of these items"
    assert (record.on_wrong.items, record.on_wrong.share, record.on_wrong.low) == (0, None, None)


def test_open_answers_are_not_compared_at_equal_gold():
    (each,) = worlds()
    record = pairs_of(dataclasses.replace(each, chance=np.zeros(300), gold=np.zeros(300, dtype=int)))[0].record
    assert record.raw.estimate is not None
    assert record.equal_gold.reason == "answers are open: hardly any two items share one"


def test_items_of_one_group_have_no_interval():
    (each,) = worlds()
    record = pairs_of(dataclasses.replace(each, groups=np.zeros(300, dtype=int)))[0].record
    assert record.raw.reason == "too few groups of items for an interval"


def test_all_p_are_corrected_together():
    each = worlds(items=600, labels=4, reliance=0.3, following=(0,))
    results = model_results(pairs_of(each[0]), 0.05)
    expected = multipletests([result.p for result in results], method="holm")[1]
    assert [result.p_holm for result in results] == pytest.approx(expected.tolist())
    assert [result.follows for result in results] == [p <= 0.05 for p in expected]
    assert all((result.errors.low > 0) == (result.p < 0.05) for result in results)


def test_benchmarks_count_by_their_precision():
    each = worlds(benchmarks=2, items=600, labels=4)
    result, *_ = model_results([pair for part in each for pair in pairs_of(part)], 0.05)
    first, second = (pairs_of(part)[0].record.errors.excess for part in each)
    weights = np.array([first.se, second.se]) ** -2.0
    assert result.errors.estimate == pytest.approx(np.average([first.estimate, second.estimate], weights=weights))
    assert result.errors.se == pytest.approx(weights.sum() ** -0.5)
    assert (result.benchmarks, result.measured) == (2, 2)


def test_benchmarks_without_a_shortcut_are_in_no_test():
    each = worlds(labels=4, items=600, reliance=0.5, following=(0,))[0]
    innocent = dataclasses.replace(each, about=msgspec.structs.replace(each.about, shortcut=False))
    result = study([innocent])
    assert {(model.benchmarks, model.errors.reason) for model in result.models} == {(0, "no benchmark has a shortcut")}
    assert result.pairs[0].errors.excess.low > 0
    assert result.notes == [NO_VERDICT, "the audit shows no shortcut (1 benchmark): nothing was tested"]


def test_items_that_a_model_was_not_asked_are_left_out():
    each = worlds(models=4, families=4)[0]
    right = each.right.copy()
    right[:100, 0] = np.nan
    right[:, 1] = np.nan
    pairs = pairs_of(dataclasses.replace(each, right=right))
    assert [pair.record.model for pair in pairs] == ["model-0", "model-2", "model-3"]
    assert [pair.record.items for pair in pairs] == [200, 300, 300]


def test_the_record_is_json_that_reads_back_and_the_same_twice():
    each = worlds(benchmarks=2, labels=3, reliance=0.2, following=(1,))
    first = msgspec.json.encode(study(each))
    assert first == msgspec.json.encode(study(worlds(benchmarks=2, labels=3, reliance=0.2, following=(1,))))
    assert msgspec.json.decode(first, type=Reliance).models[1].model == "model-1"


def test_renaming_answers_and_reordering_items_changes_nothing():
    each = worlds(items=200, labels=3)[0]
    order = np.random.default_rng(0).permutation(200)
    moved = dataclasses.replace(
        each,
        right=each.right[order],
        outcomes=each.outcomes[order],
        probe_right=each.probe_right[order],
        gold=2 - each.gold[order],
        groups=each.groups[order],
        predicted=2 - each.predicted[order],
        said=2 - each.said[order],
    )
    for first, second in zip(pairs_of(each), pairs_of(moved), strict=True):
        assert second.record.equal_gold.estimate == pytest.approx(first.record.equal_gold.estimate)
        assert second.record.errors.excess.low == pytest.approx(first.record.errors.excess.low)
