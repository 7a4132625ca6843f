"""What the card says in numbers is what is measured on the items of the release."""

import re
from pathlib import Path

import pytest

from hansproof.audit.models.blind import attempt
from hansproof.generators.answering.scorer import ANSWER
from hansproof.generators.knights_knaves.dataset import DATASET
from hansproof.generators.registry import prose
from hansproof.release.manifest import MANIFEST, decode

FROZEN = Path(__file__).resolve().parents[3] / "datasets" / "knights-knaves" / "2.0.0"
CARD = prose("knights-knaves")
SIZES = (3, 4, 5, 6)


def row(name):
    """Number of characters -> per cent, from the table of blind strategies by size; a dash is left out."""
    cells = re.search(rf"^\| `?{name}`? \|(.*)\|$", CARD.details, re.MULTILINE)[1].split("|")
    return {n: float(cell) for n, cell in zip(SIZES, cells, strict=True) if cell.strip() != "–"}


@pytest.mark.slow
@pytest.mark.parametrize("subset", ["set-S", "set-I", "set-E", "balanced"])
def test_the_best_blind_strategy_of_each_size_is_on_the_card(subset):
    items = [DATASET.item(subset, DATASET.seed, index) for index in range(DATASET.subsets[subset].rows)]
    attempts = attempt(items, DATASET.scorer)
    best = {}
    for n in sorted({item.metadata["n"] for item in items}):
        places = [place for place, item in enumerate(items) if item.metadata["n"] == n]
        shares = [result.share.share for result in attempts.results(places) if result.part == ANSWER]
        best[n] = round(100 * max(shares), 1)
    assert row(subset) == pytest.approx(best, abs=0.051)
    assert row("chance") == pytest.approx({n: 100 * 0.5**n for n in SIZES}, abs=0.051)


def test_nobody_tells_the_truth_as_often_as_the_card_says():
    items = [DATASET.item("set-S", DATASET.seed, index) for index in range(DATASET.subsets["set-S"].rows)]
    shares = {}
    for n in SIZES:
        here = [item.metadata["knights"] for item in items if item.metadata["n"] == n]
        shares[n] = round(100 * here.count(0) / len(here), 1)
    assert shares == {3: 44.3, 4: 18.5, 5: 16.5, 6: 10.0}
    told = " ".join(CARD.details.split())
    assert "44 % of the puzzles of set S" in told
    assert "with four in 18.5 %, five 16.5 %, six 10 %" in told


def test_the_ladder_has_as_many_puzzles_as_the_card_says():
    assert f"`ladder` has {DATASET.subsets['ladder'].rows:,} puzzles" in CARD.details


@pytest.mark.skipif(not FROZEN.is_dir(), reason="version 2.0.0 is not frozen yet")
def test_the_first_screen_has_the_best_shares_of_the_manifest():
    manifest = decode((FROZEN / MANIFEST).read_bytes(), MANIFEST)
    best = {
        (entry.name, part): 100 * max(known.share for known in entry.blind if known.part == part)
        for entry in manifest.subsets
        for part in (ANSWER, "characters")
        if any(known.part == part for known in entry.blind)
    }
    told = " ".join(CARD.description.split())
    assert f"gets {best['balanced', ANSWER]:.1f} % of the puzzles" in told
    assert (
        "sets S, I and E it gets {:.0f}, {:.0f} and {:.0f} %".format(
            *(best[f"set-{letter}", ANSWER] for letter in "SIE")
        )
        in told
    )
    assert f"`number` {best['number', ANSWER]:.0f} %" in told
    assert f"`memorisation` {best['memorisation', ANSWER]:.1f} %" in told
    assert f"`ladder` {best['ladder', ANSWER]:.1f} %" in told
    assert f"{best['ladder', 'characters']:.0f} % of the characters; in `logicians`" in told
    assert f"`logicians` {best['logicians', ANSWER]:.0f} %" in told
