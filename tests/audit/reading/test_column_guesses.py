"""The column layouts of published benchmarks are recognised: no context is dropped, no option is mistaken."""

from __future__ import annotations

from typing import Any

import pytest

from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.reading.task_kind import kind
from hansproof.generators.errors import InputError, UsageError

N = 40


def table(*texts: str, lists: tuple[str, ...] = (), **labels: tuple[Any, ...]) -> list[dict[str, Any]]:
    """N rows: every text column holds its own name and number, every label column takes turns."""
    return [
        {
            **{column: f"{column} no. {n}" for column in texts},
            **{column: [f"{column} {k} of {n}" for k in range(4)] for column in lists},
            **{column: values[n % len(values)] for column, values in labels.items()},
        }
        for n in range(N)
    ]


YES = ("yes", "no")
PREMISES = tuple(f"premise{k}" for k in range(1, 5))


@pytest.mark.parametrize(
    ("rows", "prompt", "answer"),
    [
        (table("given_info", "question", answer=YES), "given_info question", "answer"),
        (
            table("background", "given_info", "question", "reasoning", answer=YES),
            "background given_info question",
            "answer",
        ),
        (table("passage", "question", answer=(True, False)), "passage question", "answer"),
        (table("question", "passage", label=(0, 1)), "passage question", "label"),
        (table("paragraph", "question", "answer", label=(0, 1)), "paragraph question answer", "label"),
        (table("premises", "hypothesis", label=YES), "premises hypothesis", "label"),
        (table("claim", "document", label=YES), "document claim", "label"),
        (
            table("premises_ja", "hypothesis_ja", "premises_en", "hypothesis_en", gold=YES),
            "premises_en hypothesis_en",
            "gold",
        ),
        (table("word", "sentence1", "sentence2", label=YES), "word sentence1 sentence2", "label"),
        (table("sentenceA", "sentenceB", correctAnswer=YES), "sentenceA sentenceB", "correctAnswer"),
        (table("#sentence1", "sentence2", goldLabel=YES), "#sentence1 sentence2", "goldLabel"),
        (table("sentence_A", "sentence_B", label=YES), "sentence_A sentence_B", "label"),
        (
            table(
                "sentence_A", "sentence_B", "sentence_A_original", entailment_label=YES, entailment_AB=("A_B", "A-B")
            ),
            "sentence_A sentence_B",
            "entailment_label",
        ),
        (table("sentence1", "sentence2", "question", "answer", gold_label=YES), "sentence1 sentence2", "gold_label"),
        (table(*PREMISES, "hypothesis", gold_label=YES), " ".join([*PREMISES, "hypothesis"]), "gold_label"),
    ],
)
def test_contexts_are_part_of_the_prompt(rows: list[dict[str, Any]], prompt: str, answer: str) -> None:
    benchmark = load(rows)
    parts = prompt.split()
    assert benchmark.mapping.prompt == "\n".join(f"{{{part}}}" for part in parts)
    assert benchmark.prompts[7] == "\n".join(f"{part} no. 7" for part in parts)
    assert (benchmark.mapping.answer, kind(benchmark).name) == (answer, "fixed")
    assert {"prompt", "answer"} <= set(benchmark.mapping.guessed)
    assert benchmark.notes == ()


def test_a_list_of_premises_is_joined_by_lines() -> None:
    rows = [{**row, "premises": ["All A are B.", "All B are C."]} for row in table("hypothesis", gold=YES)]
    assert load(rows).prompts[3] == "All A are B.\nAll B are C.\nhypothesis no. 3"


FOUR = (0, 1, 2, 3)
ENDINGS = tuple(f"ending{k}" for k in FOUR)
ANSWERS = tuple(f"answer{k}" for k in FOUR)
LETTERED = ("answerA", "answerB", "answerC")


@pytest.mark.parametrize(
    ("rows", "prompt", "options"),
    [
        (table("obs1", "obs2", "hyp1", "hyp2", label=(1, 2)), "obs1 obs2", "hyp1 hyp2"),
        (table("ctx", lists=("endings",), label=FOUR), "ctx", "endings"),
        (table("ctx_a", "ctx_b", "ctx", "activity", lists=("endings",), label=FOUR), "ctx", "endings"),
        (table("sent1", "sent2", *ENDINGS, label=FOUR), "sent1 sent2", " ".join(ENDINGS)),
        (table("context", "question", lists=("answers",), label=FOUR), "context question", "answers"),
        (table("context", "question", *ANSWERS, label=FOUR), "context question", " ".join(ANSWERS)),
        (table("context", "question", *LETTERED, label=(1, 2, 3)), "context question", " ".join(LETTERED)),
        (table("premise", "question", "choice1", "choice2", label=(0, 1)), "premise question", "choice1 choice2"),
        (table("goal", "sol1", "sol2", label=(0, 1)), "goal", "sol1 sol2"),
        (table("article", "question", lists=("options",), answer=tuple("ABCD")), "article question", "options"),
        (table("question_stem", lists=("choices",), answerKey=tuple("ABCD")), "question_stem", "choices"),
    ],
)
def test_options_of_each_item_are_kept_apart_from_the_prompt(
    rows: list[dict[str, Any]], prompt: str, options: str
) -> None:
    benchmark = load(rows)
    assert benchmark.prompts[5] == "\n".join(f"{part} no. 5" for part in prompt.split())
    columns = options.split()
    expected = rows[5][columns[0]] if len(columns) == 1 else [f"{column} no. 5" for column in columns]
    assert benchmark.choices is not None
    assert benchmark.choices[5] == expected
    assert kind(benchmark).name == "per-item"


