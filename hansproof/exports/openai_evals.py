"""OpenAI evals: samples of `input` and `ideal` in a registry folder, one eval a subset.

With choices a reply must begin with the answer (`Match`); an open answer must stand somewhere in it (`Includes`).
A number may stand in it by chance: it is asked for alone and compared as a number (`JsonMatch`).
"""

from __future__ import annotations

import json

from generators.styles.prompts import render
from hansproof.release.frozen import FrozenRows, Rows

__all__ = ["export_files"]

_README = """\
# {release} for OpenAI evals

    oaieval MODEL {first} --registry_path registry

{tasks}
`rows/` has the release's own rows, byte for byte; a sample's `id` is the row's. Where all answers
are numbers, the model is asked for the number alone (as in the prompt style `direct`), and only a bare number is right.
"""


def export_files(release: FrozenRows) -> dict[str, bytes]:
    """Path -> bytes: samples under `registry/data`, the evals' YAML under `registry/evals`, a README."""
    files = {}
    yaml = f"# {release}; made by hansproof.\n"
    for rows in release.subsets:
        task = release.task(rows)
        samples = f"{release.identifier}/{rows.subset}.jsonl"
        files[f"registry/data/{samples}"] = _samples(rows)
        open_kind = "json_match:JsonMatch" if rows.numbers else "includes:Includes"
        kind = "match:Match" if rows.choices else open_kind
        yaml += (
            f"{task}:\n  id: {task}.test.v{release.version}\n  metrics: [accuracy]\n"
            f"{task}.test.v{release.version}:\n  class: evals.elsuite.basic.{kind}\n"
            f"  args:\n    samples_jsonl: {json.dumps(samples)}\n"
        )
    files[f"registry/evals/{release.identifier}.yaml"] = yaml.encode()
    tasks = "".join(f"- `{release.task(rows)}`\n" for rows in release.subsets)
    readme = _README.format(release=release, first=release.task(release.subsets[0]), tasks=tasks)
    files["README.md"] = readme.encode()
    return files


def _samples(rows: Rows) -> bytes:
    lines = []
    for item in rows.items:
        style = "direct" if rows.numbers else "zero-shot"
        sample = {"id": item.id, "input": render(item, style, chat=True), "ideal": item.answer}
        lines.append(json.dumps(sample, ensure_ascii=False) + "\n")
    return "".join(lines).encode()
