"""The frozen set: the bytes in datasets/ are the pinned ones, and the generator makes them again."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from generators.errors import InputError
from generators.jsonl import read
from generators.planted_cues.benchmark import CANARY, SUBSETS
from generators.planted_cues.frozen import ROWS, _main, build

FOLDER = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "1.0.0"
SUMS = "2cdfb3f1aa3ed0c24c682addfaded311c976f627138636d3fe8429b0507da678"


def test_the_published_checksums_are_the_pinned_ones():
    assert sha256((FOLDER / "SHA256SUMS").read_bytes()).hexdigest() == SUMS


def test_every_published_file_has_its_checksum():
    listed = dict(line.split("  ")[::-1] for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    there = {path.name for path in FOLDER.iterdir()} - {"SHA256SUMS"}
    assert set(listed) == there == {"manifest.json", *(f"{name}.jsonl" for name in SUBSETS)}
    assert {name: sha256((FOLDER / name).read_bytes()).hexdigest() for name in there} == listed
    assert sum((FOLDER / name).stat().st_size for name in there) < 3_000_000


def test_building_makes_the_published_bytes_again_and_only_once(tmp_path):
    written = build(tmp_path / "new")
    assert {path.name: path.read_bytes() for path in written} == {
        path.name: path.read_bytes() for path in FOLDER.iterdir()
    }
    with pytest.raises(InputError, match=r"new: holds none\.jsonl, .* already; name an empty folder"):
        build(tmp_path / "new")


def test_the_manifest_says_what_the_files_hold():
    manifest = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
    assert (manifest["licence"], manifest["canary"]) == ("CC-BY-4.0", CANARY)
    assert [entry["name"] for entry in manifest["subsets"]] == list(SUBSETS)
    for entry in manifest["subsets"]:
        path = FOLDER / entry["file"]
        rows = read(path)
        assert entry["rows"] == len(rows) == ROWS
        assert entry["bytes"] == path.stat().st_size
        assert entry["sha256"] == sha256(path.read_bytes()).hexdigest()
        assert entry["groups"] == len({row.group for row in rows})
        assert entry["majority_share"] == sum(row.answer == "no" for row in rows) / ROWS
        assert {row.metadata["canary"] for row in rows} == {CANARY}
        assert {row.metadata["strength"] for row in rows} == {entry["strength"]}


def test_the_canary_is_a_digest_of_name_and_version_and_looks_like_a_guid():
    assert CANARY == "300e269e-859f-4c90-7283-af94a0e50fb5"


def test_the_command_says_how_it_is_used(capsys, tmp_path):
    assert _main([]) == 2
    assert "usage: python -m generators.planted_cues.frozen FOLDER" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert _main([str(tmp_path / "file")]) == 2
    assert "error: " in capsys.readouterr().err
