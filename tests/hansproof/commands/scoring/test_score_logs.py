"""`hansproof score` on logs and tables of other programs, and on benchmarks that are not ours."""

import csv
import json
from pathlib import Path

import made_logs
import pytest
from click.testing import CliRunner

import hansproof
from hansproof.command_line import command_line
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset
from hansproof.release.frozen import items_from

N = 40
ROWS = [(f"q{k}", f"Is the number {k} an even one?", ("yes", "no")[k % 2], "yes", k % 2 == 0) for k in range(N)]


@pytest.fixture
def there(tmp_path, monkeypatch):
    """Logs of a model that always says yes, a table of one that is right, and the benchmark."""
    monkeypatch.chdir(tmp_path)
    made_logs.inspect_log(Path("mine.json"), [made_logs.inspect_sample(row) for row in ROWS])
    right = [f"{id},{gold},other" for id, _, gold, *_ in ROWS]
    Path("other.csv").write_text("\n".join(["id,prediction,model", *right, ""]), encoding="utf-8")
    bench = [f"{id},{prompt},{gold},{k // 2}" for k, (id, prompt, gold, *_) in enumerate(ROWS)]
    Path("bench.csv").write_text("\n".join(["id,question,answer,template_id", *bench, ""]), encoding="utf-8")
    return tmp_path


def run(*arguments):
    return CliRunner(env={"COLUMNS": "200"}).invoke(command_line(), ["score", *map(str, arguments)])


@pytest.mark.usefixtures("there")
def test_a_log_brings_its_own_items_and_its_verdicts():
    done = run("mine.json", "--all")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Scores of openai/gpt-x on mine, in per cent" in done.stdout
    assert (
        "harness: of 40 replies with its verdict, 20 are right by our reading and by the harness, 0 by our reading "
        "only, 0 by the harness only, 20 by neither; kappa 1.000"
    ) in " ".join(done.stdout.split())
    sample = made_logs.inspect_sample((*ROWS[1][:4], True))
    made_logs.inspect_log(Path("odd.json"), [made_logs.inspect_sample(ROWS[0]), sample])
    for judged, hits in (("reply", 1), ("harness", 2)):
        record = json.loads(run("odd.json", "--judged", judged, "--json").stdout)
        assert (record["judged"], record["models"][0]["lines"][0]["right"]["hits"]) == (judged, hits)
        assert record["read"]["disagreements"]["count"] == 1


@pytest.mark.usefixtures("there")
def test_several_files_are_several_models_which_are_compared_in_pairs():
    done = run(
        "mine.json",
        "theirs=other.csv",
        "--items",
        "bench.csv",
        "--all",
        "--csv",
        "scores.csv",
        "--item-scores",
        "scores.json",
    )
    said = "note: intervals, standard errors and p count 20 groups, not 40 items. The column 'template_id' declares "
    note, cancelled = done.stderr.splitlines()
    assert (done.exit_code, note) == (0, f"{said}20 groups.")
    assert cancelled.startswith("note: model openai/gpt-x: se is much smaller than the interval")
    row = next(line for line in done.stdout.splitlines() if "openai/gpt-x − theirs" in line)
    # Each group is a pair of questions, and yes is right in one of them: the difference is the same in every group. So
    # groups have no spread but that of one more, which is taken to have moved as a whole; p = 2 / 2 ** 20.
    assert row.split()[3:] == ["-50.0", "[-65.7,", "-34.3]", "<.001", "40", "7.9", "0/20"]
    with Path("scores.csv").open(encoding="utf-8", newline="") as file:
        first, second = (row for row in csv.DictReader(file) if row["by"] == "all")
    assert (first["model"], first["by"], first["items"], float(first["accuracy"]), float(first["se"])) == (
        "openai/gpt-x", "all", "40", 0.5, pytest.approx((10 / 39 / 40 - 10 / 1600) ** 0.5)
    )  # fmt: skip
    assert (second["model"], float(second["accuracy"]), second["interval"], second["groups"]) == (
        "theirs", 1.0, "cluster-robust", "20"
    )  # fmt: skip
    (pair,) = json.loads(Path("scores.json").read_text(encoding="utf-8"))["differences"]
    pair = pair["difference"]
    assert (pair["items"], pair["groups"], pair["difference"], pair["se"], pair["p"]) == (
        40, 20, -0.5, pytest.approx((0.25 / 40) ** 0.5), pytest.approx(2 / 2**20)
    )  # fmt: skip
    assert pair["note"] == ""


