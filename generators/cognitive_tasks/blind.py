"""Strategies that play without looking: at random, always the same, in turn. What they reach, anybody can."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from hansproof.generators.answering.moves import Number
from hansproof.generators.answering.scorer import BlindStrategy, Guess, copying
from hansproof.generators.cognitive_tasks.subsets import task_of
from hansproof.generators.cognitive_tasks.tasks.probabilistic_reasoning import ProbabilisticReasoningView
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["BLIND"]

Policy = Callable[[int, Sequence[str]], str]
"""(how many choices came before, the legal actions) -> the action."""

Estimate = Callable[[Number], float]
"""The range -> the number given."""


def run_blindly(item: Item, policy: Policy, number: Estimate) -> str:
    """The whole run of a strategy that sees the legal actions and nothing else: the JSON list of its actions."""
    game = task_of(item).start(item)
    turn = 0
    while (move := game.move) is not None:
        if isinstance(move, Number):
            game.step(f"{number(move):.6f}")
        else:
            game.step(policy(turn, move.actions or ()))
            turn += 1
    return json.dumps(game.transcript.actions)


def _middle(move: Number) -> float:
    return (move.low + move.high) / 2


def _playing(name: str, description: str, policy: Policy) -> BlindStrategy:
    return copying(name, description, lambda item: run_blindly(item, policy, _middle))


def _random(item: Item) -> Guess:
    stream = Stream(0, "blind", item.id)
    return run_blindly(
        item,
        lambda turn, actions: stream.choice(actions),
        lambda move: move.low + (move.high - move.low) * stream.integer(0, 100) / 100,
    )


def _constants(item: Item) -> list[str]:
    """The runs that always do the same, from the first action named, or the lowest number, to the last."""
    game = task_of(item).start(item)
    move = game.move
    if isinstance(move, Number):
        steps = [tenth / 10 for tenth in range(11)]
        return [run_blindly(item, _named(0), _share(step)) for step in steps]
    count = len(move.actions or ()) if move else 0
    return [run_blindly(item, _named(place), _middle) for place in range(count)]


def _named(place: int) -> Policy:
    return lambda turn, actions: actions[min(place, len(actions) - 1)]


def _share(share: float) -> Estimate:
    return lambda move: move.low + share * (move.high - move.low)


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
    _playing(
        "first", "always takes the first action named, or the middle of a range", lambda turn, actions: actions[0]
    ),
    _playing("last", "always takes the last action named, or the middle of a range", lambda turn, actions: actions[-1]),
    _playing(
        "alternate",
        "takes the actions in turn, or the middle of a range",
        lambda turn, actions: actions[turn % len(actions)],
    ),
    _one_number(
        "prior-alone", "gives the probability of the first urn before the ball was seen", lambda view: view.prior
    ),
    _one_number(
        "ball-alone",
        "gives the share of the colour seen last in the first urn",
        lambda view: view.likelihood if view.seen[-1] else 1 - view.likelihood,
    ),
    BlindStrategy(
        "constant", "always does the same: what is best by the main measure of the task", _best_constant, learns=True
    ),
)
"""A strategy that looks at nothing is as good as chance where an episode favours no arm."""
