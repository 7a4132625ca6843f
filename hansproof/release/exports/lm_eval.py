"""lm-evaluation-harness: one YAML task per subset, and a group of them all, over the unchanged rows.

Multiple choice compares the likelihoods of the choices after the prompt. Open answers are generated and compared
exactly; if the answers are numbers, the last number of the reply is. Every string in the YAML is in JSON's quotes,
which YAML reads unchanged.
"""

from __future__ import annotations

import json

from hansproof.release.exports.export import LAST_NUMBER, Suite, Task

__all__ = ["export_files"]


_CHOICE = """\
output_type: multiple_choice
doc_to_text: prompt
doc_to_choice: choices
doc_to_target: "{{choices.index(answer)}}"
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
"""

_OPEN = """\
output_type: generate_until
doc_to_text: prompt
doc_to_target: answer
generation_kwargs:
  until: []
  do_sample: false
  max_gen_toks: 2048
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
    ignore_case: true
"""

_NUMBER = f"""\
filter_list:
  - name: last-number
    filter:
      - function: regex
        regex_pattern: {json.dumps(LAST_NUMBER)}
      - function: take_first
"""

_README = """\
# {release} for lm-evaluation-harness

Paths in the tasks are relative, so run it from this folder:

    lm_eval --model hf --model_args pretrained=MODEL --include_path . --tasks {group}

{tasks}
`rows/` has the release's own rows, byte for byte. Rows of one `group` belong together (a matched pair, a template),
but the harness's standard errors treat them as independent. A task with open answers counts exact answers only or, if
all answers are numbers, replies whose last number is the answer (`exact_match,last-number`). The release's own scores
read free text. To get them, run the harness with --log_samples, write the samples as one JSON object per line with `id`
(that of `doc`) and `reply` (the text in `resps`), and run

    hansproof score replies.jsonl --items rows/SUBSET.jsonl
"""


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
