"""Standard input and pipes give what they hold once, and are read as often as files are."""

import gzip
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hansproof.audit.replies import recognition
from hansproof.audit.replies.reply_files import read_replies
from hansproof.audit.replies.sources import reply_files
from hansproof.generators.errors import InputError, UsageError

LINES = "".join(f'{{"id": "q{n}", "prompt": "Is {n} even?", "reply": "yes", "model": "m{n % 3}"}}\n' for n in range(60))
BENCH = "id,prompt,answer\n" + "".join(f"q{n},Is {n} even?,{('yes', 'no')[n % 2]}\n" for n in range(60))


class Stdin(io.TextIOWrapper):
    def __init__(self, data):
        super().__init__(io.BytesIO(data), encoding="utf-8")


@pytest.fixture
def given(monkeypatch):
    return lambda data: monkeypatch.setattr(sys, "stdin", Stdin(data))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input_is_read_again_and_named_in_places(given, pack):
    given(pack(LINES.encode()))
    replies = read_replies("-")
    every = list(replies)
    assert (len(every), every[1].place) == (60, "standard input: line 2")
    assert list(replies) == every
    assert sum(map(len, map(list, replies.by_source()))) == 60


def test_tables_and_logs_come_by_it_too(given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given(b"id,reply\na,yes\n")
    assert [(reply.id, reply.reply) for reply in read_replies("-")] == [("a", "yes")]
    # What lies beside a file of HELM is of the same run; nothing lies beside standard input.
    Path("run_spec.json").write_text('{"name": "other:model=x", "groups": ["a"]}')
    Path("per_instance_stats.json").write_text("broken")
    instance = (
        '{"id": "a", "input": {"text": "Is it?"}, "references": [{"output": {"text": "yes"}, "tags": ["correct"]}]}'
    )
    given(f'{{"request_states": [{{"instance": {instance}, "result": null}}]}}'.encode())
    (reply,) = read_replies("-")
    assert (reply.benchmark, list(reply.about), reply.place) == ("", [], "standard input: row 1")


def test_it_may_have_a_name_and_is_called_so_beside_files(given, tmp_path):
    given(b'{"id": "a", "reply": "x"}\n')
    (tmp_path / "b.jsonl").write_text('{"id": "a", "reply": "y"}\n')
    assert [reply.model for reply in read_replies(["gpt=-", tmp_path / "b.jsonl"])] == ["gpt", "b"]
    given(b'{"id": "a", "reply": "x"}\n')
    assert [reply.model for reply in read_replies(["-", tmp_path / "b.jsonl"])] == ["standard input", "b"]


@pytest.mark.parametrize("twice", [("-", "-"), ("-", "gpt=-"), ("a=-", "b=/dev/stdin"), ("/dev/fd/0", "/dev/stdin")])
def test_it_is_named_once(twice):
    with pytest.raises(UsageError, match="are one standard input, which is read once; name files for the others"):
        reply_files(["file.jsonl", *twice])


def test_a_file_of_that_name_is_named_with_its_folder(given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("-").write_text('{"id": "file", "reply": "x"}\n')
    given(b'{"id": "input", "reply": "x"}\n')
    assert [reply.id for name in ("-", "./-") for reply in read_replies(name)] == ["input", "file"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "standard input: has no replies"),
        (b"\n\n", "standard input: has no replies"),
        (b"\x1f\x8b\x08", "standard input: damaged gzip data"),
        (b"hello\n", "standard input: is plain text"),
        (b"\x81\x82", "standard input: is plain text"),
        (b"PK\x03\x04", "standard input: unknown format: this is a zip archive"),
    ],
)
def test_what_is_wrong_with_it_has_its_name(given, data, message):
    given(data)
    with pytest.raises(InputError, match=message):
        list(read_replies("-"))


def test_without_standard_input_there_is_a_clear_error(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input: is closed; pipe something into it, or name a file"):
        list(read_replies("-"))
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"id": "ä", "reply": "x"}'))
    assert [reply.id for reply in read_replies("-")] == ["ä"]


def test_a_pipe_is_read_as_often_as_wanted(tmp_path):
    read, write = os.pipe()
    os.write(write, LINES.encode())
    os.close(write)
    replies = read_replies(f"/dev/fd/{read}")
    try:
        assert [len(list(replies)) for _ in range(3)] == [60, 60, 60]
    finally:
        os.close(read)


def test_what_a_pipe_gives_is_kept_on_disk_up_to_the_limit_of_a_file(given, monkeypatch):
    monkeypatch.setattr(recognition, "LIMIT", len(LINES))
    monkeypatch.setattr(recognition, "_IN_MEMORY", 100)
    given(LINES.encode())
    replies = read_replies("-")
    assert [len(list(replies)) for _ in range(2)] == [60, 60]
    given(LINES.encode() + b"\n")
    with pytest.raises(InputError, match=f"standard input: more than {len(LINES):,} bytes"):
        list(read_replies("-"))


def test_what_was_read_in_part_is_read_from_the_beginning(given):
    given(LINES.encode())
    replies = read_replies("-")
    assert next(iter(replies)).id == "q0"
    assert [reply.id for reply in replies][:2] == ["q0", "q1"]


def called(arguments, shell_input):
    line = f"{shell_input} | {sys.executable} -m hansproof {arguments}"
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_commands_that_read_answers_twice_take_a_pipe(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[3]))
    monkeypatch.chdir(tmp_path)
    Path("r.jsonl").write_text(LINES)
    Path("bench.csv").write_text(BENCH)
    for source in ("-", "/dev/stdin", "<(cat)"):
        done = called(f"compare {source} --items bench.csv --a m0 --b m1", "cat r.jsonl")
        assert (done.returncode, done.stderr.count("error")) == (0, 0), done.stderr
        assert "20 of 60 replies are of models, styles or runs that are not compared" in done.stderr
    for items in ("-", "/dev/stdin", "<(cat)"):
        done = called(f"score r.jsonl --items {items}", "cat bench.csv")
        assert done.returncode == 2
        assert done.stderr.endswith(
            ": items are read more than once, and a pipe cannot be: save them to a file, and name that\n"
        )
        assert done.stderr.count("\n") == 1
