"""HELM: each subset as a JSON list of instances, in the form that HELM itself writes and reads.

A choice is a reference, the gold one tagged `correct`; an open answer is a single correct reference.
"""

from __future__ import annotations

import json
from typing import Any

from hansproof.generators.item import Item
from hansproof.release.exports.export import Suite, template

__all__ = ["export_files"]

_README = template("helm_readme.txt")


def export_files(suite: Suite) -> dict[str, bytes]:
    """Path -> bytes: `instances/SUBSET.json`, a README."""
    files = {}
    for task in suite.tasks:
        lines = ",\n".join(json.dumps(_instance(item), ensure_ascii=False) for item in task.items)
        files[f"instances/{task.subset}.json"] = f"[\n{lines}\n]\n".encode()
    files["README.md"] = _README.format(release=suite, first=suite.tasks[0].subset).encode()
    return files


def _instance(item: Item) -> dict[str, Any]:
    references = [
        {"output": {"text": choice}, "tags": ["correct"] if choice == item.answer else []}
        for choice in item.choices or (item.answer,)
    ]
    return {"input": {"text": item.prompt}, "references": references, "split": "test", "id": item.id}
