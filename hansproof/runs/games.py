"""Games: the items that a run plays, in order, and how an episode of one begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from os import PathLike
from pathlib import Path

from hansproof.generators.dataset import Dataset
from hansproof.generators.episode import Episode
from hansproof.generators.errors import InputError, UsageError, unknown
from hansproof.generators.item import Item
from hansproof.generators.production import Stretch, items, plan
from hansproof.generators.registry import dataset, find, names
from hansproof.release.frozen import given_items

__all__ = ["Games", "games"]

_MOST = 100_000
"""Episodes of one run: their items are all in memory."""

Source = str | PathLike[str] | Iterable[Item]
"""A dataset (`name` or `name@version`: the items of its release), a release folder, a file of items, or items."""


@dataclass(frozen=True)
class Games:
    """What is played."""

    family: Dataset
    items: list[Item]
    start: Callable[[Item], Episode]
    origin: str = ""
    """The file or the folder that the items were read from, if they were."""

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that say which items these are, and in which order."""
        return sha256("".join(item.line_digest() for item in self.items).encode()).hexdigest()[:16]


def games(
    source: Source,
    subsets: Sequence[str] = (),
    count: int | None = None,
    seed: int | None = None,
    *,
    variants: bool = False,
) -> Games:
    """The first `count` items of each subset, or of those named in `subsets`; of a dataset only with `variants` those
    of subsets that repeat another one in other words, unless they are named.

    A dataset gives the items of its release, or with `seed` fresh ones. Without a count, there are as many as in the
    release. Raises UsageError for unknown names, a dataset whose items are answered, a seed for items that exist, and
    numbers out of range; InputError for a file that cannot be read.
    """
    if count is not None and (type(count) is not int or count < 1):
        raise UsageError(f"the number of episodes must be a whole number of at least 1, not {count!r}")
    if isinstance(source, str) and (family := _named(source)) is not None:
        start, chosen = _start(family), family.seed if seed is None else seed
        if not subsets and not variants:
            subsets = [name for name, subset in family.subsets.items() if not subset.variant]
        stretches = _stretches(family, subsets, count, chosen)
        if (many := sum(stretch.stop - stretch.start for stretch in stretches)) > _MOST:
            raise UsageError(f"a run holds at most {_MOST:,} episodes, not {many:,}; ask for fewer")
        rows = [item for stretch in stretches for item in items(family, stretch, chosen)]
        return Games(family, rows, start)
    where = str(source) if isinstance(source, str | PathLike) else "the items"
    if seed is not None:
        raise UsageError("has items already, so a seed has no effect; leave it out", where)
    if isinstance(source, str) and not Path(source).exists():
        raise UsageError(f"is neither a file nor a dataset; datasets that can be played: {_playable()}", source)
    rows = given_items(source)
    if not rows:
        raise InputError("there are no items to play")
    kept = _kept(rows, subsets, count, where)
    return replace(kept, origin=where) if isinstance(source, str | PathLike) else kept


def _named(source: str) -> Dataset | None:
    """The dataset that `name` or `name@version` names; None for what can only be a path."""
    name, at, version = source.partition("@")
    family = find(name)
    if family is not None and at and version != family.version:
        raise unknown("version", version, [family.version], within=name)
    return family


def _stretches(family: Dataset, subsets: Sequence[str], count: int | None, seed: int) -> list[Stretch]:
    if count is not None:
        return plan(family, subsets, seed, count)
    chosen = [stretch.subset for stretch in plan(family, subsets, seed, 1)]
    return [Stretch(name, 0, family.subset(name).rows) for name in chosen]


def _kept(rows: list[Item], subsets: Sequence[str], count: int | None, where: str) -> Games:
    name, version = (str(rows[0].metadata[key]) for key in ("dataset", "version"))
    family = dataset(name)
    if family.version != version:
        raise InputError(f"is of {name}@{version}, which this version of hansproof does not play", where)
    known = dict.fromkeys(str(item.metadata["subset"]) for item in rows)
    for subset in subsets:
        if subset not in known:
            raise unknown("subset", subset, known, within=where)
    chosen, kept = Counter[str](), []
    for item in rows:
        subset = str(item.metadata["subset"])
        chosen[subset] += 1
        if (not subsets or subset in subsets) and (count is None or chosen[subset] <= count):
            kept.append(item)
    return Games(family, kept, _start(family))


def _start(family: Dataset) -> Callable[[Item], Episode]:
    if family.episode is None:
        raise UsageError(
            f"{family.name} is answered, not played: `hansproof prompts` writes what to ask. "
            f"Datasets that can be played: {_playable()}"
        )
    return family.episode


def _playable() -> str:
    return ", ".join(name for name in names() if dataset(name).episode is not None) or "none"
