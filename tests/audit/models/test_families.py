"""The paper's table of families, beside scipy's paired t-test and its correction."""

import dataclasses

import msgspec
import numpy as np
import pytest
from scipy import stats
from simulated.reliance import World, simulated

from hansproof.audit.models.reliance.pairs import family_tests, pairs_of, study


def benchmarks(seed=0, scheme="paper", **changes):
    """Benchmarks under the paper's protocol."""
    made = simulated(World(**{"benchmarks": 3, "models": 6, "families": 3, **changes}), np.random.default_rng(seed))
    return [
        dataclasses.replace(each, about=msgspec.structs.replace(each.about, scheme=scheme)) for each in made
    ]  # fmt: skip


def pairs(each):
    return [pair.record for benchmark in each for pair in pairs_of(benchmark)]


def test_the_t_test_is_scipys_paired_one_on_chance_corrected_accuracies():
    each = benchmarks(labels=3)
    own = [pair.corrected for pair in pairs(each) if pair.family == "family-1"]
    expected = stats.ttest_rel([of.on_right for of in own], [of.on_wrong for of in own], alternative="greater")
    test = next(test for test in family_tests(pairs(each)) if test.family == "family-1")
    assert (test.t, test.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert test.mean == pytest.approx(np.mean([of.on_right - of.on_wrong for of in own]))
    assert (test.pairs, test.models, test.benchmarks) == (6, 2, 3)


def test_p_values_are_corrected_over_families():
    tests = family_tests(pairs(benchmarks(easier=0.2)))
    expected = stats.false_discovery_control([test.p for test in tests])
    assert [test.p_bh for test in tests] == pytest.approx(expected)
    assert len({test.p_bh for test in tests} | {test.p for test in tests}) > 3
    assert [test.mean for test in tests] == sorted((test.mean for test in tests), reverse=True)


def test_accuracies_are_corrected_by_uniform_chance():
    each = benchmarks(labels=4)[0]
    first = pairs([each])[0]
    for part, share in ((1, first.corrected.on_right), (0, first.corrected.on_wrong)):
        plain = each.right[each.probe_right == part, 0].mean()
        assert share == pytest.approx((plain - 1 / 4) / (1 - 1 / 4))
    assert first.corrected.accuracy == pytest.approx((each.right[:, 0].mean() - 0.25) / 0.75)


def test_styles_and_runs_of_a_model_are_one_pair():
    each = benchmarks(models=4, families=4)[0]
    twice = dataclasses.replace(
        each,
        series=(*each.series, each.series[0]._replace(style="polite")),
        right=np.column_stack([each.right, 1 - each.right[:, 0]]),
        outcomes=np.column_stack([each.outcomes, each.outcomes[:, 0]]),
        said=None,
    )
    first = next(test for test in family_tests(pairs([twice])) if test.family == "family-0")
    assert first.pairs == 1
    assert first.mean == pytest.approx(0)  # of a model that is right, and one that is wrong, where the first is right


def test_benchmarks_without_a_shortcut_are_left_out():
    first, second, third = benchmarks()
    innocent = dataclasses.replace(third, about=msgspec.structs.replace(third.about, shortcut=False))
    assert family_tests(pairs([first, second, innocent])) == family_tests(pairs([first, second]))
    assert family_tests(pairs([innocent])) == []


def test_few_pairs_and_benchmarks_are_said_to_be_few_and_a_single_pair_has_no_test():
    assert family_tests(pairs(benchmarks()[:1]))[0].warning == "few: 2 pairs and 1 benchmark"
    alone = family_tests(pairs(benchmarks(models=3)[:1]))
    assert {(test.t, test.p, test.p_bh) for test in alone} == {(None, None, None)}


def test_the_table_stands_under_the_papers_protocol_only():
    assert len(study(benchmarks(), protocol="paper").families) == 3
    usual = study(benchmarks(scheme="grouped"))
    assert usual.families == []
    assert {pair.corrected for pair in usual.pairs} == {None}
