"""Options in another order, in the source's own form; what cannot be written so is refused with its reason."""

from __future__ import annotations

import csv
import io
import json
import random

import made_options
import pytest

from hansproof.audit.reading.loading import hold, load
from hansproof.audit.reading.roles import Columns
from hansproof.audit.repair.records import Removal
from hansproof.audit.repair.reordering import SourceRows, UnwritableError, with_options_in_order

MADE = made_options.rows(40)
LETTERS = "ABCD"


def asked(row, **more):
    return {"question": row["question"], **more}


def lettered(row):
    return [f"{letter}) {text}" for letter, text in zip(LETTERS, row["choices"], strict=True)]


def as_objects(row):
    return [{"text": text, "label": letter} for letter, text in zip(LETTERS, row["choices"], strict=True)]


def in_columns(row, stem, names):
    return {f"{stem}{name}": text for name, text in zip(names, row["choices"], strict=True)}


SHAPES = {
    "a list and an index": dict,
    "an index from 1": lambda row: {**row, "answer": row["answer"] + 1},
    "an index that is a float": lambda row: {**row, "answer": float(row["answer"])},
    "a letter": lambda row: {**row, "answer": LETTERS[row["answer"]]},
    "a letter in brackets": lambda row: {**row, "answer": f"({LETTERS[row['answer']].lower()})"},
    "the text": lambda row: {**row, "answer": row["choices"][row["answer"]]},
    "the text behind its letter": lambda row: {
        **row, "answer": f"{LETTERS[row['answer']]}. {row['choices'][row['answer']]}"
    },
    "a 0 or 1 for each": lambda row: {**row, "answer": [int(place == row["answer"]) for place in range(4)]},
    "objects": lambda row: asked(row, choices=as_objects(row), answer=LETTERS[row["answer"]]),
    "objects with flags": lambda row: asked(
        row,
        choices=[{"text": text, "is_correct": n == row["answer"]} for n, text in enumerate(row["choices"])],
        answer="-",
    ),
    "ARC": lambda row: asked(
        row, choices={"text": row["choices"], "label": list(LETTERS)}, answerKey=LETTERS[row["answer"]]
    ),
    "ARC as released": lambda row: {
        "question": {"stem": row["question"], "choices": as_objects(row)},
        "answerKey": LETTERS[row["answer"]],
    },
    "letters to texts": lambda row: asked(
        row, options=dict(zip(LETTERS, row["choices"], strict=True)), answer=LETTERS[row["answer"]]
    ),
    "texts to scores": lambda row: {
        "input": row["question"],
        "target_scores": {text: int(n == row["answer"]) for n, text in enumerate(row["choices"])},
    },
    "lettered texts": lambda row: asked(row, options=lettered(row), correct=LETTERS[row["answer"]]),
    "lettered columns": lambda row: asked(row, **in_columns(row, "", LETTERS), answer=LETTERS[row["answer"]]),
    "numbered columns": lambda row: asked(row, **in_columns(row, "sol", "1234"), label=row["answer"]),
    "names of columns": lambda row: asked(
        row, **in_columns(row, "option", "1234"), answer=f"option{row['answer'] + 1}"
    ),
    "a list as JSON": lambda row: {**row, "choices": json.dumps(row["choices"])},
    "a list as Python": lambda row: {**row, "choices": repr(row["choices"])},
}  # fmt: skip


def written(tmp_path, form, rows):
    """The rows as a source of one form."""
    if form == "rows":
        return rows
    file = tmp_path / f"bench.{form}"
    if form == "csv":
        with file.open("w", encoding="utf-8", newline="") as out:
            table = csv.DictWriter(out, rows[0])
            table.writeheader()
            table.writerows(rows)
    else:
        lines = "".join(json.dumps(row) + "\n" for row in rows) if form == "jsonl" else json.dumps(rows)
        file.write_text(lines, encoding="utf-8")
    return hold(file)


def orders_for(benchmark):
    drawn = random.Random(3)
    return {n: drawn.sample(range(len(texts)), len(texts)) for n, texts in enumerate(benchmark.options.texts)}


def reordered(source, orders=None):
    """The refusal, the orders, and the bytes of all rows with the options of all items in other orders."""
    benchmark, rows = load(source), SourceRows(source, Columns())
    orders = orders or orders_for(benchmark)
    refusal = rows.refusal(benchmark, orders)
    changes = [
        Removal(id="", place=benchmark.places[n], part="chosen", step=1, why="", order=order)
        for n, order in orders.items()
    ]
    return refusal, orders, rows.written(benchmark.places, changes)


@pytest.mark.parametrize("form", ["jsonl", "json", "csv", "rows"])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_read_again_with_the_same_right_options_in_other_places(tmp_path, form, shape):
    rows = [SHAPES[shape](row) for row in MADE]
    if form == "csv" and any(isinstance(value, (list, dict)) for value in rows[0].values()):
        return  # a table holds texts
    refusal, orders, data = reordered(written(tmp_path, form, rows))
    assert refusal == ""
    file = tmp_path / ("out.csv" if form == "csv" else "out.jsonl")
    file.write_bytes(data)
    options = load(str(file)).options
    for n, row in enumerate(MADE):
        assert options.texts[n] == [row["choices"][place] for place in orders[n]]
        assert options.texts[n][options.gold[n]] == row["choices"][row["answer"]]


