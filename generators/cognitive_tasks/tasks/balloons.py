"""The balloon analogue risk task: a pump adds a point and may burst the balloon (Lejuez et al. 2002)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hansproof.generators.answering.moves import Choice
from hansproof.generators.answering.scorer import Measure, MeasureKind
from hansproof.generators.cognitive_tasks.task import LETTERS, Game, Story, Task, mean_of, read_stories
from hansproof.generators.episode import Record
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["CAPACITIES", "TASK", "Balloon"]

# Of a kind that can take `capacity` pumps, pump k bursts with probability 1 / (capacity - k + 1) if all before it went
# well: the pump that bursts is equally likely to be any, and is drawn beforehand.
#
# A step is one pump or cashing in, as in Lejuez et al. (2002): pumps stop at a burst, for which the adjusted mean
# corrects. People who name a number in advance pump more (Pleskac et al. 2008).

CAPACITIES = (128, 32, 8)
EACH = 10
TURNS = 95
"""About how many actions a run takes: 56 at random, 60 to 130 by careful players, 640 by the boldest that pays."""
_NAMES = LETTERS.replace("P", "")
"""P is the initial of what is done: pump, push."""


@dataclass(frozen=True)
class Balloon:
    """A balloon that is over and done with."""

    kind: int
    """Its place among the three kinds of the episode."""
    pumps: int
    """Pumps attempted, the one that burst it included."""
    burst: bool

    @property
    def reward(self) -> int:
        """A point a pump, and nothing for a burst balloon."""
        return 0 if self.burst else self.pumps


@dataclass(frozen=True)
class BalloonView:
    """What a player knows."""

    balloons: tuple[Balloon, ...]
    """The balloons so far, in order."""
    kind: int
    """The kind of this one: 0, 1 or 2 in the order in which the opening names them."""
    pumps: int
    """Pumps that it has taken so far."""
    pump: str
    """The action that pumps it once more."""
    cash: str
    """The action that ends it and keeps its points."""
    names: tuple[str, str]
    """Both, in the order in which the prompt names them."""


class Balloons(Game):
    """One run of thirty balloons."""

    def __init__(self, item: Item) -> None:
        super().__init__(item)
        names = self.draws["pump"], self.draws["cash"]
        self._names = names if self.draws["pump_first"] else names[::-1]
        self._choice = Choice(self._names)
        self._balloons: list[Balloon] = []
        self._lines: list[str] = []
        self._pumps = 0

    @property
    def move(self) -> Choice | None:
        return self._choice if len(self._balloons) < len(self.draws["order"]) else None

    def told(self) -> Sequence[str]:
        """What became of the balloons so far."""
        if not self._lines:
            return []
        points = sum(balloon.reward for balloon in self._balloons)
        head = f"Your {self.words['thing']}s so far, {_counted(points, self.words, 'point')} in all:"
        return ["\n".join([head, *self._lines])]

    def question(self) -> str:
        """Says how far the present balloon is, and what can be done with it."""
        story, number = self.words, len(self._balloons)
        kind = self.draws["kinds"][self.draws["order"][number]]
        words = {self.draws[action]: story[action] for action in ("pump", "cash")}
        state = story["some" if self._pumps else "none"]
        asked = " or ".join(f"{name} ({words[name]})" for name in self._names)
        now = state.format(pumps=_counted(self._pumps, story, "pump"), points=_counted(self._pumps, story, "point"))
        which = f"{story['thing'].capitalize()} {number + 1} of {len(self.draws['order'])} is of kind {kind}."
        return f"{which} {now} Which do you choose, {asked}?"

    def take(self, action: str) -> None:
        number = len(self._balloons)
        pumped = action == self.draws["pump"]
        self._pumps += pumped
        burst = pumped and self._pumps == self.draws["bursts"][number]
        if burst or not pumped:
            balloon = Balloon(self.draws["order"][number], self._pumps, burst)
            self._balloons.append(balloon)
            self._lines.append(
                f"- {number + 1}, kind {self.draws['kinds'][balloon.kind]}: {_ended(self.words, balloon)}"
            )
            self._pumps = 0

    @property
    def view(self) -> BalloonView:
        draws, kind = self.draws, self.draws["order"][len(self._balloons)]
        return BalloonView(tuple(self._balloons), kind, self._pumps, draws["pump"], draws["cash"], self._names)

    def records(self) -> list[Record]:
        """One row a balloon."""
        capacities = self.draws["capacities"]
        return [
            {"balloon": number, "kind": each.kind, "capacity": capacities[each.kind]}
            | {"pumps": each.pumps, "burst": each.burst, "reward": each.reward}
            for number, each in enumerate(self._balloons)
        ]


def _counted(number: int, story: Story, unit: str) -> str:
    """`1 pump`, `3 pumps`."""
    return f"{number} {story[unit if number == 1 else f'{unit}s']}"


def _ended(story: Story, balloon: Balloon) -> str:
    pumps, points = (_counted(balloon.pumps, story, unit) for unit in ("pump", "point"))
    return story["lost" if balloon.burst else "kept"].format(number=balloon.pumps, pumps=pumps, points=points)


def _make(stream: Stream, story: str, level: int | None) -> tuple[str, dict[str, Any]]:
    names = stream.child("names")
    *kinds, pump, cash = names.sample(_NAMES, len(CAPACITIES) + 2)
    design = stream.child("design")
    capacities = design.shuffled(CAPACITIES)
    order = design.shuffled([kind for kind in range(len(CAPACITIES)) for _ in range(EACH)])
    bursts = stream.child("bursts")
    words = read_stories("balloons")[story]["opening"]
    opening = words.format(a=kinds[0], b=kinds[1], c=kinds[2], each=EACH, all=len(order))
    return opening, {
        "kinds": kinds,
        "capacities": capacities,
        "order": order,
        "bursts": [bursts.integer(1, capacities[kind]) for kind in order],
        "pump": pump,
        "cash": cash,
        "pump_first": names.coin(),
    }


def _check(item: Item) -> Mapping[str, bool]:
    """Reads kinds and numbers off the prompt, and holds the draws against the law of the task."""
    draws = item.metadata
    kinds, capacities, order, bursts = draws["kinds"], draws["capacities"], draws["order"], draws["bursts"]
    letters = [*kinds, draws["pump"], draws["cash"]]
    named = re.search(r"three kinds, (\w), (\w) and (\w): (\d+) of each", item.prompt)
    told = re.search(r"There are (\d+) ", item.prompt)
    return {
        "the prompt names other kinds, or in another order": named is None or list(named.groups()[:3]) != kinds,
        "the names are not five letters other than P": len(set(letters)) != 5
        or not set(letters) <= set(LETTERS) - {"P"},
        "the capacities are not 8, 32 and 128": sorted(capacities) != [8, 32, 128],
        "there are not as many balloons as the prompt says": told is None
        or {len(order), len(bursts)} != {int(told[1])}
        or named is None
        or any(order.count(kind) != int(named[4]) for kind in range(3)),
        "a balloon bursts at a pump that its kind does not have": any(
            not 1 <= burst <= capacities[kind] for kind, burst in zip(order, bursts, strict=False)
        ),
    }


def _score(records: Sequence[Record]) -> Mapping[str, Measure]:
    measures = {"reward": mean_of(records, "reward"), "pumps": mean_of(records, "pumps")}
    kept = [row for row in records if not row["burst"]]
    return {**measures, "adjusted-pumps": mean_of(kept, "pumps")} if kept else measures


def _chance(item: Item) -> Mapping[str, float]:
    """A coin a step: pump k is reached with probability 2 ** -k, and cashing in after k pumps with half of that."""
    bursts: list[int] = item.metadata["bursts"]
    rewards = [sum(k * 0.5 ** (k + 1) for k in range(burst)) for burst in bursts]
    return {"reward": sum(rewards) / len(bursts), "pumps": sum(1 - 0.5**burst for burst in bursts) / len(bursts)}


TASK = Task(
    name="balloons",
    title="the balloon analogue risk task",
    rows=20,
    make=_make,
    start=Balloons,
    check=_check,
    kinds={
        "reward": MeasureKind("mean points per balloon", share=False),
        "pumps": MeasureKind("mean pumps attempted per balloon, burst ones included", "neither", share=False),
        "adjusted-pumps": MeasureKind("mean pumps per balloon that did not burst", "neither", share=False),
    },
    score=_score,
    turns=lambda item: TURNS,
    chance=_chance,
)
