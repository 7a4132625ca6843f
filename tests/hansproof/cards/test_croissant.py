"""croissant.json: the frozen one has the files and fields of its manifest; mlcroissant validates it and loads rows."""

from __future__ import annotations

import json
import warnings
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from hansproof.generators.jsonl import read
from hansproof.generators.registry import MODULES, dataset, prose
from hansproof.release.croissant import croissant
from hansproof.release.manifest import decode

ROOT = Path(__file__).resolve().parents[3]
FROZEN = [
    ROOT / "datasets" / name / dataset(name).version
    for name in MODULES
    if (ROOT / "datasets" / name / dataset(name).version).is_dir()
]
FOLDER = ROOT / "datasets" / "planted-cues" / "1.0.0"


def manifest(folder=FOLDER):
    return decode((folder / "manifest.json").read_bytes(), "manifest.json")


def made(of, name="planted-cues"):
    return json.loads(croissant(of, dataset(name), prose(name)))


def without_prose(value):
    """A document without what people read: frozen files keep the words of their day."""
    if isinstance(value, dict):
        return {key: without_prose(part) for key, part in value.items() if key not in ("description", "citeAs")}
    return [without_prose(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("folder", FROZEN, ids=lambda folder: folder.parent.name)
def test_the_frozen_file_is_made_from_manifest_and_dataset(folder):
    name = folder.parent.name
    assert without_prose(json.loads((folder / "croissant.json").read_bytes())) == without_prose(
        made(manifest(folder), name)
    )


def test_it_has_each_file_with_its_digest_and_each_field_with_its_type():
    undated = msgspec.structs.replace(manifest(), date=None)
    document = made(undated)
    assert made(manifest())["datePublished"] == manifest().date
    assert document["conformsTo"] == "http://mlcommons.org/croissant/1.1"
    assert document["license"] == "https://creativecommons.org/licenses/by/4.0/"
    assert "datePublished" not in document
    assert {file["@id"]: file["sha256"] for file in document["distribution"]} == {
        entry.file: entry.sha256 for entry in manifest().subsets
    }
    assert document["citeAs"] == prose("planted-cues").citation
    fields = {field["@id"]: field for field in document["recordSet"][1]["field"]}
    assert fields["unigram/metadata/cue"]["description"] == prose("planted-cues").fields["cue"]
    assert fields["unigram/choices"]["isArray"] is True
    assert fields["unigram/metadata/seed"]["dataType"] == "sc:Integer"
    assert fields["unigram/metadata/strength"]["dataType"] == "sc:Float"
    assert fields["unigram/metadata/cue"]["source"] == {
        "fileObject": {"@id": "unigram.jsonl"}, "extract": {"column": "metadata"}, "transform": {"jsonPath": "$.cue"},
    }  # fmt: skip


def test_a_date_of_release_is_its_date_of_publication():
    dated = msgspec.structs.replace(manifest(), date="2026-12-01")
    assert made(dated)["datePublished"] == "2026-12-01"


def test_mlcroissant_validates_it_and_loads_the_rows():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own dependencies warn on import
        mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
        loaded = mlcroissant.Dataset(str(FOLDER / "croissant.json"))
        rows = list(islice(loaded.records("unigram"), 20))
    assert not loaded.metadata.issues.errors
    assert [issue for issue in loaded.metadata.issues.warnings if "datePublished" not in issue] == []
    for row, item in zip(rows, read(FOLDER / "unigram.jsonl")):
        assert row["unigram/prompt"].decode() == item.prompt
        assert row["unigram/answer"].decode() == item.answer
        assert [choice.decode() for choice in row["unigram/choices"]] == list(item.choices)
        assert row["unigram/metadata/seed"] == 1
        assert row["unigram/metadata/cue"].decode() == item.metadata["cue"]
