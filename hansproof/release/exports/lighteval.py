"""lighteval: each subset as JSONL of Docs in a folder that Hugging Face datasets loads, and the file of tasks.

Multiple choice compares the likelihoods of the choices; an open answer is one choice, compared exactly with what the
model generates. Where the answers are numbers, the query asks for the number alone.
"""

from __future__ import annotations

import json

from hansproof.generators.styles.rendering import render
from hansproof.release.exports.export import Suite, Task

__all__ = ["export_files"]


_HEAD = '''\
"""{release}: tasks for lighteval over the Docs beside this file. Made by hansproof; MIT licence.

    lighteval accelerate "model_name=MODEL" {first} --custom-tasks {identifier}.py
"""

from pathlib import Path

from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc

HERE = str(Path(__file__).resolve().parent)
SUBSETS = {subsets}


def doc(line: dict, task_name: str = "") -> Doc:
    """A line of `docs/` as lighteval's own record."""
    # Likelihoods are of the choice as it stands behind the prompt, so it begins with a space.
    choices = [f" {{choice}}" for choice in line["choices"]] if len(line["choices"]) > 1 else line["choices"]
    return Doc(
        task_name=task_name,
        query=line["query"],
        choices=choices,
        gold_index=line["gold_index"],
        specific={{"id": line["id"]}},
    )


def config(name: str, subset: str, choices: bool) -> LightevalTaskConfig:
    """One task; open answers are generated, choices compared by likelihood."""
    return LightevalTaskConfig(
        name=name,
        prompt_function=doc,
        hf_repo=HERE,
        hf_subset=subset,
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        metrics=[Metrics.loglikelihood_acc if choices else Metrics.exact_match],
        generation_size=None if choices else 2048,
        stop_sequence=[],
        version=0,
    )


TASKS_TABLE = [config(*task) for task in SUBSETS]
'''

_README = """\
---
configs:
{configs}---
# {release} for lighteval

    lighteval accelerate "model_name=MODEL" {first} --custom-tasks {identifier}.py

`docs/` has one Doc per line (query, choices, gold_index, id), `rows/` the release's own rows, byte for byte.
An open answer must be the whole reply. If all answers are numbers, the query therefore asks for the number alone (as in
the prompt style `direct`).
"""


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
