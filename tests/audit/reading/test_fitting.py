"""A recipe and a file: what the user names wins, and what does not fit is said."""

import json

import pytest

from hansproof import audit
from hansproof.audit.reading.loading import Columns, load
from hansproof.generators.errors import InputError, UsageError

N = 40
SNLI = [
    {
        "premise": f"A fox {n // 3} runs.",
        "hypothesis": f"It is {n}.",
        "label": (0, 1, 2, -1)[n % 4],
        "note": f"note {n}",
    }
    for n in range(N)
]


def test_codes_become_names_and_rows_without_a_gold_are_set_aside_with_a_note():
    benchmark = load(SNLI, Columns(recipe="snli"))
    assert set(benchmark.answers) == {"entailment", "neutral", "contradiction"}
    assert len(benchmark.answers) == 30
    assert "10 rows without a gold (label is '-1') are set aside" in benchmark.notes
    assert benchmark.left_out == ()


def test_the_group_of_the_recipe_is_used_where_the_file_has_it_and_missed_aloud_where_not():
    groups = load(SNLI, Columns(recipe="snli")).groups
    assert groups[:3] == ["A fox 0 runs."] * 3
    rows = [{"premise": f"p {n}", "hypothesis": f"h {n}", "gold": "ab"[n % 2]} for n in range(N)]
    benchmark = load(rows, Columns(recipe="wanli"))
    assert any("group column 'pairID' is not in this file" in note for note in benchmark.notes)
    assert not any("pairID" in note for note in load(rows, Columns(recipe="wanli", group="premise")).notes)


def test_what_the_user_names_wins_over_the_recipe():
    named = Columns(recipe="snli", prompt="hypothesis", group="note", id="note")
    benchmark = load(SNLI, named)
    assert benchmark.prompts[0] == "It is 0."
    assert (benchmark.groups[0], benchmark.ids[0]) == ("note 0", "note 0")
    assert load(SNLI, Columns(recipe="snli", template="{hypothesis}!")).prompts[0] == "It is 0.!"
    answers = load([{**row, "mine": "xy"[n % 2]} for n, row in enumerate(SNLI)], Columns(recipe="snli", answer="mine"))
    assert answers.answers[:2] == ["x", "y"]
    assert len(answers.answers) == N  # what is unlabelled is said of the recipe's own column
    part = load(
        [{"question": "q", "answer": f"{n} #### {n % 2}"} for n in range(N)],
        Columns(recipe="gsm8k", answer_part=r"^\d"),
    )
    assert part.answers[31] == "3"


def test_a_column_that_the_user_names_need_not_be_the_recipe_s():
    rows = [{"text": f"item {n}", "label": n % 3} for n in range(N)]
    assert load(rows, Columns(recipe="snli", prompt="text")).answers[:3] == ["entailment", "neutral", "contradiction"]


def test_a_recipe_that_does_not_fit_says_what_is_missing_and_what_is_there():
    with pytest.raises(InputError) as caught:
        load([{"context": "c", "hypothesis": "h", "label": "e"}] * N, Columns(recipe="snli"))
    assert caught.value.reason == (
        "the recipe 'snli' does not fit: its form 'Hugging Face' has 'premise', missing here. It also knows: JSONL or "
        "TSV of the authors. Columns here: 'context', 'hypothesis', 'label'. Name the columns yourself, or leave out "
        "--recipe"
    )


def test_the_released_file_of_another_benchmark_is_refused_and_not_read_by_its_format(tmp_path):
    passage = {
        "article": "A fox.",
        "questions": ["Why?", "Who?"],
        "options": [["a", "b"], ["c", "d"]],
        "answers": ["A", "B"],
    }
    path = tmp_path / "race.jsonl"
    path.write_text(f"{json.dumps(passage)}\n" * N, encoding="utf-8")
    with pytest.raises(InputError, match=r"the recipe 'snli' does not fit: .*Columns here: 'article', 'question'"):
        load(path, Columns(recipe="snli"))
    assert load(path, Columns(recipe="race")).recipe.name == "race"