def test_lines_keep_their_style_and_rows_that_stay_keep_their_bytes(tmp_path):
    lines = [json.dumps({**row, "no": 1.5e300}, separators=(",", ":")) for row in MADE]
    lines[1] = json.dumps({**MADE[1], "name": "Zoë"}, ensure_ascii=False)
    lines[2] = lines[2].replace('"no":1.5e+300', '"no" : 15e299 ')
    file = tmp_path / "bench.jsonl"
    file.write_bytes("\r\n".join(lines).encode())
    turned = {0: [3, 2, 1, 0], 1: [1, 0, 2, 3]}
    refusal, _, data = reordered(hold(file), turned)
    assert refusal == ""
    now = data.decode().split("\r\n")
    texts = MADE[0]["choices"]
    assert now[0] == lines[0].replace(json.dumps(texts, separators=(",", ":")),
                                      json.dumps(texts[::-1], separators=(",", ":"))).replace(
        f'"answer":{MADE[0]["answer"]}', f'"answer":{3 - MADE[0]["answer"]}')  # fmt: skip
    assert "Zoë" in now[1]
    assert now[2:] == lines[2:]


def test_a_table_keeps_its_delimiter_its_endings_and_its_mark(tmp_path):
    rows = [{**SHAPES["numbered columns"](row), "note": 'a "quoted"; note\nof two lines'} for row in MADE]
    out = io.StringIO()
    table = csv.DictWriter(out, rows[0], delimiter=";")
    table.writeheader()
    table.writerows(rows)
    file = tmp_path / "bench.csv"
    file.write_bytes(b"\xef\xbb\xbf" + out.getvalue().encode())
    refusal, orders, data = reordered(hold(file), {5: [1, 0, 2, 3]})
    assert refusal == ""
    texts = [row["choices"] for row in MADE][5]
    assert data.startswith(b"\xef\xbb\xbfquestion;sol1")
    old, new = (";".join(order) for order in (texts, [texts[1], texts[0], *texts[2:]]))
    gold = orders[5].index(MADE[5]["answer"])
    moved = file.read_text("utf-8-sig").replace(f"{old};{MADE[5]['answer']}", f"{new};{gold}")
    assert data.decode("utf-8-sig").replace("\r\n", "\n") == moved.replace("\r\n", "\n")
    assert data.count(b"\r\n") == file.read_bytes().count(b"\r\n")


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        (
            lambda row: asked(row, options=" ".join(lettered(row)), correct=LETTERS[row["answer"]]),
            "the options stand in one text, in a form that cannot be kept",
        ),
        (
            lambda row: {"question": "\n".join([row["question"], *lettered(row)]), "answer": LETTERS[row["answer"]]},
            "the prompts print the options",
        ),
        (
            lambda row: {**row, "answer": LETTERS[row["answer"]], "answer_idx": row["answer"]},
            "column 'answer_idx' tells the place of the right option too",
        ),
        (
            lambda row: {**row, "more": {"gold": LETTERS[row["answer"]]}},
            "column 'more.gold' tells the place of the right option too",
        ),
        (
            lambda row: {**row, "why": f"It is said so. The answer is {LETTERS[row['answer']]}."},
            "column 'why' names options by their letters or numbers",
        ),
        (
            lambda row: {**row, "why": [f"because {n}" for n in range(4)]},
            "column 'why' has an entry for each option, whose order would no longer be theirs",
        ),
        (
            lambda row: asked(row, choices={"text": row["choices"], "sources": list("wxyz")}, answer=row["answer"]),
            "the list 'sources' beside the options would have to be reordered with them",
        ),
    ],
)
def test_what_would_be_wrong_afterwards_is_refused_and_nothing_is_changed(tmp_path, shape, said):
    source = written(tmp_path, "jsonl", [shape(row) for row in MADE])
    refusal, _, data = reordered(source)
    assert refusal == said
    assert data == source.data


def test_a_letter_before_the_text_of_the_answer_moves_with_it():
    row = {"c": ["fish", "bird", "cow"], "a": "A. fish"}
    assert with_options_in_order(row, ["c"], "a", [1, 2, 0], 0, points=False) == {
        "c": ["bird", "cow", "fish"],
        "a": "C. fish",
    }


def test_half_a_surrogate_pair_is_written_as_it_came(tmp_path):
    rows = [{**row, "choices": [f"{text} \ud800" for text in row["choices"]], "more": "\udfff"} for row in MADE]
    refusal, orders, data = reordered(written(tmp_path, "jsonl", rows))
    assert refusal == ""
    now = [json.loads(line) for line in data.splitlines()]
    assert now[3]["choices"] == [rows[3]["choices"][place] for place in orders[3]]
    assert now[3]["more"] == "\udfff"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"c": ["a", "b"], "a": "neither"}, "the answers point at options in a form that cannot be changed"),
        ({"c": ["a"], "a": 0}, "the options of a row are not where those of the others are"),
        ({"c": 7, "a": 0}, "the options of a row are not where those of the others are"),
        ({"c": ["a", None], "a": 0}, "the options of a row are not where those of the others are"),
        ({"c": ["a", "b"], "a": True}, "in a form that cannot be changed"),
        ({"c": ["a", "b"], "a": "z" * 10**6}, "in a form that cannot be changed"),
        ({"c": "[" * 100_000, "a": 0}, "the options of a row are not where"),
        ({"c": ["a", "b"], "a": "Z"}, "by letters that do not follow each other"),
    ],
)
def test_a_hostile_row_is_refused(row, said):
    with pytest.raises(UnwritableError, match=said):
        with_options_in_order(row, ["c"], "a", [1, 0], 0, points=True)
