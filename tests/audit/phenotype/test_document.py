"""The phenotype as JSON: read back as it was, with a schema that it keeps."""

import json

import jsonschema
import pytest

from hansproof.audit.phenotype.phenotype_json import decode, encode, schema
from hansproof.generators.errors import InputError


def test_a_phenotype_is_read_back_as_it_was(mixed):
    assert decode(encode(mixed)) == mixed


def test_the_document_keeps_its_schema_and_undefined_is_null(mixed):
    document = json.loads(encode(mixed))
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(document, schema())
    values = {metric["name"]: metric for metric in document["metrics"]}
    assert values["directed-exploration"]["value"] is None
    assert "separation" in values["directed-exploration"]["reason"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**document, "schema": "other/1"}, schema())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "not JSON"),
        (b"[]", "not a document of schema 'hansproof.phenotype/1'"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not"),
    ],
)
def test_another_document_is_refused(data, said):
    with pytest.raises(InputError, match=said):
        decode(data)


def test_another_version_is_refused(mixed):
    with pytest.raises(InputError, match=r"schema 'hansproof.phenotype/9', but this version reads"):
        decode(encode(mixed).replace(b"hansproof.phenotype/1", b"hansproof.phenotype/9"))
