"""`hansproof harden`: files, exit codes, what a person sees."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import made_options
import pytest
from click.testing import CliRunner

from hansproof.audit.reading.loading import Columns
from hansproof.audit.settings import make_settings
from hansproof.command_line import command_line
from hansproof.generators.errors import UsageError
from hansproof.generators.jsonl import read_bytes

SAMPLE = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "2.0.0"
QUICK = ["--permutations", "99", "--splits", "2", "--folds", "3"]


def run(*arguments):
    return CliRunner().invoke(command_line(), [str(argument) for argument in arguments])


@pytest.fixture
def bench(tmp_path):
    """A part of the planted benchmark, as a table."""
    rows = [json.loads(line) for line in read_bytes(SAMPLE / "unigram.jsonl.gz").decode().splitlines()][:390]
    with (tmp_path / "bench.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["question", "label"], *([row["prompt"], row["answer"]] for row in rows)])
    return tmp_path / "bench.csv"


@pytest.mark.slow
def test_a_table_stays_a_table_and_every_item_is_in_one_of_two_files(bench, tmp_path):
    out, removed, numbers = tmp_path / "out.csv", tmp_path / "gone.jsonl", tmp_path / "r.json"
    done = run("harden", bench, "--out", out, "--removed", removed, "--json", numbers, "--keep-at-least", 0.2, *QUICK)
    assert done.exit_code == 0, done.output
    kept = out.read_bytes().splitlines(keepends=True)
    source = bench.read_bytes().splitlines(keepends=True)
    gone = [json.loads(line) for line in removed.read_bytes().splitlines()]
    assert kept[0] == source[0]
    places = {int(entry["place"].split()[1]) for entry in gone}
    assert kept[1:] == [line for number, line in enumerate(source, 1) if number > 1 and number not in places]
    assert len(kept) - 1 + len(gone) == 390
    assert json.loads(numbers.read_bytes())["kept"] == len(kept) - 1
    assert "NO FAULT SHOWN" in done.stdout
    assert "does not show that the items that are left test the ability" in " ".join(done.stdout.split())
    again = run("harden", bench, "--out", out, *QUICK)
    assert (again.exit_code, "pass --force to overwrite it" in again.stderr) == (2, True)
    assert out.read_bytes() == b"".join(kept)


@pytest.mark.slow
def test_options_in_columns_are_reordered_and_listed(tmp_path):
    bench, out, changed = tmp_path / "bench.csv", tmp_path / "out.csv", tmp_path / "changed.jsonl"
    with bench.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["goal", "sol1", "sol2", "right"])
        for row in made_options.rows(120, k=2):
            gold = row["choices"].pop(row["answer"])
            table.writerow([row["question"], gold, row["choices"][0], "1"])  # the first one, always
    words = ["harden", bench, "--prompt", "goal", "--choices", "sol1,sol2", "--answer", "right", "--out", out]
    done = run(*words, "--removed", changed, *QUICK)
    assert done.exit_code == 0, done.output
    old, new = (list(csv.DictReader(path.read_text("utf-8").splitlines())) for path in (bench, out))
    assert len(new) == 120
    moved = [json.loads(line) for line in changed.read_bytes().splitlines()]
    places = {int(change["place"].split()[1]) - 2 for change in moved}
    assert 40 < len(places) < 80
    assert all(change["order"] == [1, 0] for change in moved)
    for n, (before, after) in enumerate(zip(old, new, strict=True)):
        options = [before["sol1"], before["sol2"]]
        expected = (options[::-1], "B") if n in places else (options, "A")
        assert (json.loads(after["choices"]), after["answer"]) == expected
        assert after["prompt"] == before["goal"]
    assert f"the options of {len(places)} of them" in done.stdout


@pytest.mark.slow
def test_a_goal_that_is_not_reached_writes_nothing_unless_asked(bench, tmp_path):
    out = tmp_path / "out.csv"
    words = ["harden", bench, "--out", out, "--removed", tmp_path / "gone", "--steps", "templates", *QUICK]
    done = run(*words, "--json", "-")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["goal"] == "not reached"
    assert "No step is left that could help" in json.loads(done.stdout)["reason"]  # the leak is still seen
    assert "was not written; --best-effort writes it all the same" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bench.csv"]
    assert run(*words, "--best-effort").exit_code == 1
    assert out.read_bytes() == bench.read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bench.csv", "--out", "bench.csv", "--force"], "is an input of this command"),
        (["bench.csv", "--out", "o.jsonl"], "the rows are written as CSV"),
        (["bench.csv", "--out", "o.csv", "--steps", "cues"], "there is no step 'cues'. Did you mean 'cue'?"),
        (["bench.csv", "--out", "o.csv", "--steps", ","], "--steps is empty"),
        (["bench.csv", "--out", "o.csv", "--held-out", "1"], "held_out is 1.0; it must lie between 0.1 and 0.9"),
        (["bench.csv", "--out", "o.csv", "--keep-at-least", "nan"], "keep_at_least is nan"),
        (["-", "--out", "o.csv"], "standard input: the file is empty"),
        (["bench.csv", "--out", "o.csv", "--recipe", "snli"], "the recipe 'snli' does not fit"),
        (
            ["few.jsonl", "--out", "o.jsonl"],
            "harden works on benchmarks whose items share one set of answers or have options of their own",
        ),
        (["no.jsonl", "--out", "o.jsonl"], "no such file"),
        (["bench.csv", "--out", "o.csv", "--json", "o.csv"], "is named for two reports"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_2(bench, monkeypatch, words, said):
    monkeypatch.chdir(bench.parent)
    Path("few.jsonl").write_text('{"question": "a", "answer": "b"}\n' * 3)
    done = run("harden", *words, *QUICK)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in Path().iterdir()) == ["bench.csv", "few.jsonl"]


def test_an_earlier_audit_of_the_same_file_is_not_repeated_unless_told_so(tmp_path, monkeypatch):
    file = tmp_path / "few.jsonl"
    file.write_text("".join(f'{{"question": "Is {n} odd?", "answer": "{("no", "yes")[n % 2]}"}}\n' for n in range(20)))
    known = []

    def harden(source, *, recall, **options):
        known.append(recall(Columns(), make_settings(permutations=99, splits=2, folds=3)))
        raise UsageError("that is enough")

    monkeypatch.setattr("hansproof.audit.repair.harden.harden", harden)
    said = []
    for words in (["harden"], ["audit", "--json", "-"], ["harden"], ["harden", "--no-cache"]):
        out = ["--out", tmp_path / "o.jsonl"] if words[0] == "harden" else []
        said.append(run(words[0], file, *words[1:], *out, *QUICK))
    assert [result is None for result in known] == [True, False, True]
    assert known[1].sha256 == json.loads(said[1].stdout)["sha256"]
    reused = "the audit of all items is that of an earlier run; --no-cache audits anew\n"
    assert [reused in done.stderr for done in said] == [False, False, True, False]
