"""Where a file has its golds and its options: a wrong reading would call a benchmark clean that is not."""

from typing import Any

import pytest

from hansproof.audit.benchmark import Options
from hansproof.audit.reading.given_options import printed_options
from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.reading.task_kind import kind
from hansproof.generators.errors import InputError

N = 40


def options(n: int, k: int = 4) -> list[str]:
    return [f"{kind} {n}" for kind in ("fish", "bird", "cow", "ant")[:k]]


def read(make: Any, columns: Columns | None = None) -> Options:
    seen = load([{"question": f"Which is {n}?", **make(n)} for n in range(N)], columns).options
    assert seen is not None
    return seen


@pytest.mark.parametrize(
    "make",
    [
        lambda n: {"answers": options(n), "correct_answer_id": n % 4},
        lambda n: {"answers": options(n), "correct_answer": options(n)[n % 4]},
        lambda n: {"answers": dict(zip("ABCD", options(n), strict=True)), "correct_answer": "ABCD"[n % 4]},
    ],
)
def test_answers_that_another_column_points_into_are_options(make: Any) -> None:
    seen = read(make)
    assert seen.texts[1] == options(1)
    assert seen.gold[:5] == [0, 1, 2, 3, 0]


def test_answers_whose_first_is_always_the_gold_are_spellings_of_it() -> None:
    rows = [{"question": f"Which is {n}?", "answers": options(n), "answer": options(n)[0]} for n in range(N)]
    assert load(rows).options is None


@pytest.mark.parametrize(
    "make",
    [
        lambda n: {"correct_answer": options(n)[0], "distractors": options(n)[1:]},
        lambda n: {"answer": options(n)[0], "distractors": str(options(n)[1:])},
        lambda n: {"answer": options(n)[0], "wrong_answer": options(n)[1], "wrong_answer2": options(n)[2]},
    ],
)
def test_the_gold_and_its_distractors_are_the_options_in_no_order(make: Any) -> None:
    seen = read(make)
    assert seen.texts[2] == options(2, len(seen.texts[2]))
    assert len(seen.texts[2]) > 2
    assert set(seen.gold) == {0}
    assert seen.ordered is False


@pytest.mark.parametrize("names", [("first", "second"), ("output_1", "output_2")])
@pytest.mark.parametrize("named", [True, False])
def test_golds_that_are_names_of_columns_point_at_them(names: tuple[str, str], named: bool) -> None:
    columns = Columns(choices=",".join(names)) if named else None
    seen = read(lambda n: {**dict(zip(names, options(n, 2), strict=True)), "label": names[n % 3 > 0]}, columns)
    assert seen.texts[0] == options(0, 2)
    assert seen.gold[:6] == [0, 1, 1, 0, 1, 1]


@pytest.mark.parametrize(
    ("columns", "golds"),
    [
        ("ans0 ans1 ans2", (0, 1, 2)),
        ("ans_a ans_b ans_c ans_d", (0, 1, 2, 3)),
        ("response_0 response_1", (0, 1)),
        ("reply1 reply2", (0, 1)),
        ("reply1 reply2", (1, 2)),
        ("completion_A completion_B", ("a", "b")),
        ("solution_1 solution_2 solution_3", (1, 2, 3)),
    ],
)
def test_numbered_or_lettered_columns_that_the_golds_point_into_are_options(
    columns: str, golds: tuple[object, ...]
) -> None:
    k = len(golds)
    seen = read(lambda n: {**dict(zip(columns.split(), options(n, k), strict=True)), "label": golds[n % k]})
    assert seen.texts[3] == options(3, k)
    assert seen.gold[:5] == [n % k for n in range(5)]


@pytest.mark.parametrize(
    "columns",
    ["sentence1 sentence2", "sent0 sent1", "text_a text_b", "obs1 obs2", "premise1 premise2", "hint1 hint2 hint3"],
)
def test_numbered_inputs_and_texts_of_which_some_are_never_right_are_no_options(columns: str) -> None:
    rows = [
        {"question": f"Is it {n}?", **dict(zip(columns.split(), options(n), strict=False)), "label": n % 2}
        for n in range(N)
    ]
    assert load(rows).options is None


@pytest.mark.parametrize("stem", ["alternative_{}", "foil{}", "distractor_{}"])
@pytest.mark.parametrize("ends", ["123", "abc"])
def test_numbered_or_lettered_columns_without_the_gold_are_wrong_options_beside_it(stem: str, ends: str) -> None:
    wrong = [stem.format(end) for end in ends]
    seen = read(lambda n: {"answer": options(n)[0], **dict(zip(wrong, options(n)[1:], strict=True))})
    assert seen.texts[2] == options(2)
    assert (set(seen.gold), seen.ordered) == ({0}, False)


def test_a_text_of_distractors_that_cannot_be_read_is_no_option() -> None:
    rows = [
        {"question": f"Which is {n}?", "answer": options(n)[0], "distractors": ", ".join(options(n)[1:])}
        for n in range(N)
    ]
    assert load(rows).options is None


def test_two_columns_of_lists_are_two_options() -> None:
    seen = read(lambda n: {"option1": f"[{n}, 1]", "option2": f"[{n}, 2]", "answer": n % 2 + 1})
    assert seen.texts[3] == ["[3, 1]", "[3, 2]"]


