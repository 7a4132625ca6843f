"""The SARIF log of one audit or of a folder: the kinds of fault, and a result for each."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from hansproof.audit import notation
from hansproof.audit.notation import drawn
from hansproof.audit.report.words import RULES, Rule, rule_of, sentence
from hansproof.audit.result.audit_result import AuditResult, Exclusion, Giveaway, ScanResult

__all__ = ["sarif_log"]

_SEVERITIES: Final = {"error": "error", "warning": "warning", "note": "recommendation"}
_LOGGED: Final = [rule for rule in RULES.values() if rule.level]
"""The kinds of fault; a result names its rule by the place in this order."""


def _descriptor(rule: Rule) -> dict[str, Any]:
    """The `reportingDescriptor` of SARIF (section 3.49)."""
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.meaning},
        "help": {"text": rule.meaning, "markdown": rule.meaning},
        "defaultConfiguration": {"level": rule.level},
        "properties": {"tags": ["benchmark", "shortcut"], "problem.severity": _SEVERITIES[rule.level]},
    }


# SARIF 2.1.0 (OASIS 2020). The fingerprint of a result is made from the text of the item, not from its line: reordering
# the rows of a file opens no new alerts. CLEAN gives no result, which closes them.

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_GUILTY: Final = ("LEAKS", "TEMPLATE-BOUND", "TRACES")
"""Verdicts whose most predictable items are worth looking at."""
_LINE: Final = re.compile(r"line ([1-9][0-9]{0,9})\Z")
_PACKED: Final = (".gz", ".zst", ".zstd")
_LISTED: Final = 100
"""Rows left out that are reported for one benchmark."""
_LONGEST: Final = 1000


def sarif_log(result: AuditResult | ScanResult, version: str, root: str = "") -> dict[str, Any]:
    """The log as plain dicts and lists. `version` is that of hansproof.

    Files inside the folder `root` are named relative to it, as code-scanning pages want; others as they were named.
    """
    results = [result] if isinstance(result, AuditResult) else result.results
    failures = []
    if isinstance(result, ScanResult):
        # To keep silent about a file that an interrupted run did not reach would close its alerts.
        why = "the run was interrupted before this file"
        failures = [*result.failures, *(Exclusion(place=file, reason=why) for file in result.unfinished)]
    artifacts = {repr(entry): entry for entry in (_artifact(of, root) for of in results)}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "hansproof", "semanticVersion": version, "rules": [*map(_descriptor, _LOGGED)]}
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": not failures,
                        "toolExecutionNotifications": [_notification(failure, root) for failure in failures],
                    }
                ],
                "artifacts": list(artifacts.values()),  # the schema wants each once
                "results": [entry for of in results for entry in _Benchmark(of, root).entries()],
            }
        ],
    }


class _Benchmark:
    """The results of one benchmark."""

    def __init__(self, result: AuditResult, root: str) -> None:
        self._result, self._root = result, root
        self._has_lines = not result.source.lower().endswith(_PACKED)  # nobody sees the lines of a packed file

    def entries(self) -> list[dict[str, Any]]:
        """The verdict first, then giveaways, texts with several golds, texts in several splits, rows left out."""
        return [*self._verdict(), *self._giveaways(), *self._solved(), *self._duplicates(), *self._left_out()]

    def _verdict(self) -> list[dict[str, Any]]:
        result = self._result
        rule = rule_of(result.verdict, result.shape)
        if not rule.level:
            return []
        said = [f"{result.verdict}: {sentence(result.reason)}", *result.advice]
        return [self._entry(rule.name, " ".join(said), [""], result.name)]

    def _giveaways(self) -> list[dict[str, Any]]:
        if self._result.verdict not in _GUILTY:
            return []
        level = "warning" if self._result.verdict == "LEAKS" else "note"
        return [
            self._entry("giveaway-item", _why(item), [item.place or item.id], item.prompt, item.answer, level=level)
            for item in self._result.giveaways
        ]

    def _solved(self) -> list[dict[str, Any]]:
        record = self._result.open_ended
        if record is None or self._result.verdict not in _GUILTY:
            return []
        return [
            self._entry(
                "solved-blindly",
                f"“{record.strategy}” gives the gold answer “{drawn(item.answer[:100])}”: “{item.prompt[-300:]}”",
                [item.place or item.id], item.prompt, item.answer,
            )
            for item in record.solved
        ]  # fmt: skip

    def _duplicates(self) -> list[dict[str, Any]]:
        known = self._result.duplicates
        if known is None:
            return []
        entries = [
            self._entry(
                "conflicting-answers",
                f"{len(ids)} items have the same text and different gold answers.",
                ids,
                *sorted(ids),
            )
            for ids in known.conflicting
        ]
        if known.across_splits:
            said = f"{notation.things(known.across_splits, 'text')} in more than one published split."
            entries.append(self._entry("shared-by-splits", said, [""], self._result.name))
        return entries

    def _left_out(self) -> list[dict[str, Any]]:
        return [
            self._entry("unusable-row", f"Not audited: {row.reason}.", [row.place], row.place, row.reason)
            for row in self._result.left_out[:_LISTED]
        ]

    def _entry(self, name: str, text: str, places: Sequence[str], *identity: str, level: str = "") -> dict[str, Any]:
        """One result. `places` are lines, rows or ids; the empty text is the file as a whole."""
        locations = [self._location(place) for place in places]
        entry: dict[str, Any] = {
            "ruleId": RULES[name].id,
            "ruleIndex": _LOGGED.index(RULES[name]),
            "level": level or RULES[name].level,
            "message": {"text": _message(text)},
            "locations": locations[:1],
            "partialFingerprints": {"hansproof/v1": _fingerprint(name, self._result.name, *identity)},
        }
        ignored = self._result.policy.ignored if self._result.policy else {}
        if why := ignored.get(RULES[name].id):
            entry["suppressions"] = [{"kind": "external", "justification": _message(why)}]
        if len(locations) > 1:
            entry["relatedLocations"] = [{"id": number, **at} for number, at in enumerate(locations[1:], 1)]
        return entry

    def _location(self, place: str) -> dict[str, Any]:
        line = _LINE.match(place) if self._has_lines else None
        location: dict[str, Any] = {
            "physicalLocation": {
                "artifactLocation": _artifact_location(self._result.source, self._root),
                "region": {"startLine": int(line[1]) if line else 1},
            }
        }
        if place and not line:
            location["logicalLocations"] = [{"name": notation.one_line(place, 200), "kind": "element"}]
        return location


def _why(item: Giveaway) -> str:
    words = dict.fromkeys(item.prompt[cue.start : cue.end] for cue in item.cues if cue.label == item.answer)
    cues = ", ".join(f"“{drawn(word[:40])}”" for word in list(words)[:6])
    return (
        f"The gold answer “{drawn(item.answer[:100])}” has the out-of-fold probability "
        f"{notation.kappa(item.probability)}{f', because of {cues}' if cues else ''}: “{item.prompt[:300]}”"
    )


def _artifact(result: AuditResult, root: str) -> dict[str, Any]:
    hashes = {"hashes": {"sha-256": result.sha256}} if result.sha256 else {}
    return {"location": _artifact_location(result.source, root), **hashes}


def _artifact_location(source: str, root: str) -> dict[str, Any]:
    """The address of a source: relative to `root` where it lies inside, so that a page can link it."""
    if source.startswith("hf://"):
        return {"uri": _quoted(source, ":/@")}
    path = PurePath(source)
    if path.is_absolute():
        if not root or not path.is_relative_to(root):
            return {"uri": "file://" + _quoted(path.as_posix())}
        path = path.relative_to(root)
    return {"uri": _quoted(path.as_posix()), "uriBaseId": "%SRCROOT%"}


def _quoted(path: str, safe: str = "/") -> str:
    """A path in an address: the bytes that the file system has, so that a name that is not UTF-8 is found again."""
    try:
        return quote(os.fsencode(path), safe=safe)
    except UnicodeEncodeError:  # no name of a file
        return quote(path, safe=safe, errors="replace")


def _notification(failure: Exclusion, root: str) -> dict[str, Any]:
    return {
        "level": "error",
        "message": {"text": _message(f"{failure.place}: {failure.reason}")},
        "locations": [
            {"physicalLocation": {"artifactLocation": _artifact_location(failure.place.partition(": ")[0], root)}}
        ],
    }


def _message(text: str) -> str:
    """`text` on one safe line; braces and brackets are escaped, which else make placeholders and links (3.11)."""
    line = notation.one_line(text, _LONGEST)
    for old, new in (("\\", "\\\\"), ("[", "\\["), ("]", "\\]"), ("{", "{{"), ("}", "}}")):
        line = line.replace(old, new)
    return line


def _fingerprint(*parts: str) -> str:
    """The same for the same item wherever it stands; white space and case do not count."""
    folded = "\x00".join(" ".join(part.split()).casefold() for part in parts)
    return sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()[:32]
