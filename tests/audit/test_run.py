"""The pipeline as a whole: what may change its numbers, and what may not."""

import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

import hansproof
from hansproof.audit.report.findings import ArrangedResult
from hansproof.audit.result.document import decode, encode
from hansproof.audit.run import examine
from hansproof.audit.settings import make_settings
from hansproof.generators.errors import InputError
from hansproof.generators.jsonl import read_bytes

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "datasets" / "planted-cues" / "2.0.0"
QUICK = {"permutations": 299, "splits": 2, "folds": 3}


def rows(name="unigram", n=200):
    import json

    lines = read_bytes(SAMPLE / f"{name}.jsonl.gz").decode().splitlines()
    return [{"prompt": row["prompt"], "answer": row["answer"]} for row in map(json.loads, lines[:n])]


def numbers(result):
    return [
        [(each.vector, each.cohen, each.matched_low, each.p, each.validation) for each in scheme.vectors]
        for scheme in result.schemes
    ]


def test_any_number_of_workers_gives_the_same_bytes():
    alone, together = (encode(hansproof.audit(rows(), workers=workers, **QUICK)) for workers in (1, 3))
    assert alone == together


@pytest.mark.slow
def test_the_hash_seed_changes_no_byte(tmp_path):
    source, outputs = tmp_path / "some.jsonl", []
    source.write_bytes(b"".join(read_bytes(SAMPLE / "none.jsonl.gz").splitlines(keepends=True)[:120]))
    for seed in ("0", "1"):
        code = (
            "import sys\nfrom hansproof.audit.result.document import encode\nimport hansproof\n"
            "result = hansproof.audit(sys.argv[1], permutations=299, splits=2, folds=3)\n"
            "sys.stdout.buffer.write(encode(result))"
        )
        command = [sys.executable, "-c", code, str(source)]
        done = subprocess.run(command, capture_output=True, check=True, cwd=ROOT, env={"PYTHONHASHSEED": seed})
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]


def test_another_seed_gives_other_folds():
    first, second = (numbers(hansproof.audit(rows(), seed=seed, **QUICK)) for seed in (1, 2))
    assert first != second


def test_what_the_labels_are_called_changes_nothing():
    names = {"yes": "A long name, with a comma", "no": "0"}
    renamed = [{**row, "answer": names[row["answer"]]} for row in rows()]
    a, b = hansproof.audit(rows(), **QUICK), hansproof.audit(renamed, **QUICK)
    assert numbers(a) == numbers(b)
    assert a.verdict == b.verdict


@pytest.mark.slow
def test_shuffled_answers_score_nothing():
    order = np.random.RandomState(0).permutation(600)
    every = rows(n=600)
    shuffled = [{**row, "answer": every[i]["answer"]} for row, i in zip(every, order, strict=True)]
    result = hansproof.audit(shuffled, **QUICK)
    assert result.verdict in ("CLEAN", "INCONCLUSIVE")
    assert max(abs(vector.cohen) for vector in result.scheme("grouped").vectors) < 0.2


@pytest.mark.slow
def test_a_benchmark_of_74_to_26_scores_49_by_uniform_chance_and_nothing_by_cohen():
    every = rows("none", 600)
    unbalanced = [{**row, "answer": "yes" if i % 1000 < 447 else "no"} for i, row in enumerate(every)]
    result = hansproof.audit(unbalanced, **QUICK)
    scheme = result.scheme("grouped")
    assert scheme.majority_uniform == pytest.approx(0.49)
    assert result.verdict == "IMBALANCED"
    assert "74.5 %" in result.reason


@pytest.mark.slow
def test_a_stray_label_does_not_make_a_fair_coin_look_loaded():
    every = [*rows("none", 600), {"prompt": "One more question of another kind.", "answer": "n/a"}]
    result = hansproof.audit(every, **QUICK)
    assert result.scheme("grouped").majority_uniform == pytest.approx(0, abs=0.01)
    assert result.verdict != "IMBALANCED"
    assert any("'n/a'" in note for note in result.notes)


def test_the_majority_is_that_of_the_whole_benchmark_under_the_papers_protocol_too():
    result = hansproof.audit(rows("none", 200), protocol="paper", permutations=299, splits=2)
    every = [row["answer"] for row in rows("none", 200)]
    assert result.scheme("paper").majority_accuracy == max(map(every.count, ("yes", "no"))) / 200


def test_too_few_items_say_so_and_never_clean():
    result = hansproof.audit(rows("none", 80), **QUICK)
    assert result.verdict == "INCONCLUSIVE"
    assert max(vector.matched_high for vector in result.scheme("grouped").vectors) > 0.2


def test_under_thirty_items_are_not_assessed():
    result = hansproof.audit(rows(n=29), **QUICK)
    assert result.verdict == "NOT ASSESSED"
    assert "29" in result.reason


