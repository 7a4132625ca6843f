"""The recipes of every shipped card run as they stand there: on packed files, on a download, on a fresh release."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import datasets
import pytest
from datasets import get_dataset_config_names

from hansproof.fetch.download import download
from hansproof.generators.jsonl import PACKED, read
from hansproof.release.release import AuditOptions, release

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = sorted(path.parent for path in ROOT.glob("datasets/*/*/manifest.json"))
BLOCK = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder to work in, without a network and with a cache of its own."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def as_the_repository(folder, place):
    """The files as they are kept here: large releases are packed."""
    shutil.copytree(folder, place / "datasets" / folder.parent.name / folder.name)


def as_a_download(folder, place):
    """What `hansproof download` leaves: no file is packed."""
    download(f"{folder.parent.name}@{folder.name}", source=ROOT / "datasets", cache=place / "kept", to="datasets")


def run(card, word, values):
    """Run the block of the card that has `word` in it: Python here, all else in a shell that stops at the first fault.

    `hansproof verify` has tests of its own, and makes every line again, which takes minutes.
    """
    [(language, text)] = [(language, text) for _, language, text in BLOCK.findall(card) if word in text]
    if language == "python":
        exec(text, values)
        return ""
    lines = [line for line in text.splitlines() if not line.startswith("hansproof verify ")]
    return subprocess.run(
        ["bash", "-e", "-c", "\n".join(lines)], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
    ).stdout


@pytest.mark.slow
@pytest.mark.parametrize("prepared", [as_the_repository, as_a_download])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name} {folder.name}")
def test_every_recipe_to_load_and_to_check_runs_as_it_stands_on_the_card(folder, prepared, place):
    stem = f"{folder.parent.name}-{folder.name}"
    (place / "cards").mkdir()
    shutil.copy(ROOT / "cards" / f"{stem}.md", "cards")
    prepared(folder, place)
    card = Path("cards", f"{stem}.md").read_text("utf-8")
    subsets = json.loads((folder / "manifest.json").read_bytes())["subsets"]
    values = {}
    run(card, "gunzip -r", values)
    run(card, "load_dataset(", values)
    assert len(values["items"]) == subsets[0]["rows"]
    assert values["items"][0]["id"] == f"{folder.parent.name}/{folder.name}/{subsets[0]['name']}/000000"
    checked = run(card, "sha256sum -c", values).splitlines()
    listed = (folder / "SHA256SUMS").read_text().splitlines()
    assert checked == [f"{line.split('  ')[1]}: OK" for line in listed]
    assert f"\nhansproof verify datasets/{folder.parent.name}/{folder.name}\n" in card
    # Front matter and Croissant file name the files of the unpacked copy, which has each once.
    assert get_dataset_config_names(f"./{stem}") == [subset["name"] for subset in subsets]
    assert re.findall(r'^    path: "(.*)"$', card, re.MULTILINE) == [subset["file"] for subset in subsets]
    described = json.loads(Path(stem, "croissant.json").read_bytes())["distribution"]
    assert [hashlib.sha256(Path(stem, file["contentUrl"]).read_bytes()).hexdigest() for file in described] == [
        file["sha256"] for file in described
    ]
    assert not list(Path(stem).glob(f"*{PACKED}"))


def test_both_forms_are_among_the_shipped_releases():
    assert {any(folder.glob(f"*{PACKED}")) for folder in FOLDERS} == {True, False}


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
def test_what_release_writes_has_a_card_whose_recipes_run(packed, tiny, place):
    made = release("tiny", "1.0.0", audits=AuditOptions(299, 2, 1), packed=packed)
    assert made.refused == []
    assert any(made.folder.glob(f"*{PACKED}")) is packed
    card, values = made.written[0].read_text("utf-8"), {}
    run(card, "gunzip -r", values)
    run(card, "load_dataset(", values)
    assert [item["id"] for item in values["items"]] == [item.id for item in read(made.folder / "sums.jsonl")]
    assert "sums.jsonl: OK\n" in run(card, "sha256sum -c", values)
