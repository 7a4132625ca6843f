"""The family planted-cues, and its items at any strength of the cue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hansproof.generators.dataset import OPTION, Dataset, Subset
from hansproof.generators.errors import UsageError
from hansproof.generators.item import Item
from hansproof.generators.planted_cues.benchmark import drafts
from hansproof.generators.planted_cues.blind import FIRST_SCORER, SCORER
from hansproof.generators.planted_cues.subsets import FIRST_SUBSETS, NAME, SUBSETS, VERSION

__all__ = ["DATASET", "generate"]


def generate(subset: str, seed: int, count: int, *, strength: float | None = None, start: int = 0) -> Iterator[Item]:
    """Items `start` to `start + count` of a subset, with a cue of `strength` (see `benchmark.drafts`).

    A subset of templates keeps its number of templates, whatever the count: more items are more items per template.
    Raises UsageError for an unknown subset, a strength outside [0, 1] and negative numbers.
    """
    if count < 0 or start < 0:
        raise UsageError(f"count and start must be 0 or more, not {count} and {start}")
    indices = range(start, start + count)
    made = drafts(DATASET.stream(seed), subset, indices, strength)
    return (DATASET.complete(draft, subset, seed, index) for index, draft in zip(indices, made))


def _check(item: Item) -> list[str]:
    """The answer is the toss of a coin, so nothing solves it; all that can be checked is that it is a label."""
    return [] if item.answer in ("yes", "no") else [f"answer is {item.answer!r}, not 'yes' or 'no'"]


_SUBSETS = {
    name: Subset(
        rows=planted.rows,
        description=planted.description,
        form=OPTION,
        copies=planted.copies,
        exploit=f"planted: {planted.cue}" if planted.strength else "",
    )
    for name, planted in SUBSETS.items()
}
_SUMMARY = "Yes-no questions with a known cue of known strength: they test audits, not models."

FIRST = Dataset(
    name=NAME,
    version="1.0.0",
    title="Planted cues",
    summary=_SUMMARY,
    seed=1,
    subsets={name: replace(_SUBSETS[name], description=SUBSETS[name].cue) for name in FIRST_SUBSETS},
    make=lambda stream, subset, index: next(drafts(stream, subset, range(index, index + 1))),
    check=_check,
    unproved="each is the toss of a coin, so all that its own check can see is that it is a label",
    scorer=FIRST_SCORER,
)
"""Version 1.0.0, whose bytes are the same to this day."""

DATASET = replace(FIRST, version=VERSION, subsets=_SUBSETS, scorer=SCORER, earlier=(FIRST,))
