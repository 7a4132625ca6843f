"""All kinds of analysis go one way: they say which options they take, and the command refuses the others."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hansproof.command_line import command_line
from hansproof.commands.analyse import analyse
from hansproof.commands.analysis_kinds import KINDS
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset

ALWAYS = {"answers", "sources", "by", "json_", "csv_", "html", "force"}
OPTIONS = {option.name: option for option in analyse.params if option.name not in ALWAYS}
VALUES = {
    "judged": "harness", "expect": "either", "groups": "none", "threshold": "0.3", "shift": "3", "protocol": "paper",
    "task": "fixed",
}  # fmt: skip


def run(*words):
    return CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), ["analyse", *words])


def lines(records, file):
    Path(file).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def test_every_option_belongs_to_a_kind_and_every_kind_takes_options_that_exist():
    taken = {name: set(kind.takes) for name, kind in KINDS.items()}
    assert set().union(*taken.values()) == set(OPTIONS)
    assert list(KINDS) == list(next(option for option in analyse.params if option.name == "by").type.choices)
    assert [name for name, kind in KINDS.items() if kind.name != name] == []


@pytest.mark.parametrize(
    ("by", "name"), [(by, name) for by, kind in KINDS.items() for name in OPTIONS if name not in kind.takes]
)
def test_an_option_of_another_kind_is_refused_before_anything_is_read(by, name):
    option = OPTIONS[name]
    value = () if option.is_flag else (VALUES.get(name, "1"),)
    done = CliRunner().invoke(command_line(), ["analyse", "nothing.jsonl", "--by", by, option.opts[-1], *value])
    assert (done.exit_code, done.stderr) == (2, f"error: {option.opts[-1]} does not go with --by {by}\n")


@pytest.mark.parametrize("by", KINDS)
def test_an_option_of_the_kind_itself_is_not(by):
    for name in KINDS[by].takes:
        option = OPTIONS[name]
        value = () if option.is_flag else (VALUES.get(name, "1"),)
        done = CliRunner().invoke(command_line(), ["analyse", "nothing.jsonl", "--by", by, option.opts[-1], *value])
        assert "does not go with" not in done.stderr
        assert done.exit_code == 2


def test_by_hypotheses_is_what_score_tests(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    items = [dataset("token-bias").item("syllogism", 8, index) for index in range(80)]
    Path("items.jsonl").write_bytes(dump(items))
    lines(
        [{"id": item.id, "reply": "No" if item.condition == "original" else "Yes"} for item in items], "replies.jsonl"
    )
    done = run("replies.jsonl", "--by", "hypotheses", "--items", "items.jsonl", "--hypothesis", "H4")
    words = ["score", "replies.jsonl", "--items", "items.jsonl", "--test", "mcnemar", "--hypothesis", "H4"]
    expected = CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), words)
    assert (done.exit_code, done.stdout) == (0, expected.stdout)
    assert "n12" in done.stdout


def test_by_phenotype_is_what_phenotype_prints(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner = CliRunner(env={"COLUMNS": "160"})
    made = runner.invoke(command_line(), ["run", "--agent", "random", "-n", "2", "--out", "runs.jsonl"])
    assert made.exit_code == 0, made.stderr
    done = run("runs.jsonl", "--by", "phenotype")
    assert (done.exit_code, done.stdout) == (0, runner.invoke(command_line(), ["phenotype", "runs.jsonl"]).stdout)
    lines = [json.loads(line) for line in Path("runs.jsonl").read_text().splitlines()]
    for model in ("two", "three"):
        named = "".join(json.dumps(line | {"model": model, "style": "s"}) + "\n" for line in lines)
        Path(f"{model}.jsonl").write_text(named)
    chosen = ("--model", "two", "--model", "three", "--style", "s", "--json")
    done = run("runs.jsonl", "two.jsonl", "three.jsonl", "--by", "phenotype", *chosen)
    assert [each["name"] for each in json.loads(done.stdout)["phenotypes"]] == ["two", "three"]
