"""The figure of every shipped card shows the numbers of its manifest and its table, read back from the SVG."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hansproof.audit import notation
from hansproof.audit.report.drawing import shade

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = sorted(path.parent for path in ROOT.glob("datasets/*/*/manifest.json"))
SVG = "{http://www.w3.org/2000/svg}"
KAPPA = "Cohen's kappa of predictions that give each answer as often as it occurs"


def stem(folder):
    return f"{folder.parent.name}-{folder.name}"


def names(folder):
    return f"{folder.parent.name} {folder.name}"


def drawn(svg):
    """Rows from top to bottom: name, (vector, kappa, shade, framed) from left to right, verdict."""
    texts = list(svg.iter(f"{SVG}text"))
    vectors = [text.text for text in texts if text.get("transform")]
    framed = {(box.get("x"), box.get("y")) for box in svg.iter(f"{SVG}rect") if box.get("class") == "frame"}
    boxes = [box for box in svg.iter(f"{SVG}rect") if re.fullmatch("h.", box.get("class"))]
    rows = []
    for title in (text for text in texts if text.get("text-anchor") == "end"):
        beside = [text for text in texts if text.get("y") == title.get("y") and text is not title]
        *cells, verdict = sorted(beside, key=lambda text: float(text.get("x")))
        own = sorted((box for box in boxes if float(title.get("y")) - 17 == float(box.get("y"))),
                     key=lambda box: float(box.get("x")))  # fmt: skip
        frames = [(f"{float(box.get('x')) + 1:g}", f"{float(box.get('y')) + 1:g}") in framed for box in own]
        shades = [box.get("class") for box in own]
        rows.append((title.text, list(zip(vectors, [cell.text for cell in cells], shades, frames, strict=True)),
                     verdict.text))  # fmt: skip
    return rows


def expected(manifest):
    """The same rows, from the bytes of the manifest."""
    rows = []
    for entry in manifest["subsets"]:
        for scheme in entry["audit"]["schemes"][:1]:
            cells = [
                (
                    vector["label"],
                    notation.kappa(vector["matched"]),
                    shade(vector["matched"]),
                    name == scheme["headline"],
                )
                for name, vector in scheme["vectors"].items()
            ]
            rows.append((entry["name"], cells, entry["audit"]["verdict"]))
    return rows


@pytest.mark.parametrize("folder", FOLDERS, ids=names)
def test_every_cell_and_verdict_is_the_manifests_and_the_figure_says_which_kappa_it_draws(folder):
    manifest = json.loads((folder / "manifest.json").read_bytes())
    svg = ElementTree.parse(ROOT / "cards" / f"{stem(folder)}.svg").getroot()
    rows = drawn(svg)
    assert rows == expected(manifest)
    assert sum(len(cells) for _, cells, _ in rows) >= 2 * 13
    assert svg.find(f"{SVG}title").text == f"{manifest['title']} {manifest['version']}: {KAPPA}"
    foot = [text.text for text in svg.iter(f"{SVG}text")][-2:]
    assert foot == [f"{KAPPA}; grouped folds.", "Framed: the feature vector chosen by validation."]


@pytest.mark.parametrize("folder", FOLDERS, ids=names)
def test_the_framed_and_the_largest_cell_of_a_row_are_the_headline_and_the_strongest_of_the_table(folder):
    table = (folder / "DETAILS.md").read_text("utf-8").split("| Headline |")[1].split("\n\n")[0]
    cards = {}
    for line in table.splitlines()[2:]:
        name, verdict, headline, grouped, _, _, strongest, _ = [cell.strip() for cell in line.strip("|").split(" | ")]
        cards[name.split("`")[1]] = (
            verdict.split("**")[1], headline, grouped.partition(" ")[0], strongest.rpartition(" ")[2],
        )  # fmt: skip
    figures = {}
    for name, cells, verdict in drawn(ElementTree.parse(ROOT / "cards" / f"{stem(folder)}.svg").getroot()):
        [(vector, kappa)] = [(vector, kappa) for vector, kappa, _, framed in cells if framed]
        figures[name] = (verdict, vector, kappa, max((kappa for _, kappa, _, _ in cells), key=float))
    assert figures == cards


def test_the_rare_answer_has_a_cue_in_the_figure_too():
    # Of the most probable answers, kappa is .12: a rare answer is hardly ever the most probable one.
    svg = ElementTree.parse(ROOT / "cards" / "planted-cues-2.0.0.svg").getroot()
    [(cells, verdict)] = [(cells, verdict) for name, cells, verdict in drawn(svg) if name == "rare-answer"]
    assert [kappa for _, kappa, _, framed in cells if framed] == [".33"]
    assert verdict == "LEAKS"
