"""`hansproof annotate`: data on standard output, talk on standard error, one line an error."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from sklearn.metrics import cohen_kappa_score

from generators.jsonl import dump
from generators.knights_knaves.annotation import CATEGORIES
from generators.registry import dataset
from hansproof.command_line import command_line


@pytest.fixture
def there(tmp_path, monkeypatch):
    """A folder with items of two families and gold answers to them."""
    monkeypatch.chdir(tmp_path)
    puzzles = [dataset("knights-knaves").make("S-3", 5, index) for index in range(8)]
    cues = [dataset("planted-cues").make("none", 5, index) for index in range(20)]
    (tmp_path / "puzzles.jsonl").write_bytes(dump(puzzles))
    (tmp_path / "cues.jsonl").write_bytes(dump(cues))
    save("puzzle-answers.jsonl", [{"id": one.id, "reply": one.answer.replace("; ", "\n")} for one in puzzles])
    save("cue-answers.jsonl", [{"id": one.id, "completion": one.answer} for one in cues])
    return {"puzzles": puzzles, "cues": cues}


def save(path, records):
    Path(path).write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")


def run(*arguments):
    return CliRunner().invoke(command_line(), [str(argument) for argument in arguments])


def failed(done):
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().split("\n")) == 1
    return done.stderr.strip()


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_form_goes_out_is_filled_in_and_two_are_compared(there, ending):
    done = run("annotate", "form", "puzzle-answers.jsonl", "--items", "puzzles.jsonl", "--out", f"form.{ending}")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"form.{ending}: 8 replies to annotate\n")
    first, second = [True, True, True, False, False, False, False, False], [True, True, False, True] + [False] * 4
    for name, labels in (("first", first), ("second", second)):
        fill(f"form.{ending}", f"{name}.{ending}", labels)
    done = run("annotate", "agreement", f"first.{ending}", f"second.{ending}", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    found = {one["category"]: one for one in json.loads(done.stdout)["categories"]}
    # p_o = 6/8, p_e = (3*3 + 5*5)/64 = 34/64: kappa = (48 - 34) / 30
    assert found["SR"]["kappa"] == pytest.approx(14 / 30) == pytest.approx(cohen_kappa_score(first, second))
    assert (found["SR"]["both"], found["SR"]["first_only"], found["SR"]["second_only"]) == (2, 1, 1)
    assert found["TS"]["kappa"] is None
    assert found["TS"]["reason"] == "both annotators say no to every trace"
    table = run("annotate", "agreement", f"first.{ending}", f"second.{ending}").stdout
    assert [line.split() for line in table.split("\n") if line.startswith("SR")] == [["SR", "0.47", "8", "2", "1", "1"]]
    assert "undefined: both annotators say no to every trace" in table


def fill(source, target, labels):
    with Path(source).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file)) if source.endswith("csv") else [json.loads(line) for line in file]
    for row, label in zip(rows, labels, strict=True):
        row |= dict.fromkeys(CATEGORIES, "no") | {"SR": "yes" if label else "no"}
    if target.endswith("jsonl"):
        return save(target, rows)
    with Path(target).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return None


def test_prefill_marks_what_a_machine_can_prove(there):
    first = there["puzzles"][0]
    terms = first.metadata["terms"]
    other = terms[1] if first.metadata["solutions"][0][0] == "K" else terms[0]
    right = first.answer.replace("; ", "\n")
    save("unfaithful.jsonl", [{"id": first.id, "reply": f"Therefore A is a {other}.\n\n{right}"}])
    arguments = ("annotate", "form", "unfaithful.jsonl", "--items", "puzzles.jsonl")
    assert run(*arguments, "--out", "plain.jsonl").exit_code == 0
    assert run(*arguments, "--out", "filled.jsonl", "--prefill").exit_code == 0
    plain, filled = (json.loads(Path(f"{one}.jsonl").read_text(encoding="utf-8")) for one in ("plain", "filled"))
    assert (plain["UF"], filled["UF"]) == ("", "yes")


def test_traces_annotated_by_one_alone_are_told(there):
    run("annotate", "form", "puzzle-answers.jsonl", "--items", "puzzles.jsonl", "--out", "form.csv")
    fill("form.csv", "first.csv", [True] * 8)
    done = run("annotate", "agreement", "first.csv", "form.csv")
    assert done.exit_code == 0
    assert "undefined: no trace is annotated by both" in done.stdout
    assert done.stderr == "note: 8 traces are annotated in one form only and left out\n"


def test_the_form_is_for_one_model_and_one_family(there):
    ids = [one.id for one in there["puzzles"]]
    save("two.jsonl", [{"id": ids[0], "reply": "x", "model": name} for name in ("a", "b")])
    arguments = ("annotate", "form", "two.jsonl", "--items", "puzzles.jsonl", "--out", "form.csv")
    assert "has answers of 2 models; pass --model with one of: 'a', 'b'" in failed(run(*arguments))
    assert "has no answers of model 'c'; it has: 'a', 'b'" in failed(run(*arguments, "--model", "c"))
    assert run(*arguments, "--model", "b").exit_code == 0
    assert "form.csv: exists; pass --force" in failed(run(*arguments, "--model", "b"))
    assert run(*arguments, "--model", "a", "--force").exit_code == 0
    cues = ("annotate", "form", "cue-answers.jsonl", "--items", "cues.jsonl", "--out", "other.csv")
    assert "these are items of planted-cues" in failed(run(*cues))
    assert "ends in .csv or .jsonl" in failed(run(*arguments[:-1], "form.txt"))


@pytest.mark.parametrize("content", ["", "id,SR\n1,yes\n", "id,SR,TS,TL,LO,UC,UF\nx,perhaps,no,no,no,no,no\n"])
def test_a_broken_form_is_one_line(there, tmp_path, content):
    (tmp_path / "broken.csv").write_text(content, encoding="utf-8")
    assert failed(run("annotate", "agreement", "broken.csv", "broken.csv")).startswith("error: broken.csv: ")


@pytest.mark.parametrize("page", [["annotate"], ["annotate", "form"], ["annotate", "agreement"]], ids=" ".join)
def test_every_help_page_has_an_example(page):
    done = run(*page, "--help")
    assert done.exit_code == 0
    assert f"hansproof {' '.join(page)}" in done.stdout.split("Example")[1]
