"""Blind strategies in a release: rounded into the manifest, measured again by `verify`, named where they differ."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

from hansproof.generators.answering.plain_scorer import PlainScorer
from hansproof.generators.answering.scorer import constant, copying, target_of
from hansproof.generators.jsonl import read
from hansproof.generators.registry import dataset as registered
from hansproof.release.checksums import digest_of, sums
from hansproof.release.manifest import BlindEntry, decode
from hansproof.release.objections import blind_entries
from hansproof.release.verify import verify

ROOT = Path(__file__).resolve().parents[3]
WORDS = ROOT / "datasets" / "word-problems" / "1.0.0"


class Scorer(PlainScorer):
    """The plain scorer with strategies of its own."""

    def __init__(self, *blind):
        self.strategies = blind

    @property
    def blind(self):
        return self.strategies


def low_is_no(item):
    """Guesses the parity from the size of the number."""
    return "no" if item.metadata["total"] < 26 else "yes"


GUESSING = Scorer(constant(), copying("low-is-no", "says no below 26", low_is_no))


def forge(folder, blind):
    """Put other strategies of `parity` into the manifest, and mend the checksums."""
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["subsets"][1]["blind"] = blind
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "SHA256SUMS").unlink()
    (folder / "SHA256SUMS").write_bytes(sums({path.name: digest_of(path) for path in folder.iterdir()}))


def check(folder):
    return next(check for check in verify(folder).checks if check.name == "blind")


def test_strategies_are_measured_on_the_items_and_rounded(tiny, register, freeze):
    folder = freeze(register(replace(tiny, scorer=GUESSING)))
    parity = decode((folder / "manifest.json").read_bytes(), "m").subsets[1]
    # Totals 21 to 30: no is right of 21, 23, 25, yes of 26, 28, 30: 6 of 10, Wilson's interval .3127 to .8318.
    # 6 or more of 10 coins: 386 / 1024 = .3770, times two strategies.
    assert parity.blind[1] == BlindEntry(
        strategy="low-is-no", part="answer", items=10, answered=10, share=0.6, low=0.3127, high=0.8318,
        interval="Wilson", in_sample=0.6, chance=0.5, p_holm=0.7539,
    )  # fmt: skip
    assert (parity.blind[0].strategy, parity.blind[0].in_sample) == ("constant", 0.5)
    assert verify(folder).passed
    assert (check(folder).status, check(folder).note) == ("ok", "strategies measured again on 2 subsets")


def test_a_number_that_the_items_do_not_give_is_found(tiny, register, freeze):
    folder = freeze(register(replace(tiny, scorer=GUESSING)))
    low = json.loads((folder / "manifest.json").read_text())["subsets"][1]["blind"][1]
    forge(folder, [low | {"share": 0.5, "chance": None}, low | {"strategy": "guess"}])
    assert list(map(str, check(folder).faults)) == [
        "manifest.json: parity: lacks the blind strategy constant on answer",
        "manifest.json: parity: its numbers for low-is-no on answer do not match the items: share 0.5, not 0.6; "
        "chance None, not 0.5",
        "manifest.json: parity: has a blind strategy guess on answer that tiny 1.0.0 does not have",
    ]


def test_items_on_which_nothing_can_be_measured_are_a_fault_not_a_crash(tiny, register, freeze):
    folder = freeze(register(replace(tiny, scorer=GUESSING)))
    broken = Scorer(copying("x", "breaks", lambda item: item.metadata["total"].upper()))
    register(replace(tiny, scorer=broken))
    assert str(check(folder).faults[0]) == (
        "manifest.json: sums: its blind strategies cannot be measured: InputError: item 'tiny/1.0.0/sums/000000' and "
        "others: the blind strategy 'x' cannot take metadata: 'int' object has no attribute 'upper'"
    )


def test_a_file_that_cannot_be_read_is_left_to_the_other_checks(frozen):
    (frozen / "sums.jsonl").write_text("{\n")
    assert (check(frozen).status, check(frozen).note) == ("ok", "strategies measured again on 1 subset")
    assert not verify(frozen).passed


def test_releases_of_the_first_schema_have_nothing_to_compare():
    cues = ROOT / "datasets" / "planted-cues" / "1.0.0"
    assert "blind" not in [check.name for check in verify(cues, regenerate=False).checks]


# The numbers of word-problems 1.0.0 that were called shortcuts, and the strategies that took their place.
SHARES = {"answer_is_sum": "sum", "answer_is_largest": "largest-number", "majority_answer": "constant"}


def first_shortcuts():
    manifest = json.loads((WORDS / "manifest.json").read_text("utf-8"))
    return {entry["name"]: entry["shortcuts"] for entry in manifest["subsets"]}


@pytest.mark.parametrize("subset", first_shortcuts())
def test_the_shortcuts_of_1_0_0_are_what_the_strategies_get_in_sample(subset):
    items = read(WORDS / f"{subset}.jsonl")
    family = registered("word-problems")
    measured = {entry.strategy: entry.in_sample for entry in blind_entries(family, items) if entry.part == "answer"}
    published = first_shortcuts()[subset]
    assert {key: measured[strategy] for key, strategy in SHARES.items()} == {key: published[key] for key in SHARES}


@pytest.mark.parametrize("subset", first_shortcuts())
def test_the_kappa_of_keyword_and_operation_of_1_0_0_is_that_of_the_strategy_in_sample(subset):
    strategy = next(blind for blind in registered("word-problems").scorer.blind if blind.name == "keyword-operation")
    keyed = [item for item in read(WORDS / f"{subset}.jsonl") if item.metadata["keyword"] != "none"]
    published = first_shortcuts()[subset]["keyword_operation"]
    if published is None:  # one operation, or no keyword at all
        assert len({item.metadata["operation"] for item in keyed}) < 2
        return
    golds = [target_of(item, "operation") for item in keyed]
    assert round(cohen_kappa_score(golds, strategy.answers(keyed, keyed)), 4) == published
