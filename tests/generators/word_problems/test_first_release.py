"""Release 1.0.0, whose texts this code no longer makes: its bytes are pinned, and its golds still hold."""

from hashlib import sha256
from pathlib import Path

import pytest

from hansproof.generators.jsonl import read, read_bytes
from hansproof.generators.word_problems.checking import solve
from hansproof.generators.word_problems.dataset import DATASET
from hansproof.generators.word_problems.forms import Problem, parse

FOLDER = Path(__file__).resolve().parents[3] / "datasets" / "word-problems" / "1.0.0"
SUBSETS = (
    *("consistency", "transfer-comparison", "carry", "rate", "nonlinear"),
    *("counterbalanced-additive", "counterbalanced-multiplicative"),
)
SUMS = "46a9342cf97ca4004a334a5b2b628742012193024e41f7e84f3dd0ed854e517e"
"""Digest of the list of digests."""


def test_version_1_0_is_no_longer_made():
    assert DATASET.at("1.0.0") is None
    assert DATASET.at("2.0.0") is DATASET


def test_the_published_files_are_the_pinned_ones():
    sums = (FOLDER / "SHA256SUMS").read_bytes()
    assert sha256(sums).hexdigest() == SUMS
    listed = dict(line.split("  ")[::-1] for line in sums.decode().splitlines())
    assert {name for name in listed if name.endswith(".jsonl")} == {f"{name}.jsonl" for name in SUBSETS}
    assert {name: sha256(read_bytes(FOLDER / name)).hexdigest() for name in listed} == listed


@pytest.mark.parametrize("subset", SUBSETS)
def test_the_second_way_to_the_answers_still_confirms_the_golds_of_version_1_0(subset):
    rows = read(FOLDER / f"{subset}.jsonl")
    assert len(rows) >= 500
    for row in rows:
        forms = tuple(parse(text) for text in row.metadata["forms"])
        value, worked = solve(Problem(forms, parse(row.metadata["question"])))
        assert (str(value), len(worked)) == (row.answer, row.metadata["n_steps"]), row.id
