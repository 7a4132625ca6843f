"""Predictions that were made elsewhere are judged as our own vectors are."""

import json
from pathlib import Path

import made_options
import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

import hansproof
from hansproof.audit.probes.crossfit import draw_folds
from hansproof.audit.reading.roles import Columns
from hansproof.audit.run import examine
from hansproof.audit.settings import make_settings
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.jsonl import read_bytes

SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "planted-cues" / "2.0.0"
FAST = {"fast": True, "permutations": 199}


def rows(name, n=300):
    lines = read_bytes(SAMPLE / f"{name}.jsonl.gz").decode().splitlines()
    kept = ("id", "prompt", "answer", "group")
    return [{key: row[key] for key in kept} for row in map(json.loads, lines[:n])]


def noisy(items, right, seed=1):
    random = np.random.default_rng(seed)
    other = {"yes": "no", "no": "yes"}
    said = [item["answer"] if random.random() < right else other[item["answer"]] for item in items]
    folds = {group: fold % 5 for fold, group in enumerate(dict.fromkeys(item["group"] for item in items))}
    return [
        {"id": item["id"], "fold": folds[item["group"]], "predicted": text}
        for item, text in zip(items, said, strict=True)
    ]


def vector(result, name):
    return result.schemes[0].find(name)


def test_our_own_scores_given_back_with_their_folds_have_our_kappa():
    items = rows("unigram")
    settings = make_settings(**FAST)
    measured = examine(items, Columns(group="group"), settings).measured
    scores = measured.assessed.schemes[0].of("word-1-presence")
    task, groups = measured.task, measured.layout.groups
    (fold,) = draw_folds(task.strata(task.gold), groups, settings.seed, "grouped", settings.folds, 1)
    given = [
        {"id": id, "fold": int(number), "probabilities": dict(zip(measured.labels, map(float, of)))}
        for id, number, of in zip(measured.items.ids, fold, scores.probabilities)
    ]
    result = examine(items, Columns(group="group"), settings, predictions={"ours": given}).result
    again, ours = vector(result, "ours"), vector(result, "word-1-presence")
    assert (again.cohen, again.accuracy) == (ours.cohen, ours.accuracy)
    assert again.matched == pytest.approx(ours.matched, abs=0.03)  # matched over all items, and not by fold
    assert (result.predictions[0].folds, result.predictions[0].divided) == (5, 0)


def test_cross_val_predict_of_scikit_learn_finds_the_planted_word():
    items = rows("unigram", 600)
    texts, y = [item["prompt"] for item in items], np.array([item["answer"] for item in items])
    groups = np.unique([item["group"] for item in items], return_inverse=True)[1]
    folds = StratifiedGroupKFold(5, shuffle=True, random_state=0)
    probe = make_pipeline(CountVectorizer(binary=True), LogisticRegression(C=0.1, l1_ratio=1, solver="liblinear"))
    chances = cross_val_predict(probe, texts, y, groups=groups, cv=folds, method="predict_proba")
    fold = np.zeros(len(y), dtype=int)
    for number, (_, test) in enumerate(folds.split(texts, y, groups)):
        fold[test] = number
    given = [
        {"id": item["id"], "fold": int(of), "p:no": float(no), "p:yes": float(yes)}
        for item, of, (no, yes) in zip(items, fold, chances)
    ]
    result = hansproof.audit(items, group="group", predictions=given, **FAST)
    theirs, ours = vector(result, "predictions"), vector(result, "word-1-presence")
    assert theirs.counted
    assert theirs.significant(0.05)
    assert theirs.matched == pytest.approx(ours.matched, abs=0.12)
    picked = np.array(["no", "yes"])[chances.argmax(axis=1)]
    assert theirs.cohen == pytest.approx(cohen_kappa_score(y, picked))


def test_gold_with_noise_leaks_and_the_reason_says_what_is_not_known():
    items = rows("none", 400)
    result = hansproof.audit(items, predictions={"lm": noisy(items, 0.8)}, **FAST)
    assert (result.verdict, result.vector) == ("LEAKS", "lm")
    assert "similar texts were not kept apart" in result.reason
    gold, said = ([entry[key] for entry in of] for of, key in ((items, "answer"), (noisy(items, 0.8), "predicted")))
    assert vector(result, "lm").matched == pytest.approx(cohen_kappa_score(gold, said))
    assert result.schemes[0].sampling_stretch == 1.3  # cannot be refitted: the usual widening


def test_guesses_do_not_leak():
    items = rows("none", 400)
    result = hansproof.audit(items, predictions={"lm": noisy(items, 0.5)}, **FAST)
    assert result.verdict not in ("LEAKS", "TRACES")
    assert vector(result, "lm").counted


