"""The subsets: each task, and each of its other cover stories, is one.

Episode i of every subset, and of every level of its difficulty, has draws of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from hansproof.generators.answering.scorer import check_shape
from hansproof.generators.cognitive_tasks.task import Task
from hansproof.generators.cognitive_tasks.tasks import (
    balloons,
    horizon,
    instrumental_learning,
    probabilistic_reasoning,
    restless_bandit,
    temporal_discounting,
    two_step,
)
from hansproof.generators.dataset import AnswerForm, Draft, Knob, Subset, base_of
from hansproof.generators.errors import InputError, unknown
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["PLACES", "SUBSETS", "TASKS", "make", "task_of"]

TASKS: Mapping[str, Task] = {
    module.TASK.name: module.TASK
    for module in (
        probabilistic_reasoning,
        horizon,
        restless_bandit,
        instrumental_learning,
        two_step,
        temporal_discounting,
        balloons,
    )
}
"""By name, in the order of the release."""

RUN = AnswerForm("run", lambda item: "Answer with the JSON list of all your actions, and nothing else.")
"""A finished run."""


PLACES: Mapping[str, tuple[Task, str]] = {
    f"{task.name}-{story}" if place else task.name: (task, story)
    for task in TASKS.values()
    for place, story in enumerate(task.stories)
}
"""Subset -> its task and its story: `horizon` has the standard one, `horizon-points` another."""


def make(stream: Stream, subset: str, index: int, level: int | None = None) -> Draft:
    """Episode `index` of a subset, or of one of its levels; `stream` is the dataset's."""
    task, story = PLACES[subset]
    name = subset if level is None else f"{subset}@{level}"
    opening, draws = task.make(stream.child(name).child(index), story, level)
    return Draft(opening, None, None, f"{name}-{index:06d}", story, {"task": task.name, "story": story, **draws})


def _subset(name: str, task: Task, story: str) -> Subset:
    text = f"{task.title[0].upper()}{task.title[1:]}, told as {task.stories[story]['summary']}."
    knob = None
    if task.level is not None and name == task.name:
        knob = Knob(*task.level, lambda stream, level, index: make(stream, name, index, level))
    return Subset(task.rows, text, RUN, audit_target=task.audit_target, variant=name != task.name, knob=knob)


SUBSETS: Mapping[str, Subset] = {name: _subset(name, *place) for name, place in PLACES.items()}


def task_of(item: Item) -> Task:
    """The task of an item. Raises KeyError where it names no subset, InputError for an unknown one, for draws of other
    types and for the story of another subset.
    """
    subset = str(item.metadata["subset"])
    if base_of(subset) not in PLACES:
        raise InputError(unknown("task", subset, PLACES).reason, f"item {item.id!r}")
    task, story = PLACES[base_of(subset)]
    check_shape(item, _drawn(subset))
    if (told := (item.metadata["task"], item.metadata["story"])) != (task.name, story):
        raise InputError(
            f"metadata.task and story are {told}; is it an item of cognitive-tasks, as released?", f"item {item.id!r}"
        )
    return task


@cache
def _drawn(subset: str) -> dict[str, Any]:
    """What an item of the subset has in its metadata: of any episode, since all have the same keys and types."""
    made = make(Stream(0), base_of(subset), 0).metadata
    return made if base_of(subset) == subset else {**made, "difficulty": 1}
