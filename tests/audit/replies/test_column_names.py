"""Tables of strangers: which column is taken for what, and what is said where that is not clear."""

import csv
import shlex

import pytest
from msgspec.structs import asdict

from hansproof.audit.formats.column_names import NAMES, VAGUE, folded, listed
from hansproof.audit.replies.reply_files import ReplyColumns, read_replies
from hansproof.generators.errors import InputError


def table(path, *rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def first(path, columns=None):
    return next(iter(read_replies(path, columns)))


@pytest.mark.parametrize("name", NAMES["reply"])
def test_every_usual_name_of_replies_is_recognised(tmp_path, name):
    reply = first(table(tmp_path / "t.csv", ["Question No", "id", name.replace("_", " ").title()], ["7", "a", "yes"]))
    assert (reply.id, reply.reply) == ("a", "yes")


@pytest.mark.parametrize(
    ("role", "field"),
    [
        ("id", "id"),
        ("prompt", "prompt"),
        ("model", "model"),
        ("style", "style"),
        ("run", "run"),
        ("family", "family"),
        ("benchmark", "benchmark"),
    ],
)
def test_every_usual_name_of_another_column_is_recognised(tmp_path, role, field):
    for name in NAMES[role]:
        other = ["prompt"] if role != "prompt" else ["item_id"]
        reply = first(table(tmp_path / "t.csv", ["reply", *other, name], ["yes", "asked", "this"]))
        assert asdict(reply)[field] == "this", name


def test_no_name_is_that_of_two_roles():
    names = [name for names in NAMES.values() for name in names]
    assert len(names) == len(set(names))
    assert {*VAGUE} <= {*names}
    assert all(folded(name) == name for name in names)


@pytest.mark.parametrize("written", ["model_name", "Model Name", "model-name", "modelName", " MODEL_NAME "])
def test_case_spaces_hyphens_and_humps_do_not_matter(written):
    assert folded(written) == "model_name"


def test_an_answer_is_the_reply_where_a_model_gave_it(tmp_path):
    path = table(tmp_path / "long.csv", ["question", "model_name", "answer"], ["Is it?", "gpt", "Yes"])
    assert (first(path).prompt, first(path).model, first(path).reply, first(path).golds) == ("Is it?", "gpt", "Yes", ())
    other = table(tmp_path / "gold.csv", ["question", "correct_answer", "answer"], ["Is it?", "no", "Yes"])
    assert (first(other).reply, first(other).golds) == ("Yes", ("no",))
    usual = table(tmp_path / "usual.csv", ["question", "answer", "prediction"], ["Is it?", "no", "Yes"])
    assert (first(usual).reply, first(usual).golds) == ("Yes", ("no",))


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_benchmark_is_not_taken_for_answers_to_itself(tmp_path, form):
    path = tmp_path / f"bench.{form}"
    if form == "csv":
        table(path, ["id", "question", "answer"], ["1", "Is it?", "yes"], ["2", "Was it?", "no"])
    else:
        path.write_text('{"id": "1", "question": "Is it?", "answer": "yes"}\n' * 2)
    with pytest.raises(InputError, match=r"holds items and no replies: .*--column reply=answer"):
        first(path)
    named = first(path, ReplyColumns.of({"reply": "answer"}))
    assert (named.reply, named.golds) == ("yes", ())


def test_two_columns_that_may_be_the_reply_are_both_named(tmp_path):
    path = table(tmp_path / "two.csv", ["id", "model response", "prediction"], ["1", "It is B.", "B"])
    with pytest.raises(InputError) as raised:
        first(path)
    # What it proposes works as it stands.
    options = [word for word in shlex.split(raised.value.reason) if word.startswith("reply=")]
    assert options == ["reply=prediction", "reply=model response"]
    said = [first(path, ReplyColumns.of(dict([option.split("=")]))).reply for option in options]
    assert said == ["B", "It is B."]


def test_two_columns_that_say_the_same_are_no_conflict(tmp_path):
    path = table(tmp_path / "same.csv", ["qid", "prediction", "output"], ["1", "B", "B"], ["2", "", ""])
    assert [(reply.id, reply.reply) for reply in read_replies(path)] == [("1", "B"), ("2", "")]


def test_the_column_called_as_its_role_wins(tmp_path):
    path = table(tmp_path / "own.csv", ["question_id", "Id", "output", "Reply"], ["q", "a", "long", "B"])
    assert (first(path).id, first(path).reply) == ("a", "B")


def test_two_names_of_every_model_are_no_conflict_and_two_models_in_a_row_are(tmp_path):
    head = ["id", "reply", "engine", "model_name"]
    path = table(tmp_path / "m.csv", head, ["1", "B", "gpt-x-2026", "GPT X"], ["1", "A", "llama-y", "Llama Y"])
    assert [reply.model for reply in read_replies(path)] == ["GPT X", "Llama Y"]
    path = table(tmp_path / "m.csv", head, ["1", "B", "vllm", "GPT X"], ["1", "A", "vllm", "Llama Y"])
    with pytest.raises(InputError, match=r"'model_name' and 'engine' differ, and either may be the model"):
        first(path)


def test_a_number_of_the_row_is_no_second_id(tmp_path):
    path = table(tmp_path / "index.csv", ["index", "question_id", "output"], ["0", "q-7", "B"])
    assert first(path).id == "q-7"
    path = table(tmp_path / "index.csv", ["index", "output"], ["0", "B"])
    assert first(path).id == "0"


def test_the_one_column_that_is_left_is_proposed(tmp_path):
    path = table(tmp_path / "said.csv", ["question", "model_name", "what it said"], ["Is it?", "gpt", "Yes"])
    with pytest.raises(InputError, match=r"name it with --column 'reply=what it said'") as raised:
        first(path)
    assert "--reply-columns" not in raised.value.reason
    assert first(path, ReplyColumns.of({"reply": "what it said"})).reply == "Yes"


def test_a_line_of_json_by_itself_has_the_columns_that_are_named(tmp_path):
    (tmp_path / "one.jsonl").write_text('{"id": "1", "said": "yes"}\n')
    assert first(tmp_path / "one.jsonl", ReplyColumns.of({"reply": "said"})).reply == "yes"


def test_lines_with_one_strange_key_are_refused_once_and_not_line_by_line(tmp_path):
    (tmp_path / "r.jsonl").write_text('{"id": "1", "said": "yes"}\n' * 30)
    with pytest.raises(InputError, match=r"--column reply=said") as raised:
        first(tmp_path / "r.jsonl")
    assert len(raised.value.faults) == 1


def test_a_later_line_in_our_own_format_shows_that_the_first_ones_are_faulty(tmp_path):
    (tmp_path / "r.jsonl").write_text('{"id": "1"}\n' * 7 + '{"id": "2", "reply": "yes"}\n')
    with pytest.raises(InputError, match=r"has no reply under any of the keys") as raised:
        first(tmp_path / "r.jsonl")
    assert len(raised.value.faults) == 7
    assert raised.value.place.endswith("r.jsonl: line 1")


@pytest.mark.parametrize("text", ["Yes\nNo\n", "Yes, it is\nNo, never, no\n", "Yes", "a\tb\nc\td\n", "5\n7\n"])
@pytest.mark.parametrize("name", ["plain.txt", "plain", "plain.md"])
def test_plain_text_is_told_what_formats_there_are(tmp_path, text, name):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=r"is plain text, .*`id,reply`.*one JSON object per line") as raised:
        first(tmp_path / name)
    assert len(raised.value.faults) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", ["t.csv", "t.txt"])
