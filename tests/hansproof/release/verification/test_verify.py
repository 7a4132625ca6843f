"""Verifying: an untouched release passes every check, and each injected fault has a message of its own."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import shutil
import socket
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from hansproof.generators import registry
from hansproof.generators.errors import InputError
from hansproof.generators.jsonl import pack, read, read_bytes
from hansproof.release.checksums import digest_of, order_digest, sums
from hansproof.release.manifest import AuditSummary, VectorKappas, decode
from hansproof.release.objections import count_faults
from hansproof.release.verify import Check, verify


def faults(folder, name=None, **options):
    """The faults of one check, or of all."""
    checks = verify(folder, **options).checks
    return [str(fault) for check in checks if name in (None, check.name) for fault in check.faults]


class Lines:
    """The lines of one file, edited as if they were not packed."""

    def __init__(self, folder, subset):
        self.path = folder / f"{subset}.jsonl.gz"

    def read_bytes(self):
        return read_bytes(self.path)

    def write_bytes(self, data):
        self.path.write_bytes(pack(bytes(data)))


def forge(folder, **entry):
    """What somebody would do who edits the data and then mends manifest and checksums."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for part in manifest["subsets"]:
        path = folder / part["file"]
        part |= {"bytes": len(read_bytes(path)), "sha256": sha256(read_bytes(path)).hexdigest()}
        if part["name"] == "parity":
            part |= entry
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "SHA256SUMS").unlink()
    (folder / "SHA256SUMS").write_bytes(sums({path.name: digest_of(path) for path in folder.iterdir()}))


@pytest.mark.slow
def test_several_processes_find_the_same_in_the_same_order(tmp_path):
    folder = tmp_path / "2.0.0"
    shutil.copytree(Path(__file__).parents[4] / "datasets" / "planted-cues" / "2.0.0", folder)
    for path in sorted(folder.glob("*.jsonl.gz"))[:3]:
        lines = read_bytes(path).split(b"\n")
        path.write_bytes(pack(b"\n".join([lines[1], lines[0], *lines[2:]])))
    told = [verify(folder, regenerate=False, workers=workers) for workers in (1, 3)]
    assert told[0] == told[1]
    assert not told[0].passed


def test_an_untouched_release_passes_every_check(frozen):
    verification = verify(frozen)
    assert [(check.name, check.status) for check in verification.checks] == [
        (name, "ok")
        for name in ("checksums", "manifest.json", "rows", "ids", "duplicates", "gold", "blind", "regenerated")
    ]
    assert verification.passed
    assert verification.release == "tiny 1.0.0"
    assert verification.checks[2].note == "22 valid items"


def test_a_flipped_byte_is_found_and_regeneration_names_its_line(frozen):
    path = Lines(frozen, "parity")
    data = bytearray(path.read_bytes())
    at = data.index(b"Is 24 even")
    data[at + 3 : at + 5] = b"26"
    place = at + 4 - data.rindex(b"\n", 0, at)
    path.write_bytes(data)
    assert faults(frozen, "checksums") == ["parity.jsonl.gz: was changed: the size is right, but the bytes are not"]
    assert faults(frozen, "regenerated") == [
        "parity.jsonl.gz: line 4: differs from what the generator makes: prompt is 'Is 26 even?', not 'Is 24 even?' "
        f"(byte {place})"
    ]
    assert faults(frozen, "duplicates") == ["parity.jsonl.gz: line 6: has the same prompt as line 4"]


def test_a_flipped_byte_that_breaks_the_json_is_found(frozen):
    path = Lines(frozen, "parity")
    path.write_bytes(path.read_bytes().replace(b'{"id"', b'["id"', 1))
    assert faults(frozen, "rows")[0].startswith("parity.jsonl.gz: line 1: broken JSON at character 6")
    assert faults(frozen, "regenerated") == [
        "parity.jsonl.gz: line 1: differs from what the generator makes: byte 1 is '[', not '{'"
    ]


