"""The restless bandit: two arms that change places, and a player who says how sure it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hansproof.generators.answering.moves import Choice, Move, Number
from hansproof.generators.answering.scorer import MeasureKind
from hansproof.generators.cognitive_tasks.task import (
    DOLLARS,
    FURTHEST,
    LETTERS,
    POINTS,
    Game,
    PayingStory,
    Task,
    deviation,
    mean_of,
    mean_payout,
)
from hansproof.generators.episode import Record
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["TASK", "RestlessBanditView"]

STORIES: Mapping[str, PayingStory] = {
    "machines": PayingStory(
        "two slot machines in a casino that pay dollars",
        "You are in a casino with two slot machines, {a} and {b}. Each play pays a number of dollars that "
        "varies around the machine's average. At any time, one machine has a higher average than the other. Every 18 "
        "to 22 plays they change places: the better machine becomes the worse one. Nobody tells you when.",
        DOLLARS,
    ),
    "points": PayingStory(
        "two gaming machines in an arcade that give and take points, 50 fewer a play",
        "You are in an arcade with two gaming machines, {a} and {b}. With each play you win or lose points; the "
        "result varies around the machine's average, and losses count as negative. At any time, one machine has a "
        "higher average than the other. Every 18 to 22 plays they change places: the better machine becomes the worse "
        "one. Nobody tells you when.",
        POINTS,
    ),
}

# After Ershadmanesh et al. (2023). The confidence is asked before the payout is told, so that this cannot colour it;
# the quadratic scoring rule rewards the probability of having chosen the better arm.

BLOCKS = 4
SHORTEST, LONGEST = 18, 22
MEANS = (60, 40)
_SURE = Number(0, 1)


@dataclass(frozen=True)
class RestlessBanditView:
    """What a player knows: arms are 0 and 1, in the order of `names`."""

    names: tuple[str, str]
    trials: tuple[tuple[int, int, float], ...]
    """(arm, payout, probability that the arm was the better one) of every play; payouts without the story's shift."""
    left: int
    """Plays left, this one included."""
    chosen: int | None
    """The arm just chosen, while the question is how sure the player is; None while it is which arm."""


class RestlessBandit(Game):
    """One game."""

    def __init__(self, item: Item) -> None:
        super().__init__(item)
        draws = item.metadata
        self._payouts = STORIES[draws["story"]].payouts
        self._names: tuple[str, str] = tuple(draws["arms"])
        self._choice = Choice(self._names)
        self._rewards = draws["rewards_0"], draws["rewards_1"]
        self._plays = sum(draws["blocks"])
        self._trials: list[tuple[int, int, float]] = []
        self._chosen: int | None = None

    @property
    def move(self) -> Move | None:
        """An arm, then a confidence from 0 to 1."""
        if self._chosen is not None:
            return _SURE
        return self._choice if len(self._trials) < self._plays else None

    def told(self) -> Sequence[str]:
        """What every play paid, and how sure the player was."""
        lines = [
            f"{play}. {self._payouts.told(self._names[arm], reward)} Your rating was {sure:g}."
            for play, (arm, reward, sure) in enumerate(self._trials, start=1)
        ]
        return ["Your plays so far:\n" + "\n".join(lines)] if lines else []

    def question(self) -> str:
        """Asks for an arm, or for the confidence in the arm just chosen."""
        play = f"This is play {len(self._trials) + 1} of {self._plays}."
        if self._chosen is None:
            return f"{play} Which machine do you play, {self._choice.options}?"
        name = self._names[self._chosen]
        return (
            f"{play} You have chosen machine {name}. Before you see the outcome: how sure are you that {name} is the "
            "better machine at the moment? Give a number from 0 (certain that it is the worse one) to 1 (certain that "
            "it is the better one); 0.5 is a pure guess."
        )

    def take(self, action: str) -> None:
        """Choose an arm, or say how sure you are, upon which it pays."""
        if self._chosen is None:
            self._chosen = self._names.index(action)
            return
        reward = self._rewards[self._chosen][len(self._trials)]
        self._trials.append((self._chosen, reward, float(action)))
        self._chosen = None

    @property
    def view(self) -> RestlessBanditView:
        """What a player knows now."""
        return RestlessBanditView(self._names, tuple(self._trials), self._plays - len(self._trials), self._chosen)

    def records(self) -> list[Record]:
        """One row a play; `accurate` is whether the arm is the better one of the block that the play belongs to."""
        draws = self.item.metadata
        places = [(block, trial) for block, length in enumerate(draws["blocks"]) for trial in range(length)]
        best = draws["better"] == "second"
        return [
            {
                "block": block,
                "trial": trial,
                "choice": arm,
                "reward": reward,
                "confidence": sure,
                "accurate": arm == (best + block) % 2,
            }
            for (block, trial), (arm, reward, sure) in zip(places, self._trials, strict=False)
        ]


