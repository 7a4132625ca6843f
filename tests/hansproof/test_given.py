"""One input rule: whatever holds replies and items gives the result that the command gives on the same data."""

import json
import re
from pathlib import Path

import datasets
import pandas
import polars
import pytest
from click.testing import CliRunner

import hansproof
from hansproof.audit.report.words import sentence
from hansproof.command_line import command_line
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.item import Item
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset

SUBSETS = ("syllogism", "balanced-disease")
OURS = [dataset("token-bias").item(subset, 5, index) for subset in SUBSETS for index in range(40)]
THEIRS = [
    {
        "id": f"q{at}",
        "prompt": f"Does the gar{at} {'really' if at % 3 else 'mostly'} sul a lim{at * 7 % 90}?",
        "answer": "Yes" if at % 2 else "No",
    }
    for at in range(90)
]


def by_id(items, wrong):
    """A reply to every item, of every `wrong`th one that of the item after it."""
    golds = [item.answer if isinstance(item, Item) else item["answer"] for item in items]
    ids = [item.id if isinstance(item, Item) else item["id"] for item in items]
    moved = [*golds[1:], golds[0]]
    return {id: moved[at] if at % wrong == 0 else golds[at] for at, id in enumerate(ids)}


def models(items):
    return {"ada": by_id(items, 3), "bob": by_id(items, 7)}


def rows(replies):
    return [{"model": model, "id": id, "reply": said} for model, own in replies.items() for id, said in own.items()]


def lines(path, records):
    Path(path).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


ROWS = {
    "list of dicts": lambda given: given,
    "tuple of dicts": tuple,
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "Dataset": datasets.Dataset.from_list,
    "dict of columns": lambda given: pandas.DataFrame(given).to_dict("list"),
}
REPLIES = {
    **{name: lambda replies, make=make: make(rows(replies)) for name, make in ROWS.items()},
    "path": lambda replies: lines("mine.jsonl", rows(replies)),
    "Path": lambda replies: Path(lines("mine.jsonl", rows(replies))),
    "CSV": lambda replies: pandas.DataFrame(rows(replies)).to_csv("mine.csv", index=False) or "mine.csv",
    "by model and id": lambda replies: replies,
    "several": lambda replies: [{"ada": replies["ada"]}, pandas.DataFrame(rows({"bob": replies["bob"]}))],
}
ITEMS = {
    **ROWS,
    "path": lambda given: lines("asked.jsonl", given),
    "CSV": lambda given: pandas.DataFrame(given).to_csv("asked.csv", index=False) or "asked.csv",
}


@pytest.fixture(autouse=True)
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("ours.jsonl").write_bytes(dump(OURS))
    lines("theirs.jsonl", THEIRS)
    for name, items in (("ours", OURS), ("theirs", THEIRS)):
        lines(f"{name}_replies.jsonl", rows(models(items)))


def command(*arguments):
    done = CliRunner().invoke(command_line(), [*arguments, "--json"])
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def nameless(record):
    """A record without the names of its sources, by which alone the same data may differ."""
    text = json.dumps({key: value for key, value in record.items() if key not in ("answers", "items", "files")})
    for name in ("ours_replies.jsonl", "theirs_replies.jsonl", "mine.jsonl", "mine.csv", "answers A", "answers 1"):
        text = text.replace(name, "answers")
    for name in ("ours.jsonl", "theirs.jsonl", "asked.jsonl", "asked.csv", "the items", "theirs", "asked"):
        text = text.replace(name, "items")
    return json.loads(re.sub(r": (line|row) \d+", ": line", text))  # a CSV file has a line of headings


@pytest.mark.parametrize("kind", REPLIES)
def test_replies_of_every_kind_are_scored_as_by_the_command(kind):
    expected = command("score", "ours_replies.jsonl", "--items", "ours.jsonl")
    assert nameless(hansproof.score(REPLIES[kind](models(OURS)), OURS).to_dict()) == nameless(expected)
    assert len(expected["models"]) == 2


