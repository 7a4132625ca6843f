"""Strategies that play without looking: at random, or always the same. What they reach, anybody can."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from hansproof.generators.answering.moves import Number
from hansproof.generators.answering.scorer import BlindStrategy, Guess, copying
from hansproof.generators.cognitive_tasks.agents import random_play, simulate
from hansproof.generators.cognitive_tasks.subsets import task_of
from hansproof.generators.cognitive_tasks.tasks.probabilistic_reasoning import ProbabilisticReasoningView
from hansproof.generators.item import Item

__all__ = ["BLIND"]


def run_blindly(item: Item, place: int, share: float = 0.5) -> str:
    """The run that always takes the action at `place` of those named, the last one for -1 or beyond, and gives the
    number at `share` of its range: the JSON list of its actions.
    """
    game = task_of(item).start(item)
    while (move := game.move) is not None:
        if isinstance(move, Number):
            game.step(f"{move.low + share * (move.high - move.low):.6f}")
        else:
            actions = move.actions or ()
            game.step(actions[min(place, len(actions) - 1)])
    return json.dumps(game.transcript.actions)


def _random(item: Item) -> Guess:
    return json.dumps(simulate(random_play(), item, 0).actions)


def _constants(item: Item) -> list[str]:
    """The runs that always do the same, from the first action named, or the lowest number, to the last."""
    move = task_of(item).start(item).move
    if isinstance(move, Number):
        return [run_blindly(item, 0, tenth / 10) for tenth in range(11)]
    return [run_blindly(item, place) for place in range(len(move.actions or ()) if move else 0)]


def _best_constant(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
    """Of the runs that always do the same, the kind with the best mean main measure on the items to learn from."""
    totals: dict[str, list[float]] = {}
    for item in learned[:_LEARNED]:
        task = task_of(item)
        main = next(iter(task.kinds))
        for place, run in enumerate(_constants(item)):
            value = task.score(task.records(item, json.loads(run)))[main].value
            kept = totals.setdefault(task.name, [])
            kept += [0.0] * (place + 1 - len(kept))
            kept[place] += value
    best = {name: values.index(max(values)) for name, values in totals.items()}
    guesses: list[Guess] = []
    for item in asked:
        runs = _constants(item)
        guesses.append(runs[min(best.get(task_of(item).name, 0), len(runs) - 1)] if runs else None)
    return guesses


_LEARNED = 100
"""Items that the best constant is chosen by: it has few candidates, and runs are long."""


def _one_number(name: str, description: str, number: Callable[[ProbabilisticReasoningView], float]) -> BlindStrategy:
    """Rounds answered by one of the two numbers that they give; no guess for other tasks."""

    def guess(item: Item) -> Guess:
        game = task_of(item).start(item)
        while isinstance(view := game.view, ProbabilisticReasoningView) and not game.done:
            game.step(f"{number(view):.6f}")
        return json.dumps(game.transcript.actions) if game.done else None

    return copying(name, description, guess)


BLIND: tuple[BlindStrategy, ...] = (
    copying("random", "chooses at random, numbers too", _random),
    copying("first", "takes the first action named, or the middle of a range", lambda item: run_blindly(item, 0)),
    copying("last", "takes the last action named, or the middle of a range", lambda item: run_blindly(item, -1)),
    _one_number("prior-alone", "gives the probability of the first urn before the draw", lambda view: view.prior),
    _one_number(
        "ball-alone",
        "gives the share of the colour seen last in the first urn",
        lambda view: view.likelihood if view.seen[-1] else 1 - view.likelihood,
    ),
    BlindStrategy("constant", "always does the same: the best by the main measure", _best_constant, learns=True),
)
"""A strategy that looks at nothing is as good as chance where an episode favours no arm."""
