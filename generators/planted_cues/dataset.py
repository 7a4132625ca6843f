"""The family planted-cues, and its items at any strength of the cue."""

from __future__ import annotations

from collections.abc import Iterator

from generators.answering.answer_form import OPTION
from generators.dataset import Dataset, Draft, Subset
from generators.errors import UsageError
from generators.item import Item
from generators.planted_cues.benchmark import NAME, SUBSETS, VERSION, drafts
from generators.planted_cues.blind import SCORER
from generators.stream import Stream

__all__ = ["DATASET", "ROWS", "generate"]

ROWS = 600


def generate(subset: str, seed: int, count: int, *, strength: float | None = None, start: int = 0) -> Iterator[Item]:
    """Items `start` to `start + count` of a subset, with a cue of `strength` (see `benchmark.drafts`).

    Raises UsageError for an unknown subset, a strength outside [0, 1] and negative numbers.
    """
    if count < 0 or start < 0:
        raise UsageError(f"count and start must be 0 or more, not {count} and {start}")
    indices = range(start, start + count)
    made = drafts(DATASET.stream(seed), subset, indices, strength)
    return (DATASET.complete(draft, subset, seed, index) for index, draft in zip(indices, made))


def _make(stream: Stream, subset: str, index: int) -> Draft:
    return next(drafts(stream, subset, range(index, index + 1)))


def _check(item: Item) -> list[str]:
    """The answer is the toss of a coin, so nothing solves it; all that can be checked is that it is a label."""
    return [] if item.answer in ("yes", "no") else [f"answer is {item.answer!r}, not 'yes' or 'no'"]


DATASET = Dataset(
    name=NAME,
    version=VERSION,
    title="Planted cues",
    summary="Yes-no questions with a known cue of known strength: they test audits, not models.",
    seed=1,
    subsets={
        name: Subset(
            rows=ROWS,
            description=planted.cue,
            form=OPTION,
            exploit="" if name == "none" else f"planted: {planted.cue}",
        )
        for name, planted in SUBSETS.items()
    },
    make=_make,
    check=_check,
    scorer=SCORER,
)
