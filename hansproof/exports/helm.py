"""HELM: each subset as a JSON list of instances, in the form in which HELM itself writes and reads them.

A choice is a reference, the gold one tagged `correct`; an open answer is a single correct reference.
"""

from __future__ import annotations

import json
from typing import Any

from generators.item import Item
from hansproof.release.frozen import FrozenRows

__all__ = ["export_files"]

_README = """\
# {release} for HELM

`instances/SUBSET.json` is a list of HELM instances. In a scenario of yours, `get_instances` is then:

    from helm.benchmark.scenarios.scenario import Instance
    from helm.common.codec import from_json

    return from_json(Path("instances/{first}.json").read_text(encoding="utf-8"), list[Instance])

`rows/` has the release's own rows, byte for byte; an instance's `id` is the row's. Open answers: let the
adapter's instructions ask for the answer alone, and score with `exact_match`; prefix metrics would take 60 for 6.
"""


def export_files(release: FrozenRows) -> dict[str, bytes]:
    """Path -> bytes: `instances/SUBSET.json`, a README."""
    files = {}
    for rows in release.subsets:
        lines = ",\n".join(json.dumps(_instance(item), ensure_ascii=False) for item in rows.items)
        files[f"instances/{rows.subset}.json"] = f"[\n{lines}\n]\n".encode()
    files["README.md"] = _README.format(release=release, first=release.subsets[0].subset).encode()
    return files


def _instance(item: Item) -> dict[str, Any]:
    references = [
        {"output": {"text": choice}, "tags": ["correct"] if choice == item.answer else []}
        for choice in item.choices or (item.answer,)
    ]
    return {"input": {"text": item.prompt}, "references": references, "split": "test", "id": item.id}
