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
from hansproof.release.checksums import digest_of
from hansproof.release.croissant import croissant
from hansproof.release.manifest import BlindEntry, decode

ROOT = Path(__file__).resolve().parents[3]
FROZEN = [
    ROOT / "datasets" / name / dataset(name).version
    for name in MODULES
    if (ROOT / "datasets" / name / dataset(name).version).is_dir()
]
FOLDER = ROOT / "datasets" / "planted-cues" / dataset("planted-cues").version


def manifest(folder=FOLDER):
    return decode((folder / "manifest.json").read_bytes(), "manifest.json")


def made(of, folder=FOLDER):
    name = folder.parent.name
    return json.loads(croissant(of, dataset(name), prose(name), folder))


def without_prose(value):
    """A document without what people read: frozen files keep the words of their day."""
    if isinstance(value, dict):
        kept = {key: part for key, part in value.items() if key not in ("description", "citeAs")}
        return {key: without_prose(part) for key, part in kept.items() if not key.startswith("rai:")}
    return [without_prose(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("folder", FROZEN, ids=lambda folder: folder.parent.name)
def test_the_frozen_file_is_made_from_manifest_and_dataset(folder):
    frozen = json.loads((folder / "croissant.json").read_bytes())
    assert without_prose(frozen) == without_prose(made(manifest(folder), folder))


def test_it_has_each_file_with_its_digest_and_each_field_with_its_type():
    undated = msgspec.structs.replace(manifest(), date=None)
    document = made(undated)
    assert made(manifest())["datePublished"] == manifest().date
    assert document["conformsTo"][0] == "http://mlcommons.org/croissant/1.1"
    assert document["license"] == "https://creativecommons.org/licenses/by/4.0/"
    assert "datePublished" not in document
    assert {file["@id"]: (file["contentSize"], file["sha256"]) for file in document["distribution"]} == {
        path.name: (f"{path.stat().st_size} B", digest_of(path)) for path in FOLDER.glob("*.jsonl.gz")
    }
    assert document["citeAs"] == prose("planted-cues").citation
    fields = {field["@id"]: field for field in document["recordSet"][1]["field"]}
    assert fields["unigram/metadata/cue"]["description"] == prose("planted-cues").fields["cue"]
    assert fields["unigram/choices"]["isArray"] is True
    assert fields["unigram/metadata/seed"]["dataType"] == "sc:Integer"
    assert fields["unigram/metadata/strength"]["dataType"] == "sc:Float"
    assert fields["unigram/metadata/cue"]["source"] == {
        "fileObject": {"@id": "unigram.jsonl.gz"}, "extract": {"column": "metadata"},
        "transform": {"jsonPath": "$.cue"},
    }  # fmt: skip


def test_what_is_known_of_its_biases_limits_and_uses_is_said_in_the_words_of_responsible_ai():
    document = made(manifest())
    assert "by design: unigram (planted: 'usually' points to yes," in document["rai:dataBiases"]
    assert "habit-word on answer in unigram (0.80, chance 0.50)" in document["rai:dataBiases"]
    assert document["rai:dataLimitations"] == "Any claim about a model: no reasoning leads to these answers."
    assert not {"`", "\n"} & set(document["rai:dataUseCases"])
    clean = [entry for entry in manifest().subsets if entry.name == "none"]
    told = made(msgspec.structs.replace(manifest(), subsets=clean))["rai:dataBiases"]
    assert told == "No shortcut, blind strategy above chance or difference between arms was measured."


def test_of_the_strategies_that_beat_chance_the_one_furthest_beyond_it_is_named_on_whole_answers_first():
    def beating(strategy, part, share, better, answered=100):
        return BlindEntry(
            strategy=strategy, part=part, items=100, answered=answered, share=share, low=None, high=None,
            interval="Wilson", in_sample=share, chance=0.5, p_holm=0.0, better=better,
        )  # fmt: skip

    def named(*blind):
        entry = msgspec.structs.replace(manifest().subsets[0], blind=list(blind))
        return made(msgspec.structs.replace(manifest(), subsets=[entry]))["rai:dataBiases"].partition("subset: ")[2]

    little, much = beating("little", "lost", 0.4, "lower"), beating("much", "lost", 0.1, "lower")
    assert named(little, much) == "much on lost in none (0.10, chance 0.50)."
    some = beating("some", "answer", 0.3, "higher", answered=40)
    assert named(much, some, beating("all", "answer", 0.7, "higher")) == "some on answer in none (0.75, chance 0.50)."


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
