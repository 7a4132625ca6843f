"""The audit on real third-party benchmarks, where they are at hand: verdicts that one would defend to their authors."""

from pathlib import Path

import pytest

import hansproof

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the third-party development data are not at hand")

QUICK = {"bootstrap": 200, "permutations": 299}


def largest(result, scheme, measure="cohen"):
    return max(getattr(one, measure) for one in result.scheme(scheme).vectors if one.counted)


@pytest.mark.parametrize("groups", ["auto", "found"])
def test_spatial_nli_is_bound_to_its_templates_named_or_found(groups):
    result = hansproof.audit(DATA / "benchmarks" / "space_nli.jsonl", groups=groups, **QUICK)
    assert result.verdict == "TEMPLATE-BOUND"
    assert largest(result, "random") > 0.4
    strongest = next(one for one in result.scheme("grouped").vectors if one.vector == result.vector)
    assert strongest.cohen < 0.1
    if groups == "auto":
        assert (result.groups.column, result.groups.count) == ("problem_id", 160)


def test_spatial_nli_by_the_papers_protocol_exceeds_40_by_uniform_chance():
    result = hansproof.audit(DATA / "benchmarks" / "space_nli.jsonl", protocol="paper", **QUICK)
    headline = next(one for one in result.scheme("paper").vectors if one.vector == result.scheme("paper").headline)
    assert headline.uniform > 0.4


def test_babi_task_16_leaks_about_a_fifth_as_in_the_paper():
    path = DATA / "benchmarks" / "babi_task_16.jsonl"
    result = hansproof.audit(path, protocol="paper", upstream_counts=True, **QUICK)
    assert 0.15 < largest(result, "paper", "uniform") < 0.25


def test_commonsense_qa_is_clean():
    result = hansproof.audit(DATA / "benchmarks" / "commonsense_qa_2.csv", **QUICK)
    assert result.verdict == "CLEAN"
    assert result.groups.singletons > 2400


@pytest.mark.parametrize("name", ["goal_step_inference", "abstract_narrative_9"])
def test_options_of_each_item_are_not_assessed(name):
    result = hansproof.audit(DATA / "benchmarks" / f"{name}.jsonl", **QUICK)
    assert result.verdict == "NOT ASSESSED"


def test_186_stories_of_causal_judgment_are_too_few():
    result = hansproof.audit(DATA / "responses" / "causal_judgment" / "gpt-4-0613.jsonl", **QUICK)
    assert result.verdict == "INCONCLUSIVE"
    assert result.items == 186


def test_the_four_run_logs_of_moral_permissibility_hold_one_benchmark():
    logs = sorted((DATA / "responses" / "moral_permissibility").glob("*.jsonl"))
    results = [hansproof.audit(path, **QUICK) for path in logs[:2]]
    assert {one.items for one in results} == {338}
    assert {one.verdict for one in results} <= {"CLEAN", "INCONCLUSIVE"}
