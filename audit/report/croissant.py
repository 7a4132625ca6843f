"""What an audit measured, in the author's own description of the dataset: MLCommons Croissant, vocabulary RAI 1.0.

https://docs.mlcommons.org/croissant/docs/croissant-rai-spec.html
"""

from __future__ import annotations

import json
from typing import Any, Final

from hansproof.audit.notation import one_line, things
from hansproof.audit.report.audit_sentences import simplest
from hansproof.audit.report.words import rule_of, sentence
from hansproof.audit.result.audit_result import AuditResult, ScanResult
from hansproof.audit.result.record import encodable
from hansproof.generators.errors import InputError
from hansproof.generators.jsonl import json_fault, read_bytes, strict_json

__all__ = ["BIASES", "LIMITATIONS", "RAI", "annotated", "read_croissant"]

RAI: Final = "http://mlcommons.org/croissant/RAI/1.0"
"""What a document conforms to that has fields of responsible AI."""
BIASES: Final = "rai:dataBiases"
LIMITATIONS: Final = "rai:dataLimitations"

_PREFIXES: Final = {"rai": "http://mlcommons.org/croissant/RAI/", "dct": "http://purl.org/dc/terms/"}
_LONGEST: Final = 2000


def read_croissant(file: str) -> dict[str, Any]:
    """The author's document. Raises InputError for what is no JSON, or does not describe a dataset at its top."""
    try:
        document = strict_json(read_bytes(file))
        _written(document)  # what cannot be is refused before the audit
    except (ValueError, RecursionError) as error:
        raise InputError(f"is no Croissant file: {json_fault(error)}", file) from error
    kinds = _listed(document.get("@type")) if isinstance(document, dict) else []
    if not isinstance(document, dict) or not any(str(kind).endswith("Dataset") for kind in kinds):
        raise InputError("is no Croissant file: no object with the @type of a Dataset at its top", file)
    return document


def annotated(document: dict[str, Any], result: AuditResult | ScanResult) -> bytes:
    """A copy of the document that says what was measured, and what therefore cannot be concluded.

    What the author wrote is kept, under the author's names for the fields, and ours is appended, once.
    """
    results = [result] if isinstance(result, AuditResult) else result.results
    context = document.get("@context", {})
    terms = {name: to for part in _listed(context) if isinstance(part, dict) for name, to in part.items()}
    if "rai" not in terms:
        rai = {"rai": _PREFIXES["rai"]}
        terms |= rai
        document = document | {"@context": context | rai if isinstance(context, dict) else [*_listed(context), rai]}
    of_biases, of_limitations = (_key(document, terms, name) for name in (BIASES, LIMITATIONS))
    conforms = _key(document, terms, "dct:conformsTo")
    said = {
        of_biases: [_measured(each) for each in results],
        of_limitations: [f"{_named(each)}: {rule_of(each.verdict).limit}" for each in results],
        conforms: [RAI] if conforms in document else [],  # by itself it would say that the document is no Croissant
    }
    for key, values in said.items():
        before = _listed(document.get(key))
        new = [value for value in dict.fromkeys(values) if value not in before and {"@id": value} not in before]
        if new:
            document = document | {key: [*before, *new] if before or len(new) > 1 else new[0]}
    return _written(document)


def _written(document: Any) -> bytes:
    return encodable(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)).encode() + b"\n"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _key(document: dict[str, Any], terms: dict[str, Any], name: str) -> str:
    """The document's own key for a property, by whatever name its context has for it; else `name`, or its address."""
    prefix, _, rest = name.partition(":")
    address = _PREFIXES[prefix] + rest
    usual = name if _address(name, terms) == address else address
    return next((key for key in document if _address(key, terms) == address), usual)


def _address(key: str, terms: dict[str, Any]) -> str:
    """The address that a key stands for (JSON-LD 1.1, 4.1.5): a term of the context, or a prefix and the rest."""
    term = terms.get(key, key)
    name = str(term.get("@id", key) if isinstance(term, dict) else term)
    prefix, colon, rest = name.partition(":")
    return f"{terms[prefix]}{rest}" if colon and isinstance(terms.get(prefix), str) else name


def _named(result: AuditResult) -> str:
    return one_line(result.name, 200)


def _measured(result: AuditResult) -> str:
    """`bench (600 items, SHA-256 0123456789ab), audited with hansproof 0.1.0: LEAKS. ...`"""
    digest = f", SHA-256 {result.sha256[:12]}" if result.sha256 else ""
    how = " --fast" if result.settings.fast else ""
    head = f"{_named(result)} ({things(result.items, 'item')}{digest}), audited with hansproof"
    said = f"{head} {result.versions['hansproof']}{how}: {result.verdict}. {sentence(result.reason)} {simplest(result)}"
    return one_line(said, _LONGEST)
