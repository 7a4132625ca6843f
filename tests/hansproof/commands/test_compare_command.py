"""`hansproof compare`: two sides from one file or two, the verdict, what changed, what is refused."""

import csv
import json

import pytest
from click.testing import CliRunner

import hansproof
from hansproof.command_line import command_line
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset

ITEMS = [dataset("planted-cues").item("none", 5, index) for index in range(120)]


def lines(right, **names):
    """A reply to every item, right where `right` says so."""
    rows = []
    for place, item in enumerate(ITEMS):
        wrong = next(choice for choice in item.choices if choice != item.answer)
        rows.append({"id": item.id, "reply": item.answer if right(place) else wrong} | names)
    return rows


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """`good` errs on every sixth item, `poor` on every third; `both.jsonl` has both."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.jsonl").write_bytes(dump(ITEMS))
    good, poor = lines(lambda place: place % 6 != 0, model="good"), lines(lambda place: place % 3 != 1, model="poor")
    for name, rows in (("good", good), ("poor", poor), ("both", good + poor)):
        write(tmp_path / f"{name}.jsonl", rows)
    return tmp_path


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def run(*arguments):
    return CliRunner().invoke(command_line(), ["compare", *map(str, arguments)], env={"COLUMNS": "160"})


def test_two_files_are_compared_item_by_item(folder):
    done = run("good.jsonl", "poor.jsonl", "--items", "items.jsonl")
    assert (done.exit_code, done.stderr) == (0, "")
    # 40 items are right with good alone, 20 with poor alone: exact p = .0135. The interval is
    # Tango's; that of Student's t would be [4.2, 29.1].
    assert "A better: good is right on 83.3 %, poor on 66.7 % of 120 items: +16.7 [4.1, 28.7]" in " ".join(
        done.stdout.split()
    )
    (whole,) = [line for line in done.stdout.splitlines() if line.startswith("all ")]
    assert "40/20" in whole
    assert ".013" in whole
    assert whole.rstrip().endswith("A better")
    assert f"right with A, wrong with B: 40 items: {ITEMS[1].id}, {ITEMS[4].id}, {ITEMS[7].id}" in done.stdout


def test_subsets_are_corrected_and_items_of_a_group_count_together(folder):
    items = [dataset("planted-cues").item(subset, 5, index) for subset in ("none", "unigram") for index in range(60)]
    (folder / "two.jsonl").write_bytes(dump(items))
    for name, period in (("a", 6), ("b", 3)):
        rows = [{"id": item.id, "reply": item.answer if place % period else "?"} for place, item in enumerate(items)]
        write(folder / f"{name}.jsonl", rows)
    done = run("x=a.jsonl", "y=b.jsonl", "--items", "two.jsonl")
    assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("subset ")] == ["none", "unigram"]
    # Items of the same number share their group in this family: 20 items of 10 groups are right with A alone.
    assert "20/0" in done.stdout
    assert "McNemar p takes items that share a group for independent" in done.stdout
    whole = json.loads(run("x=a.jsonl", "y=b.jsonl", "--items", "two.jsonl", "--json").stdout)["parts"][0]["difference"]
    assert (whole["groups"], whole["p"], whole["mcnemar_p"]) == (
        60, pytest.approx(2 / 2**10), pytest.approx(2 / 2**20),
    )  # fmt: skip


def test_one_file_with_two_models_needs_no_names_and_names_change_places(folder):
    forth = run("both.jsonl", "--items", "items.jsonl", "--json")
    back = run("both.jsonl", "--items", "items.jsonl", "--a", "poor", "--b", "good", "--json", "-")
    first, second = json.loads(forth.stdout), json.loads(back.stdout)
    assert (first["a"], first["b"], second["a"], second["b"]) == ("good", "poor", "poor", "good")
    assert first["parts"][0]["difference"]["difference"] == pytest.approx(1 / 6)
    assert second["parts"][0]["difference"]["difference"] == pytest.approx(-1 / 6)
    assert (first["parts"][0]["verdict"], second["parts"][0]["verdict"]) == ("A better", "B better")
    turned = {"a": "b", "b": "a", "a_read": "b_read", "b_read": "a_read"}
    assert first["a_better"] == [
        {name: change[turned.get(name, name)] for name in change} for change in second["b_better"]
    ]
    assert "A better: good" in forth.stderr  # the screen leaves standard output to the JSON


def test_styles_and_dates_are_sides_too(folder):
    write(folder / "styles.jsonl", [
        *lines(lambda place: place % 6 != 0, model="m", style="direct"),
        *lines(lambda place: True, model="m", style="cot"),
    ])  # fmt: skip
    done = run("styles.jsonl", "--items", "items.jsonl", "--a", "direct", "--b", "cot")
    assert "B better: m, direct is right on 83.3 %, m, cot on 100.0 %" in " ".join(done.stdout.split())
    (folder / "again.jsonl").write_bytes((folder / "good.jsonl").read_bytes())
    dates = run("good.jsonl", "good=again.jsonl", "--items", "items.jsonl")
    assert "A = good (A), B = good (B)" in dates.stdout
    assert "Equivalent: the difference is smaller than 5 points (p = .006)" in dates.stdout
    assert "right with A" not in dates.stdout


def test_a_table_has_a_column_per_model_or_a_column_of_another_name(folder):
    good, poor = (
        [json.loads(line)["reply"] for line in (folder / f"{name}.jsonl").read_text().splitlines()]
        for name in ("good", "poor")
    )
    wide = [f"{item.id},{a},{b}" for item, a, b in zip(ITEMS, good, poor, strict=True)]
    (folder / "wide.csv").write_text("\n".join(["id,good,poor", *wide, ""]))
    expected = hansproof.compare("both.jsonl", items=ITEMS)
    done = run("wide.csv", "--items", "items.jsonl", "--reply-columns", "good,poor", "--json")
    assert json.loads(done.stdout)["parts"][0]["difference"]["p"] == pytest.approx(expected.whole.difference.p)
    assert (
        hansproof.compare("wide.csv", items=ITEMS, reply_columns=["good", "poor"]).whole.difference
        == expected.whole.difference
    )
    replies = {item.id: reply for item, reply in zip(ITEMS, poor, strict=True)}
    assert (
        hansproof.compare("wide.csv", replies, items=ITEMS, columns={"reply": "good"}).whole.difference
        == expected.whole.difference
    )
    (folder / "again.csv").write_bytes((folder / "wide.csv").read_bytes())
    assert run("wide.csv", "again.csv", "--items", "items.jsonl", "--column", "reply=good").exit_code == 0


def test_runs_of_a_model_are_averaged(folder):
    rows = [
        row
        for run_ in range(2)
        for row in lines(lambda place, run_=run_: (place + run_) % 2 == 0, model="coin", run=f"epoch {run_}")
    ]
    write(folder / "runs.jsonl", rows)
    record = json.loads(run("runs.jsonl", "good.jsonl", "--items", "items.jsonl", "--json").stdout)
    assert (record["a"], record["runs"]) == ("coin, 2 runs", [2, 1])
    assert record["parts"][0]["difference"]["a"] == 0.5
    assert record["parts"][0]["difference"]["mcnemar_p"] is None
    shown, planned = (run("runs.jsonl", "good.jsonl", "--items", "items.jsonl", *more) for more in ((), ("--plan",)))
    assert "only A/B" not in shown.stdout
    assert "A/B does" in shown.stdout
    assert "mean squared difference of the two scores, which are means of runs: " in " ".join(planned.stdout.split())
    scored = CliRunner(env={"COLUMNS": "160"}).invoke(
        command_line(), ["score", "runs.jsonl", "good.jsonl", "--items", "items.jsonl", "--all"]
    )
    assert "one does" in scored.stdout
    assert "only one right" not in scored.stdout
    apart = json.loads(run("runs.jsonl", "--items", "items.jsonl", "--json").stdout)
    assert (apart["a"], apart["b"]) == ("coin, epoch 0", "coin, epoch 1")


def test_the_margin_changes_what_is_negligible(folder):
    write(folder / "near.jsonl", lines(lambda place: place % 6 != 0 and place != 1, model="near"))
    verdicts = [
        json.loads(run("good.jsonl", "near.jsonl", "--items", "items.jsonl", "--json", "--margin", margin).stdout)[
            "parts"
        ][0]["verdict"]
        for margin in (1, 10)
    ]
    assert verdicts == ["no difference shown", "equivalent"]


def test_better_by_less_than_the_margin_is_said_to_be_so(folder):
    write(folder / "near.jsonl", lines(lambda place: place % 6 != 0 and place not in range(1, 20, 2), model="near"))
    words = " ".join(run("good.jsonl", "near.jsonl", "--items", "items.jsonl", "--margin", "20").stdout.split())
    # Ten more are wrong, and none is right: p = 2 / 2 ** 10.
    assert "A better: good is right on 83.3 %, near on 75.0 % of 120 items: +8.3 [4.6, 14.7] points" in words
    assert "The difference is smaller than 20 points." in words
    plain = run("good.jsonl", "near.jsonl", "--items", "items.jsonl").stdout
    assert "is smaller than" not in plain


def test_a_narrow_terminal_keeps_scores_difference_p_and_verdict(folder):
    done = CliRunner().invoke(
        command_line(), ["compare", "both.jsonl", "--items", "items.jsonl"], env={"COLUMNS": "60"}
    )
    (whole,) = [line for line in done.stdout.splitlines() if line.startswith("all ")]
    assert whole.split() == ["all", "83.3", "66.7", "+16.7", "[4.1,", "28.7]", ".013", "A", "better"]
    said = " ".join(done.stdout.split())
    assert (
        "this window is too narrow for the columns items, se, only A/B, equal p, r, detectable; --json and --html"
        in said
    )
    assert "--csv have them" not in said  # its rows are the items that changed


def test_missing_replies_are_wrong_unless_they_are_left_out(folder):
    rows = [json.loads(line) for line in (folder / "good.jsonl").read_text().splitlines()]
    write(folder / "gaps.jsonl", rows[:110])
    wrong = run("good.jsonl", "gaps.jsonl", "--items", "items.jsonl")
    assert "missing replies, counted as wrong: A 0, B 10" in wrong.stdout
    assert "both replies clear" in wrong.stdout
    skipped = run("good.jsonl", "gaps.jsonl", "--items", "items.jsonl", "--skip-missing")
    assert "items without a reply of both, left out: 10" in skipped.stdout
    assert "Equivalent" in skipped.stdout


def test_the_items_that_changed_are_all_in_the_table(folder):
    done = run("both.jsonl", "--items", "items.jsonl", "--csv", "changed.csv", "--json", "all.json", "--show", "1")
    assert f"right with A, wrong with B: 40 items: {ITEMS[1].id}, ... and 39 more" in done.stdout
    rows = list(csv.DictReader((folder / "changed.csv").read_text().splitlines()))
    record = json.loads((folder / "all.json").read_text())
    assert [(row["id"], row["better"]) for row in rows] == [
        *((change["id"], "A") for change in record["a_better"]),
        *((change["id"], "B") for change in record["b_better"]),
    ]
    assert (len(rows), rows[0]["subset"], rows[0]["a"], rows[0]["b"]) == (60, "none", "1.0", "0.0")
    assert "exists; pass --force" in run("both.jsonl", "--items", "items.jsonl", "--csv", "changed.csv").stderr


def test_the_function_is_the_command(folder):
    record = json.loads(run("good.jsonl", "poor.jsonl", "--items", "items.jsonl", "--json").stdout)
    compared = hansproof.compare("good.jsonl", "poor.jsonl", items="items.jsonl")
    assert compared.whole.difference.p == pytest.approx(record["parts"][0]["difference"]["p"])
    replies = [
        {row["id"]: row["reply"] for row in map(json.loads, (folder / f"{name}.jsonl").read_text().splitlines())}
        for name in ("good", "poor")
    ]
    assert hansproof.compare(*replies, items=ITEMS).whole.difference == compared.whole.difference
    assert hansproof.compare("both.jsonl", items=ITEMS, a_name="poor", b_name="good").whole.verdict == "B better"
    with pytest.raises(hansproof.UsageError, match="the margin must be above 0 and below 1"):
        hansproof.compare("both.jsonl", items=ITEMS, margin=5.0)


def test_percentages_are_not_shares(folder):
    assert "0.5 " in run("--plan", "--difference", "0.5%").stdout
    assert run("--plan", "--difference", "3%").stdout == run("--plan", "--difference", "3").stdout
    with_sign = run("both.jsonl", "--items", "items.jsonl", "--margin", "5%", "--json", "-")
    assert json.loads(with_sign.stdout)["margin"] == 0.05


def test_a_pilot_is_measured_for_a_plan(folder):
    done = run("both.jsonl", "--items", "items.jsonl", "--plan", "--json")
    record = json.loads(done.stdout)
    assert record["from"] == "measured on 120 items"
    assert record["plans"][0]["design"]["discordant"] == 0.5
    assert [round(100 * row["difference"]) for row in record["plans"][:5]] == [1, 2, 3, 5, 10]
    assert record["plans"][5]["items"] == 120
    assert "items right with only one of the two: 50.0 % [" in done.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name one file of answers, or two, not 0; or --plan"),
        (["a", "b", "c"], "name one file of answers, or two, not 3"),
        (["good.jsonl", "--items", "items.jsonl"], "good.jsonl: holds one side only, 'good'; name a second source"),
        (["both.jsonl", "poor.jsonl", "--items", "items.jsonl"], "both.jsonl: holds several: 'good'; 'poor'; name one"),
        (["both.jsonl", "--items", "items.jsonl", "--a", "good"], "--a, --b: name both sides, or neither"),
        (["both.jsonl", "--items", "items.jsonl", "--a", "good", "--b", "good"], "--a, --b: both name 'good'"),
        (["both.jsonl", "--items", "items.jsonl", "--a", "good", "--b", "pour"], "--b has no series 'pour'. Did you"),
        (["both.jsonl", "--items", "items.jsonl", "--margin", "0"], "--margin: the margin must be above 0"),
        (["both.jsonl", "--items", "items.jsonl", "--icc", ".3"], "--icc belongs to --plan"),
        (["both.jsonl", "--items", "items.jsonl", "--column", "reply"], "--column needs ROLE=NAME, such as reply="),
        (["both.jsonl", "--items", "items.jsonl", "--plan", "--icc", ".3"], "--icc is measured on the answers of a"),
        (["--plan", "--discordant", "20", "--accuracy", "70"], "--discordant says what --accuracy and --correlation"),
        (["--plan", "--icc", "1.5"], "--icc: must be from 0 to 1, not 1.5"),
        (["--plan", "--icc", ".5"], "--icc changes nothing without --group-size"),
        (["--plan", "--group-size", "2"], "--group-size changes nothing without --icc"),
        (
            ["--plan", "--difference", "3", "--discordant", "2"],
            "--difference: 3 points cannot be: so large a difference",
        ),
        (["--plan", "--discordant", "0.5%"], "with so few items right with only one side, say which difference"),
        (["--plan", "--difference", "0.03"], "--difference: 0.03 may be meant as a share, but points and per cent"),
        (["--plan", "--accuracy", ".7"], "--accuracy: .7 may be meant as a share, but points and per cent are wanted:"),
        (["both.jsonl", "--items", "items.jsonl", "--margin", "0.05"], "--margin: 0.05 may be meant as a share"),
        (["both.jsonl", "--items", "items.jsonl", "--margin", "x"], "--margin: 'x' is no number of points or per cent"),
        (["--plan", "--items", "items.jsonl"], "--items, --a, --b, --model and --style need files of answers"),
        (["both.jsonl", "--items", "items.jsonl", "--json", "both.jsonl", "--force"], "both.jsonl: is an input"),
        (["x=both.jsonl", "--items", "items.jsonl", "--csv", "both.jsonl", "--force"], "both.jsonl: is an input"),
        (["models.csv", "--feature", "size"], "--feature, --components and --metric have moved: hansproof phenotype"),
        (["models.csv", "--components"], "--feature, --components and --metric have moved: hansproof phenotype"),
    ],
)
def test_what_cannot_be_compared_is_one_line(arguments, message):
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"error: {message}")


def test_a_side_without_verdicts_is_named_where_verdicts_count(folder):
    rows = [("id", "reply", "model", "correct")]
    rows += [(item.id, item.answer, model, right) for model, right in (("m", 1), ("n", "")) for item in ITEMS]
    for name, kept in (("both", rows), ("m", rows[: len(ITEMS) + 1]), ("n", [rows[0], *rows[len(ITEMS) + 1 :]])):
        with (folder / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(kept)
    done = run("both.csv", "--items", "items.jsonl", "--judged", "harness")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: both.csv: no reply of model n has a verdict of a harness; name others, or")
    done = run("m.csv", "n.csv", "--items", "items.jsonl", "--judged", "harness")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: n.csv: no reply has a verdict of a harness; leave out --judged harness")
