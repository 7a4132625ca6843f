"""Answers as blocks: whose, of which items, and who says how difficult these are."""

import dataclasses

import numpy as np
import pytest
from scipy.special import logit

from hansproof.audit.models.reliance.likelihood import answers_of, beside_others, plain
from hansproof.audit.replies.grid import Series
from tests.audit.models.studies import parted


def test_styles_and_runs_of_a_model_are_one_answer():
    each = parted(models=3, families=3)
    twice = dataclasses.replace(
        each,
        series=(*each.series, Series("model-0", style="brief", family="family-0")),
        right=np.column_stack([each.right, 1 - each.right[:, 0]]),
    )
    answers = answers_of(twice)
    assert answers.models.tolist() == ["model-0", "model-1", "model-2"]
    assert set(answers.right[:, 0]) == {0.5}


def test_difficulty_is_the_logit_of_the_share_of_other_families_that_are_right():
    each = parted(models=8, families=4)
    (block,) = beside_others(answers_of(each), "family-1", ())
    told = logit((each.right[:, [0, 1, 4, 5, 6, 7]].sum(axis=1) + 0.5) / 7)
    assert block.difficulty == pytest.approx(told - told.mean())
    assert block.right.shape[1] == 2
    (without,) = beside_others(answers_of(each), "family-1", ["model-0", "model-2"])
    told = logit((each.right[:, [1, 4, 5, 6, 7]].sum(axis=1) + 0.5) / 6)
    assert without.difficulty == pytest.approx(told - told.mean())


def test_models_of_a_single_family_are_blocks_beside_the_others():
    each = parted(models=4, families=1)
    blocks = beside_others(answers_of(each), "family-0", ())
    assert [block.right.shape[1] for block in blocks] == [1, 1, 1, 1]
    told = logit((each.right[:, 1:].sum(axis=1) + 0.5) / 4)
    assert blocks[0].difficulty == pytest.approx(told - told.mean())


def test_nobody_else_means_no_block():
    assert beside_others(answers_of(parted(models=1, families=1)), "family-0", ()) == []
    assert beside_others(answers_of(parted(models=2, families=2)), "family-0", ["model-1"]) == []
    assert plain(answers_of(parted()), "no such family") == []


def test_others_tell_the_items_that_they_answered():
    each = parted(models=3, families=3, items=100)
    right = each.right.copy()
    right[:5, 1] = np.nan  # 95 % are enough
    right[:20, 2] = np.nan  # 80 % are not
    (block,) = beside_others(answers_of(dataclasses.replace(each, right=right)), "family-0", ())
    assert len(block.probe) == 95
    assert block.difficulty == pytest.approx(logit((right[5:, 1] + 0.5) / 2), abs=1)
    assert len(set(block.difficulty)) == 2


def test_a_model_that_is_always_right_with_a_gold_answer_says_nothing_there():
    each = parted(models=3, families=3)
    right = each.right.copy()
    right[each.gold == 1, 0] = 1
    (block,) = plain(answers_of(dataclasses.replace(each, right=right)))
    assert block.known[:, 0].tolist() == (each.gold == 0).astype(float).tolist()
    assert block.constants.shape == (2, 3, 5)


def test_with_too_many_cells_models_and_gold_answers_add_up():
    each = parted(models=20, families=4, labels=8, items=600)
    (block,) = plain(answers_of(each))
    assert block.constants.shape == (8, 20, 27)
    assert (block.constants.sum(axis=2) == np.where(np.arange(8)[:, None] > 0, 2, 1)).all()
    rows = block.constants[block.stratum].reshape(-1, 27)
    assert np.linalg.matrix_rank(rows) == 27
