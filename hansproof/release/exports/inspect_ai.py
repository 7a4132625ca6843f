"""inspect_ai: a task file over the unchanged rows, and a solver that asks turn by turn where items are played."""

from __future__ import annotations

import json

from hansproof.release.exports.export import LAST_NUMBER, Suite

__all__ = ["FIELDS", "export_files"]


# inspect_ai, for items that are played: a solver that asks turn by turn, and the measures of the run as scores.
#
# The task file imports hansproof for the rules of the games and for reading replies; the model is asked by inspect.

_EPISODES_HEAD = '''\
"""{release}: episodes for inspect_ai over the rows beside this file. Made by hansproof; MIT licence.

    pip install inspect-ai hansproof
    inspect eval {identifier}.py@{first} --model PROVIDER/MODEL
    inspect eval {identifier}.py@{first} --model PROVIDER/MODEL -T style=zero-shot-cot -T retries=3
"""

import json
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ModelOutput
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from hansproof.runs.asking import asker
from hansproof.runs.games import Games, games
from hansproof.runs.turn import End, Question


@solver
def play(played: Games, style: str = "zero-shot", retries: int = 2) -> Solver:
    """Ask about one action at a time. Each prompt tells everything that has happened, so it stands alone.

    A reply without a legal action is answered with the reason, up to `retries` times; then the episode is unfinished.
    The completion is the JSON list of all actions.
    """
    ask = asker(played, style)
    items = {{item.id: item for item in played.items}}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = items[str(state.sample_id)]
        episode = played.start(item)
        while not episode.done:
            question = Question(episode, ask(item, episode), retries)
            while question.outcome is None:
                state.messages = [ChatMessageUser(content=question.prompt)]
                state = await generate(state)
                question.hear(state.output.completion)
            if isinstance(question.outcome, End):
                state.metadata["unfinished"] = question.outcome.reason
                break
        state.output = ModelOutput.from_content(str(state.model), json.dumps(episode.transcript.actions))
        return state

    return solve


@scorer(metrics={{"*": [mean(), stderr()]}})
def measures(played: Games) -> Scorer:
    """The measures of a run. An unfinished run has none, and its explanation says why."""
    items = {{item.id: item for item in played.items}}
    rules = played.family.scorer

    async def score(state: TaskState, target: Target) -> Score:
        item = items[str(state.sample_id)]
        reading = rules.read(item, state.output.completion)
        value = {{name: measure.value for name, measure in rules.score(item, reading).measures.items()}}
        why = state.metadata.get("unfinished", reading.reason)
        return Score(value=value or float("nan"), answer=state.output.completion, explanation=why or None)

    return score


def episodes(file: str, style: str, retries: int) -> Task:
    """One subset as a task."""
    played = games(Path(__file__).resolve().parent / file)
    samples = [
        Sample(id=item.id, input=item.prompt, metadata={{"group": item.group, "condition": item.condition}})
        for item in played.items
    ]
    return Task(
        dataset=MemoryDataset(samples, name=Path(file).stem),
        solver=play(played, style, retries),
        scorer=measures(played),
        version="{version}",
    )
'''

_TASK = """

@task
def {task}(style: str = "zero-shot", retries: int = 2) -> Task:
    return episodes("{file}", style, retries)
"""

_EPISODES_README = """\
# {release} for inspect_ai

    pip install inspect-ai hansproof
    inspect eval {identifier}.py@{first} --model PROVIDER/MODEL
    inspect eval {identifier}.py@{first} --model PROVIDER/MODEL -T style=zero-shot-cot -T retries=3

`rows/` has the release's own rows, byte for byte. Each sample is an episode: the solver asks for one action at a time
and says what came of the ones before. A reply without a legal action is answered with the reason, up to `retries`
times; then the episode is unfinished. The output of a sample is the JSON list of its actions. To get the release's own
scores and its phenotype, write the logged samples as one JSON object per line with `id` (the sample's) and `reply` (the
text of its output), then run

    hansproof score runs.jsonl --items rows/SUBSET.jsonl
    hansproof phenotype runs.jsonl --items rows/SUBSET.jsonl
"""


def export_episodes(suite: Suite) -> dict[str, bytes]:
    """Path -> bytes: the task file and a README."""
    names = {"release": suite, "identifier": suite.name, "first": suite.tasks[0].name, "version": suite.version}
    text = _EPISODES_HEAD.format(**names) + "".join(
        _TASK.format(task=task.name, file=task.file) for task in suite.tasks
    )
    return {f"{suite.name}.py": text.encode(), "README.md": _EPISODES_README.format(**names).encode()}


# inspect_ai: a task file over the unchanged rows, and the field mapping as JSON for those who write their own.
#
# A multiple-choice target is a capital letter in inspect and the text of the choice in our rows. The task file turns
# our text into inspect's letter by its place among the item's own choices.

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
