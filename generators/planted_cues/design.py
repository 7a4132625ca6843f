"""Which label an item gets, and which label its cue points to: exact in blocks of twenty items.

Within a block labels are shuffled, so an item's number says nothing about its label; over a block their
counts, and how often the cue shows the label, are what the strength asks for (rounded at random).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generators.stream import Stream

__all__ = ["BLOCK", "LABELS", "Cell", "cue_cells", "share_cells"]

BLOCK = 20
LABELS = ("no", "yes")
_SCALE = 1_000_000  # strengths are taken to six places: whole numbers are the same everywhere


@dataclass(frozen=True)
class Cell:
    """One item's place in the design."""

    label: str
    """The gold answer."""
    cue: str
    """The label that the cue points to; "none" where there is no cue."""


def cue_cells(stream: Stream, start: int, strength: float, cued: bool = True) -> Iterator[Cell]:
    """Cells from item `start` on, for ever: ten of each label a block, the cue as strong as asked.

    With probability `strength` the cue shows the label, else it is drawn independently of it; so it agrees in
    (1 + strength) / 2 of the items, and who reads it off reaches Cohen's kappa = strength.
    """
    for index, block in _blocks(stream, start):
        half, cells = BLOCK // 2, []
        for label in LABELS:
            agree = _rounded(block.child("agree").child(label), half, (1 + strength) / 2)
            cells += [Cell(label, _cue(label, agrees=i < agree, cued=cued)) for i in range(half)]
        yield block.child("order").shuffled(cells)[index]


def share_cells(stream: Stream, start: int, strength: float) -> Iterator[Cell]:
    """Cells without a cue of which a share of (1 + strength) / 2 is "no": .5 gives three quarters.

    Always answering "no" then reaches a uniform-chance kappa of `strength`, and a Cohen's kappa of 0.
    """
    for index, block in _blocks(stream, start):
        noes = _rounded(block.child("share"), BLOCK, (1 + strength) / 2)
        cells = [Cell("no" if i < noes else "yes", "none") for i in range(BLOCK)]
        yield block.child("order").shuffled(cells)[index]


def _blocks(stream: Stream, start: int) -> Iterator[tuple[int, Stream]]:
    number = start
    while True:
        yield number % BLOCK, stream.child("block").child(number // BLOCK)
        number += 1


def _rounded(stream: Stream, n: int, share: float) -> int:
    """n * share, rounded up with the probability of its fraction, so that the mean is exact."""
    whole, rest = divmod(n * round(share * _SCALE), _SCALE)
    return whole + stream.chance(rest, _SCALE)


def _cue(label: str, agrees: bool, cued: bool) -> str:
    if not cued:
        return "none"
    return label if agrees else LABELS[1 - LABELS.index(label)]
