"""manifest.json: what a release says of itself, as typed records, and the bytes it is written as.

The release command fills it from the files, the dataset and the audit; the card, the Croissant file and `verify`
read it. Nothing in it depends on when, where or by whom it was made: the same data and the same libraries give
the same bytes. Kappas are rounded to four decimals, which is far below their error and above that of a platform.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from generators.errors import InputError
from hansproof.release.checksums import plain_name

__all__ = [
    "MANIFEST",
    "SCHEMA",
    "AuditSettings",
    "AuditSummary",
    "Kappa",
    "Licence",
    "Manifest",
    "SchemeKappas",
    "SubsetEntry",
    "decode",
    "encode",
]

SCHEMA = "hansproof.release/1"
MANIFEST = "manifest.json"


class _Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all parts: immutable, named fields only, nothing unknown."""


class Kappa(_Record, frozen=True, kw_only=True):
    """What one feature vector of the audit reached; None where a kappa is undefined."""

    label: str
    """The vector's name for people: `word 1-2-grams, TF-IDF`."""
    cohen: float | None
    cohen_low: float | None
    """95 % cluster-bootstrap interval."""
    cohen_high: float | None
    uniform: float | None
    """Chance taken to be one in k labels."""
    p_holm: float | None


class SchemeKappas(_Record, frozen=True, kw_only=True):
    """One way of splitting: `grouped` parts no group, `random` pays no attention to them."""

    scheme: str
    headline: str
    """The vector chosen by validation accuracy alone."""
    detectable: float | None
    """Smallest Cohen's kappa found with 80 % power."""
    vectors: dict[str, Kappa]


class AuditSummary(_Record, frozen=True, kw_only=True):
    """What the audit said of one subset."""

    verdict: str
    reason: str
    vector: str | None
    """The vector that the verdict is about; None where nothing was assessed."""
    groups: int | None
    majority_accuracy: float | None
    majority_uniform: float | None
    schemes: list[SchemeKappas]


# What has a default is left out where it is that: manifests frozen before there was such a field keep their bytes.
class SubsetEntry(_Record, frozen=True, kw_only=True, omit_defaults=True):
    """One file of items."""

    name: str
    file: str
    rows: int
    bytes: int
    sha256: str
    order_sha256: str
    """Over the ids in order, a newline after each."""
    groups: int
    """Different values of `group`."""
    conditions: dict[str, int]
    """Items of each condition, in the order of their first appearance."""
    answers: dict[str, int] | None
    """Items of each answer, sorted by answer; None where answers are open."""
    known_leak: str
    """Why a shortcut is expected; empty where none is."""
    audited: str = ""
    """The key of `metadata` that the audit predicted where answers are open; empty where it was the answer."""
    shortcuts: dict[str, float | None] = msgspec.field(default_factory=dict)
    """What each known shortcut reaches, None where it is undefined; empty where none are known."""
    audit: AuditSummary


class Licence(_Record, frozen=True, kw_only=True):
    """SPDX names."""

    data: str = "CC-BY-4.0"
    code: str = "MIT"


class AuditSettings(_Record, frozen=True, kw_only=True):
    """How the subsets were audited; enough to repeat it."""

    protocol: str
    seed: int
    folds: int
    permutations: int
    bootstrap: int
    threshold: float
    alpha: float


class Manifest(_Record, frozen=True, kw_only=True):
    """A whole release."""

    schema: str = SCHEMA
    dataset: str
    version: str
    title: str
    generator: str
    """`hansproof 0.1.0`: what made it; `version` above is the generator's own."""
    seed: int
    date: str | None
    """YYYY-MM-DD where a date of release was given, else None: no clock is read."""
    licence: Licence = Licence()
    canary: str
    subsets: list[SubsetEntry]
    audit_settings: AuditSettings | None
    """None where no subset was audited."""
    versions: dict[str, str]
    """Libraries that the numbers of the audit depend on."""

    def subset(self, name: str) -> SubsetEntry | None:
        """The subset called `name`, or None."""
        return next((one for one in self.subsets if one.name == name), None)


def encode(manifest: Manifest) -> bytes:
    """Indented JSON, keys in the order of the fields, whatever holds only scalars on one line, one newline."""
    return (_laid_out(msgspec.to_builtins(manifest), "") + "\n").encode()


def decode(data: bytes, place: str) -> Manifest:
    """Reads what `encode` wrote.

    Raises InputError, opened by `place`: broken JSON, another schema version, a field that is missing, unknown or
    of another type (with its path), a file name that leads out of the folder, a subset or file named twice.
    """
    try:
        raw = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{place}: not JSON: {error}") from error
    schema = raw.get("schema") if isinstance(raw, dict) else None
    if schema != SCHEMA:
        raise InputError(f"{place}: its schema is {schema!r}; this version reads {SCHEMA!r}")
    try:
        manifest = msgspec.convert(raw, Manifest)
    except msgspec.ValidationError as error:
        raise InputError(f"{place}: not a manifest of schema {SCHEMA!r}: {error}") from error
    for names, what in (
        ([one.name for one in manifest.subsets], "subset"),
        ([one.file for one in manifest.subsets], "file"),
    ):
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        if twice:
            raise InputError(f"{place}: the {what} {twice[0]!r} is listed twice")
    for one in manifest.subsets:
        if not plain_name(one.file):
            raise InputError(f"{place}: {one.file!r} is not the name of a file in this folder")
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
