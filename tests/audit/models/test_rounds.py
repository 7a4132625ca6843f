"""Rounds: beside studies from which models that lean were cut by hand, and what such a model does by algebra."""

import dataclasses

import msgspec
import numpy as np
import pytest
from simulated.reliance import World, simulated

from hansproof.audit.models.reliance.estimate import Rows, Side, effect_beyond
from hansproof.audit.models.reliance.families import study
from hansproof.audit.models.reliance.pairs import pairs_of
from hansproof.audit.models.reliance.rounds import last_round, model_results
from hansproof.audit.replies.grid import Series

SIX = {"models": 6, "families": 3, "items": 1000, "reliance": 0.35, "leaning": (0,)}
HALF = {"models": 8, "families": 8, "items": 1000, "reliance": 0.5, "leaning": (0, 2, 4, 6)}


def worlds(seed=0, **changes):
    return simulated(World(**changes), np.random.default_rng(seed))


def cut(each, gone):
    """The benchmark as if nobody had asked these models."""
    kept = [place for place, series in enumerate(each.series) if series.model not in gone]
    series = tuple(each.series[place] for place in kept)
    said = None if each.said is None else each.said[:, kept]
    return dataclasses.replace(each, series=series, right=each.right[:, kept], said=said)


def by_name(pairs):
    return {pair.record.model: pair for pair in pairs}


def one_round(each):
    return model_results([pair for benchmark in each for pair in pairs_of(benchmark)], 0.05)


def evidence(result):
    return result.beyond.estimate, result.beyond.se, result.beyond.p


def stands_out(result):
    return result.beyond_holm <= 0.05 and result.trend.p <= 0.05


def others_hold_0(results, leaning):
    return [each.beyond.low <= 0 <= each.beyond.high for each in results if each.model not in leaning]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "world", "leaning"),
    [
        (1, SIX, ["model-0"]),
        (2, SIX | {"labels": 4}, ["model-0"]),
        (3, {"items": 1000, "reliance": 0.4, "leaning": (1, 4)}, ["model-1", "model-4"]),
    ],
)
def test_the_others_have_the_numbers_of_a_study_without_the_models_that_lean(seed, world, leaning):
    each = worlds(seed, **world)
    result = last_round(each, 0.05)
    assert result.left_out == leaning
    assert [each.model for each in result.models] == [series.model for series in each[0].series]
    for name, pair in by_name(result.pairs).items():
        alone = by_name(pairs_of(cut(each[0], set(leaning) - {name})))[name]
        assert pair.record == alone.record
        assert pair.beyond.value == alone.beyond.value
    ps = {each.model: each.beyond.p for each in result.models}
    assert ps == pytest.approx({name: pair.record.beyond.p for name, pair in by_name(result.pairs).items()})


@pytest.mark.slow
def test_intervals_of_the_others_hold_0_once_a_model_that_leans_is_left_out():
    before, after = [], []
    for seed in range(10):
        each = worlds(seed, **SIX)
        before += others_hold_0(one_round(each), {"model-0"})
        result = last_round(each, 0.05)
        assert result.left_out == ["model-0"]
        after += others_hold_0(result.models, {"model-0"})
    assert np.mean(before) < 0.75
    assert np.mean(after) > 0.85


def test_a_proxy_that_leans_pushes_by_its_share_over_the_rest_and_an_instrument_that_leans_does_not():
    # Of three models that are right with a probability of .5 + .4 t, t from -1 to 1 and larger where the probe is
    # right, one gives the probe's answer on a share r: it is right with (1 - r) (.5 + .4 t) + r z. To put t as that
    # model shows it takes r / (1 - r) z away from the others.
    random = np.random.default_rng(1)
    n, r = 400_000, 0.35
    probe = (random.random(n) < 0.6).astype(float)
    easiness = np.clip(random.uniform(-1, 0.6, n) + 0.4 * probe, -1, 1)
    able = random.random((n, 3)) < 0.5 + 0.4 * easiness[:, None]
    able[:, 1] = np.where(random.random(n) < r, probe > 0, able[:, 1])
    response, leans, other = able.astype(float).T
    rows = Rows(response, probe, np.zeros(n, dtype=int), np.arange(n) % 200)
    every = np.arange(n)
    pushed = effect_beyond(rows, [Side(every, leans, other, several=False)])
    free = effect_beyond(rows, [Side(every, other, leans, several=False)])
    assert pushed.value == pytest.approx(-r / (1 - r), abs=0.03)
    assert free.value == pytest.approx(0, abs=0.02)


def test_a_model_that_leans_alone_is_told_by_the_same_numbers_as_by_one_round():
    each = worlds(1, **SIX)
    first, last = one_round(each)[0], last_round(each, 0.05).models[0]
    assert first.beyond_holm == last.beyond_holm < 0.001
    assert evidence(first) == evidence(last)


@pytest.mark.slow
def test_models_that_lean_do_not_hide_each_other():
    before, after, told = [], [], [0, 0]
    for seed in range(6):
        each = worlds(seed, **HALF)
        first, last = one_round(each), last_round(each, 0.05).models
        for place in (0, 2, 4, 6):
            before.append(first[place].beyond.estimate)
            after.append(last[place].beyond.estimate)
            told[0] += stands_out(first[place])
            told[1] += stands_out(last[place])
    assert np.mean(before) < 0.4
    assert np.mean(after) == pytest.approx(0.5, abs=0.06)
    assert told[0] <= 16
    assert told[1] >= 20  # of 24


