"""Two machines, five turns: the item holds every reward, the prompt shows only those that were earned."""

import json

from hansproof.generators.answering.moves import Choice
from hansproof.generators.answering.scorer import Measure, MeasureKind, Reading, Score, copying
from hansproof.generators.dataset import Dataset, Draft, Subset
from hansproof.generators.episode import Player, Transcript
from hansproof.generators.errors import InputError

MACHINES = Choice(("A", "B"))
TURNS = 5


class Game:
    """One item being played; nothing is drawn while it runs."""

    def __init__(self, item):
        self.item, self.taken = item, []

    @property
    def done(self):
        return len(self.taken) == TURNS

    @property
    def rewards(self):
        return [self.item.metadata[action][turn] for turn, action in enumerate(self.taken)]

    @property
    def prompt(self):
        if self.done:
            return ""
        so_far = [f"{action} gave {reward}." for action, reward in zip(self.taken, self.rewards)]
        return "\n".join([self.item.prompt, *so_far, "Which machine do you play, A or B?"])

    @property
    def actions(self):
        return () if self.done else MACHINES.actions

    @property
    def options(self):
        return "" if self.done else MACHINES.options

    def read(self, reply):
        return MACHINES.read(reply)

    def step(self, action):
        if self.done:
            raise InputError("the game is over")
        self.taken.append(MACHINES.canonical(action))

    @property
    def transcript(self):
        return Transcript(self.item.id, tuple(self.taken))


def finished(item, actions):
    """The game after these actions. Raises InputError for an illegal one, and where it is not over."""
    game = Game(item)
    for action in actions:
        game.step(action)
    if not game.done:
        raise InputError(f"stops after {len(game.taken)} of {TURNS} turns")
    return game


class GameScorer:
    """A reply is a run: the JSON list of its actions."""

    measures = {"reward": MeasureKind("points a turn", share=False)}
    readings = {}
    blind = (copying("always-a", "always plays A", lambda item: json.dumps(["A"] * TURNS)),)

    def read(self, item, reply):
        try:
            return Reading(json.dumps(list(finished(item, json.loads(reply)).taken)))
        except (ValueError, TypeError, InputError) as error:
            return Reading(None, str(error))

    def score(self, item, reading):
        if reading.said is None:
            return Score(None, reading.reason)
        rewards = finished(item, json.loads(reading.said)).rewards
        return Score(None, measures={"reward": Measure(sum(rewards) / TURNS, TURNS)})

    def chance(self, item):
        every = item.metadata["A"] + item.metadata["B"]
        return {"reward": sum(every) / len(every)}


def make(stream, subset, index):
    draws = stream.child(subset).child(index)
    rewards = {name: [draws.below(100) for _ in range(TURNS)] for name in MACHINES.names}
    prompt = f"There are two machines, A and B. You play {TURNS} times, and each time you get points."
    return Draft(prompt, None, None, f"game-{index}", "plain", rewards)


def check(item):
    rewards = item.metadata["A"] + item.metadata["B"]
    return [] if item.answer is None and len(rewards) == 2 * TURNS else ["has a wrong number of rewards"]


def records(item, actions):
    """A row a turn, for tables and phenotypes."""
    game = finished(item, actions)
    return [{"turn": at, "action": action, "reward": game.rewards[at]} for at, action in enumerate(game.taken)]


def stubborn(parameters):
    """A player: (item, seed of its own draws) -> its run."""
    return lambda item, seed: Transcript(item.id, ("A",) * TURNS)


DATASET = Dataset(
    name="my-game", version="1.0.0", title="Two machines", summary="Five choices between two machines.", seed=1,
    subsets={"short": Subset(rows=40, description="Five turns.")}, make=make, check=check,
    scorer=GameScorer(), episode=Game, records=records, turns=lambda item: TURNS,
    players={"stubborn": Player("Always plays A.", "none", stubborn)},
)  # fmt: skip
