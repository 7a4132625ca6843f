"""`hansproof phenotype --models`: regressions and components of a table, which `hansproof phenotype --csv` begins."""

import csv
import json

import pytest
from click.testing import CliRunner

from hansproof.audit.phenotype.model_table import read_models, regress
from hansproof.command_line import command_line

METRICS = ("directed-exploration", "learning-rate", "risk-taking")


@pytest.fixture
def models(tmp_path, monkeypatch):
    """Sixteen models of eight bases; exploration follows from size, the others from nothing."""
    monkeypatch.chdir(tmp_path)
    lines = ["model,base_model,size,tuned," + ",".join(METRICS)]
    for place in range(16):
        size = (place * 7) % 16
        noise = [((place * step) % 11) / 11 for step in (3, 5, 7)]
        values = [size + noise[0], *noise[1:]]
        lines.append(f"m{place},b{place // 2},{size},{'yes' if place % 2 else 'no'}," + ",".join(map(str, values)))
    (tmp_path / "models.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "models.csv"


def run(*arguments):
    return CliRunner().invoke(command_line(), [str(argument) for argument in arguments])


def test_each_metric_is_regressed_and_corrected_for_all_of_them(models):
    pytest.importorskip("statsmodels")
    done = run("phenotype", "--models", "models.csv", "--feature", "size", "--feature", "tuned", "--json", "-")
    regressions = json.loads(done.stdout)["regressions"]
    assert [regression["metric"] for regression in regressions] == list(METRICS)
    effects = [effect for regression in regressions for effect in regression["coefficients"]]
    smallest = min(effects, key=lambda effect: effect["p"])
    assert smallest["feature"] == "size"
    assert smallest["p_corrected"] == pytest.approx(6 * smallest["p"])  # three metrics, two features
    alone = regress(read_models(models), "directed-exploration", ["size", "tuned"])
    assert regressions[0]["coefficients"][0]["estimate"] == pytest.approx(alone.coefficients[0].estimate)
    shown = run("phenotype", "--models", "models.csv", "--feature", "size", "--metric", "directed-exploration").stdout
    assert "directed-exploration by features of 16 models" in shown


def test_a_metric_that_is_blank_in_all_models_does_not_stop_the_others(models):
    pytest.importorskip("statsmodels")
    first, *rest = models.read_text().splitlines()
    models.write_text("\n".join([f"{first},optimism", *(f"{line}," for line in rest)]) + "\n")
    done = run("phenotype", "--models", "models.csv", "--feature", "size")
    assert done.exit_code == 0
    assert "risk-taking by features of 16 models" in done.stdout
    assert "note: optimism left out: models.csv: 0 models with all columns are too few for 1 feature;" in done.stderr
    assert (
        "blank in all models, left out: optimism" in run("phenotype", "--models", "models.csv", "--components").stdout
    )
    alone = run("phenotype", "--models", "models.csv", "--feature", "size", "--metric", "optimism")
    assert (alone.exit_code, "at least 3 are needed" in alone.output) == (2, True)


def test_components_are_shown_and_written(models, tmp_path):
    done = run("phenotype", "--models", "models.csv", "--components", "--json", "c.json")
    assert "Principal components of 3 metrics over 16 models" in done.stdout
    assert json.loads((tmp_path / "c.json").read_text())["components"]["metrics"] == list(METRICS)


def test_the_table_that_phenotype_writes_is_read(write, at_random, episodes):
    files = [
        write(f"{n}.jsonl", [at_random(item, str(n)) for item in episodes("balloons", 5)], f"m{n}") for n in range(3)
    ]
    done = run("phenotype", *files, "--resamples", 100, "--csv", "models.csv", "--json", "-")
    phenotypes = json.loads(done.stdout)["phenotypes"]
    with open("models.csv", newline="") as file:  # noqa: PTH123
        rows = list(csv.DictReader(file))
    assert [row["model"] for row in rows] == ["m0", "m1", "m2"]
    for row, each in zip(rows, phenotypes, strict=True):
        values = {metric["name"]: metric["value"] for metric in each["metrics"]}
        assert float(row["risk-taking"]) == values["risk-taking"]
        assert row["learning-rate"] == ""
    table = read_models("models.csv")
    assert table.columns["balloon-points"].tolist() == [float(row["balloon-points"]) for row in rows]


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "pass either --feature, for regressions, or --components"),
        (["--feature", "size", "--components"], "pass either --feature"),
        (["runs.jsonl", "--components"], "--models: takes no RUNS and only --feature"),
        (["--components", "--html", "x.html"], "--models: takes no RUNS and only --feature"),
        (["--feature", "sizes"], "models.csv has no column 'sizes'. Did you mean 'size'"),
        (["--components", "--metric", "size"], "principal components need at least two metrics"),
        (["--components", "--json", "models.csv", "--force"], "models.csv: is an input of this command"),
    ],
)
def test_what_cannot_be_compared_is_one_line(arguments, message):
    done = run("phenotype", "--models", "models.csv", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"error: {message}")


def test_a_table_without_metrics_says_how_to_name_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.csv").write_text("model,size\na,1\nb,2\n")
    done = run("phenotype", "--models", "m.csv", "--feature", "size")
    assert (done.exit_code, done.stderr) == (
        2,
        "error: m.csv: has no column that is called like a metric; name columns with --metric\n",
    )


def test_a_file_of_runs_is_shown_the_way_to_differences(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs.jsonl").write_text("{}\n")
    done = run("phenotype", "--models", "runs.jsonl", "--feature", "size")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "runs.jsonl: is no table of models; for two or three files of runs: hansproof phenotype A B" in done.stderr


@pytest.mark.parametrize("option", [("--feature", "size"), ("--components",), ("--metric", "risk-taking")])
def test_options_of_tables_belong_to_a_table(option):
    done = run("phenotype", "runs.jsonl", *option)
    assert (done.exit_code, done.stderr) == (2, "error: --feature, --components and --metric belong to --models\n")
