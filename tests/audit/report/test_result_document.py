"""The JSON of a result: read back as it was, described by its schema, and clear about what it cannot read."""

from __future__ import annotations

import json

import jsonschema
import msgspec
import pytest

from hansproof.audit.result.audit_result import SCHEMA
from hansproof.audit.result.document import decode, encode, schema
from hansproof.audit.result.record import json_bytes
from hansproof.generators.errors import InputError
from hansproof.terminal.streams import DEFAULT_FAIL


def test_what_is_written_is_read_back_as_it_was_written(results, scan):
    for result in [*results.values(), scan]:
        again = decode(encode(result))
        assert encode(again) == encode(result)
        assert decode(encode(again)) == again


def test_numbers_are_written_with_nine_digits_and_large_ones_whole():
    assert json_bytes([1 / 3, 2 / 3e9, 5.0, 1e300, 1700000000.25, 10**400, float("nan"), "\ud800"], indent=None) == (
        f'[0.333333333,6.66666667e-10,5.0,1e300,1700000000.25,{10**400},null,"\ufffd"]\n'.encode()
    )


def test_the_same_result_gives_the_same_bytes(make_result):
    assert encode(make_result()) == encode(make_result())
    turned = make_result(versions=dict(reversed(make_result().versions.items())))
    assert encode(turned) == encode(make_result())


def test_every_result_obeys_the_schema_and_the_schema_is_one(results, scan):
    jsonschema.Draft202012Validator.check_schema(schema())
    validator = jsonschema.Draft202012Validator(schema())
    for result in [*results.values(), scan]:
        validator.validate(json.loads(encode(result)))


def test_the_schema_refuses_another_version_and_another_verdict(make_result):
    validator = jsonschema.Draft202012Validator(schema())
    data = json.loads(encode(make_result()))
    assert not validator.is_valid(data | {"schema": "hansproof.audit/0"})
    assert not validator.is_valid(data | {"verdict": "FINE"})


def test_keys_stand_in_the_order_of_the_fields_and_the_verdict_comes_first(make_result):
    text = encode(make_result()).decode()
    assert list(json.loads(text)) == [field.name for field in msgspec.structs.fields(make_result())]
    assert text.startswith('{\n  "verdict": "LEAKS",\n  "reason": ')
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")


def test_a_number_that_is_nan_becomes_null_where_null_is_allowed(make_result):
    result = make_result()
    first = result.schemes[0]
    broken = msgspec.structs.replace(first, majority_uniform=float("nan"))
    first_vector = msgspec.structs.replace(first.vectors[0], bound=float("inf"))
    broken = msgspec.structs.replace(broken, vectors=[first_vector])
    data = json.loads(encode(make_result(schemes=[broken])), parse_constant=pytest.fail)
    assert data["schemes"][0]["majority_uniform"] is None
    assert data["schemes"][0]["vectors"][0]["bound"] is None


def test_a_nan_that_may_not_be_null_is_refused_with_its_path(make_result):
    cue = msgspec.structs.replace(make_result().cues[0], z=float("nan"))
    with pytest.raises(ValueError, match=r"\$\.cues\[0\]\.z"):
        encode(make_result(cues=[cue]))


def test_hostile_text_and_lone_surrogates_survive_as_json(make_result, poison):
    result = poison(make_result())
    data = encode(result)
    assert decode(data).name == result.name.replace("\ud800", "\ufffd")


def test_broken_json_is_refused_with_its_line():
    with pytest.raises(InputError, match=r"^line 3: not JSON: "):
        decode(b'{\n  "schema": "x",\n  "verdict": oops\n}\n')


def test_a_document_that_ends_too_early_is_refused_with_its_last_line(make_result):
    with pytest.raises(InputError, match=r"^line \d+: not JSON: "):
        decode(encode(make_result())[:300])


def test_bytes_that_are_no_utf8_are_refused():
    with pytest.raises(InputError, match="not JSON"):
        decode(b'{"schema": "\xff\xfe"}')


def test_another_schema_version_is_refused_by_name(make_result):
    data = encode(make_result()).replace(SCHEMA.encode(), b"hansproof.audit/9")
    with pytest.raises(InputError, match=r"'hansproof\.audit/9', but this version reads 'hansproof\.audit/2'"):
        decode(data)


@pytest.mark.parametrize("data", [b"[]", b"3", b"{}", b'{"verdict": "LEAKS"}'])
def test_other_json_is_no_result(data):
    with pytest.raises(InputError, match="no `schema` at the top"):
        decode(data)


def test_a_missing_field_is_named(make_result):
    data = json.loads(encode(make_result()))
    del data["sha256"]
    with pytest.raises(InputError, match=r"not a document of schema .*`sha256`"):
        decode(json.dumps(data).encode())


def test_a_folder_has_the_benchmarks_with_a_fault_a_headline_and_a_row_each(scan):
    faults = [result for result in scan.results if result.verdict.lower() in DEFAULT_FAIL]
    assert scan.flagged() == faults
    assert 0 < len(faults) < len(scan.results)
    assert scan.headline() == f"'benchmarks', {len(scan.results)} benchmarks: {len(faults)} with a fault"
    frame = scan.to_frame()
    assert list(frame["verdict"]) == [scan.results[place].verdict for place in scan.ranked()] + ["FAILED"]
    assert list(frame.columns)[:3] == ["name", "verdict", "items"]