def _make(stream: Stream, story: str) -> tuple[str, dict[str, Any]]:
    names = stream.child("names").sample(LETTERS, 2)
    design, payouts = stream.child("design"), stream.child("payouts")
    best = int(design.coin())
    blocks = [design.integer(SHORTEST, LONGEST) for _ in range(BLOCKS)]
    plays = sum(blocks)
    # High and low payouts of every play; the arms take turns at them.
    high, low = ([mean + deviation(payouts) for _ in range(plays)] for mean in MEANS)
    arms: list[list[int]] = [[], []]
    start = 0
    for block, length in enumerate(blocks):
        for arm in (0, 1):
            arms[arm] += (high if arm == (best + block) % 2 else low)[start : start + length]
        start += length
    opening = STORIES[story].opening.format(a=names[0], b=names[1])
    prompt = (
        f"{opening}\n\nYou have {plays} plays. Win as much as you can in all of them together. After each choice, and "
        "before you see the outcome, you rate how sure you are that you chose the better machine: from 0 (certain that "
        "it is the worse one) through 0.5 (a pure guess) to 1 (certain that it is the better one)."
    )
    return prompt, {
        "arms": names,
        "blocks": blocks,
        "rewards_0": arms[0],
        "rewards_1": arms[1],
        "better": "second" if best else "first",
    }


def _check(item: Item) -> list[str]:
    """Tells from the payouts which arm is better in each block; the draws must say the same."""
    draws = item.metadata
    blocks, columns = draws["blocks"], (draws["rewards_0"], draws["rewards_1"])
    plays = re.search(r"You have (\d+) plays", item.prompt)
    starts = [sum(blocks[:block]) for block in range(len(blocks) + 1)]
    gaps = [
        sum(first - second for first, second in zip(*(column[low:high] for column in columns), strict=True))
        for low, high in pairwise(starts)
    ]
    # In a block of 18 the mean difference is 20 with a standard error below 2.7: it never changes its sign.
    signs = [("first", "second")[gap < 0] for gap in gaps]
    wanted = [draws["better"], "first" if draws["better"] == "second" else "second"] * 2
    faults = {
        "the blocks are not four of 18 to 22 plays": len(blocks) != BLOCKS
        or any(not SHORTEST <= length <= LONGEST for length in blocks),
        "the prompt gives another number of plays": plays is None or int(plays[1]) != sum(blocks),
        "there is not one payout a play": any(len(column) != sum(blocks) for column in columns),
        "the arms do not change places with every block": signs != wanted,
        "a payout is further from both means than any draw": any(
            not MEANS[1] - FURTHEST <= reward <= MEANS[0] + FURTHEST for column in columns for reward in column
        ),
        "the prompt does not name the two arms": f"machines, {draws['arms'][0]} and {draws['arms'][1]}."
        not in item.prompt,
    }
    return [fault for fault, so in faults.items() if so]


TASK = Task(
    name="restless-bandit",
    title="the restless bandit",
    measures="Metacognition: is a player sure when it is right and unsure when it is wrong (Ershadmanesh et al. 2023)?",
    rows=20,
    stories=STORIES,
    make=_make,
    start=RestlessBandit,
    check=_check,
    kinds={
        "accuracy": MeasureKind("share of the plays of the machine that was better at that time"),
        "reward": MeasureKind("mean payout over all plays", share=False),
    },
    score=lambda records: {"accuracy": mean_of(records, "accurate"), "reward": mean_of(records, "reward")},
    turns=lambda item: 2 * sum(item.metadata["blocks"]),
    chance=lambda item: {"accuracy": 0.5, "reward": mean_payout(item)},
    audit_target="better",
)
