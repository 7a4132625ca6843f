"""Strategies that play without looking: at random, always the same, in turn. What they reach, anybody can."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from generators.answering.blind import BlindStrategy, Guess, copying
from generators.answering.moves import Move, Number
from generators.cognitive_tasks.subsets import task_of
from generators.item import Item
from generators.stream import Stream

__all__ = ["BLIND", "run_blindly"]

Policy = Callable[[int, Sequence[str]], str]
"""(the turn, the legal actions) -> the action."""


def run_blindly(item: Item, policy: Policy, number: Callable[[Number, int], float]) -> str:
    """The whole run of a strategy that sees the legal actions and nothing else: the JSON list of its actions."""
    game = task_of(item).start(item)
    turn = 0
    while (move := game.move) is not None:
        game.step(_act(move, turn, policy, number))
        turn += 1
    return json.dumps(game.transcript.actions)


def _act(move: Move, turn: int, policy: Policy, number: Callable[[Number, int], float]) -> str:
    if isinstance(move, Number):
        return f"{number(move, turn):.6f}"
    return policy(turn, move.actions or ())


def _middle(move: Number, turn: int) -> float:
    return (move.low + move.high) / 2


def _playing(name: str, description: str, policy: Policy) -> BlindStrategy:
    return copying(name, description, lambda item: run_blindly(item, policy, _middle))


def _random(item: Item) -> Guess:
    stream = Stream(0, "blind", item.id)
    return run_blindly(
        item,
        lambda turn, actions: stream.choice(actions),
        lambda move, turn: move.low + (move.high - move.low) * stream.integer(0, 100) / 100,
    )


BLIND: tuple[BlindStrategy, ...] = (
    copying("random", "chooses at random, numbers too", _random),
    _playing(
        "first", "always takes the first action named, or the middle of a range", lambda turn, actions: actions[0]
    ),
    _playing("last", "always takes the last action named, or the middle of a range", lambda turn, actions: actions[-1]),
    _playing(
        "alternate",
        "takes the actions in turn, or the middle of a range",
        lambda turn, actions: actions[turn % len(actions)],
    ),
)