def test_of_a_long_text_the_part_that_differs_is_shown(frozen, tiny, register):
    def longer(stream, subset, index):
        draft = tiny.make(stream, subset, index)
        return replace(draft, prompt="Word " * 50 + draft.prompt + " word" * 50)

    family = register(replace(tiny, make=longer))
    path = Lines(frozen, "parity")
    path.write_bytes(
        b"".join(family.item("parity", 3, index).line() for index in range(10)).replace(b"Is 23", b"Is 28")
    )
    assert faults(frozen, "regenerated")[-1].startswith(
        "parity.jsonl.gz: line 3: differs from what the generator makes: "
        "prompt is …' Word Word Word Word Word Is 28 even? word word word word wo'…, "
        "not …' Word Word Word Word Word Is 23 even? word word word word wo'… (byte "
    )


def test_a_missing_file_is_named(frozen):
    (frozen / "sums.jsonl.gz").unlink()
    assert faults(frozen) == ["sums.jsonl.gz: is missing; SHA256SUMS lists it"]


@pytest.mark.parametrize("name", ["extra.jsonl", ".hidden", "README.md"])
def test_an_added_file_is_named(frozen, name):
    (frozen / name).write_text("")
    assert faults(frozen) == [f"{name}: was added; SHA256SUMS does not list it"]


def test_an_added_folder_is_named(frozen):
    (frozen / "sub").mkdir()
    assert faults(frozen) == ["sub: was added; SHA256SUMS does not list it"]


def test_a_truncated_file_is_said_to_be_cut_and_where(frozen):
    path = Lines(frozen, "parity")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:7]))
    size = sum(map(len, lines))
    assert faults(frozen, "checksums") == [
        f"parity.jsonl.gz: was truncated: it has {sum(map(len, lines[:7])):,} of {size:,} bytes"
    ]
    assert faults(frozen, "rows") == ["parity.jsonl.gz: has 7 rows; the manifest says 10"]
    assert faults(frozen, "regenerated") == ["parity.jsonl.gz: line 8: is missing; the generator makes 10 lines"]


def test_a_file_that_lost_its_last_newline_is_found(frozen):
    path = Lines(frozen, "parity")
    path.write_bytes(path.read_bytes()[:-1])
    assert faults(frozen, "rows") == ["parity.jsonl.gz: line 10: has no newline at its end"]
    assert "line 10: differs" in faults(frozen, "regenerated")[0]


def test_a_file_that_has_grown_is_found(frozen):
    path = Lines(frozen, "sums")
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[0].replace(b"000000", b"000012"))
    assert "has grown" in faults(frozen, "checksums")[0]
    assert faults(frozen, "regenerated") == [
        "sums.jsonl.gz: line 13: is one line too many; the generator makes 12 lines"
    ]
    assert faults(frozen, "duplicates") == ["sums.jsonl.gz: line 13: has the same prompt as line 1"]


def test_reordered_rows_are_told_from_changed_ones(frozen):
    path = Lines(frozen, "parity")
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2], lines[5] = lines[5], lines[2]
    path.write_bytes(b"".join(lines))
    assert faults(frozen, "checksums") == [
        "parity.jsonl.gz: rows were reordered: line 3 is tiny/1.0.0/parity/000005, not tiny/1.0.0/parity/000002"
    ]
    assert faults(frozen, "ids")[0] == (
        "parity.jsonl.gz: line 3: the id is 'tiny/1.0.0/parity/000005', not 'tiny/1.0.0/parity/000002'"
    )


def test_an_edited_manifest_is_found(frozen):
    path = frozen / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"NOT ASSESSED"', b'"CLEAN"', 1))
    edited = faults(frozen)
    assert len(edited) == 1
    assert edited[0].startswith("manifest.json: was edited: the digest is ")


def test_a_manifest_whose_digest_of_the_lines_was_edited_is_told_from_wrong_checksums(frozen):
    path, digest = frozen / "manifest.json", sha256(read_bytes(frozen / "sums.jsonl")).hexdigest()
    path.write_bytes(path.read_bytes().replace(digest.encode(), b"0" * 64))
    assert faults(frozen, "manifest.json") == [
        f"manifest.json: says that the lines in sums.jsonl.gz have the digest 000000000000…; they have {digest[:12]}…"
    ]


def test_lines_that_were_packed_anew_are_the_same_lines_in_another_file(frozen):
    path = frozen / "sums.jsonl.gz"
    path.write_bytes(gzip.compress(read_bytes(path), compresslevel=1, mtime=0))
    assert faults(frozen) == ["sums.jsonl.gz: was packed anew: its lines are right, but the file is another one"]
    forge(frozen)
    assert faults(frozen) == []


