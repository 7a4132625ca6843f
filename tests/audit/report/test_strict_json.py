"""What is written as JSON can be read by every reader."""

from __future__ import annotations

import math

from audit.report.strict_json import encodable, strict


def test_nan_and_infinities_become_none_at_any_depth():
    assert strict({"a": [1.5, math.nan, {"b": (math.inf, -math.inf)}], "n": None, "t": True}) == {
        "a": [1.5, None, {"b": [None, None]}], "n": None, "t": True,
    }  # fmt: skip


def test_half_a_surrogate_pair_becomes_the_replacement_character_in_keys_too():
    assert strict({"k\ud800": "v\udfff"}) == {"k\ufffd": "v\ufffd"}
    assert encodable("a\ud800b") == "a\ufffdb"
