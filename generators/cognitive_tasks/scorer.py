"""How runs are read and scored. A reply is a finished run: the JSON list of its actions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from hansproof.generators.answering.scorer import BlindStrategy, MeasureKind, Reading, Score, fitting
from hansproof.generators.cognitive_tasks.blind import BLIND
from hansproof.generators.cognitive_tasks.subsets import TASKS, task_of
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item

__all__ = ["SCORER"]


class RunScorer:
    """Nothing is right or wrong; measures say what a run earned and how it was played.

    Tasks pay in units of their own, so each measure is called by its task: `horizon-reward`.
    """

    measures: Mapping[str, MeasureKind] = {
        f"{task.name}-{name}": kind for task in TASKS.values() for name, kind in task.kinds.items()
    }
    readings: Mapping[str, str] = {}

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """See `blind.BLIND`."""
        return BLIND

    def read(self, item: Item, reply: str) -> Reading:
        """The run, in canonical form, or why the reply is none. Raises InputError for an item of another family."""
        task = task_of(item)
        actions = _actions(reply)
        if isinstance(actions, Reading):
            return actions
        try:
            game = task.finished(item, actions)
        except InputError as error:
            if item.id != error.place:  # the item is at fault, not the reply
                raise
            return Reading(None, error.reason)
        return Reading(json.dumps(game.transcript.actions))

    def score(self, item: Item, reading: Reading) -> Score:
        """The measures of the run; none where there is no run."""
        task = task_of(item)
        if reading.said is None:
            return Score(None, reading.reason)
        actions = _actions(reading.said)
        if isinstance(actions, Reading):
            return Score(None, actions.reason)
        measures = task.score(task.records(item, actions))
        return Score(None, measures={f"{task.name}-{name}": measure for name, measure in measures.items()})

    def chance(self, item: Item) -> Mapping[str, float]:
        """What uniformly random actions are expected to score."""
        task = task_of(item)
        with fitting(item):
            return {f"{task.name}-{name}": value for name, value in task.chance(item).items()}


def _actions(reply: str) -> list[str] | Reading:
    """The actions of a JSON list; numbers are actions too."""
    if not reply.strip():
        return Reading(None, "is empty")
    try:
        actions = json.loads(reply)
    except (ValueError, RecursionError):
        return Reading(None, "is not a JSON list of actions")
    if not isinstance(actions, list) or any(type(action) not in (str, int, float) for action in actions):
        return Reading(None, "is not a JSON list of actions")
    return [action if isinstance(action, str) else repr(action) for action in actions]


SCORER = RunScorer()
"""The only instance; it has no state."""
