"""The command line: exit codes, streams, files, and one clear line for each kind of bad input."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from hansproof.command_line import COMMANDS, command_line, main
from hansproof.generators.jsonl import read_bytes
from hansproof.terminal.streams import exit_code

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "datasets" / "planted-cues" / "2.0.0"
QUICK = ["--permutations", "299", "--splits", "2", "--folds", "3"]


def run(*arguments, **options):
    return CliRunner().invoke(command_line(), [str(argument) for argument in arguments], **options)


@pytest.mark.parametrize(
    ("verdict", "failing", "code"),
    [
        ("CLEAN", None, 0),
        ("LEAKS", None, 1),
        ("TEMPLATE-BOUND", None, 1),
        ("IMBALANCED", None, 1),
        ("TRACES", None, 0),
        ("TRACES", ["traces"], 1),
        ("NOT ASSESSED", None, 2),
        ("INCONCLUSIVE", None, 3),
        ("LEAKS", ["template-bound"], 0),
        ("INCONCLUSIVE", ["leaks"], 0),
        ("INCONCLUSIVE", ["leaks", "traces"], 3),  # it may be more than what fails
        ("INCONCLUSIVE", ["traces", "inconclusive"], 1),
        ("CLEAN", ["leaks", "traces"], 0),
        ("INCONCLUSIVE", ["inconclusive"], 1),
        ("NOT ASSESSED", ["leaks"], 2),
        ("LEAKS", ["none"], 0),
    ],
)
def test_exit_codes(verdict, failing, code):
    assert exit_code(verdict, failing) == code


def test_the_screen_goes_to_standard_output_and_json_takes_it_over():
    plain = run("audit", SAMPLE / "unigram.jsonl.gz", *QUICK)
    assert plain.exit_code == 1
    assert "LEAKS" in plain.stdout
    assert plain.stderr == ""
    data = run("audit", SAMPLE / "unigram.jsonl.gz", "--json", "-", *QUICK)
    document = json.loads(data.stdout)
    assert list(document)[:2] == ["verdict", "reason"]
    assert "LEAKS" in data.stderr


@pytest.mark.slow
def test_reports_are_written_and_never_overwritten_unasked(tmp_path):
    page, numbers, items = tmp_path / "r.html", tmp_path / "r.json", tmp_path / "items.jsonl"
    outputs = ["--html", page, "--json", numbers, "--items", items]
    assert run("audit", SAMPLE / "none.jsonl.gz", *outputs, *QUICK).exit_code in (0, 3)
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert json.loads(numbers.read_bytes())["items"] == 600
    assert len(items.read_text(encoding="utf-8").splitlines()) == 600
    again = run("audit", SAMPLE / "none.jsonl.gz", "--html", page, *QUICK)
    assert again.exit_code == 2
    assert again.stderr == f"error: {page}: exists; pass --force to overwrite it, or name another file\n"
    page.write_text("old")
    assert run("audit", SAMPLE / "none.jsonl.gz", "--html", page, "--force", *QUICK).exit_code in (0, 3)
    assert page.read_text(encoding="utf-8") != "old"


@pytest.mark.slow
def test_a_folder_is_audited_file_by_file_and_a_bad_file_stops_nothing(tmp_path):
    suite = tmp_path / "suite"
    suite.mkdir()
    (suite / "a.jsonl").write_bytes(read_bytes(SAMPLE / "none.jsonl.gz"))
    (suite / "b.jsonl.gz").write_bytes(gzip.compress(read_bytes(SAMPLE / "unigram.jsonl.gz")))
    (suite / "c.csv").write_text("question,gold\nwhat,\n")
    done = run("audit", suite, "--json", tmp_path / "all.json", "--html", tmp_path / "all.html", *QUICK)
    assert done.exit_code == 1
    document = json.loads((tmp_path / "all.json").read_bytes())
    assert [result["verdict"] for result in document["results"]][1] == "LEAKS"
    assert [Path(failure["place"]).name for failure in document["failures"]] == ["c.csv"]
    assert run("audit", suite, "--items", tmp_path / "i.jsonl").exit_code == 2


@pytest.mark.parametrize(
    ("name", "content", "options", "words"),
    [
        ("b.jsonl", b'{"prompt": "a", "answer": "x"}\n{"prompt": \n', [], ["line 2"]),
        ("b.jsonl", b"", [], ["empty"]),
        ("b.xyz", b"\x00\x01\x02\x03" * 50, [], ["b.xyz"]),
        ("b.csv", b"question,label\n" + b"a b,yes\n" * 40, ["--answer", "gold"], ["gold", "question", "label"]),
        ("b.csv", b"question,label\n" + b"a b,yes\n" * 40, [], ["yes"]),
        ("b.csv", b"question,label\n" + b"a \xff b,yes\n" * 40, [], ["byte"]),
        ("b.csv", b"question,label\n" + b" ,yes\nsome text,no\n" * 40, [], ["empty prompt", "line"]),
        ("b.csv", b"question,label\n" + b"a b,yes\n" * 40, ["--fail-on", "leak"], ["leak", "Known"]),
        ("b.csv", b"question,label\n" + b"a b,yes\n" * 40, ["--fail-on", ""], ["empty"]),
        ("b.csv", b"question,label\n" + b"a b,yes\n" * 40, ["--workers", "-1"], ["workers is -1"]),
        ("b.csv", b"question,label\n" + b"a b,yes\n" * 40, ["--folds", "1000"], ["folds is 1000"]),
        ("b.csv", b"question,label\n" + b"a b,yes\n" * 40, ["--permutations", "39"], ["at least 40"]),
    ],
)
def test_bad_input_gets_one_clear_line_and_exit_2(tmp_path, name, content, options, words):
    path = tmp_path / name
    path.write_bytes(content)
    done = run("audit", path, *options)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    for word in words:
        assert word in done.stderr


def test_what_cannot_be_judged_is_not_assessed_and_exits_2(tmp_path):
    rows, words = [f"a question {i},{'yes' if i % 2 else 'no'}" for i in range(20)], "30"
    path = tmp_path / "b.csv"
    path.write_text("\n".join(["question,label", *rows]))
    done = run("audit", path, "--json", "-")
    assert done.exit_code == 2
    document = json.loads(done.stdout)
    assert document["verdict"] == "NOT ASSESSED"
    assert words in document["reason"]


def test_reports_never_destroy_the_benchmark_each_other_or_a_device(tmp_path):
    bench = tmp_path / "b.jsonl"
    bench.write_bytes(read_bytes(SAMPLE / "none.jsonl.gz"))
    before = bench.read_bytes()
    same = tmp_path / "x"
    (tmp_path / "folder").mkdir()
    refused = {
        "is an input of this command": ["--html", bench, "--force"],
        "named for two reports": ["--html", same, "--json", same],
        "not a regular file": ["--json", tmp_path / "folder", "--force"],
        "only one output can be written to standard output": ["--html", "-", "--json", "-"],
        "its folder does not exist": ["--items", tmp_path / "no" / "i.jsonl"],
    }
    for words, options in refused.items():
        done = run("audit", bench, *options)
        assert done.exit_code == 2
        assert words in done.stderr
    assert bench.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.jsonl", "folder"]


def test_quiet_prints_the_verdict_and_its_reason_alone():
    done = run("audit", SAMPLE / "unigram.jsonl.gz", "--quiet", *QUICK)
    assert "LEAKS" in done.stdout
    assert "presence" in done.stdout or "TF" in done.stdout
    assert len(done.stdout.splitlines()) < 8


@pytest.mark.slow
def test_a_reader_that_leaves_early_does_not_change_the_exit_code():
    command = f"{sys.executable} -m hansproof audit {SAMPLE / 'none.jsonl.gz'} {' '.join(QUICK)} | head -c 1"
    shell = ["bash", "-o", "pipefail", "-c", command]
    done = subprocess.run(shell, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode in (0, 3)
    assert "Traceback" not in done.stderr


def test_a_fault_of_our_own_is_not_taken_for_a_failed_check(monkeypatch, capsys):

    monkeypatch.setattr(sys, "argv", ["hansproof", "audit", "x.jsonl"])
    monkeypatch.setitem(COMMANDS, "audit", "hansproof.commands.audit:no_such_thing")
    with pytest.raises(SystemExit) as exit:
        main()
    assert exit.value.code == 2
    assert "a bug in hansproof" in capsys.readouterr().err


def test_an_interrupted_audit_exits_130(monkeypatch, capsys):

    def interrupt(source, **how):
        raise KeyboardInterrupt

    monkeypatch.setattr("hansproof.auditing.running.expand", interrupt)
    monkeypatch.setattr(sys, "argv", ["hansproof", "audit", "x.jsonl"])
    with pytest.raises(SystemExit) as exit:
        main()
    assert exit.value.code == 130
    assert capsys.readouterr().err.strip().endswith("interrupted")


def test_a_missing_file_and_a_missing_folder_for_the_report(tmp_path):
    assert run("audit", tmp_path / "none.csv").exit_code == 2
    done = run("audit", SAMPLE / "none.jsonl.gz", "--html", tmp_path / "no" / "r.html")
    assert done.exit_code == 2
    assert "folder does not exist" in done.stderr


@pytest.mark.slow
def test_standard_input_is_read_as_jsonl():
    data = read_bytes(SAMPLE / "unigram.jsonl.gz")
    command = [sys.executable, "-c", "from hansproof.command_line import main; main()", "audit", "-", *QUICK]
    done = subprocess.run(command, input=data, capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == 1, done.stderr
    assert b"LEAKS" in done.stdout


def test_a_published_split_is_learnt_from_one_file_and_tested_on_another(tmp_path):
    rows = read_bytes(SAMPLE / "unigram.jsonl.gz").decode().splitlines(keepends=True)
    train, test = tmp_path / "train.jsonl", tmp_path / "test.jsonl"
    train.write_text("".join(rows[:400]), encoding="utf-8")
    test.write_text("".join(rows[380:]), encoding="utf-8")
    done = run("audit", test, "--train", train, "--permutations", "199", "--full", "--json", tmp_path / "r.json")
    assert done.exit_code == 1
    assert "20 duplicates" in " ".join(done.stdout.split())
    document = json.loads((tmp_path / "r.json").read_bytes())
    assert (document["settings"]["train"], document["settings"]["protocol"]) == (str(train), "published")
    same = run("audit", test, "--train", test)
    assert same.exit_code == 2
    assert "the training part has the same items as the test part" in same.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SAMPLE, "--train", SAMPLE / "none.jsonl.gz"), "--train belongs to one benchmark; name one file"),
        (("-", "--train", "-"), "standard input is one source; name a file for the benchmark or for --train"),
    ],
)
def test_a_training_part_belongs_to_one_benchmark(arguments, message):
    done = run("audit", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
