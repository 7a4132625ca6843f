"""Item, the record type of every dataset, and its canonical line of JSON.

Generators make items and trust them. Records from a file go through `Item.from_record`, which reports all faults of a
record at once. `jsonl` reads and writes whole files.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from math import isfinite
from typing import Any
from unicodedata import is_normalized

import msgspec

from hansproof.generators.errors import Fault, InputError

__all__ = ["KEYS", "METADATA_KEYS", "Item", "record_faults"]

KEYS = ("id", "prompt", "choices", "answer", "group", "condition", "metadata")
METADATA_KEYS = ("dataset", "version", "subset", "seed", "canary")

_INT64 = 2**63  # Arrow has no wider integer
_LEAST = -_INT64
_TEXTS, _NUMBERS, _TRUTHS = {str}, {int}, {bool}
_PLAIN = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
# The same bytes for strings, integers and lists of them (a test compares every ASCII character), but much faster: the
# fields keep their order, and the metadata is sorted at every level.
_FAST = msgspec.json.Encoder(order="deterministic").encode


@dataclass(frozen=True)
class Item:
    """One question with its gold answer. The fields are in the order in which they are written."""

    id: str
    """`knights-knaves/2.1.0/S-3/000017`: dataset, version, subset and index. An id never changes its meaning."""
    prompt: str
    """Exactly what a model is shown, before any prompt style."""
    choices: tuple[str, ...] | None
    """The allowed answers if the item is multiple choice (a list in JSON), else None."""
    answer: str | None
    """The gold answer in canonical form, one of `choices` if there are any. None if the item measures behaviour and no
    answer is right."""
    group: str
    """Shared by items that must stay on the same side of a train/test split: a matched pair, a template, a story."""
    condition: str
    """The experimental arm: `original` / `perturbed`, `consistent` / `inconsistent`, ..."""
    metadata: dict[str, Any]
    """The design variables that made the item; never shown to a model. Always has METADATA_KEYS."""

    @classmethod
    def from_record(cls, record: object, place: str) -> Item:
        """The item that a parsed JSON object describes.

        Raises InputError with every fault; each has `place` (`bench.jsonl: line 812`) as its place.
        """
        faults = record_faults(record)
        if faults or not isinstance(record, dict):
            raise InputError.of([Fault(fault, place) for fault in faults])
        choices = record["choices"]
        return cls(**{**record, "choices": None if choices is None else tuple(choices)})

    def record(self) -> dict[str, Any]:
        """The item as a JSON object: keys in the order of KEYS, metadata sorted by key at every level."""
        choices = None if self.choices is None else list(self.choices)
        metadata = _sorted(self.metadata)
        values = (self.id, self.prompt, choices, self.answer, self.group, self.condition, metadata)
        return dict(zip(KEYS, values, strict=True))

    def digest(self) -> str:
        """Twelve hexadecimal digits of SHA-256 that tell items with the same id but other prompts (seeds) apart."""
        return sha256(self.prompt.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def line_digest(self) -> str:
        """Sixteen hexadecimal digits of SHA-256 over the whole line: they also tell games apart that begin with the
        same prompt, and in which other things can happen. Raises InputError as `line` does."""
        return sha256(self.line()).hexdigest()[:16]

    def line(self) -> bytes:
        """The canonical bytes: UTF-8 JSON without spaces and a newline. Equal items give equal bytes.

        Raises InputError with every fault if the item breaks a rule of its fields; the place is `item 'ID'`.
        """
        if _is_sound(self):
            try:
                line = _FAST(self)
            except UnicodeEncodeError:  # half a surrogate pair: reported below, with its place
                line = b"\xff"
            if line.isascii():
                return line + b"\n"
        record = self.record()
        _refuse(self.id, record)
        return f"{_PLAIN(record)}\n".encode()


def _refuse(name: str, record: dict[str, Any]) -> None:
    """Raises InputError with every fault of the record, if it has any."""
    faults = record_faults(record)
    if faults:
        raise InputError.of([Fault(fault, f"item {name!r}") for fault in faults])


def _is_sound(item: Item) -> bool:
    """A fast check that nearly every item passes; if it does, only the characters of its texts can still be faulty.

    An item that fails it is not necessarily faulty: `record_faults` decides, and words the faults.
    """
    metadata = item.metadata
    if type(metadata) is not dict or {*map(type, metadata)} != _TEXTS:
        return False
    if item.choices is not None and not _are_sound(item.choices, item.answer):
        return False
    dataset, version, subset, seed, canary = map(metadata.get, METADATA_KEYS)
    if type(seed) is not int:
        return False
    name = item.id
    answer = "null" if item.answer is None else item.answer
    texts: tuple[Any, ...] = (name, item.prompt, answer, item.group, item.condition, dataset, version, subset, canary)
    # strip copies no text without spaces around it.
    if {*map(type, texts)} != _TEXTS or not all(map(str.strip, texts)):
        return False
    for value in metadata.values():
        if type(value) is not str and value is not None and not _is_value(value):
            return False
    head, _, index = name.rpartition("/")
    return head == f"{dataset}/{version}/{subset}" and index.isdigit() and index.isascii()


def _is_value(value: object) -> bool:
    """Whether a value of the metadata is a truth value, a number of 64 bits, or a list of values of one kind."""
    if type(value) is int:
        return _LEAST <= value < _INT64
    if type(value) is list or type(value) is tuple:
        kinds = {*map(type, value)}
        if kinds == _NUMBERS:
            return bool(min(value) >= _LEAST and max(value) < _INT64)
        return not kinds or kinds in (_TEXTS, _TRUTHS)
    return type(value) is bool


def _are_sound(choices: tuple[str, ...], answer: str | None) -> bool:
    if type(choices) is not tuple or {*map(type, choices)} != _TEXTS:
        return False
    if any(not choice or choice.isspace() for choice in choices):
        return False
    return 2 <= len(choices) == len({*choices}) and (answer is None or answer in choices)


def record_faults(record: object) -> list[str]:
    """All faults, in words, that keep a parsed JSON value from being an item; empty if there are none."""
    if not isinstance(record, dict):
        return [f"an item must be a JSON object, not {_kind(record)}"]
    faults = [f"lacks {key!r}" for key in KEYS if key not in record]
    faults += [f"has the unknown key {key!r}" for key in record if key not in KEYS]
    for key in ("id", "prompt", "answer", "group", "condition"):
        if key in record and not (key == "answer" and record[key] is None):
            faults += _text_faults(key, record[key])
    if record.get("choices") is not None:
        faults += _choice_faults(record["choices"], record.get("answer"))
    if "metadata" in record:
        faults += _metadata_faults(record["metadata"])
        faults += _id_faults(record.get("id"), record["metadata"])
    return faults


def _text_faults(key: str, value: object) -> list[str]:
    if not isinstance(value, str):
        return [f"{key} is {_kind(value)}, not a string"]
    if not value.strip():
        return [f"{key} is empty"]
    return _unicode_faults(key, value)


def _unicode_faults(place: str, value: str) -> list[str]:
    if value.isascii():
        return []
    if any("\ud800" <= character <= "\udfff" for character in value):
        return [f"{place} contains half a surrogate pair, which UTF-8 cannot encode"]
    # Every text has a single encoding: otherwise two rows could look alike and have different digests.
    return [] if is_normalized("NFC", value) else [f"{place} is not in Unicode normalisation form NFC"]


def _choice_faults(choices: object, answer: object) -> list[str]:
    if not isinstance(choices, list):
        return [f"choices is {_kind(choices)}, neither a list nor null"]
    faults = [fault for i, choice in enumerate(choices) for fault in _text_faults(f"choices[{i}]", choice)]
    if faults:
        return faults
    if len(choices) < 2:
        return [f"choices must have at least two answers, not {len(choices)}"]
    if len(set(choices)) < len(choices):
        faults.append("choices repeats an answer")
    if isinstance(answer, str) and answer not in choices:
        listed = ", ".join(map(repr, choices))
        faults.append(f"answer is {answer!r}, not one of choices ({listed})")
    return faults


def _metadata_faults(metadata: object) -> list[str]:
    if not isinstance(metadata, dict):
        return [f"metadata is {_kind(metadata)}, not an object"]
    faults = [f"metadata lacks {key!r}" for key in METADATA_KEYS if key not in metadata]
    for key in ("dataset", "version", "subset", "canary"):
        if key in metadata:
            faults += _text_faults(f"metadata.{key}", metadata[key])
    seed = metadata.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int):
        faults.append(f"metadata.seed is {_kind(seed)}, not an integer")
    for key, value in metadata.items():
        if isinstance(key, str) and key in ("dataset", "version", "subset", "canary"):
            continue
        if not (isinstance(key, str) and key.isascii() and _is_plain(value)):
            faults += _value_faults(f"metadata.{key}", key, value)
    return faults


def _is_plain(value: object) -> bool:
    """A fast check that nearly every value passes: True if the value certainly has no fault."""
    if type(value) is str:
        return value.isascii()
    if type(value) is list or type(value) is tuple:
        for entry in value:  # noqa: SIM110  # a generator expression would cost more than the check
            if not (entry.isascii() if type(entry) is str else _is_plain(entry)):
                return False
        return True
    if type(value) is float:
        return isfinite(value)
    return value is None or (isinstance(value, int) and -_INT64 <= value < _INT64)


def _value_faults(place: str, key: object, value: object) -> list[str]:
    """Faults of a value that JSON, Arrow or UTF-8 would refuse, with its path."""
    if not isinstance(key, str):
        return [f"{place}: a key must be a string, not {_kind(key)}"]
    faults = _unicode_faults(f"the key {place}", key)
    if isinstance(value, str):
        faults += _unicode_faults(place, value)
    elif isinstance(value, dict):
        for inner, entry in value.items():
            faults += _value_faults(f"{place}.{inner}", inner, entry)
    elif isinstance(value, list | tuple):
        for i, entry in enumerate(value):
            faults += _value_faults(f"{place}[{i}]", key, entry)
    elif isinstance(value, float):
        faults += [] if isfinite(value) else [f"{place} is {value}, not a finite number"]
    elif isinstance(value, int):
        faults += [] if -_INT64 <= value < _INT64 else [f"{place} does not fit into 64 bits"]
    elif value is not None:
        faults.append(f"{place} is a {type(value).__name__}, which JSON cannot represent")
    return faults


def _id_faults(name: object, metadata: object) -> list[str]:
    if not isinstance(name, str) or not isinstance(metadata, dict):
        return []
    parts = [metadata.get(key) for key in ("dataset", "version", "subset")]
    if not all(isinstance(part, str) for part in parts):
        return []
    start = "/".join(map(str, parts)) + "/"
    index = name.removeprefix(start)
    if index == name or not (index.isascii() and index.isdigit()):
        return [f"id is {name!r}, but must be {start!r} followed by an index"]
    return []


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value, key=str)}
    if isinstance(value, list | tuple):
        return [_sorted(entry) for entry in value]
    return value


def _kind(value: object) -> str:
    """The type of a parsed JSON value, in the terms of JSON."""
    names: dict[type, str] = {bool: "a boolean", int: "a number", float: "a number", str: "a string"}
    names |= {list: "a list", tuple: "a list", dict: "an object", type(None): "null"}
    return names.get(type(value), f"a {type(value).__name__}")
