"""What looks like a gold and may be none: topics, replies, grades, labels in dispute, columns that are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.reading.loading import Columns, load
from hansproof.generators.errors import InputError

N = 60
TOPICS = ("open_qa", "summary", "chat")


def read(path: Path, *parts: dict[str, tuple[Any, ...]], **named: str) -> Benchmark:
    """N rows as lines; the values of each column take turns, and `{n}` is the number of the row."""
    columns = {name: values for part in parts for name, values in part.items()}
    rows = [{name: _numbered(values[n % len(values)], n) for name, values in columns.items()} for n in range(N)]
    file = path / "rows.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return load(file, Columns(**named))


def _numbered(value: Any, n: int) -> Any:
    return json.loads(json.dumps(value).replace("{n}", str(n)))


ASKED = {"instruction": ("Do no. {n}",)}
REPLY = {"response": ("Done, {n}",)}
TOPIC = {"category": TOPICS}
QUESTION = {"question": ("Is it {n}?",)}
CHAT = {"messages": ([{"role": "user", "content": "Is it {n}?"}, {"role": "assistant", "content": "It is {n}"}],)}
MODEL = {"model": ("m-1",)}


def test_of_an_instruction_with_a_topic_the_response_is_the_answer(tmp_path: Path) -> None:
    benchmark = read(tmp_path, ASKED, {"context": ("", "A text, {n}")}, REPLY, TOPIC)
    assert (benchmark.prompts[1], benchmark.answers[1]) == ("Do no. 1\nA text, 1", "Done, 1")


@pytest.mark.parametrize(
    ("columns", "answer"),
    [
        ([QUESTION, TOPIC], "category"),
        ([QUESTION, REPLY, TOPIC], "category"),
        ([ASKED, {"completion": ("So, {n}",)}, TOPIC], "completion"),
        ([ASKED, REPLY, {"label": ("safe", "unsafe")}], "label"),
        ([QUESTION, {"key": ("yes", "no")}, TOPIC], "key"),
    ],
)
def test_a_topic_is_the_gold_only_where_nothing_else_can_be(tmp_path: Path, columns: Any, answer: str) -> None:
    assert read(tmp_path, *columns).mapping.answer == answer


def test_a_chat_with_a_topic_ends_with_its_gold(tmp_path: Path) -> None:
    benchmark = read(tmp_path, CHAT, TOPIC)
    assert (benchmark.prompts[1], benchmark.answers[1]) == ("Is it 1?", "It is 1")


def test_another_gold_of_a_chat_is_read_with_the_reply_before_it(tmp_path: Path) -> None:
    benchmark = read(tmp_path, CHAT, {"tone": ("rude", "kind")}, answer="tone")
    assert (benchmark.prompts[1], benchmark.answers[1]) == ("Is it 1?\nIt is 1", "kind")


FLAG = (True, False, False)


@pytest.mark.parametrize(
    ("columns", "grade", "replies"),
    [
        ([CHAT, MODEL, {"correct": FLAG}], "correct", None),
        ([CHAT, {"is_correct": FLAG}], "is_correct", "answer"),
        ([CHAT, {"rating": (1, 4.5, 3)}], "rating", "answer"),
        ([CHAT, {"passed": ("True", "False")}], "passed", "answer"),
        ([QUESTION, REPLY, {"correct": FLAG}], "correct", None),
        ([QUESTION, {"output": ("yes", "no"), "score": (0, 1, 1)}], "score", "output"),
        ([QUESTION, MODEL, {"answer": ("yes", "no"), "Is Correct": FLAG}], "Is Correct", "answer"),
    ],
)
def test_graded_replies_have_no_gold_until_one_is_named(
    tmp_path: Path, columns: Any, grade: str, replies: str | None
) -> None:
    with pytest.raises(InputError, match=f"column '{grade}' seems to grade the replies of a model") as caught:
        read(tmp_path, *columns)
    assert (f"--answer {replies}" in str(caught.value)) is (replies is not None)
    for named in filter(None, (grade, replies)):
        assert read(tmp_path, *columns, answer=named).mapping.answer == named


@pytest.mark.parametrize(
    ("columns", "answer"),
    [
        ([QUESTION, REPLY, MODEL, {"correct": FLAG, "answer": ("a", "b")}], "answer"),
        ([CHAT, MODEL, {"correct": FLAG, "answer": ("a", "b")}], "answer"),
        ([QUESTION, {"correct": FLAG}], "correct"),
        ([QUESTION, {"answer": ("a", "b"), "score": (3, 1, 2)}], "answer"),
        ([CHAT, {"correct": ("B", "C")}], "correct"),
    ],
)
def test_a_grade_beside_a_gold_and_a_truth_value_without_a_reply_are_no_doubt(
    tmp_path: Path, columns: Any, answer: str
) -> None:
    assert read(tmp_path, *columns).mapping.answer == answer


PAIR = {"premise": ("It is {n}.",), "hypothesis": ("It is so.",)}


@pytest.mark.parametrize(
    "labels", [{"gold_label": ("yes", "no", "-")}, {"label": ("yes", "no", "-"), "annotator_labels": (["yes", "no"],)}]
)
def test_an_item_on_which_annotators_did_not_agree_is_left_out(tmp_path: Path, labels: Any) -> None:
    benchmark = read(tmp_path, PAIR, labels)
    assert (len(benchmark.answers), {*benchmark.answers}) == (40, {"yes", "no"})
    note = f"left out: 20 rows on whose label annotators did not agree ({benchmark.mapping.answer} is '-')"
    assert note in benchmark.notes


def test_elsewhere_a_dash_is_a_label(tmp_path: Path) -> None:
    assert {*read(tmp_path, QUESTION, {"label": ("+", "-")}).answers} == {"+", "-"}


@pytest.mark.parametrize(
    ("one_name", "other"),
    [("gold", "target"), ("answer", "target"), ("output", "label"), ("Correct Answer", "answer"), ("correct", "truth")],
)
def test_of_two_columns_that_may_be_the_gold_one_is_asked_for(tmp_path: Path, one_name: str, other: str) -> None:
    golds, twice = {one_name: ("a", "b")}, {other: ("x", "y", "z")}
    with pytest.raises(InputError, match="cannot tell whether"):
        read(tmp_path, QUESTION, golds, twice)
    assert read(tmp_path, QUESTION, golds, twice, answer=other).mapping.answer == other
    assert read(tmp_path, QUESTION, golds, {other: ("a", "b")}).answers[:2] == ["a", "b"]
    assert read(tmp_path, golds, twice, prompt=other).mapping.answer == one_name


def test_marks_of_right_and_wrong_beside_another_gold_are_no_gold_for_sure(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot tell whether 'correct' or 'ground_truth' is the answer"):
        read(tmp_path, QUESTION, {"correct": FLAG, "ground_truth": ("a", "b")})


def test_the_answer_that_a_label_judges_is_no_rival_of_it(tmp_path: Path) -> None:
    judged = {"paragraph": ("It is {n}.",), "answer": ("a", "b"), "label": (0, 1, 1)}
    assert read(tmp_path, QUESTION, judged).mapping.answer == "label"


def test_a_column_that_is_named_is_nothing_else(tmp_path: Path) -> None:
    letters = {"a": ("It is {n}", "So is {n}"), "b": ("It was {n}",), "label": ("a", "b", "b")}
    assert read(tmp_path, letters, prompt="a").mapping.choices == ()
    assert read(tmp_path, letters, template="{a} / {b}").mapping.choices == ()
    with pytest.raises(InputError, match="no column looks like the answer"):
        read(tmp_path, QUESTION, TOPIC, group="category")
    judged = {"answer": ("a", "b"), "label": (0, 1, 1)}
    assert read(tmp_path, QUESTION, judged, template="{question} {answer}").mapping.answer == "label"


def test_dialogues_without_questions_do_not_hide_the_others(tmp_path: Path) -> None:
    choice = ["here", "there"]
    asked = [[{"question": "Where?", "choice": choice, "answer": gold}] for gold in choice]
    whole = [[[f"M: Hm, {n}."], asked[n // 2 % 2] if n % 2 else [], f"{n}-1"] for n in range(2 * N)]
    (tmp_path / "a.json").write_text(json.dumps(whole), encoding="utf-8")
    benchmark = load(tmp_path / "a.json")
    assert (len(benchmark.prompts), benchmark.left_out) == (N, ())
