"""Blind strategies measured: by hand, beside scikit-learn, and whatever the order of the rows."""

import time
from dataclasses import replace
from math import isnan

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.tree import DecisionTreeClassifier
from statsmodels.stats.proportion import proportion_confint

from hansproof.audit.models.blind import FOLDS, WAVES, attempt, measure_blind
from hansproof.generators.answering.plain_scorer import PlainScorer
from hansproof.generators.answering.scorer import (
    ANSWER,
    BlindStrategy,
    Measure,
    MeasureKind,
    Score,
    constant,
    copying,
    rule,
)
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

LETTERS = ("a", "b", "c")


def item(index, answer="a", group=None, subset="s", choices=LETTERS, **more):
    data = {"dataset": "toy", "version": "1.0.0", "subset": subset, "seed": 1, "canary": "c", **more}
    return Item(
        f"toy/1.0.0/{subset}/{index:06d}", f"? {index}", choices, answer, group or f"{subset}-{index}", "base", data
    )


class Toy:
    """Whole answers, and the share of letters that are right as a measure."""

    def __init__(self, *strategies):
        self.measures = {"letters": MeasureKind("share of letters that are right")}
        self.blind = strategies

    def score(self, item, reading):
        said, gold = reading.said or "", item.answer
        if gold is None:
            return Score(None, "", {"letters": Measure(len(said))})
        hits = sum(map(str.__eq__, said, gold))
        return Score(said == gold, "", {"letters": Measure(hits / len(gold), len(gold))})

    def chance(self, item):
        return {ANSWER: 1 / len(item.choices), "letters": 1 / len(item.answer)} if item.choices else {}


def drawn(count, per_group=1, subset="s"):
    """Items with a surface of four values, which tells the answer three times in four."""
    stream = Stream(7, "blind", subset)
    rows = []
    for index in range(count):
        surface = stream.below(4)
        answer = LETTERS[surface % 3] if stream.uniform() < 0.75 else stream.choice(LETTERS)
        rows.append(item(index, answer, f"{subset}-{index // per_group}", subset, surface=str(surface)))
    return rows


def by_surface(row):
    return row.metadata["surface"]


def test_a_fixed_rule_by_hand():
    rows = [item(0, "ab"), item(1, "aa"), item(2, "bbbb"), item(3, "ab")]
    strategy = copying("always-ab", "says ab", lambda row: None if row.id.endswith("2") else "ab")
    whole, letters = measure_blind(rows, Toy(strategy))
    assert (whole.strategy, whole.description, whole.part) == ("always-ab", "says ab", ANSWER)
    # Of the three that it answers.
    assert (whole.items, whole.answered, whole.share.hits, whole.share.total) == (4, 3, 2, 3)
    assert whole.in_sample == pytest.approx(2 / 3)
    assert (whole.share.low, whole.share.high) == pytest.approx(proportion_confint(2, 3, method="wilson"))
    assert (whole.chance, whole.reason, whole.share.interval) == (pytest.approx(1 / 3), "", "Wilson")
    # 2 + 1 + 2 of 2 + 2 + 2 letters
    assert (letters.part, letters.share.share, letters.in_sample) == ("letters", 5 / 6, 5 / 6)
    # Chance is weighted by letters, too: 2/2 + 2/2 + 2/2 of 6.
    assert (letters.share.hits, letters.share.total, letters.chance) == (5, 6, pytest.approx(0.5))
    assert letters.share.interval == "cluster-robust"


def test_manifests_count_unanswered_items_as_wrong_but_not_in_p():
    rows = [item(index, "a" if index % 4 else "b") for index in range(40)]
    # Right on all of the 10 items that it answers, a quarter of all: chance is a third, so p = 3 ** -10.
    strategy = copying("b", "says b on every fourth", lambda row: None if int(row.id[-6:]) % 4 else "b")
    result, _ = measure_blind(rows, Toy(strategy))
    known, _ = measure_blind(rows, Toy(strategy), unanswered=True)
    assert (result.share.share, result.in_sample, known.share.share, known.in_sample) == (1.0, 1.0, 0.25, 0.25)
    assert (result.items, result.answered, known.items, known.answered) == (40, 10, 40, 10)
    assert result.p == known.p == pytest.approx(3**-10)
    # Guessing the other 30 gets a third of them.
    assert result.worth == pytest.approx(0.5)


