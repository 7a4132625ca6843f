"""The frozen set: `python -m generators.planted_cues.frozen FOLDER` writes datasets/planted-cues/1.0.0 anew.

One file a subset, `manifest.json` and `SHA256SUMS`. The same bytes come out on every machine, so that anyone
can check the published files by making them again.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from generators.errors import HansproofError, InputError
from generators.jsonl import dump, write_bytes
from generators.planted_cues.benchmark import CANARY, DATASET, SUBSETS, TEMPLATES, VERSION, generate

__all__ = ["ROWS", "SEED", "build", "release_files"]

SEED = 1
ROWS = 600  # a subset


def release_files() -> dict[str, bytes]:
    """The files of the frozen set by name, in the order of writing; `SHA256SUMS` is last and lists all."""
    files: dict[str, bytes] = {}
    entries: list[dict[str, Any]] = []
    for name, subset in SUBSETS.items():
        data = dump(generate(name, SEED, ROWS))
        files[f"{name}.jsonl"] = data
        entries.append(
            {
                "name": name,
                "file": f"{name}.jsonl",
                "rows": ROWS,
                "bytes": len(data),
                "sha256": sha256(data).hexdigest(),
                "strength": subset.strength,
                "majority_share": (1 + subset.strength) / 2 if name == "imbalance" else 0.5,
                "groups": TEMPLATES if name == "template-only" else ROWS,
                "cue": subset.cue,
            }
        )
    manifest = {
        "dataset": DATASET,
        "version": VERSION,
        "description": "Benchmarks with a known cue at a known strength, for testing audits. The answers are "
        "independent of what the texts say, so this is no test of reasoning.",
        "generator": {"name": "generators.planted_cues", "version": VERSION},
        "seed": SEED,
        "licence": "CC-BY-4.0",
        "canary": CANARY,
        "subsets": entries,
    }
    files["manifest.json"] = json.dumps(manifest, indent=2, ensure_ascii=False).encode() + b"\n"
    sums = [f"{sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())]
    files["SHA256SUMS"] = "".join(sums).encode()
    return files


def build(folder: Path | str) -> list[Path]:
    """Write the frozen set into `folder`, made where there is none; returns the paths written.

    Raises InputError, before anything is written, where one of the files is there already.
    """
    folder = Path(folder)
    names = [*(f"{name}.jsonl" for name in SUBSETS), "manifest.json", "SHA256SUMS"]
    there = [name for name in names if (folder / name).exists()]
    if there:
        raise InputError(f"{folder}: holds {', '.join(there)} already; name an empty folder")
    files = release_files()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror or error}") from error
    for name, data in files.items():
        write_bytes(folder / name, data)
    return [folder / name for name in files]


def _main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m generators.planted_cues.frozen FOLDER", file=sys.stderr)
        return 2
    try:
        for path in build(arguments[0]):
            print(path)
    except HansproofError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
