"""The answers format: every key, every fault with its line, files of any length."""

import json
import tracemalloc

import pytest

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.replies.joining import join
from hansproof.audit.replies.reply_files import ReplyColumns, read_replies
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.item import Item


def write(path, *records):
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records), encoding="utf-8")
    return path


def test_every_key_of_a_line_is_kept(tmp_path):
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": [{"text": "Is it?"}]}]
    record = {
        "id": "a", "prompt": chat,
        "response": "yes", "model": "m", "family": "f", "style": "cot", "run": 3, "item_digest": "abc", "seed": 7,
        "unfinished": "lost", "other": [1],
    }  # fmt: skip
    path = write(tmp_path / "r.jsonl", record)
    assert list(read_replies(path)) == [
        Reply(place=f"{path}: line 1", line=1, id="a", prompt="Be brief.\n\nIs it?", reply="yes", model="m", family="f",
              style="cot", run="3", digest="abc", seed=7, unfinished="lost")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[1]", "is not a JSON object"),
        ("{", "broken JSON at character 2: .*; write one JSON object per line"),
        ('{"reply": "no"}', "has neither an item id nor a prompt"),
        ('{"id": [7], "reply": "no"}', "its id is not text"),
        ('{"id": NaN, "reply": "no"}', "has neither an item id nor a prompt"),
        ('{"id": "", "reply": "no"}', "has neither an item id nor a prompt"),
        ('{"id": "x"}', "has no reply under any of the keys reply, response, output, completion"),
        ('{"id": "x", "reply": "a", "output": "b"}', "has reply and output; keep the one"),
        ('{"id": "x", "reply": [["a"]]}', "its reply is not text"),
        ('{"id": "x", "reply": "a", "model": "\\u001b[31m"}', "its model is not printable text"),
        ('{"id": "x", "reply": "a", "style": [3]}', "its style is not printable text"),
        ('{"id": "x", "reply": "a", "run": [3]}', "its run is not printable text"),
        ('{"id": "x", "reply": "a", "family": {}}', "its family is not printable text"),
        ('{"id": "x", "reply": "a", "run": "' + "r" * 300 + '"}', "its run has 300 characters; a name has at most 200"),
        ('{"id": "x", "reply": "a", "model": {"name": "m"}}', "its model is not printable text"),
        ('{"id": "x", "reply": "a", "seed": ' + "9" * 5000 + "}", "has an integer of more than 4,?300 digits"),
    ],
)
def test_a_line_that_is_no_answer_is_named(tmp_path, line, reason):
    path = write(tmp_path / "replies.jsonl", {"id": "a", "reply": "no"}, line)
    with pytest.raises(InputError, match=reason) as raised:
        list(read_replies(path))
    assert raised.value.place == f"{path}: line 2"


@pytest.mark.parametrize("form", ["jsonl", "json", "csv"])
def test_numbers_are_read_as_their_text_in_every_format(tmp_path, form):
    rows = [
        {"id": 7, "reply": 42, "model": 3, "style": 2.5, "run": 1, "family": 0},
        {"id": 2**70, "reply": 0.5, "model": 3, "style": 2.5, "run": 2, "family": 0},
    ]
    path = tmp_path / f"r.{form}"
    path.write_text({
        "jsonl": "".join(json.dumps(row) + "\n" for row in rows),
        "json": json.dumps(rows),
        "csv": "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]),
    }[form])  # fmt: skip
    assert [(r.id, r.reply, r.model, r.style, r.run, r.family) for r in read_replies(path)] == [
        ("7", "42", "3", "2.5", "1", "0"), (str(2**70), "0.5", "3", "2.5", "2", "0"),
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["jsonl", "json"])
def test_nan_is_nothing_and_a_truth_value_its_word_in_every_format(tmp_path, form):
    rows = [{"id": "a", "reply": float("nan"), "model": float("nan"), "run": None}, {"id": "b", "reply": True}]
    path = tmp_path / f"r.{form}"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) if form == "jsonl" else json.dumps(rows))
    assert [(r.id, r.reply, r.model, r.run) for r in read_replies(path)] == [("a", None, "", ""), ("b", "true", "", "")]


def test_of_thousands_of_broken_lines_a_thousand_are_kept_and_the_others_counted(tmp_path):
    with pytest.raises(InputError) as raised:
        list(read_replies(write(tmp_path / "r.jsonl", *["{"] * 1500, {"id": "a", "reply": "No."})))
    assert len(raised.value.faults) == 1001
    assert str(raised.value.faults[-1]) == "... and 500 more of 1,501 lines"
    with pytest.raises(InputError, match=r"line 1: broken JSON .*; none of its 50 lines can be used"):
        list(read_replies(write(tmp_path / "other.csv", *["{"] * 50)))


