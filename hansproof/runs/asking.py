"""What an agent is asked at each turn: the prompt of the episode in a style, and after an unread reply, why."""

from __future__ import annotations

from collections.abc import Callable

from generators.episode import Episode
from generators.errors import printable, unknown
from generators.item import Item
from generators.styles.rendering import render_turn
from generators.styles.style import STYLES, Asking, asking_of, check_style, style_named, suitable_styles
from hansproof.runs.games import Games

__all__ = ["Asker", "again", "asker", "shown"]

Asker = Callable[[Item, Episode], str]
"""(item, its episode) -> what is asked now."""

_REASON = 300
"""Characters of a reason that are shown."""

_LISTED = 3
"""Actions of which each has its own answer line in the request."""


def asker(games: Games, style: str) -> Asker:
    """How the agent is asked in `style`. Raises UsageError for a style that is unknown or does not suit."""
    ways: dict[str, Asking] = {}
    for item in games.items:
        if item.metadata["subset"] not in ways:
            ways[item.metadata["subset"]] = asking_of(item)
    suitable = [suitable_styles(asking) for asking in ways.values()]
    if style not in STYLES:
        raise unknown("prompt style", style, [name for name in STYLES if all(name in names for names in suitable)])
    chosen = style_named(style)
    for asking in ways.values():
        check_style(chosen, style, asking)

    def ask(item: Item, episode: Episode) -> str:
        return render_turn(item, episode, chosen, asking=ways[item.metadata["subset"]])

    return ask


def again(prompt: str, reason: str, episode: Episode) -> str:
    """The same question once more, with why the last reply was of no use."""
    actions = episode.actions or ()
    if 0 < len(actions) <= _LISTED:
        line = "a line " + " or ".join(f'"Answer: {action}"' for action in actions)
    else:
        line = f'a line "Answer: " and {episode.options}'
    return (
        f"{prompt}\n\nYour last reply could not be used: {shown(reason)}. End with {line}, and write nothing after it."
    )


def shown(reason: str) -> str:
    """As much of a reason as an agent is told, on one line."""
    return printable(reason[:_REASON])
