"""The frozen set: the bytes in datasets/ are the pinned ones, and the manifest says what they hold."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from hansproof.generators.jsonl import read
from hansproof.generators.planted_cues.dataset import FIRST
from hansproof.generators.planted_cues.subsets import SUBSETS
from hansproof.release.manifest import decode

FOLDER = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "1.0.0"
DIGESTS = {
    "none": "2f9cd25c71c42abe4e9455208973d40f252f21359e50595265f97fcb4eca8408",
    "unigram": "c5ee5ef7360f556861c8d5268efa473929001f31dcb7e9d36fb5a8448cc00208",
    "bigram": "ae196fca30508f00e7d330d03284c2412924bc1953820b6ddfd2bc9bddac3fae",
    "length": "d681f2159292147c4a1361fc4669f078c4083784c4ec9fc7921cec50e351b60c",
    "readability": "2886b7846f90c6624811e544ffb1b48faf5859d36e175bd429f472f3bed40bf4",
    "template-only": "5f3a27cb9bd7b1cf88fa8ba75c98d5156be05dbbb64f87cb994535b7fcb8c104",
    "imbalance": "d0e11422e248fc4c5841868bb35d69c5dfcb3e6877c19456d1a3ea6a506a64d4",
}


def test_the_published_files_are_the_pinned_ones():
    assert {name: sha256((FOLDER / f"{name}.jsonl").read_bytes()).hexdigest() for name in FIRST.subsets} == DIGESTS


def test_every_published_file_has_its_checksum():
    listed = dict(line.split("  ")[::-1] for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    there = {path.name for path in FOLDER.iterdir()} - {"SHA256SUMS"}
    assert set(listed) == there == {"manifest.json", "croissant.json", *(f"{name}.jsonl" for name in FIRST.subsets)}
    assert {name: sha256((FOLDER / name).read_bytes()).hexdigest() for name in there} == listed
    assert sum((FOLDER / name).stat().st_size for name in there) < 3_000_000


def test_the_manifest_says_what_the_files_hold():
    manifest = decode((FOLDER / "manifest.json").read_bytes(), "manifest.json")
    assert (manifest.licence.data, manifest.canary, manifest.seed) == ("CC-BY-4.0", FIRST.canary, 1)
    assert [entry.name for entry in manifest.subsets] == list(FIRST.subsets)
    for entry in manifest.subsets:
        rows = read(FOLDER / entry.file)
        assert entry.rows == len(rows) == 600
        assert entry.bytes == (FOLDER / entry.file).stat().st_size
        assert entry.sha256 == DIGESTS[entry.name]
        noes = 450 if entry.name == "imbalance" else 300
        assert (
            entry.answers
            == {"no": noes, "yes": 600 - noes}
            == {"no": sum(row.answer == "no" for row in rows), "yes": sum(row.answer == "yes" for row in rows)}
        )
        assert entry.groups == (100 if entry.name == "template-only" else 600)
        assert {row.metadata["canary"] for row in rows} == {FIRST.canary}
        assert {row.metadata["strength"] for row in rows} == {SUBSETS[entry.name].strength}


def test_the_audit_found_each_planted_cue_and_nothing_where_there_is_none():
    manifest = decode((FOLDER / "manifest.json").read_bytes(), "manifest.json")
    leaking = ("unigram", "bigram", "length", "readability")
    expected = {"none": "CLEAN", **dict.fromkeys(leaking, "LEAKS")}
    expected |= {"template-only": "TEMPLATE-BOUND", "imbalance": "IMBALANCED"}
    assert {entry.name: entry.audit.verdict for entry in manifest.subsets} == expected


def test_the_canary_is_a_digest_of_name_and_version_and_looks_like_a_guid():
    assert FIRST.canary == "300e269e-859f-4c90-7283-af94a0e50fb5"
