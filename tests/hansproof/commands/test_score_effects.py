"""`hansproof score` on word problems: the effects and the agreement of both readings, in tables and as JSON."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.responses.scoring import score_replies
from generators.jsonl import dump
from generators.registry import dataset
from hansproof.command_line import command_line

PAIRS = 40


@pytest.fixture
def items(tmp_path, monkeypatch):
    """Pairs of which every hard item from the eleventh pair on is answered wrongly, and the last one not at all."""
    monkeypatch.chdir(tmp_path)
    found = [dataset("word-problems").item("consistency", 5, index) for index in range(2 * PAIRS)]
    Path("items.jsonl").write_bytes(dump(found))
    lines = [
        {"id": one.id, "reply": f"The answer is {one.answer if index % 2 == 0 or index < 20 else 77777}."}
        for index, one in enumerate(found[:-1])
    ]
    Path("answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return found


def score(*more):
    done = CliRunner().invoke(command_line(), ["score", "answers.jsonl", "--items", "items.jsonl", *more])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.usefixtures("items")
def test_effects_and_agreement_are_in_the_json():
    (model,) = json.loads(score("--json", "--out", "scores.json"))["models"]
    whole, *slices = model["effects"]
    assert (whole["subset"], whole["easy_condition"], whole["by"]) == ("consistency", "consistent", "")
    paired = whole["paired"]
    assert (paired["pairs"], paired["easy"], paired["hard"], paired["effect"]) == (PAIRS, 1, 0.25, 0.75)
    assert (paired["easy_only"], paired["hard_only"], paired["mcnemar_p"]) == (30, 0, pytest.approx(2 / 2**30))
    assert (whole["missing_easy"], whole["missing_hard"]) == (0, 1)
    assert {one["by"] for one in slices} == {"n_steps", "operation"}
    assert model["agreement"]["replies"] == 2 * PAIRS - 1
    assert "missing" not in model
    assert json.loads(Path("scores.json").read_text(encoding="utf-8"))["models"][0]["effects"] == model["effects"]


@pytest.mark.usefixtures("items")
def test_effects_and_agreement_are_printed():
    printed = score()
    row = next(line.split() for line in printed.split("\n") if line.split()[:2] == ["consistency", "+75.0"])
    # sd of 30 ones and 10 noughts = sqrt(7.5 / 39) = .4385; t(.975, 39) = 2.0227: 75 -+ 14.0.
    assert row == ["consistency", "+75.0", "[61.0,", "89.0]", "<.001", "<.001", "<.001", "40", "30/0", "19.9"]
    assert "agreement of the two readings of the replies: replies 79, " in printed
    assert "consistent - inconsistent: consistency\n" in printed
    assert "replies missing, counted wrong, easy/hard: consistency 0/1\n" in printed


def test_the_report_knows_which_replies_are_missing(items):
    report = score_replies(items, {items[0].id: "5", items[1].id: None})
    assert report.missing == tuple(one.id for one in items[1:])
    assert report.agreement["replies"] == 1


def test_a_family_with_one_reading_has_no_agreement():
    cues = [dataset("planted-cues").item("none", 5, index) for index in range(4)]
    report = score_replies(cues, {})
    assert (report.agreement, len(report.missing)) == (None, 4)
