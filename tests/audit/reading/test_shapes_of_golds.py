"""Golds in every place that published files put them: scores, flags, names of columns, nested objects."""

from typing import Any

import pytest

from hansproof.audit.benchmark import Options
from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.reading.task_kind import kind
from hansproof.generators.errors import InputError

N = 40


def options(n: int, k: int = 4) -> list[str]:
    return [f"{word} number {n}" for word in ("fish", "bird", "cow", "horse")[:k]]


def question(n: int) -> dict[str, Any]:
    return {"question": f"Which {n}?"}


def bits(n: int, k: int = 4) -> list[int]:
    return [int(place == n % k) for place in range(k)]


def truthful_qa(n: int) -> dict[str, Any]:
    return question(n) | {"mc1_targets": {"choices": options(n), "labels": bits(n)}}


def truthful_qa_in_csv(n: int) -> dict[str, Any]:
    texts = ", ".join(map(repr, options(n)))
    return question(n) | {"mc1_targets": f"{{'choices': array([{texts}], dtype=object), 'labels': array({bits(n)})}}"}


def big_bench_rows(n: int) -> dict[str, Any]:
    return {"input": f"Which {n}?", "target_scores": dict(zip(options(n), bits(n), strict=True))}


def one_hot(n: int) -> dict[str, Any]:
    return question(n) | {"choices": options(n), "labels": bits(n)}


def one_hot_as_answer(n: int) -> dict[str, Any]:
    return question(n) | {"choices": options(n), "answer": [float(bit) for bit in bits(n)]}


def one_hot_in_csv(n: int) -> dict[str, Any]:
    return question(n) | {"choices": repr(options(n)), "answer": str(bits(n))}


def flagged_choices(n: int) -> dict[str, Any]:
    return question(n) | {"choices": [{"text": text, "correct": bool(bit)} for text, bit in zip(options(n), bits(n))]}


def flagged_answers(n: int) -> dict[str, Any]:
    return question(n) | {
        "answers": [{"text": text, "is_correct": bool(bit)} for text, bit in zip(options(n), bits(n))]
    }


def arc_as_published(n: int) -> dict[str, Any]:
    choices = [{"text": text, "label": letter} for text, letter in zip(options(n), "ABCD", strict=True)]
    return {"id": f"Q{n}", "question": {"stem": f"Which {n}?", "choices": choices}, "answerKey": "ABCD"[n % 4]}


def flattened_arc(n: int) -> dict[str, Any]:
    labels = list("ABCD") if n % 3 else list("1234")
    return question(n) | {"choices.text": options(n), "choices.label": labels, "answerKey": labels[n % 4]}


def med_qa(n: int) -> dict[str, Any]:
    pairs = [{"key": letter, "value": text} for letter, text in zip("ABCD", options(n), strict=True)]
    return question(n) | {"options": pairs, "answer_idx": "ABCD"[n % 4], "answer": options(n)[n % 4]}


def names_of_columns(n: int) -> dict[str, Any]:
    return question(n) | {f"option{k}": text for k, text in enumerate(options(n), 1)} | {"answer": f"option{n % 4 + 1}"}


def letters_of_arrow(n: int) -> dict[str, Any]:
    return question(n) | {"options": {**dict(zip("ABCD", options(n), strict=True)), "E": None}, "answer": "ABCD"[n % 4]}


def padded_lists(n: int) -> dict[str, Any]:
    return question(n) | {"choices": [*options(n), None], "answer": n % 4}


def numbers_by_letter(n: int) -> dict[str, Any]:
    return question(n) | {"options": {letter: 7 * n + k for k, letter in enumerate("ABCD")}, "answer": "ABCD"[n % 4]}


def math_qa(n: int) -> dict[str, Any]:
    texts = " , ".join(f"{letter} ) {text}" for letter, text in zip("abcd", options(n), strict=True))
    return {"Problem": "", "question": f"Which {n}?", "options": texts, "correct": "abcd"[n % 4]}


def lines_in_a_cell(n: int) -> dict[str, Any]:
    texts = "\n".join(f"({letter}) {text}" for letter, text in zip("ABCD", options(n), strict=True))
    return question(n) | {"choices": texts, "answer": "ABCD"[n % 4]}


def gpqa(n: int) -> dict[str, Any]:
    wrong = {f"Incorrect Answer {k}": text for k, text in enumerate(options(n)[1:], 1)}
    return {"Question": f"Which {n}?", "Correct Answer": options(n)[0], **wrong}


def asked_below(n: int) -> dict[str, Any]:
    a, b, c, d = options(n)
    return {"prompt": f"A) {a} B) {b} C) {c} D) {d}\nWhich {n}?", "answer": "ABCD"[n % 4]}


def asked_behind(n: int) -> dict[str, Any]:
    a, b, c, d = options(n)
    return {"prompt": f"Options: (A) {a} (B) {b} (C) {c} (D) {d} Question: Which {n}?", "answer": "ABCD"[n % 4]}


ALWAYS_FIRST = {gpqa}


def read(rows: list[dict[str, Any]], columns: Columns | None = None) -> Options:
    benchmark = load(rows, columns)
    assert kind(benchmark).name == "per-item"
    assert benchmark.options is not None
    return benchmark.options


