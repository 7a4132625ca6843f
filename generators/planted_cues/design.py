"""The table of subsets; which label an item gets, and which label its cue points to: exact within blocks of twenty.

Labels are shuffled within a block, so the index of an item says nothing about its label. Over a block, the counts of
labels and the number of cues that show the label follow from the strength (rounded at random).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from hansproof.generators.planted_cues.templates import read_words
from hansproof.generators.stream import Stream

__all__ = ["LABELS", "NAME", "SUBSETS", "VERSION", "Cell", "PlantedCue", "cue_cells", "original_of", "rare_cells",
           "share_cells", "template_cells", "template_of"]  # fmt: skip

NAME = "planted-cues"
VERSION = "2.0.0"


@dataclass(frozen=True)
class PlantedCue:
    """One kind of cue."""

    strength: float
    """Its default strength, 0 to 1."""
    cue: str
    """What gives the answer away, in words."""
    verdicts: Sequence[str]
    """The verdicts that are right at the default strength and number of rows."""
    rows: int = 600
    templates: int = 0
    """How many wordings have one answer each; 0 where every item is worded by itself."""
    copies: int = 1
    """How often each text occurs."""

    @property
    def description(self) -> str:
        """What is planted, and what an audit should say."""
        return f"{self.cue}. Right verdict: {' or '.join(self.verdicts)}"


SUBSETS = {name: PlantedCue(**table) for name, table in read_words("subsets.toml").items()}
"""By name, in the order of the release."""

BLOCK = 20
LABELS = ("no", "yes")
RARE = 4  # of the 20 answers in a block of `rare_cells`, this many are "yes"
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


def rare_cells(stream: Stream, start: int, strength: float) -> Iterator[Cell]:
    """Cells from item `start` on, without end: a fifth of the answers is "yes", and the cue often errs towards "yes".

    The cue says "yes" in a share c = .32 - .12 strength of all items: of the rare answers in c + .8 t, of the others in
    c - .2 t. Then p_o - p_e = .32 t and 1 - p_e = .2 + .6 c, so t = strength (.2 + .6 c) / .32 makes `strength` the
    Cohen's kappa of reading off the cue. At .35 the cue says "yes" for .6 of the rare and .2 of the common answers;
    "no" stays the likelier answer whatever the cue says, up to a strength of about .45.
    """
    says_yes = 0.32 - 0.12 * strength
    lift = strength * (0.2 + 0.6 * says_yes) / 0.32
    for index, block in _blocks(stream, start):
        cells = []
        for label, n, share in (("yes", RARE, says_yes + 0.8 * lift), ("no", BLOCK - RARE, says_yes - 0.2 * lift)):
            shown = _rounded(block.child("shown").child(label), n, share)
            cells += [Cell(label, "yes" if i < shown else "no") for i in range(n)]
        yield block.child("order").shuffled(cells)[index]


def template_cells(stream: Stream, start: int, strength: float, templates: int) -> Iterator[Cell]:
    """An item has its template's label with probability `strength`, otherwise that of a coin."""
    labels = stream.child("labels").shuffled(LABELS * (templates // 2))
    for index in count(start):
        cue = labels[template_of(stream, index, templates)]
        draws = stream.child("cell").child(index)
        shown = draws.chance(round(strength * _SCALE), _SCALE)
        yield Cell(cue if shown else draws.choice(LABELS), cue)


def template_of(stream: Stream, index: int, templates: int) -> int:
    """The template of an item, 0 to `templates` - 1: each round has all of them equally often, in an order of its own.

    A round has at least 100 items, so that one item says next to nothing about the next.
    """
    times = -(-100 // templates)
    rounds, place = divmod(index, templates * times)
    return stream.child("round").child(rounds).shuffled(range(templates * times))[place] % templates


def original_of(stream: Stream, index: int, copies: int) -> int:
    """Which text an item repeats: `copies` items share one, in random order among every 20 texts."""
    rounds, place = divmod(index, BLOCK * copies)
    return rounds * BLOCK + stream.child("copies").child(rounds).shuffled(range(BLOCK * copies))[place] // copies


def _blocks(stream: Stream, start: int) -> Iterator[tuple[int, Stream]]:
    for number in count(start):
        yield number % BLOCK, stream.child("block").child(number // BLOCK)


def _rounded(stream: Stream, n: int, share: float) -> int:
    """n * share, rounded up with the probability of its fraction, so that the mean is exact."""
    whole, rest = divmod(n * round(share * _SCALE), _SCALE)
    return whole + stream.chance(rest, _SCALE)


def _cue(label: str, agrees: bool, cued: bool) -> str:
    if not cued:
        return "none"
    return label if agrees else LABELS[1 - LABELS.index(label)]
