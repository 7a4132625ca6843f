"""The phenotype as JSON: read back as it was, with what is undefined as null."""

import json

import msgspec

from hansproof.audit.phenotype.result import Phenotype
from hansproof.audit.result.record import json_bytes


def test_a_phenotype_is_read_back_as_it_was(mixed):
    again = msgspec.json.decode(json_bytes(mixed), type=Phenotype)
    assert json_bytes(again) == json_bytes(mixed)  # with nine digits
    assert msgspec.json.decode(json_bytes(again), type=Phenotype) == again


def test_undefined_is_null(mixed):
    document = json.loads(json_bytes(mixed))
    values = {metric["name"]: metric for metric in document["metrics"]}
    assert document["schema"] == "hansproof.phenotype/1"
    assert values["directed-exploration"]["value"] is None
    assert "separation" in values["directed-exploration"]["reason"]
