"""The registry's entry of planted-cues."""

from __future__ import annotations

from generators.dataset import Dataset, Subset
from generators.item import Item
from generators.planted_cues.benchmark import CANARY, SUBSETS, VERSION, generate
from generators.planted_cues.benchmark import DATASET as NAME

__all__ = ["DATASET"]

SEED = 1
ROWS = 600  # a subset


def _make(subset: str, seed: int, index: int) -> Item:
    return next(generate(subset, seed, 1, start=index))


def _check(item: Item) -> list[str]:
    """The gold is a coin's, so nothing solves it; what can be checked is that the label is one of the two."""
    return [] if item.answer in ("yes", "no") else [f"answer is {item.answer!r}, not 'yes' or 'no'"]


DATASET = Dataset(
    name=NAME,
    version=VERSION,
    title="Planted cues",
    summary="Yes-no benchmarks with a known cue of known strength (none, a word, a word pair, length, readability, "
    "templates, imbalance). The answers are independent of what the texts say: they test audits, not models.",
    seed=SEED,
    canary=CANARY,
    subsets={
        name: Subset(rows=ROWS, description=one.cue, known_leak="" if name == "none" else f"planted: {one.cue}")
        for name, one in SUBSETS.items()
    },
    make=_make,
    check=_check,
    fields={
        "cue": "the answer that the cue points to; empty where there is none",
        "strength": "Cohen's kappa that the ideal reader of the cue reaches",
    },
    citation="Pacchiardi, Tesic, Cheke & Hernández-Orallo (2024), Leaving the barn door open for Clever Hans",
    uses="Calibrating shortcut audits: false alarms on `none`, power on the others.",
    misuses="Anything about models: no reasoning leads to these answers.",
    baselines={"all": "chance 50 %; majority 50 %, in `imbalance` 75 %"},
    tags=("text-classification",),
)
