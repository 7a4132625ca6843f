"""Which frames and circumstances suit a kind of sentence in a given story, with the length of each."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from generators.word_problems.english.frames import Frame, compiled
from generators.word_problems.english.scenery import SETTINGS, Setting
from generators.word_problems.english.sentences import CONNECTIVES, FRAMES, LEADS, POINTS, REMARKS
from generators.word_problems.english.stories import Story

__all__ = ["NONE", "Detail", "Recipe", "frames_of", "recipes"]


Frames = tuple[tuple[int, Frame], ...]
"""Frames, each with its number among all frames of its kind."""


class Detail(NamedTuple):
    """A circumstance: what precedes the frame and what follows it, one of them or neither."""

    before: str
    """Inserted behind the first word, which is a name, if `place` says so."""
    after: str
    words: int
    phrase: str
    """Its words alone, by which one is told once in a problem."""
    moment: int
    """Its place in the order of time, from 1; 0 for none."""
    place: int
    """Which frames it suits: 0 all, 1 those that something may precede, 2 those that begin with a name."""
    root: frozenset[str] = frozenset()
    """For what tells where an amount is known from: its words, none of which comes twice in a problem; else empty."""


NONE = Detail("", "", 0, "", 0, 0)


class Recipe(NamedTuple):
    """The frames and the details that go together for one kind of sentence."""

    kind: str
    frames: tuple[Frames, Frames, Frames]
    """All; those that something may precede; those that begin with a name, behind which something may be inserted."""
    details: tuple[Detail, ...]
    timed: bool
    """Whether the details are in the order of time, so that a later sentence takes a later one."""
    linking: bool
    """Whether the details link to what has happened before."""
    lengths: tuple[dict[int, Frames], dict[int, Frames], dict[int, Frames]]
    """The same by their number of words without number and noun."""


_BY_NAME = {setting.name: setting for setting in SETTINGS}
_STILL = re.compile(r"(could {A}|did {A})")
_FRONTED = ("in", "on", "at", "under")
_STATES = ("keep", "own", "look after")
"""Verbs for what lasts, which nobody does during the morning rush."""


def _fronts(phrases: tuple[str, ...], timed: bool = False) -> tuple[Detail, ...]:
    return tuple(
        Detail(f"{phrase}, ", "", len(phrase.split()), phrase, at if timed else 0, 1)
        for at, phrase in enumerate(phrases, 1)
    )


def _tails(phrases: tuple[str, ...], comma: str = "", timed: bool = False) -> tuple[Detail, ...]:
    return tuple(
        Detail("", f"{comma} {phrase}", len(phrase.split()), phrase, at if timed else 0, 1 if comma else 0)
        for at, phrase in enumerate(phrases, 1)
    )


def _leads(phrases: tuple[str, ...]) -> tuple[Detail, ...]:
    return tuple(Detail(phrase, "", len(phrase.split()), phrase, 0, 1) for phrase in phrases)


def _insertions(phrases: tuple[str, ...]) -> tuple[Detail, ...]:
    return tuple(Detail(f", {phrase}, ", "", len(phrase.split()), phrase, 0, 2) for phrase in phrases)


def frames_of(story: Story, kind: str) -> tuple[Frame, ...]:
    """All frames of a kind of sentence in a story."""
    return _frames(story.setting, story.group, kind)


@cache
def _frames(name: str, number: int, kind: str) -> tuple[Frame, ...]:
    setting = _BY_NAME[name]
    group = setting.groups[number]
    own = {
        "open": setting.open,
        "gain": group.gain,
        "lose": group.lose,
        "ask": setting.ask,
        "ask changed": tuple(f"{text} in the end" for text in setting.ask if "did {A} have" in text),
        "ask reduced": tuple(_STILL.sub(r"\1 still", text) for text in setting.ask if _STILL.search(text)),
    }
    return compiled(kind, own.get(kind, ()))


def recipes(story: Story, kind: str) -> tuple[Recipe, ...]:
    """The recipes for a kind of sentence (`additive`, `count`, ...) in a story: one of them is drawn, then from it."""
    anchor = story.anchor
    first = anchor.partition(" ")[0]
    words = anchor.count(" ") + 1 if anchor else 0
    fronted = first in _FRONTED and words > 2  # nobody writes: on show, she had 20 coins
    lasting = story.first == "did" and story.words[0] in _STATES
    return _recipes(story.setting, story.group, story.voice, story.first, words, fronted, lasting, kind)


@cache
def _recipes(
    name: str, group: int, voice: str, first: str, anchor: int, fronted: bool, lasting: bool, kind: str
) -> tuple[Recipe, ...]:
    setting = _BY_NAME[name]
    habits = setting.groups[group].habits

    def made(kind: str, details: tuple[Detail, ...], timed: bool = False, linking: bool = False) -> Recipe:
        fitting = []
        common = len(FRAMES.get(kind, ()))
        for pair in enumerate(_frames(name, group, kind)):
            frame = pair[1]
            if anchor and kind == "start did" and not frame.anchored:
                continue  # a purpose that later sentences mention is told at first
            suits = not frame.habit or frame.habit in habits or pair[0] >= common or kind.startswith("start")
            if suits and (not frame.anchored or (anchor and (fronted or not frame.fronted))):
                fitting.append(pair)
        frames = (
            tuple(fitting),
            tuple(pair for pair in fitting if not pair[1].leading),
            tuple(pair for pair in fitting if pair[1].named),
        )
        lengths = _by_length(frames[0], anchor), _by_length(frames[1], anchor), _by_length(frames[2], anchor)
        return Recipe(kind, frames, details, timed, linking, lengths)

    return _chosen(setting, kind, voice, first, lasting, made)


def _by_length(frames: Frames, anchor: int) -> dict[int, Frames]:
    lengths: dict[int, list[tuple[int, Frame]]] = {}
    for pair in frames:
        words = pair[1].words + (anchor - 1 if pair[1].anchored else 0)
        lengths.setdefault(words, []).append(pair)
    return {words: tuple(pairs) for words, pairs in lengths.items()}


def _sourced(details: tuple[Detail, ...]) -> tuple[Detail, ...]:
    """The details as sources, with their words of weight."""
    return tuple(detail._replace(root=frozenset(_WEIGHTY.findall(detail.phrase)) - _WEIGHTLESS) for detail in details)


_WEIGHTY = re.compile("[a-z]{4,}")
_WEIGHTLESS = {"according", "going", "judging", "count", "that", "showed", "noticed", "look", "their"}


def _chosen(setting: Setting, kind: str, voice: str, first: str, lasting: bool, made) -> tuple[Recipe, ...]:  # type: ignore[no-untyped-def]
    within = tuple(phrase for phrase in setting.source if phrase.startswith(("according", "by")))
    sources = _sourced(_fronts(setting.source) + _tails(setting.source, ",") + _insertions(within))
    seen = _sourced(_leads(tuple(f"{clause} " for clause in setting.lead)))
    leads, remarks = _leads(LEADS), _tails(REMARKS, ",")
    closed = _fronts(setting.close) + _tails(setting.close)
    if kind == "start":
        if first == "open":
            return (made("open", (NONE,)),)
        times = () if lasting else _fronts(setting.event[:4], True)
        return (made(f"start {first}".rstrip(), (NONE,) * 2 + times),)
    if kind in ("additive", "multiplicative"):
        own = f"{kind} {voice}"
        bare, told = made(own, (NONE,)), made(own, leads + sources + seen + remarks)
        if voice != "had":
            return (bare, told, told)
        timed, linked = made(own, _fronts(setting.event, True), timed=True), made(own, _leads(POINTS), linking=True)
        return (bare, timed, timed, timed, told, told, told, linked, timed, told)
    if kind == "count" and voice == "had":
        asked = made("ask", (NONE,))
        return (made("count", (NONE,)), *(asked,) * 4)
    if kind == "count":
        return (made(f"count {voice}", (NONE,)),)
    if kind == "count holders":
        return (made("count", (NONE,)),)
    if kind in ("changed", "reduced"):
        last = made("closed reduced" if kind == "reduced" else "closed", closed)
        return (made(kind, (NONE,)), last, last, made("closed", closed), made(f"ask {kind}", (NONE,)))
    if kind == "reduced short":
        return (made(kind, (NONE,)), made("ask reduced", (NONE,)))
    if kind == "changed short":
        return (made(kind, (NONE,)),)
    if kind in ("changed holders", "reduced holders"):
        return (made(kind.split()[0], (NONE,)), made("closed", closed))
    if kind in ("total", "difference"):
        return (made(kind, (NONE,)),)
    if kind in ("total changed", "difference changed"):
        return (made(kind.split()[0], closed),)
    if kind == "multiplying":
        return (made(kind, (NONE,) * 4 + leads + seen),)
    if kind in ("other", "also"):
        plain = "mention" if kind == "other" else "also"
        timed = made(plain, _fronts(setting.event, True), timed=True)
        return (made(kind, (NONE,)), timed, timed, timed, timed, made(plain, leads + sources + seen))
    if kind == "filled":
        return (made(kind, (NONE,)),)
    front, tail = made(kind, _fronts(setting.event, True), True), made(kind, _tails(setting.event, timed=True), True)
    linked = made(kind, (NONE, *_leads(CONNECTIVES)), linking=True)
    if kind == "dividing":  # these end in `six in each`, which nothing may follow
        return (front, front, linked)
    manner = (made(kind, _tails(setting.why)),) * 2 if kind == "moving" else ()
    return (front, front, front, tail, tail, tail, linked, *manner, made(kind, (NONE,)))
