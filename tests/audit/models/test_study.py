"""The whole study: that no word is said of a model, what its numbers tell, and what the records hold."""

import dataclasses
import re

import msgspec
import numpy as np
import pytest
from simulated.reliance import World, simulated
from statsmodels.stats.multitest import multipletests

from hansproof.audit.models.reliance.families import corrected, family_tests, study
from hansproof.audit.models.reliance.pairs import pairs_of
from hansproof.audit.models.reliance.reliance_records import NO_VERDICT, Reliance
from hansproof.audit.models.reliance.rounds import last_round
from hansproof.audit.replies.grid import Series


def worlds(seed=0, **changes):
    return simulated(World(**changes), np.random.default_rng(seed))


def results(each, alpha=0.05):
    return {result.model: result for result in last_round(each, alpha).models}


def small(each, p="beyond_holm"):
    return {model for model, result in results(each).items() if (getattr(result, p) or 0) <= 0.05}


def test_no_record_has_a_word_on_a_model_and_the_notes_say_why():
    result = study(worlds(items=600, benchmarks=2, labels=4, reliance=0.4, leaning=(0,)))
    assert result.models[0].beyond_holm < 0.001  # where there was a verdict, this model had one
    assert result.schema == "hansproof.reliance/3"
    assert result.notes[0] == NO_VERDICT
    names = ("model", "style", "run", "family")
    for model in result.models:
        said = msgspec.to_builtins(model)
        assert {key for key, value in said.items() if isinstance(value, str | bool)} == set(names)
        assert not any(isinstance(value, bool) for value in (said["trend"] or {}).values())
    assert not re.search(r"\blean|\brel(y|ies|iance)|follow|NOT SHOWN", " ".join(result.notes), re.IGNORECASE)


@pytest.mark.slow
def test_the_numbers_tell_a_model_that_gives_the_probes_answer_apart():
    seen = [small(worlds(seed, items=600, benchmarks=2, reliance=0.3, leaning=(0, 4))) for seed in range(10)]
    assert sum({"model-0", "model-4"} <= of for of in seen) >= 9
    assert all(of <= {"model-0", "model-4"} for of in seen)


@pytest.mark.slow
def test_easier_items_move_the_raw_difference_and_hardly_what_is_beyond_difficulty():
    beyond, raw = 0, 0
    for seed in range(40):
        each = worlds(seed, items=300, models=6, families=3, bias=0.5, sensitivities=(0.5, 1.5))
        beyond += bool(small(each))
        raw += min(corrected([pair.record.raw.p for pair in pairs_of(each[0])])) <= 0.05
    assert beyond <= 5  # of 40 at 5 %, more than five happen once in 70 times
    assert raw >= 35


def test_with_four_answers_wrong_ones_agree_with_the_probes():
    each = worlds(items=1000, labels=4, reliance=0.3, leaning=(3,))
    assert results(each)["model-3"].errors_holm < 0.05


def test_all_p_are_corrected_together():
    each = worlds(items=600, labels=4, reliance=0.3, leaning=(0,))
    every = list(results(each).values())
    ps = [difference.p for result in every for difference in (result.beyond, result.errors)]
    expected = multipletests(ps, method="holm")[1]
    shown = [p for result in every for p in (result.beyond_holm, result.errors_holm)]
    assert shown == pytest.approx(expected.tolist())


def test_an_interval_lies_above_0_where_its_p_is_below_5_percent():
    for seed in range(6):
        for result in results(worlds(seed, items=400, reliance=0.35, leaning=(0, 4))).values():
            if result.beyond.p is not None:
                assert (result.beyond.low > 0) == (result.beyond.p < 0.05)


def test_two_models_are_not_measured_and_the_reason_is_there():
    result = results(worlds(models=2, families=2))["model-0"]
    assert result.beyond.estimate is None
    assert "fewer than two other models" in result.beyond.reason


def test_benchmarks_without_a_shortcut_are_in_no_test():
    each = worlds(reliance=0.5, leaning=(0,))[0]
    innocent = dataclasses.replace(each, about=msgspec.structs.replace(each.about, shortcut=False))
    result = study([innocent])
    assert {(model.benchmarks, model.beyond.estimate) for model in result.models} == {(0, None)}
    assert result.families == result.regressions == []
    assert result.pairs[0].raw.p < 0.001
    assert result.notes == [NO_VERDICT, "the audit shows no shortcut (1 benchmark): nothing was tested"]


def test_difficulty_is_measured_with_other_families_where_there_are_two_others():
    each = worlds(models=8, families=4)[0]
    assert {pair.record.others for pair in pairs_of(each)} == {6}
    alone = worlds(models=8, families=1)[0]
    assert {pair.record.others for pair in pairs_of(alone)} == {7}


def test_runs_and_styles_of_one_model_do_not_measure_its_own_difficulty():
    each = worlds(models=4, families=4, items=800)[0]
    twice = dataclasses.replace(
        each,
        series=(*each.series, Series("model-0", style="polite", family="family-0")),
        right=np.column_stack([each.right, each.right[:, 0]]),
        said=None,
    )
    first, *_, last = pairs_of(twice)
    assert family_tests(pairs_of(twice))[-1].pairs == 4
    assert family_tests(pairs_of(twice))[-1].t == pytest.approx(family_tests(pairs_of(each))[-1].t)
    assert family_tests(pairs_of(twice))[-1].joint.p == pytest.approx(family_tests(pairs_of(each))[-1].joint.p)
    assert (first.record.others, last.record.others) == (3, 3)
    assert first.beyond.value == pytest.approx(last.beyond.value)
    assert last.record.style == "polite"


def test_items_that_a_model_was_not_asked_are_left_out():
    each = worlds(models=4, families=4)[0]
    right = each.right.copy()
    right[:100, 0] = np.nan
    right[:, 1] = np.nan
    pairs = pairs_of(dataclasses.replace(each, right=right))
    assert [pair.record.model for pair in pairs] == ["model-0", "model-2", "model-3"]
    assert pairs[0].record.items == pairs[0].record.shared_items == 200
    # Model 0 lacks a third of their items, so it does not help to measure the difficulty for the others.
    assert [pair.record.others for pair in pairs] == [2, 1, 1]


@pytest.mark.slow
def test_the_record_is_json_that_reads_back_and_the_same_twice():
    each = worlds(benchmarks=2, labels=3, reliance=0.2, leaning=(1,))
    first = msgspec.json.encode(study(each))
    assert first == msgspec.json.encode(study(worlds(benchmarks=2, labels=3, reliance=0.2, leaning=(1,))))
    assert msgspec.json.decode(first, type=Reliance).models[1].model == "model-1"


def test_renaming_answers_and_reordering_items_changes_nothing():
    each = worlds(items=200, labels=3)[0]
    order = np.random.default_rng(0).permutation(200)
    moved = dataclasses.replace(
        each,
        right=each.right[order],
        probe_right=each.probe_right[order],
        gold=2 - each.gold[order],
        groups=each.groups[order],
        predicted=2 - each.predicted[order],
        said=2 - each.said[order],
    )
    for first, second in zip(pairs_of(each), pairs_of(moved), strict=True):
        assert second.record.beyond.estimate == pytest.approx(first.record.beyond.estimate)
        assert second.record.errors.excess.p == pytest.approx(first.record.errors.excess.p)
