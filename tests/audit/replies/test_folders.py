"""All answers of a folder are read, each file by its kind; what else lies there is told, and nothing counts twice."""

import csv
import json
import shutil

import made_logs
import pytest

from hansproof.audit.replies.foreign_items import items_of_replies
from hansproof.audit.replies.joining import join
from hansproof.audit.replies.reply_files import ReplyColumns, read_replies
from hansproof.audit.replies.sources import reply_files
from hansproof.generators.errors import InputError

ROWS = [(f"q{n}", f"What is {n} plus {n + 1}?", str(2 * n + 1), str(2 * n + n % 2), bool(n % 2)) for n in range(12)]
DATE = "2026-11-23T10-49-27.441311"


def jsonl(path, model=None, rows=ROWS):
    named = {"model": model} if model else {}
    return made_logs.lines(path, [{"id": id, "prompt": asked, "reply": said} | named for id, asked, _, said, _ in rows])


def table(path, model, rows=ROWS):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "question", "response", "model"])
        writer.writerows((id, asked, said, model) for id, asked, _, said, _ in rows)
    return path


def packed_table(path, model):
    import polars

    rows = [{"id": id, "question": asked, "response": said, "model": model} for id, asked, _, said, _ in ROWS]
    polars.DataFrame(rows).write_parquet(path)
    return path


def inspect(path, model, rows=ROWS):
    return made_logs.inspect_log(path, [made_logs.inspect_sample(row) for row in rows], model=model)


def helm(folder):
    stats = [
        {"instance_id": id, "train_trial_index": 0, "stats": [{"name": {"name": "exact_match"}, "mean": float(right)}]}
        for id, *_, right in ROWS
    ]
    made_logs.helm_run(folder, [made_logs.helm_state(row) for row in ROWS], stats)
    for name in ("instances", "stats", "scenario"):
        (folder / f"{name}.json").write_text('[{"id": "q1", "input": {"text": "What?"}, "references": []}]')
    (folder.parent / "schema.json").write_text("{}")
    return folder / "scenario_state.json"


def lm_eval(folder):
    folder.mkdir()
    (folder / f"results_{DATE}.json").write_text('{"model_name": "lm"}')
    rows = [made_logs.lm_eval_sample(number, row) for number, row in enumerate(ROWS)]
    return made_logs.lines(folder / f"samples_sums_{DATE}.jsonl", rows)


def every_kind(folder):
    """A folder with answers in each kind of file, and what their harnesses write beside them."""
    (folder / "runs").mkdir()
    made = made_logs.inspect_archive(
        folder / "a.eval", [made_logs.inspect_sample(row) for row in ROWS], model="packed", task="mine"
    )
    return [
        made,
        inspect(folder / "b.json", "plain"),
        jsonl(folder / "c.jsonl", "own"),
        table(folder / "d.csv", "comma"),
        packed_table(folder / "e.parquet", "column"),
        made_logs.run_log(folder / "f.jsonl", ROWS, model="evals"),
        lm_eval(folder / "lm"),
        helm(folder / "runs" / "mine:model=helm"),
    ]


def test_a_folder_of_many_kinds_is_read_as_its_files_named_one_by_one(tmp_path):
    files = every_kind(tmp_path)
    read = read_replies(tmp_path)
    replies = list(read)
    assert read.notes == []
    assert sorted(read.formats) == sorted(map(str, files))
    single = [reply for file in files for reply in read_replies(file)]
    assert len(replies) == len(single) == len(files) * len(ROWS)
    assert sorted((r.model, r.id, r.reply, r.judged) for r in replies if r.model) == sorted(
        (r.model, r.id, r.reply, r.judged) for r in single if r.model
    )
    assert {r.model for r in replies} >= {"packed", "plain", "own", "comma", "column", "evals", "lm"}


@pytest.mark.parametrize("kind", [table, packed_table])
def test_tables_alone_in_a_folder_are_answers(tmp_path, kind):
    for model in ("x", "y"):
        kind(tmp_path / f"{model}.{'csv' if kind is table else 'parquet'}", model)
    assert [reply.model for reply in read_replies(tmp_path)] == ["x"] * len(ROWS) + ["y"] * len(ROWS)


def test_packed_files_of_a_folder_are_read_too(tmp_path):
    import gzip

    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(table(tmp_path / "x.csv", "x").read_bytes()))
    (tmp_path / "x.csv").unlink()
    assert [reply.model for reply in read_replies(tmp_path)] == ["x"] * len(ROWS)


def test_files_without_answers_are_left_out_with_their_number_and_the_reason(tmp_path):
    jsonl(tmp_path / "x.jsonl", "x")
    (tmp_path / "bench.csv").write_text("id,question,A,B\nq1,Which?,1,2\n")
    (tmp_path / "plan.json").write_text("[3, 4]")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / ".hidden.csv").write_text("a,b\n1,2\n")
    read = read_replies(tmp_path)
    assert [reply.model for reply in read] == ["x"] * len(ROWS)
    said = (
        f"{tmp_path}: 3 files hold no answers and are left out: bench.csv (no column is called like replies); "
        "plan.json (it holds a list of 2 numbers); notes.txt"
    )
    assert read.notes == [said]
    assert list(read)
    assert read.notes == [said]  # of the last reading only
    (tmp_path / "elsewhere").mkdir()
    items = items_of_replies(list(read_replies(inspect(tmp_path / "elsewhere" / "log.eval.txt", "m"))))
    shutil.rmtree(tmp_path / "elsewhere")
    assert said in join(read, items, about=read.notes).read.about


