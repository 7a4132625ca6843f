"""The codes of a grid: what became of the reply to an item, and what an item without a reply is."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from audit.answers.grid import MISSING, NOT_APPLICABLE, NOT_ASKED, RIGHT, SKIPPED, UNCLEAR, WRONG
from audit.answers.judging.judged import by_harness
from audit.answers.judging.outcome import Outcome
from generators.item import Item

__all__ = ["ASKED", "NONE", "code_of", "column_of"]

ASKED = "asked"
"""The key of the metadata of an item that a harness asks only on request, such as a perturbed one, with what it asks
then: of another one the subset says it."""

NONE = -1
"""Of an item that no reply names."""


def code_of(scored: Outcome) -> int:
    """The code of a reply that was read and scored."""
    if scored.score.right is None:
        return NOT_APPLICABLE
    if scored.right:
        return RIGHT
    return MISSING if scored.missing else UNCLEAR if scored.unclear else WRONG


def column_of(
    codes: array[int], items: Sequence[Item], skip_missing: bool, partial: Collection[str]
) -> NDArray[np.int8]:
    """(N,): the codes with missing (or skipped), not asked and not applicable where there is no reply.

    A series was not asked a subset (or what `ASKED` names) of which it has no reply, nor, in the subsets that its logs
    hold only a part of (`partial`), an item that they do not name.
    """
    column = np.frombuffer(codes, dtype=np.int8).copy()
    subsets = [str(item.metadata["subset"]) for item in items]
    parts = [str(item.metadata.get(ASKED, subset)) for item, subset in zip(items, subsets, strict=True)]
    asked = {part for part, code in zip(parts, column.tolist(), strict=True) if code != NONE}
    for place, (part, subset, item) in enumerate(zip(parts, subsets, items, strict=True)):
        if column[place] in (NONE, MISSING):
            if part not in asked or (subset in partial and column[place] == NONE):
                column[place] = NOT_ASKED
            elif skip_missing:
                column[place] = SKIPPED
            else:
                column[place] = NOT_APPLICABLE if item.answer is None and not by_harness(item) else MISSING
    return column