@pytest.mark.parametrize("content", [b"", b" \n\n", b"\xef\xbb\xbf\n"])
def test_a_file_without_lines_has_no_replies(tmp_path, content):
    (tmp_path / "r.jsonl").write_bytes(content)
    with pytest.raises(InputError, match="has no replies"):
        list(read_replies(tmp_path / "r.jsonl"))


@pytest.mark.parametrize("packed", ["gzip", "utf-16", "bom"])
def test_packed_files_and_other_encodings_are_read(tmp_path, packed):
    import gzip

    path = tmp_path / "r.jsonl"
    text = '{"id": "a", "reply": "yes"}\r\n{"id": "b", "reply": "no"}'
    path.write_bytes({
        "gzip": lambda: gzip.compress(text.encode()),
        "utf-16": lambda: text.encode("utf-16"),
        "bom": lambda: text.encode("utf-8-sig"),
    }[packed]())  # fmt: skip
    assert [(reply.id, reply.reply, reply.line) for reply in read_replies(path)] == [("a", "yes", 1), ("b", "no", 2)]


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04broken", b"PAR1broken", b"\x1f\x8bbroken", b"\x00\x01\x02", b"%PDF-1", b"x,y"]
)
def test_files_of_other_kinds_are_refused_in_one_line(tmp_path, data):
    (tmp_path / "r.bin").write_bytes(data)
    with pytest.raises(InputError) as raised:
        list(read_replies(tmp_path / "r.bin"))
    assert "\n" not in str(raised.value)


def test_names_of_files_models_and_families(tmp_path):
    first = write(tmp_path / "one.jsonl", {"id": "a", "reply": "1"}, {"id": "a", "reply": "2", "model": "x"})
    odd = write(tmp_path / "k=v.jsonl", {"id": "a", "reply": "3", "model": "y"})
    replies = read_replies([f"mine={odd}", first], families={"mine": "f", "x": "g"})
    assert [(r.model, r.family, r.reply) for r in replies] == [
        ("mine", "f", "3"), ("one", "", "1"), ("x", "g", "2"),
    ]  # fmt: skip
    assert [r.reply for r in read_replies([first, odd], models=["x", "y"])] == ["2", "3"]
    with pytest.raises(UsageError, match=r"has no model 'z'\. Known: x"):
        list(read_replies(first, models=["z"]))
    with pytest.raises(UsageError, match="there are no files of answers"):
        read_replies([])
    with pytest.raises(UsageError, match="answers cannot be read from int: pass a path, a pandas "):
        read_replies([3])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="a folder without answers: no file ends with"):
        read_replies(tmp_path / "empty")


def item(index):
    data = {"dataset": "toy", "version": "1.0.0", "subset": "s", "seed": 1, "canary": "c"}
    return Item(f"s/{index}", f"Is {index} so?", ("yes", "no"), "yes", f"g{index}", "base", data)


def test_ten_thousand_lines_take_no_more_memory_than_a_thousand(tmp_path):
    items, filler = [item(index) for index in range(1000)], "so it is, as anybody can see. " * 20

    def peak(models):
        records = (
            {"id": f"s/{index}", "reply": f"{filler}Yes.", "model": f"m{model}"}
            for model in range(models) for index in range(1000)
        )  # fmt: skip
        path = tmp_path / f"{models}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
        tracemalloc.start()
        try:
            joined = join(read_replies(path), items)
            return joined.read.replies, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    (few, low), (many, high) = peak(1), peak(10)
    assert (few, many) == (1000, 10_000)
    # A byte or two per reply, where the texts alone are 6 MB.
    assert high - low < 200_000


def test_sources_without_names_are_called_by_their_files_and_a_folder_is_one_source(tmp_path):
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        for name in ("x", "y"):
            write(tmp_path / folder / f"{name}.jsonl", {"id": name, "reply": "1"})
    old, new = tmp_path / "old", tmp_path / "new"
    assert {reply.model for reply in read_replies(old / "x.jsonl")} == {""}
    assert {reply.model for reply in read_replies(old)} == {""}
    assert [reply.model for reply in read_replies([old / "x.jsonl", old / "y.jsonl"])] == ["x", "y"]
    assert [reply.model for reply in read_replies([old / "x.jsonl", new / "x.jsonl"])] == ["old/x", "new/x"]
    assert [reply.model for reply in read_replies([old, new])] == ["old", "old", "new", "new"]
    assert [reply.model for reply in read_replies([f"mine={old}", new / "x.jsonl"])] == ["mine", "mine", "x"]


