"""The SARIF log of one audit or of a folder: the kinds of fault, and a result for each."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import quote

from hansproof.audit import notation
from hansproof.audit.notation import drawn
from hansproof.audit.report.open_ended_sentences import MEANINGS
from hansproof.audit.report.words import VERDICTS, sentence
from hansproof.audit.result.audit_result import AuditResult, Exclusion, Giveaway, ScanResult, Verdict

__all__ = ["sarif_log"]

Level = Literal["error", "warning", "note"]


class Rule(NamedTuple):
    """One kind of fault."""

    id: str
    level: Level
    title: str
    help: str
    """What it means and what to do, for somebody who knows nothing of this audit."""

    def descriptor(self) -> dict[str, Any]:
        """The `reportingDescriptor` of SARIF (section 3.49)."""
        return {
            "id": self.id,
            "name": "".join(word.capitalize() for word in self.id.split("-")),
            "shortDescription": {"text": self.title},
            "fullDescription": {"text": self.help},
            "help": {"text": self.help, "markdown": self.help},
            "defaultConfiguration": {"level": self.level},
            "properties": {"tags": ["benchmark", "shortcut"], "problem.severity": _SEVERITIES[self.level]},
        }


_SEVERITIES: Final = {"error": "error", "warning": "warning", "note": "recommendation"}

_VERDICTS: Final[dict[Verdict, tuple[Level, str]]] = {
    "LEAKS": ("error", "The answers can be predicted from surface cues."),
    "TEMPLATE-BOUND": ("error", "The answers can be predicted from the templates of the items."),
    "IMBALANCED": ("warning", "One answer is so common that always giving it looks like skill."),
    "TRACES": ("warning", "A surface cue predicts some of the answers."),
    "INCONCLUSIVE": ("note", "The items can neither show a leak nor rule one out."),
    "NOT ASSESSED": ("note", "The benchmark could not be judged."),
}
"""All but CLEAN, which is no fault."""


def _verdict_rule(verdict: Verdict) -> Rule:
    level, title = _VERDICTS[verdict]
    return Rule(verdict.lower().replace(" ", "-"), level, title, VERDICTS[verdict].meaning)


_OPEN: Final[dict[Verdict, str]] = {
    "LEAKS": "A strategy without the ability gives many of the answers.",
    "TEMPLATE-BOUND": "Other items of a template give the answer away.",
    "IMBALANCED": "One answer is so common that always giving it looks like skill, though the answers are open.",
    "TRACES": "A strategy without the ability gives some of the answers.",
}
"""What a verdict says of open-ended answers, where that is not what it says of labels."""


def _open_rule(verdict: Verdict) -> Rule:
    name = "open-" + verdict.lower().replace(" ", "-")
    return Rule(name, _VERDICTS[verdict][0], _OPEN[verdict], MEANINGS[verdict])


GIVEAWAY: Final = Rule(
    "giveaway-item",
    "note",
    "The answer of this item can be predicted without solving it.",
    "A probe that never saw this item or its group gives its gold answer a high probability, from the counts of words "
    "or tokens alone. Rewrite the item so that its wording goes with every answer equally often, or remove it; "
    "`hansproof harden` finds out how many items that costs. The ten most predictable items are reported.",
)
CONFLICT: Final = Rule(
    "conflicting-answers",
    "warning",
    "The same text has different gold answers.",
    "Items whose texts are equal after folding case and white space have different gold answers, so at most one of "
    "them can be right. Correct the answers, or remove the items.",
)
SPLITS: Final = Rule(
    "shared-by-splits",
    "warning",
    "The same text is in more than one published split.",
    "A model that was trained on one split has seen items of the other. Keep each text in a single split.",
)
LEFT_OUT: Final = Rule(
    "unusable-row",
    "note",
    "This row could not be audited.",
    "The row has no prompt, no gold answer, or could not be read. Repair it, or remove it.",
)

SOLVED: Final = Rule(
    "solved-blindly",
    "note",
    "A strategy that does not solve this item gives its answer.",
    "The strategy of the verdict copies, counts, calculates at face value or goes by a cue that it learnt from other "
    "items, and gets this item right. Vary what it goes by: where the answer stands, what else is mentioned, which "
    "calculation goes with which words. At most ten such items are reported.",
)

RULES: Final = (
    *map(_verdict_rule, _VERDICTS), GIVEAWAY, CONFLICT, SPLITS, LEFT_OUT, *map(_open_rule, _OPEN), SOLVED,
)  # fmt: skip
"""Every rule; a result names its rule by the place in this order."""


def rule_of(verdict: Verdict, *, open_ended: bool = False) -> Rule | None:
    """The rule of a verdict, on labels or on open-ended answers; None for CLEAN."""
    if open_ended and verdict in _OPEN:
        return _open_rule(verdict)
    return _verdict_rule(verdict) if verdict in _VERDICTS else None


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
                    "driver": {
                        "name": "hansproof",
                        "semanticVersion": version,
                        "rules": [rule.descriptor() for rule in RULES],
                    }
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
        rule = rule_of(result.verdict, open_ended=result.open_ended is not None)
        if rule is None:
            return []
        said = [f"{result.verdict}: {sentence(result.reason)}", *result.advice]
        return [self._entry(rule, " ".join(said), [""], result.name)]

    def _giveaways(self) -> list[dict[str, Any]]:
        if self._result.verdict not in _GUILTY:
            return []
        level: Level = "warning" if self._result.verdict == "LEAKS" else "note"
        return [
            self._entry(GIVEAWAY, _why(item), [item.place or item.id], item.prompt, item.answer, level=level)
            for item in self._result.giveaways
        ]

    def _solved(self) -> list[dict[str, Any]]:
        record = self._result.open_ended
        if record is None or self._result.verdict not in _GUILTY:
            return []
        return [
            self._entry(
                SOLVED,
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
            self._entry(CONFLICT, f"{len(ids)} items have the same text and different gold answers.", ids, *sorted(ids))
            for ids in known.conflicting
        ]
        if known.across_splits:
            said = f"{notation.things(known.across_splits, 'text')} in more than one published split."
            entries.append(self._entry(SPLITS, said, [""], self._result.name))
        return entries

    def _left_out(self) -> list[dict[str, Any]]:
        return [
            self._entry(LEFT_OUT, f"Not audited: {row.reason}.", [row.place], row.place, row.reason)
            for row in self._result.left_out[:_LISTED]
        ]

    def _entry(
        self, rule: Rule, text: str, places: Sequence[str], *identity: str, level: Level | None = None
    ) -> dict[str, Any]:
        """One result. `places` are lines, rows or ids; the empty text is the file as a whole."""
        locations = [self._location(place) for place in places]
        entry: dict[str, Any] = {
            "ruleId": rule.id,
            "ruleIndex": RULES.index(rule),
            "level": level or rule.level,
            "message": {"text": _message(text)},
            "locations": locations[:1],
            "partialFingerprints": {"hansproof/v1": _fingerprint(rule.id, self._result.name, *identity)},
        }
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
