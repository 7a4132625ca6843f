"""From a benchmark with a planted cue to one without: cost, honesty, floors, orders of rows."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import numpy as np
import pytest

from hansproof.audit.reading.loading import load
from hansproof.audit.repair.goals import goal_of
from hansproof.audit.repair.harden import harden
from hansproof.audit.repair.items import cap_of, independent
from hansproof.audit.repair.labels import LabelItems
from hansproof.audit.repair.records import HardenResult, Reading
from hansproof.audit.run import audit
from hansproof.audit.settings import make_settings
from hansproof.generators.errors import InputError, NotAssessedError, UsageError
from hansproof.generators.jsonl import read_bytes

PLANTED = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues"
QUICK = {"splits": 2, "permutations": 99, "folds": 3}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The first items of a planted benchmark, as a file."""

    def write(name, items=360, order=None):
        lines = read_bytes(PLANTED / "2.0.0" / f"{name}.jsonl.gz").splitlines(keepends=True)[:items]
        file = tmp_path_factory.mktemp("samples") / f"{name}.jsonl"
        file.write_bytes(b"".join(lines if order is None else random.Random(order).sample(lines, len(lines))))
        return file

    return write


@pytest.fixture(scope="module")
def unigram(sample):
    return harden(sample("unigram"), **QUICK)


def test_a_planted_word_costs_what_it_must_cost_and_then_nothing_is_found(unigram, sample):
    result = unigram.result
    assert result.before.verdict == "LEAKS"
    assert result.goal == "no fault shown"
    rows = [json.loads(line) for line in sample("unigram").read_text("utf-8").splitlines()]
    words = ["usually" if "usually" in row["prompt"] else "often" for row in rows]  # the two words of the design
    table = np.array([[sum(word == w and row["answer"] == a for word, row in zip(words, rows)) for a in ("yes", "no")]
                      for w in sorted(set(words))])  # fmt: skip
    most = int(independent(table, cap_of(2, 0.1)).sum())
    assert 0.9 * most <= result.kept <= most + 3  # each part is rounded on its own
    assert [step.kind for step in result.steps] == ["cue"]
    after = audit([json.loads(line) for line in unigram.rows.splitlines()], **QUICK)
    assert after.verdict == "INCONCLUSIVE"


def test_the_honest_number_is_that_of_groups_without_a_say(unigram):
    result = unigram.result
    assert result.held_out_before.items == pytest.approx(144, abs=8)
    assert result.held_out_before.first.kappa > 0.3
    assert result.held_out_after.items == sum(
        result.held_out_before.items - step.removed_held_out for step in result.steps
    )
    assert result.held_out_after.first.kappa < 0.3
    assert result.change_high < 0
    assert result.held_out_after.first.vector == result.before.first.vector


def test_what_is_left_and_what_is_gone_are_the_source(unigram, sample):
    lines = sample("unigram").read_bytes().splitlines(keepends=True)
    gone = {removal.place for removal in unigram.removed}
    assert unigram.rows == b"".join(line for n, line in enumerate(lines, 1) if f"line {n}" not in gone)
    assert len(gone) == unigram.result.items - unigram.result.kept
    assert {removal.part for removal in unigram.removed} == {"chosen", "held out"}
    assert unigram.removed[0].why == unigram.result.steps[0].rule
    numbers = [int(removal.place.split()[1]) for removal in unigram.removed]
    assert numbers == sorted(numbers)


def test_another_order_of_the_rows_keeps_the_same_items(unigram, sample):
    turned = harden(sample("unigram", order=1), workers=2, **QUICK)
    assert sorted(turned.rows.splitlines()) == sorted(unigram.rows.splitlines())
    assert turned.result.change == unigram.result.change


@pytest.mark.slow
def test_an_answer_that_is_too_common_loses_its_surplus(sample):
    source = sample("imbalance")
    rare = sum(json.loads(line)["answer"] == "yes" for line in source.read_text("utf-8").splitlines())
    done = harden(source, steps=["answers"], **QUICK)
    assert done.result.goal == "no fault shown"
    # All of the rare answer stay, and as many of the other as a share of .55 allows.
    assert done.result.kept == pytest.approx(rare / 0.45, abs=3)
    assert "no longer imbalanced" in done.result.reason


