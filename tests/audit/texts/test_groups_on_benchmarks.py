"""Groups detected on whole benchmarks: exactly the templates and stories that exist, and none where there are none."""

import json
from pathlib import Path

import numpy as np
import pytest

from hansproof.audit.reading.loading import load
from hansproof.audit.texts.grouping import find_groups
from hansproof.generators.jsonl import read_bytes

PLANTED = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "2.0.0"


def sizes(texts):
    return np.bincount(find_groups(texts).index)


def agree(index, declared):
    """True where two numberings make the same groups."""
    return len(set(zip(index.tolist(), declared))) == len(set(index.tolist())) == len(set(declared))


def planted(name):
    return [json.loads(line) for line in read_bytes(PLANTED / f"{name}.jsonl.gz").decode().splitlines()]


def test_24_templates_are_detected_from_their_wording(small):
    benchmark = load(small / "places.jsonl")
    groups = find_groups(benchmark.prompts)
    assert agree(groups.index, benchmark.groups)
    assert groups.how == "Detected 24 groups in 240 items (joins: 216 by equal function-word skeletons)."


def test_each_story_is_one_group_with_all_its_questions(small):
    path = small / "logs" / "otter-2.jsonl"
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    declared = [event["story"] for event in events if event.get("type") == "sampling"]
    groups = find_groups(load(path).prompts)
    assert agree(groups.index, declared)
    assert groups.how == "Detected 30 groups in 120 items (joins: 90 by shared sentences)."


def test_a_text_and_its_repetition_are_one_group(small):
    groups = find_groups(load(small / "repeats.csv").prompts)
    assert agree(groups.index, list(range(30)) * 2)
    assert groups.how == "Detected 30 groups in 60 items (joins: 30 by repeated texts)."


@pytest.mark.parametrize("name", ["questions.csv", "options.jsonl", "sums.jsonl"])
def test_items_of_one_grammar_or_one_list_of_options_stay_apart(small, name):
    assert sizes(load(small / name).prompts).max() == 1


@pytest.mark.parametrize("subset", ["none", "unigram", "bigram", "length", "readability", "imbalance"])
def test_planted_subsets_without_templates_stay_apart(subset):
    rows = planted(subset)
    assert (sizes([row["prompt"] for row in rows]) == 1).sum() > 0.95 * len(rows)


def test_planted_templates_are_recovered():
    rows = planted("template-only")
    assert agree(find_groups([row["prompt"] for row in rows]).index, [row["group"] for row in rows])
