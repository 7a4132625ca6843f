"""The turn of an episode in a style: what the episode tells and asks now, and how the action is to be put.

Styles that ask for reasoning also ask for a last line `Answer: ...`, which `Episode.read` looks for first.
"""

from __future__ import annotations

from generators.episode import Episode
from generators.errors import UsageError
from generators.item import Item
from generators.styles.asking import Asking, asking_of, check_style
from generators.styles.style import Style, style_named

__all__ = ["render_turn"]


def render_turn(item: Item, episode: Episode, style: str | Style, *, asking: Asking | None = None) -> str:
    """What a player of `item` is asked now, in a style of one turn without solved examples.

    Styles see nothing but the prompt of the episode and the legal actions in words. `asking` says how items of this
    kind are asked; by default it is looked up (`asking_of`).
    Raises UsageError for an unknown style, one that does not suit the item, and an episode that is over.
    """
    chosen = style_named(style)
    asking = asking or asking_of(item)
    check_style(chosen, style if isinstance(style, str) else "this style", asking)
    if episode.done:
        raise UsageError(f"the episode of {item.id!r} is over, so there is nothing to ask")
    request = chosen.turn or chosen.request
    for place, text in (
        ("{hint}", asking.hints.get(chosen.hint, "")),
        ("{answer}", f"Answer with {episode.options}, and nothing else."),
        ("{options}", episode.options),
    ):
        request = request.replace(place, text)
    persona = chosen.persona.replace("{expertise}", asking.expertise)
    return "\n\n".join(filter(None, (persona, episode.prompt, request.replace("{expertise}", asking.expertise))))
