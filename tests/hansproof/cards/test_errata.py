"""Cards of releases that later turned out to have faults say so; errata and recipes apart, they stay as they were."""

from hashlib import sha256
from pathlib import Path

import pytest

CARDS = Path(__file__).resolve().parents[3] / "cards"
UNTIL_THE_ERRATA = {
    "knights-knaves-1.0.0": "b41a40b408a7bfdb6efc780a7482d9b583ae05e594c616afc3885b3efc7eedc7",
    "word-problems-1.0.0": "83dc73894474f281da21cf7d229bce28cafb328530ec7e35ac064d0c44cc16fc",
}
"""Digests of the cards as they were frozen, with recipes that run, up to the heading of the last section."""


@pytest.mark.parametrize(("stem", "digest"), UNTIL_THE_ERRATA.items())
def test_a_card_with_errata_is_the_frozen_card_and_the_errata(stem, digest):
    frozen, errata = (CARDS / f"{stem}.md").read_text("utf-8").split("\n## Errata\n")
    assert sha256(frozen.encode()).hexdigest() == digest
    assert errata.strip() == (CARDS / f"{stem}.errata.md").read_text("utf-8").strip()
    assert errata.count("\n- **") >= 7


def test_no_other_card_has_errata():
    assert {path.name for path in CARDS.glob("*.errata.md")} == {f"{stem}.errata.md" for stem in UNTIL_THE_ERRATA}
    others = [path for path in CARDS.glob("*.md") if "errata" not in path.name and path.stem not in UNTIL_THE_ERRATA]
    assert len(others) >= 4
    assert all(path.read_text("utf-8").endswith("## Errata\n\nNone so far.\n") for path in others)
