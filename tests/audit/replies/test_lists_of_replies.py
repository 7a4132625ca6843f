"""A list of replies is so many runs, under whatever name it stands."""

import json

import pytest

from hansproof import score
from hansproof.audit.replies.reply_files import ReplyColumns, read_replies
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item

DATA = {"dataset": "d", "version": "", "subset": "", "seed": 0, "canary": "", "accepted": ["yes"]}
ITEMS = [Item(str(n), f"Is {n} so?", ("yes", "no"), "yes", str(n), "", DATA) for n in range(6)]
SAID = [["yes", "no", "yes"], ["yes", "yes", "no"], ["no", "no", "yes"]] * 2


def lines(path, key, said=SAID, **more):
    rows = ({"id": n, key: each} | more for n, each in enumerate(said))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("key", ["reply", "responses", "response", "outputs", "output", "completions"])
def test_each_reply_of_a_list_is_scored(tmp_path, key):
    path = lines(tmp_path / "r.jsonl", key, model="m")
    read = [(reply.id, reply.run, reply.reply) for reply in read_replies(path)]
    assert read == [
        (str(n), run, said)
        for n, each in enumerate(SAID)
        for run, said in zip(("", "sample 2", "sample 3"), each, strict=True)
    ]
    scores = score(path, ITEMS)
    # Counted by hand, column by column.
    assert [(report.run, report.lines[0].right.hits) for report in scores] == [
        (run, sum(each[at] == "yes" for each in SAID)) for at, run in enumerate(("", "sample 2", "sample 3"))
    ]
    (mean,) = scores.over_runs
    assert mean.right == pytest.approx(sum(each.count("yes") for each in SAID) / 18)
    assert scores.joined.read.replies == 18


def test_a_json_document_and_parquet_have_lists_too(tmp_path):
    import polars

    rows = [{"id": str(n), "responses": each, "epoch": 4, "is_correct": [said == "yes" for said in each]}
            for n, each in enumerate(SAID)]  # fmt: skip
    (tmp_path / "r.json").write_text(json.dumps(rows))
    polars.DataFrame(rows).write_parquet(tmp_path / "r.parquet")
    for name in ("r.json", "r.parquet"):
        read = [(reply.run, reply.reply, reply.judged) for reply in read_replies(tmp_path / name)]
        assert read[:3] == [("4", "yes", True), ("4, sample 2", "no", False), ("4, sample 3", "yes", True)]
        assert len(read) == 18


def test_a_single_verdict_is_about_none_of_several_replies(tmp_path):
    path = lines(tmp_path / "r.jsonl", "responses", is_correct=True)
    assert {reply.judged for reply in read_replies(path)} == {None}
    path = lines(tmp_path / "r.jsonl", "responses", [["yes"], ["no"]], is_correct=True)
    assert [(reply.run, reply.judged) for reply in read_replies(path)] == [("", True), ("", True)]


@pytest.mark.parametrize("key", ["reply", "responses"])
def test_lists_of_other_lengths_and_of_one(tmp_path, key):
    path = lines(tmp_path / "r.jsonl", key, [["yes"], ["no", None], "yes", ["no", 3]])
    assert [(reply.run, reply.reply) for reply in read_replies(path)] == [
        ("", "yes"), ("", "no"), ("sample 2", None), ("", "yes"), ("", "no"), ("sample 2", "3"),
    ]  # fmt: skip


@pytest.mark.parametrize("key", ["reply", "responses"])
def test_what_is_no_text_in_a_list_is_refused_with_its_place(tmp_path, key):
    path = lines(tmp_path / "r.jsonl", key, [["yes"], [{"text": "no"}]])
    with pytest.raises(InputError, match=r"r\.jsonl: line 2: its reply is not text"):
        list(read_replies(path))


def test_a_text_and_the_list_of_it_are_no_two_replies(tmp_path):
    path = lines(tmp_path / "r.jsonl", "outputs", [["yes"], ["no"]], generated_text="yes")
    with pytest.raises(InputError, match="differ, and either may be the reply"):
        list(read_replies(path))
    rows = [{"id": n, "generated_text": said, "outputs": [said], "model": "m"} for n, said in enumerate(("yes", "no"))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [reply.reply for reply in read_replies(path)] == ["yes", "no"]


def test_columns_of_models_may_hold_lists(tmp_path):
    path = lines(tmp_path / "r.jsonl", "m", llama=["no", "yes"])
    read = list(read_replies(path, ReplyColumns(replies=("m", "llama"))))
    assert [(reply.model, reply.run) for reply in read[:5]] == [
        ("m", ""), ("m", "sample 2"), ("m", "sample 3"), ("llama", ""), ("llama", "sample 2"),
    ]  # fmt: skip
