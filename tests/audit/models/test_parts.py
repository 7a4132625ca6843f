"""Items of a grid joined to what a real audit predicts, on a benchmark with a planted cue, one without, and others."""

import dataclasses
from pathlib import Path

import msgspec
import numpy as np
import pytest

from hansproof.audit.models.reliance.parts import part
from hansproof.audit.models.reliance.reliance_records import shortcut_word
from hansproof.audit.replies.grid import NOT_ASKED, RIGHT, WRONG, Grid, Series
from hansproof.audit.run import examine
from hansproof.audit.settings import make_settings
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.jsonl import read

pytestmark = pytest.mark.slow  # whole audits, each in seconds

RELEASE = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "2.0.0"
ITEMS = 200
QUICK = make_settings(splits=2, permutations=99)


@pytest.fixture(scope="module")
def leaky():
    return examine([item.record() for item in items("unigram")], settings=QUICK)


def items(name):
    return tuple(read(RELEASE / f"{name}.jsonl.gz")[:ITEMS])


def grid(rows, outcomes=None, said=None):
    outcomes = np.full((len(rows), 1), RIGHT, dtype=np.int8) if outcomes is None else outcomes
    return Grid("planted", tuple(rows), (Series("mine"),), outcomes, said)


def test_items_are_parted_by_what_the_audit_predicts_out_of_fold(leaky):
    rows = items("unigram")
    parted = part(grid(rows), leaky)
    scores = {score.id: score for score in leaky.item_scores()}
    assert parted.probe_right.tolist() == [scores[item.id].correct for item in rows]
    assert parted.about.vector == leaky.result.vector
    assert parted.about.shortcut
    assert parted.about.labels == 2
    assert set(parted.chance) == {0.5}
    same = [scores[item.id].group for item in rows]
    assert (np.array(same)[:, None] == same).tolist() == (parted.groups[:, None] == parted.groups).tolist()


def test_kappa_is_that_which_the_audit_shows_for_the_probe(leaky):
    about = part(grid(items("unigram")), leaky).about
    entry = leaky.result.scheme("grouped").find(about.vector)
    assert (about.kappa, about.low, about.high) == (entry.matched, entry.matched_low, entry.matched_high)
    assert (about.p, about.uniform, about.probe) == (entry.p_corrected, entry.uniform, entry.label)


def test_a_benchmark_that_the_audit_cannot_decide_has_no_shortcut_shown_nor_ruled_out():
    rows = items("none")
    undecided = examine([item.record() for item in rows], settings=QUICK)
    assert undecided.result.verdict == "INCONCLUSIVE"
    about = part(grid(rows), undecided).about
    assert (about.shortcut, about.ruled_out, shortcut_word(about)) == (False, False, "not shown")
    assert "the audit says INCONCLUSIVE" in about.notes[-1]
    assert "does not rule out a kappa of .20" in about.notes[-1]


def test_a_large_kappa_that_is_not_shown_has_the_reason_of_the_audit(leaky):
    few = msgspec.structs.replace(leaky.result, verdict="INCONCLUSIVE", reason="the items come in few groups.")
    about = part(grid(items("unigram")), dataclasses.replace(leaky, result=few)).about
    assert about.low > 0.2
    assert about.notes[-1].startswith("no shortcut shown, and the benchmark is in no test: the audit says INCONCLUSIVE")
    assert about.notes[-1].endswith("): the items come in few groups.")
    assert "rule out" not in about.notes[-1]


@pytest.mark.parametrize(("verdict", "word"), [("CLEAN", "no"), ("TEMPLATE-BOUND", "yes"), ("LEAKS", "yes")])
def test_the_word_follows_the_verdict_of_the_audit(leaky, verdict, word):
    other = dataclasses.replace(leaky, result=msgspec.structs.replace(leaky.result, verdict=verdict))
    assert shortcut_word(part(grid(items("unigram")), other).about) == word


@pytest.mark.parametrize(("upper", "word"), [(0.15, "no"), (0.25, "not shown")])
def test_a_weak_cue_rules_a_shortcut_out_where_no_interval_reaches_the_threshold(leaky, upper, word):
    (scheme, *rest) = leaky.result.schemes
    vectors = [msgspec.structs.replace(vector, upper=upper) for vector in scheme.vectors]
    schemes = [msgspec.structs.replace(scheme, vectors=vectors), *rest]
    result = msgspec.structs.replace(leaky.result, verdict="TRACES", schemes=schemes)
    assert shortcut_word(part(grid(items("unigram")), dataclasses.replace(leaky, result=result)).about) == word


def test_items_that_only_one_side_has_are_counted(leaky):
    rows = items("unigram")
    stranger = Item("planted-cues/2.0.0/unigram/999999", "?", None, "Yes", "x", "", dict(rows[0].metadata))
    outcomes = np.full((101, 1), RIGHT, dtype=np.int8)
    outcomes[:7] = NOT_ASKED
    about = part(grid([*rows[:100], stranger], outcomes), leaky).about
    assert (about.items, about.unanswered, about.unpredicted) == (93, 7, 1)
    assert about.notes[0].startswith("1 item with answers have no prediction of the audit and are left out")
    assert about.notes[1] == "100 items of the benchmark have no answers"


