"""The manifest: read back as written, and refused with its place where it is not one."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from generators.errors import InputError
from hansproof.release.manifest import AuditSummary, Kappa, Manifest, SchemeKappas, SubsetEntry, decode, encode

ROOT = Path(__file__).resolve().parents[3]
FROZEN = sorted((ROOT / "datasets").glob("*/*/manifest.json"))

KAPPA = Kappa(label="word 1-grams, TF", cohen=0.25, cohen_low=-0.1, cohen_high=None, uniform=0.3, p_holm=0.04)
SCHEME = SchemeKappas(scheme="grouped", headline="word-1-tf", detectable=0.14, vectors={"word-1-tf": KAPPA})
AUDIT = AuditSummary(
    verdict="LEAKS", reason="it does, é", vector="word-1-tf", groups=2, majority_accuracy=0.5, majority_uniform=0.0,
    schemes=[SCHEME],
)  # fmt: skip
ENTRY = SubsetEntry(
    name="a", file="a.jsonl", rows=2, bytes=10, sha256="0" * 64, order_sha256="1" * 64, groups=2,
    conditions={"b": 1, "a": 1}, answers={"no": 1, "yes": 1}, known_leak="", audit=AUDIT,
)  # fmt: skip
MANIFEST = Manifest(
    dataset="d", version="1.0.0", title="D", generator="hansproof 0.1.0", seed=1, date=None, canary="c",
    subsets=[ENTRY], audit_settings=None, versions={"numpy": "2.0"},
)  # fmt: skip


def test_a_manifest_is_read_back_as_it_was_written():
    assert decode(encode(MANIFEST), "m") == MANIFEST
    assert encode(decode(encode(MANIFEST), "m")) == encode(MANIFEST)


def test_it_is_plain_json_in_the_order_of_the_fields_with_every_leaf_on_one_line():
    text = encode(MANIFEST).decode()
    assert json.loads(text) == msgspec.to_builtins(MANIFEST)
    assert list(json.loads(text))[:3] == ["schema", "dataset", "version"]
    assert text.endswith("}\n")
    assert '      "conditions": {"b": 1, "a": 1},\n' in text
    assert '"cohen_low": -0.1, "cohen_high": null, "uniform": 0.3' in text
    assert "it does, é" in text


def changed(**fields):
    return encode(msgspec.structs.replace(MANIFEST, **fields))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", r"^m\.json: not JSON: "),
        (b"\xff{}", r"^m\.json: not JSON: "),
        (b"[]", r"its schema is None; this version reads 'hansproof\.release/1'"),
        (changed(schema="hansproof.release/9"), r"its schema is 'hansproof\.release/9'"),
        (encode(MANIFEST).replace(b'"rows": 2', b'"rows": "2"'), r"got `str` - at `\$\.subsets\[0\]\.rows`"),
        (encode(MANIFEST).replace(b'"seed": 1,', b'"seed": 1, "host": "x",'), r"unknown field `host`"),
        (encode(MANIFEST).replace(b'"seed": 1,', b""), r"missing required field `seed`"),
        (encode(MANIFEST).replace(b'"a.jsonl"', b'"../a.jsonl"'), r"'\.\./a\.jsonl' is not the name of a file in this"),
        (changed(subsets=[ENTRY, ENTRY]), r"the subset 'a' is listed twice"),
        (changed(subsets=[ENTRY, msgspec.structs.replace(ENTRY, name="b")]), r"the file 'a\.jsonl' is listed twice"),
    ],
)
def test_what_is_no_manifest_is_refused_with_its_place(data, message):
    with pytest.raises(InputError, match=message):
        decode(data, "m.json")


def test_a_subset_is_found_by_its_name():
    assert MANIFEST.subset("a") is ENTRY
    assert MANIFEST.subset("z") is None


def test_there_are_frozen_manifests():
    assert {"knights-knaves", "planted-cues"} <= {path.parts[-3] for path in FROZEN}


@pytest.mark.parametrize("path", FROZEN, ids=lambda path: path.parts[-3])
def test_a_frozen_manifest_is_written_again_byte_by_byte(path):
    assert encode(decode(path.read_bytes(), str(path))) == path.read_bytes()


def test_shortcuts_and_the_audited_key_are_kept_and_absent_where_there_are_none():
    assert not {"audited", "shortcuts"} & set(json.loads(encode(MANIFEST))["subsets"][0])
    shortcuts = {"a": 1.0, "b": None, "c": -0.1234}
    data = changed(subsets=[msgspec.structs.replace(ENTRY, audited="operation", shortcuts=shortcuts)])
    assert b'"audited": "operation",\n' in data
    assert b'"shortcuts": {"a": 1.0, "b": null, "c": -0.1234},\n' in data
    entry = decode(data, "m").subsets[0]
    assert (entry.audited, entry.shortcuts) == ("operation", shortcuts)
    assert encode(decode(data, "m")) == data
    with pytest.raises(InputError, match=r"got `str` - at `\$\.subsets\[0\]\.shortcuts"):
        decode(data.replace(b'"b": null', b'"b": "x"'), "m")