def test_folds_that_divide_groups_are_shown_and_decide_nothing():
    items = rows("none", 400)
    for place, item in enumerate(items):
        item["group"] = place // 2
    given = [row | {"fold": place % 2} for place, row in enumerate(noisy(items, 0.9))]
    result = hansproof.audit(items, group="group", predictions={"lm": given}, **FAST)
    assert result.predictions[0].divided == 200
    assert not vector(result, "lm").counted
    assert result.verdict != "LEAKS"
    assert "decide nothing, because 200 groups" in result.predictions[0].told


def test_our_own_vectors_come_first_where_both_leak():
    items = rows("unigram", 600)
    result = hansproof.audit(items, predictions={"lm": noisy(items, 0.97)}, **FAST)
    assert result.verdict == "LEAKS"
    assert result.vector != "lm"
    assert "made elsewhere" not in result.reason


def test_without_folds_predictions_decide_nothing():
    items = rows("none", 400)
    for given in ([{"id": row["id"], "predicted": row["predicted"]} for row in noisy(items, 0.9)],
                  [row | {"fold": 1} for row in noisy(items, 0.9)]):  # fmt: skip
        result = hansproof.audit(items, predictions={"lm": given}, **FAST)
        assert result.verdict != "LEAKS"
        assert not vector(result, "lm").counted
        assert "no two folds are given" in result.predictions[0].told


def test_a_right_prediction_stays_right_whatever_the_answers_of_its_fold():
    items = rows("none", 300)
    given = [
        {"id": item["id"], "fold": item["answer"], "probabilities": {item["answer"]: 0.97, other: 0.03}}
        for item, other in ((item, "no" if item["answer"] == "yes" else "yes") for item in items)
    ]
    result = hansproof.audit(items, groups="none", predictions={"lm": given}, **FAST)
    assert vector(result, "lm").matched == pytest.approx(1.0)


@pytest.mark.parametrize("form", ["predicted", "probabilities"])
def test_replies_are_named_by_their_columns_as_their_order_is_drawn(form):
    replies = [f"It is {word}." for word in ("red", "blue", "green", "far", "near", "late", "early", "new")]
    items = [
        {"id": f"p{at}", "prompt": f"Question {at}?", "chosen": replies[at % 8], "rejected": replies[(at * 3 + 1) % 8]}
        for at in range(120)
        if at % 8 != (at * 3 + 1) % 8
    ]
    said = {"predicted": "chosen", "probabilities": {"chosen": 0.8, "rejected": 0.2}}[form]
    given = [{"id": row["id"], "fold": at % 5, form: said} for at, row in enumerate(items)]
    result = hansproof.audit(items, predictions={"lm": given}, **FAST)
    assert vector(result, "lm").accuracy == pytest.approx(1.0)
    for wrong, said in (
        ({"predicted": "A"}, "the item 'p0' has no option 'A'. Known: chosen, rejected"),
        ({"probabilities": [0.8, 0.2]}, "no order of their own: name them 'chosen' or 'rejected'"),
    ):
        with pytest.raises(InputError, match=said):
            hansproof.audit(items, predictions={"lm": [{"id": row["id"]} | wrong for row in items]}, **FAST)


def test_of_several_rejected_replies_nobody_knows_the_column_so_texts_name_them():
    items = [
        {"id": f"p{at}", "prompt": f"Case {at}?", "chosen": f"Good {at}\n" + "so " * 99, "rejected_1": f"Bad {at}",
         "rejected_2": f"Poor {at}"}
        for at in range(60)
    ]  # fmt: skip
    by_text = [{"id": row["id"], "probabilities": {row["chosen"]: 0.5, row["rejected_1"]: 0.5}} for row in items]
    (said,) = examine(items, Columns(), make_settings(**FAST), predictions={"lm": by_text}).measured.items.predictions
    assert all(sorted(text[:4] for text in of) == ["Bad ", "Good"] for of in said.runs[0])
    by_column = [{"id": row["id"], "predicted": "rejected_1"} for row in items]
    with pytest.raises(InputError, match=r"lm: line 1: the item 'p0' has no option 'rejected_1'\.") as error:
        hansproof.audit(items, predictions={"lm": by_column}, **FAST)
    assert len(str(error.value).splitlines()[0]) < 250


def test_only_items_with_usable_options_need_a_prediction():
    items = [{"id": f"q{at}", **row} for at, row in enumerate(made_options.rows(120))]
    items[3]["choices"] = ["same", "same"]
    given = [{"id": row["id"], "predicted": "A"} for row in items]
    assert vector(hansproof.audit(items, predictions={"lm": given}, **FAST), "lm") is not None
    with pytest.raises(InputError, match=r"1 of 119 items have no prediction: 'q0'$"):
        hansproof.audit(items, predictions={"lm": given[1:]}, **FAST)


