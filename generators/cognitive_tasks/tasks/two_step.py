"""The two-step task: a choice leads to a place, a second choice there is paid or not (Daw et al. 2011)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hansproof.generators.answering.moves import Choice
from hansproof.generators.answering.scorer import MeasureKind
from hansproof.generators.cognitive_tasks.payouts import deviations
from hansproof.generators.cognitive_tasks.task import LETTERS, Game, Task, mean_of, read_stories
from hansproof.generators.episode import Record
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["TASK", "Day", "TwoStepView"]

# After a rare transition that paid, a learner with a model of the transitions changes the first choice; one who repeats
# what paid does not. The chances drift independently, so neither letters nor places say which is best.

DAYS = 20
COMMON = (7, 10)
LOWEST, HIGHEST, DRIFT, _SCALE = 2500, 7500, 250, 10_000
"""Of the chances, in ten-thousandths: the chance that is recorded is the very chance that was drawn with."""


@dataclass(frozen=True)
class Day:
    """What happened on one day."""

    action: int
    """The place chosen: 0 or 1."""
    state: int
    """The place reached."""
    choice: int
    """The second choice: 0 or 1 within the place reached."""
    reward: bool


@dataclass(frozen=True)
class TwoStepView:
    """What a player knows. Places, and the partners at each, are 0 and 1 in the order of their names."""

    days: tuple[Day, ...]
    """The days that are over."""
    state: int | None
    """The place reached today; None while it has still to be chosen."""
    names: tuple[str, str]
    """The actions that may be taken now, in order."""
    left: int
    """Days left, this one included."""


class TwoStep(Game):
    """One journey."""

    def __init__(self, item: Item) -> None:
        super().__init__(item)
        self._places: tuple[str, str] = tuple(self.draws["places"])
        self._partners: tuple[tuple[str, str], ...] = tuple(tuple(pair) for pair in self.draws["partners"])
        self._common: list[bool] = self.draws["common"]
        self._paid: list[list[bool]] = self.draws["paid"]
        self._days: list[Day] = []
        self._today: tuple[int, int] | None = None  # the place chosen and the place reached

    @property
    def _names(self) -> tuple[str, str]:
        return self._places if self._today is None else self._partners[self._today[1]]

    @property
    def move(self) -> Choice | None:
        """A place in the morning, a partner once one is reached."""
        return Choice(self._names) if len(self._days) < len(self._common) else None

    def told(self) -> Sequence[str]:
        lines = []
        for number, day in enumerate(self._days, start=1):
            outcome = self.words["paid" if day.reward else "unpaid"]
            journey = self._journey(day.action, day.state)
            lines.append(f"- Day {number}: {journey} {outcome.format(partner=self._partners[day.state][day.choice])}")
        return ["Your days so far:\n" + "\n".join(lines)] if lines else []

    def question(self) -> str:
        """Asks for the place, or for the partner at the place reached."""
        start = f"It is day {len(self._days) + 1} of {len(self._common)}."
        if self._today is None:
            return f"{start} {self.words['first'].format(a=self._places[0], b=self._places[1])}"
        first, second = self._names
        return f"{start} {self._journey(*self._today)} {self.words['second'].format(a=first, b=second)}"

    def take(self, action: str) -> None:
        chosen = self._names.index(action)
        day = len(self._days)
        if self._today is None:
            self._today = chosen, chosen if self._common[day] else 1 - chosen
            return
        place, state = self._today
        self._days.append(Day(place, state, chosen, self._paid[day][2 * state + chosen]))
        self._today = None

    @property
    def view(self) -> TwoStepView:
        state = None if self._today is None else self._today[1]
        return TwoStepView(tuple(self._days), state, self._names, len(self._common) - len(self._days))

    def records(self) -> list[Record]:
        """One row a day."""
        chances = self.draws["chances"]
        return [
            {"trial": trial, "action": day.action, "state": day.state, "choice": day.choice, "reward": int(day.reward)}
            | {f"chance_{arm}": chance for arm, chance in enumerate(chances[trial])}
            for trial, day in enumerate(self._days)
        ]

    def _journey(self, action: int, state: int) -> str:
        return self.words["journey"].format(chosen=self._places[action], reached=self._places[state])


def _make(stream: Stream, story: str, level: int | None) -> tuple[str, dict[str, Any]]:
    letters = stream.child("names").sample(LETTERS, 6)
    places, partners = letters[:2], [letters[2:4], letters[4:]]
    transitions, drift, payouts = stream.child("transitions"), stream.child("drift"), stream.child("payouts")
    chance = [drift.integer(LOWEST, HIGHEST) for _ in range(4)]
    chances, paid, common = [], [], []
    for _ in range(DAYS):
        chances.append([arm / _SCALE for arm in chance])
        paid.append([payouts.below(_SCALE) < arm for arm in chance])
        common.append(transitions.chance(*COMMON))
        chance = [
            min(max(sum(pair), LOWEST), HIGHEST) for pair in zip(chance, deviations(drift, 4, DRIFT), strict=True)
        ]
    words = read_stories("two-step")[story]
    return words["opening"].format(p=places[0], q=places[1], days=DAYS, explained=words["explained"]), {
        "places": places,
        "partners": partners,
        "common": common,
        "chances": chances,
        "paid": paid,
        # A journey is common more often than not, so the better first choice is the place with the better partner.
        "better": "first" if max(chances[0][:2]) >= max(chances[0][2:]) else "second",
    }


_ASKED = re.compile(r"(?:arrived|landed) on \w+ (\w)\. Do you \w+ \w+ \w+ (\w) or (\w)\?$")


def _check(item: Item) -> Mapping[str, bool]:
    """Reads the letters off the prompt and off the questions of a run, and holds the draws against the law."""
    draws = item.metadata
    places, partners, chances = draws["places"], draws["partners"], draws["chances"]
    letters = [*places, *(name for pair in partners for name in pair)]
    steps = [abs(new - old) for now, then in pairwise(chances) for new, old in zip(then, now, strict=True)]
    best, told = max(range(4), key=lambda arm: chances[0][arm]) // 2, re.search(r"(\d+) days", item.prompt)
    faults = {
        "the better first choice is another": draws["better"] != ("first", "second")[best],
        "the prompt names other letters, or in another order": places
        != list(dict.fromkeys(re.findall(r"\b[B-Z]\b", item.prompt))),
        "the names are not six letters": len(set(letters)) != 6 or not set(letters) <= set(LETTERS),
        "there is not one draw for each day of the prompt": {len(draws[key]) for key in ("common", "chances", "paid")}
        != {int(told[1]) if told else 0},
        "a day has not four chances and four outcomes": any(
            len(row) != 4 for key in ("chances", "paid") for row in draws[key]
        ),
        "a chance is not within .25 and .75": any(not 0.25 <= chance <= 0.75 for row in chances for chance in row),
        "a chance drifts further than any draw": any(step > 0.151 for step in steps),
    }
    faults["a question names other partners than the place has"] = not any(faults.values()) and any(
        dict(zip(places, partners, strict=True))[place] != pair for place, pair in _asked(item)
    )
    return faults


def _asked(item: Item) -> Iterator[tuple[str, list[str]]]:
    """The place and the partners of every second question of a run that sets out for both places in turn."""
    game = TwoStep(item)
    while game.actions:
        turn = len(game.transcript.actions)
        if asked := _ASKED.search(game.question()):
            yield asked[1], [asked[2], asked[3]]
        game.step(game.actions[turn // 2 % 2 if turn % 2 == 0 else 0])


def _chance(item: Item) -> Mapping[str, float]:
    # A coin that chooses the place makes both places equally likely, whatever the transitions are.
    paid = item.metadata["paid"]
    return {"reward": sum(sum(day) for day in paid) / (4 * len(paid))}


TASK = Task(
    name="two-step",
    title="the two-step task",
    rows=200,
    make=_make,
    start=TwoStep,
    check=_check,
    kinds={"reward": MeasureKind("share of the days that paid")},
    score=lambda records: {"reward": mean_of(records, "reward")},
    turns=lambda item: 2 * DAYS,
    chance=_chance,
    audit_target="better",
)
