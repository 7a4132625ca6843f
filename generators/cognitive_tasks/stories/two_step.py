"""Cover stories of the two-step task: a trader among planets, a musician among mountains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generators.cognitive_tasks.task import Story

__all__ = ["STORIES", "TwoStepStory"]


@dataclass(frozen=True)
class TwoStepStory(Story):
    """The words of the task."""

    opening: str
    """Names the places `{p}` and `{q}`, the partners `{a}` and `{b}` at the one, `{c}` and `{d}` at the other, and the
    number of `{days}`."""
    first: str
    """Asks for a place: `{a}` or `{b}`."""
    common: str
    """The journey to `{chosen}` goes there."""
    rare: str
    """The journey to `{chosen}` goes to `{reached}`."""
    second: str
    """Asks for a partner: `{a}` or `{b}`."""
    paid: str
    """What `{partner}` gives on a good day."""
    unpaid: str


STORIES: Mapping[str, TwoStepStory] = {
    "planets": TwoStepStory(
        "a trader who takes a spaceship to one of two planets and trades with one of two aliens there",
        "You are a trader. There are two planets, {p} and {q}. Every morning you board a spaceship from Earth to one "
        "of them, and every evening you are back. Most spaceships land where they are meant to, but some drift off "
        "course and land on the other planet. Every flight is equally likely to drift off course, whichever planet "
        "you choose and whatever has happened before.\n\n"
        "On planet {p} you can trade with alien {a} or alien {b}, on planet {q} with alien {c} or alien {d}. You trade "
        "with one alien a day, and it gives you either treasure or junk. Some aliens have treasure more often than "
        "others, and how often an alien has treasure changes slowly over time.\n\n"
        "You trade for {days} days. Bring home as much treasure as you can.",
        "Which planet do you fly to, {a} or {b}?",
        "You boarded the spaceship to planet {chosen} and landed there.",
        "You boarded the spaceship to planet {chosen}, but landed on planet {reached}.",
        "Which alien do you trade with, {a} or {b}?",
        "Alien {partner} gave you treasure.",
        "Alien {partner} gave you junk.",
    ),
    "musician": TwoStepStory(
        "a musician who rides a flying carpet to one of two mountains and plays for one of two genies there",
        "You are a musician in a land of two mountains, {p} and {q}. Every morning you set out from your village for "
        "one of them on a flying carpet, and every evening you are back. Most flights end on the mountain that you set "
        "out for, but the wind blows some to the other one. Every flight is equally likely to be blown off "
        "course, whichever mountain you choose and whatever has happened before.\n\n"
        "Two genies live on each mountain: {a} and {b} on mountain {p}, {c} and {d} on mountain {q}. You play a new "
        "tune for one genie a day. If the genie likes the tune, it gives you a gold coin; if not, it gives you "
        "nothing. Some genies like more tunes than others, and how often a genie likes a tune changes slowly over "
        "time.\n\n"
        "You play for {days} days. Earn as many gold coins as you can.",
        "Which mountain do you set out for, {a} or {b}?",
        "You set out for mountain {chosen} and arrived there.",
        "You set out for mountain {chosen}, but the wind blew you to mountain {reached}.",
        "Which genie do you play for, {a} or {b}?",
        "Genie {partner} gave you a gold coin.",
        "Genie {partner} gave you nothing.",
    ),
}
