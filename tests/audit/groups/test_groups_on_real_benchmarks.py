"""Groups found on benchmarks of others: the templates that are there, and none where there are none."""

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from audit.groups.grouping import find_groups

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT.parent / "shared" / "data"
PLANTED = ROOT / "datasets" / "planted-cues" / "1.0.0"


def rows(path):
    if not path.exists():
        pytest.skip(f"third-party data are not part of the project: {path.name} is absent")
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def text(messages):
    return "\n".join(one["content"] for one in messages)


def sizes(texts):
    return np.bincount(find_groups(texts).index)


def test_the_templates_of_space_nli_are_found_untold():
    data = rows(DATA / "benchmarks" / "space_nli.jsonl")
    index = find_groups([text(row["input"]) for row in data]).index
    truth = np.array([row["problem_id"] for row in data])
    pure = sum(max(Counter(truth[index == group]).values()) for group in range(index.max() + 1)) / len(data)
    pieces = np.mean([len(set(index[truth == one].tolist())) for one in sorted(set(truth.tolist()))])
    assert pure > 0.9  # 160 templates, some of them worded alike
    assert pieces < 1.2
    assert 150 <= index.max() + 1 <= 190


def test_the_probe_of_space_nli_finds_nothing_across_found_groups():
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import cohen_kappa_score
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline

    data = rows(DATA / "benchmarks" / "space_nli.jsonl")
    texts, gold = [text(row["input"]) for row in data], [row["ideal"] for row in data]
    probe = make_pipeline(
        CountVectorizer(ngram_range=(1, 2), binary=True, min_df=2), LogisticRegression(solver="newton-cg")
    )
    groups = find_groups(texts).index
    apart = cross_val_predict(probe, texts, gold, cv=StratifiedKFold(5, shuffle=True, random_state=0))
    kept = cross_val_predict(
        probe, texts, gold, groups=groups, cv=StratifiedGroupKFold(5, shuffle=True, random_state=0)
    )
    assert cohen_kappa_score(gold, apart) > 0.4
    assert cohen_kappa_score(gold, kept) < 0.1


def test_commonsense_questions_stay_apart():
    path = DATA / "benchmarks" / "commonsense_qa_2.csv"
    if not path.exists():
        pytest.skip(f"third-party data are not part of the project: {path.name} is absent")
    with path.open(encoding="utf-8", newline="") as lines:
        found = sizes([row["question"] for row in csv.DictReader(lines)])
    assert (found == 1).sum() > 0.98 * found.sum()
    assert found.max() <= 10


@pytest.mark.parametrize("name", ["babi_task_16", "abstract_narrative_9", "goal_step_inference"])
def test_items_of_one_grammar_or_one_list_of_options_stay_apart(name):
    found = sizes([text(row["input"]) for row in rows(DATA / "benchmarks" / f"{name}.jsonl")])
    assert (found == 1).sum() > 0.95 * found.sum()
    assert found.max() <= 5


def test_stories_told_several_times_are_joined():
    events = rows(DATA / "responses" / "causal_judgment" / "gpt-4-0613.jsonl")
    prompts = {event["sample_id"]: event["data"]["prompt"] for event in events if event.get("type") == "sampling"}
    texts = [text(prompts[one]) for one in sorted(prompts)]
    index = find_groups(texts).index
    garden = index[[at for at, one in enumerate(texts) if "Tom has a huge garden" in one]]
    assert len(set(garden.tolist())) == 1
    assert np.bincount(index).max() <= 0.1 * len(texts)


@pytest.mark.parametrize("subset", ["none", "unigram", "bigram", "length", "readability", "imbalance"])
def test_planted_subsets_without_templates_stay_apart(subset):
    data = rows(PLANTED / f"{subset}.jsonl")
    assert (sizes([row["prompt"] for row in data]) == 1).sum() > 0.95 * len(data)


def test_planted_templates_are_recovered():
    data = rows(PLANTED / "template-only.jsonl")
    index = find_groups([row["prompt"] for row in data]).index.tolist()
    pairs = set(zip(index, (row["group"] for row in data)))
    assert len(pairs) == len(set(index)) == len({row["group"] for row in data})
