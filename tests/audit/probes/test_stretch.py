"""By how much refitting widens fixed predictions: never less than once, hardly where the probe cannot vary."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from hansproof.audit.probes import refitting as module
from hansproof.audit.probes.crossfit import Fitting, Scores
from hansproof.audit.probes.refitting import null_stretch, sampling_stretch
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import by_name

VECTOR = by_name("word-1-presence")
WORDS = [f"{a}{b}" for a in "bcdfgh" for b in "aeiou"]
FITTING = Fitting(7, workers=1)
GROUPS = np.repeat(np.arange(30), 8)


def benchmark(answers, extra=None):
    """240 texts of four random words, with a word for the group or for the answer."""
    random = np.random.default_rng(1)
    extra = [""] * 240 if extra is None else extra
    prompts = [f"{' '.join(random.choice(WORDS, 4, replace=False))} {more}" for more in extra]
    return FeatureTable.build(prompts, levels=["word"], dense=()), answers


def given_away(right, seed=5):
    """A word that gives the answer away in the share `right` of the items."""
    random = np.random.default_rng(seed)
    y = random.permutation(240) % 2
    words = np.where(random.random(240) < right, y, 1 - y)
    return benchmark(y, [("never", "always")[word] for word in words])


def of_groups():
    """Groups of one answer each, with three words of their own out of a dozen: training decides what is learnt."""
    random = np.random.default_rng(6)
    words = [" ".join(random.choice([f"z{a}{b}" for a in "aeiou" for b in "kl"], 3, replace=False)) for _ in range(30)]
    return benchmark(random.permutation(30)[GROUPS] % 2, [words[group] for group in GROUPS])


def test_a_word_that_every_probe_learns_leaves_the_sampling_of_the_items_alone():
    table, y = given_away(0.85)
    assert (
        1 <= sampling_stretch(LabelTask.of(table, y, 2), np.arange(240), VECTOR, FITTING, 3) < 1.2
    )  # drawn towards 1.3


def test_an_unfailing_word_leaves_nothing_to_stretch():
    table, y = given_away(1.0)
    assert sampling_stretch(LabelTask.of(table, y, 2), np.arange(240), VECTOR, FITTING, 3) == 1


def test_groups_that_train_each_other_are_stretched():
    table, y = of_groups()
    assert sampling_stretch(LabelTask.of(table, y, 2), GROUPS, VECTOR, FITTING, 3) > 1.4  # drawn towards 1.3


def test_fewer_than_eight_groups_are_not_halved(monkeypatch):
    table, y = of_groups()
    monkeypatch.setattr(module, "crossfit_folds", lambda *_: pytest.fail("fitted"))
    assert sampling_stretch(LabelTask.of(table, y, 2), GROUPS * 7 // 30, VECTOR, FITTING, 3) == 1
    with pytest.raises(pytest.fail.Exception, match="fitted"):
        sampling_stretch(LabelTask.of(table, y, 2), GROUPS * 8 // 30, VECTOR, FITTING, 3)


def test_a_group_of_half_the_items_fills_a_half_and_that_halving_is_left_out():
    table, y = given_away(0.85)
    giant = np.maximum(np.arange(240) - 200, 0)  # one group of 201 items and 39 single ones
    assert sampling_stretch(LabelTask.of(table, y, 2), giant, VECTOR, FITTING, 3) == 1


def test_halves_share_no_group_and_their_squared_difference_is_compared_with_their_fixed_variances(monkeypatch):
    _, y = given_away(0.85)
    seen, kappas, variances = [], [], []

    def scored(task, vectors, fitting, folds, gold):
        (fold,) = folds
        rows = np.flatnonzero(fold >= 0)
        seen.append(rows)
        wrong = rows[:: (12, 2)[len(seen) % 2]]  # ten items in one half, every other item in the other
        given = np.where(np.isin(rows, wrong), 1 - y[rows], y[rows]).astype(np.int16)
        kappas.append(cohen_kappa_score(y[rows], given))
        own = np.unique(GROUPS[rows], return_inverse=True)[1]
        task = LabelTask({}, y[rows], 2)
        error = task.errors(given[None, None], y[rows], np.arange(len(rows)), own, np.array([[0.0]]))
        variances.append(error.se[0] ** 2)
        return [Scores(VECTOR, rows, given[None], given[None], np.empty((len(rows), 2)), 0.0, ["L2 C=1"], 3)]

    monkeypatch.setattr(module, "crossfit_folds", scored)
    wide = sampling_stretch(LabelTask.of(None, y, 2), GROUPS, VECTOR, FITTING, 3)
    for first, second in zip(seen[::2], seen[1::2], strict=True):
        assert sorted([*first, *second]) == list(range(240))
        assert not set(GROUPS[first]) & set(GROUPS[second])
    assert len({rows.tobytes() for rows in seen}) == 80
    true = sum((first - second) ** 2 for first, second in zip(kappas[::2], kappas[1::2], strict=True))
    assert wide == pytest.approx(np.sqrt((40 * true / sum(variances) + 20 * 1.3**2) / 60))
    assert wide > 2


def test_halves_that_agree_are_drawn_towards_what_is_usual_and_never_shrink_the_interval(monkeypatch):
    _, y = given_away(0.85)

    def scored(task, vectors, fitting, folds, gold):
        rows = np.flatnonzero(folds[0] >= 0)
        given = y[rows].astype(np.int16)
        for answer in (0, 1):
            given[np.flatnonzero(y[rows] == answer)[::6]] ^= 1
        return [Scores(VECTOR, rows, given[None], given[None], np.empty((len(rows), 2)), 0.0, ["L2 C=1"], 3)]

    monkeypatch.setattr(module, "crossfit_folds", scored)
    assert sampling_stretch(LabelTask.of(None, y, 2), np.arange(240), VECTOR, FITTING, 3) == 1
    monkeypatch.setattr(module, "USUAL_SAMPLING", 3.0)
    assert sampling_stretch(LabelTask.of(None, y, 2), np.arange(240), VECTOR, FITTING, 3) == pytest.approx(
        np.sqrt(20 * 9 / 60), rel=0.01
    )


def test_the_null_is_refitted_with_relabelled_groups(monkeypatch):
    table, y = of_groups()
    real, seen = module.crossfit_folds, []
    monkeypatch.setattr(module, "crossfit_folds", lambda *given: seen.extend(given[3]) or real(*given))
    wide = null_stretch(LabelTask.of(table, y, 2), GROUPS, VECTOR, FITTING, 3, 0.01)
    assert wide > 5  # pure groups: kappas of relabelled benchmarks vary by far more than .01
    halved = null_stretch(LabelTask.of(table, y, 2), GROUPS, VECTOR, FITTING, 3, 0.02)
    assert wide**2 - 1.15**2 / 2 == pytest.approx(4 * (halved**2 - 1.15**2 / 2))
    assert len(seen) == 48
    assert all(len(set(zip(GROUPS, fold, strict=True))) == 30 for fold in seen)  # each group is in one fold
    assert null_stretch(LabelTask.of(table, y, 2), GROUPS, VECTOR, FITTING, 3, 10.0) == 1


@pytest.mark.parametrize("sd", [0.0, float("nan")])
def test_predictions_that_never_vary_are_not_refitted(sd):
    assert null_stretch(LabelTask.of(None, None, 2), None, VECTOR, FITTING, 3, sd) == 1


def test_threads_change_nothing():
    table, y = given_away(0.7)
    alone, together = (
        sampling_stretch(LabelTask.of(table, y, 2), GROUPS, VECTOR, Fitting(7, workers=workers), 2)
        for workers in (1, 3)
    )
    assert alone == together
