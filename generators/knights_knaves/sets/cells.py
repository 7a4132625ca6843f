"""All cells, by number of characters, in the order in which they take puzzles: a later one repeats no earlier one.

A new room names in `after` of its own cells the last cell here of the same size (`LAST`).
"""

from __future__ import annotations

from generators.knights_knaves.puzzles.distinct import Cell
from generators.knights_knaves.sets.counts import COUNT_CELLS

__all__ = ["LAST"]

LAST: dict[int, Cell] = {n: cells[-1] for n, cells in COUNT_CELLS.items()}
"""Number of characters -> the cell after which other rooms take puzzles of this size."""
