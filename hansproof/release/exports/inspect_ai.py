"""inspect_ai: a task file over the unchanged rows, and a solver that asks turn by turn where items are played."""

from __future__ import annotations

import json

from hansproof.release.exports.export import LAST_NUMBER, Suite, template

__all__ = ["export_files"]

_EPISODES_HEAD = template("inspect_ai_episodes.py.txt")

_TASK = """

@task
def {task}(style: str = "zero-shot", retries: int = 2) -> Task:
    return episodes("{file}", style, retries)
"""

_EPISODES_README = template("inspect_ai_episodes_readme.txt")


def export_episodes(suite: Suite) -> dict[str, bytes]:
    """Path -> bytes: the task file and a README."""
    names = {"release": suite, "identifier": suite.name, "first": suite.tasks[0].name, "version": suite.version}
    text = _EPISODES_HEAD.format(**names) + "".join(
        _TASK.format(task=task.name, file=task.file) for task in suite.tasks
    )
    return {f"{suite.name}.py": text.encode(), "README.md": _EPISODES_README.format(**names).encode()}


# A multiple-choice target is a letter in inspect and the text of the choice in our rows: the task file turns one into
# the other by its place among the item's choices.

FIELDS = {
    "input": "prompt",
    "target": "answer",
    "choices": "choices",
    "id": "id",
    "metadata": ["group", "condition", "metadata"],
}
"""Which key inspect's FieldSpec reads for each of its fields."""

_HEAD = template("inspect_ai.py.txt")

_CHOICE = template("inspect_ai_choice.txt")

_OPEN = template("inspect_ai_open.txt")

_README = template("inspect_ai_readme.txt")


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