def test_a_table_of_any_encoding_and_line_end(tmp_path, encoding, end, name):
    (tmp_path / name).write_bytes(end.join(["id,reply", "a,yés", "b,no", ""]).encode(encoding))
    assert [(reply.id, reply.reply) for reply in read_replies(tmp_path / name)] == [("a", "yés"), ("b", "no")]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("page.html", b"<!DOCTYPE html><p>x", "this is a web page"),
        ("page.csv", b"<html><p>x", "this is a web page"),
        ("a.pdf", b"%PDF-1.7\n1 0 obj", "this is a PDF"),
        ("nul.csv", b"\0" * 5000, "the file is empty"),
        ("wide.csv", "id,reply\n1,yes\n".encode("utf-16-le"), "binary, or UTF-16 without its byte-order mark"),
        ("cp.csv", "id,reply\n1,café\n".encode("cp1252"), r"line 2: not UTF-8: byte 0xe9 at offset 14"),
        ("mac.jsonl", b'{"id":"1","reply":"a"}\r{"id":"2","reply":"b"}\r', "end its lines with LF, not CR"),
    ],
)
def test_files_that_are_something_else_are_named_for_what_they_are(tmp_path, name, content, reason):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=reason):
        first(tmp_path / name)


def test_a_heading_with_a_nul_is_a_heading(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"id,reply,x\0\n1,yes,3\n")
    assert first(tmp_path / "t.csv").reply == "yes"


