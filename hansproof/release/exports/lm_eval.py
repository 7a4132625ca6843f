"""lm-evaluation-harness: one YAML task per subset, and a group of them all, over the unchanged rows.

Multiple choice compares the likelihoods of the choices after the prompt. Open answers are generated and compared
exactly; if the answers are numbers, the last number of the reply is. Every string in the YAML is in JSON's quotes,
which YAML reads unchanged.
"""

from __future__ import annotations

import json

from hansproof.release.exports.export import LAST_NUMBER, Suite, Task, template

__all__ = ["export_files"]

_CHOICE = template("lm_eval_choice.txt")

_OPEN = template("lm_eval_open.txt")

_NUMBER = f"""\
filter_list:
  - name: last-number
    filter:
      - function: regex
        regex_pattern: {json.dumps(LAST_NUMBER)}
      - function: take_first
"""

_README = template("lm_eval_readme.txt")


def export_files(suite: Suite) -> dict[str, bytes]:
    """Path -> bytes: `TASK.yaml` for each subset, a group, a README."""
    files = {f"{task.name}.yaml": _task(suite, task).encode() for task in suite.tasks}
    names = [task.name for task in suite.tasks]
    group = f"group: {json.dumps(suite.name)}\ntask:\n" + "".join(f"  - {json.dumps(name)}\n" for name in names)
    files[f"_{suite.name}.yaml"] = f"{group}metadata:\n  version: {json.dumps(suite.version)}\n".encode()
    listed = "".join(f"- `{name}`\n" for name in names)
    files["README.md"] = _README.format(release=suite, group=suite.name, tasks=listed).encode()
    return files


def _task(suite: Suite, task: Task) -> str:
    head = (
        f"# {suite}, subset {task.subset}; made by hansproof from the rows beside it.\n"
        f"task: {json.dumps(task.name)}\n"
        "dataset_path: json\ndataset_kwargs:\n  data_files:\n"
        f"    test: {json.dumps(task.file)}\ntest_split: test\n"
    )
    tail = f"metadata:\n  version: {json.dumps(suite.version)}\n"
    asked = _CHOICE if task.multiple_choice else _OPEN + _NUMBER if task.numbers else _OPEN
    return head + asked + tail
