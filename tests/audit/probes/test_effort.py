"""What is saved on large benchmarks: a written rule, nothing below its size, whole groups, and the same kappas."""

import numpy as np
import pytest

from hansproof.audit.probes.folds import FULL, LOOSE, effort_for, loosened, part_of, random_groups
from hansproof.audit.probes.logistic import REGULARISATIONS, TREES
from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.result.numbers import Effort
from hansproof.audit.settings import make_settings
from hansproof.audit.tasks.labels import Labels
from hansproof.audit.texts.vectors import by_name


@pytest.mark.parametrize(
    ("items", "splits", "left"),
    [(40_000, 10, 5), (60_000, 10, 3), (100_000, 10, 2), (200_000, 10, 1), (10**6, 10, 1), (20_001, 1, 1)],
)
def test_splits_fall_with_the_number_of_items(items, splits, left):
    assert effort_for(items, splits) == Effort(splits=left, part=FULL, tolerance=LOOSE)


@pytest.mark.parametrize(
    ("items", "labels", "splits", "part"),
    [
        (20_000, 20, None, None),
        (5_000, 80, None, None),
        (1_333, 300, None, None),
        (10_000, 77, 5, 5_194),  # 770,000 times, of which 400,000 are half, rounded down from 5.19 of ten
        (20_000, 150, 3, 6_000),  # 1.3 of ten, but three remain; 2,666 items, but 40 per answer
        (5_000, 300, 3, 5_000),
        (100_000, 150, 2, 6_000),  # so many items leave two
        (1_000_000, 20, 1, FULL),
    ],
)
def test_many_answers_count_like_many_items_but_leave_three_splits_and_forty_items_each(items, labels, splits, part):
    wanted = None if splits is None else Effort(splits=splits, part=part, tolerance=LOOSE)
    assert effort_for(items, 10, labels) == wanted
    assert effort_for(items, 10, labels, thorough=True) is None


def test_no_more_splits_are_made_than_are_asked_for():
    assert [effort_for(20_000, splits, 150).splits for splits in (1, 2, 3, 100)] == [1, 2, 3, 13]


def test_nothing_is_saved_up_to_20_000_items_or_on_request():
    assert effort_for(FULL, 10) is None
    assert effort_for(10**6, 10, thorough=True) is None
    assert loosened(REGULARISATIONS, None) == REGULARISATIONS


def test_only_l1_is_loosened():
    # The tolerance of L2 bounds the gradient itself: at .01 a fit with rare words would end where it begins.
    loose = loosened((*REGULARISATIONS, TREES), effort_for(10**6, 10))
    assert [how.tolerance for how in loose] == [1e-4, LOOSE, LOOSE, 1e-4]


def test_a_part_has_whole_groups_and_about_as_many_items_as_asked():
    groups = np.repeat(np.arange(300), np.tile([1, 2, 7], 100))
    rows = random_groups(groups, 400, np.random.default_rng(3))
    assert 400 <= len(rows) < 407
    inside = np.bincount(groups[rows], minlength=300)
    assert set(inside[inside > 0] - np.bincount(groups)[inside > 0]) == {0}
    assert (np.diff(rows) > 0).all()
    assert len(random_groups(groups, 10**6, np.random.default_rng(3))) == len(groups)


def test_a_part_is_a_benchmark_of_its_own():
    rows = [{"prompt": f"item {n} says {'yes' if n % 3 else 'no'} and {n}", "answer": "abc"[n % 3], "pair": n // 2}
            for n in range(90)]  # fmt: skip
    benchmark, settings = load(rows, Columns(group="pair")), make_settings()
    whole = Labels(benchmark, settings)
    assert whole.part == (whole.task, whole.layout.groups, 1.0)
    plan = Labels(benchmark, settings)
    texts, y, groups, table = plan.items.prompts, plan.task.y, plan.layout.groups, plan.task.tables["text"]
    plan.effort = Effort(splits=1, part=30, tolerance=LOOSE)
    part, held, widens = plan.part
    assert len(part.tables["text"].texts) == len(part.y) == 30
    assert held.max() == 14
    assert widens == pytest.approx(np.sqrt(45 / 15))
    rows = np.array([texts.index(text) for text in part.tables["text"].texts])
    assert (rows == part_of(groups, plan.effort, settings.seed)).all()
    assert (part.y == y[rows]).all()
    whole = table.parts(by_name("word-1-tfidf"), rows, rows, y[rows]).held
    own = part.tables["text"].parts(by_name("word-1-tfidf"), np.arange(30), np.arange(30), part.y).held
    assert (whole != own).nnz == 0
    assert (part.tables["text"].numbers["length"] == table.numbers["length"][rows]).all()
