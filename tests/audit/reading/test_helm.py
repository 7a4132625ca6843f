"""HELM: instances, and the scenario states of its runs."""

import json

import pytest

from hansproof.audit.reading.loading import load
from hansproof.generators.errors import InputError

N = 40


def instance(n, references=None, **more):
    references = references or [
        {"output": {"text": text}, "tags": ["correct"] * (text == ("yes", "no")[n % 2])} for text in ("no", "yes")
    ]
    return {"input": {"text": f"item {n}"}, "references": references, "split": "test", "id": f"id{n}", **more}


def read(tmp_path, value):
    path = tmp_path / "any.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return load(path)


def test_instances_give_their_correct_reference_and_all_as_options(tmp_path):
    benchmark = read(tmp_path, [instance(n) for n in range(N)])
    assert benchmark.mapping.format == "HELM instances"
    assert benchmark.answers == [("yes", "no")[n % 2] for n in range(N)]
    assert benchmark.choices == [["no", "yes"]] * N
    assert (benchmark.ids[4], benchmark.splits[4]) == ("id4", "test")


def test_a_scenario_state_gives_each_instance_once(tmp_path):
    states = [
        {"instance": instance(n), "reference_index": k, "train_trial_index": trial, "request": {"prompt": "long"}}
        for trial in range(2)
        for n in range(N)
        for k in range(2)
    ]
    benchmark = read(tmp_path, {"adapter_spec": {}, "request_states": states})
    assert benchmark.mapping.format == "HELM scenario state"
    assert benchmark.prompts == [f"item {n}" for n in range(N)]


def test_perturbed_copies_are_set_aside_with_a_note(tmp_path):
    copies = [instance(n, perturbation={"name": "typos"}) for n in range(N)]
    benchmark = read(tmp_path, [instance(n) for n in range(N)] + copies)
    assert len(benchmark.prompts) == N
    assert benchmark.notes[0] == "40 perturbed copies of instances are set aside"
    assert len(read(tmp_path, copies).prompts) == N


def test_open_answers_have_no_options_and_several_correct_ones_are_all_read(tmp_path):
    def both(n):
        texts = (("yes", "aye"), ("no", "nay"))[n % 2]
        return [{"output": {"text": text}, "tags": ["correct"]} for text in texts]

    benchmark = read(tmp_path, [instance(n, both(n)) for n in range(N)])
    assert benchmark.answers == [("yes", "no")[n % 2] for n in range(N)]
    assert any("several acceptable answers" in note for note in benchmark.notes)
    assert benchmark.choices is None


def test_an_instance_without_a_correct_reference_is_listed(tmp_path):
    wrong = [{"output": {"text": "no"}, "tags": []}]
    (row,) = read(tmp_path, [instance(n, wrong if n == 2 else None) for n in range(N)]).left_out
    assert (row.place, row.reason) == ("row 3", "no reference is tagged correct")


@pytest.mark.parametrize("value", [[{"input": "x", "references": "none"}], [{"input": {}}]])
def test_what_only_looks_like_helm_is_read_as_ordinary_json(tmp_path, value):
    with pytest.raises(InputError) as caught:
        read(tmp_path, value)
    assert "HELM" not in str(caught.value)
