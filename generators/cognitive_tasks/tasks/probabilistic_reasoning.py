"""Probabilistic reasoning: weighing a prior against a likelihood (Dasgupta et al. 2020)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hansproof.generators.answering.moves import Number
from hansproof.generators.answering.scorer import Measure, MeasureKind
from hansproof.generators.cognitive_tasks.task import LETTERS, Game, Task, read_stories
from hansproof.generators.episode import Record
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["TASK", "ProbabilisticReasoningView"]

# In one of the two rounds the prior is informative and the contents of the urns hardly are; in the other it is the
# other way round. The likelier urn is the first or the second equally often.

STRONG = (1, 2, 3, 7, 8, 9)
WEAK = (4, 6)
"""Tenths. CogBench has 5 too, where a wheel or an urn says nothing and half of the rounds look alike."""
COLOURS = ("red", "blue", "green", "yellow", "black", "white")
_URNS = "".join(letter for letter in LETTERS if letter.lower() not in {colour[0] for colour in COLOURS})
"""Names of urns and dice: none is the initial of a colour."""
_ESTIMATE = Number(0, 1)

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class ProbabilisticReasoningView:
    """What a player knows of the round."""

    prior: float
    """The probability of the first urn before the ball is seen."""
    likelihood: float
    """The share of the first colour in the first urn; in the second urn it is the rest."""
    seen: tuple[bool, ...]
    """Of each ball drawn: whether it has the first colour."""


class ProbabilisticReasoning(Game):
    """Two rounds. Neither is mentioned in the other: each starts anew, and nobody says what was right."""

    def __init__(self, item: Item) -> None:
        super().__init__(item)
        self._estimates: list[float] = []

    @property
    def move(self) -> Number | None:
        return _ESTIMATE if len(self._estimates) < len(self.draws["prior"]) else None

    def question(self) -> str:
        """The round, and how probable the first urn is."""
        place, draws = len(self._estimates), self.draws
        (first, second), (x, y) = draws["urns"], draws["colours"]
        prior, many = draws["prior"][place], draws["likelihood"][place]
        drawn = [x if red else y for red in draws["red"][place]]
        tenth, part = self.words["tenth"], self.words["part"]
        words = self.words["round"].format(
            **{"a": first, "b": second, "prior": _counted(prior, tenth), "rest": _WORDS[10 - prior]},
            parts_a=f"{_counted(many, f'{x} {part}')} and {_counted(10 - many, f'{y} {part}')}",
            parts_b=f"{_counted(10 - many, f'{x} {part}')} and {_counted(many, f'{y} {part}')}",
            ball="balls"[: 4 + (len(drawn) > 1)],
            seen=f"are, in order, {', '.join(drawn[:-1])} and {drawn[-1]}" if len(drawn) > 1 else f"is {drawn[0]}",
        )
        return f"Round {place + 1} of {len(draws['prior'])}. {words} Give a number from 0 to 1, to two decimal places."

    def take(self, action: str) -> None:
        self._estimates.append(float(action))

    @property
    def view(self) -> ProbabilisticReasoningView:
        """What a player knows now; of the last round once the episode is over."""
        prior, likelihood, red = (self.draws[key] for key in ("prior", "likelihood", "red"))
        place = min(len(self._estimates), len(prior) - 1)
        return ProbabilisticReasoningView(prior[place] / 10, likelihood[place] / 10, tuple(red[place]))

    def records(self) -> list[Record]:
        """One row a round: whether the ball is red or, of several, how many are."""
        draws = self.draws
        return [
            {"informative": kind, "prior": prior / 10, "likelihood": likelihood / 10}
            | ({"red": seen[0]} if len(seen) == 1 else {"red": sum(seen), "balls": len(seen)})
            | {"estimate": estimate}
            for estimate, kind, prior, likelihood, seen in zip(
                self._estimates, *(draws[key] for key in ("informative", "prior", "likelihood", "red")), strict=False
            )
        ]


def _counted(count: int, thing: str) -> str:
    return f"{_WORDS[count]} {thing}{'' if count == 1 else 's'}"


def _make(stream: Stream, story: str, level: int | None) -> tuple[str, dict[str, Any]]:
    words, balls = read_stories("probabilistic-reasoning")[story], level or 1
    names = stream.child("names").sample(_URNS, 2)
    colours = stream.child("colours").sample(COLOURS, 2)
    rounds = stream.child("rounds")
    informative = rounds.shuffled(("likelihood", "prior"))
    priors, likelihoods, reds, hidden = [], [], [], []
    for kind in informative:
        strong, weak = rounds.choice(STRONG), rounds.choice(WEAK)
        prior, likelihood = (strong, weak) if kind == "prior" else (weak, strong)
        second = rounds.below(10) >= prior
        priors.append(prior)
        likelihoods.append(likelihood)
        hidden.append(int(second))
        reds.append([rounds.below(10) < (10 - likelihood if second else likelihood) for _ in range(balls)])
    prompt = words["opening"].format(
        **{"a": names[0], "b": names[1], "x": colours[0], "y": colours[1], "ball": "ball" if balls == 1 else "balls"},
        drawn="one ball from it" if balls == 1 else f"{balls} balls from it, putting each back before the next,",
    )
    return prompt, {
        "urns": names,
        "colours": colours,
        "informative": informative,
        "prior": priors,
        "likelihood": likelihoods,
        "urn": hidden,
        "red": reds,
    }


def _check(item: Item) -> Mapping[str, bool]:
    """Reads every round off its question, and holds it against the draws and the law of the task."""
    draws, game = item.metadata, ProbabilisticReasoning(item)
    urns, told_balls = draws["urns"], re.search(r"draws (\d+) balls", item.prompt)
    faults = {
        "the prompt tells of another number of balls": {len(seen) for seen in draws["red"]}
        != {int(told_balls[1]) if told_balls else 1},
        "the rounds are not one of either kind": sorted(draws["informative"]) != ["likelihood", "prior"],
        "the prompt does not name the urns": len(set(urns)) != 2 or any(f" {urn}" not in item.prompt for urn in urns),
        "an urn has the initial of a colour": any(colour.startswith(urn.lower()) for urn in urns for colour in COLOURS),
    }
    for place, kind in enumerate(draws["informative"]):
        told, _, drawn = game.question().partition("How probable")[0].partition("has been ")
        tenths = [_WORDS.index(word) for word in re.findall(r"\b[a-z]+\b", told) if word in _WORDS[1:10]]
        prior, likelihood = draws["prior"][place], draws["likelihood"][place]
        strong, weak = (prior, likelihood) if kind == "prior" else (likelihood, prior)
        # The wheel, then urn by urn both colours.
        wanted = [prior, 10 - prior, likelihood, 10 - likelihood, 10 - likelihood, likelihood]
        seen = [word == draws["colours"][0] for word in re.findall(r"[a-z]+", drawn) if word in draws["colours"]]
        faults |= {
            f"round {place + 1} has other chances than the task": strong not in STRONG or weak not in WEAK,
            f"round {place + 1} is told with other numbers than were drawn": tenths != wanted,
            f"round {place + 1} does not tell what was drawn": seen != draws["red"][place],
        }
        game.step("0.5")
    return faults


def _posterior(prior: float, likelihood: float, reds: int, balls: int = 1) -> float:
    first, second = (share**reds * (1 - share) ** (balls - reds) for share in (likelihood, 1 - likelihood))
    return prior * first / (prior * first + (1 - prior) * second)


def _score(records: Sequence[Record]) -> Mapping[str, Measure]:
    errors = []
    for record in records:
        prior, likelihood = float(record["prior"] or 0), float(record["likelihood"] or 0)
        truth = _posterior(prior, likelihood, int(record["red"] or 0), int(record.get("balls") or 1))
        errors.append(abs(float(record["estimate"] or 0) - truth))
    return {"accuracy": Measure(1 - sum(errors) / len(errors), len(errors))}


def _chance(item: Item) -> Mapping[str, float]:
    draws = item.metadata
    rounds = list(zip(draws["prior"], draws["likelihood"], draws["red"], strict=True))
    truths = [_posterior(prior / 10, tenths / 10, sum(seen), len(seen)) for prior, tenths, seen in rounds]
    # The mean distance of a uniform estimate from p is (p^2 + (1 - p)^2) / 2.
    return {"accuracy": 1 - sum((truth**2 + (1 - truth) ** 2) / 2 for truth in truths) / len(truths)}


TASK = Task(
    name="probabilistic-reasoning",
    title="probabilistic reasoning",
    rows=400,
    make=_make,
    start=ProbabilisticReasoning,
    check=_check,
    kinds={"accuracy": MeasureKind("1 less the mean distance of the estimates from Bayes' rule")},
    score=_score,
    turns=lambda item: len(item.metadata["prior"]),
    chance=_chance,
    level=(
        "balls drawn, each put back before the next",
        1,
        12,
        "a reasoner that takes the last ball for all of them has an accuracy of 1.00 at 1, .85 at 4 and .78 at 12",
    ),
)