def test_items_of_one_group_all_together_are_not_assessed():
    every = [{**row, "group": "g"} for row in rows(n=60)]
    result = hansproof.audit(every, group="group", **QUICK)
    assert result.verdict == "NOT ASSESSED"
    assert "one group" in result.reason


@pytest.mark.slow
@pytest.mark.parametrize("groups", ["found", "none"])
def test_a_group_column_that_was_not_used_is_not_reported_as_used(groups):
    every = [{**row, "group": str(i // 3)} for i, row in enumerate(rows(n=90))]
    assert hansproof.audit(every, **QUICK).mapping.group == "group"
    mapping = hansproof.audit(every, groups=groups, **QUICK).mapping
    assert mapping.group is None
    assert "group" not in mapping.guessed


def test_two_groups_are_enough_to_run_and_too_few_to_judge():
    every = [{**row, "group": str(i % 2)} for i, row in enumerate(rows(n=100))]
    result = hansproof.audit(every, group="group", **QUICK)
    chosen = result.scheme("grouped").vectors[0].regularisation
    assert chosen == {"L2 C=1": 2 * QUICK["splits"]}  # of three folds one is empty
    assert result.verdict == "INCONCLUSIVE"


def test_a_label_of_a_single_item_does_not_stop_the_audit():
    every = rows(n=120)
    every[5]["answer"] = "maybe"
    result = hansproof.audit(every, **QUICK)
    assert result.labels[-1].label == "maybe"
    assert len(result.scheme("grouped").vectors) == 15


def test_texts_without_a_single_word_can_be_audited():
    every = [{"prompt": "?!" * (1 + i % 7), "answer": "ab"[i % 2]} for i in range(90)]
    result = hansproof.audit(every, groups="none", **QUICK)
    assert result.verdict != "NOT ASSESSED"


@pytest.mark.slow
def test_frames_lists_and_files_give_the_same_numbers(tmp_path):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    from datasets import Dataset

    path = tmp_path / "bench.csv"
    pandas.DataFrame(rows()).to_csv(path, index=False)
    sources = [rows(), pandas.DataFrame(rows()), polars.DataFrame(rows()), Dataset.from_list(rows()), path]
    first, *others = [numbers(hansproof.audit(source, **QUICK)) for source in sources]
    assert all(other == first for other in others)


def test_the_result_survives_its_json():
    result = hansproof.audit(rows(), **QUICK)
    assert decode(encode(result)) == result


def test_there_is_one_out_of_fold_score_per_item():
    examination = examine(rows(), settings=make_settings(**(QUICK | {"splits": 1})))
    scores = examination.item_scores()
    assert msgspec.json.encode(scores)  # plain numbers and truth values
    assert len(scores) == 200
    accuracy = np.mean([score.correct for score in scores])
    result = examination.result
    assert {score.vector for score in scores} == {result.vector}
    assert accuracy == pytest.approx(result.deciding_scheme.find(result.vector).accuracy)
    assert all(sum(score.probabilities.values()) == pytest.approx(1) for score in scores)


def test_a_default_audit_loads_neither_nltk_nor_what_nltk_loads():
    code = """
import sys, hansproof
rows = [{"prompt": f"Don't they say 'cannot' {n}?", "answer": "ab"[n % 2]} for n in range(60)]
hansproof.audit(rows, permutations=299, splits=2, folds=3)
print([name for name in ("nltk", "textstat", "sklearn", "pandas") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_reading_grades_are_shown_on_request_and_never_counted():
    plain, graded = (hansproof.audit(rows(n=120), grades=grades, **QUICK) for grades in (False, True))
    assert [vector.vector for vector in plain.schemes[0].vectors][13:] == ["length", "format"]
    assert [(vector.vector, vector.counted) for vector in graded.schemes[0].vectors][13:] == [
        ("length", True),
        ("format", True),
        ("grades", False),
    ]
    assert graded.schemes[0].vectors[:15] == plain.schemes[0].vectors
    assert (graded.verdict, graded.reason) == (plain.verdict, plain.reason)


def test_a_missing_column_is_an_error_that_lists_the_columns():
    with pytest.raises(InputError, match="prompt"):
        hansproof.audit(rows(), answer="gold")


def test_a_group_of_half_the_items_is_audited():
    giant = [{**row, "group": max(place - 30, 0)} for place, row in enumerate(rows(n=60))]
    result = hansproof.audit(giant, group="group", permutations=99, splits=1, folds=3)
    assert result.verdict == "INCONCLUSIVE"
    assert "30 groups, so unequal that they count as fewer" in result.reason


def test_items_that_stand_alone_are_shown_once_and_without_a_gap():
    result = hansproof.audit(rows(n=60), groups="none", permutations=99, splits=1, folds=3)
    assert result.gap is None
    assert ArrangedResult(result).ungrouped
