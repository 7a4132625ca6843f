"""--html, --csv and --json of score, compare and every analysis: one way of saying so, and the same numbers."""

import csv
import html
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from read_pages import Reader, tables

import hansproof
from hansproof.audit import notation
from hansproof.audit.notation import armed
from hansproof.audit.report.comparison_page import render_comparison
from hansproof.command_line import command_line
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset


def run(*arguments):
    return CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), arguments)


@pytest.fixture
def there(tmp_path, monkeypatch):
    """120 matched items and the replies of two models, `a<b>` and `c`, of which the first trips over the change."""
    monkeypatch.chdir(tmp_path)
    items = [dataset("token-bias").item("syllogism", 8, index) for index in range(120)]
    Path("items.jsonl").write_bytes(dump(items))
    replies = []
    for index, item in enumerate(items):
        wrong = next(choice for choice in item.choices if choice != item.answer)
        for model, right in (("a<b>", item.condition == "original"), ("c", index % 3 > 0)):
            replies.append({"id": item.id, "reply": item.answer if right else wrong, "model": model})
    Path("replies.jsonl").write_text("".join(json.dumps(reply) + "\n" for reply in replies), encoding="utf-8")


SAID = ("replies.jsonl", "--items", "items.jsonl")
KINDS = {
    "score": ("score", *SAID),
    "test": ("score", *SAID, "--test", "mcnemar"),
    "compare": ("compare", *SAID, "--a", "a<b>", "--b", "c"),
    "effects": ("analyse", *SAID, "--by", "effects"),
    "hypotheses": ("analyse", *SAID, "--by", "hypotheses"),
}


def written(kind):
    done = run(*KINDS[kind], "--html", "page.html", "--csv", "table.csv", "--json", "all.json", "--force")
    assert done.exit_code == 0, done.stderr
    rows = [
        {name: armed(cell) for name, cell in row.items()}
        for row in csv.DictReader(io.StringIO(Path("table.csv").read_text(encoding="utf-8")))
    ]
    return Path("page.html").read_text(encoding="utf-8"), rows, json.loads(Path("all.json").read_text(encoding="utf-8"))


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_page_is_whole_safe_and_the_same_again(kind):
    page, rows, record = written(kind)
    read = Reader(page)
    assert not {"script", "img", "link", "iframe"} & set(read.tags)
    assert {link[1:] for link in read.links} <= set(read.ids)
    assert "a<b>" not in page
    assert "a&lt;b&gt;" in page
    assert not re.search(r"url\(|@import|https?://", page)
    assert rows
    assert record
    assert written(kind)[0] == page


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_json_without_a_file_is_standard_output_and_tables_make_room(kind):
    done = run(*KINDS[kind], "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout) == written(kind)[2]
    assert done.stderr.startswith(run(*KINDS[kind]).stdout)
    refused = run(*KINDS[kind], "--json", "--html", "-")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "only one output can be written to standard output" in refused.stderr


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_no_page_takes_the_place_of_an_input(kind):
    for option in ("--html", "--csv", "--json"):
        refused = run(*KINDS[kind], option, "replies.jsonl", "--force")
        assert refused.exit_code == 2
        assert "is an input of this command" in refused.stderr


@pytest.mark.usefixtures("there")
def test_the_page_of_scores_has_the_lines_of_the_report():
    page, _, record = written("score")
    shown = tables(page)
    for report in record["models"]:
        release = f"{report['dataset']}@{report['version']}"
        table = shown[f"Scores of {report['model']} on {release}, in per cent"]
        rows = {row[0]: row for row in table}
        every = report["lines"][0]
        low, high = (notation.points(every["right"][end]) for end in ("low", "high"))
        assert rows["all"][1] == f"{every['items']:,}"
        assert rows["all"][2] == f"{notation.points(every['right']['share'])}|[{low}, {high}]"
        conditions = {line["name"]: line["right"] for line in report["lines"] if line["by"] == "condition"}
        assert len(conditions) == 2
        for name, right in conditions.items():
            assert rows[name][2].startswith(notation.points(right["share"]))
    assert page == hansproof.score("replies.jsonl", "items.jsonl").page()
    assert Reader(page).ids.count("effects") == 1
    no = dict.fromkeys(_ids(), "no")
    Path("no.jsonl").write_text("".join(json.dumps({"id": id, "reply": no[id]}) + "\n" for id in no), encoding="utf-8")
    assert tables(hansproof.score(no, "items.jsonl").page()) == tables(
        hansproof.score("no.jsonl", "items.jsonl").page()
    )


def _ids():
    return [json.loads(line)["id"] for line in Path("items.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.usefixtures("there")
def test_what_holds_for_every_model_stands_once_on_the_page():
    page, *_ = written("score")
    assert page.count("best blind: ") == 1


@pytest.mark.usefixtures("there")
def test_the_page_of_a_comparison_says_what_the_screen_says():
    page, rows, record = written("compare")
    text = html.unescape(page)
    screen = run(*KINDS["compare"]).stdout
    sentence = screen.splitlines()[0].split(". ")[0]
    assert sentence.split(":")[0] in text
    parts = tables(page)["A less B in percentage points"]
    cells = [row for row in parts if len(row) > 1]
    assert len(cells) == len(record["parts"])
    for row, part in zip(cells, record["parts"], strict=True):
        assert row[1:3] == [part["verdict"], notation.points(part["difference"]["difference"], "+")]
        assert row[4] == notation.p_value(part["p_holm"])
    changed = [row for caption, table in tables(page).items() if caption.startswith("Items ") for row in table]
    assert [row[0] for row in changed] == [row["id"] for row in rows][: len(changed)]
    comparison = hansproof.compare("replies.jsonl", items="items.jsonl", a_name="a<b>", b_name="c")
    assert render_comparison(comparison, ["replies.jsonl"]) == page


@pytest.mark.usefixtures("there")
def test_effects_and_tests_as_rows_are_those_of_the_json():
    page, rows, record = written("effects")
    effects = [effect for model in record["models"] for effect in model["effects"]]
    assert len(rows) == len(effects) == 2
    for row, effect in zip(rows, effects, strict=True):
        assert float(row["effect"]) == effect["difference"]["difference"]
        assert row["low"] == ("" if effect["difference"]["low"] is None else repr(effect["difference"]["low"]))
    assert "Original less perturbed items" in page
    _, rows, record = written("hypotheses")
    assert len(rows) == len(record["tests"]) == 2
    for row, tested in zip(rows, record["tests"], strict=True):
        assert (row["model"], row["n"] if "n" in row else row["pairs"]) == (tested["model"], str(tested["pairs"]))
        assert float(row["p_bh_all"]) == tested["p_bh_all"]
        assert row["supported"] == ("yes" if tested["supported"] else "no")
    assert written("test")[0] == written("hypotheses")[0]


def test_a_phenotype_hangs_under_the_same_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("run", "--agent", "random", "-n", "2", "--out", "runs.jsonl").exit_code == 0
    name = json.loads(Path("runs.jsonl").read_text(encoding="utf-8").splitlines()[0])["model"]
    words = ("--html", "page.html", "--csv", "models.csv", "--model", name)
    done = run("analyse", "runs.jsonl", "--by", "phenotype", *words, "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["name"] == name
    assert "Cognitive phenotype" in Path("page.html").read_text(encoding="utf-8")
    assert Path("models.csv").read_text(encoding="utf-8").startswith('"model","base_model",')
