"""What is written as JSON can be read by every reader."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

import pytest

from hansproof.audit.result.record import encodable, json_bytes


@dataclass(frozen=True)
class Rate:
    share: float
    interval: tuple[int, int]


def test_nan_and_infinities_become_null_at_any_depth():
    value = {"a": [1.5, math.nan, {"b": (math.inf, -math.inf)}], "n": None, "rate": Rate(math.nan, (1, 2))}
    assert json.loads(json_bytes(value)) == {
        "a": [1.5, None, {"b": [None, None]}], "n": None, "rate": {"share": None, "interval": [1, 2]},
    }  # fmt: skip


def test_half_a_surrogate_pair_becomes_the_replacement_character_in_keys_too():
    value = [Rate(math.nan, (1, 2)), {"k\ud800": "v\udfff"}]
    assert json.loads(json_bytes(value)) == [{"share": None, "interval": [1, 2]}, {"k\ufffd": "v\ufffd"}]
    assert encodable("a\ud800b") == "a\ufffdb"


def test_it_is_indented_or_one_line_and_ends_with_a_newline():
    assert json_bytes({"b": 1, "a": ["é"]}) == '{\n  "b": 1,\n  "a": [\n    "é"\n  ]\n}\n'.encode()
    assert json_bytes({"b": 1, "a": ["é"]}, indent=None) == '{"b":1,"a":["é"]}\n'.encode()


def test_what_is_no_data_is_a_type_error():
    with pytest.raises(TypeError, match="object"):
        json_bytes(object())