@pytest.mark.parametrize("kind", ITEMS)
def test_items_of_every_kind_are_read_as_by_the_command(kind):
    expected = command("score", "theirs_replies.jsonl", "--items", "theirs.jsonl")
    made = hansproof.score(models(THEIRS), ITEMS[kind](THEIRS))
    assert nameless(made.to_dict()) == nameless(expected)
    named = [{"asked": row["prompt"]} | {key: row[key] for key in ("id", "answer")} for row in THEIRS]
    again = hansproof.score(models(THEIRS), ITEMS[kind](named), item_columns={"prompt": "asked"})
    assert nameless(again.to_dict())["models"] == nameless(expected)["models"]


@pytest.mark.parametrize("kind", [*ROWS, "items", "generator"])
def test_our_items_are_known_in_every_kind(kind):
    made = {"items": lambda: OURS, "generator": lambda: iter(OURS)}
    given = made[kind]() if kind in made else ROWS[kind]([item.record() for item in OURS])
    expected = command("score", "ours_replies.jsonl", "--items", "ours.jsonl")
    assert nameless(hansproof.score(models(OURS), given).to_dict()) == nameless(expected)


@pytest.mark.parametrize("kind", REPLIES)
def test_every_kind_is_compared_as_by_the_command(kind):
    if kind == "several":
        return
    expected = command("compare", "ours_replies.jsonl", "--items", "ours.jsonl")
    assert nameless(hansproof.compare(REPLIES[kind](models(OURS)), items=OURS).to_dict()) == nameless(expected)
    two = hansproof.compare({"ada": models(OURS)["ada"]}, by_id(OURS, 7), items=OURS)
    assert (two.a, two.b, two.whole.difference.a) == ("ada", "answers B", expected["parts"][0]["difference"]["a"])


@pytest.mark.parametrize("kind", ["pandas", "Dataset", "list of dicts"])
def test_every_kind_is_analysed_as_by_the_command(kind):
    quick = {"splits": 1, "permutations": 99}
    flags = [text for name, value in quick.items() for text in (f"--{name}", str(value))]
    expected = command("analyse", "theirs_replies.jsonl", "--items", "theirs.jsonl", *flags)
    made = hansproof.analyse(REPLIES[kind](models(THEIRS)), items=ROWS[kind](THEIRS), **quick)
    assert nameless(made.to_dict()) == nameless(expected)
    assert [part["benchmark"] for part in expected["benchmarks"]] == ["theirs"]
    assert len(made.to_frame()) == len(expected["pairs"]) == 2
    assert repr(made).startswith("<Study: 2 models on 1 benchmark, of which the audit shows a shortcut in ")


def test_a_release_in_one_table_has_the_very_items():
    """Where a subset lacks a key of the metadata, a table has null."""
    ours = [dataset("word-problems").item(subset, 5, 0) for subset in ("consistency", "transfer-comparison")]
    assert set(ours[0].metadata) != set(ours[1].metadata)
    table = datasets.Dataset.from_list([item.record() for item in ours])
    assert None in table[1]["metadata"].values()
    replies = {item.id: item.answer for item in ours}
    scores = hansproof.score(replies, table)
    assert list(scores.joined.grid.items) == ours
    assert scores[0].lines[0].right.hits == 2


def one_of(prompt):
    asked = prompt.splitlines()[-1]
    return "0.7" if "confident" in asked else re.search(r"play, (\w) or", asked)[1]


