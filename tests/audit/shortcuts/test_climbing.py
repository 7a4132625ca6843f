"""Kappas of the rungs, and which of them is enough."""

from __future__ import annotations

import numpy as np
import pytest

from hansproof.audit.probes.crossfit import Fitting, Scores
from hansproof.audit.probes.kappas import RefitWidening
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.settings import make_settings
from hansproof.audit.shortcuts.ladder import FittedRung
from hansproof.audit.shortcuts.ladder import climbed as ladder_of
from hansproof.audit.shortcuts.shared_folds import SharedFolds
from hansproof.audit.texts.vectors import Vector

N = 600
Y = np.arange(N) % 2
SETTINGS = make_settings(permutations=199)


def step(name, right, splits=2, seed=0):
    """A rung whose predictions are right for the first share `right` of the items, and for half of the others."""
    random = np.random.default_rng(seed)
    given = np.stack([np.where(np.arange(N) < right * N, Y, random.permutation(Y)) for _ in range(splits)])
    given = given.astype(np.int16)
    return FittedRung(name, name, Scores(Vector(name, name, "dense", "", 0, ""), np.arange(N), given, given,
                                   np.zeros((N, 2)), 0.0, [], 1))  # fmt: skip


def climbed(*steps, settings=SETTINGS, groups=None):
    return ladder_of(on(Y, settings, groups), steps, uniform=0.0)


def on(y, settings=SETTINGS, groups=None):
    """The folds of an audit without any vector of its own."""
    groups = np.arange(len(y)) if groups is None else groups
    return SharedFolds(LabelTask({}, y, int(y.max()) + 1), groups, [], RefitWidening(), Fitting(42), settings)


def test_the_simplest_rung_within_noise_of_the_best_is_enough():
    ladder = climbed(step("bigrams", 0.62, seed=3), step("ngram", 0.58, seed=1), step("length", 0.05, seed=2))
    assert [rung.name for rung in ladder.rungs] == ["constant", "length", "ngram", "bigrams"]
    assert (ladder.enough, ladder.best) == ("ngram", "bigrams")


def test_a_rung_that_is_significantly_worse_is_not_enough():
    ladder = climbed(step("ngram", 0.3, seed=1), step("bigrams", 0.6, seed=3))
    assert ladder.enough == ladder.best == "bigrams"


def test_a_rung_within_wide_noise_that_keeps_too_little_of_the_best_is_not_enough():
    # In 24 groups, .17 and .26 do not differ significantly; but a third of the best is missing.
    groups = np.random.default_rng(5).permutation(N) % 24
    ladder = climbed(step("ngram", 0.15, seed=1), step("bigrams", 0.22, seed=3), groups=groups)
    first, second = ladder.rungs[1:]
    assert max(first.p, second.p) < SETTINGS.alpha
    assert first.kappa < 0.8 * second.kappa
    assert ladder.enough == ladder.best == "bigrams"


def test_a_difference_of_less_than_a_hundredth_is_none_however_sure_it_is():
    y = np.arange(4000) % 2

    def flawed(name, wrong):
        given = np.where(np.arange(4000) < wrong, 1 - y, y)[None].astype(np.int16)
        vector = Vector(name, name, "dense", "", 0, "")
        return FittedRung(name, name, Scores(vector, np.arange(4000), given, given, np.zeros((4000, 2)), 0.0, [], 1))

    for wrong, enough in ((12, "ngram"), (60, "bigrams")):
        ladder = ladder_of(on(y), [flawed("ngram", wrong), flawed("bigrams", 2)], uniform=0.0)
        first, second = ladder.rungs[1:]
        assert second.kappa - first.kappa == pytest.approx((wrong - 2) / 2000)
        assert ladder.enough == enough


def test_without_a_significant_rung_none_is_enough():
    ladder = climbed(step("ngram", 0.0, seed=1), step("bigrams", 0.01, seed=3))
    assert ladder.enough is None
    assert ladder.sentence.startswith("No simple cue was shown: of 2 kinds, none is significantly above kappa 0")


def test_rungs_with_fewer_splits_are_compared_over_those_that_both_have():
    ladder = climbed(step("ngram", 0.58, splits=4, seed=1), step("partial", 0.5, splits=2), step("bigrams", 0.6, 4))
    assert {rung.name: rung.splits for rung in ladder.rungs}["partial"] == 2
    assert ladder.enough == "ngram"
    # Two families of rungs, so no p is below twice the smallest that 199 permutations show over several splits.
    assert min(rung.p for rung in ladder.rungs[1:]) == pytest.approx(2 * 2 / 200)


def test_an_undefined_kappa_is_never_enough():
    given = np.zeros((1, N), dtype=np.int16)
    vector = Vector("length", "length", "dense", "", 0, "")
    only = FittedRung("length", "x", Scores(vector, np.arange(N), given, given, np.ones((N, 1)), 0.0, [], 1))
    ladder = ladder_of(on(np.zeros(N, dtype=np.int64)), [only], uniform=None)
    assert ladder.rungs[1].kappa is None
    assert ladder.enough is None
