"""Simulated models of known reliance, on simulated items whose difficulty goes with what the probe predicts.

An answer is right by the ability of the model and the easiness of the item (Rasch; a model may have a sensitivity of
its own, guess, favour one gold answer, share quirks with its family), unless the model leans: with probability r it
gives the probe's answer. Only r is reliance; all the rest is what makes naive differences lie.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from audit.answers.grid import Series
from audit.reliance.parts import Parted
from audit.reliance.records import BenchmarkPart

__all__ = ["World", "simulated"]


@dataclass(frozen=True)
class World:
    """How items and models are made."""

    items: int = 300
    models: int = 8
    families: int = 4
    benchmarks: int = 1
    labels: int = 2
    kappa: float = 0.4
    """Of the probe."""
    easier: float = 1.0
    """How much easier, in logits, items are that the probe predicts."""
    spread: float = 1.0
    """Standard deviation of the easiness of items, in logits."""
    abilities: tuple[float, float] = (-1.5, 1.5)
    sensitivities: tuple[float, float] = (1.0, 1.0)
    guess: float = 0.0
    bias: float = 0.0
    """Standard deviation, over models, of how much they favour one gold answer, in logits; the probe does so too."""
    quirks: float = 0.0
    """Standard deviation, in logits, of what a family finds easy and others do not."""
    group: int = 1
    """Items of one group, which share their easiness and the probe's success."""
    reliance: float = 0.0
    leaning: tuple[int, ...] = ()
    """The models that lean."""


def simulated(world: World, random: np.random.Generator) -> list[Parted]:
    """The benchmarks of a world, with what each model said."""
    ability = random.uniform(*world.abilities, world.models)
    sensitivity = random.uniform(*world.sensitivities, world.models)
    bias = random.normal(0, world.bias, world.models) if world.bias else np.zeros(world.models)
    return [_benchmark(world, place, ability, sensitivity, bias, random) for place in range(world.benchmarks)]


def _benchmark(
    world: World,
    place: int,
    ability: np.ndarray,
    sensitivity: np.ndarray,
    bias: np.ndarray,
    random: np.random.Generator,
) -> Parted:
    n, models, labels = world.items, world.models, world.labels
    group = np.arange(n) // world.group
    gold = random.integers(0, labels, n)
    hit = np.clip(1 / labels + world.kappa * (1 - 1 / labels), 0, 1)
    # A probe that favours the first answer is right more often where that is gold.
    tilt = 0.15 * (1 if world.bias else 0) * np.where(gold == 0, 1, -1)
    chosen = random.random(group.max() + 1)[group] < np.clip(hit + tilt, 0, 1)
    predicted = np.where(chosen, gold, _another(gold, labels, random))
    right = predicted == gold
    easiness = random.normal(0, world.spread, group.max() + 1)[group] + world.easier * (right - hit)
    family = np.arange(models) * world.families // models
    quirk = random.normal(0, world.quirks, (n, world.families))[:, family] if world.quirks else 0.0
    logit = ability + sensitivity * (easiness[:, None] + quirk) + bias * np.where(gold == 0, 1, -1)[:, None]
    able = random.random((n, models)) < world.guess + (1 - world.guess) / (1 + np.exp(-logit))
    said = np.where(able, gold[:, None], _another(np.repeat(gold[:, None], models, axis=1), labels, random))
    for model in world.leaning:
        leans = random.random(n) < world.reliance
        said[leans, model] = predicted[leans]
    about = BenchmarkPart(
        benchmark=f"simulated-{place}", audit="LEAKS", vector="simulated", scheme="grouped", kappa=world.kappa,
        uniform=world.kappa, shortcut=True, items=n, unanswered=0, unpredicted=0, probe_right=int(right.sum()),
        probe_wrong=n - int(right.sum()), labels=labels, groups=int(group.max()) + 1, notes=[],
    )  # fmt: skip
    return Parted(
        about=about,
        series=tuple(Series(f"model-{model}", family=f"family-{family[model]}") for model in range(models)),
        right=(said == gold[:, None]).astype(np.float64),
        probe_right=right.astype(np.float64),
        gold=gold,
        groups=group,
        chance=np.full(n, 1 / labels),
        predicted=predicted.astype(np.str_),
        said=said.astype(np.str_),
    )


def _another(gold: np.ndarray, labels: int, random: np.random.Generator) -> np.ndarray:
    """A wrong answer, each as likely as the others."""
    return np.asarray((gold + random.integers(1, labels, gold.shape)) % labels)
