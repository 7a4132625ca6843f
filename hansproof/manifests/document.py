"""The bytes of manifest.json: laid out for people, one way of writing a manifest, and read back with every check."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from generators.errors import InputError
from generators.input import first_repeated
from generators.jsonl import json_fault
from hansproof.manifests.checksums import plain_name
from hansproof.manifests.first_schema import FirstManifest, upgraded
from hansproof.manifests.manifest import FIRST_SCHEMA, SCHEMA, Manifest

__all__ = ["decode", "encode"]


def encode(manifest: Manifest) -> bytes:
    """Indented JSON: keys in the order of the fields, whatever holds only scalars on one line, one final newline."""
    return (_laid_out(msgspec.to_builtins(manifest), "") + "\n").encode()


def decode(data: bytes, place: str) -> Manifest:
    """Read what `encode` wrote, of this schema or of the first; the record keeps the schema that it was read from.

    Raises InputError at `place`: broken JSON, an unknown schema, a field that is missing, unknown or of another type
    (with its path), a file name that leads out of the folder, a subset or file named twice.
    """
    try:
        raw = msgspec.json.decode(data)
    except RecursionError as error:
        raise InputError(json_fault(error), place) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not JSON: {error}", place) from error
    schema = raw.get("schema") if isinstance(raw, dict) else None
    if schema not in (SCHEMA, FIRST_SCHEMA):
        raise InputError(f"its schema is {schema!r}; this version reads {SCHEMA!r} and {FIRST_SCHEMA!r}", place)
    try:
        if schema == FIRST_SCHEMA:
            manifest = upgraded(msgspec.convert(raw, FirstManifest))
        else:
            manifest = msgspec.convert(raw, Manifest)
    except msgspec.ValidationError as error:
        raise InputError(f"not a manifest of schema {schema!r}: {error}", place) from error
    if not manifest.subsets:
        raise InputError("it has no subsets", place)
    for names, kind in (
        ([entry.name for entry in manifest.subsets], "subset"),
        ([entry.file for entry in manifest.subsets], "file"),
    ):
        if (repeated := first_repeated(names)) is not None:
            raise InputError(f"the {kind} {repeated!r} is listed twice", place)
    for entry in manifest.subsets:
        if not plain_name(entry.file):
            raise InputError(f"{entry.file!r} is not the name of a file in this folder", place)
    return manifest


def _laid_out(value: Any, indent: str) -> str:
    if isinstance(value, dict | list) and any(isinstance(part, dict | list) for part in _parts(value)):
        deeper = indent + "  "
        if isinstance(value, dict):
            lines = [f"{deeper}{_flat(key)}: {_laid_out(part, deeper)}" for key, part in value.items()]
            return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
        return "[\n" + ",\n".join(deeper + _laid_out(part, deeper) for part in value) + f"\n{indent}]"
    return _flat(value)


def _parts(value: dict[str, Any] | list[Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
