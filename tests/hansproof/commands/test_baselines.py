"""`hansproof run --agent NAME`: the players of a family, with their parameters, on released and on fresh episodes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from playing import play
from toy_bandit import dataset as toy

from hansproof.command_line import command_line
from hansproof.generators.episode import Parameter, Player
from hansproof.generators.errors import UsageError
from hansproof.generators.registry import dataset


def _always(parameters):
    if unknown := [name for name in parameters if name != "arm"]:
        raise UsageError(f"has no parameter {unknown[0]!r}", "always")
    return lambda item, seed: play(toy.Bandit(item), lambda prompt: "AB"[(int(parameters.get("arm", 0)) + seed) % 2])


ALWAYS = Player(
    "Always chooses the same.",
    "Skinner 1948",
    _always,
    {"arm": Parameter(0, 0, 1, "the arm")},
    {"again": "it is tired"},
)


@pytest.fixture(autouse=True)
def _there(tmp_path, monkeypatch, toy_bandit):
    monkeypatch.setattr(toy, "DATASET", replace(toy_bandit, players={"always": ALWAYS}))
    monkeypatch.chdir(tmp_path)
    assert dataset("toy-bandit").players == {"always": ALWAYS}


def run(command):
    return CliRunner().invoke(command_line(), command.split())


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_a_player_plays_what_it_does_not_decline():
    done = run("run --agent always --out -")
    assert done.exit_code == 0, done.output
    rows = lines(done.stdout)
    assert [row["id"] for row in rows] == [f"toy-bandit/1.0.0/short/{index:06d}" for index in range(30)]
    assert {row["reply"] for row in rows} == {'["A", "A", "A", "A"]'}
    assert {(row["model"], row["style"]) for row in rows} == {("always", "simulated")}
    assert done.stderr == "note: always does not play again: it is tired\n"
    old = run("simulate always")
    assert old.stdout == done.stdout
    assert old.stderr.splitlines()[0] == "simulate AGENT is now: hansproof run --agent always"


def test_parameters_seeds_and_subsets_change_what_is_played():
    done = run("run --agent always --set arm=1 --subset short -n 2 --seed 9 --out b.jsonl")
    assert done.stderr == "b.jsonl: 2 episodes, 8 actions\n"
    rows, bs = lines(Path("b.jsonl").read_text()), '["B", "B", "B", "B"]'
    assert [(row["reply"], row["model"], row["seed"]) for row in rows] == [(bs, "always arm=1", 9)] * 2
    other = lines(run("run toy-bandit --agent always -s short -n 1 --agent-seed 1 --model me --out -").stdout)
    assert [(row["reply"], row["model"]) for row in other] == [(bs, "me")]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("run --agent alway --out -", "there is no agent 'alway'. Did you mean 'always'?"),
        (
            "run toy-bandit --agent alway --out -",
            "toy-bandit has no agent 'alway'. Did you mean 'always'? Known: always",
        ),
        ("run --agent always --set arm --out -", "--set is 'arm'; it must be NAME=NUMBER, such as beta=4"),
        ("run --agent always --set arm=nan --out -", "--set is 'arm=nan'; it must be"),
        ("run --agent always --set leg=1 --out -", "always: has no parameter 'leg'"),
        ("run --agent always --subset again --out -", "always does not play again: it is tired"),
        ("run planted-cues --agent always --out -", "planted-cues is answered, not played"),
        ("run --agent always --agent-seed 99999999999999999999 --out -", "does not fit into 64 bits"),
        ("run --agent always --out /dev/full", "/dev/full: is not a regular file"),
    ],
)
def test_what_cannot_be_simulated_is_one_line(command, message):
    done = run(command)
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert message in line


def test_the_nine_agents_play_what_they_are_made_for_and_their_runs_have_a_phenotype(tmp_path):
    for agent in dataset("cognitive-tasks").players:
        done = run(f"run cognitive-tasks --agent {agent} --all-stories -n 1 --out {agent}.jsonl")
        assert done.exit_code == 0, done.output
    every = {json.loads(line)["id"].split("/")[2] for line in Path("random.jsonl").read_text().splitlines()}
    assert every == set(dataset("cognitive-tasks").subsets)
    assert len(run("run cognitive-tasks --agent random -n 1 --out -").stdout.splitlines()) == 7
    notes = run("run cognitive-tasks --agent model-free --all-stories -n 1 --out -").stderr.splitlines()
    (note,) = notes
    assert note.startswith(
        "note: model-free does not play probabilistic-reasoning, probabilistic-reasoning-dice, horizon"
    )
    measured = run("phenotype random.jsonl greedy.jsonl --resamples 100 --json -")
    assert [each["name"] for each in json.loads(measured.stdout)["phenotypes"]] == ["random", "greedy"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("run --agent always --workers 2 --out -", "--workers: is for a function of yours"),
        ("run toy-bandit --agent mine:reply --set arm=1 --out -", "--set: is for a baseline, not for a function"),
        ("run --agent mine:reply --out -", "a function needs the SOURCE that it plays"),
    ],
)
def test_what_belongs_to_the_other_kind_of_agent_is_refused(command, message):
    done = run(command)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
