"""lighteval: each subset as JSONL of Docs in a folder that Hugging Face datasets loads, and the file of tasks.

Multiple choice compares the likelihoods of the choices; an open answer is one choice, compared exactly with what the
model generates; a number is asked for alone.
"""

from __future__ import annotations

import json

from generators.styles.prompts import render
from hansproof.release.frozen import FrozenRows, Rows

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
    choices = [f" {{one}}" for one in line["choices"]] if len(line["choices"]) > 1 else line["choices"]
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


TASKS_TABLE = [config(*one) for one in SUBSETS]
'''

_README = """\
---
configs:
{configs}---
# {release} for lighteval

    lighteval accelerate "model_name=MODEL" {first} --custom-tasks {identifier}.py

`docs/` has one Doc a line (query, choices, gold_index, id), `rows/` the release's own rows, byte for byte.
An open answer must be the whole reply; where all answers are numbers, the query therefore asks for the number alone (as
in the prompt style `direct`).
"""


def export_files(release: FrozenRows) -> dict[str, bytes]:
    """Path -> bytes: `docs/SUBSET.jsonl`, the task file, a README whose head names the configurations."""
    files = {f"docs/{rows.subset}.jsonl": _docs(rows) for rows in release.subsets}
    table = [(release.task(rows), rows.subset, rows.choices) for rows in release.subsets]
    listed = "[\n" + "".join(f"    ({json.dumps(a)}, {json.dumps(b)}, {c}),\n" for a, b, c in table) + "]"
    names = {"release": release, "identifier": release.identifier, "first": table[0][0]}
    files[f"{release.identifier}.py"] = _HEAD.format(subsets=listed, **names).encode()
    configs = "".join(
        f"- config_name: {json.dumps(rows.subset)}\n  data_files:\n"
        f"  - split: test\n    path: {json.dumps(f'docs/{rows.subset}.jsonl')}\n"
        for rows in release.subsets
    )
    files["README.md"] = _README.format(configs=configs, **names).encode()
    return files


def _docs(rows: Rows) -> bytes:
    lines = []
    for item, gold in zip(rows.items, rows.gold_indices):
        choices = list(item.choices or (item.answer,))
        query = render(item, "direct" if rows.numbers else "zero-shot", chat=False)
        doc = {"id": item.id, "query": query, "choices": choices, "gold_index": gold}
        lines.append(json.dumps(doc, ensure_ascii=False) + "\n")
    return "".join(lines).encode()
