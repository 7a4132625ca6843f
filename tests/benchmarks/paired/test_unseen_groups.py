"""The rules for unseen groups: what is drawn is what was asked for, and the rule of `compare` is that of `compare`."""

import json

import numpy as np
import pytest

from audit.paired.difference import MARGIN, difference_of
from audit.statistics.flips import sign_flip_p
from audit.statistics.resampling import seeded
from benchmarks.paired.drawn_groups import SIZES, WAYS, designs
from benchmarks.paired.unseen_groups import RULES, Grouped, covered, equivalent, main

OURS = "as `compare` does"


def studies(name, way, true, count, anew=False):
    base = np.array(SIZES[name])
    random = seeded(5, "test", name, str(way))
    sizes = base[random.integers(0, len(base), (count, len(base)))] if anew else np.tile(base, (count, 1))
    return way.drawn(sizes, base, true, random)


def items_of(drawn, row):
    """Right and wrong of the items of one study, group by group."""
    a, b, groups = [], [], []
    for group, (size, first, second) in enumerate(
        zip(drawn.sizes[row], drawn.a_only[row], drawn.b_only[row], strict=True)
    ):
        a += [1.0] * first + [0.0] * (size - first)
        b += [0.0] * first + [1.0] * second + [0.0] * (size - first - second)
        groups += [group] * size
    return np.array(a), np.array(b), np.array(groups)


@pytest.mark.parametrize("anew", [False, True])
def test_intervals_and_equivalence_of_many_studies_at_once_are_those_of_compare(anew):
    compared = 0
    for name in ("20 of 5", "40 of 3, one of 30", "moral dilemmas", "4 of 1, 2, 4, 8, 16"):
        for way in WAYS[::3]:
            drawn = studies(name, way, 0.05, 2, anew)
            if drawn is None:
                continue
            each = Grouped(drawn)
            p = np.array([sign_flip_p(row.tolist()) for row in each.shifts])
            pairs = RULES[OURS](each)
            same = equivalent(each, pairs)
            for row in range(2):
                measured = difference_of(*items_of(drawn, row), MARGIN)
                if np.isnan(measured.low):
                    continue
                compared += 1
                assert p[row] == pytest.approx(measured.p)
                assert same[row] == pytest.approx(measured.equivalent_p, abs=1e-9)
                for true in (measured.low - 1e-4, measured.low + 1e-4, measured.high - 1e-4, measured.high + 1e-4):
                    inside = measured.low <= true <= measured.high
                    assert covered(each, pairs, true, p)[row] == inside
    assert compared > 40


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_the_difference_is_the_one_that_is_asked_for(way):
    drawn = studies("90 of 1, 10 of 10", way, 0.02, 1000)
    assert (drawn.a_only + drawn.b_only <= drawn.sizes).all()
    shifts = (drawn.a_only - drawn.b_only).sum(axis=1) / drawn.sizes.sum(axis=1)
    assert shifts.mean() == pytest.approx(0.02, abs=4 * shifts.std() / np.sqrt(1000))
    assert shifts.std() > 0


def test_what_cannot_be_is_left_out():
    assert studies("20 of 5", WAYS[-1], 0.9, 2) is None
    assert sum(1 for _ in designs()) > 5000


def test_the_table_has_a_row_per_rule_and_cells_can_be_kept(capsys, monkeypatch, tmp_path):
    kept = tmp_path / "cells.json"
    monkeypatch.setattr("sys.argv", ["unseen_groups.py", "--studies", "12", "--part", "2:301", "--keep", str(kept)])
    assert main() == 0
    first = capsys.readouterr().out
    assert first.count("\n| ") == len(RULES) + 1
    assert json.loads(kept.read_text(encoding="utf-8"))[0]["rules"].keys() >= RULES.keys()
    monkeypatch.setattr("sys.argv", ["unseen_groups.py", "--table", str(kept)])
    assert main() == 0
    assert capsys.readouterr().out == first
