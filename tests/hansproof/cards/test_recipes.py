"""The recipes of every card run as they stand there: in the repository, on a download, on a fresh release."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import warnings
from pathlib import Path

import datasets
import pytest
from datasets import get_dataset_config_names, load_dataset

from hansproof.fetch.download import download
from hansproof.fetch.index import Index, dump, index_entry
from hansproof.generators.jsonl import read
from hansproof.generators.registry import MODULES, dataset
from hansproof.release.release import AuditOptions, release

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = [folder for name in MODULES if (folder := ROOT / "datasets" / name / dataset(name).version).is_dir()]
BLOCK = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder to work in, without a network and with a cache of its own."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def block(text, word):
    """The block of a card that has `word` in it."""
    [code] = [code for _, _, code in BLOCK.findall(text) if word in code]
    return code


def loaded(card):
    """What each line of the first block gives: from the file, and by the name of a folder with a README."""
    values, tables = {}, []
    for line in block(card, "load_dataset(").splitlines():
        exec(line, values)
        tables += [values["items"]] if line.startswith("items") else []
    return tables


def as_the_repository(folder, place):
    shutil.copytree(folder, place / "datasets" / folder.parent.name / folder.name)


def as_a_download(folder, place):
    (place / "index.json").write_bytes(dump(Index((index_entry(folder),))))
    name = f"{folder.parent.name}@{folder.name}"
    download(name, source=folder, cache=place / "kept", to="datasets", index=place / "index.json")


def check(folder, card):
    """Every recipe for the release in `datasets/NAME/VERSION` of the current folder."""
    stem = f"{folder.parent.name}-{folder.name}"
    shutil.copytree(folder, stem)
    Path(stem, "README.md").write_text(card, "utf-8")
    subsets = json.loads((folder / "manifest.json").read_bytes())["subsets"]
    ids = [item.id for item in read(folder / subsets[0]["file"])]
    assert [table["id"][:] for table in loaded(card)] == [ids, ids]
    assert get_dataset_config_names(stem) == [subset["name"] for subset in subsets]
    last = subsets[-1]
    assert len(load_dataset(stem, last["name"], split="test")) == last["rows"]
    # `hansproof verify` has tests of its own, and makes every line again, which takes minutes.
    made = block((folder / "DETAILS.md").read_text("utf-8"), "sha256sum -c").splitlines()[-1]
    done = subprocess.run(["bash", "-e", "-c", made], capture_output=True, text=True, check=True)
    listed = (folder / "SHA256SUMS").read_text().splitlines()
    assert done.stdout.splitlines() == [f"{line.split('  ')[1]}: OK" for line in listed]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own dependencies warn on import
        mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
        described = mlcroissant.Dataset(str(folder / "croissant.json"))
        row = next(iter(described.records(last["name"])))
    assert described.metadata.issues.errors == set()
    assert row[f"{last['name']}/id"].decode() == f"{folder.parent.name}/{folder.name}/{last['name']}/000000"


@pytest.mark.slow
@pytest.mark.parametrize("prepared", [as_the_repository, as_a_download])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name} {folder.name}")
def test_every_recipe_of_a_shipped_card_runs_as_it_stands(folder, prepared, place):
    card = (ROOT / "cards" / f"{folder.parent.name}-{folder.name}.md").read_text("utf-8")
    prepared(folder, place)
    check(Path("datasets", folder.parent.name, folder.name), card)


def test_what_release_writes_has_a_short_card_whose_recipes_run(tiny, place):
    made = release("tiny", "1.0.0", audits=AuditOptions(299, 2, 1))
    assert made.refused == []
    card = made.written[0].read_text("utf-8")
    assert len(card.split()) <= 1_500
    check(made.folder, card)
