"""Options of every published shape are read with their golds; what is ambiguous or broken is said to be so."""

from __future__ import annotations

from typing import Any

import pytest

from hansproof.audit.benchmark import Options
from hansproof.audit.reading.given_options import from_cell, printed_options
from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.reading.task_kind import kind
from hansproof.generators.errors import InputError, UsageError

N = 40
WORDS = "fish bird cow horse"


def option(n: int, place: int) -> str:
    return f"{WORDS.split()[place]} number {n}"


def options(n: int, k: int = 4) -> list[str]:
    return [option(n, place) for place in range(k)]


def lettered(n: int, names: list[str]) -> dict[str, str]:
    return dict(zip(names, options(n, len(names)), strict=True))


def mmlu(n: int) -> dict[str, Any]:
    return {"question": f"Which {n}?", "subject": "anatomy", "choices": options(n), "answer": n % 4}


def arc(n: int) -> dict[str, Any]:
    marks = list("ABCD") if n % 3 else list("1234")
    return {
        "id": f"Q_{n}",
        "question": f"Which {n}?",
        "choices": {"text": options(n), "label": marks},
        "answerKey": marks[n % 4],
    }


def hellaswag(n: int) -> dict[str, Any]:
    return {
        "ind": n,
        "activity_label": "Baking",
        "ctx_a": f"A man {n}.",
        "ctx_b": "he",
        "ctx": f"A man {n}. he",
        "endings": options(n),
        "source_id": f"v{n}",
        "split_type": "indomain",
        "label": str(n % 4),
    }


def copa(n: int) -> dict[str, Any]:
    ask = ("cause", "effect")[n % 2]
    return {"premise": f"It rained {n}.", "question": ask, "idx": n, "label": n % 2} | lettered(
        n, ["choice1", "choice2"]
    )


def winogrande(n: int) -> dict[str, Any]:
    return {"sentence": f"Ann {n} hit the _ .", "answer": str(1 + n % 2)} | lettered(n, ["option1", "option2"])


def alpha_nli(n: int) -> dict[str, Any]:
    return {"story_id": f"s{n}", "obs1": f"It was {n}.", "obs2": "It went.", "label": str(1 + n % 2)} | lettered(
        n, ["hyp1", "hyp2"]
    )


def cosmos_qa(n: int) -> dict[str, Any]:
    names = [f"answer{place}" for place in range(4)]
    return {"id": f"c{n}", "context": f"A long story {n}.", "question": "Why?", "label": n % 4} | lettered(n, names)


def piqa(n: int) -> dict[str, Any]:
    return {"goal": f"Open jar {n}", "label": n % 2} | lettered(n, ["sol1", "sol2"])


def columns_of_letters(n: int) -> dict[str, Any]:
    return {"question": f"Which {n}?", "answer": "ABCD"[n % 4]} | lettered(n, list("ABCD"))


def medmcqa(n: int) -> dict[str, Any]:
    return {"question": f"Which {n}?", "cop": n % 4} | lettered(n, ["opa", "opb", "opc", "opd"])


def social_iqa(n: int) -> dict[str, Any]:
    return {"context": f"Ann {n}.", "question": "Why?", "label": str(1 + n % 3)} | lettered(
        n, ["answerA", "answerB", "answerC"]
    )


def letters_to_texts(n: int) -> dict[str, Any]:
    return {"question": f"Which {n}?", "options": lettered(n, list("ABCD")), "answer": "ABCD"[n % 4]}


def aqua(n: int) -> dict[str, Any]:
    texts = [f"{letter}){text}" for letter, text in zip("ABCD", options(n), strict=True)]
    return {"question": f"Which {n}?", "options": texts, "correct": "ABCD"[n % 4]}


def gold_as_text(n: int) -> dict[str, Any]:
    return {"question": f"Which {n}?", "options": options(n), "answer": option(n, n % 4).upper()}


def on_lines(n: int) -> dict[str, Any]:
    texts = "\n".join(f"{letter}. {text}" for letter, text in zip("ABCD", options(n), strict=True))
    return {"prompt": f"Which {n}?\n{texts}\nAnswer:", "answer": f"({'ABCD'[n % 4]})"}


