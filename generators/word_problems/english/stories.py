"""The story of a problem: where it happens and how its sentences speak of having; a pair has one story."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from generators.word_problems.english.kinds import eventful
from generators.word_problems.english.scenery import SETTINGS
from generators.word_problems.english.vocabulary import HOMES, MEASURES
from generators.word_problems.forms import Problem, Rate, Thing

__all__ = ["Story", "story_of"]

_ELSEWHERE = ("own", "deliver", "keep", "look after")
"""Verbs that need no place, or another one."""


class Story(NamedTuple):
    """What all sentences of a problem share; plain data."""

    setting: str
    group: int
    voice: str
    """`had`: people have things; `did`: they do something with them; `spot`: the things are in places of theirs."""
    words: tuple[str, str]
    """Base form and past tense of the verb, or preposition and noun of the spot."""
    anchor: str
    """The place that the first sentence names, if it is none of the setting; else ""."""
    mate: str
    """What two people of the story are to each other."""
    first: str
    """How the first sentence is told: `open` by a sentence of the setting, `did`, `spot`, or "" for having."""


def story_of(problems: Sequence[Problem], bits: int) -> tuple[Story, bool]:
    """The story by 64 random bits; and whether all is about the same thing, which need not be named every time.

    Only where nothing changes hands and nothing is packed can people do anything else than have things.
    """
    things: dict[Thing, None] = {}
    quiet = True
    for problem in problems:
        quiet = quiet and not eventful(problem) and problem.question.kind == "count"
        for form in problem.forms:
            things[form.thing] = None
            if isinstance(form, Rate):
                things[form.per] = None
    homes = [HOMES[thing.entity, thing.unit] for thing in things if (thing.entity, thing.unit) in HOMES]
    setting, group = homes[0] if homes else (SETTINGS[0], SETTINGS[0].groups[0])
    first = problems[0].forms[0].thing if problems[0].forms else None
    at_home = first is not None and (first.entity, first.unit) in HOMES
    plain = len(things) < 2
    voice, words, anchor, start = "had", ("", ""), "", ""
    which, pick, place, friend = bits & 0xFF, bits >> 8 & 0xFF, bits >> 16 & 0xFF, bits >> 24 & 0xFF
    mate = setting.mates[friend % len(setting.mates)]
    quiet = quiet and plain
    if quiet and which < 236:
        voice = start = "did"
        # Nobody counts litres.
        verbs = [did for did in group.did if did[0] != "count" or first is None or first.unit not in MEASURES]
        words = verbs[pick % len(verbs)]
        anchor = setting.place[place % len(setting.place)] if words[0] not in _ELSEWHERE else ""
    elif quiet and which < 246:
        voice = start = "spot"
        words = setting.spot[pick % len(setting.spot)]
    elif not at_home:
        anchor = setting.place[place % len(setting.place)]
    else:
        start = "open"
    return Story(setting.name, setting.groups.index(group), voice, words, anchor, mate, start), plain
