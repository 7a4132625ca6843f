"""A published split from end to end: what is planted is reported, and the verdict follows."""

import json
from collections import Counter
from pathlib import Path

import pytest
from made_parts import rows, templated

import hansproof
from hansproof.audit.reading.loading import Columns
from hansproof.audit.result.document import decode, encode
from hansproof.audit.run import examine
from hansproof.audit.settings import make_settings
from hansproof.generators.errors import InputError, UsageError

QUICK = {"permutations": 199}
REAL = Path(__file__).resolve().parents[4] / "shared" / "data" / "benchmarks" / "space_nli.jsonl"


@pytest.fixture(scope="module")
def leaking():
    """A cue in 7 of 10 items, and 40 copies, 10 of them with another answer."""
    train, test = rows(400, 1, cue=0.7, prefix="a"), rows(200, 2, cue=0.7, prefix="b")
    for k in range(40):
        turned = {"yes": "no", "no": "yes"}[train[k]["answer"]] if k < 10 else train[k]["answer"]
        test[k] = {**train[k], "id": test[k]["id"], "answer": turned}
    settings = make_settings(**QUICK)
    return examine(test, Columns(), settings, train=train), train, test


def test_a_cue_that_runs_through_both_parts_leaks(leaking):
    result = leaking[0].result
    assert result.verdict == "LEAKS"
    assert [entry.items for entry in result.published.kappas[:2]] == [200, 160]
    assert result.schemes[0].scheme == "published"
    assert result.schemes[0].scored == 200
    assert len(result.schemes[0].vectors) == 15


def test_parts_copies_and_conflicts_are_counted(leaking):
    split = leaking[0].result.published
    assert (split.train + split.validation, split.validation_cut, split.test) == (400, True, 200)
    assert (split.duplicates, split.near_duplicates, split.conflicts) == (40, 0, 10)
    assert split.same_template >= 40
    assert {(item.test, item.train) for item in split.examples if item.kind == "conflict"} == {
        (f"b-{k}", f"a-{k}") for k in range(10)
    }
    assert sum(label.train for label in split.labels) == 400


def test_only_the_items_of_the_test_part_are_counted(leaking):
    result, test = leaking[0].result, leaking[2]
    assert result.items == sum(label.count for label in result.labels) == 200
    assert {label.label: label.count for label in result.labels} == Counter(row["answer"] for row in test)
    assert sum(size * groups for size, groups in result.groups.sizes) == 200
    assert all(name.startswith("b-") for members in result.groups.examples for name in members)


def test_nothing_is_clean_that_so_few_training_items_could_not_have_shown():
    few, many = (
        hansproof.audit(rows(1500, 2), train=rows(learnt, 1), groups="none", **QUICK) for learnt in (100, 1500)
    )
    assert max(vector.upper for vector in few.schemes[0].counted) < 0.2  # the test part alone would be enough
    assert few.verdict == "INCONCLUSIVE"
    assert few.findable[-1].kappa is None
    assert "a cue of fifty words per answer would not be found, however strong" in few.reason
    assert few.reason.endswith("More items in both parts would settle it.")
    assert many.verdict == "CLEAN"
    assert [cue.kind for cue in many.findable] == ["1 word per answer", "50 words per answer"]
    assert "Of the cues put into these texts as a test, that of fifty words per answer is the hardest" in many.reason


def test_texts_that_have_every_answer_need_no_cue_to_be_clean():
    asked = rows(100, 2)
    both = [{**row, "id": f"{row['id']}-{answer}", "answer": answer} for row in asked for answer in ("yes", "no")]
    result = hansproof.audit(both, train=rows(200, 1), **QUICK)
    assert (result.verdict, result.findable) == ("CLEAN", [])
    assert "100 of 100 texts occur with more than one answer" in result.reason


def test_only_test_items_are_scored_and_copies_are_listed(leaking):
    scores = leaking[0].item_scores()
    assert [score.id for score in scores] == [f"b-{k}" for k in range(200)]
    assert {score.id for score in scores if score.shares == "duplicate"} == {f"b-{k}" for k in range(40)}
    assert scores[0].train == "a-0"
    assert scores[50].train is None
    assert any(
        "Drop the 40 test items that copy a training text (40 exactly" in text for text in leaking[0].result.advice
    )


