"""croissant.json: a release in the vocabulary of MLCommons Croissant 1.1, so that its loaders find files and fields.

It is made from the manifest, the dataset and its prose: one FileObject per file with its digest, one RecordSet per
subset.
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from hansproof.audit.report.croissant import BIASES, LIMITATIONS, RAI
from hansproof.generators.answering.scorer import ANSWER
from hansproof.generators.dataset import Dataset
from hansproof.generators.item import Item
from hansproof.generators.production import items, release_stretch
from hansproof.generators.registry import CardProse
from hansproof.release.arms import beyond_noise
from hansproof.release.checksums import digest_of
from hansproof.release.manifest import BlindEntry, Manifest, SubsetEntry
from hansproof.release.objections import beats_chance

__all__ = ["CROISSANT", "FIELDS", "METADATA", "croissant", "first_item"]

CROISSANT: Final = "croissant.json"

FIELDS: Final = {
    "id": "Dataset, version, subset and index; it never changes.",
    "prompt": "Exactly what a model is shown, before any prompt style.",
    "choices": "The allowed answers of a multiple-choice item, otherwise null.",
    "answer": "The gold answer in canonical form, one of the choices if there are any; null where nothing is right.",
    "group": "Items that must stay on one side of any split: a pair, a template, a story.",
    "condition": "The experimental arm.",
    "metadata": "The design variables behind the item; never shown to a model.",
}
"""The keys of every item and what they mean; the card has them too."""

METADATA: Final = {
    "dataset": "Name of the dataset.",
    "version": "Version of the generator.",
    "subset": "Name of the subset.",
    "seed": "Seed of the release.",
    "canary": "A string that occurs nowhere else: a model that completes it has seen this data.",
}
"""The metadata that every item has."""

_MAINTENANCE: Final = (
    "The files of a version never change, and no public version is withdrawn. What is found wrong stands on its card, "
    "and is corrected in a new version."
)
_TYPES: Final = {bool: "sc:Boolean", int: "sc:Integer", float: "sc:Float"}
_LICENCES: Final = {"CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/"}

_CONTEXT: Final[dict[str, Any]] = json.loads(
    (files("hansproof.release") / "templates/croissant_context.json").read_text("utf-8")
)


def croissant(manifest: Manifest, dataset: Dataset, prose: CardProse, folder: Path) -> bytes:
    """The bytes of croissant.json for the release in `folder`, which holds its files."""
    licence = manifest.licence.data
    document: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", RAI],
        "name": manifest.dataset,
        "alternateName": manifest.title,
        "description": dataset.summary,
        "version": manifest.version,
        "license": _LICENCES.get(licence, licence),
        "creator": {"@type": "sc:Organization", "name": dataset.authors},
        "citeAs": prose.citation,
        "keywords": ["benchmark", "evaluation", *prose.tags],
        "inLanguage": "en",
        "isLiveDataset": False,
        "distribution": [_file(folder / entry.file) for entry in manifest.subsets],
        "recordSet": [_records(entry, dataset, prose) for entry in manifest.subsets],
        "rai:dataCollection": "No text was collected: a seeded program made all items.",
        BIASES: _biases(manifest),
        LIMITATIONS: _plain(prose.misuses),
        "rai:dataUseCases": _plain(prose.uses),
        "rai:personalSensitiveInformation": "None about living people.",
        "rai:dataReleaseMaintenancePlan": _MAINTENANCE,
    }
    if manifest.date is not None:
        document["datePublished"] = manifest.date
    return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"


def _plain(markdown: str) -> str:
    """Markdown on one line, without marks of lists and code."""
    return " ".join(markdown.replace("`", "").replace("\n- ", "; ").removeprefix("- ").split())


def _biases(manifest: Manifest) -> str:
    """What was measured of the surface: shortcuts, strategies above chance, and arms that differ beyond noise."""
    entries = manifest.subsets
    designed = [f"{entry.name} ({entry.exploit})" for entry in entries if entry.exploit]
    above = [
        f"{best.strategy} on {best.part} in {entry.name} ({best.of_answered(best.share):.2f}, chance {best.chance:.2f})"
        for entry in entries
        for best in [max(filter(beats_chance, entry.blind), key=_beyond, default=None)]
        if best is not None and best.chance is not None
    ]
    differing = [
        f"{entry.name}, {arm.before} to {arm.after} ({', '.join(differences)})"
        for entry in entries
        for arm in entry.arms
        if (differences := beyond_noise(arm))
    ]
    parts = [
        ("Shortcuts by design", designed),
        ("The best blind strategy that beats chance, by subset", above),
        ("Prompts of matched arms differ beyond noise", differing),
    ]
    told = [f"{title}: {'; '.join(names)}." for title, names in parts if names]
    return " ".join(told) or "No shortcut, blind strategy above chance or difference between arms was measured."


def _beyond(result: BlindEntry) -> tuple[bool, float]:
    """How far a strategy is beyond chance; whole answers come first, as parts may be measures of any size."""
    return result.part == ANSWER, abs(result.of_answered(result.share) - (result.chance or 0.0))


def _file(path: Path) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path.name,
        "name": path.name,
        "contentUrl": path.name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": "application/jsonlines",
        "sha256": digest_of(path),
    }


def first_item(dataset: Dataset, subset: str) -> Item:
    """The first item of a subset of the release."""
    return next(items(dataset, release_stretch(dataset, subset), dataset.seed))


def _records(entry: SubsetEntry, dataset: Dataset, prose: CardProse) -> dict[str, Any]:
    # All rows have the same keys with the same types, so the first item stands for them.
    sample = first_item(dataset, entry.name).record()
    fields = [_field(entry, name, meaning, sample[name]) for name, meaning in FIELDS.items() if name != "metadata"]
    known = {**METADATA, **prose.fields}
    fields += [
        _field(entry, name, known.get(name, "A design variable."), value, "metadata")
        for name, value in sample["metadata"].items()
        if _flat(value)
    ]
    return {
        "@type": "cr:RecordSet",
        "@id": entry.name,
        "name": entry.name,
        "description": dataset.subset(entry.name).description,
        "key": {"@id": f"{entry.name}/id"},
        "field": fields,
    }


def _field(entry: SubsetEntry, name: str, meaning: str, sample: object, column: str = "") -> dict[str, Any]:
    """A key of the item, or a key inside `column` of it."""
    source: dict[str, Any] = {"fileObject": {"@id": entry.file}, "extract": {"column": column or name}}
    if column:
        source["transform"] = {"jsonPath": f"$.{name}"}
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{entry.name}/{column + '/' if column else ''}{name}",
        "name": name,
        "description": meaning,
        "dataType": _type(sample),
    }
    if isinstance(sample, list):
        # `repeated` is the older word for the same; today's loaders still go by it.
        field |= {"repeated": True, "isArray": True, "arrayShape": "-1"}
    return field | {"source": source}


def _type(sample: object) -> str:
    """The type of a value; of a list, that of its entries."""
    value = sample[0] if isinstance(sample, list) and sample else sample
    return _TYPES.get(type(value), "sc:Text")


def _flat(sample: object) -> bool:
    """Whether a value is a scalar or a list of scalars: Croissant's fields are columns, not trees."""
    parts = sample if isinstance(sample, list) else [sample]
    return not any(isinstance(part, dict | list) for part in parts)
