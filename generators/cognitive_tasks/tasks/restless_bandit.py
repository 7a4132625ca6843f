"""The restless bandit: two arms that change places, and a player who says how sure it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from hansproof.generators.answering.moves import Choice, Move, Number
from hansproof.generators.answering.scorer import MeasureKind
from hansproof.generators.cognitive_tasks.payouts import FURTHEST, deviations, mean_payout, told_payout
from hansproof.generators.cognitive_tasks.task import LETTERS, Game, Task, mean_of, read_stories
from hansproof.generators.episode import Record
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["TASK", "RestlessBanditView"]

# After Ershadmanesh et al. (2023). The confidence is asked before the payout is told, so that this cannot colour it,
# and as Coda-Forno et al. (2024) ask it: 0 is a guess. A player who is right with probability p may say 2 p - 1.

BLOCKS = 4
PLAYS = 80
"""How many plays there are, give or take a tenth. They may end in the middle of a block, so that their number, which is
drawn without the blocks, says nothing of where these end."""
MEANS = (60, 40)
_SURE = Number(0, 1)


def lengths_of(blocks: int) -> tuple[int, int]:
    """The fewest and the most plays of a block, but for the last: a tenth below and above the mean, rounded."""
    mean = PLAYS / blocks
    return int(0.9 * mean + 0.5), int(1.1 * mean + 0.5)


@dataclass(frozen=True)
class RestlessBanditView:
    """What a player knows: arms are 0 and 1, in the order of `names`."""

    names: tuple[str, str]
    trials: tuple[tuple[int, int, float], ...]
    """(arm, payout, confidence) of every play; payouts without the story's shift."""
    left: int
    """Plays left, this one included."""
    blocks: int
    """How many blocks there are, give or take one."""
    chosen: int | None
    """The arm just chosen, while the question is how sure the player is; None while it is which arm."""


class RestlessBandit(Game):
    """One game."""

    def __init__(self, item: Item) -> None:
        super().__init__(item)
        self._names: tuple[str, str] = tuple(self.draws["arms"])
        self._choice = Choice(self._names)
        self._rewards = self.draws["rewards_0"], self.draws["rewards_1"]
        self._plays = sum(self.draws["blocks"])
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
        story = self.draws["story"]
        lines = [
            f"{play}. {told_payout(story, self._names[arm], reward)} Your confidence was {sure:.2f}."
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
            f"{play} You have chosen machine {name}. How confident are you that {name} is the better machine at the "
            "moment? Give a number from 0 (this was a guess) to 1 (very certain), to two decimal places."
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
        left, blocks = self._plays - len(self._trials), self.draws.get("difficulty", BLOCKS)
        return RestlessBanditView(self._names, tuple(self._trials), left, blocks, self._chosen)

    def records(self) -> list[Record]:
        """One row a play; `accurate` is whether the arm is the better one of the block that the play belongs to."""
        places = [(block, trial) for block, length in enumerate(self.draws["blocks"]) for trial in range(length)]
        best = self.draws["better"] == "second"
        return [
            {"block": block, "trial": trial, "choice": arm, "reward": reward}
            | {"confidence": sure, "accurate": arm == (best + block) % 2}
            for (block, trial), (arm, reward, sure) in zip(places, self._trials, strict=False)
        ]


def _make(stream: Stream, story: str, level: int | None) -> tuple[str, dict[str, Any]]:
    names = stream.child("names").sample(LETTERS, 2)
    design, payouts = stream.child("design"), stream.child("payouts")
    best = int(design.coin())
    shortest, longest = lengths_of(level or BLOCKS)
    plays, blocks = design.integer(PLAYS * 9 // 10, PLAYS * 11 // 10), list[int]()
    while (left := plays - sum(blocks)) > 0:
        blocks.append(min(design.integer(shortest, longest), left))
    arms = [[mean + extra for extra in deviations(payouts, plays)] for mean in MEANS]
    for block, (start, end) in enumerate(pairwise(accumulate(blocks, initial=0))):
        if (best + block) % 2:  # the second arm has its turn at the higher mean
            arms[0][start:end], arms[1][start:end] = arms[1][start:end], arms[0][start:end]
    prompt = read_stories("restless-bandit")[story]["opening"].format(
        a=names[0], b=names[1], lengths=f"{shortest} {'or' if longest == shortest + 1 else 'to'} {longest}", plays=plays
    )
    return prompt, {
        "arms": names,
        "blocks": blocks,
        "rewards_0": arms[0],
        "rewards_1": arms[1],
        "better": "second" if best else "first",
    }


_LAW = re.compile(r"for (\d+) plays\..* [Ee]very (\d+) (?:to|or) (\d+) plays")


def _check(item: Item) -> Mapping[str, bool]:
    """Reads the law off the prompt, and tells from the payouts which arm is better in each block."""
    draws = item.metadata
    blocks, columns = draws["blocks"], (draws["rewards_0"], draws["rewards_1"])
    told = _LAW.search(item.prompt)
    plays, shortest, longest = map(int, told.groups()) if told else (0, 0, 0)
    starts = [sum(blocks[:block]) for block in range(len(blocks) + 1)]
    gaps = [
        sum(first - second for first, second in zip(*(column[low:high] for column in columns), strict=True))
        for low, high in pairwise(starts)
    ]
    # Over a block of 18 the means differ by 20 with a standard error of 2.7, over one of 5 by 20 with one of 5.1: the
    # sign is that of the better arm, but for one such block in 20,000, and some of the shorter ones that come last.
    odd = sum((gap < 0) != ((draws["better"] == "second") ^ (block % 2)) for block, gap in enumerate(gaps))
    return {
        "the blocks are not as long as the prompt says": any(
            not shortest <= length <= longest for length in blocks[:-1]
        )
        or not 0 < blocks[-1] <= longest,
        "the prompt gives another number of plays": plays != sum(blocks),
        "there is not one payout a play": any(len(column) != sum(blocks) for column in columns),
        "the arms do not change places with every block": odd > (min(blocks) < 15),
        "a payout is further from both means than any draw": any(
            not MEANS[1] - FURTHEST <= reward <= MEANS[0] + FURTHEST for column in columns for reward in column
        ),
        "the prompt does not name the two arms": f"machines, {draws['arms'][0]} and {draws['arms'][1]}, "
        not in item.prompt,
    }


TASK = Task(
    name="restless-bandit",
    title="the restless bandit",
    rows=20,
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
    level=(
        "blocks in about 80 plays, give or take one",
        2,
        16,
        "the optimal agent plays the better machine in .97 of the plays at 2, .95 at 4 and .90 at 16, and a "
        "Rescorla-Wagner learner in .79, .68 and .50",
    ),
)
