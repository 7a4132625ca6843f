"""JSON output: undefined is null, whatever the shape; no text stops it."""

import json
from dataclasses import dataclass
from math import inf, nan

import pytest

from hansproof.terminal.json_output import json_bytes


@dataclass
class Rate:
    share: float
    interval: tuple[float, float]


def test_undefined_numbers_are_null_at_every_depth():
    data = json_bytes({"rates": [Rate(nan, (0.5, inf))], "name": "é"})
    assert json.loads(data) == {"rates": [{"share": None, "interval": [0.5, None]}], "name": "é"}
    assert data.decode().startswith('{\n  "rates": [\n')
    assert "é" in data.decode()
    assert data.endswith(b"\n")


def test_half_a_surrogate_pair_does_not_stop_it():
    assert json.loads(json_bytes([Rate(nan, (1, 2)), "\ud83d"])) == [{"share": None, "interval": [1, 2]}, "\ud83d"]


def test_what_is_no_data_is_a_type_error():
    with pytest.raises(TypeError, match="object"):
        json_bytes(object())
