"""Scores by model: sums by hand, statsmodels and scikit-learn as second methods, perfect and guessing answerers."""

import json
import sys
from collections import Counter
from dataclasses import replace
from math import isnan
from types import ModuleType

import numpy as np
import pytest
from scipy import stats
from scored import score_models
from statsmodels.stats.proportion import proportion_confint

from hansproof.audit.models.blind import measure_blind
from hansproof.audit.statistics.shares import clustered
from hansproof.generators import registry
from hansproof.generators.answering.plain_scorer import PLAIN, PlainScorer
from hansproof.generators.answering.scorer import ANSWER, Measure, MeasureKind, Reading, Score
from hansproof.generators.dataset import MatchedConditions, Subset
from hansproof.generators.errors import InputError, unwatched
from hansproof.generators.item import Item
from hansproof.generators.registry import MODULES, dataset
from hansproof.generators.stream import Stream

YES_NO = ("yes", "no")


def item(index, answer="yes", choices=YES_NO, group=None, condition="base", subset="s", family="toy", **more):
    data = {"dataset": family, "version": "1.0.0", "subset": subset, "seed": 1, "canary": "c", **more}
    return Item(
        f"{family}/1.0.0/{subset}/{index:06d}", f"? {index}", choices, answer, group or f"g{index}", condition, data
    )


def score_replies(rows, replies, model="", progress=unwatched):
    """The report on one model's replies."""
    return score_models(rows, {model: replies or {row.id: None for row in rows}}, progress)[0]


def line(report, by, name=""):
    return next(line for line in report.lines if (line.by, line.name) == (by, name))


class Lettered(PlainScorer):
    """Whole answers, the share of their letters that are right, and the first word as a further reading."""

    measures = {"letters": MeasureKind("share of letters that are right")}  # noqa: RUF012
    readings = {"first": "the first word of the reply"}  # noqa: RUF012

    def read(self, item, reply):
        words = reply.split() or [None]
        return Reading(words[-1], "" if words[-1] else "is empty", {"first": None if words[0] == "?" else words[0]})

    def score(self, item, reading):
        if item.answer is None:
            return Score(None)
        hits = sum(map(str.__eq__, reading.said or "", item.answer))
        letters = {"letters": Measure(hits / len(item.answer), len(item.answer))}
        return Score(reading.said == item.answer, reading.reason, letters)


@pytest.fixture
def lettered(monkeypatch):
    """A registered family with a measure, a further reading, a contrast of three conditions and two kinds of slice."""
    module = ModuleType("lettered_family")
    contrast = MatchedConditions("plain", ("louder", "longer"))
    module.DATASET = replace(
        dataset("planted-cues"),
        name="lettered",
        scorer=Lettered(),
        subsets={"s": Subset(9, "d", matched=contrast), "single": Subset(9, "d")},
        slices=(("steps",), ("steps", "tone")),
    )
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(registry.MODULES, "lettered", module.__name__)


