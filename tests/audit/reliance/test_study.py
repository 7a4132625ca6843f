"""The whole study: verdict words, their error rate in small, and what the records hold."""

import dataclasses

import msgspec
import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from audit.answers.grid import Series
from audit.notation import p_is
from audit.reliance.families import corrected, family_tests
from audit.reliance.pairs import pairs_of
from audit.reliance.records import Reliance
from audit.reliance.rounds import judged
from audit.reliance.study import study
from benchmarks.reliance.simulated import World, simulated


def worlds(seed=0, **changes):
    return simulated(World(**changes), np.random.default_rng(seed))


def verdicts(each, alpha=0.05):
    return {verdict.model: verdict for verdict in judged(each, alpha).models}


def leaning(each):
    return {model for model, verdict in verdicts(each).items() if verdict.verdict == "LEANS"}


def test_models_that_lean_are_told_from_those_that_do_not():
    caught = [leaning(worlds(seed, items=600, benchmarks=2, reliance=0.3, leaning=(0, 4))) for seed in range(10)]
    assert sum({"model-0", "model-4"} <= of for of in caught) >= 9
    assert all(of <= {"model-0", "model-4"} for of in caught)


def test_easier_items_accuse_nobody_though_the_raw_difference_would():
    accused, raw = 0, 0
    for seed in range(40):
        each = worlds(seed, items=300, models=6, families=3, bias=0.5, sensitivities=(0.5, 1.5))
        accused += bool(leaning(each))
        raw += min(corrected([pair.record.raw.p for pair in pairs_of(each[0])])) <= 0.05
    assert accused <= 5  # of 40 at 5 %, more than five happen once in 70 times
    assert raw >= 35


def test_with_four_answers_wrong_ones_tell_on_a_model_that_leans():
    verdict = verdicts(worlds(items=1000, labels=4, reliance=0.3, leaning=(3,)))["model-3"]
    assert verdict.verdict == "LEANS"
    assert "of the wrong answers follow the probe" in verdict.reason
    assert "consistent with" not in verdict.reason


def test_an_advantage_alone_is_only_said_to_be_consistent_with_reliance():
    quality = (
        "wrong or ambiguous golds, or items of one part that tell good models from weak ones better may look like it"
    )
    verdict = verdicts(worlds(items=1000, reliance=0.4, leaning=(0,)))["model-0"]
    assert verdict.verdict == "LEANS"
    assert "consistent with reliance; being better at the topics" in verdict.reason
    assert verdict.reason.endswith(f"looks the same, and {quality}")
    topics = verdicts(worlds(items=1000, reliance=0.4, leaning=(0,), topics=3, declared=True))["model-0"]
    assert topics.verdict == "LEANS"
    assert "within topics" in topics.reason
    assert topics.reason.endswith(f"consistent with reliance; {quality}")


def specialists(**changes):
    """How often, of 12 studies, a model that is better at the topic of the probe is called LEANS."""
    world = {"items": 1500, "topics": 2, "topical": 0.25, "specialist": 1.5} | changes
    return sum("model-0" in leaning(worlds(seed, **world)) for seed in range(12))


def test_a_model_that_is_better_at_a_topic_is_told_from_leaning_by_topics_or_by_wrong_answers():
    assert specialists() >= 6  # nothing tells it, and the benchmark says so
    assert specialists(declared=True) <= 1
    assert specialists(labels=4) <= 2


def test_each_sign_has_its_own_p_and_all_are_corrected_together():
    each = worlds(items=600, labels=4, reliance=0.3, leaning=(0,))
    every = list(verdicts(each).values())
    ps = [difference.p for verdict in every for difference in (verdict.beyond, verdict.errors)]
    expected = multipletests(ps, method="holm")[1]
    shown = [p for verdict in every for p in (verdict.beyond_holm, verdict.errors_holm)]
    assert shown == pytest.approx(expected.tolist())
    assert p_is(every[0].errors_holm) in every[0].reason


def test_the_interval_of_a_model_that_leans_lies_above_0():
    for seed in range(6):
        for verdict in verdicts(worlds(seed, items=400, reliance=0.35, leaning=(0, 4))).values():
            if verdict.verdict == "LEANS":
                assert verdict.beyond.low > 0
            if verdict.beyond.p is not None:
                assert (verdict.beyond.low > 0) == (verdict.beyond.p < 0.05)


@pytest.mark.parametrize("world", [{"models": 3, "families": 3, "items": 1000}, {"items": 1000}, {"benchmarks": 3}])
def test_what_is_detectable_is_called_leans_four_times_in_five_or_more(world):
    medians = [verdict.beyond.detectable for seed in range(6) for verdict in verdicts(worlds(seed, **world)).values()]
    reliance = float(np.median([number for number in medians if number is not None]))

    def caught(size, studies):
        seen = [
            "model-0" in leaning(worlds(100 + seed, reliance=size, leaning=(0,), **world)) for seed in range(studies)
        ]
        return np.mean(seen)

    assert caught(reliance, 40) >= 0.75
    assert caught(reliance / 3, 20) <= 0.6  # nor is it far more than is needed


def test_not_shown_needs_a_study_that_would_have_found_ten_points():
    small = verdicts(worlds(items=200))["model-0"]
    large = verdicts(worlds(items=6000, models=8, families=8))["model-2"]
    assert small.verdict == "INCONCLUSIVE"
    assert small.beyond.detectable > 0.1
    assert large.verdict == "NOT SHOWN"
    assert large.beyond.detectable < 0.1


def test_two_models_are_inconclusive_with_the_reason():
    verdict = verdicts(worlds(models=2, families=2))["model-0"]
    assert verdict.verdict == "INCONCLUSIVE"
    assert "fewer than two other models" in verdict.reason


def test_without_a_shortcut_there_is_nothing_to_lean_on():
    each = worlds(reliance=0.5, leaning=(0,))[0]
    innocent = dataclasses.replace(each, about=msgspec.structs.replace(each.about, shortcut=False))
    result = study([innocent])
    assert {verdict.verdict for verdict in result.models} == {"NO SHORTCUT SHOWN"}
    assert result.families == result.regressions == []
    assert result.pairs[0].raw.p < 0.001
    assert result.notes == ["the audit shows no shortcut (1 benchmark): nothing was tested"]
    ruled_out = dataclasses.replace(each, about=msgspec.structs.replace(innocent.about, ruled_out=True))
    assert {verdict.verdict for verdict in study([ruled_out]).models} == {"NO SHORTCUT"}
    both = dataclasses.replace(innocent, about=msgspec.structs.replace(innocent.about, benchmark="second"))
    mixed = study([ruled_out, both]).models[0]
    assert (mixed.verdict, mixed.reason[-32:]) == ("NO SHORTCUT SHOWN", "cannot rule one out on 1 of them")


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
