"""Every export read back by our own means: nothing of prompt, choices, answer or id is lost or shifted."""

import json

import yaml

from hansproof.release.exports.export import export


def jsonl(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def test_lm_eval_tasks_name_the_rows_and_the_columns(release, rows, tmp_path):
    import jinja2

    export(release, "lm-eval", out=tmp_path)
    tasks = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in tmp_path.glob("*.yaml")}
    group = tasks.pop("_small_set")
    assert group["group"] == "small_set"
    assert sorted(group["task"]) == sorted(tasks) == ["small_set_S_3", "small_set_many", "small_set_open"]
    for name, task in tasks.items():
        assert task["task"] == name
        assert task["dataset_path"] == "json"
        assert task["test_split"] == "test"
        assert task["metadata"] == {"version": "1.0.0"}
        lines = jsonl(tmp_path / task["dataset_kwargs"]["data_files"]["test"])
        subset = lines[0]["metadata"]["subset"]
        assert lines == [item.record() for item in rows[subset]]
        assert task["doc_to_text"] == "prompt"  # a column, so that braces in a prompt stay braces
        if subset == "open":
            assert (task["output_type"], task["doc_to_target"]) == ("generate_until", "answer")
            assert task["metric_list"][0]["metric"] == "exact_match"
            continue
        assert (task["output_type"], task["doc_to_choice"]) == ("multiple_choice", "choices")
        for line, item in zip(lines, rows[subset]):
            target = jinja2.Environment().from_string(task["doc_to_target"]).render(**line)
            assert line["choices"][int(target)] == item.answer


def test_inspect_reads_the_fields_that_the_mapping_names(release, rows, tmp_path):
    export(release, "inspect", out=tmp_path)
    fields = json.loads((tmp_path / "fieldspec.json").read_text())
    assert list(fields) == ["input", "target", "choices", "id", "metadata"]
    for subset, items in rows.items():
        for line, item in zip(jsonl(tmp_path / f"rows/{subset}.jsonl"), items, strict=True):
            mapped = [line[fields[key]] for key in ("input", "target", "choices", "id")]
            choices = None if item.choices is None else list(item.choices)
            assert mapped == [item.prompt, item.answer, choices, item.id]
            assert line[fields["metadata"][0]] == item.group


def test_openai_evals_samples_have_prompt_and_answer_and_the_registry_finds_them(release, rows, tmp_path):
    export(release, "openai-evals", out=tmp_path)
    registry = yaml.safe_load((tmp_path / "registry/evals/small_set.yaml").read_text(encoding="utf-8"))
    for subset, task in (("S-3", "small_set_S_3"), ("many", "small_set_many"), ("open", "small_set_open")):
        registered = registry[registry[task]["id"]]
        samples = jsonl(tmp_path / "registry/data" / registered["args"]["samples_jsonl"])
        kind = "includes:Includes" if subset == "open" else "match:Match"
        assert registered["class"] == f"evals.elsuite.basic.{kind}"
        assert [(s["id"], s["input"], s["ideal"]) for s in samples] == [
            (item.id, [{"role": "user", "content": item.prompt}], item.answer) for item in rows[subset]
        ]


def test_helm_instances_have_one_correct_reference_each(release, rows, tmp_path):
    export(release, "helm", out=tmp_path)
    for subset, items in rows.items():
        instances = json.loads((tmp_path / f"instances/{subset}.json").read_text(encoding="utf-8"))
        assert len(instances) == len(items)
        for instance, item in zip(instances, items):
            assert (instance["id"], instance["input"], instance["split"]) == (item.id, {"text": item.prompt}, "test")
            texts = [reference["output"]["text"] for reference in instance["references"]]
            assert texts == list(item.choices or [item.answer])
            correct = [r["output"]["text"] for r in instance["references"] if r["tags"] == ["correct"]]
            assert correct == [item.answer]


def test_lighteval_docs_point_at_the_gold_choice_and_load_as_configurations(release, rows, tmp_path):
    from datasets import load_dataset

    export(release, "lighteval", out=tmp_path / "out")
    for subset, items in rows.items():
        loaded = load_dataset(str(tmp_path / "out"), subset, split="test", cache_dir=str(tmp_path / "cache"))
        docs = jsonl(tmp_path / "out" / f"docs/{subset}.jsonl")
        assert loaded.to_list() == docs
        assert [(d["id"], d["query"], d["choices"][d["gold_index"]]) for d in docs] == [
            (item.id, item.prompt, item.answer) for item in items
        ]
        assert [d["choices"] for d in docs] == [list(item.choices or [item.answer]) for item in items]
