"""HELM: `instances.json` and `scenario_state.json`, whose references tagged `correct` are the gold answers."""

from __future__ import annotations

from typing import Any

from audit.benchmark import LeftOut
from audit.formats.table import Row, Table, as_name

__all__ = ["instances_of", "is_correct", "is_helm", "text_of"]

_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("choices", "choices"), ("id", "id"), ("split", "split"))


def is_helm(value: Any) -> bool:
    """True for a list of instances, and for an object whose `request_states` hold instances."""
    if isinstance(value, dict):
        states = value.get("request_states")
        return (
            isinstance(states, list)
            and bool(states)
            and all(isinstance(state, dict) and _is_instance(state.get("instance")) for state in states[:5])
        )
    return isinstance(value, list) and bool(value) and all(map(_is_instance, value[:5]))


def instances_of(value: Any) -> Table:
    """One row per instance: a run asks one instance several times, for its references and training sets.

    Instances that a perturbation has changed are set aside, with a note, where originals exist. An instance without a
    correct reference is left out and listed.
    """
    scenario = isinstance(value, dict)
    entries = [state.get("instance") for state in value["request_states"]] if scenario else value
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    seen: set[tuple[str, str]] = set()
    perturbed = 0
    originals = any(isinstance(entry, dict) and not entry.get("perturbation") for entry in entries)
    for number, entry in enumerate(entries, 1):
        place = f"row {number}"
        if not _is_instance(entry):
            left_out.append(LeftOut(place, "not a HELM instance"))
            continue
        if entry.get("perturbation") and originals:
            perturbed += 1
            continue
        prompt, name = text_of(entry["input"]), as_name(entry.get("id"))
        if scenario and (key := (name or "", prompt if isinstance(prompt, str) else "")) in seen:
            continue
        if scenario:
            seen.add(key)
        options = [(text_of(reference.get("output")), is_correct(reference)) for reference in entry["references"]]
        golds = [text for text, correct in options if correct]
        if not golds:
            left_out.append(LeftOut(place, "no reference is tagged correct"))
            continue
        values = {"prompt": prompt, "answer": golds, "id": name or place}
        if entry.get("split") is not None:
            values["split"] = entry["split"]
        if len(golds) < len(options):
            values["choices"] = [text for text, _ in options]
        rows.append(Row(place, values))
    notes = () if not perturbed else (f"{perturbed:,} perturbed copies of instances are set aside",)
    format = "HELM scenario state" if scenario else "HELM instances"
    return Table.of(format, rows, left_out, notes=notes, defaults=_ROLES)


def _is_instance(entry: Any) -> bool:
    """True for an object with an input and a list of references that have outputs and tags."""
    if not isinstance(entry, dict) or text_of(entry.get("input")) is None:
        return False
    references = entry.get("references")
    return isinstance(references, list) and all(
        isinstance(reference, dict) and "output" in reference and isinstance(reference.get("tags"), list)
        for reference in references
    )


def text_of(value: Any) -> Any:
    """The `text` of an input or output; older files have the text itself."""
    return value.get("text") if isinstance(value, dict) else value


def is_correct(reference: dict[str, Any]) -> bool:
    """Whether a reference is one of the right answers."""
    tags = reference.get("tags")
    return isinstance(tags, list) and "correct" in tags