def test_a_strategy_that_answers_nothing_has_no_share_and_beats_nothing():
    silent = copying("silent", "says nothing", lambda row: None)
    result, _ = measure_blind([item(0), item(1)], Toy(silent))
    assert (result.answered, result.share.total, result.p, result.reason) == (
        0,
        0,
        1.0,
        "it answers none of these items",
    )
    known, _ = measure_blind([item(0), item(1)], Toy(silent), unanswered=True)
    assert (known.share.share, known.share.total, known.p) == (0.0, 2, 1.0)


def test_a_rule_that_does_not_learn_never_sees_an_answer():
    seen = []
    cheat = BlindStrategy("cheat", "looks", lambda learned, asked: seen.append(len(learned)) or [None] * len(asked))
    measure_blind([item(0), item(1)], Toy(cheat))
    assert seen == [0]


def test_four_groups_are_answered_one_by_one():
    # Whichever is kept back, the other answer is the more common one among the three that are left.
    rows = [item(0, "a"), item(1, "a"), item(2, "b"), item(3, "b")]
    (result,) = measure_blind(rows, PLAINLY)
    assert (result.share.hits, result.share.total, result.in_sample) == (0, 4, 0.5)


class Plainly(PlainScorer):
    """Whole answers only, and the best constant alone."""

    blind = (constant(),)


PLAINLY = Plainly()


def test_one_group_cannot_be_measured_out_of_sample():
    rows = [item(0, "a", "one"), item(1, "a", "one"), item(2, "b", "one")]
    (result,) = measure_blind(rows, PLAINLY)
    assert (result.items, result.answered, result.share.total) == (3, 0, 0)
    assert isnan(result.share.share)
    assert isnan(result.share.low)
    assert result.in_sample == pytest.approx(2 / 3)
    assert result.reason == "3 items are in subsets with fewer than two groups"
    (both,) = measure_blind([*rows, item(0, "b", subset="t"), item(1, "b", subset="t")], PLAINLY)
    assert (both.items, both.answered, both.share.hits, both.share.total) == (5, 2, 2, 2)
    assert both.reason == "3 items are in subsets with fewer than two groups"


@pytest.mark.parametrize("per_group", [1, 3])
def test_learnt_rules_agree_with_scikit_learn_on_the_same_folds(per_group):
    rows = drawn(240, per_group)
    attempts = attempt(rows, Toy(constant(), rule("surface", "by surface", by_surface)))
    fold_of = folds_of(rows)
    y = np.array([row.answer for row in rows])
    x = np.eye(4)[[int(by_surface(row)) for row in rows]]
    split = PredefinedSplit(fold_of)
    most, surface = (result for result in attempts.results() if result.part == ANSWER)
    expected = cross_val_predict(DummyClassifier(strategy="most_frequent"), x, y, cv=split)
    assert most.share.hits == (expected == y).sum()
    assert most.in_sample == pytest.approx(DummyClassifier(strategy="most_frequent").fit(x, y).score(x, y))
    # A full tree over indicators of the surface is the majority rule within each of its values.
    expected = cross_val_predict(DecisionTreeClassifier(random_state=0), x, y, cv=split)
    assert surface.share.hits == (expected == y).sum()
    assert surface.in_sample == pytest.approx(DecisionTreeClassifier(random_state=0).fit(x, y).score(x, y))
    assert surface.share.interval == ("Wilson" if per_group == 1 else "cluster-robust")
    assert surface.share.low > surface.chance


def folds_of(rows):
    """The fold of each row, seen from outside: a strategy notes whom it answers together."""
    parts = []

    def note(learned, asked):
        assert not {row.group for row in learned} & {row.group for row in asked} or len(learned) == len(rows)
        parts.append([row.id for row in asked])
        return ["a"] * len(asked)

    measure_blind(rows, Toy(BlindStrategy("note", "notes", note, learns=True)))
    # First the folds, then the waves, and last all of them in sample.
    assert len(parts) == 1 + FOLDS + WAVES - 1
    parts = parts[:FOLDS]
    return [next(number for number, part in enumerate(parts) if row.id in part) for row in rows]


def test_groups_stay_together_and_folds_are_even():
    rows = drawn(120, 3)
    assert np.bincount(folds_of(rows)).tolist() == [24] * 5
    assert all(len({fold for fold, row in zip(folds_of(rows), rows) if row.group == group}) == 1
               for group in {row.group for row in rows})  # fmt: skip


