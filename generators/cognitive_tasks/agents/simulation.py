"""Simulation: an agent plays an item."""

from __future__ import annotations

from generators.cognitive_tasks.agents.agent import Agent
from generators.cognitive_tasks.subsets import task_of
from generators.episode import Transcript
from generators.errors import UsageError
from generators.item import Item
from generators.stream import Stream

__all__ = ["simulate"]


def simulate(agent: Agent, item: Item, seed: int) -> Transcript:
    """The run of `agent` on `item`: the same for the same seed, and the same choices in every story of the task.

    Raises UsageError, with the reason, where the agent does not play the task.
    """
    task = task_of(item)
    if task.name not in agent.acts:
        raise UsageError(f"{agent.name} does not play {task.name}: {agent.declines[task.name]}")
    act, game = agent.acts[task.name], task.start(item)
    stream, turn = Stream(seed, "agents", agent.name, item.group), 0
    while not game.done:
        game.step(act(game.view, stream.child(turn)))
        turn += 1
    return game.transcript
