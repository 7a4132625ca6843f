"""`hansproof annotate`: data on standard output, talk on standard error, one line per error."""

import csv
import json
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import cohen_kappa_score

from hansproof.command_line import command_line
from hansproof.generators import registry
from hansproof.generators.dataset import ErrorScheme, ProvenError
from hansproof.generators.item import Item
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset

KINDS = {"AR": "slip of arithmetic", "UC": "unjustified conclusion"}


def prove(item, reply):
    return [ProvenError("AR", 1, "2 + 2 = 4")] if "5" in reply else []


@pytest.fixture
def there(tmp_path, monkeypatch):
    """A folder with items of two families, one of which has kinds of error, and answers to them."""
    monkeypatch.chdir(tmp_path)
    module = ModuleType("sums_of_the_tests")
    module.DATASET = replace(dataset("planted-cues"), name="sums", errors=ErrorScheme(KINDS, prove))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    # Nothing else is registered, so that every message here is known.
    monkeypatch.setattr(
        registry, "MODULES", {"planted-cues": registry.MODULES["planted-cues"], "sums": module.__name__}
    )
    items = [item("sums", index) for index in range(8)]
    (tmp_path / "sums.jsonl").write_bytes(dump(items))
    (tmp_path / "cues.jsonl").write_bytes(dump([item("planted-cues", 0)]))
    save("answers.jsonl", [{"id": row.id, "reply": "4"} for row in items])
    save("cue-answers.jsonl", [{"id": "planted-cues/2.0.0/s/000000", "completion": "4"}])
    return items


def item(family, index):
    data = {"dataset": family, "version": "1.0.0", "subset": "s", "seed": 1, "canary": "c"}
    return Item(f"{family}/1.0.0/s/{index:06d}", "2 + 2?", None, "4", f"g{index}", "base", data)


def save(path, records):
    Path(path).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def run(*arguments):
    return CliRunner().invoke(command_line(), [str(argument) for argument in arguments])


def failed(done):
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().split("\n")) == 1
    return done.stderr.strip()


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_form_goes_out_is_filled_in_and_two_are_compared(ending):
    done = run("annotate", "form", "answers.jsonl", "--items", "sums.jsonl", "--out", f"form.{ending}")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == (
        f"form.{ending}: 8 replies to annotate\n  AR: slip of arithmetic\n  UC: unjustified conclusion\n"
    )
    first, second = [True, True, True, False, False, False, False, False], [True, True, False, True] + [False] * 4
    for name, labels in (("first", first), ("second", second)):
        fill(f"form.{ending}", f"{name}.{ending}", labels)
    done = run("annotate", "agreement", f"first.{ending}", f"second.{ending}", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    shown = json.loads(done.stdout)
    assert (shown["first"], shown["second"]) == (f"first.{ending}", f"second.{ending}")
    slips, conclusions = shown["categories"]
    # p_o = 6/8, p_e = (3*3 + 5*5)/64 = 34/64: kappa = (48 - 34) / 30
    assert slips["kappa"] == pytest.approx(14 / 30) == pytest.approx(cohen_kappa_score(first, second))
    assert (slips["category"], slips["replies"], slips["both"], slips["first_only"], slips["second_only"]) == (
        "AR", 8, 2, 1, 1
    )  # fmt: skip
    assert (conclusions["kappa"], conclusions["reason"]) == (None, "both judgements of every reply are 'no'")
    table = run("annotate", "agreement", f"first.{ending}", f"second.{ending}").stdout
    assert [line.split() for line in table.split("\n") if line.startswith("AR")] == [
        ["AR", "0.47", "0.47", "8", "2", "1", "1"]
    ]
    assert "UC: kappa and r are undefined: both judgements of every reply are 'no'" in table
    # Of 16 marks 2 are yes to both and 12 no to both: p_o = 14/16, p_e = (3 * 3 + 13 * 13) / 256.
    assert [line.split() for line in table.split("\n") if line.startswith("overall")] == [
        ["overall", "0.59", "0.59", "16", "2", "1", "1"]
    ]
    assert shown["overall"]["kappa"] == pytest.approx((14 / 16 - 178 / 256) / (1 - 178 / 256))
    assert shown["errors_per_reply"] == {
        "pearson": pytest.approx(np.corrcoef(first, second)[0, 1]),
        "pearson_reason": "",
    }


def fill(source, target, labels):
    with Path(source).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file)) if source.endswith("csv") else [json.loads(line) for line in file]
    for row, label in zip(rows, labels, strict=True):
        row |= dict.fromkeys(KINDS, "no") | {"AR": "yes" if label else "no"}
    if target.endswith("jsonl"):
        save(target, rows)
        return
    with Path(target).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_prefill_marks_what_can_be_proved(there):
    save("wrong.jsonl", [{"id": there[0].id, "reply": "5"}])
    arguments = ("annotate", "form", "wrong.jsonl", "--items", "sums.jsonl")
    assert run(*arguments, "--out", "plain.jsonl").exit_code == 0
    assert run(*arguments, "--out", "filled.jsonl", "--prefill").exit_code == 0
    plain, filled = (json.loads(Path(f"{name}.jsonl").read_text(encoding="utf-8")) for name in ("plain", "filled"))
    assert (plain["AR"], filled["AR"], filled["AR_reason"]) == ("", "yes", "line 1: 2 + 2 = 4")


