"""Simulation: a player that comes with a family plays every episode, without a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generators.episode import Player
from generators.errors import Progress, UsageError, unknown
from generators.registry import MODULES, dataset
from hansproof.runs.games import Games
from hansproof.runs.run import Run

__all__ = ["STYLE", "family_with", "simulate"]

STYLE = "simulated"
"""What the lines of simulated runs have as their style: no prompt was ever shown."""

_STEP = 20


def family_with(player: str) -> str:
    """The only dataset that has a player of this name. Raises UsageError where none has, with all that there are."""
    having = {name: dataset(name).players for name in MODULES if dataset(name).players}
    named = [name for name, players in having.items() if player in players]
    if not named:
        raise unknown("agent", player, dict.fromkeys(known for players in having.values() for known in players))
    if len(named) > 1:
        raise UsageError(f"several datasets have an agent {player!r}: {', '.join(named)}; name one of them as SOURCE")
    return named[0]


def simulate(
    games: Games, name: str, parameters: Mapping[str, float], seed: int, progress: Progress
) -> tuple[list[Run], list[str]]:
    """The runs of a player, and what it does not play, a sentence for each reason.

    Raises UsageError for an unknown player or parameter, and where it plays none of the subsets.
    """
    if name not in games.family.players:
        raise unknown("agent", name, games.family.players, within=games.family.name)
    player = games.family.players[name]
    play = player.make(parameters)
    declined = _declined(player, games)
    items = [item for item in games.items if item.metadata["subset"] not in declined]
    sentences = [
        f"{name} does not play {', '.join(subset for subset in declined if declined[subset] == why)}: {why}"
        for why in dict.fromkeys(declined.values())
    ]
    if not items:
        raise UsageError("; ".join(sentences))
    runs = []
    for done, item in enumerate(items, start=1):
        runs.append(Run(item, play(item, seed).actions))
        if done % _STEP == 0:
            progress("episodes", done, len(items))
    return runs, sentences


def _declined(player: Player, games: Games) -> dict[str, str]:
    subsets: Sequence[str] = list(dict.fromkeys(item.metadata["subset"] for item in games.items))
    return {subset: player.declines[subset] for subset in subsets if subset in player.declines}
