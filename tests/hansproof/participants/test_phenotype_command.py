"""`hansproof phenotype` and `hansproof.phenotype`: of finished runs and of recorded choices."""

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

import hansproof
from hansproof.audit.phenotype.result import Phenotype
from hansproof.audit.result.record import json_bytes
from hansproof.command_line import command_line
from hansproof.runs.participants import gather
from hansproof.runs.turn import Run


def run(*arguments):
    return CliRunner().invoke(command_line(), ["phenotype", *map(str, arguments)])


def test_finished_runs_become_a_table_a_page_a_figure_and_json(played, write, tmp_path):
    file = write("runs.jsonl", played)
    done = run(file, "--html", "p.html", "--svg", "p.svg", "--json", "p.json", "--resamples", 200)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Phenotype of mine" in done.stdout
    measured = msgspec.json.decode((tmp_path / "p.json").read_bytes(), type=Phenotype)
    assert len(measured.profile) == 16
    assert [(task.task, task.runs) for task in measured.tasks][:2] == [("probabilistic-reasoning", 20), ("horizon", 20)]
    assert "<svg" in (tmp_path / "p.html").read_text()
    assert (tmp_path / "p.svg").read_text().startswith("<svg")
    written = (tmp_path / "p.json").read_bytes()
    assert json_bytes(hansproof.phenotype(played, model="mine", resamples=200)) == written
    assert json_bytes(hansproof.phenotype(file, resamples=200)) == written


def test_the_metrics_are_those_of_the_actions(write, at_random, episodes):
    games = episodes("horizon", 10)
    measured = hansproof.phenotype(write("runs.jsonl", [at_random(item) for item in games]), resamples=200)
    rewards = []
    for item in games:
        taken = [*item.metadata["forced"], *(item.metadata["arms"].index(arm) for arm in at_random(item).actions)]
        rewards += [item.metadata[f"rewards_{arm}"][trial] for trial, arm in enumerate(taken)]
    assert measured.metric("horizon-reward").value == pytest.approx(sum(rewards) / len(rewards))
    assert measured.metric("risk-taking").reason == "the task was not played"


def test_several_models_are_shown_together_or_one_of_them_alone(write, tmp_path, at_random, episodes):
    games = episodes("horizon", 10)
    mine = write("mine.jsonl", [at_random(item) for item in games])
    yours = write("yours.jsonl", [at_random(item, "yours") for item in games], "yours")
    done = run(mine, yours, "--resamples", 200, "--html", "both.html", "--json", "-")
    assert [each["name"] for each in json.loads(done.stdout)["phenotypes"]] == ["mine", "yours"]
    alone = run(mine, yours, "--resamples", 200, "--model", "yours", "--json", "-")
    assert json.loads(alone.stdout) == json.loads(done.stdout)["phenotypes"][1]
    (tmp_path / "both.jsonl").write_bytes((tmp_path / mine).read_bytes() + (tmp_path / yours).read_bytes())
    with pytest.raises(hansproof.UsageError, match=r"both\.jsonl: has 2 models; name one of them: mine, yours"):
        hansproof.phenotype("both.jsonl", resamples=200)
    assert hansproof.phenotype("both.jsonl", model="yours", resamples=200).name == "yours"


def styled(runs, style):
    return b"".join(run.line("mine", style, "0" * 16) for run in runs)


def test_models_and_styles_are_chosen_by_name_and_measured_each_by_itself(tmp_path, write, at_random, episodes):
    games = episodes("horizon", 8)
    write("other.jsonl", [at_random(item, "z") for item in games], "other")
    runs = {style: [at_random(item, style) for item in games] for style in ("direct", "cot")}
    lines = [styled(runs[style], style) for style in ("direct", "cot")]
    (tmp_path / "both.jsonl").write_bytes(b"".join(lines))
    words = ("both.jsonl", "other.jsonl", "--resamples", 200)
    refused = run(*words)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "is also on line 1, in another prompt style; keep one" in refused.stderr
    done = run(*words, "--style", "direct", "--style", "cot", "--html", "p.html", "--json", "-")
    made = json.loads(done.stdout)
    assert [each["name"] for each in made["phenotypes"]] == ["mine, direct", "mine, cot"]
    assert {(each["first"], each["second"]) for each in made["differences"]} == {("mine, direct", "mine, cot")}
    assert "mine, cot" in (tmp_path / "p.html").read_text()
    for each, style in zip(made["phenotypes"], runs, strict=True):
        alone = json.loads(run(write(f"{style}.jsonl", runs[style]), "--resamples", 200, "--json", "-").stdout)
        assert each["metrics"] == alone["metrics"]
    single = json.loads(run(*words, "--style", "cot", "--json", "-").stdout)
    assert single == {**made["phenotypes"][1], "name": "mine"}
    assert hansproof.phenotype("both.jsonl", style="cot", resamples=200).name == "mine"
    third = write("third.jsonl", [at_random(item, "t") for item in games], "third")
    two = run(
        "direct.jsonl", "other.jsonl", third, "--model", "third", "--model", "mine", "--resamples", 200, "--json", "-"
    )
    assert [each["name"] for each in json.loads(two.stdout)["phenotypes"]] == ["mine", "third"]