@pytest.mark.usefixtures("there")
def test_models_and_families_are_chosen_and_named():
    Path("families.csv").write_text("model,family\nother,llama\n", encoding="utf-8")
    done = run(
        "mine.json", "other.csv", "--items", "bench.csv", "--families", "families.csv", "--model", "other", "--json"
    )
    assert [(model["model"], model["family"]) for model in json.loads(done.stdout)["models"]] == [("other", "llama")]
    unknown = run("mine.json", "other.csv", "--items", "bench.csv", "--model", "another")
    assert (unknown.exit_code, "no model 'another'. Did you mean 'other'" in unknown.stderr) == (2, True)
    for text, said in (("model\nx\n", "no columns"), ("model,family\nx,a\nx,b\n", "another family"), ("", "empty")):
        Path("families.csv").write_text(text, encoding="utf-8")
        done = run("other.csv", "--items", "bench.csv", "--families", "families.csv")
        assert (done.exit_code, said in done.stderr) == (2, True)


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize(
    "command", [["score"], ["compare"], ["analyse", "--by", "effects"], ["analyse", "--by", "shortcut"]]
)
def test_no_command_merges_two_models_under_one_name(command):
    Path("logs").mkdir()
    for name in ("first", "second"):
        log = made_logs.inspect_log(Path("logs", f"{name}.json"), [made_logs.inspect_sample(row) for row in ROWS])
        log.write_text(log.read_text(encoding="utf-8").replace("gpt-x", name), encoding="utf-8")
    other = ["other.csv"] if command == ["compare"] else []
    done = CliRunner().invoke(command_line(), [*command, "x=logs", *other, "--items", "bench.csv"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "error: logs: holds 2 models, openai/first and openai/second, and x= names one; leave it out, or choose one of "
        "them with --model\n"
    )


@pytest.mark.usefixtures("there")
def test_a_wide_table_has_a_model_in_each_column():
    lines = [f"{prompt},{gold},yes" for _, prompt, gold, *_ in ROWS]
    Path("wide.csv").write_text("\n".join(["asked,right,always", *lines, ""]), encoding="utf-8")
    done = run(
        "wide.csv", "--items", "bench.csv", "--column", "prompt=asked", "--reply-columns", "right,always", "--json"
    )
    lines = {model["model"]: model["lines"][0]["right"]["hits"] for model in json.loads(done.stdout)["models"]}
    assert lines == {"right": 40, "always": 20}
    done = run("wide.csv", "--items", "bench.csv", "--column", "prompts=asked")
    assert (done.exit_code, "no role of a column 'prompts'. Did you mean 'prompt'" in done.stderr) == (2, True)


@pytest.mark.usefixtures("there")
def test_matched_pairs_have_a_pair_accuracy_and_a_flip_rate():
    items = [dataset("word-problems").item("consistency", 5, index) for index in range(8)]
    Path("items.jsonl").write_bytes(dump(items))
    # Pairs: both right, both right, the second wrong, both wrong.
    right = [True] * 5 + [False] * 3
    made_logs.lines(
        Path("said.jsonl"),
        [{"id": each.id, "reply": each.answer if ok else "77777"} for each, ok in zip(items, right, strict=True)],
    )
    (report,) = hansproof.score("said.jsonl", "items.jsonl")
    every = report.lines[0]
    assert (every.matched.hits, every.matched.total, every.flips.hits, every.flips.share) == (2, 4, 1, 0.25)
    assert " flips " in run("said.jsonl", "--items", "items.jsonl", "--all").stdout


@pytest.mark.usefixtures("there")
def test_items_are_ours_or_of_any_benchmark(tmp_path):
    ours = [dataset("planted-cues").item("none", 5, index) for index in range(4)]
    Path("ours.jsonl").write_bytes(dump(ours))
    assert items_from("ours.jsonl") == items_from(ours) == ours
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "none.jsonl").write_bytes(dump(ours))
    assert items_from(folder) == ours
    assert [item.id for item in items_from("bench.csv")] == [id for id, *_ in ROWS]
    made_logs.lines(
        Path("theirs.jsonl"), [{"question": "Is it?", "answer": "yes"}, {"question": "Is that?", "answer": "no"}]
    )
    assert [item.choices for item in items_from("theirs.jsonl")] == [("no", "yes")] * 2
    with pytest.raises(InputError, match="the answers do not hold what was asked, so the items are needed"):
        hansproof.score({"a": "b"})
    for function in (hansproof.score, hansproof.compare, hansproof.analyse):
        with pytest.raises(UsageError, match=r"^judged must be 'reply' or 'harness', not 'me'$"):
            function("mine.json", judged="me")


@pytest.mark.usefixtures("there")
def test_what_holds_for_every_model_is_said_once():
    done = run("mine.json", "theirs=other.csv", "--items", "bench.csv", "--all")
    assert done.stdout.count("best blind:") == 1
    assert done.stdout.count("\nScores of ") == 2


@pytest.mark.usefixtures("there")
def test_items_that_only_a_model_graded_are_judged_by_its_verdicts():
    # As inspect_ai logs what a model grades: the target is empty, the verdict is there.
    rows = [(f"g{at}", f"Say something of the number {at}, please.", "", "So be it.", at % 3 > 0) for at in range(12)]
    made_logs.inspect_log(Path("graded.json"), [made_logs.inspect_sample(row) for row in rows])
    done = run("graded.json")
    assert "note: mine: its log has no gold answers: the verdicts of the harness count, there is no" in done.stderr
    taken = run("graded.json", "--judged", "harness")
    assert " 66.7 " in done.stdout
    assert " 66.7 " in taken.stdout


@pytest.mark.usefixtures("there")
def test_runs_of_a_model_have_their_mean_on_the_screen_and_in_the_json():
    rows = [
        made_logs.inspect_sample((str(k), f"Is {k} even?", "yes", "yes" if k % 3 else "no", True)) for k in range(40)
    ]
    again = [made_logs.inspect_sample((str(k), f"Is {k} even?", "yes", "yes", True), 2) for k in range(40)]
    made_logs.inspect_log(Path("runs.json"), rows + again)
    done = run("runs.json", "--item-scores", "scores.json")
    assert "Mean over the runs of a model" in done.stdout
    (row,) = (line for line in done.stdout.splitlines() if line.startswith("openai/gpt-x, 2 runs"))
    (mean,) = json.loads(Path("scores.json").read_text(encoding="utf-8"))["over_runs"]
    # 26 of 40 are right both times, 14 once.
    assert (mean["title"], mean["runs"], mean["items"]) == ("openai/gpt-x, 2 runs", 2, 40)
    assert mean["right"] == pytest.approx(33 / 40)
    assert mean["se"] == pytest.approx((26 * 14 / 40 / 4 / 39 / 40) ** 0.5)
    assert f"{100 * mean['right']:.1f}  " in row
