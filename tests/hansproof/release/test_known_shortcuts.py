"""Known shortcuts: rounded into the manifest, computed again by `verify`, and told apart where they differ."""

from __future__ import annotations

import json
from dataclasses import replace
from math import nan

import pytest

from hansproof.release.checksums import digest_of, sums
from hansproof.release.freeze import staging, subset_entry, write_subset, write_sums
from hansproof.release.known_shortcuts import rounded_shortcuts
from hansproof.release.manifest import AuditSummary, Manifest, decode, encode
from hansproof.release.verify import verify

UNSEEN = AuditSummary(
    verdict="NOT ASSESSED", reason="not audited", vector=None, groups=None, majority_accuracy=None,
    majority_uniform=None, schemes=[],
)  # fmt: skip


def measured(items):
    """A third of something, nothing, a nought with a sign, and a count that no constant could give."""
    total = sum(item.metadata["total"] for item in items)
    return {"third": 1 / 3, "never": nan, "nought": -0.00001, "share": total / 1000}


def test_they_are_rounded_and_what_is_undefined_is_none(tiny):
    items = [tiny.make("sums", 3, index) for index in range(4)]
    found = rounded_shortcuts(replace(tiny, shortcuts=measured), items)
    assert found == {"third": 0.3333, "never": None, "nought": 0.0, "share": 0.066}
    assert str(found["nought"]) == "0.0"
    assert rounded_shortcuts(tiny, items) == {}


@pytest.fixture
def release_with_shortcuts(tiny, monkeypatch, tmp_path):
    """The folder of a release whose dataset knows shortcuts; the dataset."""
    subsets = {**tiny.subsets, "sums": replace(tiny.subsets["sums"], audited="total"),
               "parity": replace(tiny.subsets["parity"], audited="total")}  # fmt: skip
    dataset = replace(tiny, shortcuts=measured, subsets=subsets)
    monkeypatch.setattr("tiny_dataset_of_the_tests.DATASET", dataset)
    with staging(tmp_path / "tiny" / "1.0.0") as stage:
        entries = [
            subset_entry(dataset, name, stage.folder, write_subset(dataset, name, stage.folder), UNSEEN)
            for name in dataset.subsets
        ]
        manifest = Manifest(
            dataset="tiny", version="1.0.0", title=tiny.title, generator="hansproof 0.1.0", seed=3, date=None,
            canary=tiny.canary, subsets=entries, audit_settings=None, versions={"python": "3.11.0"},
        )  # fmt: skip
        (stage.folder / "manifest.json").write_bytes(encode(manifest))
        (stage.folder / "croissant.json").write_bytes(b"{}\n")
        write_sums(stage.folder)
        stage.commit()
    return tmp_path / "tiny" / "1.0.0", dataset


def forge(folder, shortcuts):
    """Put other shortcuts of `sums` into the manifest, and mend the checksums."""
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["subsets"][0]["shortcuts"] = shortcuts
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "SHA256SUMS").unlink()
    (folder / "SHA256SUMS").write_bytes(sums({path.name: digest_of(path) for path in folder.iterdir()}))


def check(folder):
    return next(one for one in verify(folder).checks if one.name == "shortcuts")


def test_freezing_keeps_them_and_the_audited_key_of_open_answers_alone(release_with_shortcuts):
    folder, _ = release_with_shortcuts
    sums_, parity = decode((folder / "manifest.json").read_bytes(), "m").subsets
    assert (sums_.audited, parity.audited) == ("total", "")
    # The totals of the 12 sums are 15 to 26, of the 10 parities 21 to 30.
    assert (sums_.shortcuts["share"], parity.shortcuts["share"]) == (0.246, 0.255)
    assert verify(folder).passed
    assert (check(folder).status, check(folder).note) == ("ok", "of 2 subsets computed again")


def test_a_number_that_the_items_do_not_give_is_found(release_with_shortcuts):
    folder, _ = release_with_shortcuts
    forge(folder, {"third": 0.3334, "never": 0.0, "share": 0.246, "fifth": 0.2})
    assert list(check(folder).faults) == [
        "manifest.json: sums: third is 0.3334; the items give 0.3333",
        "manifest.json: sums: never is 0.0; the items give None",
        "manifest.json: sums: lacks the shortcut nought; the items give 0.0",
        "manifest.json: sums: has a shortcut fifth that tiny 1.0.0 does not know",
    ]


def test_shortcuts_of_a_dataset_that_knows_none_are_a_fault(frozen):
    assert "shortcuts" not in [one.name for one in verify(frozen).checks]
    forge(frozen, {"third": 0.3})
    assert check(frozen).faults == ("manifest.json: sums: has a shortcut third that tiny 1.0.0 does not know",)


def test_items_of_which_nothing_can_be_computed_are_a_fault_not_a_crash(release_with_shortcuts, monkeypatch):
    folder, dataset = release_with_shortcuts

    def broken(items):
        return {"x": items[0].metadata["no such key"]}

    monkeypatch.setattr("tiny_dataset_of_the_tests.DATASET", replace(dataset, shortcuts=broken))
    assert check(folder).faults[0] == ("manifest.json: sums: its shortcuts cannot be computed: KeyError: 'no such key'")


def test_a_file_that_cannot_be_read_is_left_to_the_other_checks(release_with_shortcuts):
    folder, _ = release_with_shortcuts
    (folder / "sums.jsonl").write_text("{\n")
    assert (check(folder).status, check(folder).note) == ("ok", "of 1 subsets computed again")
    assert not verify(folder).passed
