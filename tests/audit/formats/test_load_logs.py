"""Other projects' logs: what was asked and what is right, never what a model answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit.columns.kind import kind
from audit.loading import load
from generators.errors import InputError

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
    found = load(save(tmp_path, rows))
    assert found.prompts[0] == "Answer.\nitem number 0"
    assert found.mapping.format == "OpenAI evals samples (chat)"
    assert found.mapping.guessed == ()
    parts = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]
    rows[0]["input"] = [{"role": "user", "content": parts}]
    assert load(save(tmp_path, rows)).prompts[0] == "one\ntwo"


def test_evals_samples_take_the_first_of_several_ideals_and_say_so(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"input": text, "ideal": [gold]} for text, gold in zip(TEXTS, GOLDS)]
    assert load(save(tmp_path, rows)).notes == ()
    rows[0]["ideal"] = ["yes", "Yes", "yep"]
    rows[1]["ideal"] = ["no", "no"]
    found = load(save(tmp_path, rows))
    assert found.answers == GOLDS
    assert found.notes == ("1 item has several acceptable answers that differ; the first is used",)
    assert found.mapping.format == "OpenAI evals samples (text)"


def run_log(prompts: list[Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [{"spec": {"eval_name": "x", "run_config": {}}}]
    for n, prompt in enumerate(prompts):
        event = {"run_id": "r", "event_id": n, "sample_id": f"x.{n}"}
        rows.append({**event, "type": "sampling", "data": {"prompt": prompt, "sampled": ["wrong"]}})
        rows.append({**event, "type": "match", "data": {"expected": GOLDS[n], "picked": "wrong"}})
    return [*rows, {"final_report": {"accuracy": 0.5}}]


@pytest.mark.parametrize("as_chat", [True, False])
def test_run_logs_join_sampling_and_match_events(tmp_path: Path, as_chat: bool) -> None:
    log = run_log([chat(one) if as_chat else f"Answer.\n{one}" for one in TEXTS])
    log[1], log[4] = log[4], log[1]  # events of parallel requests come in any order
    log.append({**log[2], "data": {"expected": "other"}})
    found = load(save(tmp_path, log))
    joined = dict(zip(found.ids, zip(found.prompts, found.answers)))
    assert joined == {f"x.{n}": (f"Answer.\n{TEXTS[n]}", GOLDS[n]) for n in range(N)}
    assert found.mapping.format == "OpenAI evals run log"


def test_a_run_log_without_matches_is_refused_and_a_lost_match_is_listed(tmp_path: Path) -> None:
    log = run_log(list(TEXTS))
    with pytest.raises(InputError, match="run log without `match` events"):
        load(save(tmp_path, [row for row in log if row.get("type") != "match"]))
    found = load(save(tmp_path, [row for row in log if row is not log[2]]))
    assert [(one.place, one.reason) for one in found.left_out] == [("line 2", "no match event for this sample")]


def test_a_column_called_spec_makes_no_run_log(tmp_path: Path) -> None:
    assert load(save(tmp_path, [{**row, "spec": "x"} for row in RECORDS])).prompts == TEXTS


def test_big_bench_tasks_give_the_best_scored_option(tmp_path: Path) -> None:
    examples: list[dict[str, Any]] = [
        {"input": text, "target_scores": {"yes": int(gold == "yes"), "no": int(gold == "no")}}
        for text, gold in zip(TEXTS, GOLDS)
    ]
    path = tmp_path / "task.json"
    path.write_text(json.dumps({"name": "x", "keywords": ["a"], "examples": examples}), encoding="utf-8")
    found = load(path)
    assert (found.prompts, found.answers) == (TEXTS, GOLDS)
    assert found.choices == [["yes", "no"]] * N
    targets = [{"input": text, "target": [gold]} for text, gold in zip(TEXTS, GOLDS)]
    path.write_text(json.dumps({"examples": targets}), encoding="utf-8")
    assert load(path).answers == GOLDS


def test_harness_samples_are_read_once_a_document(tmp_path: Path) -> None:
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
    found = load(save(tmp_path, rows))
    assert (found.prompts, found.answers) == (TEXTS, [str(n % 2) for n in range(N)])
    assert found.choices == [["a", "b"]] * N


def test_inspect_logs_are_read_in_their_first_epoch(tmp_path: Path) -> None:
    samples = [
        {"id": n, "epoch": epoch, "input": chat(TEXTS[n]), "target": GOLDS[n]} for epoch in (1, 2) for n in range(N)
    ]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"version": 2, "eval": {}, "samples": samples}), encoding="utf-8")
    found = load(path)
    assert (len(found.prompts), found.ids[3], found.answers) == (N, "3", GOLDS)


def test_spans_of_a_passage_are_open_ended(tmp_path: Path) -> None:
    rows = [{"question": text, "context": "c", "answers": {"text": [text], "start": [0]}} for text in TEXTS]
    found = kind(load(save(tmp_path, rows)))
    assert (found.name, "40 different answers in 40 items" in found.reason) == ("open-ended", True)
