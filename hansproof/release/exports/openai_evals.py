"""OpenAI evals: samples of `input` and `ideal` in a registry folder, one eval per subset.

With choices, a reply must begin with the answer (`Match`); an open answer may stand anywhere in it (`Includes`).
A number could stand there by chance, so the sample asks for the number alone and compares it as a number (`JsonMatch`).
"""

from __future__ import annotations

import json

from hansproof.generators.styles.rendering import render
from hansproof.release.exports.export import Suite, Task, template

__all__ = ["export_files"]

_README = template("openai_evals_readme.txt")


def export_files(suite: Suite) -> dict[str, bytes]:
    """Path -> bytes: samples under `registry/data`, the evals' YAML under `registry/evals`, a README."""
    files = {}
    yaml = f"# {suite}; made by hansproof.\n"
    for task in suite.tasks:
        samples = f"{suite.name}/{task.subset}.jsonl"
        files[f"registry/data/{samples}"] = _samples(task)
        open_kind = "json_match:JsonMatch" if task.numbers else "includes:Includes"
        kind = "match:Match" if task.multiple_choice else open_kind
        yaml += (
            f"{task.name}:\n  id: {task.name}.test.v{suite.version}\n  metrics: [accuracy]\n"
            f"{task.name}.test.v{suite.version}:\n  class: evals.elsuite.basic.{kind}\n"
            f"  args:\n    samples_jsonl: {json.dumps(samples)}\n"
        )
    files[f"registry/evals/{suite.name}.yaml"] = yaml.encode()
    tasks = "".join(f"- `{task.name}`\n" for task in suite.tasks)
    readme = _README.format(release=suite, first=suite.tasks[0].name, tasks=tasks)
    files["README.md"] = readme.encode()
    return files


def _samples(task: Task) -> bytes:
    lines = []
    for item in task.items:
        style = "direct" if task.numbers else "zero-shot"
        sample = {"id": item.id, "input": render(item, style, chat=True), "ideal": item.answer}
        lines.append(json.dumps(sample, ensure_ascii=False) + "\n")
    return "".join(lines).encode()
