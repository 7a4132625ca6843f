"""`hansproof compare`: what unclear replies do to the verdict, and what changed, with prompts and readings."""

import csv
import json
from pathlib import Path

import pytest
import read_pages
from click.testing import CliRunner

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
    """`good` errs on every sixth item, `poor` on every third."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.jsonl").write_bytes(dump(ITEMS))
    good, poor = lines(lambda place: place % 6 != 0, model="good"), lines(lambda place: place % 3 != 1, model="poor")
    for name, rows in (("good", good), ("poor", poor)):
        write(tmp_path / f"{name}.jsonl", rows)
    return tmp_path


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def run(*arguments):
    return CliRunner().invoke(command_line(), ["compare", *map(str, arguments)], env={"COLUMNS": "160"})


def test_the_table_and_the_page_say_what_changed(folder):
    rows = lines(lambda place: place % 3 != 1, model="poor")
    rows[1]["reply"], rows[4:5] = "=1+1", []
    write(folder / "poor.jsonl", rows)
    outputs = ("--csv", "c.csv", "--html", "c.html", "--json", "c.json")
    done = run("good.jsonl", "poor.jsonl", "--items", "items.jsonl", *outputs)
    assert done.exit_code == 0, done.stderr
    with (folder / "c.csv").open(newline="") as file:
        changed = {row["id"]: row for row in csv.DictReader(file)}
    first, second, third = (changed[ITEMS[place].id] for place in (1, 4, 7))
    assert (first["prompt"], first["answer"], first["a_read"]) == (ITEMS[1].prompt, ITEMS[1].answer, ITEMS[1].answer)
    assert first["b_read"].startswith("unclear (")
    assert second["b_read"] == "missing"
    wrong = next(choice for choice in ITEMS[7].choices if choice != ITEMS[7].answer)
    assert (third["a"], third["b"], third["b_read"]) == ("1.0", "0.0", wrong)
    record = json.loads((folder / "c.json").read_text())["a_better"]
    assert record[2]["b_read"] == [{"said": wrong, "reason": ""}]
    (cells, *_) = read_pages.tables((folder / "c.html").read_text())["Items right with A, wrong with B"]
    assert cells[-4:] == [ITEMS[1].answer, first["b_read"], "1", "0"]
    assert cells[-6][:40] == ITEMS[1].prompt[:40]


@pytest.mark.usefixtures("folder")
def test_the_headline_says_what_unclear_replies_carry():
    rows = lines(lambda place: place % 6 != 0, model="vague")
    for row in rows[:60]:
        row["reply"] = "That depends."
    write(Path("vague.jsonl"), rows)
    said = " ".join(run("good.jsonl", "vague.jsonl", "--items", "items.jsonl").stdout.split())
    assert (
        "A better, but unclear replies make the difference, as A is not ahead on the items with clear replies only "
        "(unclear: A 0, B 60): good is right"
    ) in said
    assert "On the 60 items to which both replies are clear: 0.0 [-6.0, 6.0] points, " in said
    assert "which both replies are clear" not in run("good.jsonl", "poor.jsonl", "--items", "items.jsonl").stdout
