"""Release 1.0.0, whose puzzles this code no longer makes: its bytes are pinned, and its golds still hold."""

from hashlib import sha256
from pathlib import Path

import pytest

from hansproof.generators.answering.scorer import Reading
from hansproof.generators.jsonl import plain, read, read_bytes
from hansproof.generators.knights_knaves.checking import check
from hansproof.generators.knights_knaves.dataset import DATASET

FOLDER = Path(__file__).resolve().parents[3] / "datasets" / "knights-knaves" / "1.0.0"
SUMS = "58aad2a42f69326d71e1db9e30c0d76332937f673660e566438ab174fa4e8120"
"""Digest of the list of digests."""
SUBSETS = sorted(plain(path).stem for path in FOLDER.glob("*.jsonl*"))


def test_version_1_0_is_no_longer_made():
    assert DATASET.at("1.0.0") is None
    assert DATASET.at("2.0.0") is DATASET


def test_the_published_files_are_the_pinned_ones():
    sums = (FOLDER / "SHA256SUMS").read_bytes()
    assert sha256(sums).hexdigest() == SUMS
    listed = dict(line.split("  ")[::-1] for line in sums.decode().splitlines())
    assert len(SUBSETS) == 74
    assert {name: sha256(read_bytes(FOLDER / name)).hexdigest() for name in listed} == listed


@pytest.mark.parametrize("subset", SUBSETS)
def test_the_second_way_to_the_answers_still_confirms_the_golds_of_version_1_0(subset):
    rows = read(FOLDER / f"{subset}.jsonl")[::10]
    assert len(rows) >= 5
    assert [fault for row in rows for fault in check(row)] == []
    assert [fault for row in rows for fault in DATASET.check(row)] == []


@pytest.mark.parametrize("subset", SUBSETS)
def test_replies_to_version_1_0_are_still_scored(subset):
    for row in read(FOLDER / f"{subset}.jsonl")[:3]:
        asked = row.metadata.get("asked")
        lines = (row.answer or "").replace(" | ", "\n\n").replace("; ", "\n")
        reply = f"I reason.\n\n{asked}: {lines}" if asked else f"I reason.\n\n{lines}"
        reading = DATASET.scorer.read(row, reply)
        assert reading.said == row.answer
        assert DATASET.scorer.score(row, reading).right
        assert not DATASET.scorer.score(row, Reading("A: nobody")).right
