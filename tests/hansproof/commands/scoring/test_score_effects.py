"""`hansproof score` on word problems: effects, and the agreement of both readings, in tables and as JSON."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import hansproof
from hansproof.command_line import command_line
from hansproof.generators.errors import InputError
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset

PAIRS = 40


@pytest.fixture
def items(tmp_path, monkeypatch):
    """Pairs whose perturbed items are answered wrongly from the eleventh pair on, and the last one not at all."""
    monkeypatch.chdir(tmp_path)
    items = [dataset("word-problems").item("consistency", 5, index) for index in range(2 * PAIRS)]
    Path("items.jsonl").write_bytes(dump(items))
    lines = [
        {"id": item.id, "reply": f"The answer is {item.answer if index % 2 == 0 or index < 20 else 77777}."}
        for index, item in enumerate(items[:-1])
    ]
    Path("answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return items


def score(*more):
    done = CliRunner(env={"COLUMNS": "120"}).invoke(
        command_line(), ["score", "answers.jsonl", "--items", "items.jsonl", *more]
    )
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.usefixtures("items")
def test_effects_and_agreement_are_in_the_json():
    (model,) = json.loads(score("--json", "--item-scores", "scores.json"))["models"]
    whole, *slices = model["effects"]
    conditions = whole["first"], whole["second"]
    assert (whole["subset"], whole["by"], conditions) == ("consistency", "", ("consistent", "inconsistent"))
    paired = whole["difference"]
    assert (paired["items"], paired["a"], paired["b"], paired["difference"]) == (PAIRS, 1, 0.25, 0.75)
    counts = paired["a_only"], paired["b_only"], paired["p"]
    assert counts == (30, 0, pytest.approx(2 / 2**30))
    assert whole["missing"] == [0, 1]
    assert {effect["by"] for effect in slices} == {"n_steps", "operation"}
    (reading,) = model["readings"]
    assert (reading["reading"], reading["replies"]) == ("published", 2 * PAIRS - 1)
    assert "outcomes" not in model
    assert json.loads(Path("scores.json").read_text(encoding="utf-8"))["models"][0]["effects"] == model["effects"]


@pytest.mark.usefixtures("items")
def test_effects_and_agreement_are_printed():
    printed = score("--all")
    row = next(line.split() for line in printed.split("\n") if line.split()[:2] == ["replies", "+75.0"])
    # Tango's interval of 30 against 0 of 40 pairs. From 100 % right, 21 points take 21 % that differ, all one way: six
    # or more of 40 do in 80 of 100 studies, also at 5 % divided by the number of effects.
    assert [*row[:9], *row[-2:]] == [
        "replies",
        "+75.0",
        "[+59.7,",
        "+85.8]",
        "<.001",
        "<.001",
        "<.001",
        "40",
        "25.0",
        "30/0",
        "21.0",
    ]
    assert (
        "\n- published reading (the first number of the reply, as in Opedal et al. 2024): of 79 replies, both "
        in printed
    )
    assert "\nconsistency: consistent −" in printed
    assert "\n- replies, consistency: missing replies count as wrong: 1\n" in printed


def test_the_front_door_gives_the_same_reports(items):
    (from_files,) = hansproof.score("answers.jsonl", "items.jsonl")
    answers = {line["id"]: line["reply"] for line in map(json.loads, Path("answers.jsonl").read_text().splitlines())}
    calls = []
    (from_objects,) = hansproof.score(answers, items, progress=lambda *call: calls.append(call))
    assert repr(from_files.record(scores=True)) == repr(from_objects.record(scores=True))
    stage, done, total = calls[-1]
    assert (stage, done) == ("scoring", total)
    (model,) = json.loads(score("--json"))["models"]
    assert model["lines"][0]["right"]["hits"] == from_files.lines[0].right.hits == 50
    (part,) = few = hansproof.score("answers.jsonl", items[:1])
    assert (part.lines[0].items, few.joined.read.unmatched.count, few.differences) == (1, 78, ())
    with pytest.raises(InputError, match="none of the 79 replies belongs to an item of the items"):
        hansproof.score("answers.jsonl", [replace(items[0], id="another")])


def test_what_holds_for_several_models_is_said_once_with_their_names(items):
    """Three models, two with the same replies: their notes stand once, and those of all name none."""
    lines = [json.loads(line) for line in Path("answers.jsonl").read_text(encoding="utf-8").splitlines()]
    given = [line | {"model": model} for model in ("ada", "bob") for line in lines]
    given += [{"id": item.id, "reply": item.answer, "model": "eve"} for item in items]
    Path("answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in given), encoding="utf-8")
    printed = score("--all")
    missing = "missing replies count as wrong: 1"
    said = f"- ada, consistency, bob, consistency: {missing}"
    assert [line for line in printed.split("\n") if missing in line] == [said]
    assert printed.count("\nconsistency: ") == 1
    assert printed.count("before it\n") == 1
    assert printed.index("Scores of eve") < printed.index("Differences on common items") < printed.index(missing)