def test_a_broken_manifest_leaves_the_rest_undone_and_fails(frozen):
    (frozen / "manifest.json").write_text("{")
    verification = verify(frozen)
    assert not verification.passed
    assert [check.status for check in verification.checks] == ["FAILED", "FAILED", *["not done"] * 6]


def test_an_edited_other_file_is_found(frozen):
    (frozen / "croissant.json").write_text("[]")
    assert faults(frozen)[0].startswith("croissant.json: was changed: the digest is ")


def test_a_wrong_gold_under_mended_checksums_is_told_the_second_method_and_by_regeneration(frozen):
    path = Lines(frozen, "parity")
    path.write_bytes(path.read_bytes().replace(b'"answer":"no"', b'"answer":"yes"', 1))
    forge(frozen, answers={"no": 4, "yes": 6})
    assert faults(frozen, "checksums") == faults(frozen, "manifest.json") == []
    assert faults(frozen, "gold") == ["parity.jsonl.gz: line 1: answer is 'yes', solved is 'no'"]
    assert "answer is 'yes', not 'no'" in faults(frozen, "regenerated")[0]
    assert faults(frozen, regenerate=False) == faults(frozen, "gold") + faults(frozen, "blind")
    # Of 10 answers 6 are yes now, so the most common answer is right more often.
    assert "constant on answer do not match the items: " in faults(frozen, "blind")[0]
    assert "in_sample 0.5, not 0.6" in faults(frozen, "blind")[0]


def test_an_item_that_breaks_the_solver_is_a_fault_not_a_crash(frozen):
    path = Lines(frozen, "parity")
    path.write_bytes(path.read_bytes().replace(b"Is 21 even?", b"Is"))
    forge(frozen)
    assert faults(frozen, "gold") == ["parity.jsonl.gz: line 1: cannot be solved: IndexError: list index out of range"]


def test_reordered_rows_under_mended_checksums_are_found(frozen):
    path = Lines(frozen, "parity")
    lines = path.read_bytes().splitlines(keepends=True)[::-1]
    path.write_bytes(b"".join(lines))
    forge(frozen, order_sha256=order_digest(json.loads(line)["id"] for line in lines))
    assert faults(frozen, "checksums") == []
    assert len(faults(frozen, "ids")) == 6  # five, and how many more
    assert faults(frozen, "ids")[-1] == "parity.jsonl.gz: ... and 5 more faults of this kind"


def test_lines_that_are_not_canonical_are_found(frozen):
    path = Lines(frozen, "parity")
    path.write_bytes(path.read_bytes().replace(b'"answer":', b'"answer": ', 1))
    assert faults(frozen, "rows") == [
        "parity.jsonl.gz: line 1: is an item, but not in canonical form (order of keys, spaces, escapes)"
    ]


def test_another_seed_than_the_datasets_is_found(frozen):
    path = frozen / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"seed": 3', b'"seed": 4'))
    assert "manifest.json: the seed is 4; tiny 1.0.0 has 3" in faults(frozen, "regenerated")
    assert "parity.jsonl.gz: line 1: metadata.seed is 3; the manifest says 4" in faults(frozen, "rows")


@pytest.mark.parametrize("rows", [9, 11])
def test_more_or_fewer_rows_than_a_release_has_are_found_without_making_them(frozen, tiny, register, rows):
    register(replace(tiny, subsets=tiny.subsets | {"parity": replace(tiny.subsets["parity"], rows=rows)}))
    assert faults(frozen, regenerate=False) == [f"manifest.json: parity has 10 rows; a release has {rows}"]


def test_golds_that_only_regeneration_proves_are_not_checked_without_it(frozen, tiny, register):
    register(replace(tiny, unproved="each is the toss of a coin"))
    for regenerate, status in ((True, "ok"), (False, "not done")):
        (gold,) = (check for check in verify(frozen, regenerate=regenerate).checks if check.name == "gold")
        assert (gold.status, gold.note.split("; ")[0]) == (status, "22 gold answers: each is the toss of a coin")


