"""The Hugging Face Hub: `eval.yaml`, which makes a dataset a benchmark with a leaderboard, and the dataset beside it.

The form is that of https://huggingface.co/docs/hub/eval-results for the framework inspect-ai, which reads the fields of
a row by their names and nothing else: the gold of a multiple-choice item is therefore written as the letter of its
choice, as inspect calls it.
"""

from __future__ import annotations

import json
from typing import Any

import yaml

from hansproof.generators.registry import find
from hansproof.release.exports.export import LAST_NUMBER, Suite, Task, template

__all__ = ["export_files"]

_README = template("hub_readme.md.txt")


def export_files(suite: Suite) -> dict[str, bytes]:
    """Path -> bytes: `eval.yaml`, `data/SUBSET.jsonl`, and the card that declares them as configurations."""
    family = find(suite.release.name)
    document = {
        "name": suite.release.name if family is None else family.title,
        "description": f"{suite}." if family is None else f"{family.summary} ({suite})",
        "evaluation_framework": "inspect-ai",
        "tasks": [_task(task) for task in suite.tasks],
    }
    listed = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120)
    configs = "".join(
        f"- config_name: {json.dumps(task.subset)}\n  data_files:\n"
        f"  - split: test\n    path: {json.dumps(_data(task))}\n"
        for task in suite.tasks
    )
    readme = _README.format(release=suite, configs=configs, first=suite.tasks[0].subset)
    files = {"eval.yaml": f"# {suite}; made by hansproof.\n{listed}".encode(), "README.md": readme.encode()}
    return files | {_data(task): _rows(task) for task in suite.tasks}


def _data(task: Task) -> str:
    return f"data/{task.subset}.jsonl"


def _task(task: Task) -> dict[str, Any]:
    fields = {"input": "input", "target": "target", "metadata": ["id", "group", "condition"]}
    scorer: dict[str, Any] = {"name": "includes"}
    if task.multiple_choice:
        fields, scorer = fields | {"choices": "choices"}, {"name": "choice"}
    elif task.numbers:  # "16" includes "6", and so does any reply that repeats the numbers of the question
        scorer = {"name": "pattern", "args": {"pattern": LAST_NUMBER}}
    return {
        "id": task.subset,
        "config": task.subset,
        "split": "test",
        "field_spec": fields,
        "solvers": [{"name": "multiple_choice" if task.multiple_choice else "generate"}],
        "scorers": [scorer],
    }


def _letter(index: int) -> str:
    """The name that inspect gives to a choice: A to Z, then 1, 2, ..."""
    return chr(ord("A") + index) if index < 26 else str(index - 25)


def _rows(task: Task) -> bytes:
    lines = []
    for item, gold in zip(task.items, task.gold_indices):
        target = _letter(gold) if task.multiple_choice else item.answer
        row = {"id": item.id, "input": item.prompt, "choices": item.choices, "target": target, "group": item.group}
        row["condition"] = item.condition
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines).encode()
