"""The family cognitive-tasks: every subset is a task in one of its stories."""

from __future__ import annotations

from hansproof.generators.answering.scorer import fitting
from hansproof.generators.cognitive_tasks.agents import PLAYERS
from hansproof.generators.cognitive_tasks.scorer import SCORER
from hansproof.generators.cognitive_tasks.subsets import SUBSETS, make, task_of
from hansproof.generators.dataset import Dataset
from hansproof.generators.episode import Episode
from hansproof.generators.item import Item

__all__ = ["DATASET"]


def _check(item: Item) -> list[str]:
    faults = {**task_of(item).check(item), "something is right": item.answer is not None}
    return [fault for fault, there in faults.items() if there]


def _start(item: Item) -> Episode:
    with fitting(item):
        return task_of(item).start(item)


DATASET = Dataset(
    name="cognitive-tasks",
    version="1.1.0",
    title="Cognitive tasks",
    summary="Experiments of cognitive psychology, played turn by turn: how does a player explore, learn and plan?",
    seed=20240228,
    subsets=SUBSETS,
    make=make,
    check=_check,
    scorer=SCORER,
    factors=("better", "information", "horizon"),
    expertise="decisions under uncertainty",
    episode=_start,
    records=lambda item, actions: task_of(item).records(item, actions),
    turns=lambda item: task_of(item).turns(item),
    players=PLAYERS,
)