@pytest.mark.usefixtures("there")
def test_replies_that_one_form_alone_annotates_are_counted():
    run("annotate", "form", "answers.jsonl", "--items", "sums.jsonl", "--out", "form.csv")
    fill("form.csv", "first.csv", [True] * 8)
    done = run("annotate", "agreement", "first.csv", "form.csv")
    assert done.exit_code == 0
    assert "undefined: there are no replies to compare" in done.stdout
    assert done.stderr == "note: left out 8 replies that are annotated in only one form\n"


def test_a_form_is_for_one_model_that_answered(there):
    save("two.jsonl", [{"id": there[0].id, "reply": "x", "model": name} for name in ("a", "b")])
    arguments = ("annotate", "form", "two.jsonl", "--items", "sums.jsonl", "--out", "form.csv")
    assert "two.jsonl: has replies of 2 models; pass --model with one of: 'a', 'b'" in failed(run(*arguments))
    assert "two.jsonl has no model 'c'. Known: a, b" in failed(run(*arguments, "--model", "c"))
    assert run(*arguments, "--model", "b").exit_code == 0
    assert "form.csv: exists; pass --force" in failed(run(*arguments, "--model", "b"))
    assert run(*arguments, "--model", "a", "--force").exit_code == 0
    assert "form.txt: an annotation form ends in .csv or .jsonl" in failed(run(*arguments[:-1], "form.txt"))


@pytest.mark.usefixtures("there")
def test_a_family_without_kinds_of_error_is_answered_with_those_that_have_some():
    done = run("annotate", "form", "cue-answers.jsonl", "--items", "cues.jsonl", "--out", "other.csv")
    assert failed(done) == (
        "error: cues.jsonl: has items of planted-cues, which defines no kinds of error to annotate; "
        "datasets that do: sums"
    )
    assert not Path("other.csv").exists()


@pytest.mark.parametrize("content", ["", "id\n1\n", "id,AR,UC\nx,perhaps,no\n"])
def test_a_broken_form_is_one_line(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.csv").write_text(content, encoding="utf-8")
    assert failed(run("annotate", "agreement", "broken.csv", "broken.csv")).startswith("error: broken.csv: ")


@pytest.mark.parametrize("page", [["annotate"], ["annotate", "form"], ["annotate", "agreement"]], ids=" ".join)
def test_every_help_page_has_an_example(page):
    done = run(*page, "--help")
    assert done.exit_code == 0
    assert f"hansproof {' '.join(page)}" in done.stdout.split("Example")[1]
