"""An author's Croissant file with what an audit measured: kept, appended, valid, and found again by its readers."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from hansproof.audit.report.croissant import RAI, annotated, read_croissant
from hansproof.audit.report.words import VERDICTS, rule_of
from hansproof.audit.result.audit_result import ScanResult
from hansproof.command_line import command_line
from hansproof.generators.errors import InputError
from hansproof.generators.jsonl import read_bytes

ROOT = Path(__file__).resolve().parents[3]
RELEASE = ROOT / "datasets" / "planted-cues" / "2.0.0"
FROZEN = json.loads((RELEASE / "croissant.json").read_bytes())
CONTEXT = {name: to for name, to in FROZEN["@context"].items() if name != "rai"}
PLAIN = {key: value for key, value in FROZEN.items() if not key.startswith("rai:")} | {
    "@context": CONTEXT,
    "conformsTo": "http://mlcommons.org/croissant/1.0",
}
"""Croissant as most authors have it: nothing of responsible AI, and one address that it conforms to."""
LEAKY = "space_nli (1,600 items, SHA-256 9f2c4be1a0d3), audited with hansproof "


@pytest.fixture
def leaks(make_result):
    return make_result()


def made(document, result):
    return json.loads(annotated(document, result))


def test_a_document_without_the_vocabulary_gets_it_and_nothing_else_changes(leaks):
    new = made(PLAIN, leaks)
    assert new["@context"].pop("rai") == "http://mlcommons.org/croissant/RAI/"
    assert new.pop("rai:dataBiases").startswith(LEAKY)
    assert new.pop("rai:dataLimitations") == f"space_nli: {rule_of('LEAKS').limit}"
    assert new.pop("conformsTo") == ["http://mlcommons.org/croissant/1.0", RAI]
    assert new == {key: value for key, value in PLAIN.items() if key != "conformsTo"}
    assert "LEAKS. Word 1-2-grams (TF-IDF) reach" in made(PLAIN, leaks)["rai:dataBiases"]


def test_what_the_author_wrote_stays_before_ours_and_a_second_time_adds_nothing(leaks):
    new = made(FROZEN, leaks)
    assert new["conformsTo"] == FROZEN["conformsTo"]
    for field in ("rai:dataBiases", "rai:dataLimitations"):
        assert new[field][0] == FROZEN[field]
        assert len(new[field]) == 2
    assert list(new) == list(FROZEN)
    assert made(new, leaks) == new


@pytest.mark.parametrize(
    ("context", "key"),
    [
        ({"dataBiases": "rai:dataBiases", "rai": "http://mlcommons.org/croissant/RAI/"}, "dataBiases"),
        ({"biased": {"@id": "http://mlcommons.org/croissant/RAI/dataBiases"}}, "biased"),
        ({"r": "http://mlcommons.org/croissant/RAI/"}, "r:dataBiases"),
        (["https://schema.org/", {"r": "http://mlcommons.org/croissant/RAI/"}], "r:dataBiases"),
        ({"rai": "http://example.org/"}, "http://mlcommons.org/croissant/RAI/dataBiases"),
        ("https://schema.org/", "rai:dataBiases"),
    ],
)
def test_the_field_is_known_by_its_address_and_not_by_its_spelling(context, key, leaks):
    document = {"@context": context, "@type": "sc:Dataset", key: ["mine"]}
    new = made(document, leaks)
    assert [name for name in new if "iase" in name] == [key]
    assert new[key][0] == "mine"
    assert new[key][1].startswith(LEAKY)
    assert "conformsTo" not in new  # an address of RAI alone would say that the document is no Croissant


def test_every_verdict_says_what_not_to_conclude_and_a_folder_says_it_of_each(leaks):
    results = [msgspec.structs.replace(leaks, verdict=verdict, name=verdict.lower()) for verdict in VERDICTS]
    scan = ScanResult(schema=leaks.schema, source="x", results=results, failures=[])
    limits = made(PLAIN, scan)["rai:dataLimitations"]
    assert limits == [f"{verdict.lower()}: {rule_of(verdict).limit}" for verdict in VERDICTS]
    assert all(limit.endswith(".") and "  " not in limit for limit in limits)
    assert len(made(PLAIN, scan)["rai:dataBiases"]) == len(VERDICTS)


def test_names_of_strangers_stay_on_one_visible_line(leaks):
    poison = msgspec.structs.replace(leaks, name="\x1b[31m\ud800\nx" * 500)
    said = made(PLAIN, poison)["rai:dataBiases"]
    assert said.isprintable()
    assert len(said) <= 2000


@pytest.mark.parametrize("document", [FROZEN, PLAIN], ids=["of a release", "without responsible AI"])
def test_mlcroissant_validates_the_copy_and_finds_what_was_measured(document, leaks, tmp_path):
    (tmp_path / "new.json").write_bytes(annotated(document, leaks))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own dependencies warn on import
        mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
        metadata = mlcroissant.Dataset(str(tmp_path / "new.json")).metadata
    assert not metadata.issues.errors
    assert metadata.data_biases[-1].startswith(LEAKY)
    assert metadata.data_limitations[-1].startswith("space_nli: ")
    assert RAI in metadata.conforms_to


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "is blank"),
        (b'{"a"', "broken JSON at character 5"),
        (b"[1]", "no object with the @type of a Dataset at its top"),
        (b'{"@type": "sc:Person"}', "no object with the @type of a Dataset at its top"),
        (b'{"@graph": [{"@type": "sc:Dataset"}]}', "no object with the @type of a Dataset at its top"),
        (b'{"@type": "Dataset", "@type": "Dataset"}', "occurs twice"),
        (b'{"@type": "Dataset", "a": NaN}', "is not a JSON number"),
        (b'{"@type": "Dataset", "a": 1e999}', "Out of range float values"),
        (b'{"@type": "Dataset", "a": ' + b"[" * 960 + b"]" * 960 + b"}", "nested too deeply"),
        (b"[" * 100_000, "nested too deeply"),
        (b"\xff", "is not UTF-8"),
    ],
)
def test_what_is_no_description_of_a_dataset_is_refused(text, why, tmp_path):
    (tmp_path / "c.json").write_bytes(text)
    with pytest.raises(InputError, match=r"c\.json: is no Croissant file: ") as raised:
        read_croissant(str(tmp_path / "c.json"))
    assert why in str(raised.value)


def test_the_command_refuses_before_it_audits_and_never_writes_over_the_original(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bench.jsonl").write_bytes(read_bytes(RELEASE / "unigram.jsonl.gz"))
    Path("mine.json").write_text(json.dumps(PLAIN), "utf-8")
    Path("bad.json").write_text("{}", "utf-8")

    def audit(*words):
        return CliRunner().invoke(command_line(), ["audit", "bench.jsonl", "--quiet", "--fast", "--croissant", *words])

    for words, why in (
        (("bad.json", "new.json"), "bad.json: is no Croissant file"),
        (("mine.json", "mine.json", "--force"), "mine.json: is an input of this command"),
        (("mine.json", "bad.json"), "bad.json: exists; pass --force"),
        (("mine.json",), "requires 2 arguments"),
    ):
        done = audit(*words)
        assert done.exit_code == 2
        assert why in done.stderr + str(done.exception)
    assert not Path("new.json").exists()
    assert audit("mine.json", "new.json").exit_code == 1
    assert json.loads(Path("new.json").read_bytes())["rai:dataBiases"].startswith("bench (600 items, SHA-256 ")
    assert json.loads(Path("mine.json").read_bytes()) == PLAIN