@pytest.mark.parametrize("called", ["text", "letter", "number", "list"])
def test_options_may_be_called_by_text_letter_number_or_place(called):
    items = [{"id": f"q{at}", **row} for at, row in enumerate(made_options.rows(120))]
    random = np.random.default_rng(3)

    def said(row):
        options = row["choices"]
        gold = options.index(row["answer"]) if row["answer"] in options else int(row["answer"])
        place = gold if random.random() < 0.8 else (gold + 1) % len(options)
        if called == "list":
            return {"probabilities": [0.7 if at == place else 0.3 / (len(options) - 1) for at in range(len(options))]}
        return {"predicted": {"text": options[place], "letter": "ABCD"[place], "number": place}[called]}

    given = [{"id": row["id"], "fold": at % 5, **said(row)} for at, row in enumerate(items)]
    result = hansproof.audit(items, predictions={"lm": given}, **FAST)
    assert result.shape == "options"
    assert (result.verdict, result.vector) == ("LEAKS", "lm")
    assert 0.6 < vector(result, "lm").matched < 0.9


def test_a_list_goes_by_places_where_options_are_numbers():
    options = [[3, 1, 2], [1, 2, 3], [2, 0, 1]]
    items = [
        {"id": f"q{at}", "question": f"How many, {at}?", "choices": options[at % 3], "answer": "ABC"[at * 7 % 5 % 3]}
        for at in range(60)
    ]
    given = [
        {"id": row["id"], "probabilities": [0.8 if row["answer"] == letter else 0.1 for letter in "ABC"]}
        for row in items
    ]
    assert vector(hansproof.audit(items, predictions={"lm": given}, **FAST), "lm").accuracy == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda given: given[1:], "1 of 300 items have no prediction"),
        (lambda given: [*given, given[0]], "a second prediction for"),
        (
            lambda given: [given[0] | {"predicted": "maybe"}, *given[1:]],
            "lm: line 1: there is no answer 'maybe'. Known: no, yes",
        ),
        (lambda given: [given[0] | {"id": "q"}, *given[1:]], "no item is called 'q'"),
        (
            lambda given: [{"id": row["id"], "fold": 1, "probabilities": {"yes": 0.5, "no": 0.2}} for row in given],
            "sum to 0.7",
        ),
        (
            lambda given: [{"id": row["id"], "fold": 1, "probabilities": {"yes": 2}} for row in given],
            "no number from 0 to 1",
        ),
        (lambda given: [{"id": row["id"]} for row in given], "has no column 'predicted'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_its_place(change, said, tmp_path):
    items = rows("none")
    file = tmp_path / "lm.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in change(noisy(items, 0.5))))
    with pytest.raises(InputError) as error:
        hansproof.audit(items, predictions=file, **FAST)
    assert said.replace("lm: ", f"{file}: ") in str(error.value)
    assert str(file) in str(error.value).splitlines()[0]


def test_runs_are_told_apart_and_a_vector_of_ours_keeps_its_name():
    items = rows("none")
    runs = [row | {"repeat": run} for run in (1, 2, 3) for row in noisy(items, 0.7, run)]
    result = hansproof.audit(items, predictions={"lm": runs}, permutations=199, splits=3, folds=3)
    assert result.predictions[0].runs == 3
    assert vector(result, "lm").split_sd > 0
    with pytest.raises(UsageError, match="is the name of a feature vector"):
        hansproof.audit(items, predictions={"length": runs}, **FAST)
    with pytest.raises(UsageError, match="protocol 'paper' does not"):
        hansproof.audit(items, predictions={"lm": runs}, protocol="paper")


def test_each_run_needs_folds_and_those_that_are_used_are_counted():
    items = rows("none")
    true = [{"repeat": 1, "id": item["id"], "fold": 1, "predicted": item["answer"]} for item in items]
    chance = [{"repeat": 2, **row} for row in noisy(items, 0.5)]
    result = hansproof.audit(items, group="group", predictions={"lm": [*true, *chance]}, **FAST)
    assert result.predictions[0].folds is None
    assert result.verdict != "LEAKS"
    assert (result.predictions[0].runs, result.schemes[0].splits) == (1, 1)


@pytest.mark.parametrize("given", [[], {1: []}])
def test_empty_predictions_are_refused_in_one_line(given):
    with pytest.raises(InputError):
        hansproof.audit(rows("none"), group="group", predictions=given, **FAST)


def test_the_training_file_and_a_column_of_parts_exclude_each_other():
    items = rows("none")
    with pytest.raises(UsageError, match="both name the parts"):
        hansproof.audit(items, split="group", train=items)
