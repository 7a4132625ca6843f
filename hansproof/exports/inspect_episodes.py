"""inspect_ai, for items that are played: a solver that asks turn by turn, and the measures of the run as scores.

The task file imports hansproof for the rules of the games and for reading replies; the model is asked by inspect.
"""

from __future__ import annotations

from hansproof.exports.tasks import Suite

__all__ = ["export_episodes"]

_HEAD = '''\
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

_README = """\
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
    text = _HEAD.format(**names) + "".join(_TASK.format(task=task.name, file=task.file) for task in suite.tasks)
    return {f"{suite.name}.py": text.encode(), "README.md": _README.format(**names).encode()}
