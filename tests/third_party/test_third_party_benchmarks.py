"""The few tests on benchmarks of others, which are not part of the project: verdicts to defend before their authors.

Everything else that needs a benchmark uses the small ones of `tests/conftest.py`, or the sample that ships.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import hansproof
from hansproof.audit.reading.loading import expand, load
from hansproof.audit.reading.task_kind import kind
from hansproof.audit.texts.grouping import find_groups

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
BENCHMARKS, RESPONSES = DATA / "benchmarks", DATA / "responses"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.is_dir(), reason="third-party benchmarks are not part of the project"),
]

QUICK = {"splits": 2, "permutations": 299}


def largest(result, scheme, measure="cohen"):
    return max(getattr(vector, measure) for vector in result.scheme(scheme).vectors if vector.counted)


@pytest.mark.parametrize(
    ("path", "items", "labels", "expected"),
    [
        (BENCHMARKS / "space_nli.jsonl", 1600, 3, "fixed"),
        (BENCHMARKS / "babi_task_16.jsonl", 4996, 4, "fixed"),
        (BENCHMARKS / "commonsense_qa_2.csv", 2537, 2, "fixed"),
        (BENCHMARKS / "abstract_narrative_9.jsonl", 996, 10, "per-item"),
        (BENCHMARKS / "goal_step_inference.jsonl", 2246, 4, "per-item"),
        (RESPONSES / "causal_judgment" / "gpt-4-0613.jsonl", 186, 2, "fixed"),
        (RESPONSES / "causal_judgment" / "text-ada-001.jsonl", 186, 2, "fixed"),
        (RESPONSES / "moral_permissibility" / "gpt-4-0613.jsonl", 338, 2, "fixed"),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else str(value),
)
def test_every_row_is_read_and_the_kind_is_recognised(path, items, labels, expected):
    benchmark = load(path)
    assert (len(benchmark.prompts), len(set(benchmark.answers)), benchmark.left_out) == (items, labels, ())
    assert kind(benchmark).name == expected


def test_the_folder_holds_five_benchmarks():
    assert len(expand(str(BENCHMARKS))) == 5


def test_the_160_templates_of_space_nli_are_inferred():
    benchmark = load(BENCHMARKS / "space_nli.jsonl")
    index, declared = find_groups(benchmark.prompts).index, np.array(benchmark.groups)
    assert len(set(benchmark.groups)) == 160
    pure = sum(max(Counter(declared[index == group]).values()) for group in range(index.max() + 1)) / len(index)
    pieces = np.mean([len(set(index[declared == template].tolist())) for template in sorted(set(benchmark.groups))])
    assert pure > 0.9  # some of the 160 templates are worded alike
    assert pieces < 1.2
    assert 150 <= index.max() + 1 <= 190


@pytest.mark.parametrize(
    ("name", "alone", "largest_group"),
    [
        ("commonsense_qa_2.csv", 0.98, 10),
        ("babi_task_16.jsonl", 0.95, 5),
        ("abstract_narrative_9.jsonl", 0.95, 5),
        ("goal_step_inference.jsonl", 0.95, 5),
    ],
)
def test_items_of_one_grammar_or_one_list_of_options_stay_apart(name, alone, largest_group):
    sizes = np.bincount(find_groups(load(BENCHMARKS / name).prompts).index)
    assert (sizes == 1).sum() > alone * sizes.sum()
    assert sizes.max() <= largest_group


def test_a_story_with_several_questions_is_one_group():
    prompts = load(RESPONSES / "causal_judgment" / "gpt-4-0613.jsonl").prompts
    index = find_groups(prompts).index
    garden = [index[item] for item, prompt in enumerate(prompts) if "Tom has a huge garden" in prompt]
    assert len(garden) > 1
    assert len(set(garden)) == 1
    assert np.bincount(index).max() <= 0.1 * len(prompts)


@pytest.mark.parametrize("groups", ["auto", "found"])
def test_spatial_nli_is_bound_to_its_templates_whether_declared_or_inferred(groups):
    result = hansproof.audit(BENCHMARKS / "space_nli.jsonl", groups=groups, **QUICK)
    assert result.verdict == "TEMPLATE-BOUND"
    assert largest(result, "random") > 0.4
    strongest = next(vector for vector in result.scheme("grouped").vectors if vector.vector == result.vector)
    assert strongest.cohen < 0.1


def test_spatial_nli_by_the_papers_protocol_exceeds_40_by_uniform_chance():
    scheme = hansproof.audit(BENCHMARKS / "space_nli.jsonl", protocol="paper", **QUICK).scheme("paper")
    assert next(vector.uniform for vector in scheme.vectors if vector.vector == scheme.headline) > 0.4


def test_babi_task_16_leaks_about_a_fifth_as_in_the_paper():
    result = hansproof.audit(BENCHMARKS / "babi_task_16.jsonl", protocol="paper", upstream_counts=True, **QUICK)
    assert 0.15 < largest(result, "paper", "uniform") < 0.25


def test_commonsense_qa_has_traces_of_a_cue_and_no_leak():
    result = hansproof.audit(BENCHMARKS / "commonsense_qa_2.csv", **QUICK)
    assert result.verdict == "TRACES"
    assert 0.05 < max(vector.matched for vector in result.schemes[0].vectors if vector.counted) < 0.15


def test_186_stories_of_causal_judgment_are_too_few():
    result = hansproof.audit(RESPONSES / "causal_judgment" / "gpt-4-0613.jsonl", **QUICK)
    assert (result.verdict, result.items) == ("INCONCLUSIVE", 186)


def test_the_gold_answers_of_four_run_logs_are_one_benchmark():
    logs = sorted((RESPONSES / "moral_permissibility").glob("*.jsonl"))
    golds = [dict(zip(benchmark.ids, benchmark.answers)) for benchmark in map(load, logs)]
    assert len(logs) == 4
    assert [len(gold) for gold in golds] == [338] * 4
    assert all(gold == golds[0] for gold in golds)