def test_shares_matched_groups_and_counts_by_hand():
    # Group a: both right. b: one right. c: two of one condition, not matched. d: alone, unanswered.
    rows = [
        item(0, "yes", group="a", condition="original"),
        item(1, "no", group="a", condition="changed"),
        item(2, "yes", group="b", condition="original"),
        item(3, "yes", group="b", condition="changed"),
        item(4, "yes", group="c", condition="original"),
        item(5, "yes", group="c", condition="original"),
        item(6, "no", group="d", condition="original", subset="t"),
    ]
    said = ["yes", "no", "yes", "no", "what?", "yes", None]
    report = score_replies(rows, dict(zip([row.id for row in rows], said)), "mine")
    every = line(report, "all")
    assert (every.items, every.missing, every.unclear, every.groups) == (7, 1, 1, 4)
    assert (every.right.hits, every.right.total, every.right.interval) == (4, 7, "cluster-robust")
    assert every.right == clustered(np.array([1, 1, 1, 0, 1, 0, 0]) > 0, np.array([0, 0, 1, 1, 2, 2, 3]))
    assert (every.matched.hits, every.matched.total, every.matched.share) == (1, 2, 0.5)
    assert every.replied == clustered(np.array([1, 1, 1, 0, 1, 0]) > 0, np.array([0, 0, 1, 1, 2, 2]))
    assert (every.measures, every.chance) == ({}, {ANSWER: 0.5})
    assert [(line.by, line.name) for line in report.lines] == [
        ("all", ""), ("subset", "s"), ("subset", "t"), ("condition", "original"), ("condition", "changed")
    ]  # fmt: skip
    changed = line(report, "condition", "changed")
    assert (changed.right.hits, changed.right.total, changed.matched) == (1, 2, None)
    assert [outcome.score.right for outcome in report.outcomes] == [True, True, True, False, False, True, False]
    assert [outcome.missing for outcome in report.outcomes] == [False] * 6 + [True]
    assert (report.outcomes[4].score.reason, report.outcomes[6].score.reason) == (
        "names no choice",
        "there is no reply",
    )
    assert (report.model, report.dataset, report.version) == ("mine", "toy", "1.0.0")
    assert (report.scorer, report.readings) == ("hansproof.generators.answering.plain_scorer", ())
    (effect,) = report.effects
    assert (effect.difference.items, effect.left_out, effect.difference.difference) == (2, 1, 0.5)


@pytest.mark.usefixtures("lettered")
def test_measures_are_weighted_means_with_intervals_over_groups():
    rows = [
        item(0, "ab", None, "g0", "plain", family="lettered"),
        item(1, "abcd", None, "g0", "louder", family="lettered"),
        item(2, "abcd", None, "g1", "plain", family="lettered"),
        item(3, "ab", None, "g2", "plain", family="lettered"),
    ]
    report = score_replies(rows, {rows[0].id: "ab", rows[1].id: "xbcx", rows[2].id: "abcd"})
    letters = line(report, "all").measures["letters"]
    # 2 + 2 + 4 + 0 of 2 + 4 + 4 + 2 letters; the missing reply has none.
    assert (letters.hits, letters.total, letters.share) == (8, 12, pytest.approx(2 / 3))
    # Residuals by group: 4 - 6 * 2/3 = 0, 4 - 4 * 2/3 = 4/3, 0 - 2 * 2/3 = -4/3, over the letters of the others, 8 and
    # 10; effective groups 144 / (36 + 16 + 4) = 18/7.
    variance = 2 / 3 * ((4 / 3 / 8) ** 2 + (4 / 3 / 10) ** 2)
    trials = 2 / 9 / variance * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 18 / 7 - 1)) ** 2
    assert (letters.low, letters.high) == pytest.approx(proportion_confint(2 / 3 * trials, trials, method="wilson"))
    assert letters.interval == "cluster-robust"
    meaning = "share of letters that are right"
    assert report.measures == {"letters": MeasureKind(meaning)}
    assert report.record()["measures"] == {"letters": {"meaning": meaning, "better": "higher", "share": True}}
    record = report.record(scores=True)["scores"]
    assert record[1] == {
        "id": rows[1].id, "right": False, "missing": False, "unclear": False, "said": "xbcx", "reason": "",
        "measures": {"letters": {"value": 0.5, "weight": 4}}, "readings": {"first": {"said": "xbcx", "right": False}},
    }  # fmt: skip
    assert (record[3]["missing"], record[3]["said"], record[3]["readings"]) == (True, None, {})


@pytest.mark.usefixtures("lettered")
def test_matched_groups_have_one_item_of_every_condition_of_the_contrast():
    conditions = ["plain", "louder", "longer"]
    rows = [item(3 * group + place, "ab", None, f"g{group}", condition, family="lettered")
            for group in range(4) for place, condition in enumerate(conditions)]  # fmt: skip
    rows += [item(12, "ab", None, "g1", "aside", family="lettered")]  # not of the contrast: g1 stays matched
    rows = [row for row in rows if row.id != rows[11].id]  # g3 lacks its third condition
    rows += [item(0, "ab", None, "g0", name, "single", "lettered") for name in conditions[:1]]
    replies = {row.id: "ab" for row in rows} | {rows[1].id: "wrong", rows[-2].id: "wrong"}
    every = score_replies(rows, replies).lines[0]
    assert (every.matched.hits, every.matched.total) == (2, 3)


