"""`hansproof score`: data on standard output, talk on standard error, one line an error."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from generators.jsonl import dump
from generators.registry import dataset
from hansproof.command_line import command_line


@pytest.fixture
def there(tmp_path, monkeypatch):
    """A folder with items of two families and gold answers to them."""
    monkeypatch.chdir(tmp_path)
    puzzles = [dataset("knights-knaves").make("S-3", 5, index) for index in range(8)]
    cues = [dataset("planted-cues").make("none", 5, index) for index in range(20)]
    (tmp_path / "puzzles.jsonl").write_bytes(dump(puzzles))
    (tmp_path / "cues.jsonl").write_bytes(dump(cues))
    save("puzzle-answers.jsonl", [{"id": one.id, "reply": one.answer.replace("; ", "\n")} for one in puzzles])
    save("cue-answers.jsonl", [{"id": one.id, "completion": one.answer} for one in cues])
    return {"puzzles": puzzles, "cues": cues}


def save(path, records):
    Path(path).write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")


def run(*arguments):
    return CliRunner(env={"COLUMNS": None}).invoke(command_line(), [str(argument) for argument in arguments])


def failed(done):
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().split("\n")) == 1
    return done.stderr.strip()


def test_a_table_says_what_was_reached_and_what_guessing_reaches(there):
    done = run("score", "puzzle-answers.jsonl", "--items", "puzzles.jsonl")
    assert (done.exit_code, done.stderr) == (0, "")
    title, header, _, row, *_ = done.stdout.split("\n")
    assert title.strip() == "knights-knaves@1.0.0"
    assert " ".join(header.split()) == (
        "% [95 % interval] items right characters unparsed missing random majority majority char."
    )
    # Wilson, 8 of 8: low = 8 / (8 + 1.96^2) = 67.6 %; 24 of 24: 24 / (24 + 1.96^2) = 86.2 %.
    assert row.split()[:8] == ["all", "8", "100.0", "[67.6,", "100.0]", "100.0", "[86.2,", "100.0]"]
    assert row.split()[8:11] == ["0", "0", "12.5"]


def test_every_number_is_in_the_json_and_the_file_has_each_item_too(there):
    done = run("score", "cue-answers.jsonl", "--items", "cues.jsonl", "--json", "--out", "scores.json")
    assert (done.exit_code, done.stderr) == (0, "")
    shown = json.loads(done.stdout)
    assert (shown["answers"], shown["items"], shown["level"]) == ("cue-answers.jsonl", "cues.jsonl", 0.95)
    (model,) = shown["models"]
    assert model["scorer"] == "generators.option_match"
    assert model["lines"][0]["right"] | {"low": 0} == {"hits": 20, "total": 20, "share": 1.0, "low": 0, "high": 1.0}
    assert model["lines"][0]["random"] == 0.5
    written = json.loads(Path("scores.json").read_text(encoding="utf-8"))
    scores = written["models"][0].pop("scores")
    assert written == shown
    assert scores == [{"id": one.id, "right": True, "parsed": True, "reason": ""} for one in there["cues"]]


def test_each_model_has_a_table_and_missing_answers_are_told(there):
    ids = [one.id for one in there["cues"]]
    answers = [{"id": ids[0], "reply": "yes [bold]", "model": "[red]a"}, {"id": ids[0], "reply": "?", "model": "b"}]
    save("two.jsonl", answers)
    done = run("score", "two.jsonl", "--items", "cues.jsonl")
    assert done.exit_code == 0
    assert done.stdout.count("planted-cues@") == 2
    assert "model [red]a" in done.stdout
    assert done.stderr == (
        "note: [red]a: 19 of 20 items have no answer and count as wrong\n"
        "note: b: 19 of 20 items have no answer and count as wrong\n"
    )
    both = json.loads(run("score", "two.jsonl", "--items", "cues.jsonl", "--json").stdout)["models"]
    assert [(one["model"], one["lines"][0]["missing"], one["lines"][0]["unparsed"]) for one in both] == [
        ("[red]a", 19, 0), ("b", 19, 1)
    ]  # fmt: skip


def test_a_release_folder_is_scored_whole(there, tmp_path):
    folder = tmp_path / "release"
    folder.mkdir()
    (tmp_path / "cues.jsonl").rename(folder / "none.jsonl")
    done = run("score", "cue-answers.jsonl", "--items", "release", "--json")
    assert json.loads(done.stdout)["models"][0]["lines"][0]["right"]["hits"] == 20


def test_an_id_that_no_item_has_is_one_line(there):
    message = failed(run("score", "puzzle-answers.jsonl", "--items", "cues.jsonl"))
    assert message.startswith("error: puzzle-answers.jsonl: 8 answers have ids that no item of cues.jsonl has; the ")
    assert "the first is 'knights-knaves/1.0.0/S-3/000000' in line 1;" in message


def test_other_faults_are_one_line_too(there):
    one = {"id": there["cues"][0].id, "reply": "yes"}
    save("twice.jsonl", [one, one])
    assert "twice.jsonl: line 2: the answer to" in failed(run("score", "twice.jsonl", "--items", "cues.jsonl"))
    assert "nothing.jsonl: cannot be read" in failed(run("score", "nothing.jsonl", "--items", "cues.jsonl"))
    assert "nothing: cannot be read" in failed(run("score", "cue-answers.jsonl", "--items", "nothing"))
    rows = []
    for one, version in zip(there["cues"], "12"):
        about = one.metadata | {"dataset": "cues", "version": version}
        rows.append(one.record() | {"id": f"cues/{version}/none/1", "metadata": about})
    save("both.jsonl", rows)
    mixed = failed(run("score", "cue-answers.jsonl", "--items", "both.jsonl"))
    assert mixed == "error: both.jsonl: has items of several releases: cues@1, cues@2; score one at a time"
    missing = run("score", "cue-answers.jsonl")
    assert missing.exit_code == 2
    assert "--items" in missing.stderr


def test_a_file_that_is_there_is_overwritten_only_by_force(there):
    save("scores.json", [])
    arguments = ("score", "cue-answers.jsonl", "--items", "cues.jsonl", "--out", "scores.json")
    assert failed(run(*arguments)).startswith("error: scores.json: exists; pass --force")
    assert run(*arguments, "--force").exit_code == 0


def test_half_a_surrogate_pair_in_a_reply_breaks_nothing(there):
    save("odd.jsonl", [{"id": there["cues"][0].id, "reply": "\ud800 yes"}])
    assert run("score", "odd.jsonl", "--items", "cues.jsonl", "--out", "odd.json", "--json").exit_code == 0
    save("odd.jsonl", [{"id": "\ud800", "reply": "yes"}])
    assert "\\ud800" in failed(run("score", "odd.jsonl", "--items", "cues.jsonl"))


def test_the_help_page_has_an_example():
    done = run("score", "--help")
    assert done.exit_code == 0
    assert "hansproof score" in done.stdout.split("Example")[1]
