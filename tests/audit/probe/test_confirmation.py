"""The second look at leaks on few groups: it keeps real ones and lets go of lucky ones."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from audit.features.table import FeatureTable
from audit.features.vectors import by_name
from audit.probe.confirmation import confirm
from audit.probe.crossfit import Fitting

SAMPLE = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "1.0.0"
VECTOR = by_name("word-1-presence")


@pytest.fixture(scope="module")
def templates():
    lines = (SAMPLE / "template-only.jsonl").read_text(encoding="utf-8").splitlines()[:300]
    rows = [json.loads(line) for line in lines]
    y = np.array([row["answer"] == "yes" for row in rows]).astype(np.int64)
    groups = np.unique([row["group"] for row in rows], return_inverse=True)[1]
    return FeatureTable.build([row["prompt"] for row in rows], dense=()), y, groups


def test_p_is_students_t_against_the_refitted_null_times_the_vectors(templates):
    table, y, groups = templates
    confirmation = confirm(table, y, groups, VECTOR, 0.3, Fitting(2, 1), folds=3, vectors=13, refits=12)
    t = (0.3 - confirmation.null_mean) / (confirmation.null_sd * np.sqrt(1 + 1 / 12))
    assert confirmation.p == pytest.approx(min(1, 13 * stats.t.sf(t, 11)))
    assert abs(confirmation.null_mean) < 0.15


def test_a_kappa_that_few_groups_reach_by_luck_is_let_go_and_a_large_one_kept(templates):
    table, y, groups = templates
    luck, leak = (
        confirm(table, y, groups, VECTOR, kappa, Fitting(2, 1), folds=3, vectors=13, refits=12).p
        for kappa in (0.22, 0.95)
    )
    assert luck > 0.05
    assert leak < 0.05


def test_the_same_seed_gives_the_same_confirmation(templates):
    table, y, groups = templates
    first, second = (
        confirm(table, y, groups, VECTOR, 0.3, Fitting(2, 1, workers=workers), folds=2, vectors=13, refits=4)
        for workers in (1, 2)
    )
    assert first == second
