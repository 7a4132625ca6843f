"""Damaged files of every format are read or refused in printable lines, whatever the library underneath does."""

from collections import Counter

import pytest
from hostile.damage import COUNT, KINDS, damaged, outcome_of


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    path = tmp_path_factory.mktemp("damaged") / "damaged"
    return [(kind, number, outcome_of(data, path)) for kind, number, data in damaged(COUNT, 1)]


def test_no_damaged_file_raises_anything_else(outcomes):
    assert [each for each in outcomes if each[2] not in ("read", "refused")] == []


def test_the_damage_is_real_and_not_always_the_same(outcomes):
    refused = Counter(kind for kind, _, outcome in outcomes if outcome == "refused")
    assert set(refused) == set(KINDS)
    assert len({data for _, _, data in damaged(COUNT, 1)}) > 0.9 * COUNT * len(KINDS)
