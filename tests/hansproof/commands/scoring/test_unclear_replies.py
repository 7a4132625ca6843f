"""Differences that only unclear replies make, means over runs and parts without replies: in every form of output."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from read_pages import tables

import hansproof
from hansproof.audit.notation import armed
from hansproof.command_line import command_line


def run(*arguments):
    done = CliRunner(env={"COLUMNS": "200"}).invoke(command_line(), arguments)
    assert done.exit_code == 0, done.stderr
    return done


def rows_of(path):
    rows = csv.DictReader(io.StringIO(Path(path).read_text(encoding="utf-8")))
    return [{name: armed(cell) for name, cell in row.items()} for row in rows]


@pytest.fixture
def there(tmp_path, monkeypatch):
    """90 items of two topics in two conditions; `terse` is clear on the originals and right there, `plain` on two
    thirds of all, in two runs. The last 10 rows, topic `late`, have no reply."""
    monkeypatch.chdir(tmp_path)
    rows = ["id,question,answer,topic,pair,arm"]
    replies = []
    for k in range(100):
        topic = "late" if k >= 90 else ("x", "y")[k // 2 % 2]
        gold, wrong = ("yes", "no") if k // 2 % 5 else ("no", "yes")
        rows.append(f"q{k},Is {k} so?,{gold},{topic},p{k // 2},{('original', 'twist')[k % 2]}")
        if k < 90:
            replies.append({"id": f"q{k}", "reply": "well" if k % 2 else gold, "model": "terse"})
            for run_ in (1, 2):
                said = gold if k % 3 else wrong
                replies.append({"id": f"q{k}", "reply": said, "model": "plain", "run": str(run_)})
    Path("bench.csv").write_text("\n".join([*rows, ""]), encoding="utf-8")
    Path("r.jsonl").write_text("".join(json.dumps(reply) + "\n" for reply in replies), encoding="utf-8")
    return (
        "score", "r.jsonl", "--items", "bench.csv", "--groups", "none", "--group", "pair", "--condition", "arm",
        "--breakdown", "topic", "--skip-missing",
    )  # fmt: skip


MADE = "shown, but unclear replies make the difference: it is gone, or turned, on the items with clear replies only: "
BOTH = "terse - plain, 2 runs (-16.7 on all, +33.3 on 45 clear items; unclear: 45/0)"


def test_a_difference_that_clear_replies_turn_is_told_on_screen_json_csv_and_page(there):
    done = run(*there, "--all", "--json", "s.json", "--csv", "s.csv", "--html", "s.html")
    row = next(line for line in done.stdout.splitlines() if line.startswith("terse − plain, 2 runs  "))
    assert "-16.7  [" in row
    assert "+33.3 [" in row
    assert row.split()[-3] == "45"
    assert f"- {MADE}{BOTH}" in " ".join(done.stdout.split())
    (each,) = json.loads(Path("s.json").read_text(encoding="utf-8"))["differences"]
    assert (each["difference"]["difference"], each["clear"]["difference"]) == (
        pytest.approx(-1 / 6),
        pytest.approx(1 / 3),
    )
    assert (each["clear"]["items"], each["unclear"], each["missing"]) == (45, [45, 0], [0, 0])
    (line,) = [row for row in rows_of("s.csv") if row["by"] == "difference"]
    assert (line["first"], line["second"], line["items"], line["clear_items"]) == ("terse", "plain, 2 runs", "90", "45")
    assert float(line["clear_difference"]) == each["clear"]["difference"]
    assert float(line["clear_p_holm"]) == each["clear_p_holm"]
    page = Path("s.html").read_text(encoding="utf-8")
    (shown,) = tables(page)["Differences on common items"]
    assert shown[1] == "-16.7"
    assert any(cell.startswith("+33.3|") for cell in shown)
    assert BOTH in page


def test_the_mean_over_runs_is_on_the_page_and_in_the_csv(there):
    run(*there, "--json", "s.json", "--csv", "s.csv", "--html", "s.html")
    means = json.loads(Path("s.json").read_text(encoding="utf-8"))["over_runs"]
    assert [(mean["subset"], mean["items"]) for mean in means] == [("", 90), ("x", 46), ("y", 44), ("late", 0)]
    rows = [row for row in rows_of("s.csv") if row["by"].startswith("runs")]
    assert {(row["model"], row["run"]) for row in rows} == {("plain", "mean of 2")}
    assert [(row["by"], row["name"]) for row in rows] == [
        ("runs", ""), *(("runs, subset", name) for name in ("x", "y", "late")),
    ]  # fmt: skip
    for row, mean in zip(rows[:3], means[:3], strict=True):
        assert [float(row[name]) for name in ("accuracy", "low", "high", "se")] == [
            mean["right"], mean["low"], mean["high"], mean["se"],
        ]  # fmt: skip
    shown = tables(Path("s.html").read_text(encoding="utf-8"))["Mean over the runs of a model"]
    assert [row[:2] for row in shown] == [
        ["plain, 2 runs", "66.7"],
        ["plain, 2 runs, x", f"{100 * means[1]['right']:.1f}"],
        ["plain, 2 runs, y", f"{100 * means[2]['right']:.1f}"],
        ["plain, 2 runs, late", "no reply"],
    ]


def test_a_subset_without_a_reply_stands_in_every_table_that_subsets_have(there):
    done = run(*there, "--all", "--json", "s.json", "--csv", "s.csv", "--html", "s.html")
    scores = done.stdout[done.stdout.index("Scores of terse") :].splitlines()
    screen = [line.split() for line in scores if line.startswith("late ")]
    assert [line[:3] for line in screen] == [["late", "no", "reply"]] * 3
    for model in json.loads(Path("s.json").read_text(encoding="utf-8"))["models"]:
        line = next(line for line in model["lines"] if line["name"] == "late")
        assert (line["items"], line["skipped"], line["right"], line["note"]) == (0, 10, None, "no reply")
        assert model["lines"][0]["items"] == 90  # and it is in no mean
    late = [row for row in rows_of("s.csv") if row["name"] == "late" and row["by"] == "subset"]
    assert [(row["accuracy"], row["skipped"], row["note"]) for row in late] == [("", "10", "no reply")] * 3
    shown = tables(Path("s.html").read_text(encoding="utf-8"))
    assert [row[-1] for row in shown["Right answers in per cent"][:3]] == ["no reply|to 10 items"] * 3
    (terse,) = [table for caption, table in shown.items() if caption.startswith("Scores of terse on ")]
    assert ["late", "no reply"] in [row[:2] for row in terse]
    # As it stands without the option, where it counts as wrong.
    kept = run(*there[:-1], "--all").stdout
    assert kept[kept.index("Scores of terse") :].count("\nlate ") == 3


def test_an_effect_that_only_unclear_replies_make_is_not_tested(there):
    done = run("analyse", *there[1:], "--by", "effects", "--html", "e.html", "--csv", "e.csv", "--json", "e.json")
    said = "INCONCLUSIVE: no item has a clear reply of both, so no test and no interval"
    assert f"terse, original − twist: {said}" in " ".join(done.stdout.split())
    assert said in Path("e.html").read_text(encoding="utf-8")
    terse = next(row for row in rows_of("e.csv") if row["model"] == "terse" and not row["by"])
    assert (terse["unclear_perturbed"], terse["clear_pairs"], terse["clear_effect"]) == ("45", "0", "")
    models = json.loads(Path("e.json").read_text(encoding="utf-8"))["models"]
    effect = models[0]["effects"][0]
    assert (effect["clear"]["items"], effect["unclear"], effect["difference"]["p"]) == (0, [0, 45], None)
    assert models[1]["effects"][0]["clear"] is None


def test_differences_are_worked_out_when_they_are_asked_for_and_progress_is_told(there):
    calls = []
    scores = hansproof.score("r.jsonl", "bench.csv", progress=lambda *call: calls.append(call))
    assert "comparing models" not in {stage for stage, *_ in calls}
    made = scores.compare(lambda *call: calls.append(call))
    assert calls[-1] == ("comparing models", 1, 1)
    assert scores.differences is made


def test_unclear_replies_are_told_once_and_counted_by_model(there):
    done = run(*there)
    (note,) = [line for line in done.stderr.splitlines() if "unclear" in line]
    # `well` to every second of 90 items; the three series have 270 replies.
    assert note.startswith(
        "note: 45 of 270 replies are unclear, which counts as wrong. "
        "The first: r.jsonl: line 4: names no choice: 'well'; "
    )
    assert note.endswith("; and 42 more")
    said = "terse: 50.0 % right [39.9, 60.1] of 90 items. 45 replies are unclear; 100.0 % of the 45 clear replies are"
    assert said in " ".join(done.stdout.split())
