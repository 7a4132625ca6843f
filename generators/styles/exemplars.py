"""Solved examples for few-shot styles: items of the same subset that are in no release and in no test set."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import UsageError, unknown
from hansproof.generators.item import Item
from hansproof.generators.production import items, release_stretch
from hansproof.generators.stream import Stream
from hansproof.generators.styles.style import Style

__all__ = ["examples_for"]

EXEMPLARS_FROM = 10_000_000
"""The first index of the reserved range; no release has an item there. (A subset with few different items has no such
index: its reserved range is what lies behind the rows of the release.)"""

_MOST_SHOTS = 1_000
_LOOKED_THROUGH = 50
"""Items drawn per example wanted, before answers may repeat unevenly."""


def examples_for(style: Style, dataset: Dataset, subset: str, k: int, seed: int) -> list[Item]:
    """The solved examples that a style shows before items of a subset: the family's own, or `k` that are drawn.

    Where the style shows reasoning, items without any (their steps would be too long for an example) are passed over.
    Raises UsageError as `exemplars` does, and where the subset has no example of the name that the style gives.
    """
    if not style.example:
        return exemplars(dataset, subset, k, seed, dataset.subset(subset).form.reasoning if style.reasoning else None)
    own = dataset.subset(subset).examples
    if style.example not in own:
        raise unknown("example", style.example, own, within=f"{dataset.name}/{subset}")
    # Below the drawn ones and beyond every release, whatever its size.
    place = EXEMPLARS_FROM - 1 - list(own).index(style.example)
    return [dataset.complete(own[style.example](subset), subset, dataset.seed, place)]


def exemplars(
    dataset: Dataset, subset: str, k: int, seed: int, reasoning: Callable[[Item], str] | None = None
) -> list[Item]:
    """k solved items of a subset, none of which is in any release; the same ones for the same seed.

    They come from a reserved range of indices and from a seed of their own, drawn from `seed` by name, so no test set
    contains them whatever its seed. Prompts and groups differ, and items of which `reasoning` says nothing are left
    out. Where the answers are a few labels, they are as even as k allows, because a model leans towards the label that
    it has been shown most (Zhao et al. 2021).
    Raises UsageError for an unknown subset, k < 1 or k > 1,000, and a subset with too few items beyond the released.
    """
    about = dataset.subset(subset)
    if k < 1:
        raise UsageError(f"the number of examples must be 1 or more, not {k}")
    if k > _MOST_SHOTS:
        raise UsageError(f"the number of examples must be at most {_MOST_SHOTS:,}, not {k}")
    own = Stream(seed, "exemplars", dataset.name, dataset.version, subset).word() >> 11
    kept: list[Item] = []
    passed: list[Item] = []
    seen: set[str] = set()
    start, end = EXEMPLARS_FROM, EXEMPLARS_FROM + _LOOKED_THROUGH * k
    if about.limit is not None:  # where items are few, another seed makes some of the released ones again
        seen = {item.prompt for item in items(dataset, release_stretch(dataset, subset), dataset.seed)}
        start, end = about.rows, min(about.limit, about.rows + _LOOKED_THROUGH * k)
    for index in range(start, end):
        item = dataset.item(subset, own, index)
        if item.prompt in seen or item.group in seen or any(mate in seen for mate in _mates(dataset, item, index)):
            continue
        if reasoning and not reasoning(item).strip():
            continue
        seen |= {item.prompt, item.group}
        # A label may be shown once more only while it has not had its share.
        share = -(-k // len(item.choices)) if item.choices else k
        even = sum(other.answer == item.answer for other in kept) < share
        (kept if even else passed).append(item)
        if len(kept) == k:
            return kept
    available = len(kept) + len(passed)
    if available < k:
        raise UsageError(f"{dataset.name}/{subset} has only {available} items beyond the released ones, not {k}")
    return kept + passed[: k - len(kept)]


def _mates(dataset: Dataset, item: Item, index: int) -> Iterator[str]:
    """The prompts of the other items of the group, which stand beside it: another form of a question gives it away."""
    subset, seed = str(item.metadata["subset"]), int(item.metadata["seed"])
    about = dataset.subset(subset)
    limit = about.limit
    if about.matched is None or limit is None:
        return
    for step in (-1, 1):
        place = index + step
        while 0 <= place < limit and (mate := dataset.item(subset, seed, place)).group == item.group:
            yield mate.prompt
            place += step
