"""Cards of releases that later turned out to have faults say so; apart from the errata they stay as they were."""

from hashlib import sha256
from pathlib import Path

import pytest

CARDS = Path(__file__).resolve().parents[3] / "cards"
UNTIL_THE_ERRATA = {
    "knights-knaves-1.0.0": "1b36758e9fb5851226bf8ef4c7eeebb25ed2cda89015372288baa8f427245cac",
    "word-problems-1.0.0": "9343d7c073f3a7ee05605ca2a4c6ad6efd493149f7c8e46a09164c2fcbe44b53",
}
"""Digests of the cards as they were frozen, up to the heading of the last section."""


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
