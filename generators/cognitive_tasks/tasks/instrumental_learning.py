"""Instrumental learning: which of two arms pays, in four places at once (Palminteri et al. 2017)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hansproof.generators.answering.moves import Choice
from hansproof.generators.answering.scorer import MeasureKind
from hansproof.generators.cognitive_tasks.payouts import arm_columns, mean_payout
from hansproof.generators.cognitive_tasks.task import LETTERS, Game, Task, mean_of, read_stories
from hansproof.generators.episode import Record
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["TASK", "InstrumentalLearningView"]

# How fast a player learns, and whether more from good news than from bad (optimism; Lefebvre et al. 2017), shows in how
# choices follow payouts. Each place has two arms that pay in 25 or 75 % of the visits, in all four combinations: in
# exactly so many of its 24 visits, in random order, so that every episode pays what was promised.

PLACES = (1, 2, 3, 4)
VISITS = 24
QUOTA = 6
"""In how many of its visits the worse arm pays; the better one pays in the rest."""


@dataclass(frozen=True)
class InstrumentalLearningView:
    """What a player knows: arms are 0 and 1, in the order of `names`."""

    place: int
    """The casino, from 1."""
    names: tuple[str, str]
    """Of the arms of this place."""
    trials: tuple[tuple[int, int, int], ...]
    """(place, arm, 1 or 0) of every visit so far."""
    quota: int
    """The law of the draws, which no player is told: in how many of its visits the worse arm pays."""


class InstrumentalLearning(Game):
    """One game."""

    def __init__(self, item: Item) -> None:
        super().__init__(item)
        letters = self.draws["arms"]
        self._names = {place: (letters[2 * place - 2], letters[2 * place - 1]) for place in PLACES}
        self._order: list[int] = self.draws["order"]
        self._rewards = self.draws["rewards_0"], self.draws["rewards_1"]
        self._trials: list[tuple[int, int, int]] = []

    @property
    def move(self) -> Choice | None:
        """One of the two arms of the place visited."""
        visit = len(self._trials)
        return Choice(self._names[self._order[visit]]) if visit < len(self._order) else None

    def told(self) -> Sequence[str]:
        words = self.words["unpaid"], self.words["paid"]
        lines = [
            f"- {words[reward].format(place=place, name=self._names[place][arm])}"
            for place, arm, reward in self._trials
        ]
        return ["So far:\n" + "\n".join(lines)] if lines else []

    def question(self) -> str:
        """Says which place this is, and asks for an arm."""
        visit, words = len(self._trials), self.words
        return (
            f"Visit {visit + 1} of {len(self._order)}: you are at {words['place']} {self._order[visit]}. "
            f"Which {words['arm']} do you choose, {self.options}?"
        )

    def take(self, action: str) -> None:
        visit = len(self._trials)
        place = self._order[visit]
        arm = self._names[place].index(action)
        self._trials.append((place, arm, self._rewards[arm][visit]))

    @property
    def view(self) -> InstrumentalLearningView:
        place = self._order[min(len(self._trials), len(self._order) - 1)]
        quota = self.draws.get("difficulty", QUOTA)
        return InstrumentalLearningView(place, self._names[place], tuple(self._trials), quota)

    def records(self) -> list[Record]:
        """One row a visit."""
        shares = [[paying / VISITS for paying in self.draws[f"paying_{arm}"]] for arm in (0, 1)]
        return [
            {"trial": trial, "casino": place}
            | arm_columns(
                (shares[0][place - 1], shares[1][place - 1]), (self._rewards[0][trial], self._rewards[1][trial]), arm
            )
            for trial, (place, arm, _) in enumerate(self._trials)
        ]


def _make(stream: Stream, story: str, level: int | None) -> tuple[str, dict[str, Any]]:
    letters = stream.child("names").sample(LETTERS, 2 * len(PLACES))
    words = read_stories("instrumental-learning")[story]
    design, payouts = stream.child("design"), stream.child("payouts")
    low = level or QUOTA
    high = VISITS - low
    paying = design.shuffled([(low, low), (low, high), (high, low), (high, high)])
    order = design.shuffled(PLACES * VISITS)
    # Of the arms at the first visit to a casino where one is better.
    first, second = next(paying[place - 1] for place in order if len(set(paying[place - 1])) == 2)
    columns = [[0] * len(order), [0] * len(order)]
    for place, pair in zip(PLACES, paying, strict=True):
        visits = [visit for visit, visited in enumerate(order) if visited == place]
        for column, quota in zip(columns, pair, strict=True):
            for visit in payouts.sample(visits, quota):
                column[visit] = 1
    listed = [
        f"{words['place'].capitalize()} {place} has {words['arm']}s {letters[2 * place - 2]} and "
        f"{letters[2 * place - 1]}."
        for place in PLACES
    ]
    prompt = "\n\n".join((words["opening"].format(visits=VISITS), " ".join(listed), words["aim"]))
    return prompt, {
        "arms": letters,
        "paying_0": [pair[0] for pair in paying],
        "paying_1": [pair[1] for pair in paying],
        "order": order,
        "rewards_0": columns[0],
        "rewards_1": columns[1],
        "better": "first" if first > second else "second",
    }


def _check(item: Item) -> Mapping[str, bool]:
    """Counts what every arm pays over its visits: that decides which arm is better, and must be what is recorded."""
    draws = item.metadata
    order, columns = draws["order"], (draws["rewards_0"], draws["rewards_1"])
    visits = re.search(r"each of them (\d+) times", item.prompt)
    each = int(visits[1]) if visits else 0
    paid = [
        tuple(sum(pay for visited, pay in zip(order, column, strict=True) if visited == place) for column in columns)
        for place in PLACES
    ]
    low = min(map(min, paid))
    # Two of the four casinos have a better arm, and each arm is the better one in one of them.
    verdicts = [("second", "first")[first > second] for first, second in paid]
    unequal = [place for place in order if place in PLACES and len(set(paid[place - 1])) == 2]
    named = re.findall(r" (\d) has \w+ (\w) and (\w)\.", item.prompt)
    return {
        "a place is not visited as often as the prompt says": sorted(order) != sorted(list(PLACES) * each),
        "the arms do not pay in the four combinations": sorted(paid)
        != sorted((first, second) for first in (low, each - low) for second in (low, each - low)),
        "an arm pays in other visits than are recorded": paid
        != list(zip(draws["paying_0"], draws["paying_1"], strict=True)),
        "the worse arm does not pay in a quarter of its visits": 4 * low != each and "difficulty" not in draws,
        "a payout is neither 0 nor 1": any(pay not in (0, 1) for column in columns for pay in column),
        "the better arm of the first visit that has one is another": not unequal
        or draws["better"] != verdicts[unequal[0] - 1],
        "the prompt names other arms": [letter for _, *pair in named for letter in pair] != draws["arms"],
        "two arms have the same name": len(set(draws["arms"])) != 2 * len(PLACES),
    }


TASK = Task(
    name="instrumental-learning",
    title="instrumental learning",
    rows=20,
    make=_make,
    start=InstrumentalLearning,
    check=_check,
    kinds={"reward": MeasureKind("share of the visits that paid")},
    score=lambda records: {"reward": mean_of(records, "reward")},
    turns=lambda item: len(item.metadata["order"]),
    chance=lambda item: {"reward": mean_payout(item)},
    audit_target="better",
    level=(
        "visits of 24 in which the worse machine pays, while the better one pays in the rest",
        1,
        9,
        "a Rescorla-Wagner learner plays the better machine in .90 of the visits at 1, .80 at 6 and .68 at 9, and "
        "win-stay-lose-shift in .94, .74 and .61",
    ),
)
