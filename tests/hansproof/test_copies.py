"""A file that is both sides of a comparison, replies that are a copy, and cheap faults told before long work."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import hansproof
from hansproof.command_line import command_line
from hansproof.generators.errors import UsageError


@pytest.fixture(autouse=True)
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    items = [
        {"id": f"q{at}", "prompt": f"Is {at * 7919} so?", "answer": ("yes", "no")[at % 3 == 0]} for at in range(40)
    ]
    write("items.jsonl", items)
    write("first.jsonl", [{"id": item["id"], "reply": "Yes.", "model": "first"} for item in items])
    write("copy.jsonl", [{"id": item["id"], "reply": "Yes.", "model": "second"} for item in items[::-1]])
    write("alike.jsonl", [{"id": item["id"], "reply": "yes", "model": "second"} for item in items])
    write("both.jsonl", [{"id": item["id"], "reply": "yes", "model": name} for item in items for name in "ab"])


def write(name, rows):
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def run(*arguments):
    return CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), list(arguments))


ITEMS = ("--items", "items.jsonl", "--groups", "none")
COPY = "note: all replies of A and B are identical, letter by letter"


@pytest.mark.parametrize("second", ["first.jsonl", "./first.jsonl", "other=first.jsonl", "link.jsonl"])
def test_one_file_is_not_both_sides(second):
    Path("link.jsonl").symlink_to("first.jsonl")
    done = run("compare", "first.jsonl", second, *ITEMS)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "is both A and B, so that nothing can differ; name another source" in done.stderr
    with pytest.raises(UsageError, match="is both A and B"):
        hansproof.compare("first.jsonl", second, items="items.jsonl")


def test_two_sides_of_one_file_may_be_named_from_it_twice():
    done = run("compare", "both.jsonl", "both.jsonl", *ITEMS, "--a", "a", "--b", "b")
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize(
    ("sources", "copied"),
    [
        (("first.jsonl", "copy.jsonl"), True),  # in whatever order its lines stand
        (("first.jsonl", "alike.jsonl"), False),  # right and wrong alike, but not the same words
        (("both.jsonl",), True),
    ],
)
def test_replies_that_are_a_copy_are_told(sources, copied):
    done = run("compare", *sources, *ITEMS, "--json", "out.json")
    assert done.exit_code == 0, done.stderr
    assert (COPY in done.stderr) == copied
    assert json.loads(Path("out.json").read_text())["identical_replies"] == copied


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--plan", "--margin", "3"), "--margin belongs to a comparison, and --plan makes none"),
        (("--plan", "--show", "0"), "--show belongs to a comparison, and --plan makes none"),
        (("--plan", "--skip-missing"), "--skip-missing says how answers count and are read: it needs files of answers"),
        (("--plan", "--judged", "harness"), "--judged says how answers count"),
        (("--plan", "--column", "id=q"), "--column says how answers count"),
        (("--plan", "--reply-columns", "a,b"), "--reply-columns says how answers count"),
        (("first.jsonl", "copy.jsonl", *ITEMS, "--plan", "--margin", "3"), "--margin belongs to a comparison"),
    ],
)
def test_a_plan_ignores_no_option(more, why):
    done = run("compare", *more)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"error: {why}" in done.stderr


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--group", "nope"), "there is no column 'nope'"),
        (("--items", "./items.jsonl"), "./items.jsonl: is named twice; name it once"),
    ],
)
def test_cheap_faults_of_a_study_are_told_before_replies_are_read_and_audits_begin(more, why, monkeypatch):
    def late(*_, **__):
        raise AssertionError("long work had begun")

    monkeypatch.setattr("hansproof.auditing.examined.join", late)
    monkeypatch.setattr("hansproof.auditing.examined.examine", late)
    done = run("analyse", "both.jsonl", *ITEMS, *more)
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in done.stderr


def test_each_benchmark_of_a_study_is_announced_by_its_own_name():
    items = [json.loads(line) for line in Path("items.jsonl").read_text(encoding="utf-8").splitlines()]
    other = [item | {"id": f"o{at}", "prompt": f"Was {at * 104729} so?"} for at, item in enumerate(items[:36])]
    write("other.jsonl", other)
    write("more.jsonl", [{"id": item["id"], "reply": "yes", "model": "a"} for item in [*items, *other]])
    quick = ("--splits", "1", "--permutations", "99")
    done = run("analyse", "more.jsonl", *ITEMS, "--items", "other.jsonl", *quick)
    assert "auditing items.jsonl, 40 items (1 of 2) ..." in done.stderr
    assert re.search(r"auditing other.jsonl, 36 items \(2 of 2, about \d+ s left\) \.\.\.", done.stderr)