@pytest.mark.parametrize("mark", ["Option {}: ", "({})", "{})", "**{}.** ", "**{}**: ", "- {}: "])
@pytest.mark.parametrize("between", [" ", "\n"])
def test_what_stands_beside_a_mark_is_no_part_of_an_option(mark: str, between: str) -> None:
    seen = printed_options(f"Which?{between}{mark.format('A')}a fish{between}{mark.format('B')}a bird")
    assert seen is not None
    assert (seen.texts, seen.question) == (("a fish", "a bird"), "Which?")


@pytest.mark.parametrize("gold", [None, "0", "2"])
@pytest.mark.parametrize("between", [" ", "\n"])
def test_a_list_that_begins_with_0_does_so_whichever_option_is_right(gold: str | None, between: str) -> None:
    seen = printed_options(f"Which?{between}0. a fish{between}1. a bird{between}2. a cow", gold)
    assert seen is not None
    assert seen.texts == ("a fish", "a bird", "a cow")


@pytest.mark.parametrize(
    ("marks", "form"),
    [
        ("А Б В Г", "{}) "),
        ("i ii iii iv", "{}. "),
        ("F G H J", "{}. "),
        ("P Q R S", "({}) "),
        ("1 2 3 4", "{}、"),
        ("1 2 3 4", "Option {} - "),
        ("1 2 3 4", "<option{}>"),
    ],
)
def test_golds_that_are_marks_of_options_that_cannot_be_read_are_no_labels(marks: str, form: str) -> None:
    own = marks.split()
    printed = [
        "\n".join(["Which?", *(form.format(mark) + text for mark, text in zip(own, options(n), strict=True))])
        for n in range(N)
    ]
    golds = [own[n % 4] for n in range(N)]
    printed[0], golds[0] = f"{printed[0]}\nZ. a newt", "Z"  # which most items do not have
    judged = kind(load([{"question": text, "answer": gold} for text, gold in zip(printed, golds, strict=True)]))
    assert judged.name == "per-item"
    assert "--task fixed" in judged.reason


@pytest.mark.parametrize(
    "prompt",
    [
        "Case {}. Is it so? yes / no",
        "Case {}.\nyes: it is so\nno: it is not",
        "Ann said no. Case {} is not so. Bob said yes. Case {} is so.",
        "yes went to room {}.\nno's friend, no, went to room {}.\nno went there.",
    ],
)
def test_labels_that_prompts_repeat_stay_labels(prompt: str) -> None:
    rows = [{"question": prompt.format(n, n + 1), "answer": ("yes", "no")[n % 2]} for n in range(N)]
    assert kind(load(rows)).name == "fixed"


def test_the_options_and_the_gold_of_a_preference_pair_may_be_named() -> None:
    rows = [{"prompt": f"Which {n}?", "chosen": options(n)[0], "rejected": options(n)[1]} for n in range(N)]
    seen = load(rows, Columns(choices="chosen,rejected", answer="chosen")).options
    assert seen is not None
    assert (sorted(seen.texts[1]), seen.ordered) == (sorted(options(1, 2)), False)
    assert [texts[gold] for texts, gold in zip(seen.texts, seen.gold, strict=True)] == [row["chosen"] for row in rows]


@pytest.mark.parametrize("names", ["chosen rejected", "text1 text2", "text input"])
def test_named_options_are_not_guessed_as_the_prompt(names: str) -> None:
    columns = names.split()
    rows = [{columns[0]: options(n)[0], columns[1]: options(n)[1]} for n in range(N)]
    with pytest.raises(InputError, match="no column looks like the prompt"):
        load(rows, Columns(choices=",".join(columns), answer=columns[0]))


def chat(*turns: str) -> list[dict[str, str]]:
    return [{"role": ("user", "assistant")[at % 2], "content": turn} for at, turn in enumerate(turns)]


@pytest.mark.parametrize("turn", ["Yes", "I would say yes."])
def test_the_gold_that_an_assistant_says_last_is_not_in_the_prompt(turn: str) -> None:
    rows = [
        {"messages": chat(f"Is it {n}?", turn if n % 3 else "No"), "label": "yes" if n % 3 else "no"} for n in range(N)
    ]
    benchmark = load(rows)
    assert benchmark.prompts[1] == "Is it 1?"
    assert any("taken off the prompt" in note for note in benchmark.notes)


def test_a_reply_that_is_judged_stays_in_the_prompt() -> None:
    rows = [{"messages": chat(f"Is it {n}?", "Sure."), "label": ("safe", "unsafe")[n % 2]} for n in range(N)]
    assert load(rows).prompts[1] == "Is it 1?\nSure."


def test_both_spellings_of_a_class_are_one_label() -> None:
    rows = [{"question": f"Is it {n}?", "label": (1.0, 1, 2, 3)[n % 4]} for n in range(N)]
    assert sorted(set(load(rows).answers)) == ["1", "2", "3"]
    whole = [{**row, "label": float(row["label"])} for row in rows]
    assert sorted(set(load(whole).answers)) == ["1.0", "2.0", "3.0"]
