"""The card: written by the command, read back by the Hub's own reader, hostile text kept from acting."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from generators.registry import MODULES, dataset
from hansproof.cards.card import card, heat_map
from hansproof.release.manifest import decode

ROOT = Path(__file__).resolve().parents[3]
FROZEN = [
    (name, folder.name)
    for name in MODULES
    for folder in sorted((ROOT / "datasets" / name).glob("*"))
    if folder.name == dataset(name).version
]


def manifest(name="planted-cues", version="1.0.0"):
    path = ROOT / "datasets" / name / version / "manifest.json"
    return decode(path.read_bytes(), str(path))


PLANTED = dataset("planted-cues")


@pytest.mark.parametrize(("name", "version"), FROZEN)
def test_every_card_is_what_the_command_writes_from_manifest_and_dataset(name, version):
    stem = ROOT / "cards" / f"{name}-{version}"
    noted = stem.with_name(f"{stem.name}.errata.md")
    errata = noted.read_text("utf-8") if noted.exists() else ""
    made = manifest(name, version)
    assert (stem.with_name(f"{stem.name}.md")).read_text("utf-8") == card(made, dataset(name), errata)
    assert (stem.with_name(f"{stem.name}.svg")).read_text("utf-8") == heat_map(made)


def test_the_hubs_reader_finds_every_subset_and_the_licence():
    from huggingface_hub import DatasetCard

    read = DatasetCard(card(manifest(), PLANTED))
    assert read.data.license == "cc-by-4.0"
    assert read.data.language == ["en"]
    assert read.data.size_categories == ["1K<n<10K"]
    assert read.data.pretty_name == "Planted cues"
    assert read.data.task_categories == ["text-classification"]
    assert [(one["config_name"], one["data_files"]) for one in read.data.to_dict()["configs"]] == [
        (name, [{"split": "test", "path": f"{name}.jsonl"}]) for name in PLANTED.subsets
    ]


def test_the_card_as_readme_makes_the_folder_a_dataset_of_the_hub(tmp_path):
    from datasets import load_dataset

    folder = tmp_path / "release"
    shutil.copytree(ROOT / "datasets" / "planted-cues" / "1.0.0", folder)
    (folder / "README.md").write_text(card(manifest(), PLANTED), "utf-8")
    rows = load_dataset(str(folder), "imbalance", split="test", cache_dir=str(tmp_path / "cache"))
    assert len(rows) == 600
    assert rows[0]["id"] == "planted-cues/1.0.0/imbalance/000000"
    assert rows["answer"][:].count("no") == 450


def test_the_body_has_every_section_and_the_numbers_of_the_manifest():
    text = card(manifest(), PLANTED)
    sections = [
        "How it was made",
        "Fields",
        "Audit: can the answers be had from the surface?",
        "Known shortcuts",
        "Baselines",
        "What it is for",
        "What it is not for",
        "Licence",
        "Citation",
        "Changelog",
        "Errata",
    ]
    places = [text.index(f"\n## {section}\n") for section in sections]
    assert places == sorted(places)
    for entry in manifest().subsets:
        headline = entry.audit.schemes[0].vectors[entry.audit.schemes[0].headline]
        shown = f"{headline.cohen:.2f} [{headline.cohen_low:.2f}, {headline.cohen_high:.2f}]"
        row = next(line for line in text.splitlines() if line.startswith(f"| `{entry.name}` | **"))
        # Kappas are written without the nought before the point; a rounded zero has no sign.
        assert shown.replace("-0.00", "0.00").replace("0.", ".") in row
        assert f"`{entry.name}`: **{entry.audit.verdict}**: {entry.audit.reason}" in text
    for field in PLANTED.fields:
        assert f"| `metadata.{field}` |" in text
    assert "| `imbalance` | 50.0 % | 75.0 % |" in text
    assert manifest().canary in text


def test_a_date_and_errata_are_shown_only_where_they_are_given():
    made = msgspec.structs.replace(manifest(), date=None)
    assert "released" not in card(made, PLANTED).split("## How")[0]
    dated = card(msgspec.structs.replace(made, date="2026-12-01"), PLANTED, "- Item 7.\n")
    assert "CC-BY-4.0; released 2026-12-01." in dated
    assert "- 1.0.0 (2026-12-01): frozen." in dated
    assert dated.endswith("## Errata\n\n- Item 7.\n")


def test_text_that_would_break_table_or_front_matter_does_not():
    from huggingface_hub import DatasetCard

    odd = 'a "b": | <script>\n---\nc'
    made = msgspec.structs.replace(manifest(), title=odd)
    subsets = {name: replace(one, description=odd) for name, one in PLANTED.subsets.items()}
    text = card(made, replace(PLANTED, subsets=subsets))
    read = DatasetCard(text)
    assert read.data.pretty_name == odd
    assert '| a "b": \\| &lt;script> --- c |' in text
    ElementTree.fromstring(heat_map(made))


def test_the_heat_map_shows_every_kappa_and_marks_what_validation_chose():
    text = heat_map(manifest())
    root = ElementTree.fromstring(text)
    name = "{http://www.w3.org/2000/svg}"
    shown = [one.text for one in root.iter(f"{name}text")]
    assert sum(one.get("text-anchor") == "middle" for one in root.iter(f"{name}text")) == 7 * 13
    assert sum(one.get("class") == "frame" for one in root.iter(f"{name}rect")) == 7
    assert {"unigram", "TEMPLATE-BOUND", "word 1-2-grams, TF-IDF"} <= set(shown)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_open_answers_have_no_heat_map_and_the_card_says_so():
    made = manifest()
    open_ = [
        msgspec.structs.replace(one, answers=None, audit=msgspec.structs.replace(
            one.audit, verdict="NOT ASSESSED", reason="open.", schemes=[]))
        for one in made.subsets
    ]  # fmt: skip
    made = msgspec.structs.replace(made, subsets=open_, audit_settings=None)
    assert "No subset could be audited" in heat_map(made)
    text = card(made, PLANTED)
    assert "that says nothing for or against them" in text
    assert ".svg)" not in text
    assert "| `none` | – | – |" in text


def test_shortcuts_are_a_table_beside_the_announced_leaks_and_text_in_them_does_not_act():
    made = manifest()
    values = {"alone": 0.25, "a|b": None}
    subsets = [msgspec.structs.replace(one, shortcuts=values if one.name == "none" else {}) for one in made.subsets]
    dataset_ = replace(PLANTED, shortcut_fields={"alone": "one | <two>"})
    text = card(msgspec.structs.replace(made, subsets=subsets), dataset_)
    section = text.split("\n## Known shortcuts\n")[1].split("\n## ")[0]
    assert "- `imbalance`: planted: " in section
    assert "| Subset | `alone` | `a\\|b` |\n|---|---:|---:|\n| `none` | .25 | – |\n| `unigram` | – | – |\n" in section
    assert section.endswith("- `alone`: one \\| &lt;two>\n- `a\\|b`\n")
    assert "None known." not in section


def test_only_subsets_with_a_contrast_are_shown_as_pairs():
    assert "matched pair" not in card(manifest(), PLANTED)
    subsets = {**PLANTED.subsets, "bigram": replace(PLANTED.subsets["bigram"], contrast=("plain", "odd"))}
    text = card(manifest(), replace(PLANTED, subsets=subsets))
    assert "| Subset | Easy | Hard |\n|---|---|---|\n| `bigram` | plain | odd |\n\n## How it was made\n" in text
