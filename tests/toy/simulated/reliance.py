"""Simulated models that follow a probe, or do not, on simulated items whose difficulty goes with what it predicts.

An answer is right by the ability of the model and the easiness of the item (Rasch; a model may be better at a topic),
unless the model follows the probe: with probability r it gives the probe's answer. Wrong answers may tempt models and
the probe alike, a model may prefer an answer, and gold answers may be wrong. Only r is use of the shortcut; all the
rest is what makes differences lie.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hansproof.audit.models.reliance.parts import PartedAnswers
from hansproof.audit.models.reliance.reliance_records import BenchmarkPart
from hansproof.audit.replies.grid import RIGHT, WRONG, Series

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
    """Of the weakest and the strongest model, in logits; the others stand between them at equal distances."""
    stronger: float = 0.0
    """By how many logits the last model is better than that."""
    bias: float = 0.0
    """Standard deviation, over models, of how much they favour one gold answer, in logits; the probe does so too."""
    topics: int = 1
    topical: float = 0.0
    """How much more often, as a share, the probe is right in the first half of the topics than on average."""
    profiles: float = 0.0
    """Standard deviation, in logits, of what each model is better or worse at in each topic."""
    tempting: float = 0.0
    """Standard deviation of the log odds by which wrong answers to an item tempt, the probe and models alike."""
    tempted: tuple[float, float] = (1.0, 1.0)
    """Times these odds that models feel, between two limits."""
    habit: float = 0.0
    """Log odds by which models, when they are wrong, prefer an answer of their own, and the probe the first."""
    wrong_golds: float = 0.0
    """The share of the items whose gold answer is wrong: models and probe answer as if it were not."""
    group: int = 1
    """Items of one group, which share their easiness and the probe's success."""
    reliance: float = 0.0
    following: tuple[int, ...] = ()
    """The models that follow the probe."""


def simulated(world: World, random: np.random.Generator) -> list[PartedAnswers]:
    """The benchmarks of a world, with what each model said."""
    ability = np.linspace(*world.abilities, world.models)
    ability[-1] += world.stronger
    bias = random.normal(0, world.bias, world.models) if world.bias else np.zeros(world.models)
    better = random.normal(0, world.profiles, (world.topics, world.models))
    models = _Models(ability, bias, better, random.uniform(*world.tempted, world.models))
    return [_benchmark(world, place, models, random) for place in range(world.benchmarks)]


@dataclass(frozen=True)
class _Models:
    """What models are like on every benchmark; M of them."""

    ability: np.ndarray
    bias: np.ndarray
    better: np.ndarray
    """(T, M): by topic."""
    tempted: np.ndarray


def _benchmark(world: World, place: int, them: _Models, random: np.random.Generator) -> PartedAnswers:
    n, models, labels = world.items, world.models, world.labels
    group = np.arange(n) // world.group
    gold = random.integers(0, labels, n)
    hit = np.clip(1 / labels + world.kappa * (1 - 1 / labels), 0, 1)
    # A probe that favours the first answer is right more often where that is gold.
    tilt = 0.15 * (1 if world.bias else 0) * np.where(gold == 0, 1, -1)
    topic = random.integers(0, world.topics, group.max() + 1)[group]
    tilt = tilt + world.topical * np.where(topic < (world.topics + 1) // 2, 1, -1)
    chosen = random.random(group.max() + 1)[group] < np.clip(hit + tilt, 0, 1)
    pull = random.normal(0, world.tempting, (n, labels)) if world.tempting else np.zeros((n, labels))
    predicted = np.where(chosen, gold, _wrong(gold, pull + world.habit * (np.arange(labels) == 0), random))
    right = predicted == gold
    easiness = random.normal(0, world.spread, group.max() + 1)[group] + world.easier * (right - hit)
    logit = them.ability + easiness[:, None] + them.better[topic]
    logit = logit + them.bias * np.where(gold == 0, 1, -1)[:, None]
    able = random.random((n, models)) < 1 / (1 + np.exp(-logit))
    mistaken = [
        _wrong(gold, them.tempted[model] * pull + world.habit * (np.arange(labels) == model % labels), random)
        for model in range(models)
    ]
    said = np.where(able, gold[:, None], np.stack(mistaken, axis=1))
    for model in world.following:
        follows = random.random(n) < world.reliance
        said[follows, model] = predicted[follows]
    if world.wrong_golds:
        gold = np.where(random.random(n) < world.wrong_golds, _wrong(gold, np.zeros((n, labels)), random), gold)
        right = predicted == gold
    about = BenchmarkPart(
        benchmark=f"simulated-{place}", audit="LEAKS", vector="simulated", probe="simulated", scheme="grouped",
        kappa=world.kappa, low=None, high=None, p=None, uniform=world.kappa, shortcut=True, ruled_out=False,
        items=n, unanswered=0, unpredicted=0, probe_right=int(right.sum()),
        probe_wrong=n - int(right.sum()), labels=labels, groups=int(group.max()) + 1, notes=[],
    )  # fmt: skip
    family = np.arange(models) * world.families // models
    correct = said == gold[:, None]
    return PartedAnswers(
        about=about,
        series=tuple(Series(f"model-{model}", family=f"family-{family[model]}") for model in range(models)),
        right=correct.astype(np.float64),
        outcomes=np.where(correct, RIGHT, WRONG).astype(np.int8),
        probe_right=right.astype(np.float64),
        gold=gold,
        groups=group,
        chance=np.full(n, 1 / labels),
        predicted=predicted,
        said=said,
    )


def _wrong(gold: np.ndarray, pull: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A wrong answer (n,) by the log odds (n, k) with which each tempts."""
    drawn = pull + random.gumbel(size=pull.shape)  # the largest is drawn with probability proportional to exp(pull)
    drawn[np.arange(len(gold)), gold] = -np.inf
    return np.asarray(drawn.argmax(axis=1))