def test_arms_of_one_group_may_share_a_prompt_and_strangers_may_not(frozen, tiny, register):
    path = Lines(frozen, "parity")
    path.write_bytes(path.read_bytes().replace(b"Is 22 even?", b"Is 21 even?"))
    assert faults(frozen, "duplicates") == [
        "parity.jsonl.gz: line 2: has the same prompt as line 1, but another gold answer"
    ]
    path.write_bytes(path.read_bytes().replace(b'"group":"1","condition":"parity"', b'"group":"0","condition":"b"'))
    assert faults(frozen, "duplicates") == []


def test_a_dataset_with_fewer_different_items_than_rows_may_repeat_them(frozen, tiny, register):
    path = Lines(frozen, "parity")
    path.write_bytes(path.read_bytes().replace(b"Is 22 even?", b"Is 21 even?"))
    few = replace(tiny, subsets=tiny.subsets | {"parity": replace(tiny.subsets["parity"], limit=2)})
    register(few)
    assert faults(frozen, "duplicates") == []


def test_a_release_of_an_unknown_dataset_is_checked_as_far_as_that_goes(frozen, monkeypatch):
    monkeypatch.delitem(registry.MODULES, "tiny")
    verification = verify(frozen)
    assert verification.passed
    assert [check.status for check in verification.checks] == ["ok"] * 5 + ["not done"] * 3
    assert (
        verification.checks[-1].note == "this installation has no generator 'tiny'; `--family module:DATASET` adds it"
    )


def test_a_release_of_another_version_is_not_regenerated(frozen, tiny, register):
    register(replace(tiny, version="1.1.0"))
    assert verify(frozen).checks[-1] == Check(
        "regenerated", "this installation makes tiny 1.1.0; hansproof 0.1.0 made 1.0.0", done=False
    )


def test_missing_or_broken_checksums_fail(frozen):
    path = frozen / "SHA256SUMS"
    data = path.read_bytes()
    path.write_bytes(b"nonsense\n")
    assert faults(frozen, "checksums")[0].startswith("SHA256SUMS: line 1: not 64 hexadecimal digits")
    path.write_bytes(b"".join(line for line in data.splitlines(keepends=True) if b"manifest" not in line))
    assert faults(frozen, "checksums") == [
        "SHA256SUMS: does not list manifest.json",
        "manifest.json: was added; SHA256SUMS does not list it",
    ]
    path.unlink()
    assert faults(frozen, "checksums") == ["SHA256SUMS: is missing"]


def test_what_is_no_release_could_not_be_run(tmp_path):
    with pytest.raises(InputError, match=r"has neither SHA256SUMS nor manifest\.json, so it is not a release"):
        verify(tmp_path)
    with pytest.raises(InputError, match=r"nothing: is not a folder; name the folder of one release"):
        verify(tmp_path / "nothing")


def in_place_of(path, kind):
    """Put what cannot be read in the place of a file."""
    path.unlink()
    if kind == "link to nothing":
        path.symlink_to(path.with_name("nothing"))
    elif kind == "link to another file":
        path.symlink_to("croissant.json")
    elif kind == "named pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with contextlib.chdir(path.parent), socket.socket(socket.AF_UNIX) as held:  # its path must be short
            held.bind(path.name)
    elif kind == "folder":
        path.mkdir()
    elif kind == "empty":
        path.touch()
    elif kind == "cut":
        path.write_bytes(pack(b"{}\n" * 100)[:-9])
    elif kind == "bomb":
        path.write_bytes(pack(bytes(2**30 + 1)))


@pytest.mark.skipif(sys.platform == "win32", reason="has no named pipes")
@pytest.mark.parametrize("name", ["parity.jsonl.gz", "croissant.json", "manifest.json", "SHA256SUMS"])
@pytest.mark.parametrize(
    "kind",
    [
        "nothing",
        "link to nothing",
        "link to another file",
        "named pipe",
        "socket",
        "folder",
        "empty",
        "cut",
        pytest.param("bomb", marks=pytest.mark.slow),
    ],
)
def test_a_file_of_a_release_that_cannot_be_read_is_a_fault_whatever_stands_in_its_place(frozen, kind, name):
    if kind == "link to another file" and name == "croissant.json":
        pytest.skip("it would be itself")
    in_place_of(frozen / name, kind)
    verification = verify(frozen, regenerate=False)
    assert not verification.passed
    told = [str(fault) for check in verification.checks for fault in check.faults]
    assert [line for line in told if line.startswith(f"{name}: ")], told
    assert not [line for line in told if "Errno" in line]


