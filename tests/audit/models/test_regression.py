"""The regressions of a study: which there are, what they are of, and that difficulty takes away a part."""

import dataclasses

import msgspec
import numpy as np
import pytest
from scipy import stats
from simulated.reliance import World, simulated

from hansproof.audit.models.reliance import families as regression
from hansproof.audit.models.reliance.families import regressions


def worlds(seed=0, **changes):
    return simulated(World(**changes), np.random.default_rng(seed))


def test_families_benchmarks_and_all_answers_have_one_each():
    first, second, third = worlds(benchmarks=3, items=150)
    third = dataclasses.replace(third, about=msgspec.structs.replace(third.about, shortcut=False))
    made = regressions([first, second, third])
    titles = [(each.family, each.benchmark) for each in made]
    families = [(f"family-{number}", "") for number in range(4)]
    assert titles == [*families, ("", "simulated-0"), ("", "simulated-1"), ("", "")]
    assert [each.models for each in made] == [2, 2, 2, 2, 8, 8, 8]
    assert made[-1].plain.answers == 8 * 300 == sum(each.plain.answers for each in made[:4])
    assert (made[-1].plain.groups, made[4].plain.groups) == (300, 150)
    alone = [each.plain.log_odds.estimate for each in made[4:6]]
    assert min(alone) <= made[-1].plain.log_odds.estimate <= max(alone)
    for kind in ("plain", "with_difficulty"):
        fits = [getattr(each, kind) for each in made]
        for part in (fits[:4], fits[4:6]):
            expected = stats.false_discovery_control([fit.log_odds.p for fit in part])
            assert [fit.p_bh for fit in part] == pytest.approx(expected)
        assert fits[-1].p_bh is None
    assert [each.family for each in regressions(worlds(families=1, models=3, items=100))] == [""]
    assert regressions([third]) == []


@pytest.mark.slow
def test_difficulty_takes_away_a_part_of_easier_items_and_none_of_reliance():
    easier = regressions(worlds(items=800))[0]
    leaning = regressions(worlds(items=800, easier=0, reliance=0.4, leaning=(0, 1)))[0]
    assert easier.plain.log_odds.estimate == pytest.approx(1, abs=0.25)
    assert 0.1 < easier.with_difficulty.log_odds.estimate < 0.6
    assert easier.with_difficulty.item_sd < easier.plain.item_sd
    assert leaning.with_difficulty.log_odds.estimate == pytest.approx(leaning.plain.log_odds.estimate, rel=0.15)


def test_who_leans_is_left_out_of_the_difficulty_of_others():
    each = worlds(items=400, reliance=0.5, leaning=(0, 1), models=4, families=2)
    with_it, without = regressions(each)[1], regressions(each, ["model-0", "model-1"])[1]
    assert with_it.plain == without.plain
    assert without.with_difficulty.log_odds.reason == "no other model tells the difficulty of these items"
    third = regressions(worlds(items=400, reliance=0.5, leaning=(0, 1), models=6, families=3), ["model-0", "model-1"])
    assert third[1].with_difficulty.log_odds.estimate > 0.2


def test_copies_of_items_in_one_group_add_nothing():
    each = worlds(items=150)[0]
    twice = dataclasses.replace(
        each,
        right=np.repeat(each.right, 2, axis=0),
        probe_right=np.repeat(each.probe_right, 2),
        gold=np.repeat(each.gold, 2),
        groups=np.repeat(each.groups, 2),
    )
    for once, doubled in zip(regressions([each]), regressions([twice]), strict=True):
        for kind in ("plain", "with_difficulty"):
            first, second = getattr(once, kind).log_odds, getattr(doubled, kind).log_odds
            assert second.estimate == pytest.approx(first.estimate, abs=1e-3)
            assert second.se == pytest.approx(first.se, rel=0.02)


@pytest.mark.slow
def test_about_one_in_twenty_studies_without_any_relation_finds_one():
    shown = []
    for seed in range(30):
        each = worlds(seed, items=80, models=4, families=2, easier=0, group=2)
        shown += [
            [fit.plain.log_odds.p < 0.05, fit.with_difficulty.log_odds.p < 0.05] for fit in regressions(each)[-1:]
        ]
    assert max(np.sum(shown, axis=0)) <= 5  # of 30 at 5 %, more than five happen once in 300 times


def test_what_is_too_little_or_too_much_has_a_reason(monkeypatch):
    few = regressions(worlds(items=36, group=4))[-1]
    assert few.plain.log_odds.reason == few.with_difficulty.log_odds.reason == "too few groups of items: 9"
    monkeypatch.setattr(regression, "_MOST", 1000)
    assert regressions(worlds(items=200))[-1].plain.log_odds.reason == "too many answers: 1,600"
    each = worlds(items=50, models=1, families=1)[0]
    always = dataclasses.replace(each, right=np.ones_like(each.right))
    made = regressions([always])[-1]
    assert made.plain.log_odds.reason == "the models are always right, or always wrong, with the same gold answer"
    assert made.with_difficulty.log_odds.reason == "no other model tells the difficulty of these items"
