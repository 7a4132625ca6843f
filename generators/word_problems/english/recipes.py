"""Which frames and circumstances suit a kind of sentence in a given story, with the length of each."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from generators.word_problems.english.frames import CONNECTIVES, LEADS, MANNERS, REMARKS, Frame, compiled
from generators.word_problems.english.scenery import SETTINGS, Group, Setting

__all__ = ["Detail", "NONE", "Recipe", "Story", "frame_of", "recipe"]


class Detail(NamedTuple):
    """A circumstance: what precedes the frame and what follows it, one of them or neither."""

    before: str
    after: str
    words: int


NONE = Detail("", "", 0)


class Story(NamedTuple):
    """What all sentences of a problem share; plain data."""

    setting: str
    group: int
    voice: str
    """`had`: people have things; `did`: they do something with them; `spot`: the things are in places of theirs."""
    words: tuple[str, str]
    """Base form and past tense of the verb, or preposition and noun of the spot."""
    anchor: str
    """The place or purpose that the sentences mention; "" for none."""
    opened: bool
    """Whether a sentence of the setting opens the story."""
    first: str
    """How the first sentence is told otherwise: `did`, `spot` or ""."""


class Recipe(NamedTuple):
    """The frames and the details that go together for one kind of sentence."""

    kind: str
    frames: tuple[tuple[int, Frame], ...]
    """Each with its number among all frames of its kind."""
    details: tuple[Detail, ...]
    timed: bool
    """Whether the details are in the order of time, so that a later sentence takes a later one."""
    lengths: dict[int, tuple[tuple[int, Frame], ...]]
    """Words without number and noun -> the frames of that length."""


_BY_NAME = {setting.name: setting for setting in SETTINGS}
_STILL = re.compile(r"(could \{A\}|did \{A\})")
_FRONTED = ("in", "on", "at", "for", "under")


def _fronts(phrases: tuple[str, ...]) -> tuple[Detail, ...]:
    return tuple(Detail(f"{phrase}, ", "", len(phrase.split())) for phrase in phrases)


def _tails(phrases: tuple[str, ...], comma: str = "") -> tuple[Detail, ...]:
    return tuple(Detail("", f"{comma} {phrase}", len(phrase.split())) for phrase in phrases)


def _leads(phrases: tuple[str, ...]) -> tuple[Detail, ...]:
    return tuple(Detail(phrase, "", len(phrase.split())) for phrase in phrases)


def frame_of(story: Story, kind: str, index: int) -> Frame:
    """The frame with a number among those of its kind in a story."""
    return compiled(kind, _own(story, kind))[index]


def _own(story: Story, kind: str) -> tuple[str, ...]:
    """The frames that the setting adds."""
    setting, group = _place(story)
    own = {"open": setting.open, "gain": group.gain, "lose": group.lose, "ask": setting.ask}
    if kind == "ask changed":
        return tuple(f"{text} in the end" for text in setting.ask)
    if kind == "ask reduced":
        return tuple(_STILL.sub(r"\1 still", text) for text in setting.ask if _STILL.search(text))
    return own.get(kind, ())


def _place(story: Story) -> tuple[Setting, Group]:
    setting = _BY_NAME[story.setting]
    return setting, setting.groups[story.group]


@cache
def recipe(story: Story, kind: str) -> tuple[Recipe, ...]:
    """The recipes for a kind of sentence (`additive`, `count`, ...) in a story: one of them is drawn, then from it."""
    setting, _ = _place(story)
    leads = LEADS + tuple(f"{clause} " for clause in setting.lead)
    facts = (NONE,) * 4 + _leads(leads) + _fronts(setting.source) + _tails(setting.source, ",")
    facts += _tails(REMARKS, ",")
    known = (NONE,) * 6 + _fronts(setting.source) + _tails(setting.source, ",")
    closed = _fronts(setting.close) + _tails(setting.close)
    voice = story.voice
    if kind == "start":
        if story.opened:
            return (_made(story, "open", (NONE,)),)
        times = (NONE,) * 4 + _fronts(setting.event[:4])
        return (_made(story, f"start {story.first}".rstrip(), times),)
    if kind in ("additive", "multiplicative"):
        placed = (_made(story, f"{kind} placed", facts),) * 2 if story.anchor and voice == "had" else ()
        return (_made(story, f"{kind} {voice}", facts), *placed)
    if kind == "count":
        placed = (_made(story, "count placed", known),) * 2 if story.anchor and voice == "had" else ()
        asked = (_made(story, "ask", (NONE,) * 10 + _fronts(setting.source)),) * (1 if placed else 2)
        return (
            _made(story, "count" if voice == "had" else f"count {voice}", known),
            *placed,
            *(asked if voice == "had" else ()),
        )
    if kind == "count holders":
        return (_made(story, "count", known),)
    if kind in ("changed", "reduced"):
        last = _made(story, "closed reduced", closed) if kind == "reduced" else _made(story, "closed", closed)
        asked = (_made(story, f"ask {kind}", (NONE,)),)
        return (_made(story, kind, (NONE,)), last, _made(story, "closed", closed), *asked)
    if kind in ("changed holders", "reduced holders"):
        return (_made(story, kind.split()[0], (NONE,)), _made(story, "closed", closed))
    if kind in ("total", "difference"):
        return (_made(story, kind, known),)
    if kind in ("total changed", "difference changed"):
        return (_made(story, kind.split()[0], closed),)
    if kind in ("other", "also"):
        return (_made(story, kind, (NONE,)),)
    if kind == "multiplying":
        return (_made(story, kind, facts),)
    if kind == "filled":
        return (_made(story, kind, (NONE,)),)
    front, tail = _made(story, kind, _fronts(setting.event), True), _made(story, kind, _tails(setting.event), True)
    linked = _made(story, kind, (NONE, *_leads(CONNECTIVES)))
    if kind != "moving":
        return (front, front, front, tail, tail, linked)
    return (front, front, front, tail, tail, linked, *(_made(story, kind, _tails(MANNERS)),) * 2)


def _made(story: Story, kind: str, details: tuple[Detail, ...], timed: bool = False) -> Recipe:
    fitting = []
    lengths: dict[int, list[tuple[int, Frame]]] = {}
    anchor = story.anchor
    for index, frame in enumerate(compiled(kind, _own(story, kind))):
        if frame.anchored and (not anchor or (frame.fronted and anchor.split()[0] not in _FRONTED)):
            continue
        fitting.append((index, frame))
        words = frame.words + (len(anchor.split()) - 1 if frame.anchored else 0)
        lengths.setdefault(words, []).append((index, frame))
    if not fitting:
        raise AssertionError((story, kind))
    return Recipe(kind, tuple(fitting), details, timed, {words: tuple(frames) for words, frames in lengths.items()})