def test_without_a_model_that_stands_out_there_is_one_round(monkeypatch):
    each = worlds(4, items=300)
    results = one_round(each)
    assert min(result.beyond_holm for result in results) > 0.05
    calls = []
    monkeypatch.setattr(
        "hansproof.audit.models.reliance.rounds.pairs_of", lambda *given: calls.append(given) or pairs_of(*given)
    )
    result = last_round(each, 0.05)
    assert (result.models, result.left_out, len(calls)) == (results, [], 1)


@pytest.mark.slow
def test_the_last_round_finds_nobody_else_and_an_earlier_one_was_made_of_what_was_found():
    each = worlds(1, **HALF)
    gone = []
    while True:  # the definition, by cutting columns
        pairs = {}
        for series in each[0].series:
            pairs |= {series.model: by_name(pairs_of(cut(each[0], set(gone) - {series.model})))[series.model]}
        ps = [result for result in model_results(list(pairs.values()), 0.05, gone) if result.beyond_holm <= 0.05]
        more = [result.model for result in ps if result.trend.p <= 0.05 and result.model not in gone]
        if not more:
            break
        gone += more
    result = last_round(each, 0.05)
    assert len(gone) > sum(result.beyond_holm <= 0.05 for result in one_round(each))
    assert sorted(gone) == result.left_out
    assert by_name(result.pairs).keys() == pairs.keys()
    assert all(pair.record == pairs[pair.record.model].record for pair in result.pairs)


def test_where_too_few_are_left_the_others_are_not_measured_and_those_left_out_keep_their_numbers():
    each = worlds(3, models=3, families=3, items=3000, reliance=0.5, leaning=(0,))
    result = last_round(each, 0.05)
    assert evidence(result.models[0]) == evidence(one_round(each)[0])
    for other in result.models[1:]:
        assert other.beyond.estimate is None
        assert other.beyond.reason.startswith("without model-0, fewer than two other models")
    both = worlds(0, models=3, families=3, items=6000, reliance=0.5, leaning=(0, 1))
    first, last = one_round(both), last_round(both, 0.05)
    assert last.left_out == ["model-0", "model-1"]
    assert [result.measured for result in last.models] == [1, 1, 0]
    assert [evidence(result) for result in last.models[:2]] == [evidence(result) for result in first[:2]]
    assert last.models[2].beyond.reason.startswith("without model-0 and model-1, no other model answered")


def test_a_model_is_left_out_for_its_wrong_answers_or_for_its_advantage():
    wrong = last_round(worlds(0, **SIX | {"labels": 4, "reliance": 0.12}), 0.05)
    assert wrong.left_out == ["model-0"]
    assert wrong.models[0].errors_holm <= 0.05 < wrong.models[0].beyond_holm == 1
    better = {"topics": 2, "topical": 0.25, "specialist": 1.5, "labels": 4, "items": 1500, "reliance": 0.0}
    right = last_round(worlds(0, **SIX | better), 0.05)
    assert right.left_out == ["model-0"]
    assert right.models[0].beyond_holm <= 0.05 < right.models[0].errors_holm


def test_a_model_is_left_out_with_all_its_styles():
    each = worlds(1, **SIX)[0]
    # The polite style of model 0 does not lean; the mean of both styles would still push.
    plain = worlds(1, **SIX | {"reliance": 0.0})[0].right[:, 0]
    twice = dataclasses.replace(
        each,
        series=(*each.series, Series("model-0", style="polite", family="family-0")),
        right=np.column_stack([each.right, plain]),
        said=None,
    )
    result = last_round([twice], 0.05)
    assert [each.beyond_holm <= 0.05 for each in result.models] == [True, *[False] * 6]
    alone = by_name(pairs_of(cut(twice, {"model-0"})))
    assert all(pair.record == alone[pair.record.model].record for pair in result.pairs if pair.record.model in alone)


def test_benchmarks_without_a_shortcut_keep_all_models():
    first, second = worlds(1, **SIX | {"benchmarks": 2})
    about = msgspec.structs.replace(second.about, shortcut=False)
    second = dataclasses.replace(second, about=about)
    result = last_round([first, second], 0.05)
    assert result.left_out == ["model-0"]
    of = {name: [pair.record for pair in result.pairs if pair.record.benchmark == name] for name in
          (first.about.benchmark, about.benchmark)}  # fmt: skip
    assert of[about.benchmark] == [pair.record for pair in pairs_of(second)]
    assert of[first.about.benchmark] == [pair.record for pair in pairs_of(first, ["model-0"])]


@pytest.mark.slow
def test_the_order_of_models_changes_nothing_but_the_order():
    each = worlds(1, **HALF)[0]
    order = [5, 2, 7, 0, 3, 6, 1, 4]
    moved = dataclasses.replace(
        each, series=tuple(each.series[place] for place in order), right=each.right[:, order], said=each.said[:, order]
    )
    first, second = last_round([each], 0.05), last_round([moved], 0.05)
    assert sorted(first.left_out) == sorted(second.left_out)
    assert second.left_out == [f"model-{place}" for place in order if f"model-{place}" in first.left_out]


def test_a_study_says_who_is_left_out_and_that_this_is_no_finding():
    (note,) = [note for note in study(worlds(1, **SIX)).notes if "measured without" in note]
    assert note == (
        "for all other models, difficulty is measured without model-0, whose corrected p is at most .05; that does not "
        "say why"
    )
    many = study(worlds(1, **HALF))
    (note,) = [note for note in many.notes if "measured without" in note]
    assert "without model-0, model-2, model-4 and model-6, whose corrected p are at most .05" in note
    assert not [note for note in study(worlds(4)).notes if "measured without" in note]