@pytest.mark.parametrize("content", ["id,reply\n", "id,reply", "id,reply\r", "\n\nid,reply\n\n"])
def test_a_table_of_headings_alone_has_no_replies(tmp_path, content):
    (tmp_path / "t.csv").write_text(content, newline="")
    with pytest.raises(InputError, match=r"ends after the line of headings"):
        first(tmp_path / "t.csv")


def test_a_csv_of_one_column_has_no_delimiter(tmp_path):
    (tmp_path / "t.csv").write_text("reply\nyes\nno\n")
    with pytest.raises(InputError, match=r"no commas or tabs: 'reply'|no column is called like ids"):
        first(tmp_path / "t.csv")


def test_the_list_of_names_fits_a_terminal_and_has_them_all():
    text = listed()
    assert max(map(len, text.splitlines())) <= 106
    assert text.replace(",", " ").split() == [word for role, names in NAMES.items() for word in (role, *names)]


def test_an_empty_cell_is_an_empty_text(tmp_path):
    made = {
        "wide.csv": "id,gpt,llama\na,,no\nb,yes,\n",
        "long.tsv": "id\treply\na\t\nb\tyes\n",
        "rows.json": '[{"id": "a", "reply": ""}, {"id": "b", "reply": null}]',
        "own.jsonl": '{"id": "a", "reply": ""}\n{"id": "b", "reply": null}\n',
    }
    for name, text in made.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    read = {
        name: [
            reply.reply
            for reply in read_replies(
                tmp_path / name, ReplyColumns(replies=("gpt", "llama")) if name == "wide.csv" else None
            )
        ]
        for name in made
    }
    assert read == {
        "wide.csv": ["", "no", "yes", ""],
        "long.tsv": ["", "yes"],
        "rows.json": ["", None],
        "own.jsonl": ["", None],
    }


@pytest.mark.parametrize(
    ("role", "left", "right"),
    [("reply", "REPLY", "Reply"), ("reply", "reply", "Reply"), ("id", "Id", "ID"), ("prompt", "prompt", "PROMPT")],
)
def test_columns_that_differ_by_case_alone_are_refused_where_they_say_different_things(tmp_path, role, left, right):
    other = "reply" if role != "reply" else "id"
    differing = table(tmp_path / "a.csv", [other, left, right], ["x", "1", "2"], ["y", "3", "4"])
    with pytest.raises(InputError, match=f"'{left}' and '{right}' differ, and either may be the {role}"):
        first(differing)
    assert asdict(first(differing, ReplyColumns.of({role: right})))[role] == "2"
    assert asdict(first(table(tmp_path / "b.csv", [other, left, right], ["x", "1", "1"])))[role] == "1"


def test_verdicts_that_contradict_each_other_are_refused(tmp_path):
    path = table(
        tmp_path / "a.csv", ["id", "reply", "correct", "score"], ["x", "yes", "1", "1.0"], ["y", "no", "1", "0"]
    )
    with pytest.raises(InputError, match="'correct' and 'score' differ, and either may be the verdict of the harness"):
        first(path)
    assert first(path, ReplyColumns.of({"judged": "score"})).judged is True
    # A share of points is no verdict, and neither is the text of an answer.
    half = table(
        tmp_path / "b.csv", ["id", "reply", "is_correct", "correct", "score"], ["x", "yes", "1", "Paris", "0.5"]
    )
    assert first(half).judged is True


@pytest.mark.parametrize(
    ("llm", "name", "differ"), [("A", "B", True), ("GPT-4o", "openai/gpt-4o", False), ("A", "", False)]
)
def test_two_names_of_one_model_must_be_alike(tmp_path, llm, name, differ):
    path = table(
        tmp_path / "a.csv", ["id", "reply", "llm", "model_name"], ["x", "yes", llm, name], ["y", "no", llm, name]
    )
    if differ:
        with pytest.raises(InputError, match="'model_name' and 'llm' differ, and either may be the model"):
            first(path)
    else:
        assert first(path).model == (name or llm)
