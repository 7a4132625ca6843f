"""`hansproof score --test mcnemar`: tables, JSON, figure, and what could not be used."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import hansproof
from hansproof.command_line import command_line
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset


@pytest.fixture
def there(tmp_path, monkeypatch):
    """Items of one subset, and replies of two models: one that reasons, one that follows the words."""
    monkeypatch.chdir(tmp_path)
    items = [dataset("token-bias").item("syllogism", 8, index) for index in range(80)]
    Path("items.jsonl").write_bytes(dump(items))
    records = [
        {"prompt": item.prompt, "reply": "No" if model == "sound" or item.condition == "original" else "Yes",
         "model": model}
        for model in ("sound", "led astray")
        for item in items
    ]  # fmt: skip
    Path("replies.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return items


def run(*arguments):
    return CliRunner(env={"COLUMNS": "120"}).invoke(command_line(), ["score", "replies.jsonl", *arguments])


TEST = ("--items", "items.jsonl", "--test", "mcnemar")


@pytest.mark.usefixtures("there")
def test_a_table_has_a_row_for_each_model_and_a_star_where_the_shift_is_supported():
    done = run(*TEST, "--hypothesis", "H4")
    assert (done.exit_code, done.stderr) == (0, "")
    lines = done.stdout.split("\n")
    sound, astray = (next(line.split() for line in lines if name in line) for name in ("sound", "astray"))
    # Of 40 pairs, 16.2 % one way make five with 80 % power; 5 % do of 134.
    assert sound[1:] == ["40", "100.0", "100.0", "0.0", "0", "0", "no", "16.2", "134"]
    assert "p undefined, no pair is right on one side only: H4, synonyms, sound" in done.stdout
    assert astray[2:12] == ["40", "100.0", "0.0", "-100.0", "40", "0", "<.001", "<.001", "yes", "*"]
    assert "H4, expected: fewer are right after the change (n12 > n21)" in done.stdout


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_the_verdicts_of_a_harness_decide_where_they_are_asked_for(there, ending):
    rows = [json.loads(line) | {"correct": 1} for line in Path("replies.jsonl").read_text("utf-8").splitlines()]
    Path("judged.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with Path("judged.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, [*rows[0]])
        table.writeheader()
        table.writerows(rows)

    def tested(judged):
        command = ["score", f"judged.{ending}", *TEST, "--hypothesis", "H4", "--judged", judged, "--json"]
        record = json.loads(CliRunner().invoke(command_line(), command).stdout)
        page = hansproof.hypotheses(f"judged.{ending}", "items.jsonl", names=["H4"], judged=judged).page()
        assert ("the verdict of the harness in each log" in page) is (judged == "harness")
        assert record["judged"] == judged
        return [(test["before_right"], test["after_right"]) for test in record["tests"]]

    assert tested("reply") == [(1.0, 1.0), (1.0, 0.0)]
    assert tested("harness") == [(1.0, 1.0)] * 2


@pytest.mark.usefixtures("there")
def test_json_figure_and_file_say_the_same():
    done = run(*TEST, "--json", "--item-scores", "tests.json", "--svg", "bars.svg", "--shift", "10")
    assert done.exit_code == 0
    shown = json.loads(done.stdout)
    assert shown == json.loads(Path("tests.json").read_text(encoding="utf-8"))
    assert [(test["model"], test["before_only"], test["supported"]) for test in shown["tests"]] == [
        ("sound", 0, False), ("led astray", 40, True)
    ]  # fmt: skip
    assert shown["tests"][0]["z"] is None
    assert shown["shift"] == 0.1
    assert {idle["hypothesis"]: idle["reason"] for idle in shown["untested"]}["H5"] == (
        "none of its subsets is among the items: framed-syllogism"
    )
    assert Path("bars.svg").read_text(encoding="utf-8").count('class="before"/>') == 2
    refused = run(*TEST, "--svg", "bars.svg")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "bars.svg: exists; pass --force" in refused.stderr


def test_replies_that_cannot_be_used_are_said(there):
    with Path("replies.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "gone", "reply": "yes"}\n')
        file.write(json.dumps({"id": there[0].id, "reply": "yes", "model": "sound"}) + "\n")
    done = run(*TEST)
    assert done.exit_code == 0
    assert "1 of 162 replies belong to no item and are left out: replies.jsonl: line 161: no item has" in done.stderr
    assert (
        "1 of 162 replies are given again for the same item, model, style and run; the first one counts" in done.stderr
    )


@pytest.mark.usefixtures("there")
def test_options_of_the_test_need_the_test():
    for option in (("--hypothesis", "H4"), ("--shift", "5"), ("--svg", "bars.svg")):
        done = run("--items", "items.jsonl", *option)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == f"error: {option[0]} belongs to --test mcnemar\n"


def test_what_is_left_out_is_said_in_a_line_a_kind(there):
    records = [json.loads(line) for line in Path("replies.jsonl").read_text(encoding="utf-8").splitlines()]
    records[1]["reply"] = None
    records[2]["reply"] = "Yes or no."
    del records[4:6]
    half = {"id": there[0].id, "reply": "no", "model": "one side"}
    Path("replies.jsonl").write_text(
        "".join(json.dumps(record) + "\n" for record in [*records, half]), encoding="utf-8"
    )
    done = run(*TEST, "--hypothesis", "H4", "--hypothesis", "H3")
    assert done.exit_code == 0
    said = " ".join(done.stdout.split())
    assert "H4 is not tested on original -> synonyms, one side: replies to one of the two only" in said
    assert "H3 is not tested: none of its subsets is among the items" in said
    assert (
        "pairs left out, with a reply to one of the two only: 1 (H4, synonyms, sound); the first is "
        "syllogism-000000, --json has more" in said
    )
    assert "pairs left out, without any reply: 1 (H4, synonyms, sound)" in said
    assert "unclear replies, counted as wrong: 1 (H4, synonyms, sound)" in said
    assert done.stderr == "note: 1 of 159 replies are empty (null, or no text), so they count as missing\n"


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("points", ["0", "101", "-200", "nan"])
def test_a_shift_that_is_none_is_refused_in_points(points):
    done = run(*TEST, "--shift", points)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"error: --shift: the shift must be above 0 and up to 100 points, not {points}\n"


@pytest.mark.usefixtures("there")
def test_stars_are_weighed_against_what_pairs_share():
    said = " ".join(run(*TEST, "--hypothesis", "H4").stdout.split())
    assert (
        "H4: 1 of 1 tests with a BH p of at most .05 keep their star where pairs with the same category count as one"
        in said
    )


def test_the_help_and_the_list_show_how_the_six_hypotheses_are_tested():
    shown = CliRunner(env={"COLUMNS": "120"}).invoke(command_line(), ["score", "--help-all"]).output
    assert "hansproof score replies.jsonl --items datasets/token-bias/1.2.0 --test mcnemar" in shown
    assert "`hansproof list` names those" in shown
    listed = CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), ["list", "token-bias"]).output
    assert "--test mcnemar" in listed
    for hypothesis in dataset("token-bias").hypotheses:
        assert f"{hypothesis.name} " in listed
        assert all(side in listed for change in hypothesis.changes for side in change)
    described = json.loads(CliRunner().invoke(command_line(), ["list", "token-bias", "--json"]).output)
    assert [hypothesis["name"] for hypothesis in described["hypotheses"]][:2] == ["H1", "H2"]


def test_a_script_gets_the_same_report(there):
    report = hansproof.hypotheses("replies.jsonl", there, names=["H4"])
    assert [(test.model, test.before_only) for test in report.tests] == [("sound", 0), ("led astray", 40)]


def test_whole_groups_that_move_as_one_earn_no_star(tmp_path, monkeypatch):
    """Of ten groups of eight items seven get better and three worse, each as a whole: 10 coins, not 80."""
    monkeypatch.chdir(tmp_path)
    items, replies = ["id,question,label,story"], []
    for place in range(80):
        story = place // 8
        items.append(f"i{place},Is {place} in {story}?,{('yes', 'no')[place % 2]},{story}")
        for style, right in (("plain", story >= 7), ("hint", story < 7)):
            reply = ("yes", "no")[(place + (not right)) % 2]
            replies.append(json.dumps({"id": f"i{place}", "style": style, "model": "m", "reply": reply}) + "\n")
    Path("items.csv").write_text("\n".join(items) + "\n", encoding="utf-8")
    Path("replies.jsonl").write_text("".join(replies), encoding="utf-8")
    for group, starred in (({}, True), ({"group": "story"}, False)):
        report = hansproof.hypotheses("replies.jsonl", "items.csv", item_columns=group, original_style="plain")
        (tested,) = report.tests
        assert (tested.before_only, tested.after_only, tested.p_bh_all < 0.001) == (24, 56, True)
        assert tested.supported is starred