def test_a_release_whose_files_are_all_gone_has_no_valid_items(frozen):
    for path in frozen.glob("*.jsonl.gz"):
        in_place_of(path, "link to nothing")
    assert faults(frozen) == [
        "parity.jsonl.gz: is a link, not a plain file",
        "sums.jsonl.gz: is a link, not a plain file",
    ]


@pytest.mark.parametrize("name", ["SHA256SUMS", "manifest.json", "sums.jsonl.gz"])
def test_a_link_to_the_right_bytes_is_a_fault(frozen, tmp_path, name):
    (frozen / name).rename(tmp_path / "elsewhere")
    (frozen / name).symlink_to(tmp_path / "elsewhere")
    assert faults(frozen, "checksums") == [f"{name}: is a link, not a plain file"]


def test_checksums_that_list_themselves_are_a_fault(frozen):
    path = frozen / "SHA256SUMS"
    path.write_bytes(path.read_bytes() + b"0" * 64 + b"  SHA256SUMS\n")
    assert faults(frozen) == ["SHA256SUMS: lists itself"]


def measured(**fields):
    """What a manifest says of an audit that trained probes."""
    kappas = dict.fromkeys(VectorKappas.__struct_fields__, 0.1) | {"label": "word 1-grams, TF"}
    scheme = {"scheme": "grouped", "headline": "word-1-tf", "vectors": {"word-1-tf": kappas}}
    return {
        "verdict": "LEAKS", "reason": "it does", "vector": "word-1-tf", "groups": 10, "majority_accuracy": 0.5,
        "majority_uniform": 0.0, "schemes": [scheme], "findable": {},
    } | fields  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"bytes": 10**18}, "parity: its bytes is 1000000000000000000; the file gives "),
        ({"groups": 9}, "parity: its groups is 9; the file gives 10"),
        ({"conditions": {"parity": 9}}, "parity: its conditions is {'parity': 9}; the file gives {'parity': 10}"),
        ({"answers": {"no": 9, "yes": 1}}, "parity: its answers is {'no': 9, 'yes': 1}; the file gives "),
        ({"answers": None}, "parity: its answers is None; the file gives {'no': 5, 'yes': 5}"),
        ({"audit": measured(groups=11)}, "parity: its audit.groups is 11; the file has 10 groups"),
        ({"audit": measured(groups=None)}, "`vector`, `groups` or `majority_accuracy` is null, though probes were"),
        ({"audit": measured(vector="nonsense")}, "`vector` is 'nonsense', which is none of its vectors"),
        ({"audit": measured(majority_accuracy=-1)}, r"Expected `float` >= 0.0 - at `$.subsets[1].audit.majority_acc"),
        ({"audit": measured(majority_accuracy=0.6)}, "audit.majority_uniform are (0.6, 0.0); the file gives (0.5, 0.0"),
        ({"audit": measured()}, "parity: the audit says LEAKS: it does; remove the shortcut from the design"),
        ({"audit": measured()}, "its audit_settings is null, though subsets were audited"),
    ],
)
def test_a_forged_number_under_mended_checksums_is_found_without_regeneration(frozen, fields, fault):
    forge(frozen)
    assert faults(frozen, regenerate=False) == []
    forge(frozen, **fields)
    assert [line for line in faults(frozen, regenerate=False) if fault in line]
    assert {line.split(":")[0] for line in faults(frozen, regenerate=False)} == {"manifest.json"}


def test_what_the_manifest_says_was_audited_may_be_a_list_in_the_items(frozen):
    manifest = decode((frozen / "manifest.json").read_bytes(), "manifest.json")
    entry = msgspec.structs.replace(manifest.subsets[1], audited="tags", audit=AuditSummary(**measured(schemes=[])))
    items = [replace(item, metadata={**item.metadata, "tags": ["a"]}) for item in read(frozen / entry.file)]
    (fault,) = count_faults(entry, items, entry.bytes, labels=True)
    assert "audit.majority_uniform are (0.5, 0.0); the file gives (1.0, None)" in fault.reason