def test_nothing_is_claimed_and_nothing_removed_where_no_fault_is_shown(sample):
    source = sample("none", 200)
    done = harden(source, **QUICK)
    assert done.result.goal == "nothing to repair"
    assert done.result.reason == (
        "The verdict is INCONCLUSIVE, and no feature vector is significant: every item is kept."
    )
    assert (done.result.kept, done.result.steps, done.result.change) == (200, [], None)
    assert done.rows == source.read_bytes()
    assert done.removed == []


@pytest.mark.slow
def test_a_floor_stops_before_the_step_that_goes_below_it(sample):
    done = harden(sample("unigram"), keep_at_least=0.6, steps=["cue"], **QUICK)
    assert done.result.goal == "not reached"
    assert (done.result.kept, done.result.steps) == (360, [])
    assert "would leave fewer items than allowed" in done.result.reason


def test_the_result_obeys_the_schema_of_its_records(unigram):
    import jsonschema

    document = json.loads(msgspec.json.encode(unigram.result))
    jsonschema.Draft202012Validator(msgspec.json.schema(HardenResult)).validate(document)
    assert document["schema"] == "hansproof.harden/1"
    assert "does not show that the items that are left test the ability" in document["caution"]


def test_matched_sets_stay_whole_and_parts_never_share_a_group():
    rows = [
        {"prompt": f"Item {n // 2} says {'usually' if n % 3 else 'often'} {n}.", "answer": ("yes", "no")[n % 2],
         "group": str(n // 2)}
        for n in range(120)
    ]  # fmt: skip
    pool = LabelItems(load(rows), make_settings(), 0.4, 1)
    assert len(np.unique(pool.units)) == 60
    assert not set(pool.groups[pool.chosen]) & set(pool.groups[~pool.chosen])
    assert (~pool.chosen).mean() == pytest.approx(0.4, abs=0.02)


def test_a_benchmark_that_cannot_be_audited_or_parted_is_refused():
    with pytest.raises(
        NotAssessedError, match="share one set of answers or have options of their own, and on at least 30 items"
    ):
        harden([{"prompt": text, "answer": text < "c"} for text in "abcd"])
    few = [{"prompt": f"word{n % 12} {'always' if n % 12 < 6 else 'never'}", "answer": "yn"[n % 12 < 6]}
           for n in range(60)]  # fmt: skip
    with pytest.raises(InputError, match="12 groups, too few to hold 40% of them out"):
        LabelItems(load(few), make_settings(), 0.4, 1)
    with pytest.raises(UsageError, match="keep_at_least is 2; it must lie between 0 and 1"):
        harden(few, keep_at_least=2)


@pytest.mark.parametrize(
    ("whole", "held_out", "goal"),
    [
        ("CLEAN", "INCONCLUSIVE", "clean"),
        ("CLEAN", "LEAKS", "not reached"),
        ("INCONCLUSIVE", "CLEAN", "no fault shown"),
        ("TRACES", "CLEAN", "not reached"),
        (None, "CLEAN", "not reached"),
    ],
)
def test_the_goal_needs_both_audits(whole, held_out, goal):
    def said(verdict):
        if verdict is None:
            return None
        return Reading(
            items=9,
            groups=9,
            verdict=verdict,
            reason="so",
            significant=False,
            scheme="grouped",
            splits=3,
            first=None,
            strongest=None,
        )

    assert goal_of(said("LEAKS"), said(whole), said(held_out))[0] == goal
    unsettled = msgspec.structs.replace(said("INCONCLUSIVE"), significant=True)
    assert goal_of(said("LEAKS"), unsettled, said("CLEAN"))[0] == "not reached"


@pytest.mark.slow
def test_templates_that_tell_the_answer_leave_one_item_each(sample):
    done = harden(sample("template-only", 600), keep_at_least=0.1, **QUICK)
    assert done.result.before.verdict == "TEMPLATE-BOUND"
    assert [(step.kind, step.rule) for step in done.result.steps] == [("templates", "keep one item of each template")]
    assert done.result.kept == done.result.before.groups == done.result.after.groups
    assert done.result.goal == "no fault shown"