def test_the_result_says_where_it_learnt_and_survives_its_json(leaking):
    result = leaking[0].result
    assert (result.settings.protocol, result.settings.train, result.settings.splits) == ("published", "list", 1)
    assert result.published.train_sha256 != result.sha256
    assert decode(encode(result)) == result


def test_the_order_of_both_parts_and_the_number_of_workers_change_no_number(leaking):
    examination, train, test = leaking
    again = hansproof.audit(test[::-1], train=train[::-1], workers=2, **QUICK)
    assert again.schemes == examination.result.schemes
    assert again.published.kappas == examination.result.published.kappas


def test_templates_in_both_parts_are_told_from_a_cue():
    # 60 templates with an answer each; 40 are in both parts, 20 only in the test part.
    train = templated(400, 1, 40, prefix="a")
    test = templated(200, 2, 40, prefix="b") + templated(200, 3, 60, first=40, prefix="c")
    result = hansproof.audit(test, train=train, group="template_id", **QUICK)
    every, _, new = result.published.kappas
    assert result.verdict == "TEMPLATE-BOUND"
    assert every.kappa > 0.3 > new.kappa
    assert result.published.same_template == 200
    assert any("200 of 400 test items come from a template or group" in text for text in result.advice)


def test_where_every_template_is_in_both_parts_grouped_folds_decide():
    result = hansproof.audit(
        templated(200, 2, 80, prefix="b"), train=templated(320, 1, 80, prefix="a"), group="template_id", **QUICK
    )
    assert result.published.kappas[-1].items_kept == "grouped folds"
    assert result.verdict == "TEMPLATE-BOUND"


def test_a_split_column_gives_the_same_as_two_files(leaking):
    examination, train, test = leaking
    both = [row | {"part": "train"} for row in train] + [row | {"part": "test"} for row in test]
    result = hansproof.audit(both, split="part", protocol="published", **QUICK)
    assert result.schemes == examination.result.schemes
    assert result.published.source == "column 'part'"


def test_a_published_validation_part_chooses_the_model():
    both = rows(240, 1, cue=0.8)
    both = [row | {"split": ("train", "train", "validation", "test")[k % 4]} for k, row in enumerate(both)]
    split = hansproof.audit(both, protocol="published", **QUICK).published
    assert (split.train, split.validation, split.validation_cut, split.test) == (120, 60, False, 60)


def test_a_part_that_is_too_small_or_has_one_answer_is_not_assessed():
    small = hansproof.audit(rows(60, 1), train=rows(29, 2), **QUICK)
    assert (small.verdict, small.reason) == (
        "NOT ASSESSED", "Only 29 items in the training part: at least 30 are needed.",
    )  # fmt: skip
    both = [row | {"split": "train"} for row in rows(60, 1)]
    both += [row | {"split": "test", "answer": "no"} for row in rows(40, 2)]
    same = hansproof.audit(both, protocol="published", **QUICK)
    assert same.reason == "All items of the test part have the answer 'no'."


def test_open_answers_are_not_learnt_from_a_published_split():
    items = [{"prompt": f"what is {k}", "answer": f"it is {k}", "split": ("train", "test")[k % 2]} for k in range(80)]
    result = hansproof.audit(items, protocol="published", **QUICK)
    assert result.verdict == "NOT ASSESSED"
    assert "The published protocol judges labels and options, not open answers." in result.reason


def test_answers_that_were_never_learnt_are_named():
    train, test = rows(80, 1), rows(60, 2)
    test[0]["answer"] = "maybe"
    result = hansproof.audit(test, train=train, **QUICK)
    assert result.published.unseen_labels == ["maybe"]
    assert any("never has the answer “maybe”" in text for text in result.advice)


def test_options_that_contradict_each_other_are_refused():
    with pytest.raises(UsageError, match="name a training part only with 'published'"):
        hansproof.audit(rows(60, 1), train=rows(60, 2), protocol="paper")
    with pytest.raises(InputError, match="needs a split"):
        hansproof.audit(rows(60, 1), protocol="published")


@pytest.mark.skipif(not REAL.exists(), reason="the third-party benchmarks are not here")
def test_a_random_split_of_a_spatial_benchmark_is_bound_to_its_templates():
    lines = [json.loads(line) for line in REAL.read_text(encoding="utf-8").splitlines()]
    test, train = lines[::4], [line for k, line in enumerate(lines) if k % 4]
    result = hansproof.audit(test, train=train, **QUICK)
    assert result.verdict == "TEMPLATE-BOUND"
    assert result.published.kappas[0].kappa > 0.3
