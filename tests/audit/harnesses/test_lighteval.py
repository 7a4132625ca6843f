"""lighteval details: nested as 0.13.0 writes them, flat as 0.10.0 and, each value as a text, 0.5.0 do."""

import json
import math

import pytest
from datasets import Dataset
from made_logs.contract import changed

import hansproof
from hansproof.audit.formats.json_rows import Entry
from hansproof.audit.harnesses.lighteval import replies_of_details
from hansproof.audit.harnesses.registry import replies_of_rows
from hansproof.audit.reading.loading import load
from hansproof.audit.replies.reply_files import read_replies
from hansproof.generators.errors import InputError

DATE = "2025-11-02T10-30-00.123456"
N = 30


def nested(n, text=("So it is\nno",), metric=None, logprobs=(), choices=("no", "yes"), gold=None, **more):
    """A detail as `dataclasses.asdict` makes it of 0.13.0's `Doc`, `ModelResponse` and metrics."""
    doc = {
        "query": f"Is it {n}, or is it not?\nAnswer:", "choices": [f" {choice}" for choice in choices],
        "gold_index": n % 2 if gold is None else gold, "instruction": None, "images": None, "specific": None,
        "unconditioned_query": None, "original_query": None, "id": str(n + 100), "task_name": "mine|0",
        "fewshot_samples": [], "sampling_methods": ["GENERATIVE"], "fewshot_sorting_class": None,
        "generation_size": 10, "stop_sequences": ["\n"], "use_logits": False, "num_samples": 1,
        "generation_grammar": None,
    }  # fmt: skip
    response = {
        "input": doc["query"], "input_tokens": [1, 2], "text": list(text), "output_tokens": [[3]],
        "text_post_processed": None, "reasonings": [], "logprobs": list(logprobs), "argmax_logits_eq_gold": [],
        "logits": None, "unconditioned_logprobs": None, "truncated_tokens_count": 0, "padded_tokens_count": 0,
    }  # fmt: skip
    return {"doc": doc, "model_response": response | more, "metric": metric or {"f1": 0.4, "em": float(n % 2 == 0)}}


def flat(n, predictions=("no",), metrics=None, options=True):
    """A detail of 0.10.0 and before."""
    choices = [" no", " yes"] if options else []
    return {
        "example": f"Is it {n}, or is it not?", "instruction": "", "full_prompt": f"Q: 1?\nA: no\n\nQ: Is it {n}?",
        "num_effective_few_shots": 1, "num_asked_few_shots": 1, "predictions": list(predictions),
        "prediction_logits": [], "input_tokens": [[1]], "cont_tokens": [[2]], "truncated": [0], "padded": [0],
        "gold": [] if options else [["no", "yes"][n % 2]], "pred_logits": [], "choices": choices,
        "gold_index": [n % 2] if options else [], "metrics": metrics or {"acc": int(n % 2 == 0)}, "specifics": {"a": 1},
    }  # fmt: skip


def saved(folder, rows, task="mine|0", model="org/m-7b"):
    path = folder / "out" / "details" / model / DATE / f"details_{task}_{DATE}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    dataset = Dataset.from_list(rows)
    dataset.select_columns(sorted(dataset.column_names)).to_parquet(path)
    return path


def test_nested_details_are_read_as_replies(tmp_path):
    path = saved(tmp_path, [nested(n) for n in range(N)], task="lighteval|mine:part|3")
    replies = list(read_replies(path))
    first = replies[1]
    assert (first.id, first.prompt, first.reply) == ("101", "Is it 1, or is it not?\nAnswer:", "So it is\nno")
    assert (first.golds, first.choices, first.judged, first.likeliest) == (("yes",), ("no", "yes"), False, False)
    assert (first.model, first.benchmark, first.log) == ("org/m-7b", "mine:part", DATE)
    assert (first.place, first.line, first.harness, first.about) == (f"{path}: row 2", 2, "lighteval", ())


def test_the_details_are_items_and_are_scored_without_others(tmp_path):
    path = saved(tmp_path, [nested(n) for n in range(N)])
    benchmark = load(path)
    assert (benchmark.mapping.format, benchmark.name) == ("lighteval details", f"mine ({path.stem})")
    assert (benchmark.ids[1], benchmark.answers[1], benchmark.choices[1]) == ("101", "yes", ["no", "yes"])
    (report,) = hansproof.score(str(path))
    assert (report.title, report.lines[0].items, report.lines[0].right.share) == ("org/m-7b", N, 0.5)


def test_of_compared_choices_the_likeliest_is_the_reply(tmp_path):
    rows = [nested(n, (), {"acc": n % 2}, (-2.5, -0.5), gold=[n % 2]) for n in range(N)]
    replies = list(read_replies(saved(tmp_path, rows)))
    assert {(reply.reply, reply.likeliest) for reply in replies} == {("yes", True)}
    assert [reply.judged for reply in replies[:2]] == [False, True]