def test_a_folder_of_which_nothing_is_left_says_why(tmp_path):
    (tmp_path / "bench.csv").write_text("id,question,A,B\nq1,Which?,1,2\n")
    with pytest.raises(InputError, match=r"bench\.csv: no column is called like replies: name it with --column"):
        list(read_replies(tmp_path))
    (tmp_path / "plan.json").write_text('{"cost": 3}')
    with pytest.raises(InputError, match=r"a folder without answers: none of its 2 files holds any; the first.*bench"):
        list(read_replies(tmp_path))
    read = read_replies(tmp_path, ReplyColumns.of({"reply": "B"}))
    assert [reply.reply for reply in read] == ["2"]
    assert "plan.json (it lacks a named column)" in read.notes[0]


@pytest.mark.parametrize("packed", [False, True])
def test_a_run_that_failed_before_its_first_sample_does_not_stop_the_others(tmp_path, packed):
    header = {"version": 2, "status": "error", "eval": {"task": "mine", "model": "m"}}
    if packed:
        failed = made_logs.inspect_archive(tmp_path / "a.eval", [], header=header)
    else:
        failed = tmp_path / "a.json"
        failed.write_text(json.dumps(header))
    with pytest.raises(InputError, match="an inspect_ai log without samples: the run did not end: its status is 'err"):
        list(read_replies(tmp_path))
    inspect(tmp_path / "b.json", "m")
    read = read_replies(tmp_path)
    assert len(list(read)) == len(ROWS)
    why = "an inspect_ai log without samples: the run did not end: its status is 'error'. Run it again"
    assert read.notes == [f"{tmp_path}: 1 file holds no answers and is left out: {failed.name} ({why})"]


def test_a_damaged_file_is_an_error_and_not_left_out(tmp_path):
    jsonl(tmp_path / "x.jsonl", "x")
    (tmp_path / "y.json").write_text('{"eval": {"task"')
    with pytest.raises(InputError, match=r"y\.json: line 1 column \d+: broken JSON"):
        list(read_replies(tmp_path))


def test_a_file_that_is_named_itself_must_hold_answers(tmp_path):
    path = tmp_path / "bench.csv"
    path.write_text("id,question,A,B\nq1,Which?,1,2\n")
    with pytest.raises(InputError, match="no column is called like replies"):
        list(read_replies([path, jsonl(tmp_path / "x.jsonl")]))


def test_files_in_our_own_format_are_models_of_their_own_only_beside_other_kinds(tmp_path):
    for name, part in (("gpt", ROWS[:6]), ("more", ROWS[6:])):
        jsonl(tmp_path / f"{name}.jsonl", rows=part)
    assert {reply.model for reply in read_replies(tmp_path)} == {""}
    (tmp_path / "plan.json").write_text('{"cost": 3}')
    assert {reply.model for reply in read_replies(tmp_path)} == {""}
    (tmp_path / "llama.json").write_text(json.dumps([{"id": id, "response": said} for id, _, _, said, _ in ROWS]))
    assert {reply.model for reply in read_replies(tmp_path)} == {"gpt", "more", "llama"}
    assert {reply.model for reply in read_replies(f"mine={tmp_path}")} == {"mine"}


@pytest.mark.parametrize("named", [False, True])
def test_a_copy_of_a_log_is_told_and_counts_once(tmp_path, named):
    first = inspect(tmp_path / "a.json", "m")
    second = shutil.copy(first, tmp_path / "b.json")
    read = read_replies([first, second] if named else tmp_path)
    assert len(list(read)) == len(ROWS)
    assert read.notes == [f"{second}: a copy of {first}, byte for byte, and left out: its answers count once"]
    inspect(tmp_path / "b.json", "m", ROWS[::-1])  # as large, but another log
    assert len(list(read_replies(tmp_path))) == 2 * len(ROWS)


def test_equal_files_of_two_models_are_no_copies(tmp_path):
    for model in ("x", "y"):
        folder = tmp_path / model
        lm_eval(folder)
        (folder / f"results_{DATE}.json").write_text(json.dumps({"model_name": model}))
    assert {reply.model for reply in read_replies(tmp_path)} == {"x", "y"}
    assert {reply.model for reply in read_replies([f"a={tmp_path / 'x'}", f"b={tmp_path / 'y'}"])} == {"a", "b"}


def test_a_folder_is_searched_in_the_order_of_its_paths(tmp_path):
    every_kind(tmp_path)
    paths = [file.path for file in reply_files([tmp_path])]
    assert paths == sorted(paths)
    assert {file.folder for file in reply_files([tmp_path])} == {str(tmp_path)}
    assert [file.folder for file in reply_files([tmp_path / "c.jsonl"])] == [""]