def test_columns_of_the_recipe_with_the_golds_of_another_benchmark_are_refused():
    rows = [{"passage": "A fox ran.", "question": f"Who {n}?", "answer": f"fox {n}"} for n in range(N)]
    with pytest.raises(
        InputError, match=r"its golds are 'yes', 'no', but column 'answer' has 'fox 0', 'fox 1', 'fox 2'"
    ):
        load(rows, Columns(recipe="boolq"))
    assert load(rows, Columns(recipe="boolq", answer="answer")).answers[0] == "fox 0"  # who names it, means it
    unlabelled = [{"premise": "p", "hypothesis": f"h {n}", "label": -1} for n in range(N)]
    with pytest.raises(InputError, match="no usable rows"):
        load(unlabelled, Columns(recipe="snli"))


def test_a_log_of_a_harness_is_read_by_its_format_under_any_recipe(tmp_path):
    rows = [
        {
            "doc_id": n, "doc": {}, "target": str(n % 2),
            "arguments": {f"g{k}": {"a": f"Q {n}", "b": f" {'xy'[k]}"} for k in range(2)},
        }
        for n in range(N)
    ]  # fmt: skip
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    benchmark = load(path, Columns(recipe="mmlu"))
    assert benchmark.answers[:2] == ["x", "y"]
    assert benchmark.recipe.form == "lm-evaluation-harness samples (the format says what is what)"
    assert not benchmark.recipe.confirmed
    assert "the recipe 'mmlu' was asked for, but nothing in this file shows that it is MMLU" in benchmark.notes


def evals(path, golds):
    rows = [{"input": [{"role": "user", "content": f"Q {n}"}], "ideal": golds[n % len(golds)]} for n in range(N)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_log_whose_golds_are_words_of_another_benchmark_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"'snli' does not fit: its golds are 'entailment', .* has 'knight', 'knave'"):
        load(evals(tmp_path / "a.jsonl", ["knight", "knave"]), Columns(recipe="snli"))
    for golds in (["Entailment", "other"], ["A", "B"], ["0", "1"]):  # its labels, or codes that may be anything
        assert not load(evals(tmp_path / "b.jsonl", golds), Columns(recipe="snli")).recipe.confirmed


def test_only_the_rows_of_the_benchmark_are_read():
    rows = [{"passage": "p", "question": f"q {n}", "answer": "red", "task": n % 20 + 1} for n in range(N)]
    benchmark = load(rows, Columns(recipe="babi-16"))
    assert benchmark.prompts == ["p\nq 15", "p\nq 35"]
    assert "2 of 40 rows are those of the recipe (task=16)" in benchmark.notes


def test_questions_without_an_answer_on_purpose_have_a_gold_and_missing_ones_have_none():
    empty, span = {"text": [], "answer_start": []}, {"text": ["a fox"], "answer_start": [3]}
    rows = [{"context": "c", "question": f"q {n}", "answers": (empty, span)[n % 2]} for n in range(N)]
    benchmark = load(rows, Columns(recipe="squad-2"))
    assert benchmark.answers[:2] == ["unanswerable", "a fox"]
    assert "20 items have no answer on purpose; their gold is 'unanswerable'" in benchmark.notes
    del rows[3]["answers"]
    assert [row.place for row in load(rows, Columns(recipe="squad-2")).left_out] == ["row 4"]


@pytest.mark.parametrize(
    "value", [None, [], {}, 10**400, float("nan"), "\ud800", "x" * 10**6, [[[[]]]], "99", "-1", "²"]
)
@pytest.mark.parametrize("name", ["mmlu", "truthfulqa-mc", "snli", "squad-2"])
def test_strange_golds_are_listed_rows_or_answers_and_never_a_crash(name, value):
    rows = {
        "mmlu": {"question": "q", "choices": ["a", "b"], "answer": 1},
        "truthfulqa-mc": {"question": "q", "mc1_targets": {"choices": ["a", "b", "c"], "labels": [1, 0, 0]}},
        "snli": {"premise": "p", "hypothesis": "h", "label": 1},
        "squad-2": {"context": "c", "question": "q", "answers": {"text": ["a"]}},
    }
    column = {"truthfulqa-mc": "mc1_targets", "squad-2": "answers", "mmlu": "answer", "snli": "label"}[name]
    good = [
        {**rows[name], **{key: f"{text} {n}" for key, text in rows[name].items() if text in ("q", "p")}}
        for n in range(20)
    ]
    benchmark = load([*good, {**rows[name], column: value}], Columns(recipe=name))
    assert len(benchmark.prompts) + len(benchmark.left_out) in (20, 21)


