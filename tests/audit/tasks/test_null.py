"""Golds move within their items: every option as often, items of a group together, and p is uniform under the null."""

import made_options
import numpy as np
import pytest
from scipy.stats import binom

from hansproof.audit.probes import refitting as module
from hansproof.audit.probes.crossfit import Fitting
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.options.option_crossfit import OptionTask, rotated
from hansproof.audit.tasks.options.option_rows import OptionPool


def pool_of(rows):
    made = made_options.benchmark(rows)
    return OptionPool.of(made, made.options)


def test_every_option_becomes_gold_equally_often():
    pool = pool_of([made_options.rows(6, k=k)[k] for k in (2, 3, 4)])
    counts = np.zeros(len(pool.texts))
    for gold in rotated(pool, np.arange(3), 6000, seeded(1, "test")):
        assert (pool.item[gold] == np.arange(3)).all()
        counts[gold] += 1
    assert counts / 6000 == pytest.approx(1 / pool.size[pool.item], abs=0.03)


def test_items_of_a_group_with_the_same_options_keep_their_golds_equal_or_different():
    options = ["a heron", "an otter", "a toad", "a lizard"]
    turned = [*options[2:], *options[:2]]
    rows = [
        {"question": "First?", "choices": options, "answer": 1},
        {"question": "Second?", "choices": turned, "answer": 3},
        {"question": "Third?", "choices": turned, "answer": 0},
    ]
    pool = pool_of(rows)
    names = dict(zip(pool.questions, range(3), strict=True))
    seen = set()
    for gold in rotated(pool, np.zeros(3, dtype=np.int64), 200, seeded(1, "test")):
        first, second, third = (pool.texts[gold[names[name]]] for name in ("First?", "Second?", "Third?"))
        assert first == second != third
        seen.add(first)
    assert seen == set(options)


def test_refits_keep_the_items_of_a_group_in_one_fold(monkeypatch):
    pool, groups, seen = pool_of(made_options.rows(30)), np.arange(30) // 3, []
    kappas = iter([0.1, -0.1] * (module.REFITS // 2))
    monkeypatch.setattr(module, "_kappa_and_variance", lambda *given: seen.append(given[-1]) or (next(kappas), 0.0))
    task = OptionTask({}, pool)
    wide = module.null_stretch(task, groups, None, Fitting(42, workers=1), 3, 0.01)
    assert wide == pytest.approx(np.sqrt((100 * 24 / 23 + 1.15**2) / 2))
    assert all(len(set(zip(groups, fold, strict=True))) == 10 for fold in seen)


def test_items_that_stand_alone_move_apart():
    pool = pool_of(made_options.rows(2))
    places = {tuple(pool.position[gold]) for gold in rotated(pool, np.arange(2), 300, seeded(1, "test"))}
    assert len(places) == 16


def test_p_of_one_choice_per_item_is_that_of_the_binomial_distribution():
    random = np.random.Generator(np.random.PCG64(3))
    pool = pool_of(made_options.rows(60))
    for _ in range(10):
        shares = np.zeros((1, 1, len(pool.texts)), dtype=np.float32)
        shares[0, 0, pool.start[:-1] + random.integers(0, 4, pool.n)] = 1
        null = OptionTask({}, pool).null(shares, np.arange(pool.n), np.arange(pool.n), 1999, seeded(1, "p"))
        exact = binom.sf(shares[0, 0, pool.gold].sum() - 1, 60, 0.25)
        assert null.test(np.array([True]), alpha=0.05).p[0] == pytest.approx(exact, abs=0.05)


def test_the_standard_deviation_under_the_null_is_that_of_guessing():
    # One choice per item, right with 1/4: sd of kappa is sqrt(1/4 * 3/4 / n) / (3/4).
    pool = pool_of(made_options.rows(300))
    shares = np.zeros((1, 1, len(pool.texts)), dtype=np.float32)
    shares[0, 0, pool.start[:-1]] = 1
    null = OptionTask({}, pool).null(shares, np.arange(pool.n), np.arange(pool.n), 2000, seeded(1, "sd"))
    assert null.sd(0) == pytest.approx(np.sqrt(0.25 * 0.75 / 300) / 0.75, rel=0.06)
