"""inspect_ai: a task file over the unchanged rows, and the field mapping as JSON for those who write their own.

A multiple-choice target is a capital letter in inspect and the text of the choice in our rows. The task file turns our
text into inspect's letter by its place among the item's own choices.
"""

from __future__ import annotations

import json

from hansproof.exports.inspect_episodes import export_episodes
from hansproof.exports.tasks import LAST_NUMBER, Suite

__all__ = ["FIELDS", "export_files"]

FIELDS = {
    "input": "prompt",
    "target": "answer",
    "choices": "choices",
    "id": "id",
    "metadata": ["group", "condition", "metadata"],
}
"""Which key inspect's FieldSpec reads for each of its fields."""

_HEAD = '''\
"""{release}: tasks for inspect_ai over the rows beside this file. Made by hansproof; MIT licence.

    inspect eval {identifier}.py --model PROVIDER/MODEL
    inspect eval {identifier}.py@{first} --model PROVIDER/MODEL
"""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Dataset, FieldSpec, json_dataset
from inspect_ai.scorer import accuracy, choice, includes, pattern, stderr
from inspect_ai.solver import generate, multiple_choice

FIELDS = FieldSpec(
    input="prompt",
    target="answer",
    choices="choices",
    id="id",
    metadata=["group", "condition", "metadata"],
)

LAST_NUMBER = r"{last_number}"


def letter(index: int) -> str:
    """The name that inspect gives to a choice: A to Z, then 1, 2, ..."""
    return chr(ord("A") + index) if index < 26 else str(index - 25)


def rows(file: str) -> Dataset:
    """The samples of one subset; a multiple-choice target becomes the letter of its choice."""
    samples = json_dataset(str(Path(__file__).resolve().parent / file), FIELDS, name=Path(file).stem)
    for sample in samples:
        if sample.choices:
            sample.target = letter(sample.choices.index(str(sample.target)))
    return samples


def metrics() -> list:
    """Accuracy, and its standard error with the items of one group taken together."""
    return [accuracy(), stderr(cluster="group")]
'''

_CHOICE = """

@task
def {task}() -> Task:
    return Task(
        dataset=rows("{file}"),
        solver=multiple_choice(),
        scorer=choice(),
        metrics=metrics(),
        version="{version}",
    )
"""

_OPEN = """

@task
def {task}() -> Task:
    return Task(
        dataset=rows("{file}"),
        solver=generate(),
        scorer={scorer},
        metrics=metrics(),
        version="{version}",
    )
"""

_README = """\
# {release} for inspect_ai

    inspect eval {identifier}.py --model PROVIDER/MODEL
    inspect eval {identifier}.py@{first} --model PROVIDER/MODEL

`rows/` has the release's own rows, byte for byte; `fieldspec.json` says which key is what, for a task file of your own
(a multiple-choice target must then become the capital letter of its choice, as in `{identifier}.py`). Standard errors
take the items of one `group` together. An open answer is right if the reply includes the gold answer; a number, if
the reply's last number is the gold answer. To get the release's own scores, write the logged samples as one JSON
object per line with `id` (the sample's) and `reply` (the text of its output), then run

    hansproof score replies.jsonl --items rows/SUBSET.jsonl
"""


def export_files(suite: Suite) -> dict[str, bytes]:
    """Path -> bytes: the task file, `fieldspec.json`, a README."""
    if suite.played:
        return export_episodes(suite)
    names = {
        "release": suite,
        "identifier": suite.name,
        "first": suite.tasks[0].name,
        "version": suite.version,
        "last_number": LAST_NUMBER,
    }
    text = _HEAD.format(**names)
    for task in suite.tasks:
        block = _CHOICE if task.multiple_choice else _OPEN
        # "16" includes "6", and so does any reply that repeats the numbers of the question.
        scorer = "pattern(LAST_NUMBER)" if task.numbers else "includes()"
        text += block.format(task=task.name, file=task.file, version=suite.version, scorer=scorer)
    return {
        f"{suite.name}.py": text.encode(),
        "fieldspec.json": json.dumps(FIELDS, indent=2).encode() + b"\n",
        "README.md": _README.format(**names).encode(),
    }