def test_the_right_answer_among_its_distractors_is_an_option_too() -> None:
    options = ("correct_answer", "distractor1", "distractor2", "distractor3")
    benchmark = load(table("question", *options))
    assert benchmark.choices is not None
    assert benchmark.choices[2] == [f"{option} no. 2" for option in options]
    assert (benchmark.answers[2], kind(benchmark).name) == ("correct_answer no. 2", "per-item")


def test_a_list_of_right_answers_is_not_a_list_of_options() -> None:
    rows = [{**row, "answers": [("a", "b")[n % 2], "c"]} for n, row in enumerate(table("context", "question"))]
    assert (load(rows).mapping.answer, load(rows).choices) == ("answers", None)


def test_a_column_called_prompt_outranks_the_layout() -> None:
    rows = table("prompt", "paragraph", "question", answer=YES, label=(0, 1))
    assert load(rows).mapping.prompt == "prompt"
    assert load(rows).mapping.answer == "answer"


def test_a_named_gold_outranks_the_layout() -> None:
    rows = table("paragraph", "question", answer=YES, label=(0, 1))
    benchmark = load(rows, Columns(answer="answer"))
    assert (benchmark.mapping.prompt, benchmark.answers[:2]) == ("{paragraph}\n{question}", ["yes", "no"])


@pytest.mark.parametrize("named", [Columns(), Columns(group="family", answer="verdict")])
def test_the_only_text_beside_an_answer_and_a_group_is_the_prompt(named: Columns) -> None:
    group = "family" if named.group else "group"
    rows = [{**row, group: f"family {n // 4}", "score": str(n)} for n, row in enumerate(table("riddle", verdict=YES))]
    benchmark = load(rows, named)
    assert (benchmark.mapping.prompt, benchmark.mapping.group, benchmark.prompts[3]) == (
        "riddle",
        group,
        "riddle no. 3",
    )
    assert "prompt" in benchmark.mapping.guessed


def test_a_prompt_that_no_row_can_use_is_still_the_prompt_and_the_error_says_why() -> None:
    rows = [{**row, "prompt": "dog \x00"} for row in table("prompt", label=YES)]
    with pytest.raises(InputError, match=r"40 NUL character in the prompt"):
        load(rows)


def test_of_two_texts_with_unknown_names_neither_is_guessed() -> None:
    with pytest.raises(InputError, match=r"no column looks like the prompt; name it with --prompt"):
        load(table("riddle", "hint", label=YES))


@pytest.mark.parametrize(
    "columns", [Columns(prompt="label", answer="label"), Columns(template="{question} {label}", answer="label")]
)
def test_one_column_cannot_be_prompt_and_answer(columns: Columns) -> None:
    with pytest.raises(UsageError, match=r"column 'label' is (both )?.*the answer, so every prompt") as caught:
        load(table("question", label=YES), columns)
    assert "\n" not in str(caught.value)


def test_a_usual_name_given_to_the_other_role_is_not_guessed_twice() -> None:
    rows = [{"answer": f"It is {n}.", "label": YES[n % 2], "prompt": YES[n % 2]} for n in range(N)]
    benchmark = load(rows, Columns(prompt="answer"))
    assert (benchmark.mapping.prompt, benchmark.mapping.answer) == ("answer", "label")
    rows = [{"prompt": YES[n % 2], "question": f"Is it {n}?"} for n in range(N)]
    benchmark = load(rows, Columns(answer="prompt"))
    assert (benchmark.mapping.prompt, benchmark.mapping.answer) == ("question", "prompt")


@pytest.mark.parametrize(("empty", "reason"), [("", "empty prompt"), ("  \n", "empty prompt"), (None, "no prompt")])
@pytest.mark.parametrize("named", [None, "prompt"])
def test_a_column_of_empty_prompts_is_reported_as_empty(empty: Any, reason: str, named: str | None) -> None:
    rows = [{**row, "prompt": empty} for row in table(answer=YES)]
    with pytest.raises(InputError, match=rf"40 of 40 rows are unusable .*: 40 {reason}\."):
        load(rows, Columns(prompt=named))


def test_empty_answers_and_empty_template_columns_are_reported_as_empty() -> None:
    with pytest.raises(InputError, match=r"40 of 40 rows are unusable .*: 20 no answer, 20 empty answer\."):
        load(table("question", label=(None, "")))
    rows = [{"a": "", "b": None, "label": YES[n % 2]} for n in range(N)]
    with pytest.raises(InputError, match=r"40 of 40 rows are unusable .*: 40 empty prompt\."):
        load(rows, Columns(template="{a} {b}"))