@pytest.mark.parametrize(
    "shape",
    [
        truthful_qa, truthful_qa_in_csv, big_bench_rows, one_hot, one_hot_as_answer, one_hot_in_csv, flagged_choices,
        flagged_answers, arc_as_published, flattened_arc, med_qa, names_of_columns, letters_of_arrow, padded_lists,
        math_qa, lines_in_a_cell, gpqa, asked_below, asked_behind,
    ],
    ids=lambda shape: shape.__name__,
)  # fmt: skip
def test_every_shape_gives_the_same_options_and_golds(shape: Any) -> None:
    seen = read([shape(n) for n in range(N)])
    assert seen.refusal == ""
    assert seen.texts == [options(n) for n in range(N)]
    assert seen.gold == [0 if shape in ALWAYS_FIRST else n % 4 for n in range(N)]


def test_numbers_beside_letters_are_options_and_no_scores() -> None:
    seen = read([numbers_by_letter(n) for n in range(N)])
    assert (seen.texts[5], seen.gold[5]) == (["35", "36", "37", "38"], 1)


def test_the_question_on_the_line_of_its_options_is_not_part_of_the_last_one() -> None:
    assert read([asked_below(n) for n in range(N)]).questions[3] == "Which 3?"
    assert read([asked_behind(n) for n in range(N)]).questions[3] == "Options:\nQuestion: Which 3?"


@pytest.mark.parametrize(
    "form", ["Take (a) fish {0} (b) bird {0}. Which is {0}?", "A: fish {0}, B: bird {0}. Which {0}?"]
)
def test_a_last_option_ends_before_the_question_on_its_line(form: str) -> None:
    seen = read([{"prompt": form.format(n), "answer": "ab"[n % 2]} for n in range(N)])
    assert (seen.texts[3], seen.refusal) == (["fish 3", "bird 3"], "")
    assert seen.questions[3].endswith("Which is 3?" if "Take" in form else "Which 3?")


def test_a_last_option_that_asks_is_refused_where_options_are_sentences() -> None:
    form = "Take (a) fish {0}. Or so. (b) bird {0}. Which is {0}?"
    rows = [{"prompt": form.format(n), "answer": "ab"[n % 2]} for n in range(N)]
    assert "where the last one ends" in read(rows).refusal


@pytest.mark.parametrize("gold", ["①②③④", "1234"])
@pytest.mark.parametrize("between", [" ", "", "\n"])
def test_circled_numbers_are_marks(gold: str, between: str) -> None:
    def printed(n: int) -> str:
        return between.join(["Which?", *(f"{mark} {text}" for mark, text in zip("①②③④", options(n)))])

    seen = read([{"prompt": printed(n), "answer": gold[n % 4]} for n in range(N)])
    assert (seen.texts[2], seen.gold[:5]) == (options(2), [0, 1, 2, 3, 0])


def test_scored_golds_that_always_come_first_have_no_order() -> None:
    first = [question(n) | {"mc1_targets": {"choices": options(n), "labels": [1, 0, 0, 0]}} for n in range(N)]
    assert read(first).ordered is False
    assert read([truthful_qa(n) for n in range(N)]).ordered is True


def test_an_item_with_several_right_options_is_left_out_and_aliases_are_not() -> None:
    rows = [question(n) | {"choices": options(n), "answer": ["ABCD"[n % 4]]} for n in range(N)]
    rows[3]["answer"], rows[4]["answer"] = ["A", "B"], ["A", options(4)[0], "something else"]
    rows[5]["answer"] = ["B", "five"]
    seen = read(rows)
    assert {n: fault for n, fault in enumerate(seen.faults) if fault} == {3: "several options are right"}
    assert seen.gold[4:6] == [0, 1]


def test_flags_of_several_options_are_left_out_with_their_reason() -> None:
    rows = [one_hot(n) for n in range(N)]
    rows[3]["labels"], rows[4]["labels"] = [1, 1, 0, 0], [0, 0, 0, 0]
    left = {row.place: row.reason for row in load(rows).left_out}
    assert left == {"row 4": "several options are right", "row 5": "no option is right"}


def test_options_that_cannot_be_read_are_not_audited_as_labels() -> None:
    rows = [question(n) | {"choices": "; ".join(options(n)), "answer": "ABCD"[n % 4]} for n in range(N)]
    seen = read(rows)
    assert "'choices' seems to hold the options" in seen.refusal
    assert "JSON" in seen.refusal
    assert "--task fixed" in seen.refusal


def test_lists_of_lists_and_of_single_options_are_not_audited_as_labels() -> None:
    several = [
        {
            "article": f"A text {n}.",
            "questions": ["a?", "b?"],
            "options": [options(n), options(n + 1)],
            "answers": ["AB"[n % 2]],
        }
        for n in range(N)
    ]
    single = [question(n) | {"choices": [f"only one {n}"], "answer": "AB"[n % 2]} for n in range(N)]
    for rows in (several, single):
        assert "no lists of at least two texts" in read(rows).refusal


def test_a_column_of_few_values_named_like_options_takes_no_labels_away() -> None:
    rows = [question(n) | {"options": ("yes or no", "a or b")[n % 2], "answer": "AB"[n % 2]} for n in range(N)]
    benchmark = load(rows)
    assert (benchmark.options, kind(benchmark).name) == (None, "fixed")


def test_golds_that_name_no_option_are_called_that() -> None:
    hidden = load([question(n) | {"choices": options(n), "label": -1} for n in range(N)])
    assert hidden.options is not None
    assert set(hidden.options.faults) == {"the gold is none of the options"}


def test_an_object_as_the_answer_says_how_to_take_a_part_of_it() -> None:
    rows = [question(n) | {"choices": options(n), "answer": {"label": "A", "text": options(n)[0]}} for n in range(N)]
    with pytest.raises(InputError, match="answer is an object, not a label: --answer-part takes a part of it"):
        load(rows)
    assert load(rows, Columns(answer_part="key:label")).answers[0] == "A"
