"""What the card says in numbers is what is measured on the items of the release."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from hansproof.audit.models.blind import attempt
from hansproof.generators.answering.scorer import ANSWER
from hansproof.generators.knights_knaves.dataset import DATASET
from hansproof.generators.knights_knaves.sets import linear
from hansproof.generators.registry import prose

CARD = prose("knights-knaves")
DETAILS = " ".join(CARD.details.split())
COLUMNS = ("set-S", "set-I", "set-E", "character", "number", "solutions", "balanced", "ladder", "memorisation")
KINDS = (
    "self", "accusation", "conjunction", "implication", "equivalence", "exclusive", "nested", "parity", "alternative",
)  # fmt: skip


@cache
def released(subset):
    return [DATASET.item(subset, DATASET.seed, index) for index in range(DATASET.subsets[subset].rows)]


def row(pattern):
    """The numbers of the row of a table that begins so; a dash is left out."""
    cells = re.search(rf"^\| [^|]*{pattern}[^|]* \|(.*)\|$", CARD.details, re.MULTILINE)[1].split("|")
    return {name: float(cell) for name, cell in zip(COLUMNS, cells, strict=True) if cell.strip() != "–"}


@pytest.mark.slow
def test_the_card_names_every_kind_of_statement_with_its_share():
    shares = {}
    for name in COLUMNS:
        counts = Counter(kind for item in released(name) for kind in item.metadata["kinds"])
        assert set(counts) <= set(KINDS)
        for kind, count in counts.items():
            shares.setdefault(kind, {})[name] = 100 * count / counts.total()
    for kind in KINDS:
        assert row(f"`{kind}`") == pytest.approx(shares[kind], abs=0.501)
    lines = {name: 100 * sum(linear(item.metadata["kinds"]) for item in released(name)) for name in COLUMNS}
    wanted = {name: lines[name] / len(released(name)) for name in COLUMNS}
    assert row("linear puzzles") == pytest.approx(wanted, abs=0.051)


def test_nobody_tells_the_truth_as_often_as_the_card_says():
    shares = []
    for n in (3, 4, 5, 6):
        here = [item.metadata["solutions"][0] for item in released("set-S") if item.metadata["n"] == n]
        shares.append(100 * sum("K" not in world for world in here) / len(here))
    told = "nobody tells the truth in {:.1f} % of the puzzles of set S, with four in {:.1f}, five {:.1f}, six {:.1f} %"
    assert told.format(*shares) in DETAILS


def test_sizes_are_those_of_the_card():
    assert "42 and 142" in DETAILS
    sizes = Counter(item.metadata["n"] for item in released("set-S"))
    assert sizes == {3: 3 * 42, 4: 600, 5: 600, 6: 600}
    assert "8 sizes, three rungs, 64 puzzles" in DETAILS
    assert DATASET.subsets["ladder"].rows == 8 * 3 * 64


def test_the_description_is_short():
    assert len(CARD.description.split()) <= 250


@pytest.mark.slow
@pytest.mark.parametrize("subset", ["set-S", "set-I", "set-E"])
def test_blind_strategies_beat_chance_in_the_sets_of_the_paper(subset):
    results = attempt(released(subset), DATASET.scorer).results(range(len(released(subset))))
    chance = sum(0.5 ** item.metadata["n"] for item in released(subset)) / len(released(subset))
    assert max(result.share.share for result in results if result.part == ANSWER) > 2 * chance


def test_the_table_of_conflicts_has_the_levels_of_the_benchmark():
    path = Path(__file__).resolve().parents[3] / "benchmarks" / "knights_knaves" / "ladder.py"
    assert "(10, 15, 20, 30, 40, 60, 80, 100)" in path.read_text()
    table = {cells[0].strip(): cells[1:] for line in CARD.details.split("\n")
             if re.match(r"\| `(chain|half|whole)`", line) and (cells := line.strip("|").split("|"))}  # fmt: skip
    assert [len(cells) for cells in table.values()] == [8] * 3
    assert table["`whole`"][-1].strip() in DATASET.subsets["ladder"].knob.shown
