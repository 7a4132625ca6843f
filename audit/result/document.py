"""The result as JSON: written, read back, described by a schema; and the versions that made its numbers."""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from hansproof.audit.result.audit_result import SCHEMA, AuditResult, ScanResult
from hansproof.audit.result.explanation import ItemScore
from hansproof.audit.result.record import json_bytes
from hansproof.generators.errors import InputError
from hansproof.generators.jsonl import json_fault

__all__ = ["code_digest", "decode", "encode", "items_bytes", "library_versions", "schema"]

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "nltk", "nupunkt", "syllapy", "textstat", "tiktoken")


@cache
def code_digest() -> str:
    """SHA-256 of all modules and recipes (TOML) of `audit` and `generators`, whatever they were released as."""
    digest = hashlib.sha256()
    for package in ("audit", "generators"):
        root = Path(str(files(f"hansproof.{package}")))
        for path in sorted([*root.rglob("*.py"), *root.rglob("*.toml")]):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def library_versions() -> dict[str, str]:
    """The versions of Python, of this package and of the libraries that the numbers come from."""
    python = ".".join(map(str, sys.version_info[:3]))
    return {"hansproof": version("hansproof"), "python": python, **{name: version(name) for name in _LIBRARIES}}


def encode(result: AuditResult | ScanResult) -> bytes:
    """Indented JSON of `result`; NaN and infinities become null, lone surrogates U+FFFD. The same result gives the same
    bytes: keys in the order of the fields, an indent of two spaces, a newline at the end.

    Raises ValueError if a number that must exist is NaN or infinite, because the document could not be read back.
    """
    data = json_bytes(msgspec.to_builtins(result, order="deterministic"))
    try:
        msgspec.json.decode(data, type=type(result))
    except msgspec.ValidationError as error:
        raise ValueError(f"result of {result.source}: {error}") from error
    return data


def decode(data: bytes) -> AuditResult | ScanResult:
    """Read what `encode` wrote; a document with `results` is a scan.

    Raises InputError for broken JSON (with its line), a document that is no result, another schema version, or a
    field that is missing or has another type (with its path).
    """
    try:
        raw = json.loads(data, parse_constant=_no_number, parse_float=_finite)
    except json.JSONDecodeError as error:
        why = f"not JSON: {error.msg.removesuffix(' starting at')}; expected what `audit --json` writes"
        raise InputError(why, f"line {error.lineno}") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("not JSON: not UTF-8", f"line {line}") from error
    except (ValueError, RecursionError) as error:  # an integer of too many digits, lists in lists in lists
        raise InputError(f"not JSON that can be read: {json_fault(error)}") from error
    if not isinstance(raw, dict) or "schema" not in raw:
        raise InputError("not an audit result: no `schema` at the top; expected what `audit --json` writes")
    if raw["schema"] != SCHEMA:
        raise InputError(
            f"this is a document of schema {raw['schema']!r}, but this version reads {SCHEMA!r}; "
            "repeat the audit with this version"
        )
    kind: type[AuditResult] | type[ScanResult] = ScanResult if "results" in raw else AuditResult
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise InputError(f"not a document of schema {SCHEMA!r}: {error}") from error


def _no_number(name: str) -> float:
    raise InputError(f"not JSON: {name} is no number of JSON; what is undefined is null")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text[:20])


def schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of both documents. `schema` is a constant, so versions cannot be confused."""
    references, definitions = msgspec.json.schema_components([AuditResult, ScanResult], ref_template="#/$defs/{name}")
    for kind in (AuditResult, ScanResult):
        definitions[kind.__name__]["properties"]["schema"] = {"const": SCHEMA}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SCHEMA,
        "anyOf": list(references),
        "$defs": definitions,
    }


def items_bytes(rows: Iterable[ItemScore]) -> bytes:
    """One line per row, in their order; b"" for none."""
    return b"".join(json_bytes(row, indent=None) for row in rows)
