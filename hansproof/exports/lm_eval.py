"""lm-evaluation-harness: one task a subset as YAML, and a group of them all, over the unchanged rows.

Multiple choice compares the likelihoods of the choices after the prompt; open answers are generated and compared
exactly, for numbers the last one of the reply. YAML is written with every string in JSON's quotes, which YAML reads
as they are.
"""

from __future__ import annotations

import json

from hansproof.release.frozen import LAST_NUMBER, FrozenRows, Rows, rows_file

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
`rows/` has the release's own rows, byte for byte. Rows of one `group` belong together (a matched pair, a template);
the harness's standard errors take them for independent. Where a task generates (open answers), it counts exact answers
only; where all answers are numbers, replies whose last number is the answer (`exact_match,last-number`). For the
release's own scores, which read free text, run it with --log_samples; the logged samples become a file of one JSON
object a line with `id` (that of `doc`) and `reply` (the text in `resps`), and then

    hansproof score answers.jsonl --items rows/SUBSET.jsonl
"""


def export_files(release: FrozenRows) -> dict[str, bytes]:
    """Path -> bytes: `TASK.yaml` for each subset, a group, a README."""
    files = {f"{release.task(rows)}.yaml": _task(release, rows).encode() for rows in release.subsets}
    tasks = [release.task(rows) for rows in release.subsets]
    group = f"group: {json.dumps(release.identifier)}\ntask:\n" + "".join(f"  - {json.dumps(one)}\n" for one in tasks)
    files[f"_{release.identifier}.yaml"] = f"{group}metadata:\n  version: {json.dumps(release.version)}\n".encode()
    listed = "".join(f"- `{one}`\n" for one in tasks)
    files["README.md"] = _README.format(release=release, group=release.identifier, tasks=listed).encode()
    return files


def _task(release: FrozenRows, rows: Rows) -> str:
    head = (
        f"# {release}, subset {rows.subset}; made by hansproof from the rows beside it.\n"
        f"task: {json.dumps(release.task(rows))}\n"
        "dataset_path: json\ndataset_kwargs:\n  data_files:\n"
        f"    test: {json.dumps(rows_file(rows))}\ntest_split: test\n"
    )
    tail = f"metadata:\n  version: {json.dumps(release.version)}\n"
    asked = _CHOICE if rows.choices else _OPEN + _NUMBER if rows.numbers else _OPEN
    return head + asked + tail
