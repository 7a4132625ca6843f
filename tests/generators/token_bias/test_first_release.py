"""Release 1.0.0, whose texts this code no longer makes: its bytes are pinned, and its golds still hold."""

from hashlib import sha256
from pathlib import Path

import pytest

from hansproof.generators.jsonl import read, read_bytes
from hansproof.generators.token_bias.dataset import DATASET

FOLDER = Path(__file__).resolve().parents[3] / "datasets" / "token-bias" / "1.0.0"
SUMS = "e1b511f9be32205d6c5b87adf93b0d868e131c61e960d6fb4aa5a6610d66761c"
"""Digest of the list of digests."""


def test_version_1_0_is_no_longer_made():
    assert DATASET.at("1.0.0") is None
    assert DATASET.at("1.1.0") is DATASET


def test_the_published_files_are_the_pinned_ones():
    sums = (FOLDER / "SHA256SUMS").read_bytes()
    assert sha256(sums).hexdigest() == SUMS
    listed = dict(line.split("  ")[::-1] for line in sums.decode().splitlines())
    assert {name for name in listed if name.endswith(".jsonl")} == {f"{name}.jsonl" for name in DATASET.subsets}
    assert {name: sha256(read_bytes(FOLDER / name)).hexdigest() for name in listed} == listed


@pytest.mark.slow
@pytest.mark.parametrize("subset", DATASET.subsets)
def test_the_second_way_to_the_answers_still_confirms_the_golds_of_version_1_0(subset):
    # The way to syllogisms knows the kinds of things that there are, and pliers are none of them any more.
    rows = [row for row in read(FOLDER / f"{subset}.jsonl")[::5] if row.metadata.get("kind") != "pliers"]
    assert len(rows) > 25
    assert [fault for row in rows for fault in DATASET.check(row)] == []
