"""Which label an item gets, and which label its cue points to: exact within blocks of twenty items.

Labels are shuffled within a block, so the index of an item says nothing about its label. Over a block, the counts of
labels and the number of cues that show the label follow from the strength (rounded at random).
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
    """Cells from item `start` on, without end: ten of each label per block, the cue as strong as `strength`.

    With probability `strength` the cue shows the label, otherwise it is drawn independently of the label. So the two
    agree in a share (1 + strength) / 2 of the items, and reading off the cue scores a Cohen's kappa of `strength`.
    """
    for index, block in _blocks(stream, start):
        half, cells = BLOCK // 2, []
        for label in LABELS:
            agree = _rounded(block.child("agree").child(label), half, (1 + strength) / 2)
            cells += [Cell(label, _cue(label, agrees=i < agree, cued=cued)) for i in range(half)]
        yield block.child("order").shuffled(cells)[index]


def share_cells(stream: Stream, start: int, strength: float) -> Iterator[Cell]:
    """Cells without a cue, of which a share (1 + strength) / 2 is "no": a strength of .5 gives three quarters.

    Always answering "no" then scores a uniform-chance kappa of `strength` and a Cohen's kappa of 0.
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