def test_a_recipe_without_a_layout_reads_the_columns_as_they_are_called_and_claims_nothing():
    rows = [{"text": f"mark {n}", "answer": ("generic", "arbitrary")[n % 2], "index": n} for n in range(N)]
    benchmark = load(rows, Columns(recipe="abercrombie"))
    assert (benchmark.answers[:2], benchmark.ids[3]) == (["generic", "arbitrary"], "3")
    assert (benchmark.recipe.form, benchmark.recipe.confirmed) == ("list of dicts (columns as they are called)", False)
    assert "the recipe 'abercrombie' was asked for, but nothing in this file shows that it is Abercrombie" in (
        benchmark.notes
    )


def test_a_code_that_withholds_the_gold_is_set_aside_but_an_open_answer_may_be_it():
    rows = [{"observation_1": "o", "observation_2": f"p {n}", "hypothesis_1": "a", "hypothesis_2": "b",
             "label": (0, 1, 2, -1)[n % 4]} for n in range(N)]  # fmt: skip
    benchmark = load(rows, Columns(recipe="art"))
    assert (len(benchmark.answers), benchmark.answers[:2]) == (20, ["A", "B"])
    assert "20 rows without a gold (label is '-1', '0') are set aside" in benchmark.notes
    numbers = [{"problem": f"Solve {n}.", "answer": str(n - 2), "unique_id": n} for n in range(N)]
    assert load(numbers, Columns(recipe="math")).answers[1] == "-1"


def test_an_unknown_recipe_is_refused_before_anything_is_read():
    with pytest.raises(UsageError, match="there is no recipe 'none'"):
        load("no such file", Columns(recipe="none"))


def test_the_result_says_which_recipe_was_used_and_what_is_published():
    result = audit(SNLI, recipe="snli", splits=1, folds=3, permutations=99)
    assert (result.recipe.name, result.recipe.form) == ("snli", "Hugging Face")
    assert [figure.figure for figure in result.recipe.expected] == ["about 67 %"]
    assert audit([{"text": f"t {n}", "label": n % 2} for n in range(10)]).recipe is None


@pytest.mark.parametrize(
    ("name", "row", "labels", "answers"),
    [
        ("copa", {"premise": "p", "choice1": "a", "choice2": "b", "question": "cause"}, ["choice1", "choice2"], "AB"),
        ("boolq", {"passage": "p", "question": "q"}, ["False", "True"], ["no", "yes"]),
        (
            "rte",
            {"premise": "p", "hypothesis": "h"},
            ["entailment", "not_entailment"],
            ["entailment", "not_entailment"],
        ),
        ("anli", {"premise": "p", "hypothesis": "h"}, ["entailment", "neutral"], ["entailment", "neutral"]),
        ("piqa", {"goal": "g", "sol1": "a", "sol2": "b"}, ["0", "1"], "AB"),
        ("art", {"observation_1": "o", "observation_2": "p", "hypothesis_1": "a", "hypothesis_2": "b"}, "012", "xA"),
    ],
)
def test_label_names_of_the_hub_are_understood_as_well_as_numbers(name, row, labels, answers):
    datasets = pytest.importorskip("datasets")
    label = datasets.ClassLabel(names=list(labels))
    features = datasets.Features({**{key: datasets.Value("string") for key in row}, "label": label})
    rows = {key: [f"{text} {n}" for n in range(N)] for key, text in row.items()} | {"label": [n % 2 for n in range(N)]}
    made = datasets.Dataset.from_dict(rows, features)
    benchmark = load(made, Columns(recipe=name))
    wanted = [answer for answer in answers if answer != "x"]  # 0 is no label of ART
    assert sorted(set(benchmark.answers)) == sorted(wanted)