def test_a_key_that_stands_twice_is_refused(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id":"b","reply":"say \\"id\\": no"}\n')
    assert [reply.reply for reply in read_replies(path)] == ['say "id": no']
    path.write_text('{"id": "a", "reply": "yes"}\n{"id": "b", "reply" : "yes", "reply" : "no"}\n')
    with pytest.raises(InputError, match=r"a\.jsonl: line 2: has the key 'reply' twice; keep one"):
        list(read_replies(path))
    # Keys inside a message are not those of the line.
    path.write_text(
        '{"id": "a", "prompt": [{"id": "x", "content": "q"}, {"id": "y", "content": "r"}], "reply": "no"}\n'
    )
    assert [reply.id for reply in read_replies(path)] == ["a"]


def test_names_that_differ_by_blanks_are_one(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [
        {"id": "a", "reply": "x", "model": name, "style": " s", "family": "f "} for name in ("m  1", " m 1", "m 1 ")
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert {(reply.model, reply.style, reply.family) for reply in read_replies(path)} == {("m 1", "s", "f")}
    assert {reply.model for reply in read_replies(f" n ={path}")} == {"n"}


def test_an_empty_name_of_a_file_is_refused_and_does_not_read_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "samples_x.jsonl").write_text('{"id": "a", "reply": "x"}\n')
    monkeypatch.chdir(tmp_path)
    assert len(list(read_replies("."))) == 1
    with pytest.raises(UsageError, match="the name of a file of answers is empty"):
        read_replies(["", "."])


def test_one_name_for_a_file_or_folder_of_several_models_is_refused(tmp_path):
    both = write(
        tmp_path / "both.jsonl", *({"id": "a", "reply": "1", "model": model} for model in ("gpt", "llama", "gpt"))
    )
    with pytest.raises(UsageError, match="holds 2 models, gpt and llama, and x= names one; leave it out") as raised:
        list(read_replies(f"x={both}"))
    assert raised.value.place == str(both)
    assert [reply.model for reply in read_replies(both)] == ["gpt", "llama", "gpt"]
    # Several models, one of them without a name, and more than a line can list.
    names = [None, "m4", "m3", "m2", "m1", "m0", " "]
    many = write(tmp_path / "many.jsonl", *({"id": "a", "reply": "1", "model": model} for model in names))
    with pytest.raises(UsageError, match="holds 5 models, m4, m3, m2, m1 and 1 more, and x= names one"):
        list(read_replies(f"x={many}"))
    few = write(tmp_path / "few.jsonl", {"id": "a", "reply": "1", "model": "m"}, {"id": "b", "reply": "1"})
    assert [reply.model for reply in read_replies(f"x={few}")] == ["x", "x"]  # what has no name may be m's
    folder = tmp_path / "folder"
    folder.mkdir()
    for model in ("gpt", "llama"):
        write(folder / f"{model}.jsonl", {"id": "a", "reply": model, "model": model})
    with pytest.raises(UsageError, match="folder: holds 2 models, gpt and llama"):
        list(read_replies(f"x={folder}"))
    wide = tmp_path / "wide.csv"
    wide.write_text("id,gpt,llama\na,1,2\n")
    with pytest.raises(UsageError, match="holds 2 models, gpt and llama"):
        list(read_replies(f"x={wide}", ReplyColumns(replies=("gpt", "llama"))))
    # The same name for several files is what somebody says of them.
    parts = [f"x={folder / 'gpt.jsonl'}", f"x={folder / 'llama.jsonl'}"]
    assert [(reply.model, reply.reply) for reply in read_replies(parts)] == [("x", "gpt"), ("x", "llama")]


def test_a_model_is_chosen_by_its_own_name_or_by_the_one_that_it_gets(tmp_path):
    rows = [{"id": "a", "reply": model, "model": model} for model in ("gpt", "llama")]
    both = write(tmp_path / "both.jsonl", *rows)
    other = write(tmp_path / "other.jsonl", {"id": "a", "reply": "o", "model": "other"})
    chosen = read_replies([f"x={both}", f"y={other}"], models=["llama"])
    assert [(reply.model, reply.reply) for reply in chosen] == [("x", "llama")]
    chosen = read_replies([f"x={both}", f"y={other}"], models=["llama", "y"])
    assert [(reply.model, reply.reply) for reply in chosen] == [("x", "llama"), ("y", "o")]
    with pytest.raises(UsageError, match="holds 2 models"):
        list(read_replies(f"x={both}", models=["x"]))
    with pytest.raises(UsageError, match=r"has no model 'lama'\..* Did you mean 'llama'\?"):
        list(read_replies(f"x={both}", models=["lama"]))


@pytest.mark.parametrize(
    ("line", "judged", "undecided"),
    [
        ({"correct": 1}, True, ""), ({"correct": False}, False, ""), ({"is_correct": 0.0, "correct": 1}, False, ""),
        ({"score": 0.5}, None, "'0.5'"), ({"correct": "C"}, None, ""), ({"correct": None}, None, ""), ({}, None, ""),
    ],
)  # fmt: skip
def test_the_grade_of_a_line_is_a_number_or_a_truth_value(tmp_path, line, judged, undecided):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": "1", "reply": "x"} | line) + "\n")
    (reply,) = read_replies(path)
    assert (reply.judged, reply.undecided) == (judged, undecided)
