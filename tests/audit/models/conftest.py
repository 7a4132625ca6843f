"""Grids made in tests."""

import numpy as np
import pytest

from hansproof.audit.replies.grid import Grid, Series
from hansproof.generators.item import Item


@pytest.fixture
def grid_of():
    """Items by series: `outcomes` is a list of columns; groups, subsets and conditions default to one item each."""

    def make(*columns, groups=None, subsets=None, conditions=None, series=None):
        n = len(columns[0])
        items = tuple(
            Item(
                id=f"bench/{place}",
                prompt=f"Question {place}?",
                choices=None,
                answer="yes",
                group=str(groups[place]) if groups is not None else f"g{place}",
                condition=conditions[place] if conditions else "original",
                metadata={"subset": subsets[place]} if subsets else {},
            )
            for place in range(n)
        )
        named = series or [Series(f"m{place}") for place in range(len(columns))]
        return Grid("bench", items, tuple(named), np.array(columns, dtype=np.int8).T)

    return make
