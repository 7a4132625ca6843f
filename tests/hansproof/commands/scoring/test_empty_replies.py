"""Missing, empty and unclear replies: one rule for every format that holds them, and the same words in every output."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from read_pages import headings, tables

from hansproof.command_line import command_line

SAID = {"a": "yes", "b": "no", "c": "", "d": " \n", "e": "perhaps"}
"""Of six items, the last one has no reply: two are clear, two empty, one is unclear, and one has none."""
CELLS = [[id, text, "mine"] for id, text in SAID.items()]


def run(*arguments):
    done = CliRunner(env={"COLUMNS": "200"}).invoke(command_line(), arguments)
    assert done.exit_code == 0, done.stderr
    return done


def separated(mark):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=mark, lineterminator="\n").writerows([["id", "reply", "model"], *CELLS])
    return text.getvalue()


FORMS = {
    "same.csv": separated(","),
    "same.tsv": separated("\t"),
    "same.json": json.dumps([dict(zip(("id", "reply", "model"), row, strict=True)) for row in CELLS]),
    "same.jsonl": "".join(f"{json.dumps(dict(zip(('id', 'reply', 'model'), row, strict=True)))}\n" for row in CELLS),
    "null.jsonl": "".join(
        f"{json.dumps({'id': id, 'reply': text if text.strip() else None, 'model': 'mine'})}\n" for id, text, _ in CELLS
    ),
}


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{id},is {id} it?,{'yes' if place % 2 else 'no'}" for place, id in enumerate("abcdef", 1)]
    Path("bench.csv").write_text("id,question,answer\n" + "\n".join(rows) + "\n", encoding="utf-8")
    for name, text in FORMS.items():
        Path(name).write_text(text, encoding="utf-8")


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("options", [(), ("--skip-missing",)])
def test_the_same_replies_have_the_same_numbers_in_every_format(options):
    seen = []
    for name in FORMS:
        shown = json.loads(run("score", name, "--items", "bench.csv", "--item-scores", "-", *options).stdout)
        seen.append([shown["models"], {key: shown["read"][key] for key in ("replies", "empty", "missing")}])
    assert all(each == seen[0] for each in seen)
    (model,), read = seen[0]
    every = model["lines"][0]
    assert (read["replies"], read["empty"], read["missing"][0]["count"]) == (5, 2, 3)
    assert (every["items"], every["missing"], every["unclear"], every["right"]["hits"]) == (
        (3, 0, 1, 2) if options else (6, 3, 1, 2)
    )


@pytest.mark.usefixtures("there")
def test_every_output_says_missing_and_unclear_of_the_same_replies():
    done = run(
        "score",
        "same.jsonl",
        "--items",
        "bench.csv",
        "--all",
        "--csv",
        "s.csv",
        "--html",
        "s.html",
        "--item-scores",
        "s.json",
    )
    assert "note: 2 of 5 replies are empty (null, or no text), so they count as missing\n" in done.stderr
    assert "note: 1 of 5 replies are unclear, which counts as wrong. The first: " in done.stderr
    screen = next(line for line in done.stdout.split("\n") if "unclear  missing" in line)
    row = next(line for line in done.stdout.split("\n") if line.startswith("all"))
    counts = [row[: screen.index(name) + len(name)].split()[-1] for name in ("unclear", "missing")]
    assert counts == ["1", "3"]
    (first, *_) = csv.DictReader(io.StringIO(Path("s.csv").read_text(encoding="utf-8")))
    assert (first["unclear"], first["missing"]) == ("1", "3")
    page = Path("s.html").read_text(encoding="utf-8")
    (row,) = tables(page)["What became of the answers"]
    named = dict(zip(headings(page)["What became of the answers"], row, strict=True))
    assert (named["Unclear"], named["Missing"]) == ("1", "3")
    scores = json.loads(Path("s.json").read_text(encoding="utf-8"))["models"][0]["scores"]
    assert [score["id"] for score in scores if score["missing"]] == ["c", "d", "f"]
    assert [score["id"] for score in scores if score["unclear"]] == ["e"]
