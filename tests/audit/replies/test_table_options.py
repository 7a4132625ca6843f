"""Tables of answers that hold their items: options in columns, golds called as verdicts, and no golds at all."""

import csv
import json

import pytest

from hansproof import score
from hansproof.audit.replies.reply_files import ReplyColumns, read_replies
from hansproof.generators.errors import InputError

ROWS = [
    ("Which city is it?", ("Rome", "Paris", "Oslo", "Lima"), "B", "I think it is Paris.", True),
    ("Which river is it?", ("Nile", "Rhine", "Ebro", "Po"), "D", "Answer: A", False),
    ("Which metal is it?", ("iron", "lead", "tin", "zinc"), "C", "C", True),
    ("Which bird is it?", ("wren", "robin", "crow", "owl"), "A", "It must be the crow.", False),
    ("Which tree is it?", ("oak", "elm", "ash", "fir"), "C", "**ash**", True),
]


def table(path, heads=("A", "B", "C", "D"), **more):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["question", *heads, "answer", "model", "response", "is_correct", *more])
        writer.writerows([asked, *options, gold, "m", said, right, *more.values()]
                         for asked, options, gold, said, right in ROWS)  # fmt: skip
    return path


@pytest.mark.parametrize(
    "heads",
    [
        ("A", "B", "C", "D"),
        ("option_a", "option_b", "option_c", "option_d"),
        ("choice1", "choice2", "choice3", "choice4"),
    ],
)
def test_columns_with_an_option_each_are_the_choices(tmp_path, heads):
    path = table(tmp_path / "t.csv", heads)
    for reply, (_, options, gold, said, right) in zip(read_replies(path), ROWS, strict=True):
        assert (reply.choices, reply.golds) == (options, (options["ABCD".index(gold)],))
        assert (reply.reply, reply.judged) == (said, right)
    (report,) = score(path)
    line = report.lines[0]
    assert (line.right.hits, line.unclear, line.chance["answer"]) == (3, 0, 0.25)
    assert (report.harness.both, report.harness.neither) == (3, 2)  # the verdicts in the table say the same


def test_a_column_with_a_list_of_options_and_a_letter_for_the_gold(tmp_path):
    rows = [{"question": asked, "choices": options, "answer": gold, "model": "m", "response": said}
            for asked, options, gold, said, _ in ROWS]  # fmt: skip
    path = tmp_path / "t.json"
    for write in (list, json.dumps):
        path.write_text(json.dumps([row | {"choices": write(row["choices"])} for row in rows]))
        assert [reply.golds for reply in read_replies(path)] == [("Paris",), ("Po",), ("tin",), ("wren",), ("ash",)]
        assert score(path)[0].lines[0].right.hits == 3


def test_columns_of_models_are_no_options(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("question,a,b,gold\nIs it?,yes,no,yes\nIs that?,no,no,no\n")
    read = list(read_replies(path, ReplyColumns(replies=("a", "b"))))
    assert {reply.choices for reply in read} == {()}
    assert [report.lines[0].right.hits for report in score(path, reply_columns=["a", "b"])] == [2, 1]


def test_golds_may_stand_under_the_name_of_a_verdict(tmp_path):
    path = tmp_path / "wide.csv"
    golds = "BDCACB"
    said = {"x": "BDCAAA", "y": "ADDACB"}
    lines = [f"Which is number {n}?,{','.join(each)}" for n, each in enumerate(zip(*said.values(), golds, strict=True))]
    path.write_text("\n".join(["question,x,y,correct", *lines]) + "\n")
    reports = score(path, reply_columns=["x", "y"])
    assert [report.lines[0].right.hits for report in reports] == [
        sum(own == gold for own, gold in zip(given, golds, strict=True)) for given in said.values()
    ] == [4, 4]  # fmt: skip
    assert all(reply.judged is None for reply in read_replies(path, ReplyColumns.of({"reply": "x"})))


@pytest.mark.parametrize(
    "marks", ["1,0,1", "yes,no,yes", "True,False,True", "C,I,C", "1,maybe,0.5", "right,wrong,yes", "pass,fail,pass"]
)
def test_verdicts_stay_verdicts(tmp_path, marks):
    path = tmp_path / "t.csv"
    rows = [f"{n},x,x,{mark}\n" for n, mark in enumerate(marks.split(","))]
    path.write_text("".join(["id,response,gold,correct\n", *rows]))
    first = next(iter(read_replies(path)))
    assert (first.golds, first.judged) == (("x",), True)


def test_a_table_without_golds_and_verdicts_says_which_options_name_them(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("question,x,y,key\nWhich is it?,A,B,A\nWhich is that?,B,B,B\n")
    message = r"wide\.csv: the answers hold no gold answers and no verdicts, .*gold=NAME.*judged=NAME.*--items"
    with pytest.raises(InputError, match=message):
        score(path, reply_columns=["x", "y"])
    reports = score(path, reply_columns=["x", "y"], columns={"gold": "key"})
    assert [report.lines[0].right.hits for report in reports] == [2, 1]
