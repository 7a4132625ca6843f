"""The calibration of comparisons measures what it says; the figures themselves are in benchmarks/README.md."""

from pathlib import Path

import numpy as np
import pytest
from simulated.pairs import moved_groups, several_runs, two_models

from benchmarks.paired.calibration import DESIGNS, Setting, main, rates
from hansproof.audit.statistics.permutation import seeded


def test_the_models_have_the_difference_the_discordance_and_the_correlation_that_are_asked_for():
    drawn = two_models([4] * 20_000, 0.05, 0.2, seeded(1, "drawn"), icc=0.3)
    apart = drawn.a - drawn.b
    assert np.mean(apart) == pytest.approx(0.05, abs=0.01)
    assert np.mean(apart != 0) == pytest.approx(0.2, abs=0.01)
    assert np.corrcoef(apart[::4], apart[1::4])[0, 1] == pytest.approx(0.3, abs=0.03)
    assert np.mean(drawn.a) == pytest.approx(0.125 + 0.8 * 0.5, abs=0.01)
    assert np.bincount(drawn.groups).tolist() == [4] * 20_000


def test_groups_fool_mcnemar_and_not_the_comparison():
    alike = Setting("alike", (5,) * 40, 0.2, 1.0)
    same = rates(alike, 0.0, 150)
    assert same.mcnemar > 0.2
    assert same.different <= 0.07
    assert same.held > 0.88
    apart = rates(alike, 0.18, 150)
    assert apart.different > 0.5
    assert rates(alike, 0.0, 150) == same


def test_equal_models_that_hardly_differ_are_equivalent_and_the_margin_is_not():
    near = Setting("near", (1,) * 1000, 0.05)
    assert rates(near, 0.0, 60).equivalent > 0.9
    assert rates(near, 0.05, 60).equivalent <= 0.1


@pytest.mark.slow
def test_the_table_has_a_row_per_design(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["calibration.py", "--pairs", "2"])
    assert main() == 0
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == len(DESIGNS) + 2
    page = (Path(__file__).resolve().parents[3] / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert rows[0] in page
    assert all(f"\n{row[: row.index(' | ')]} |" in page for row in rows[2:])
    assert {row.count("|") for row in rows} == {8}


def test_runs_agree_as_much_as_is_asked_for():
    drawn = several_runs([5] * 4_000, (3, 2), 0.9, 0.05, seeded(2, "runs"), alike=0.5)
    assert (drawn.a.shape, drawn.b.shape, drawn.groups[-1]) == ((20_000, 3), (20_000, 2), 3_999)
    assert (drawn.a.mean(), drawn.b.mean()) == pytest.approx((0.9, 0.85), abs=0.01)
    assert np.corrcoef(drawn.a[:, 0], drawn.a[:, 1])[0, 1] == pytest.approx(0.5, abs=0.03)
    assert np.corrcoef(drawn.a[:, 0], drawn.b[:, 0])[0, 1] == pytest.approx(0.0, abs=0.03)
    rare = several_runs([5] * 4_000, (3, 3), 0.9, 0.05, seeded(2, "rare"), rare=True)
    apart = (rare.a.mean(axis=1) - rare.b.mean(axis=1)).reshape(-1, 5)
    assert apart.mean() == pytest.approx(0.05, abs=0.01)
    assert np.mean((apart == 1).all(axis=1)) == pytest.approx(0.05, abs=0.01)


def test_a_side_may_have_copies_of_one_run():
    drawn = several_runs([1] * 4_000, (3, 3), 0.9, 0.0, seeded(8, "copies"), alike=(1.0, 0.0))
    assert (drawn.a == drawn.a[:, :1]).all()
    assert np.corrcoef(drawn.b[:, 0], drawn.b[:, 1])[0, 1] == pytest.approx(0, abs=0.05)
    assert (drawn.a.mean(), drawn.b.mean()) == pytest.approx((0.9, 0.9), abs=0.02)
    assert rates(Setting("copies", (1,) * 30, 0.05, 0.0, (10, 10), copies=1.0), 0.0, 60).different <= 0.05


def test_groups_move_as_is_asked_for():
    sizes = [10] * 2_000 + [1] * 18_000
    drawn = moved_groups(sizes, 0.05, 0.1, seeded(3, "moved"), large=True)
    apart = drawn.a - drawn.b
    assert (np.mean(apart), np.mean(apart != 0)) == (pytest.approx(0.05, abs=0.01), pytest.approx(0.1, abs=0.01))
    of_groups = np.bincount(drawn.groups, weights=apart)
    assert set(of_groups[:2_000].tolist()) == {-10, 0, 10}
    assert not of_groups[2_000:].any()
    each = moved_groups([5] * 20, 0.2, 0.2, seeded(4, "each"), part=0.2)
    assert np.bincount(each.groups, weights=each.a - each.b).tolist() == [1] * 20
    both = moved_groups([5] * 4_000, 0.05, 0.05, seeded(5, "both"), noise=0.2)
    apart = (both.a - both.b).reshape(-1, 5)
    assert np.mean((apart == 1).all(axis=1)) == pytest.approx(0.05, abs=0.01)
    assert (np.mean(apart == -1), np.mean(apart)) == (pytest.approx(0.095, abs=0.01), pytest.approx(0.05, abs=0.01))
    with pytest.raises(ValueError, match="cannot differ"):
        moved_groups([5] * 20, 0.1, 0.5, seeded(6, "too many"), part=0.2)


def test_a_difference_in_the_large_groups_is_seldom_called_negligible():
    [setting] = [each for each in DESIGNS if each.large]
    at_margin = rates(setting, 0.05, 150)
    assert at_margin.equivalent <= 0.1
    assert at_margin.held > 0.9
