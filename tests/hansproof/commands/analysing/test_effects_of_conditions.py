"""`hansproof analyse --by effects`: matched conditions of our families and of any benchmark that names them."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from read_pages import Reader
from scipy.stats import binomtest

import hansproof
from hansproof.audit.notation import armed
from hansproof.command_line import command_line
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset


def run(*arguments):
    return CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), ["analyse", *arguments])


def lines(records, file):
    Path(file).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def test_by_effects_shows_the_effects_of_score_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    items = [dataset("word-problems").item("carry", 3, index) for index in range(60)]
    Path("items.jsonl").write_bytes(dump(items))
    lines(
        [{"id": item.id, "reply": item.answer if item.condition == "original" else "1"} for item in items],
        "replies.jsonl",
    )
    done = run("replies.jsonl", "--by", "effects", "--items", "items.jsonl", "--json", "effects.json")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("Original less perturbed items, in points\n")
    record = json.loads(Path("effects.json").read_text(encoding="utf-8"))
    report = hansproof.score("replies.jsonl", "items.jsonl")[0]
    assert len(record["models"][0]["effects"]) == len(report.effects) > 0


def test_what_holds_for_every_model_is_said_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows, replies = ["id,question,label,pair,arm"], []
    for number in range(20):
        for arm in ("plain", "long"):
            rows.append(f"{number}-{arm},Is thing {number} {arm}?,{('yes', 'no')[number % 2]},p{number},{arm}")
            replies += [{"id": f"{number}-{arm}", "reply": "yes", "model": model} for model in ("first", "second")]
    Path("arms.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    lines(replies, "replies.jsonl")
    done = run("replies.jsonl", "--by", "effects", "--items", "arms.csv", "--group", "pair", "--condition", "arm")
    assert done.exit_code == 0, done.stderr
    rows = [line.split()[0] for line in done.stdout.splitlines() if line.startswith(("first", "second"))]
    assert rows == ["first", "second"]
    assert done.stdout.count("INCONCLUSIVE: fewer than 30 pairs of answers") == 1
    assert "detectable" not in done.stdout


@pytest.fixture
def arms(tmp_path, monkeypatch):
    """A table of 40 questions, each in three arms, and the replies of a model that fails in the arm `odd`."""
    monkeypatch.chdir(tmp_path)
    rows, replies = ["id,question,label,pair,arm"], []
    for number in range(40):
        for arm in ("odd", "control", "long"):
            answer = ("yes", "no")[(number + len(arm)) % 2]
            rows.append(f"{number}-{arm},Is thing {number} {arm} and {number * 37 % 101}?,{answer},p{number},{arm}")
            replies.append(
                {
                    "id": f"{number}-{arm}",
                    "reply": "I cannot say" if arm == "odd" and number % 4 else answer,
                    "model": "m",
                }
            )
    Path("arms.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    lines(replies, "replies.jsonl")
    return replies


ARMS = ("--by", "effects", "--items", "arms.csv", "--id", "id")
NAMED = ("--group", "pair", "--condition", "arm")


@pytest.mark.usefixtures("arms")
def test_by_effects_compares_the_conditions_of_any_benchmark():
    outputs = ("--json", "effects.json", "--csv", "effects.csv", "--html", "effects.html")
    done = run("replies.jsonl", *ARMS, *NAMED, *outputs)
    assert done.exit_code == 0, done.stderr
    (model,) = json.loads(Path("effects.json").read_text(encoding="utf-8"))["models"]
    shown = [(each["first"], each["second"], each["difference"]) for each in model["effects"]]
    assert [(first, second) for first, second, _ in shown] == [("control", "odd"), ("control", "long")]
    odd = shown[0][2]
    # Thirty pairs with only the control right, none with only the other: McNemar's exact p.
    assert (odd["items"], odd["a_only"], odd["b_only"], odd["difference"]) == (40, 30, 0, 0.75)
    assert odd["p"] == pytest.approx(binomtest(30, 30).pvalue)
    rows = list(csv.DictReader(io.StringIO(Path("effects.csv").read_text(encoding="utf-8"))))
    assert [float(armed(row["effect"])) for row in rows] == [0.75, 0.0]
    assert "control − odd" in done.stdout
    assert "+75.0  [" in done.stdout
    page = Path("effects.html").read_text(encoding="utf-8")
    assert "control − odd" in page
    scored = hansproof.score("replies.jsonl", "arms.csv", item_columns={"group": "pair", "condition": "arm"})
    assert [effect.difference.difference for effect in scored[0].effects] == [0.75, 0.0]
    study = hansproof.analyse(
        "replies.jsonl", items="arms.csv", item_columns={"group": "pair", "condition": "arm"}, splits=2, permutations=99
    )
    assert [effect.difference.difference for effect in study.answered[0].series[0].effects] == [0.75, 0.0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing to compare: no item says its condition. Name two columns of the items: --group"),
        (("--group", "id", "--condition", "arm"), "no group of items has two of the 3 conditions (odd; control; long)"),
        (("--group", "pair", "--condition", "id"), "120 conditions (0-odd; 0-control; 0-long; 1-odd; 1-control; and"),
        (("--group", "arm", "--condition", "label"), "no group has exactly one item of each of two conditions"),
    ],
)
def test_by_effects_says_what_was_looked_for_where_there_is_nothing(arms, words, said):
    done = run("replies.jsonl", *ARMS, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    lines([reply for reply in arms if reply["id"].endswith("odd")], "replies.jsonl")
    done = run("replies.jsonl", *ARMS, *NAMED)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "there are matched conditions, but no model has replies to both of any two" in done.stderr


def test_a_model_without_replies_to_the_conditions_is_named_beside_others(arms):
    half = [{**reply, "model": "half", "style": "s"} for reply in arms if reply["id"].endswith("long")]
    lines([*arms, *half], "replies.jsonl")
    done = run("replies.jsonl", *ARMS, *NAMED)
    assert done.exit_code == 0, done.stderr
    assert "half, s: no effects, for lack of replies to both of any two matched conditions" in done.stdout


def test_by_effects_of_items_where_nothing_is_right_cannot_be_done(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    items = [dataset("cognitive-tasks").item("horizon", 3, index) for index in range(2)]
    Path("items.jsonl").write_bytes(dump(items))
    lines([{"id": item.id, "reply": "1"} for item in items], "replies.jsonl")
    done = run("replies.jsonl", "--by", "effects", "--items", "items.jsonl")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "nothing to compare: " in done.stderr


ORIGINAL = ("--by", "effects", "--items", "arms.csv", *NAMED, "--original")


def pairs_of(done):
    assert done.exit_code == 0, done.stderr
    (model,) = json.loads(Path("effects.json").read_text(encoding="utf-8"))["models"]
    return {(each["first"], each["second"]): each["difference"]["difference"] for each in model["effects"]}


@pytest.mark.usefixtures("arms")
def test_the_original_condition_is_the_one_that_is_named_whatever_the_others_are_called():
    written = ("--json", "effects.json", "--force")
    named = pairs_of(run("replies.jsonl", *ORIGINAL, "odd", *written))
    assert named == {("odd", "control"): -0.75, ("odd", "long"): -0.75}
    assert pairs_of(run("replies.jsonl", *ORIGINAL, "long", *written)) == {
        ("long", "odd"): 0.75, ("long", "control"): 0.0,
    }  # fmt: skip
    columns = {"group": "pair", "condition": "arm"}
    study = hansproof.analyse(
        "replies.jsonl", items="arms.csv", item_columns=columns, original="odd", splits=2, permutations=99
    )
    scores = hansproof.score("replies.jsonl", "arms.csv", item_columns=columns, original="odd")
    for effects in (study.answered[0].series[0].effects, scores[0].effects):
        assert {(each.first, each.second): each.difference.difference for each in effects} == named
        assert not any(each.guessed for each in effects)
    # All else stays as it is: pair accuracy and flips know no original.
    plain = hansproof.score("replies.jsonl", "arms.csv", item_columns=columns)
    assert repr(plain[0].lines) == repr(scores[0].lines)


@pytest.mark.usefixtures("arms")
def test_an_original_condition_that_no_item_has_is_refused_with_those_there_are():
    said = "error: arms.csv: there is no condition 'cntrol'. Did you mean 'control'? Known: odd, control, long\n"
    done = run("replies.jsonl", *ORIGINAL, "cntrol")
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", said)
    done = run("replies.jsonl", "--by", "effects", "--items", "arms.csv", "--group", "pair", "--original", "odd")
    assert (done.exit_code, done.stderr) == (
        2, "error: --original names a value of the column of conditions: name that with --condition\n",
    )  # fmt: skip
    assert run("replies.jsonl", *ORIGINAL, "odd", "--original", "long").stderr == (
        "error: --original: is given 2 times, as 'odd' and 'long'; give it once\n"
    )
    done = run("replies.jsonl", "--by", "hypotheses", "--items", "arms.csv", "--original", "odd")
    assert done.stderr == ("error: --original names a value of the column of conditions: name that with --condition\n")


@pytest.mark.usefixtures("arms")
def test_a_condition_that_is_the_original_only_because_it_occurs_first_is_told():
    text = Path("arms.csv").read_text(encoding="utf-8")
    assert "occurs first" not in run("replies.jsonl", *ARMS, *NAMED).stdout  # one is called control
    Path("arms.csv").write_text(text.replace(",control\n", ",usual\n"), encoding="utf-8")
    done = run("replies.jsonl", *ARMS, *NAMED, "--html", "effects.html")
    said = "'odd' is compared with the others because it occurs first: --original names another condition"
    assert f"- {said}" in done.stdout.splitlines()
    assert said in Reader(Path("effects.html").read_text(encoding="utf-8")).text
    assert "occurs first" not in run("replies.jsonl", *ORIGINAL, "odd").stdout


@pytest.mark.usefixtures("arms")
def test_an_original_condition_that_stands_beside_no_other_is_told():
    rows = Path("arms.csv").read_text(encoding="utf-8").splitlines()
    lonely = [row.replace(",long", ",alone").replace(",p", ",q") if row.endswith("long") else row for row in rows]
    Path("arms.csv").write_text("\n".join([*lonely, ""]), encoding="utf-8")
    done = run("replies.jsonl", *ORIGINAL, "alone")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no group of items has the condition 'alone', which --original names, and another one" in done.stderr


def test_effects_of_items_with_one_gold_take_the_grades_of_the_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arms = [(number, arm) for number in range(40) for arm in ("original", "other")]
    lines(
        [{"id": f"{n}-{arm}", "prompt": f"Does {n} follow, {arm}?", "answer": "[No]", "pair": f"p{n}", "arm": arm}
         for n, arm in arms],
        "items.jsonl",
    )  # fmt: skip
    lines(
        [{"id": f"{n}-{arm}", "reply": "Yes" if arm == "other" else "No.", "correct": int(n % 2)} for n, arm in arms],
        "replies.jsonl",
    )
    asked = ("replies.jsonl", "--by", "effects", "--items", "items.jsonl", "--group", "pair", "--condition", "arm")
    ours, theirs = (
        json.loads(run(*asked, *more, "--json", "-").stdout)["models"][0]["effects"][0]
        for more in ((), ("--judged", "harness"))
    )
    assert (ours["difference"]["difference"], theirs["difference"]["difference"]) == (1, 0)
    (read, graded) = (
        hansproof.score("replies.jsonl", "items.jsonl", judged=judged)[0].lines[0] for judged in ("reply", "harness")
    )
    assert (read.right.hits, graded.right.hits, read.items, read.chance["answer"]) == (40, 40, 80, 0.5)
    audited = CliRunner().invoke(command_line(), ["audit", "items.jsonl"])
    assert (audited.exit_code, "nothing to predict" in audited.stderr) == (2, True)
