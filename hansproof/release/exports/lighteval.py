"""lighteval: each subset as JSONL of Docs in a folder that Hugging Face datasets loads, and the file of tasks.

Multiple choice compares the likelihoods of the choices; an open answer is one choice, compared exactly with what the
model generates. Where the answers are numbers, the query asks for the number alone.
"""

from __future__ import annotations

import json

from hansproof.generators.styles.rendering import render
from hansproof.release.exports.export import Suite, Task, template

__all__ = ["export_files"]

_HEAD = template("lighteval.py.txt")

_README = template("lighteval_readme.md.txt")


def export_files(suite: Suite) -> dict[str, bytes]:
    """Path -> bytes: `docs/SUBSET.jsonl`, the task file, a README whose head names the configurations."""
    files = {f"docs/{task.subset}.jsonl": _docs(task) for task in suite.tasks}
    table = [(task.name, task.subset, task.multiple_choice) for task in suite.tasks]
    listed = "[\n" + "".join(f"    ({json.dumps(a)}, {json.dumps(b)}, {c}),\n" for a, b, c in table) + "]"
    names = {"release": suite, "identifier": suite.name, "first": table[0][0]}
    files[f"{suite.name}.py"] = _HEAD.format(subsets=listed, **names).encode()
    configs = "".join(
        f"- config_name: {json.dumps(task.subset)}\n  data_files:\n"
        f"  - split: test\n    path: {json.dumps(f'docs/{task.subset}.jsonl')}\n"
        for task in suite.tasks
    )
    files["README.md"] = _README.format(configs=configs, **names).encode()
    return files


def _docs(task: Task) -> bytes:
    lines = []
    for item, gold in zip(task.items, task.gold_indices):
        choices = list(item.choices or (item.answer,))
        query = render(item, "direct" if task.numbers else "zero-shot", chat=False)
        doc = {"id": item.id, "query": query, "choices": choices, "gold_index": gold}
        lines.append(json.dumps(doc, ensure_ascii=False) + "\n")
    return "".join(lines).encode()
