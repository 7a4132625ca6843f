"""The phenotype as JSON for other programs: written, read back, and described by a JSON Schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from hansproof.audit.phenotype.participant_pairs import MetricDifference
from hansproof.audit.phenotype.result import SCHEMA, Phenotype
from hansproof.audit.result.record import Record, json_bytes
from hansproof.generators.errors import InputError

__all__ = ["decode", "encode", "encode_several", "schema"]


class Several(Record, frozen=True, kw_only=True):
    """The document of two participants or more."""

    phenotypes: list[Phenotype]
    differences: list[MetricDifference]
    """Of every pair in every metric; empty where the participants are too many to compare two by two."""


def encode(phenotype: Phenotype) -> bytes:
    """Indented JSON with keys in the order of the fields. The same phenotype gives the same bytes."""
    return json_bytes(msgspec.to_builtins(phenotype, order="deterministic"))


def encode_several(phenotypes: Sequence[Phenotype], differences: Sequence[MetricDifference]) -> bytes:
    """The same of two participants or more, with the differences between them."""
    several = Several(phenotypes=list(phenotypes), differences=list(differences))
    return json_bytes(msgspec.to_builtins(several, order="deterministic"))


def decode(data: bytes) -> Phenotype:
    """Read what `encode` wrote. Raises InputError for anything else, saying what is wrong with it."""
    try:
        phenotype = msgspec.json.decode(data, type=Phenotype)
    except msgspec.ValidationError as error:
        raise InputError(f"not a document of schema {SCHEMA!r}: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"not JSON: {error}") from error
    if phenotype.schema != SCHEMA:
        raise InputError(f"this is a document of schema {phenotype.schema!r}, but this version reads {SCHEMA!r}")
    return phenotype


def schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of the document of one participant, or of several."""
    references, definitions = msgspec.json.schema_components([Phenotype, Several], ref_template="#/$defs/{name}")
    definitions["Phenotype"]["properties"]["schema"] = {"const": SCHEMA}
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SCHEMA,
        "oneOf": list(references),
        "$defs": definitions,
    }
    # The schema is public: what it calls a difference stays, whatever the class is called.
    text = msgspec.json.encode(document).replace(MetricDifference.__name__.encode(), b"Difference")
    named: dict[str, Any] = msgspec.json.decode(text)
    return named
