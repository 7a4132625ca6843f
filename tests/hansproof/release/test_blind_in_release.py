"""Blind strategies in a release: rounded into the manifest, measured again by `verify`, named where they differ."""

from __future__ import annotations

import json
from dataclasses import replace

from hansproof.generators.answering.plain_scorer import PlainScorer
from hansproof.generators.answering.scorer import constant, copying
from hansproof.generators.jsonl import pack
from hansproof.release.checksums import digest_of, sums
from hansproof.release.manifest import BlindEntry, decode
from hansproof.release.verify import verify


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
    assert (check(folder).status, check(folder).note) == (
        "ok",
        "strategies and differences between arms measured again on 2 subsets",
    )


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
    (frozen / "sums.jsonl.gz").write_bytes(pack(b"{\n"))
    assert (check(frozen).status, check(frozen).note) == (
        "ok",
        "strategies and differences between arms measured again on 1 subset",
    )
    assert not verify(frozen).passed
