"""Families: the paper's t-test beside scipy's, and the joint error beside that of the mean answer."""

import dataclasses

import msgspec
import numpy as np
import pytest
from scipy import stats
from simulated.reliance import World, simulated

from hansproof.audit.models.reliance.estimate import stratified
from hansproof.audit.models.reliance.families import corrected, family_tests, pooled
from hansproof.audit.models.reliance.pairs import pairs_of


def benchmarks(seed=0, **changes):
    return simulated(World(benchmarks=3, models=6, families=3, **changes), np.random.default_rng(seed))


def pairs(each):
    return [pair for benchmark in each for pair in pairs_of(benchmark)]


def test_the_t_test_is_scipys_paired_one_on_chance_corrected_accuracies():
    each = pairs(benchmarks())
    of = [pair.record for pair in each if pair.record.family == "family-1"]
    expected = stats.ttest_rel([r.on_right for r in of], [r.on_wrong for r in of], alternative="greater")
    test = next(test for test in family_tests(each) if test.family == "family-1")
    assert (test.t, test.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert test.mean == pytest.approx(np.mean([r.on_right - r.on_wrong for r in of]))
    assert (test.pairs, test.models, test.benchmarks) == (6, 2, 3)


def test_p_values_are_corrected_over_families_and_the_row_of_all_is_last():
    tests = family_tests(pairs(benchmarks()))
    assert tests[-1].family == ""
    assert tests[-1].p_bh is None
    expected = stats.false_discovery_control([test.p for test in tests[:-1]])
    assert [test.p_bh for test in tests[:-1]] == pytest.approx(expected)
    assert [test.mean for test in tests[:-1]] == sorted((test.mean for test in tests[:-1]), reverse=True)


def test_the_joint_error_is_that_of_the_mean_answer_of_all_models():
    each = benchmarks()[0]
    joint = pooled(pairs([each]), lambda pair: pair.paper)
    corrected_answers = (each.right.mean(axis=1) - 0.5) / 0.5
    expected = stratified(corrected_answers, each.probe_right, each.groups)
    assert joint.value == pytest.approx(expected.value)
    assert joint.se == pytest.approx(expected.se)


def test_benchmarks_are_independent():
    every = benchmarks()
    parts = [pooled(pairs([each]), lambda pair: pair.paper) for each in every]
    joint = pooled(pairs(every), lambda pair: pair.paper)
    assert joint.value == pytest.approx(np.mean([part.value for part in parts]))
    assert joint.se == pytest.approx(np.sqrt(sum(part.se**2 for part in parts)) / 3)


@pytest.mark.slow
def test_the_t_test_accuses_families_that_share_unlucky_parts_and_the_joint_test_does_not():
    # One benchmark, eight models, and no relation of probe and difficulty: the pairs share whatever luck there is.
    paired, joint = 0, 0
    for seed in range(80):
        each = simulated(World(items=100, easier=0, spread=2), np.random.default_rng(seed))
        test = family_tests(pairs(each))[-1]
        paired += test.p < 0.05
        joint += test.joint.p < 0.05
    assert paired >= 14
    assert joint <= 8


def test_the_difference_beyond_difficulty_says_of_how_many_pairs_it_is():
    # Beside a single other model difficulty is not measured: only the benchmark with three has the difference.
    three, two = (
        simulated(World(models=count, families=count, items=800), np.random.default_rng(0))[0] for count in (3, 2)
    )
    two = dataclasses.replace(two, about=msgspec.structs.replace(two.about, benchmark="other"))
    test = family_tests(pairs([three, two]))[-1]
    assert (test.pairs, test.beyond_pairs) == (5, 3)
    assert test.beyond == family_tests(pairs([three]))[-1].beyond


def test_few_pairs_and_benchmarks_are_said_to_be_few():
    test = family_tests(pairs(benchmarks()[:1]))[0]
    assert test.warning == "few: 2 pairs and 1 benchmark"
    assert family_tests([]) == []


def test_a_family_of_one_pair_has_no_t_test():
    each = simulated(World(models=3, families=3), np.random.default_rng(0))
    test = family_tests(pairs(each))[0]
    assert (test.t, test.p, test.p_bh) == (None, None, None)
    assert test.joint.p is not None


def test_unknown_p_values_stay_unknown_and_do_not_count():
    assert corrected([0.01, None, 0.04]) == pytest.approx([0.02, None, 0.04])


def test_the_joint_p_is_about_that_of_permuted_probe_successes():
    # Items of their own groups, no relation: successes of the probe change places, for all models at once.
    ps, permuted = [], []
    for seed in range(8):
        (each,) = simulated(World(items=150, models=4, families=4, easier=0.3), np.random.default_rng(seed))
        random = np.random.default_rng(100 + seed)
        mean = each.right.mean(axis=1)

        def gap(probe, mean=mean):
            return mean[probe == 1].mean() - mean[probe == 0].mean()

        beaten = [gap(random.permutation(each.probe_right)) >= gap(each.probe_right) for _ in range(999)]
        permuted.append((sum(beaten) + 1) / 1000)
        ps.append(family_tests(pairs([each]))[-1].joint.p)
    assert ps == pytest.approx(permuted, abs=0.05)


def test_what_is_left_at_equal_gold_is_pooled_too():
    # Models and probe favour the first answer; nothing else connects them.
    each = benchmarks(2, bias=1.5, easier=0, items=600)
    test = family_tests(pairs(each))[-1]
    assert abs(test.equal_gold.estimate) < 3 * test.equal_gold.se
    records = [pair.record.equal_gold.estimate for pair in pairs(each)]
    assert test.equal_gold.estimate == pytest.approx(np.mean(records))
