"""The horizon task: two arms, four forced choices, then one free choice or six (Wilson et al. 2014)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hansproof.generators.answering.moves import Choice
from hansproof.generators.answering.scorer import MeasureKind
from hansproof.generators.cognitive_tasks.payouts import FURTHEST, arm_columns, deviations, told_payout
from hansproof.generators.cognitive_tasks.task import LETTERS, Game, Task, mean_of, read_stories
from hansproof.generators.episode import Record
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["TASK", "HorizonView"]

# Exploring is directed at the lesser-known arm, or random, only while choices are left to use what you learn. So
# information and horizon are decided by fair coins, the words are the same, and either arm is as often the better one.

FORCED = 4
HORIZONS = (1, 6)
BASES = (40, 60)
GAPS = (-30, -20, -12, -8, -4, 4, 8, 12, 20, 30)


@dataclass(frozen=True)
class HorizonView:
    """What a player knows: arms are 0 and 1, in the order of `names`."""

    names: tuple[str, str]
    trials: tuple[tuple[int, int], ...]
    """(arm, payout) of every play so far, the forced ones first; payouts without the story's shift."""
    left: int
    """Free choices left, this one included."""


class Horizon(Game):
    """One game."""

    def __init__(self, item: Item) -> None:
        super().__init__(item)
        self._names: tuple[str, str] = tuple(self.draws["arms"])
        self._choice = Choice(self._names)
        self._rewards = self.draws["rewards_0"], self.draws["rewards_1"]
        self._trials = [(arm, self._rewards[arm][trial]) for trial, arm in enumerate(self.draws["forced"])]

    @property
    def move(self) -> Choice | None:
        """One of the two arms, as often as the horizon says."""
        return self._choice if self._left else None

    def told(self) -> Sequence[str]:
        free = self._trials[FORCED:]
        return ["Your own plays so far:\n" + _listed(self.draws["story"], self._names, free)] if free else []

    def question(self) -> str:
        """Asks for the next arm, and says how many plays are left."""
        return f"You have {_plays(self._left)} left. Which machine do you play, {self._choice.options}?"

    def take(self, action: str) -> None:
        arm = self._names.index(action)
        self._trials.append((arm, self._rewards[arm][len(self._trials)]))

    @property
    def view(self) -> HorizonView:
        return HorizonView(self._names, tuple(self._trials), self._left)

    def records(self) -> list[Record]:
        """One row a play, the forced ones first."""
        means = self.draws["mean_0"], self.draws["mean_1"]
        return [
            {"trial": trial, **arm_columns(means, (self._rewards[0][trial], self._rewards[1][trial]), arm)}
            for trial, (arm, _) in enumerate(self._trials)
        ]

    @property
    def _left(self) -> int:
        return FORCED + int(self.draws["horizon"]) - len(self._trials)


def _plays(count: int) -> str:
    return f"{count} play{'' if count == 1 else 's'}"


def _listed(story: str, names: Sequence[str], trials: Sequence[tuple[int, int]]) -> str:
    return "\n".join(f"- {told_payout(story, names[arm], reward)}" for arm, reward in trials)


def _make(stream: Stream, story: str, level: int | None) -> tuple[str, dict[str, Any]]:
    names = stream.child("names").sample(LETTERS, 2)
    design, payouts = stream.child("design"), stream.child("payouts")
    means = [base := design.choice(BASES), base + design.choice(GAPS)]
    if design.coin():
        means.reverse()
    horizon = design.choice(HORIZONS)
    equal = design.coin()
    rare = int(design.coin())
    forced = design.shuffled([0, 0, 1, 1] if equal else [rare] + 3 * [1 - rare])
    extras = deviations(payouts, 2 * (FORCED + horizon))
    arms = [[mean + extra for extra in extras[arm::2]] for arm, mean in enumerate(means)]
    words = read_stories("horizon")[story]
    seen = _listed(story, names, [(arm, arms[arm][trial]) for trial, arm in enumerate(forced)])
    prompt = "\n\n".join(
        (
            words["opening"].format(a=names[0], b=names[1]),
            f"{words['forced']}\n{seen}",
            words["free"].format(plays=_plays(horizon)),
        )
    )
    return prompt, {
        "arms": names,
        "mean_0": means[0],
        "mean_1": means[1],
        "rewards_0": arms[0],
        "rewards_1": arms[1],
        "forced": forced,
        "horizon": horizon,
        "information": "equal" if equal else "unequal",
        "better": "first" if means[0] > means[1] else "second",
    }


_FORCED_PLAY = re.compile(
    r"^- (?:Machine (\w) |You )(\w+) (?:you )?(\w+)(?:(?: nor lost)? \w+ on machine)? ?(\w)?", re.M
)
_LOSSES = ("cost", "lost")


def _check(item: Item) -> Mapping[str, bool]:
    """Reads the four forced payouts and the horizon off the prompt, and holds the draws against the law of the task."""
    draws = item.metadata
    shift = {"points": -50}.get(draws["story"], 0)
    means, arms = (draws["mean_0"], draws["mean_1"]), draws["arms"]
    seen = _FORCED_PLAY.findall(item.prompt)
    paid = [
        (arms.index(before or after), (int(amount) if amount.isdigit() else 0) * (-1 if verb in _LOSSES else 1) - shift)
        for before, verb, amount, after in seen
    ]
    counts = sorted(draws["forced"].count(arm) for arm in (0, 1))
    told = re.search(r"yourself, for (\d+) play", item.prompt)
    free = int(told[1]) if told else 0
    rewards = draws["rewards_0"], draws["rewards_1"]
    return {
        "the forced plays of the prompt are not those of the draws": paid
        != [(arm, rewards[arm][trial]) for trial, arm in enumerate(draws["forced"])],
        "the forced choices are not as equal as they should be": counts
        != ([2, 2] if draws["information"] == "equal" else [1, 3]),
        "the means are not 40 or 60 and a gap of the task": not any(
            base in BASES and other - base in GAPS for base, other in (means, means[::-1])
        ),
        "the better arm has the lower mean": means[draws["better"] == "second"] <= means[draws["better"] == "first"],
        "the number of free choices is not that of the prompt": draws["horizon"] != free,
        "there is not one payout a trial": any(len(column) != FORCED + free for column in rewards),
        "a payout is further from its mean than any draw": any(
            abs(reward - mean) > FURTHEST for mean, column in zip(means, rewards, strict=True) for reward in column
        ),
        "the arms are not two letters": len(set(arms)) != 2 or not set(arms) <= set(LETTERS),
    }


def _chance(item: Item) -> Mapping[str, float]:
    draws = item.metadata
    pairs = list(zip(draws["rewards_0"], draws["rewards_1"], strict=True))
    forced = sum(pairs[trial][arm] for trial, arm in enumerate(draws["forced"]))
    return {"reward": (forced + sum(sum(pair) / 2 for pair in pairs[FORCED:])) / len(pairs)}


TASK = Task(
    name="horizon",
    title="the horizon task",
    rows=1200,
    make=_make,
    start=Horizon,
    check=_check,
    kinds={"reward": MeasureKind("mean payout over all plays, the four forced ones included", share=False)},
    score=lambda records: {"reward": mean_of(records, "reward")},
    turns=lambda item: item.metadata["horizon"],
    chance=_chance,
    audit_target="better",
)