def test_the_order_of_the_rows_changes_nothing():
    rows = drawn(90, 2) + drawn(60, 3, "t")
    rows += [item(index, "abcabca"[: 1 + index % 7], subset="u", surface="0") for index in range(50)]
    first_seen = BlindStrategy("first", "the first answer", lambda old, new: [old[0].answer] * len(new), learns=True)
    scorer = Toy(constant(), rule("surface", "by surface", by_surface), first_seen)
    other = [rows[place] for place in Stream(1, "order").shuffled(range(len(rows)))]
    assert repr(measure_blind(rows, scorer)) == repr(measure_blind(other, scorer))


def test_not_even_the_last_bit_depends_on_the_order_of_the_rows():
    class Thirds(Toy):
        def score(self, item, reading):
            return Score(None, "", {"letters": Measure(1 / (3 + int(item.id[-6:])))})

    rows, scorer = [item(index) for index in range(200)], Thirds(constant())
    assert repr(measure_blind(rows, scorer)) == repr(measure_blind(rows[::-1], scorer))


def test_strategies_learn_within_each_subset():
    rows = [item(index, "a", subset="s") for index in range(6)] + [item(index, "b", subset="t") for index in range(4)]
    (result,) = measure_blind(rows, PLAINLY)
    assert (result.share.hits, result.share.total) == (10, 10)


def test_a_part_of_the_items_is_summed_up_on_its_own():
    rows = drawn(60) + drawn(60, subset="t")
    scorer = Toy(constant(), rule("surface", "by surface", by_surface))
    attempts = attempt(rows, scorer)
    assert repr(attempts.results(range(60, 120))) == repr(measure_blind(rows[60:], scorer))


def test_a_target_is_guessed_where_there_is_one():
    rows = [item(index, operation=("add", "add", "divide")[index % 3]) for index in range(9)]
    rows += [item(9, operation=None), item(10)]
    (result,) = measure_blind(rows, Toy(constant("operation")))
    assert (result.part, result.items, result.answered, result.chance) == ("operation", 9, 9, 0.5)
    assert result.share.hits == 6
    assert result.in_sample == pytest.approx(6 / 9)


def test_items_without_an_answer_have_measures_only():
    rows = [item(0, None, choices=None), item(1, None, choices=None)]
    (result,) = measure_blind(rows, Toy(copying("abc", "says abc", lambda row: "abc")))
    assert (result.part, result.share.share, result.items) == ("letters", 3, 2)
    assert isnan(result.chance)
    assert isnan(result.share.low)  # both are 3: no spread, no interval


def test_pairs_that_stand_or_fall_together_count_once():
    # Eight pairs, five of which are right as a whole: as sure as 5 of 8 with 7 degrees of freedom, not as 10 of 16.
    rows = [item(index, "a" if index < 10 else "b", f"g{index // 2}") for index in range(16)]
    always = Toy(copying("a", "says a", lambda row: "a"))
    share = measure_blind(rows, always)[0].share
    # The variance is 8/7 * (5/8 * 3/8) / 8: that of 7 trials; fewer by (z / t)^2 with t(.975, 7) = 2.3646.
    trials = 7 * (1.959964 / 2.364624) ** 2
    assert (share.share, share.interval) == (0.625, "cluster-robust")
    assert (share.low, share.high) == pytest.approx(proportion_confint(0.625 * trials, trials, method="wilson"))
    # All right: no spread; the interval of 8 of 8 groups.
    share = measure_blind([item(index, "a", f"g{index // 2}") for index in range(16)], always)[0].share
    assert (share.low, share.high) == pytest.approx(proportion_confint(8, 8, method="wilson"))


def test_a_strategy_that_lacks_its_key_is_named():
    with pytest.raises(InputError, match=r"blind strategy 'surface' needs metadata\.surface, which an item lacks"):
        measure_blind([item(0), item(1)], Toy(rule("surface", "by surface", by_surface)))


def test_a_strategy_that_cannot_take_the_metadata_is_named():
    shout = copying("shout", "says the answer", lambda row: row.metadata["n"].upper())
    with pytest.raises(InputError, match="blind strategy 'shout' cannot take metadata: 'int' object has no attribute"):
        measure_blind([replace(item(0), metadata=item(0).metadata | {"n": 3})], Toy(shout))


@pytest.mark.slow
def test_ten_strategies_on_a_large_release_take_seconds():
    rows = drawn(11_900)
    scorer = Toy(*(rule(f"rule-{number}", "by surface", by_surface) for number in range(10)))
    begun = time.process_time()
    assert len(measure_blind(rows, scorer)) == 20
    assert time.process_time() - begun < 10