def on_one_line(n: int) -> dict[str, Any]:
    texts = " ".join(f"({place}) {text}" for place, text in enumerate(options(n), 1))
    return {"prompt": f"Which {n}? {texts}\nAnswer:", "answer": str(1 + n % 4)}


def printed_with_text(n: int) -> dict[str, Any]:
    return {**on_lines(n), "answer": option(n, n % 4)}


def printed_and_listed(n: int) -> dict[str, Any]:
    return {**on_lines(n), "choices": options(n), "answer": option(n, n % 4)}


SHAPES = {
    mmlu: (4, "choices", "index that starts from 0"),
    arc: (4, "choices", "letter or number that its options have"),
    hellaswag: (4, "endings", "index that starts from 0"),
    copa: (2, "'choice1', 'choice2'", "index that starts from 0"),
    winogrande: (2, "'option1', 'option2'", "letter or number that its options have"),
    alpha_nli: (2, "'hyp1', 'hyp2'", "letter or number that its options have"),
    cosmos_qa: (4, "'answer0'", "letter or number that its options have"),
    piqa: (2, "'sol1', 'sol2'", "index that starts from 0"),
    columns_of_letters: (4, "'A', 'B', 'C', 'D'", "letter or number that its options have"),
    medmcqa: (4, "'opa'", "index that starts from 0"),
    social_iqa: (3, "'answerA'", "index that starts from 1"),
    letters_to_texts: (4, "options", "letter or number that its options have"),
    aqua: (4, "options", "letter or number that its options have"),
    gold_as_text: (4, "options", "text of an option"),
    on_lines: (4, "printed in the prompt", "letter or number"),
    on_one_line: (4, "printed in the prompt", "letter or number"),
    printed_with_text: (4, "printed in the prompt", "text of an option"),
    printed_and_listed: (4, "choices", "text of an option"),
}


def read(rows: list[dict[str, Any]], columns: Columns | None = None) -> Options:
    benchmark = load(rows, columns)
    assert kind(benchmark).name == "per-item"
    assert benchmark.options is not None
    return benchmark.options


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_every_shape_gives_the_same_options_and_golds(shape: Any) -> None:
    k, where, how = SHAPES[shape]
    seen = read([shape(n) for n in range(N)])
    assert seen.texts == [options(n, k) for n in range(N)]
    assert seen.gold == [n % k for n in range(N)]
    assert (seen.refusal, set(seen.faults), seen.ordered) == ("", {""}, True)
    assert where in seen.how
    assert how in seen.how


def test_the_question_is_the_prompt_without_its_options() -> None:
    for shape in (on_lines, on_one_line, printed_and_listed):
        assert read([shape(n) for n in range(N)]).questions[7] == "Which 7?\nAnswer:"
    assert read([arc(n) for n in range(N)]).questions[7] == "Which 7?"


def test_items_may_have_different_numbers_of_options() -> None:
    rows = [{"question": f"Which {n}?", "choices": options(n, 2 + n % 3), "answer": n % 2} for n in range(N)]
    assert [len(texts) for texts in read(rows).texts[:3]] == [2, 3, 4]


def test_a_missing_option_leaves_its_letter_to_nobody() -> None:
    rows = [columns_of_letters(n) | ({"B": ""} if n % 4 == 3 else {}) for n in range(N)]
    seen = read(rows)
    assert seen.texts[3] == [option(3, 0), option(3, 2), option(3, 3)]
    assert seen.gold[3] == 2


def test_golds_that_fit_two_readings_are_refused() -> None:
    rows = [{"question": f"Which {n}?", "choices": options(n), "answer": 1 + n % 3} for n in range(N)]
    refused = load(rows).options
    assert refused is not None
    assert "two ways that name different options" in refused.refusal
    assert refused.usable == []


@pytest.mark.parametrize(
    ("fault", "row"),
    [
        ("the gold is none of the options", {"answer": 9}),
        ("two options are equal", {"choices": ["a cow", "A  cow", "b", "c"]}),
        ("fewer than two options", {"choices": ["a cow"]}),
        ("an option is empty", {"choices": ["a cow", " ", "b", "c"]}),
        ("more than 26 options", {"choices": [f"cow {k}" for k in range(27)]}),
    ],
)
def test_an_item_that_cannot_be_used_says_why(fault: str, row: dict[str, Any]) -> None:
    seen = read([mmlu(n) | (row if n == 5 else {}) for n in range(N)])
    assert (seen.faults[5], seen.gold[5]) == (fault, -1)
    assert seen.usable == [n for n in range(N) if n != 5]


