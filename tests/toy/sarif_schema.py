"""What the JSON Schema of SARIF 2.1.0 (OASIS, errata 01) demands of the objects that our log has.

The keys of each object are those that we write; `sarif_om` knows the others. Types, enumerations, smallest numbers,
required keys and lists without repetition are those of the official schema.
"""

from __future__ import annotations

from typing import Any

import jsonschema

__all__ = ["faults_of"]

TEXT = {"type": "string"}
FROM_MINUS_1 = {"type": "integer", "minimum": -1}
FROM_1 = {"type": "integer", "minimum": 1}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
TEXTS = {"type": "object", "additionalProperties": TEXT}


def of(name: str) -> dict[str, Any]:
    return {"$ref": f"#/definitions/{name}"}


def many(item: dict[str, Any], unique: bool = True) -> dict[str, Any]:
    return {"type": "array", "items": item, "uniqueItems": unique}


def an_object(*required: str, either: tuple[str, ...] = (), **keys: dict[str, Any]) -> dict[str, Any]:
    made = {"type": "object", "additionalProperties": False, "properties": keys, "required": list(required)}
    return made | ({"anyOf": [{"required": [key]} for key in either]} if either else {})


DEFINITIONS = {
    "run": an_object(
        "tool", tool=of("tool"), columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        invocations=many(of("invocation"), unique=False), artifacts=many(of("artifact")),
        results=many(of("result"), unique=False),
    ),
    "tool": an_object("driver", driver=of("toolComponent")),
    "toolComponent": an_object("name", name=TEXT, semanticVersion=TEXT, rules=many(of("reportingDescriptor"))),
    "reportingDescriptor": an_object(
        "id", id=TEXT, name=TEXT, shortDescription=of("multiformatMessageString"),
        fullDescription=of("multiformatMessageString"), help=of("multiformatMessageString"),
        defaultConfiguration=an_object(level=LEVEL), properties=of("propertyBag"),
    ),
    "multiformatMessageString": an_object("text", text=TEXT, markdown=TEXT),
    "propertyBag": {"type": "object", "properties": {"tags": many(TEXT)}},
    "invocation": an_object(
        "executionSuccessful", executionSuccessful={"type": "boolean"},
        toolExecutionNotifications=many(of("notification"), unique=False),
    ),
    "notification": an_object("message", message=of("message"), level=LEVEL, locations=many(of("location"))),
    "message": an_object(either=("text", "id"), text=TEXT, markdown=TEXT, id=TEXT),
    "artifact": an_object(location=of("artifactLocation"), hashes=TEXTS),
    "artifactLocation": an_object(uri=TEXT, uriBaseId=TEXT),
    "result": an_object(
        "message", message=of("message"), ruleId=TEXT, ruleIndex=FROM_MINUS_1, level=LEVEL,
        locations=many(of("location"), unique=False), relatedLocations=many(of("location")), partialFingerprints=TEXTS,
    ),
    "location": an_object(
        id=FROM_MINUS_1, physicalLocation=of("physicalLocation"), logicalLocations=many(of("logicalLocation"))
    ),
    "physicalLocation": an_object(
        either=("address", "artifactLocation"), artifactLocation=of("artifactLocation"), region=of("region")
    ),
    "region": an_object(either=("startLine", "charOffset", "byteOffset"), startLine=FROM_1),
    "logicalLocation": an_object(name=TEXT, kind=TEXT),
}  # fmt: skip

SCHEMA = {
    "$schema": "http://json-schema.org/draft-04/schema#",
    "definitions": DEFINITIONS,
    **an_object(
        "version", "runs", version={"enum": ["2.1.0"]}, runs=many(of("run"), unique=False), **{"$schema": TEXT}
    ),
}


def faults_of(log: Any) -> list[str]:
    """Where and how a log breaks the schema; empty for a valid one."""
    errors = jsonschema.Draft4Validator(SCHEMA).iter_errors(log)
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in errors]
