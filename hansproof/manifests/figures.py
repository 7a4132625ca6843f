"""The figures that a family promises of a release, as its manifest has them: measured, compared, judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from generators.dataset import Dataset
from generators.errors import Fault
from generators.item import Item
from hansproof.manifests.manifest import MANIFEST, FigureEntry, Manifest, rounded

__all__ = ["figure_entries", "figure_faults", "missed"]


def figure_entries(dataset: Dataset, items: Mapping[str, Sequence[Item]]) -> list[FigureEntry] | UnsetType:
    """The figures of a release by subset -> its items, to four decimals; unset where the family promises none."""
    if dataset.figures is None:
        return UNSET
    return [
        FigureEntry(
            name=figure.name,
            meaning=figure.meaning,
            value=rounded(figure.value),
            least=figure.least,
            most=figure.most,
        )
        for figure in dataset.figures(items)
    ]


def figure_faults(manifest: Manifest, dataset: Dataset, items: Mapping[str, Sequence[Item]]) -> list[Fault]:
    """Where the manifest has other figures than its items give."""
    measured = figure_entries(dataset, items)
    given = {} if measured is UNSET else {entry.name: asdict(entry) for entry in measured}
    said = {} if manifest.figures is UNSET else {entry.name: asdict(entry) for entry in manifest.figures}
    return [
        Fault(f"its figure {name!r} is {_number(said, name)}, the items give {_number(given, name)}", MANIFEST)
        for name in dict.fromkeys([*said, *given])
        if said.get(name) != given.get(name)
    ]


def missed(manifest: Manifest) -> Iterator[str]:
    """One sentence per figure that misses a bound; an undefined figure misses every bound that it has."""
    for entry in [] if manifest.figures is UNSET else manifest.figures:
        value = float("nan") if entry.value is None else entry.value
        if entry.least is not None and not value >= entry.least:
            yield f"{entry.name} ({entry.meaning}) is {_said(entry)}, but a release promises at least {entry.least:g}"
        if entry.most is not None and not value <= entry.most:
            yield f"{entry.name} ({entry.meaning}) is {_said(entry)}, but a release promises at most {entry.most:g}"


def _said(entry: FigureEntry) -> str:
    return "undefined" if entry.value is None else f"{entry.value:g}"


def _number(entries: Mapping[str, Mapping[str, object]], name: str) -> object:
    return entries[name]["value"] if name in entries else "missing"