def test_runs_are_measured_from_their_lines_too():
    played = hansproof.run("cognitive-tasks", one_of, subset="restless-bandit", count=2, out="runs.jsonl")
    read = [json.loads(line) for line in Path("runs.jsonl").read_text(encoding="utf-8").splitlines()]
    expected = hansproof.phenotype("runs.jsonl", resamples=100)
    for given in (read, pandas.DataFrame(read), polars.DataFrame(read)):
        assert hansproof.phenotype(given, resamples=100).metrics == expected.metrics
    assert hansproof.phenotype(played, resamples=100, model=expected.name).metrics == expected.metrics


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: hansproof.score(3, OURS), "answers cannot be read from int: pass a path, a pandas or polars"),
        (lambda: hansproof.score([3, 4], OURS), "answers 1 cannot be read from int: pass a path, "),
        (lambda: hansproof.score(OURS, OURS), "answers 1 cannot be read from Item: pass a path, "),
        (lambda: hansproof.score("a.jsonl", 3), "items cannot be read from int: pass a path, "),
        (
            lambda: hansproof.score({}, [OURS[0], 3]),
            "items cannot be read from a list with Item and int: pass a path, ",
        ),
        (lambda: hansproof.compare({"a": "b"}, object()), "answers B cannot be read from object: pass a path, "),
        (lambda: hansproof.analyse(models(THEIRS), items=3), "items cannot be read from int: pass a path, "),
        (lambda: hansproof.phenotype(3), "runs cannot be read from int: pass a path, "),
        (lambda: hansproof.score({"m": {}, "n": "x"}, OURS), "'n' has no replies by id, which 'm' has: pass a path, "),
    ],
)
def test_other_types_are_refused_in_one_line(call, said):
    with pytest.raises(UsageError) as raised:
        call()
    assert str(raised.value).startswith(said)
    assert str(raised.value).endswith("replies also as {id: reply} or {model: {id: reply}}")


def test_what_json_cannot_hold_and_models_without_replies_are_told():
    nested = []
    for _ in range(5000):
        nested = [nested]
    with pytest.raises(InputError, match=r"^answers: line 2: "):
        hansproof.score([{"id": "a", "reply": "b"}, {"id": "c", "reply": nested}], OURS)
    with pytest.raises(InputError, match="the model 'idle' has no replies"):
        hansproof.score({"idle": {}, **models(OURS)}, OURS)
    odd = [{"id": OURS[0].id, "reply": None, "score": 2**70}, {"id": OURS[1].id, "reply": "half \ud83d"}]
    assert hansproof.score(odd, OURS).joined.read.empty == 1
    missing = pandas.DataFrame({"id": [OURS[0].id, OURS[1].id], "reply": ["no", pandas.NA], "epoch": [1, None]})
    assert hansproof.score(missing, OURS).joined.read.empty == 1


def test_results_are_short_on_the_screen_and_whole_in_a_frame():
    scores = hansproof.score(models(OURS), OURS)
    assert repr(scores).startswith(
        "<Scores: ada: 82.5 % right [72.3, 89.5] of 80 items. bob: 95.0 % right [87.4, 98.1] of"
    )
    compared = hansproof.compare(models(OURS), items=OURS)
    assert repr(compared).startswith("<ComparedAnswers: ")
    audited = hansproof.audit(THEIRS, splits=1, permutations=99)
    assert repr(audited) == f"<AuditResult: 'list of dicts', 90 items: {audited.verdict}. {sentence(audited.reason)}>"
    for result, command_ in ((scores, "score"), (compared, "compare")):
        done = CliRunner().invoke(
            command_line(), [command_, "ours_replies.jsonl", "--items", "ours.jsonl", "--csv", "rows.csv", "--force"]
        )
        assert done.exit_code == 0
        table = pandas.read_csv("rows.csv")
        frame = result.to_frame()
        assert list(frame.columns) == list(table.columns)
        assert len(frame) == len(table) > 0
    assert len(audited.to_frame()) == sum(len(scheme.vectors) for scheme in audited.schemes) > 0
    assert audited.page().startswith("<!DOCTYPE html>")
    for result in (scores, compared, audited):
        result.to_html("page.html", force=True)
        assert Path("page.html").read_text("utf-8") == result.page()
        with pytest.raises(InputError, match="exists"):
            result.to_html("page.html")
        html = result._repr_html_()
        assert html.startswith("<p><strong>")
        assert html.count("<table") == 1
        assert len(html) < 100_000
        assert json.loads(json.dumps(result.to_dict(), allow_nan=False)) == result.to_dict()
