"""The manifest: read back as written, and refused with its place where it is not one."""

from __future__ import annotations

import json
import re
import time

import msgspec
import pytest

from hansproof.generators.errors import InputError
from hansproof.release.manifest import (
    ArmEntry,
    AuditSettings,
    AuditSummary,
    BlindEntry,
    Manifest,
    SchemeKappas,
    SubsetEntry,
    VectorKappas,
    decode,
    encode,
    rounded,
)

KAPPA = VectorKappas(
    label="word 1-grams, TF", cohen=0.25, cohen_low=-0.1, cohen_high=None, uniform=0.3, matched=0.2, matched_low=None,
    matched_high=None, p_corrected=0.04,
)  # fmt: skip
SCHEME = SchemeKappas(scheme="grouped", headline="word-1-tf", vectors={"word-1-tf": KAPPA})
AUDIT = AuditSummary(
    verdict="LEAKS", reason="it does, é", vector="word-1-tf", groups=2, majority_accuracy=0.5, majority_uniform=0.0,
    schemes=[SCHEME],
)  # fmt: skip
BLIND = BlindEntry(
    strategy="constant", part="answer", items=2, answered=2, share=0.5, low=0.1, high=0.9, interval="Wilson",
    in_sample=0.5, chance=None, p_holm=None,
)  # fmt: skip
ARM = ArmEntry(before="b", after="a", groups=1, differences={"words": 2.5}, p_holm={"words": 0.0})
ENTRY = SubsetEntry(
    name="a", file="a.jsonl.gz", rows=2, bytes=10, sha256="0" * 64, order_sha256="1" * 64, groups=2,
    conditions={"b": 1, "a": 1}, answers={"no": 1, "yes": 1}, exploit="", balanced=True,
    audited="", arms=[ARM], blind=[BLIND], audit=AUDIT,
)  # fmt: skip
SETTINGS = AuditSettings(protocol="grouped", seed=1, folds=5, permutations=999, splits=10, threshold=0.15, alpha=0.01)
MANIFEST = Manifest(
    dataset="d", version="1.0.0", title="D", generator="hansproof 0.1.0", seed=1, date=None, canary="c",
    subsets=[ENTRY], audit_settings=SETTINGS, versions={"numpy": "2.0"},
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
        (b"[]", r"its schema is None; this version reads 'hansproof\.release/2'"),
        (changed(schema="hansproof.release/1"), r"its schema is 'hansproof\.release/1'"),
        (encode(MANIFEST).replace(b'"rows": 2', b'"rows": "2"'), r"got `str` - at `\$\.subsets\[0\]\.rows`"),
        (encode(MANIFEST).replace(b'"seed": 1,', b'"seed": 1, "host": "x",'), r"unknown field `host`"),
        (encode(MANIFEST).replace(b'"seed": 1,', b""), r"missing required field `seed`"),
        (encode(MANIFEST).replace(b'"a.jsonl.gz"', b'"../a.gz"'), r"'\.\./a\.gz' is not the name of a file in this"),
        (changed(subsets=[ENTRY, ENTRY]), r"the subset 'a' is listed twice"),
        (
            changed(subsets=[ENTRY, msgspec.structs.replace(ENTRY, name="b")]),
            r"the file 'a\.jsonl\.gz' is listed twice",
        ),
    ],
)
def test_what_is_no_manifest_is_refused_with_its_place(data, message):
    with pytest.raises(InputError, match=message):
        decode(data, "m.json")


def test_a_subset_is_found_by_its_name():
    assert MANIFEST.subset("a") is ENTRY
    assert MANIFEST.subset("z") is None


def test_shares_have_four_decimals_and_what_is_undefined_is_null():
    assert [rounded(value) for value in (1 / 3, -0.00001, float("nan"), None)] == [0.3333, 0.0, None, None]
    assert str(rounded(-0.00001)) == "0.0"
    assert b'"strategy": "constant", "part": "answer"' in encode(MANIFEST)
    assert b'"chance": null' in encode(MANIFEST)


def test_a_manifest_of_twenty_thousand_subsets_is_read_at_once_and_one_named_twice_is_seen():
    entries = [msgspec.structs.replace(ENTRY, name=f"s{i}", file=f"s{i}.jsonl") for i in range(20_000)]
    data = msgspec.json.encode(msgspec.structs.replace(MANIFEST, subsets=entries))
    begun = time.process_time()
    assert len(decode(data, "m").subsets) == 20_000
    assert time.process_time() - begun < 4  # counting each name took twelve seconds
    twice = [*entries, msgspec.structs.replace(ENTRY, name="s7", file="other.jsonl")]
    with pytest.raises(InputError, match="m: the subset 's7' is listed twice"):
        decode(msgspec.json.encode(msgspec.structs.replace(MANIFEST, subsets=twice)), "m")


MEASURED_AGAIN = (".words", ".share", ".low", ".high", ".in_sample", ".chance", ".value", ".least", ".most")
"""What may be the mean of a measure, which has no range: `verify` takes it anew from the items."""


def _numbers(value, place=""):
    """Place -> (container, key) of every number in a JSON value."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(part, dict | list):
            yield from _numbers(part, f"{place}.{key}")
        elif isinstance(part, int | float) and not isinstance(part, bool):
            yield f"{place}.{key}", value, key


def test_no_number_of_a_manifest_is_without_a_range():
    manifest = json.loads(encode(MANIFEST))
    tried = set()
    for place, holder, key in _numbers(manifest):
        if place.endswith(MEASURED_AGAIN) or (kind := re.sub(r"\d+|vectors\.[^.]+", "", place)) in tried:
            continue
        tried.add(kind)
        kept = holder[key]
        for wrong in (10**30, -(10**30), 1e300):
            holder[key] = wrong
            with pytest.raises(InputError, match="not a manifest of schema"):
                decode(json.dumps(manifest).encode(), "m")
        holder[key] = kept
    assert len(tried) > 15
    decode(json.dumps(manifest).encode(), "m")


@pytest.mark.parametrize(
    ("start", "fields", "message"),
    [
        (BLIND, {"answered": 3}, "`answered` is 3, more than its 2 items"),
        (BLIND, {"low": 0.95}, "`low` and `high` are 0.95 and 0.9, no interval around 0.5"),
        (KAPPA, {"cohen_high": 0.2}, "`cohen_low` and `cohen_high` are -0.1 and 0.2, no interval around 0.25"),
        (SCHEME, {"headline": "word-9"}, "`headline` is 'word-9', which is none of its vectors"),
        (AUDIT, {"vector": None}, "is null, though probes were trained"),
    ],
)
def test_fields_that_contradict_each_other_are_refused(start, fields, message):
    raw = msgspec.to_builtins(start) | fields
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert(raw, type(start))
