"""croissant.json: a release in the vocabulary of MLCommons Croissant 1.1, so that its loaders find files and fields.

Made from the manifest and the dataset; one FileObject a file with its digest, one RecordSet a subset.
"""

from __future__ import annotations

import json
from typing import Any, Final

from generators.dataset import Dataset
from hansproof.release.manifest import Manifest, SubsetEntry

__all__ = ["CROISSANT", "FIELDS", "METADATA", "croissant"]

CROISSANT: Final = "croissant.json"

FIELDS: Final = {
    "id": "Dataset, version, subset and index; stable for ever.",
    "prompt": "Exactly what a model is shown, before any prompt style.",
    "choices": "The allowed answers where the item is multiple choice, else null.",
    "answer": "The gold answer in canonical form; one of the choices where there are any.",
    "group": "Items that must never be parted between training and test: a pair, a template, a story.",
    "condition": "The experimental arm.",
    "metadata": "The design variables that made the item; never shown to a model.",
}
"""The keys of every item and what they mean, for the card too."""

METADATA: Final = {
    "dataset": "The dataset's name.",
    "version": "The generator's version.",
    "subset": "The subset's name.",
    "seed": "The seed of the release.",
    "canary": "A string that occurs nowhere else, by which a leaked training set is recognised.",
}
"""The metadata that every item has."""

_TYPES: Final = {bool: "sc:Boolean", int: "sc:Integer", float: "sc:Float"}
_LICENCES: Final = {"CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/"}

_CONTEXT: Final[dict[str, Any]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(manifest: Manifest, dataset: Dataset) -> bytes:
    """The bytes of croissant.json for a release; the same manifest gives the same bytes."""
    licence = manifest.licence.data
    document: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": manifest.dataset,
        "alternateName": manifest.title,
        "description": dataset.summary,
        "version": manifest.version,
        "license": _LICENCES.get(licence, licence),
        "creator": {"@type": "sc:Organization", "name": "The hansproof authors"},
        "citeAs": dataset.citation,
        "keywords": ["benchmark", "evaluation", *dataset.tags],
        "inLanguage": "en",
        "isLiveDataset": False,
        "distribution": [_file(entry) for entry in manifest.subsets],
        "recordSet": [_records(entry, dataset) for entry in manifest.subsets],
    }
    if manifest.date is not None:
        document["datePublished"] = manifest.date
    return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"


def _file(entry: SubsetEntry) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": entry.file,
        "name": entry.file,
        "contentUrl": entry.file,
        "contentSize": f"{entry.bytes} B",
        "encodingFormat": "application/jsonlines",
        "sha256": entry.sha256,
    }


def _records(entry: SubsetEntry, dataset: Dataset) -> dict[str, Any]:
    subset = dataset.subsets[entry.name]
    # All rows have the same keys with the same types, so the first item stands for them.
    sample = dataset.make(entry.name, dataset.seed, 0).record()
    fields = [_field(entry, name, meaning, sample[name]) for name, meaning in FIELDS.items() if name != "metadata"]
    known = METADATA | dataset.fields
    fields += [
        _field(entry, name, known.get(name, "A design variable."), value, "metadata")
        for name, value in sample["metadata"].items()
        if _flat(value)
    ]
    return {
        "@type": "cr:RecordSet",
        "@id": entry.name,
        "name": entry.name,
        "description": subset.description,
        "key": {"@id": f"{entry.name}/id"},
        "field": fields,
    }


def _field(entry: SubsetEntry, name: str, meaning: str, sample: object, column: str = "") -> dict[str, Any]:
    """A key of the item, or one of its metadata (`column` names the key it is inside)."""
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
        # `repeated` is the older word for the same; today's loaders still read lists by it.
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