def test_columns_can_be_named() -> None:
    rows = [{"text": f"Which {n}?", "right": n % 2, "x": option(n, 0), "y": option(n, 1)} for n in range(N)]
    named = Columns(prompt="text", answer="right", choices="x, y")
    benchmark = load(rows, named)
    assert benchmark.mapping.choices == ("x", "y")
    assert "choices" not in benchmark.mapping.guessed
    assert read(rows, named).gold[:3] == [0, 1, 0]


def test_a_column_that_cannot_be_used_is_refused_by_name() -> None:
    rows = [mmlu(n) for n in range(N)]
    with pytest.raises(InputError, match="'nil'"):
        load(rows, Columns(choices="choices,nil"))
    with pytest.raises(InputError, match="column 'subject' does not hold lists of options"):
        load(rows, Columns(choices="subject"))
    with pytest.raises(UsageError, match="names a column twice"):
        load(rows, Columns(choices="subject,subject"))
    with pytest.raises(UsageError, match="choices is empty"):
        load(rows, Columns(choices=" , "))


def test_a_gold_that_is_always_first_is_no_constant_answer() -> None:
    seen = read([{**mmlu(n), "answer": 0} for n in range(N)])
    assert set(seen.gold) == {0}


def test_the_column_of_golds_among_the_options_has_no_order() -> None:
    names = ("correct_answer", "distractor1", "distractor2", "distractor3")
    rows = [{"question": f"Which {n}?", **dict(zip(names, options(n), strict=True))} for n in range(N)]
    assert read(rows).ordered is False


def test_options_before_the_question_on_one_line_are_refused() -> None:
    rows = [{"prompt": f"(a) fish {n} (b) bird {n} Which is {n}?", "answer": "ab"[n % 2]} for n in range(N)]
    refused = load(rows).options
    assert refused is not None
    assert "where the last one ends" in refused.refusal


def test_options_of_several_lines_end_at_a_blank_line() -> None:
    seen = printed_options("Which?\nA. one\n   two\nB. three\n   four\n\nAnswer:")
    assert seen is not None
    assert (seen.texts, seen.question) == (("one two", "three four"), "Which?\nAnswer:")


@pytest.mark.parametrize("junk", [None, 3, "fish", [], {}, [None], [[["x"]]], "[1,", {"a": [1]}, [{}]])
def test_junk_holds_no_options(junk: Any) -> None:
    assert from_cell(junk).texts == ()


def test_scores_name_the_gold() -> None:
    assert from_cell({"yes": 0.0, "no": 1.0, "perhaps": 0.0}).gold == 1
    assert from_cell({"choices": ["x", "y", "z"], "labels": [0, 0, 1]}).gold == 2
    assert from_cell({"yes": 1, "no": 1}).gold == -1


def test_a_number_within_a_line_is_no_option_of_a_list_on_lines() -> None:
    seen = printed_options("Which?\n1. wind\n2. Year code (3) + day (25)", "2")
    assert seen is not None
    assert seen.texts == ("wind", "Year code (3) + day (25)")


def test_blanks_before_every_mark_cost_no_time() -> None:
    assert printed_options(("Which?" + " " * 100_000 + "(a) x (b) y\n") * 20) is not None


@pytest.mark.parametrize("unit", ["a. x\n", "(a) ", "1. x\n2. y\n", "A) x B) y "])
def test_only_the_last_marks_of_a_prompt_are_looked_at(unit: str) -> None:
    assert printed_options("1. x\n2. y\n3. z\n" + unit * 200, "3") is None
    assert printed_options(unit * (200_000 // len(unit)), "z") is None


@pytest.mark.parametrize("between", ["; ", "\n"])
def test_options_in_one_cell_whose_golds_are_texts_are_refused_and_not_left_out_in_silence(between: str) -> None:
    rows = [
        {"question": f"Which is {n}?", "choices": between.join(options(n)), "answer": option(n, n % 4)}
        for n in range(N)
    ]
    judged = kind(load(rows))
    assert judged.name == "per-item"
    assert judged.reason.startswith("Column 'choices' seems to hold the options of each item")