@pytest.mark.usefixtures("lettered")
def test_slices_of_the_family_are_lines_in_their_order():
    rows = [item(index, "ab", None, family="lettered", steps=steps, tone=tone)
            for index, (steps, tone) in enumerate([(10, "low"), (9, "low"), (9, "high"), (None, "low")])]  # fmt: skip
    report = score_replies(rows, {})
    assert [(line.by, line.name, line.items) for line in report.lines] == [
        ("all", "", 4), ("subset", "s", 4), ("steps", "9", 2), ("steps", "10", 1),
        ("steps, tone", "9, high", 1), ("steps, tone", "9, low", 1), ("steps, tone", "10, low", 1),
    ]  # fmt: skip


@pytest.mark.usefixtures("lettered")
def test_a_cut_that_repeats_another_is_left_out():
    rows = [item(0, condition="s"), item(0, condition="t", subset="t")]
    assert [line.by for line in score_replies(rows, {}).lines] == ["all", "subset", "subset"]
    rows = [item(index, "ab", None, condition=name, family="lettered", steps=index, tone="low")
            for index, name in enumerate(("plain", "louder"))]  # fmt: skip
    assert [line.by for line in score_replies(rows, {}).lines] == ["all", "subset", "condition", "condition"]


@pytest.mark.usefixtures("lettered")
def test_a_further_reading_is_compared_with_the_main_one():
    rows = [item(index, "ab", None, family="lettered") for index in range(8)]
    replies = dict(zip([row.id for row in rows], ["ab", "no ab", "ab no", "x", "?", "? ab", "ab", ""]))
    (agreed,) = score_replies(rows, replies).readings
    assert (agreed.reading, agreed.description) == ("first", "the first word of the reply")
    # Both find an answer in all but `?` and `? ab`; the same one in `ab`, `ab` and `x`.
    assert (agreed.replies, agreed.read_by_both, agreed.same, agreed.same_share) == (7, 5, 3, 0.6)
    assert (agreed.both_right, agreed.main_only, agreed.other_only, agreed.neither) == (2, 2, 1, 2)
    # p_o = 4/7, p_e = (4 * 3 + 3 * 4) / 49 = 24/49: kappa = (28 - 24) / 25
    assert agreed.kappa == pytest.approx(0.16)
    (none,) = score_replies(rows, {}).readings
    assert isnan(none.kappa)
    assert (none.replies, none.reason) == (0, "no reply is read by both; there are no replies to compare")
    assert isnan(none.same_share)


def test_items_without_a_right_answer_have_measures_only(toy_bandit):
    rows = [toy_bandit.item("short", 1, index) for index in range(6)]
    report = score_replies(rows, {row.id: json.dumps(["A", "B", "A", "A"]) for row in rows[:5]})
    every = report.lines[0]
    assert (every.right, every.missing, every.unclear, every.matched) == (None, 1, 0, None)
    assert set(every.chance) == {"reward"}
    played = [row.metadata["rewards_a"] for row in rows[:5]], [row.metadata["rewards_b"] for row in rows[:5]]
    earned = sum(a[0] + b[1] + a[2] + a[3] for a, b in zip(*played))
    assert every.measures["reward"].share == pytest.approx(earned / 20)  # the missing run has no reward
    assert every.chance["reward"] == pytest.approx(sum(map(sum, (*played[0], *played[1]))) / 40)
    assert (every.best_blind(), every.best_blind("reward").strategy) == (None, "always-a")
    assert report.record(scores=True)["scores"][5]["right"] is None


def test_blind_strategies_stand_beside_a_model_on_exactly_its_items():
    rows = [item(index, YES_NO[index % 3 == 0], group=f"g{index // 2}") for index in range(20)]
    rows += [item(index, YES_NO[index % 2], subset="t") for index in range(10)]
    report = score_replies(rows, {})
    for name, some in (("s", rows[:20]), ("t", rows[20:])):
        assert repr(line(report, "subset", name).blind) == repr(tuple(measure_blind(some, PLAIN)))
    assert repr(line(report, "all").blind) == repr(tuple(measure_blind(rows, PLAIN)))
    best = line(report, "subset", "s").best_blind()
    assert (best.strategy, best.share.hits) == ("constant", 13)
    assert best.share.share == max(result.share.share for result in line(report, "subset", "s").blind)