def test_two_or_three_models_are_compared_two_by_two(write, at_random, episodes):
    games = episodes("horizon", 8)
    files = [write(f"{name}.jsonl", [at_random(item, name) for item in games], name) for name in "abcd"]
    done = run(*files[:3], "--resamples", 200, "--html", "p.html")
    titles = [" ".join(line.split()) for line in done.stdout.splitlines() if " minus " in line]
    assert titles == ["a minus b", "a minus c", "b minus c"]
    assert "p is corrected for all metrics of all pairs (Holm)" in " ".join(done.stdout.split())
    assert all(f">{title}<" in Path("p.html").read_text() for title in titles)
    made = json.loads(run(*files[:2], "--resamples", 200, "--json", "-").stdout)
    first, second = (
        next(metric["value"] for metric in each["metrics"] if metric["name"] == "horizon-reward")
        for each in made["phenotypes"]
    )
    (reward,) = (each for each in made["differences"] if each["metric"] == "horizon-reward")
    assert reward["value"] == pytest.approx(first - second)
    assert (reward["paired"], reward["first"], reward["second"]) == (True, "a", "b")
    assert json.loads(run(*files, "--resamples", 200, "--json", "-").stdout)["differences"] == []


def test_notes_on_other_stories_stand_in_one_line(write, at_random, episodes):
    played = [at_random(item) for name in ("horizon", "horizon-points", "two-step", "two-step-musician")
              for item in episodes(name, 5)]  # fmt: skip
    said = " ".join(run(write("runs.jsonl", played), "--resamples", 200).stdout.split())
    assert "- other stories are left out; --subset measures one: horizon-points; two-step-musician" in said


def test_recorded_choices_stand_beside_runs(write, tmp_path, at_random, episodes):
    runs = [at_random(item) for item in episodes("balloons", 6)]
    file = write("runs.jsonl", runs)
    rows = gather(runs, "mine").rows["balloons"]
    (tmp_path / "balloons.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run(file, "--records", "balloons.jsonl", "--resamples", 200, "--json", "-")
    first, second = json.loads(done.stdout)["phenotypes"]
    assert (first["name"], second["name"]) == ("mine", "balloons")
    assert {**first, "name": ""} == {**second, "name": ""}


def test_unfinished_runs_and_other_stories_are_noted(write, at_random, episodes):
    runs = [at_random(item) for subset in ("horizon", "horizon-points") for item in episodes(subset, 6)]
    runs[0] = replace(runs[0], actions=())
    done = run(write("runs.jsonl", runs), "--resamples", 200, "--html", "p.html", "--json", "p.json")
    assert (done.exit_code, done.stderr) == (0, "")
    notes = msgspec.json.decode(Path("p.json").read_bytes(), type=Phenotype).tasks[0].notes
    assert notes[-2] == "other stories are left out; --subset measures one: horizon-points"
    assert notes[-1].startswith(
        "runs that were not finished are left out: 1 of 6 of horizon, the first: cognitive-tasks/1.1.0/horizon"
    )
    for shown in (done.stdout, Path("p.html").read_text()):
        assert "are left out: 1 of 6 of horizon, the first:" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there is nothing to measure; name files of runs, or recorded choices with --records"),
        (["missing.jsonl"], "missing.jsonl: cannot be read"),
        (["runs.jsonl", "--model", "min"], "runs.jsonl has no model 'min'. Did you mean 'mine'"),
        (["runs.jsonl", "--model", "mine", "--model", "min"], "runs.jsonl has no model 'min'. Did you mean 'mine'"),
        (["runs.jsonl", "--style", "zero"], "runs.jsonl has no style 'zero'. Did you mean 'zero-shot'?"),
        (["--records", "missing.csv", "--style", "cot"], "--style: recorded choices have no prompt style"),
        (["--models", "runs.jsonl", "--style", "cot"], "--models: takes no RUNS and only --feature"),
        (["runs.jsonl", "--html", "runs.jsonl", "--force"], "runs.jsonl: is an input of this command"),
        (["runs.jsonl", "--svg", "a.svg", "--html", "a.svg"], "a.svg: is named for two reports"),
        (["runs.jsonl", "--items", "missing"], "missing: cannot be read"),
        (
            ["unfinished.jsonl"],
            "mine has no finished runs; 1 of 1 of horizon, the first: cognitive-tasks/1.1.0/horizon/000000: stops",
        ),
        (["--records", "missing.csv"], "missing.csv: no such file"),
        (["--records", "runs.jsonl"], "runs.jsonl: its columns are those of no task"),
        (["/dev/null"], "/dev/null: has no replies"),
    ],
)
def test_what_cannot_be_measured_is_one_line(arguments, message, write, tmp_path, at_random, episodes):
    games = episodes("horizon", 1)
    write("runs.jsonl", [at_random(item) for item in games])
    write("unfinished.jsonl", [Run(games[0], ())])
    before = sorted(path.name for path in tmp_path.iterdir())
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"error: {message}")
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_seventh_phenotype_is_refused_by_the_figure_and_nothing_is_written(write, tmp_path, at_random, episodes):
    games = episodes("horizon", 5)
    files = [write(f"{n}.jsonl", [at_random(item, str(n)) for item in games], f"m{n}") for n in range(7)]
    done = run(*files, "--resamples", 100, "--svg", "all.svg", "--json", "all.json")
    assert done.exit_code == 2
    assert "a figure shows one to 6 phenotypes, not 7" in done.stderr
    assert not (tmp_path / "all.svg").exists()
    assert not (tmp_path / "all.json").exists()


def test_either_runs_or_records_are_measured(played):
    with pytest.raises(hansproof.UsageError, match="pass either runs or records"):
        hansproof.phenotype()
    with pytest.raises(hansproof.UsageError, match="pass either runs or records"):
        hansproof.phenotype(played, records="x.csv")
