"""The same items give the same benchmark, whichever harness wrote them down."""

import json

import pytest

from hansproof.audit.reading.loading import Columns, load

N = 40
ITEMS = [(f"item {n}", [f"red {n}", f"blue {n}", "none"][: 2 + n % 2], n % 2) for n in range(N)]


def lm_eval(path):
    rows = [
        {
            "doc_id": n, "doc": {}, "target": str(gold),
            "arguments": {f"gen_args_{k}": {"arg_0": text, "arg_1": f" {o}"} for k, o in enumerate(options)},
        }
        for n, (text, options, gold) in enumerate(ITEMS)
    ]  # fmt: skip
    return write_lines(path / "samples_x.jsonl", rows)


def inspect_log(path):
    samples = [
        {"id": n, "epoch": 1, "input": text, "choices": options, "target": "AB"[gold]}
        for n, (text, options, gold) in enumerate(ITEMS)
    ]
    return write(path / "log.json", {"version": 2, "eval": {"task": "x"}, "samples": samples})


def inspect_samples(path):
    rows = [{"input": text, "choices": options, "target": "AB"[gold]} for text, options, gold in ITEMS]
    return write_lines(path / "data.jsonl", rows)


def helm(path):
    instances = [
        {
            "input": {"text": text}, "id": f"id{n}", "split": "test",
            "references": [{"output": {"text": o}, "tags": ["correct"] * (k == gold)} for k, o in enumerate(options)],
        }
        for n, (text, options, gold) in enumerate(ITEMS)
    ]  # fmt: skip
    return write(path / "instances.json", instances)


def big_bench(path):
    examples = [
        {"input": text, "target_scores": {o: int(k == gold) for k, o in enumerate(options)}}
        for text, options, gold in ITEMS
    ]
    return write(path / "task.json", {"name": "x", "examples": examples})


def write(path, value):
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("made", [lm_eval, inspect_log, inspect_samples, helm, big_bench])
def test_options_and_golds_are_the_same_from_every_harness_and_nothing_is_guessed(made, tmp_path):
    benchmark = load(made(tmp_path))
    rows = [{"question": text, "choices": options, "answer": gold} for text, options, gold in ITEMS]
    expected = load(rows, Columns(recipe="mmlu"))
    assert benchmark.prompts == expected.prompts
    assert benchmark.options.texts == expected.options.texts == [options for _, options, _ in ITEMS]
    assert benchmark.options.gold == expected.options.gold == [gold for _, _, gold in ITEMS]
    assert benchmark.mapping.guessed == ()


def test_options_of_a_few_items_only_do_not_make_the_others_unusable(tmp_path):
    rows = [{"input": text, "target": ("yes", "no")[gold], "metadata": {}} for text, _, gold in ITEMS]
    rows[3]["choices"] = ["yes", "no"]
    assert len(load(write_lines(tmp_path / "data.jsonl", rows)).prompts) == N


def test_a_sample_that_lacks_a_part_is_listed(tmp_path):
    path = lm_eval(tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    for place, key in ((20, "target"), (21, "arguments"), (22, "doc")):
        row = json.loads(lines[place])
        del row[key]
        lines[place] = json.dumps(row)
    path.write_text("\n".join(lines), encoding="utf-8")
    benchmark = load(path)
    assert [row.place for row in benchmark.left_out] == ["line 21", "line 22"]