def test_open_answers_have_no_chance():
    rows = [item(0, "one", None), item(1, "two", None)]
    report = score_replies(rows, {rows[0].id: "ONE"})
    assert isnan(report.lines[0].chance[ANSWER])
    assert report.lines[0].undefined[ANSWER].startswith("some answers are open")
    blind = report.lines[0].blind[0]
    assert (isnan(blind.p), isnan(blind.p_holm), blind.reason.partition(":")[0]) == (
        True, True, "chance and p are undefined",
    )  # fmt: skip
    record = report.record()
    assert record["lines"][0]["right"]["share"] == 0.5
    assert "scores" not in record
    assert "outcomes" not in record
    assert len(report.record(scores=True)["scores"]) == 2


@pytest.mark.parametrize("family", [family for family in MODULES if dataset(family).episode is None])
def test_a_perfect_answerer_of_every_family_has_everything_right(family):
    about = dataset(family)
    rows = [about.item(subset, 3, index) for subset in about.subsets for index in range(5)]
    replies = {row.id: about.subsets[row.metadata["subset"]].form.solution(row) for row in rows}
    every = score_replies(rows, replies).lines[0]
    assert (every.right.hits, every.unclear, every.missing) == (len(rows), 0, 0)
    kinds = about.scorer.measures
    assert all(rate.share == 1 for name, rate in every.measures.items() if kinds[name].better == "higher")


def test_a_guesser_is_near_chance_and_a_constant_one_at_the_constant_strategy():
    rows = [item(index, YES_NO[index % 5 == 0]) for index in range(400)]
    coin = Stream(9, "guesser")
    every = score_replies(rows, {row.id: coin.choice(YES_NO) for row in rows}).lines[0]
    assert abs(every.right.share - every.chance[ANSWER]) < 4 * (0.25 / 400) ** 0.5
    gold, often = Counter(row.answer for row in rows).most_common(1)[0]
    always = score_replies(rows, {row.id: gold for row in rows}).lines[0]
    assert always.right.share == always.best_blind().share.share == often / 400


def test_the_order_of_the_replies_and_the_calls_of_the_progress_change_nothing():
    rows = [item(index) for index in range(25)]
    replies = {row.id: "yes" for row in rows}
    first = score_replies(rows, replies)
    calls = []
    second = score_replies(rows, dict(reversed(replies.items())), "mine", lambda *call: calls.append(call))
    assert repr(second.record(scores=True)) == repr(first.record(scores=True) | {"model": "mine"})
    last = {stage: (done, total) for stage, done, total in calls}
    assert {"blind strategies", "scoring mine"} <= last.keys()
    assert all(done == total for done, total in last.values()), last


def test_several_models_have_a_report_each_and_share_what_does_not_depend_on_them():
    rows = [item(0), item(1, "no")]
    good, bad = score_models(rows, {"good": {rows[0].id: "yes", rows[1].id: "no"}, "bad": {rows[0].id: "no"}})
    assert (good.model, good.lines[0].right.hits, bad.model, bad.lines[0].right.hits) == ("good", 2, "bad", 0)
    assert bad.lines[0].missing == 1
    assert repr(good.lines[0].blind) == repr(bad.lines[0].blind)


def test_what_cannot_be_scored_is_refused():
    row = item(0)
    with pytest.raises(InputError, match=r"^there are no items to score"):
        score_replies([], {"x": "yes"})
    with pytest.raises(InputError, match="items of 2 datasets to score"):
        score_replies([row, item(0, family="other")], {})
    with pytest.raises(InputError, match="two items have the same id"):
        score_replies([row, row], {})
    with pytest.raises(InputError, match="none of the 1 replies belongs to an item of the items; "):
        score_replies([row], {"x": "yes"})
