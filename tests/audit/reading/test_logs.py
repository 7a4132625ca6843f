"""Logs of other projects: prompts and gold answers are read, never the replies of a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hansproof.audit.reading.loading import load
from hansproof.audit.reading.task_kind import kind
from hansproof.generators.errors import InputError

N = 40
TEXTS = [f"item number {n}" for n in range(N)]
GOLDS = [("yes", "no")[n % 2] for n in range(N)]
RECORDS = [{"text": text, "label": gold} for text, gold in zip(TEXTS, GOLDS)]


def save(tmp_path: Path, rows: list[Any]) -> Path:
    path = tmp_path / "bench.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def chat(text: str) -> list[dict[str, Any]]:
    return [{"role": "system", "content": "Answer."}, {"role": "user", "content": text}]


def test_evals_samples_join_messages_without_roles(tmp_path: Path) -> None:
    rows = [{"input": chat(text), "ideal": gold} for text, gold in zip(TEXTS, GOLDS)]
    benchmark = load(save(tmp_path, rows))
    assert benchmark.prompts[0] == "Answer.\nitem number 0"
    assert benchmark.mapping.format == "OpenAI evals samples (chat)"
    assert benchmark.mapping.guessed == ()
    parts = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]
    rows[0]["input"] = [{"role": "user", "content": parts}]
    assert load(save(tmp_path, rows)).prompts[0] == "one\ntwo"


def test_evals_samples_use_the_first_of_several_ideals_and_note_it(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"input": text, "ideal": [gold]} for text, gold in zip(TEXTS, GOLDS)]
    assert load(save(tmp_path, rows)).notes == ()
    rows[0]["ideal"] = ["yes", "Yes", "yep"]
    rows[1]["ideal"] = ["no", "no"]
    benchmark = load(save(tmp_path, rows))
    assert benchmark.answers == GOLDS
    assert benchmark.notes == ("1 item has several acceptable answers that differ; the first is used",)
    assert benchmark.mapping.format == "OpenAI evals samples (text)"


def run_log(prompts: list[Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [{"spec": {"eval_name": "x", "run_config": {}}}]
    for n, prompt in enumerate(prompts):
        event = {"run_id": "r", "event_id": n, "sample_id": f"x.{n}"}
        rows.append({**event, "type": "sampling", "data": {"prompt": prompt, "sampled": ["wrong"]}})
        rows.append({**event, "type": "match", "data": {"expected": GOLDS[n], "picked": "wrong"}})
    return [*rows, {"final_report": {"accuracy": 0.5}}]


@pytest.mark.parametrize("as_chat", [True, False])
def test_run_logs_join_sampling_and_match_events(tmp_path: Path, as_chat: bool) -> None:
    log = run_log([chat(text) if as_chat else f"Answer.\n{text}" for text in TEXTS])
    log[1], log[4] = log[4], log[1]  # events of parallel requests come in any order
    log.append({**log[2], "data": {"expected": "other"}})
    benchmark = load(save(tmp_path, log))
    joined = dict(zip(benchmark.ids, zip(benchmark.prompts, benchmark.answers)))
    assert joined == {f"x.{n}": (f"Answer.\n{TEXTS[n]}", GOLDS[n]) for n in range(N)}
    assert benchmark.mapping.format == "OpenAI evals run log"


def test_a_run_log_without_matches_is_refused_and_a_lost_match_is_listed(tmp_path: Path) -> None:
    log = run_log(list(TEXTS))
    with pytest.raises(InputError, match="run log without `match` events"):
        load(save(tmp_path, [row for row in log if row.get("type") != "match"]))
    benchmark = load(save(tmp_path, [row for row in log if row is not log[2]]))
    assert [(row.place, row.reason) for row in benchmark.left_out] == [("line 2", "no match event for this sample")]


def test_a_column_called_spec_does_not_make_a_run_log(tmp_path: Path) -> None:
    assert load(save(tmp_path, [{**row, "spec": "x"} for row in RECORDS])).prompts == TEXTS


def test_big_bench_tasks_give_the_best_scored_option(tmp_path: Path) -> None:
    examples: list[dict[str, Any]] = [
        {"input": text, "target_scores": {"yes": int(gold == "yes"), "no": int(gold == "no")}}
        for text, gold in zip(TEXTS, GOLDS)
    ]
    path = tmp_path / "task.json"
    path.write_text(json.dumps({"name": "x", "keywords": ["a"], "examples": examples}), encoding="utf-8")
    benchmark = load(path)
    assert (benchmark.prompts, benchmark.answers) == (TEXTS, GOLDS)
    assert benchmark.choices == [["yes", "no"]] * N
    targets = [{"input": text, "target": [gold]} for text, gold in zip(TEXTS, GOLDS)]
    path.write_text(json.dumps({"examples": targets}), encoding="utf-8")
    assert load(path).answers == GOLDS


def test_harness_samples_are_read_once_per_document(tmp_path: Path) -> None:
    rows = [
        {
            "doc_id": n,
            "doc": {},
            "target": n % 2,
            "arguments": {f"gen_args_{k}": {"arg_0": TEXTS[n], "arg_1": f" {'ab'[k]}"} for k in range(2)},
            "filter": kind,
        }
        for n in range(N)
        for kind in ("none", "strict")
    ]
    benchmark = load(save(tmp_path, rows))
    assert (benchmark.prompts, benchmark.answers) == (TEXTS, ["ab"[n % 2] for n in range(N)])
    assert benchmark.choices == [["a", "b"]] * N


def test_inspect_logs_are_read_in_their_first_epoch(tmp_path: Path) -> None:
    samples = [
        {"id": n, "epoch": epoch, "input": chat(TEXTS[n]), "target": GOLDS[n]} for epoch in (1, 2) for n in range(N)
    ]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"version": 2, "eval": {}, "samples": samples}), encoding="utf-8")
    benchmark = load(path)
    assert (len(benchmark.prompts), benchmark.ids[3], benchmark.answers) == (N, "3", GOLDS)


def test_spans_of_a_passage_are_open_ended(tmp_path: Path) -> None:
    rows = [{"question": text, "context": "c", "answers": {"text": [text], "start": [0]}} for text in TEXTS]
    judged = kind(load(save(tmp_path, rows)))
    assert (judged.name, "40 different answers in 40 items" in judged.reason) == ("open-ended", True)


def test_a_run_log_is_named_after_its_evaluation_and_its_file(small: Path) -> None:
    assert load(small / "logs" / "heron-1.jsonl").name == "stories (heron-1)"
    assert load(small / "logs" / "heron-1.jsonl", name="mine").name == "mine"


def test_logs_of_two_models_hold_the_same_items(small: Path) -> None:
    items = [
        sorted(zip(log.ids, log.prompts, log.answers))
        for log in (load(small / "logs" / "heron-1.jsonl"), load(small / "logs" / "otter-2.jsonl"))
    ]
    assert items[0] == items[1]
    assert len(items[0]) == 120
