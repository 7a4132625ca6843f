"""Two slot machines, four visits: the item holds every reward, the prompt only those that were earned."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from hansproof.generators.answering.moves import Choice
from hansproof.generators.answering.scorer import BlindStrategy, Measure, MeasureKind, Reading, Score, copying
from hansproof.generators.dataset import Dataset, Draft, Subset
from hansproof.generators.episode import Transcript
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["DATASET", "Bandit"]

VISITS = 4
MACHINES = ("A", "B")


class Bandit:
    """One item being played."""

    def __init__(self, item: Item) -> None:
        self._item = item
        self._chosen: list[str] = []

    @property
    def prompt(self) -> str:
        if self.done:
            return ""
        earned = [f"You chose {arm} and won {reward}." for arm, reward in zip(self._chosen, self.rewards, strict=True)]
        return "\n".join([self._item.prompt, *earned, "Which machine do you choose, A or B?"])

    @property
    def actions(self) -> Sequence[str] | None:
        return () if self.done else MACHINES

    @property
    def options(self) -> str:
        return "" if self.done else Choice(MACHINES).options

    def read(self, reply: str) -> Reading:
        return Choice(MACHINES).read(reply)

    @property
    def done(self) -> bool:
        return len(self._chosen) == VISITS

    @property
    def rewards(self) -> list[int]:
        columns = self._item.metadata["rewards_a"], self._item.metadata["rewards_b"]
        return [columns[MACHINES.index(arm)][visit] for visit, arm in enumerate(self._chosen)]

    @property
    def transcript(self) -> Transcript:
        return Transcript(self._item.id, tuple(self._chosen))

    def step(self, action: str) -> None:
        if self.done:
            raise InputError("the episode is over")
        if action not in MACHINES:
            raise InputError(f"{action!r} is not a legal action; choose A or B")
        self._chosen.append(action)


class BanditScorer:
    """A reply is a finished run: the JSON list of its actions."""

    measures: Mapping[str, MeasureKind] = {"reward": MeasureKind("points per visit", share=False)}
    readings: Mapping[str, str] = {}

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        return (copying("always-a", "always chooses machine A", lambda item: json.dumps(["A"] * VISITS)),)

    def read(self, item: Item, reply: str) -> Reading:
        episode = Bandit(item)
        try:
            for action in json.loads(reply):
                episode.step(action)
        except (ValueError, TypeError, InputError) as error:
            return Reading(None, str(error))
        if not episode.done:
            return Reading(None, f"stops after {len(episode.transcript.actions)} of {VISITS} visits")
        return Reading(json.dumps(list(episode.transcript.actions)))

    def score(self, item: Item, reading: Reading) -> Score:
        if reading.said is None:
            return Score(None, reading.reason)
        episode = Bandit(item)
        for action in json.loads(reading.said):
            episode.step(action)
        return Score(None, measures={"reward": Measure(sum(episode.rewards) / VISITS, VISITS)})

    def chance(self, item: Item) -> Mapping[str, float]:
        every = item.metadata["rewards_a"] + item.metadata["rewards_b"]
        return {"reward": sum(every) / len(every)}


def _make(stream: Stream, subset: str, index: int) -> Draft:
    own = stream.child(subset).child(index)
    rewards = {f"rewards_{arm}": [own.child(arm).child(visit).below(100) for visit in range(VISITS)] for arm in "ab"}
    text = f"Machine game {index}: you may choose one of two machines {VISITS} times."
    return Draft(text, MACHINES, None, f"game-{index:06d}", subset, {"visits": VISITS, **rewards})


def _check(item: Item) -> list[str]:
    rewards = item.metadata["rewards_a"] + item.metadata["rewards_b"]
    return [] if item.answer is None and len(rewards) == 2 * VISITS else ["has another number of rewards than visits"]


DATASET = Dataset(
    name="toy-bandit",
    version="1.0.0",
    title="Toy bandit",
    summary="Two machines, four visits.",
    seed=5,
    subsets={"short": Subset(30, "Four visits."), "again": Subset(20, "Four more.")},
    make=_make,
    check=_check,
    scorer=BanditScorer(),
    episode=Bandit,
    turns=lambda item: item.metadata["visits"],
)
