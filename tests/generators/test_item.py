"""The record: its canonical bytes, and all faults of a bad record reported at once."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace
from hashlib import sha256

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.item import KEYS, METADATA_KEYS, Item, record_faults

METADATA = {"version": "1.0.0", "subset": "s", "seed": 7, "dataset": "d", "canary": "c-1"}


def item(**changes: object) -> Item:
    plain = Item("d/1.0.0/s/000001", "Is it?", ("no", "yes"), "yes", "g", "original", METADATA)
    return replace(plain, **changes)


def record(**changes: object) -> dict[str, object]:
    return {**item().record(), **changes}


def test_the_line_has_the_keys_in_order_no_spaces_and_one_newline():
    assert (
        item(prompt="Ist Zoë da?").line()
        == (
            '{"id":"d/1.0.0/s/000001","prompt":"Ist Zoë da?","choices":["no","yes"],"answer":"yes","group":"g",'
            '"condition":"original","metadata":{"canary":"c-1","dataset":"d","seed":7,"subset":"s","version":"1.0.0"}}\n'
        ).encode()
    )


def test_nested_metadata_is_sorted_and_tuples_become_lists():
    line = item(metadata={**METADATA, "z": {"b": (1, 2), "a": None}}).line()
    assert b'"version":"1.0.0","z":{"a":null,"b":[1,2]}' in line


def test_an_item_survives_a_round_trip_through_json():
    nested = {**METADATA, "x": [1.5, {"y": True}]}
    for original in (item(), item(choices=None, answer="42"), item(metadata=nested)):
        assert Item.from_record(json.loads(original.line()), "here") == original


def test_items_cannot_be_changed():
    original = item()
    with pytest.raises(FrozenInstanceError):
        original.answer = "no"  # type: ignore[misc]


def test_all_faults_are_reported_at_once_with_the_place():
    bad = record(answer="maybe", prompt=" ", extra=1, metadata={"dataset": "d", "seed": "7"})
    del bad["group"]
    with pytest.raises(InputError) as caught:
        Item.from_record(bad, "bench.jsonl: line 812")
    assert {fault.place for fault in caught.value.faults} == {"bench.jsonl: line 812"}
    assert [fault.reason for fault in caught.value.faults] == [
        "lacks 'group'",
        "has the unknown key 'extra'",
        "prompt is empty",
        "answer is 'maybe', not one of choices ('no', 'yes')",
        "metadata lacks 'version'",
        "metadata lacks 'subset'",
        "metadata lacks 'canary'",
        "metadata.seed is a string, not an integer",
    ]


@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_required(key):
    bad = record()
    del bad[key]
    assert f"lacks {key!r}" in record_faults(bad)


@pytest.mark.parametrize("key", METADATA_KEYS)
def test_every_metadata_key_is_required(key):
    bad = {name: value for name, value in METADATA.items() if name != key}
    assert f"metadata lacks {key!r}" in record_faults(record(metadata=bad))


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"prompt": 3}, "prompt is a number, not a string"),
        ({"prompt": None}, "prompt is null, not a string"),
        ({"answer": True, "choices": None}, "answer is a boolean, not a string"),
        ({"prompt": "e\u0301"}, "prompt is not in Unicode normalisation form NFC"),
        ({"prompt": "a\ud800"}, "prompt contains half a surrogate pair, which UTF-8 cannot encode"),
        ({"choices": "yes"}, "choices is a string, neither a list nor null"),
        ({"choices": []}, "choices must have at least two answers, not 0"),
        ({"choices": ["yes"]}, "choices must have at least two answers, not 1"),
        ({"choices": ["yes", "yes"]}, "choices repeats an answer"),
        ({"choices": ["yes", 1]}, "choices[1] is a number, not a string"),
        ({"choices": ["yes", ""]}, "choices[1] is empty"),
        ({"id": "d/1.0.0/t/000001"}, "id is 'd/1.0.0/t/000001', but must be 'd/1.0.0/s/' followed by an index"),
        ({"id": "d/1.0.0/s/"}, "id is 'd/1.0.0/s/', but must be 'd/1.0.0/s/' followed by an index"),
        ({"metadata": []}, "metadata is a list, not an object"),
        ({"metadata": {**METADATA, "seed": True}}, "metadata.seed is a boolean, not an integer"),
        ({"metadata": {**METADATA, "seed": 2**63}}, "metadata.seed does not fit into 64 bits"),
        ({"metadata": {**METADATA, "x": float("nan")}}, "metadata.x is nan, not a finite number"),
        ({"metadata": {**METADATA, "x": {"y": [1e999]}}}, "metadata.x.y[0] is inf, not a finite number"),
        ({"metadata": {**METADATA, "x": {1, 2}}}, "metadata.x is a set, which JSON cannot represent"),
        ({"metadata": {**METADATA, 3: 1}}, "metadata.3: a key must be a string, not a number"),
        ({"metadata": {**METADATA, "x": "e\u0301"}}, "metadata.x is not in Unicode normalisation form NFC"),
    ],
)  # fmt: skip
def test_each_fault_has_its_message(changes, fault):
    assert record_faults(record(**changes)) == [fault]


@pytest.mark.parametrize("value", [[], "text", 3, None])
def test_only_a_json_object_is_an_item(value):
    with pytest.raises(InputError, match=r"^here: an item must be a JSON object, not "):
        Item.from_record(value, "here")


def test_a_faulty_item_is_never_written():
    bad = item(answer="perhaps")
    with pytest.raises(InputError, match=r"item 'd/1.0.0/s/000001': answer is 'perhaps', not one of choices"):
        bad.line()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "d/1.0.0/s/x"),
        ("id", "other/1.0.0/s/000000"),
        ("id", "d/1.0.0/s/٣"),
        ("prompt", " "),
        ("prompt", "e\u0301"),
        ("prompt", "\ud800"),
        ("answer", ""),
        ("group", 7),
        ("choices", ("a",)),
        ("choices", ("a", "a")),
        ("choices", ("b", "c")),
        ("choices", ("a", " ")),
        ("choices", ("a", 1)),
        ("choices", ("a", "e\u0301")),
        ("metadata", {"seed": True}),
        ("metadata", {"seed": 2**63}),
        ("metadata", {"canary": " "}),
        ("metadata", {7: "x"}),
        ("metadata", {"list": [float("nan")]}),
        ("metadata", {"list": ["e\u0301"]}),
        ("metadata", {"set": {1}}),
    ],
)
def test_the_fast_check_of_a_line_lets_no_fault_pass(field, value):
    base = {"dataset": "d", "version": "1.0.0", "subset": "s", "seed": 1, "canary": "c"}
    parts = {
        "id": "d/1.0.0/s/000000", "prompt": "p", "choices": None, "answer": "a", "group": "g", "condition": "c",
        "metadata": base, field: {**base, **value} if field == "metadata" else value,
    }  # fmt: skip
    item = Item(**parts)
    assert record_faults({**parts, "choices": None if parts["choices"] is None else list(parts["choices"])})
    with pytest.raises(InputError, match="item"):
        item.line()


def test_metadata_is_sorted_at_every_level_but_the_fields_are_not():
    base = {"version": "1.0.0", "dataset": "d", "subset": "s", "seed": 1, "canary": "c"}
    item = Item("d/1.0.0/s/000000", "p", ("a", "b"), "a", "g", "c", {**base, "z": {"b": 1, "a": [0.5]}, "b": True})
    assert item.line() == (
        b'{"id":"d/1.0.0/s/000000","prompt":"p","choices":["a","b"],"answer":"a","group":"g","condition":"c",'
        b'"metadata":{"b":true,"canary":"c","dataset":"d","seed":1,"subset":"s","version":"1.0.0","z":{"a":[0.5],"b":1}}}\n'
    )


def test_the_fast_encoder_writes_what_the_standard_library_writes():
    for start in range(0, 0x80, 16):  # beyond ASCII, the standard library itself writes the line
        text = "a" + "".join(map(chr, range(start, start + 16)))
        values = {"texts": [text, ""], "flags": [True, False], "numbers": [-(2**63), 0, 2**63 - 1], "none": None}
        encoded = item(prompt=text, choices=None, metadata={**METADATA, **values, "text": text})
        assert encoded.line().decode() == json.dumps(encoded.record(), ensure_ascii=False, separators=(",", ":")) + "\n"
    with pytest.raises(InputError, match="half a surrogate pair"):
        item(prompt="\ud800", choices=None).line()
    with pytest.raises(InputError, match="does not fit into 64 bits"):
        item(choices=None, metadata={**METADATA, "numbers": [1, 2**63]}).line()


def test_the_digest_of_the_line_tells_games_apart_that_begin_alike(toy_bandit):
    first, second = toy_bandit.item("short", 1, 0), toy_bandit.item("short", 2, 0)
    assert first.digest() == second.digest()
    assert first.line_digest() == sha256(first.line()).hexdigest()[:16] != second.line_digest()
