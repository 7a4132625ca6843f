"""Instrumental learning: which of two arms pays, in four places at once (Palminteri et al. 2017)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hansproof.generators.answering.moves import Choice
from hansproof.generators.answering.scorer import MeasureKind
from hansproof.generators.cognitive_tasks.task import LETTERS, Game, Story, Task, mean_of, mean_payout
from hansproof.generators.episode import Record
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["TASK", "InstrumentalLearningView"]


@dataclass(frozen=True)
class InstrumentalLearningStory(Story):
    """The words of the task."""

    opening: str
    """With `{visits}`."""
    place: str
    """What is visited: `casino`."""
    arm: str
    """What is played there: `machine`."""
    paid: str
    """What a visit that paid is told as, with `{place}` and `{name}`."""
    unpaid: str
    aim: str
    """Asks for as much as possible."""


STORIES: Mapping[str, InstrumentalLearningStory] = {
    "casinos": InstrumentalLearningStory(
        "four casinos with two slot machines each, visited 24 times each",
        "You are going to visit four casinos, numbered 1 to 4, each of them {visits} times, in mixed order. Every "
        "casino has two slot machines of its own, and on each visit you play one of them. A play pays one dollar or "
        "nothing. Machines may differ in how often they pay, but how often a machine pays never changes.",
        "casino",
        "machine",
        "Casino {place}: machine {name} paid one dollar.",
        "Casino {place}: machine {name} paid nothing.",
        "Win as many dollars as you can over all your visits.",
    ),
    "candy": InstrumentalLearningStory(
        "four shops with two candy dispensers each, visited 24 times each",
        "You are going to visit four shops, numbered 1 to 4, each of them {visits} times, in mixed order. Outside "
        "every shop stand two candy dispensers, and on each visit you press the button of one of them. A candy drops "
        "out, or nothing does. Dispensers may differ in how often they give a candy, but how often a dispenser gives "
        "one never changes.",
        "shop",
        "dispenser",
        "Shop {place}: dispenser {name} gave you a candy.",
        "Shop {place}: dispenser {name} gave you nothing.",
        "Collect as many candies as you can over all your visits.",
    ),
}

# How fast a player learns, and whether more from good news than from bad (optimism; Lefebvre et al. 2017), shows in how
# choices follow payouts. Each place has two arms that pay with chances of 25 or 75 %, in all four combinations.

PLACES = (1, 2, 3, 4)
CHANCES = ((25, 25), (25, 75), (75, 25), (75, 75))
VISITS = 24


@dataclass(frozen=True)
class InstrumentalLearningView:
    """What a player knows: arms are 0 and 1, in the order of `names`."""

    place: int
    """The casino, from 1."""
    names: tuple[str, str]
    """Of the arms of this place."""
    trials: tuple[tuple[int, int, int], ...]
    """(place, arm, 1 or 0) of every visit so far."""
    left: int
    """Visits left, this one included."""


class InstrumentalLearning(Game):
    """One game."""

    def __init__(self, item: Item) -> None:
        super().__init__(item)
        draws = item.metadata
        self._story = STORIES[draws["story"]]
        letters = draws["arms"]
        self._names: dict[int, tuple[str, str]] = {
            place: (letters[2 * place - 2], letters[2 * place - 1]) for place in PLACES
        }
        self._choices = {place: Choice(names) for place, names in self._names.items()}
        self._order: list[int] = draws["order"]
        self._rewards = draws["rewards_0"], draws["rewards_1"]
        self._trials: list[tuple[int, int, int]] = []

    @property
    def move(self) -> Choice | None:
        """One of the two arms of the place visited."""
        visit = len(self._trials)
        return self._choices[self._order[visit]] if visit < len(self._order) else None

    def told(self) -> Sequence[str]:
        """What every visit paid."""
        if not self._trials:
            return []
        words = self._story.unpaid, self._story.paid
        lines = [
            "- " + words[reward].format(place=place, name=self._names[place][arm])
            for place, arm, reward in self._trials
        ]
        return ["So far:\n" + "\n".join(lines)]

    def question(self) -> str:
        """Says which place this is, and asks for an arm."""
        visit = len(self._trials)
        place = self._order[visit]
        story = self._story
        return (
            f"Visit {visit + 1} of {len(self._order)}: you are at {story.place} {place}. "
            f"Which {story.arm} do you choose, {self._choices[place].options}?"
        )

    def take(self, action: str) -> None:
        """Play one arm of the place visited."""
        visit = len(self._trials)
        place = self._order[visit]
        arm = self._names[place].index(action)
        self._trials.append((place, arm, self._rewards[arm][visit]))

    @property
    def view(self) -> InstrumentalLearningView:
        """What a player knows now."""
        visit = len(self._trials)
        place = self._order[min(visit, len(self._order) - 1)]
        return InstrumentalLearningView(place, self._names[place], tuple(self._trials), len(self._order) - visit)

    def records(self) -> list[Record]:
        """One row a visit."""
        draws = self.item.metadata
        return [
            {
                "trial": trial,
                "casino": place,
                "mean_0": draws["chances_0"][place - 1] / 100,
                "mean_1": draws["chances_1"][place - 1] / 100,
                "reward_0": self._rewards[0][trial],
                "reward_1": self._rewards[1][trial],
                "choice": arm,
                "reward": reward,
            }
            for trial, (place, arm, reward) in enumerate(self._trials)
        ]


def _make(stream: Stream, story: str) -> tuple[str, dict[str, Any]]:
    words = STORIES[story]
    letters = stream.child("names").sample(LETTERS, 2 * len(PLACES))
    chances = stream.child("chances").shuffled(CHANCES)
    order = stream.child("order").shuffled(PLACES * VISITS)
    below = stream.child("payouts").below
    columns: list[list[int]] = [[], []]
    for place in order:
        for column, chance in zip(columns, chances[place - 1], strict=True):
            column.append(int(below(100) < chance))
    listed = [
        f"{words.place.capitalize()} {place} has {words.arm}s {letters[2 * place - 2]} and {letters[2 * place - 1]}."
        for place in PLACES
    ]
    prompt = "\n\n".join((words.opening.format(visits=VISITS), " ".join(listed), words.aim))
    return prompt, {
        "arms": letters,
        "chances_0": [pair[0] for pair in chances],
        "chances_1": [pair[1] for pair in chances],
        "order": order,
        "rewards_0": columns[0],
        "rewards_1": columns[1],
        "better": _better(order, chances),
    }


def _better(order: Sequence[int], chances: Sequence[tuple[int, int]]) -> str:
    """The better arm, by its place, at the first visit to a casino where one is better."""
    first, second = next(chances[place - 1] for place in order if len(set(chances[place - 1])) == 2)
    return "first" if first > second else "second"


def _check(item: Item) -> list[str]:
    """Holds the visits, the chances and the number of payouts against the law of the task and against the prompt."""
    draws = item.metadata
    order, columns = draws["order"], (draws["rewards_0"], draws["rewards_1"])
    chances = list(zip(draws["chances_0"], draws["chances_1"], strict=True))
    visits = re.search(r"each of them (\d+) times", item.prompt)
    each = int(visits[1]) if visits else 0
    if sorted(chances) != sorted(CHANCES):
        return ["the chances are not the four combinations"]
    # Two of the four casinos have a better arm, and each arm is the better one in one of them.
    visited = {chances.index(pair): order.index(chances.index(pair) + 1) for pair in ((75, 25), (25, 75))}
    verdict = ("first", "second")[visited[chances.index((25, 75))] < visited[chances.index((75, 25))]]
    named = re.findall(r" (\d) has \w+ (\w) and (\w)\.", item.prompt)
    # Each arm is offered `each` times: six standard deviations of a binomial with chance .25 or .75.
    far = [
        (place, arm)
        for place in PLACES
        for arm in (0, 1)
        for paid in [sum(pay for visited, pay in zip(order, columns[arm], strict=True) if visited == place)]
        if abs(paid - each * chances[place - 1][arm] / 100) > 6 * (each * 3 / 16) ** 0.5
    ]
    faults = {
        "a place is not visited as often as the prompt says": sorted(order) != sorted(list(PLACES) * each),
        "the payouts of an arm do not fit its chance": bool(far),
        "a payout is neither 0 nor 1": any(pay not in (0, 1) for column in columns for pay in column),
        "the better arm of the first visit that has one is another": draws["better"] != verdict,
        "the prompt names other arms": [letter for _, *pair in named for letter in pair] != draws["arms"],
        "two arms have the same name": len(set(draws["arms"])) != 2 * len(PLACES),
    }
    return [fault for fault, so in faults.items() if so]


TASK = Task(
    name="instrumental-learning",
    title="instrumental learning",
    measures="Learning rate and optimism: how far does a payout move a player, and does good news move it further than "
    "bad (Lefebvre et al. 2017; Palminteri et al. 2017)?",
    rows=20,
    stories=STORIES,
    make=_make,
    start=InstrumentalLearning,
    check=_check,
    kinds={"reward": MeasureKind("share of the visits that paid")},
    score=lambda records: {"reward": mean_of(records, "reward")},
    turns=lambda item: len(item.metadata["order"]),
    chance=lambda item: {"reward": mean_payout(item)},
    audit_target="better",
)