def test_items_with_other_ids_are_joined_by_their_prompts(leaky):
    rows = [
        Item(f"log/{place}", f" {item.prompt}\n", item.choices, item.answer, item.group, "", item.metadata)
        for place, item in enumerate(items("unigram"))
    ]
    outcomes = np.where(np.arange(len(rows)) % 3 == 0, WRONG, RIGHT).astype(np.int8)[:, None]
    by_prompt = part(grid(rows, outcomes), leaky)
    by_id = part(grid(items("unigram"), outcomes), leaky)
    assert by_prompt.probe_right.tolist() == by_id.probe_right.tolist()
    assert by_prompt.right.tolist() == by_id.right.tolist()


def test_a_prompt_that_occurs_twice_is_joined_to_neither(leaky):
    first, second, *_ = items("unigram")
    rows = [
        Item(f"log/{place}", item.prompt, item.choices, item.answer, item.group, "", item.metadata)
        for place, item in enumerate([first, first, second])
    ]
    assert part(grid(rows), leaky).about.items == 1


def test_other_items_are_refused(leaky):
    with pytest.raises(InputError, match="no item of the answers is an item of the benchmark"):
        part(grid(items("none")[:50]), leaky)


def test_items_without_any_answer_are_refused(leaky):
    rows = items("unigram")
    with pytest.raises(InputError, match="has no answer to an item"):
        part(grid(rows, np.full((len(rows), 1), NOT_ASKED, dtype=np.int8)), leaky)


def test_what_was_said_is_spelt_as_what_was_predicted(leaky):
    rows = items("unigram")
    said = np.array([[f" {item.answer.upper()} "] for item in rows])
    parted = part(grid(rows, said=said), leaky)
    agree = parted.said[:, 0] == parted.predicted
    assert agree.tolist() == (parted.probe_right == 1).tolist()


def test_options_of_each_items_own_have_their_own_chance():
    rows = [
        {"id": str(n), "prompt": f"What fits {n}?", "choices": [f"a{n}", f"b{n}", f"c{n}", "bold"][: 3 + n % 2]}
        | {"answer": f"a{n}"}
        for n in range(60)
    ]
    examined = examine(rows, settings=QUICK)
    answered = tuple(
        Item(row["id"], row["prompt"], tuple(row["choices"]), row["answer"], row["id"], "", {}) for row in rows
    )
    parted = part(grid(answered), examined)
    assert parted.about.labels is None
    assert parted.chance.tolist() == pytest.approx([1 / (3 + n % 2) for n in range(60)])
    options = {score.id: list(score.probabilities) for score in examined.item_scores()}
    assert parted.gold.tolist() == [options[row["id"]].index(row["answer"]) for row in rows]


def test_a_benchmark_that_was_not_assessed_has_no_parts():
    rows = [{"id": str(n), "prompt": f"Is {n} odd?", "answer": ("even", "odd")[n % 2]} for n in range(8)]
    assert part(grid(items("none")), examine(rows, settings=QUICK)) is None


PAPER = make_settings(protocol="paper", permutations=99)


def test_under_the_papers_protocol_the_best_probe_in_validation_parts_the_test_part():
    rows = items("unigram")
    examined = examine([item.record() for item in rows], settings=PAPER)
    parted = part(grid(rows), examined)
    entry = examined.result.scheme("paper").find(examined.result.scheme("paper").headline)
    assert (parted.about.vector, parted.about.kappa, parted.about.uniform) == (
        entry.vector,
        entry.matched,
        entry.uniform,
    )
    test = set(np.random.RandomState(42).permutation(ITEMS)[-ITEMS // 5 :].tolist())
    golds = [item.answer for place, item in enumerate(rows) if place in test]
    assert parted.about.items == len(golds) == 40
    assert sorted(parted.gold.tolist()) == sorted(sorted(set(golds)).index(gold) for gold in golds)
    assert parted.about.shortcut == (entry.uniform > 0.2)
    assert parted.about.notes == [
        "160 items with answers are not in the test part of the paper's split and are left out"
    ]
    assert parted.about.probe_right == pytest.approx((entry.uniform + 1) * 20)


@pytest.mark.parametrize("threshold", [0.01, 0.99])
def test_under_the_papers_protocol_a_shortcut_is_a_uniform_kappa_above_the_threshold(threshold):
    rows = items("unigram")
    examined = examine(
        [item.record() for item in rows], settings=make_settings(protocol="paper", permutations=99, threshold=threshold)
    )
    about = part(grid(rows), examined).about
    assert 0.01 < about.uniform < 0.99
    assert about.shortcut is (threshold == 0.01)
