"""The family planted-cues, and its items at any strength of the cue."""

from __future__ import annotations

from collections.abc import Iterator

from hansproof.generators.dataset import OPTION, Dataset, Draft, Knob, Subset
from hansproof.generators.errors import UsageError
from hansproof.generators.item import Item
from hansproof.generators.planted_cues.benchmark import drafts
from hansproof.generators.planted_cues.blind import SCORER
from hansproof.generators.planted_cues.design import NAME, SUBSETS, VERSION, PlantedCue
from hansproof.generators.stream import Stream

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


_AUDITED = "; `hansproof audit` of 600 items measures .19, .60 and .96 there"


def _knob(name: str) -> Knob:
    """The strength of a cue in per cent. Its items are drawn from a stream of each level's own."""

    def make(stream: Stream, level: int, index: int) -> Draft:
        return next(drafts(stream.child("difficulty").child(level), name, range(index, index + 1), level / 100))

    return Knob(
        "hundredths of Cohen's kappa that a perfect reader of the cue reaches",
        0,
        100,
        f"reading off the cue reaches .20 at 20, .60 at 60 and .95 at 95{_AUDITED if name == 'unigram' else ''}",
        make,
    )


def _subset(name: str, planted: PlantedCue) -> Subset:
    # A template is bound to its answer and an imbalance has no cue to read, so neither has a strength to turn.
    turns = 0 < planted.strength < 1 and name != "imbalance"
    return Subset(
        rows=planted.rows,
        description=planted.description,
        form=OPTION,
        copies=planted.copies,
        exploit=f"planted: {planted.cue}" if planted.strength else "",
        knob=_knob(name) if turns else None,
    )


DATASET = Dataset(
    name=NAME,
    version=VERSION,
    title="Planted cues",
    summary="Yes-no questions with a known cue of known strength: they test audits, not models.",
    seed=1,
    subsets={name: _subset(name, planted) for name, planted in SUBSETS.items()},
    make=lambda stream, subset, index: next(drafts(stream, subset, range(index, index + 1))),
    check=_check,
    unproved="each is the toss of a coin, so all that its own check can see is that it is a label",
    scorer=SCORER,
)
