"""Scores by model: sums by hand, the family's own summaries and statsmodels as second methods, simulated answerers."""

import json
from collections import Counter
from math import isnan

import pytest
from statsmodels.stats.proportion import proportion_confint

from audit.responses import scoring
from audit.responses.scoring import PLAIN, SCORERS, score_replies
from generators import knights_knaves
from generators.errors import InputError
from generators.item import Item
from generators.registry import MODULES, dataset
from generators.stream import Stream

KNIGHTS = dataset("knights-knaves")
YES_NO = ("yes", "no")


def item(index, answer="yes", choices=YES_NO, group=None, condition="base", subset="s"):
    data = {"dataset": "toy", "version": "1.0.0", "subset": subset, "seed": 1, "canary": "c"}
    return Item(f"toy/1.0.0/{subset}/{index:06d}", "?", choices, answer, group or f"g{index}", condition, data)


def puzzles(subset, count, seed=5):
    return [KNIGHTS.item(subset, seed, index) for index in range(count)]


def written(one):
    """The gold answer of a puzzle as a reply would end."""
    about = one.metadata
    said = f"{about['asked']}: {one.answer}" if "asked" in about else one.answer
    return said.replace(" | ", "\n\n").replace("; ", "\n")


def line(report, by, name=""):
    return next(one for one in report.lines if (one.by, one.name) == (by, name))


def test_rates_pairs_and_counts_by_hand():
    # Pair a: both right. Pair b: one right. c: two of one condition, no pair. d: alone, unanswered.
    rows = [
        item(0, "yes", group="a", condition="original"),
        item(1, "no", group="a", condition="changed"),
        item(2, "yes", group="b", condition="original"),
        item(3, "yes", group="b", condition="changed"),
        item(4, "yes", group="c", condition="original"),
        item(5, "yes", group="c", condition="original"),
        item(6, "no", group="d", condition="original", subset="t"),
    ]
    said = ["yes", "no", "yes", "no", "what?", "yes"]
    report = score_replies(rows, dict(zip([row.id for row in rows], said)), "mine")
    every = line(report, "all")
    assert (every.items, every.missing, every.unparsed, every.groups) == (7, 1, 1, 4)
    assert (every.right.hits, every.right.total) == (4, 7)
    assert (every.right.low, every.right.high) == pytest.approx(proportion_confint(4, 7, method="wilson"))
    assert (every.pairs.hits, every.pairs.total, every.pairs.share) == (1, 2, 0.5)
    assert every.characters is None
    assert isnan(every.majority_character)
    assert every.random == 0.5
    assert every.majority == pytest.approx((6 * 5 / 6 + 1) / 7)  # s: five of six are yes; t: its one item is no
    assert [(one.by, one.name) for one in report.lines] == [
        ("all", ""), ("subset", "s"), ("subset", "t"), ("condition", "original"), ("condition", "changed")
    ]  # fmt: skip
    changed = line(report, "condition", "changed")
    assert (changed.right.hits, changed.right.total, changed.majority, changed.pairs) == (1, 2, 0.5, None)
    assert [one["right"] for one in report.scores] == [True, True, True, False, False, True, False]
    assert report.scores[4]["reason"] == "names no choice"
    assert (report.model, report.dataset, report.version, report.scorer) == ("mine", "toy", "1.0.0", PLAIN)


def test_open_answers_have_no_chance_and_the_record_says_null():
    rows = [item(0, "one", None), item(1, "two", None)]
    report = score_replies(rows, {rows[0].id: "ONE"})
    record = report.record()
    assert isnan(report.lines[0].random)
    assert record["lines"][0]["random"] is None
    assert record["lines"][0]["right"]["share"] == 0.5
    assert "scores" not in record
    assert len(report.record(scores=True)["scores"]) == 2
    json.dumps(record, allow_nan=False)


def test_nothing_known_is_lost_by_conditions_that_are_the_subsets():
    rows = [item(0, condition="s"), item(0, condition="t", subset="t")]
    assert [one.by for one in score_replies(rows, {}).lines] == ["all", "subset", "subset"]


@pytest.mark.parametrize("subset", ["S-3", "I-4-logicians", "identity-3", "number-4", "none-3", "several-3", "wide-3"])
def test_a_perfect_answerer_of_puzzles_has_everything_right(subset):
    rows = puzzles(subset, 12)
    every = score_replies(rows, {row.id: written(row) for row in rows}).lines[0]
    assert (every.right.hits, every.unparsed, every.missing) == (12, 0, 0)
    assert every.characters is None or every.characters.share == 1


@pytest.mark.parametrize("family", [name for name in MODULES if name not in SCORERS])
def test_a_perfect_answerer_of_every_other_family_has_everything_right(family):
    about = dataset(family)
    rows = [about.item(subset, 3, index) for subset in about.subsets for index in range(5)]
    every = score_replies(rows, {row.id: row.answer for row in rows}).lines[0]
    assert (every.right.hits, every.unparsed, every.missing) == (len(rows), 0, 0)


def test_a_guesser_is_near_the_random_baseline_and_a_constant_one_at_the_majority():
    rows = puzzles("S-3", 400)
    coin = Stream(9, "guesser")
    guesses = {
        row.id: "\n".join(f"{name}: {coin.choice(row.metadata['terms'])}" for name in row.metadata["names"])
        for row in rows
    }
    every = score_replies(rows, guesses).lines[0]
    assert every.random == 0.125
    assert abs(every.right.share - 0.125) < 4 * (0.125 * 0.875 / 400) ** 0.5
    assert abs(every.characters.share - 0.5) < 4 * (0.25 / 1200) ** 0.5
    gold, often = Counter(written(row) for row in rows).most_common(1)[0]
    always = score_replies(rows, {row.id: gold for row in rows}).lines[0]
    assert always.right.share == always.majority == often / 400


def test_the_order_of_the_replies_and_the_number_of_chunks_change_nothing(monkeypatch):
    rows = puzzles("E-3", 25)
    replies = {row.id: written(rows[0]) for row in rows}
    first = score_replies(rows, replies)
    monkeypatch.setattr(scoring, "_CHUNK", 7)
    steps = []

    def progress(stage, done, total):
        steps.append((stage, done, total))

    second = score_replies(rows, dict(reversed(replies.items())), "mine", progress)
    assert second.record(scores=True) == first.record(scores=True) | {"model": "mine"}
    assert steps == [("mine", done, 25) for done in (7, 14, 21, 25)]


def test_what_cannot_be_scored_is_refused():
    one = item(0)
    with pytest.raises(InputError, match=r"^0 releases to score"):
        score_replies([], {})
    with pytest.raises(InputError, match="2 releases to score"):
        score_replies([one, KNIGHTS.item("S-3", 1, 0)], {})
    with pytest.raises(InputError, match="two items have one id"):
        score_replies([one, one], {})
    with pytest.raises(InputError, match="1 replies belong to no item, the first one to 'x'"):
        score_replies([one], {"x": "yes"})


def test_every_scorer_of_the_table_belongs_to_a_family_and_is_there():
    assert set(SCORERS) <= set(MODULES)
    assert set(scoring.SLICES) <= set(SCORERS)
    assert SCORERS["knights-knaves"].startswith(knights_knaves.__name__)