def test_samples_are_runs_without_a_verdict_and_reasoning_is_cut_off(tmp_path):
    rows = [nested(n, ("<think>1</think>no", "yes"), text_post_processed=["no", "yes"]) for n in range(2)]
    replies = list(read_replies(saved(tmp_path, rows)))
    assert [(reply.id, reply.reply, reply.run, reply.judged) for reply in replies[:2]] == [
        ("100", "no", "", None), ("100", "yes", "sample 2", None)
    ]  # fmt: skip


def test_references_that_are_all_right_are_no_options(tmp_path):
    rows = [nested(n, choices=("18", "18.0"), gold=[0, 1], metric={"extractive_match": 1}) for n in range(2)]
    (reply, _) = read_replies(saved(tmp_path, rows))
    assert (reply.golds, reply.choices, reply.judged) == (("18", "18.0"), (), True)


@pytest.mark.parametrize("as_text", [False, True])
def test_flat_details_are_read_likewise(tmp_path, as_text):
    def rows(made):
        return [{key: str(value) for key, value in row.items()} for row in made] if as_text else made

    told = saved(tmp_path, rows([flat(n, ['It\'s "no",\n[no]'], {"em": 1}, options=False) for n in range(4)]), "a|0")
    (first, second, *_) = read_replies(told)
    assert (first.id, first.prompt, first.reply) == ("0", "Is it 0, or is it not?", 'It\'s "no",\n[no]')
    assert (second.golds, second.choices, second.judged, second.line) == (("yes",), (), True, 2)
    compared = saved(tmp_path, rows([flat(n, [-0.5, -2.0]) for n in range(4)]), "b|0")
    (first, second, *_) = read_replies(compared)
    assert (first.reply, first.likeliest, first.choices) == ("no", True, ("no", "yes"))
    assert (second.golds, second.judged) == (("yes",), False)


def test_log_probabilities_written_with_their_greediness_are_read(tmp_path):
    row = {key: str(value) for key, value in flat(1, [(-3.0, False), (-1.0, True)]).items()}
    (reply,) = read_replies(saved(tmp_path, [row]))
    assert reply.reply == "yes"


def test_a_run_of_a_part_of_its_task_says_so(tmp_path):
    path = saved(tmp_path, [nested(n) for n in range(2)])
    results = tmp_path / "out" / "results" / "org" / "m-7b" / f"results_{DATE}.json"
    results.parent.mkdir(parents=True)
    results.write_text(json.dumps({"config_tasks": {"mine|0": {"original_num_docs": 9, "effective_num_docs": 2}}}))
    (first, _) = read_replies(path)
    assert (first.partial, first.about) == (
        True, [f"{path}: the run was to ask 2 of the 9 documents of its task (max_samples)"]
    )  # fmt: skip
    results.write_text("{")
    assert [reply.partial for reply in read_replies(path)] == [False, False]


def test_the_model_of_a_copy_of_the_hub_is_in_the_name_of_its_folder(tmp_path):
    folder = tmp_path / "details_org__m-7b_private" / DATE
    folder.mkdir(parents=True)
    Dataset.from_list([nested(0)]).to_parquet(folder / f"details_mine|0_{DATE}.parquet")
    (reply,) = read_replies(folder)
    assert reply.model == "org/m-7b"


@pytest.mark.parametrize("row", [nested(1), nested(1, (), None, (-1.0, -2.0)), flat(1), flat(1, [-1.0, -2.0])])
def test_odd_values_give_replies(row):
    odd = [value for value in changed(row) if isinstance(value, dict)]
    assert len(odd) > 100
    for number, values in enumerate(odd, 1):
        assert list(replies_of_details([Entry(number, f"x.parquet: row {number}", values)], "x.parquet"))


def test_a_row_of_something_else_names_its_keys_and_those_that_are_needed():
    entries = [Entry(1, "x: row 1", flat(1)), Entry(2, "x: row 2", {"a": 1, "b": 2})]
    name, replies = replies_of_rows([flat(1)], entries, "x")
    with pytest.raises(
        InputError, match=r"^x: row 2: is no entry of lighteval details \(flat\), as those before"
    ) as no:
        list(replies)
    assert "it needs example, full_prompt, predictions, metrics, and has 'a', 'b'" in str(no.value)
    assert (name, replies_of_rows([{"doc": 1, "metric": 2}], [], "x")) == ("lighteval details (flat)", None)


def test_numbers_that_are_none_make_no_choice_likeliest(tmp_path):
    (reply,) = read_replies(saved(tmp_path, [nested(0, (), {"acc": 0}, (math.nan, -1.0))]))
    assert reply.reply is None
