"""Compiled sentences, and which of them suit a kind of sentence in a given story."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from hansproof.generators.word_problems.english.sentences import CONNECTIVES, FRAMES, POINTS
from hansproof.generators.word_problems.english.stories import Story
from hansproof.generators.word_problems.english.vocabulary import SETTINGS, Setting

__all__ = ["NONE", "Detail", "Frame", "Recipe", "frames_of", "recipes"]


class Frame(NamedTuple):
    """A compiled sentence with slots, filled by `pattern % picked(values)`."""

    pattern: str
    picked: Callable[[tuple[object, ...]], object]
    words: int
    """Its words, with one for each slot; the words that name things count apart."""
    nouns: int
    """How many slots name a thing."""
    pronoun: bool
    """Whether the subject may be a pronoun."""
    receives: bool
    """Whether the subject of a transfer is the receiver."""
    leading: bool
    """Whether nothing may precede it."""
    anchored: bool
    """Whether it mentions the place or purpose of the story."""
    genders: frozenset[str]
    """Of people without a name: `he` for a brother, `she` for an old lady."""
    mate: bool
    """Whether it says what the two are to each other."""
    introduces: bool
    """Whether it says what somebody new has to do with the place of the story."""
    parties: frozenset[str]
    """The first letters of the words that say from whom things come, or to whom they go; empty where both are named."""
    habit: str
    """What people in the setting must be wont to do: `trade` or `hand`; "" for nothing."""


_SLOTS = {
    "agent": ("A", "As", "own", "N", "were", "P", "did", "on", "spot"),
    "comparison": ("A", "As", "B", "Bs", "M", "P", "did", "on", "spot", "were", "own", "mate"),
    "transfer": ("A", "B", "N", "own", "mate"),
    "rate": ("A", "As", "own", "per", "aper", "pers", "stuff", "q", "each", "were"),
    "question": ("A", "As", "own", "B", "ns", "P", "do", "did", "on", "spot"),
}
"""Kind of form -> the slots of its frames, in the order of the values that fill them."""

_FORMS = {
    "open": "agent",
    "start": "agent",
    "other": "agent",
    "also": "agent",
    "additive": "comparison",
    "multiplicative": "comparison",
}
_FORMS |= {"moving": "transfer", "gain": "transfer", "lose": "transfer", "multiplying": "rate", "dividing": "rate"}

_OBJECT = re.compile(r"\b(for|from|by|to|beside|leave|between|with) {A}|{A} and {B}|{A}$")
"""Where the name is no subject, so that he or she cannot stand for it."""

_HABITS = {"sold": "trade", "bought": "trade", "hand": "hand", "passed": "hand", "let": "hand"}
"""Word -> what people must be wont to do."""

_PEOPLE = {
    "he": re.compile(r"\b(boy|man|brother|uncle|nephew|father|grandfather|waiter|actor)\b"),
    "she": re.compile(r"\b(girl|lady|woman|sister|aunt|niece|mother|grandmother)\b"),
}

_PARTY = re.compile(
    r"\b(?!(?:another|away|been|beside|bought|donated|found|from|gave|given|next|nearby|near|picked|received|retired|sold"
    r"|some|threw|town|with|young|other|into|under|behind|their|across|lost|former)\b)(?:boy\b|man\b|[a-z]{4,})"
)
"""Words that tell somebody without a name from others: boy, man, and most words of four letters or more."""


@cache
def compiled(kind: str, more: tuple[str, ...] = ()) -> tuple[Frame, ...]:
    """The compiled frames of a kind of sentence, and of `more` from a setting."""
    form = _FORMS.get(kind.split()[0], "question")
    role = {"gain": "{R} ", "lose": "{S} "}.get(kind, "")
    return tuple(_compile(kind, _SLOTS[form], text) for text in (*FRAMES[kind], *(role + text for text in more)))


def _compile(kind: str, slots: tuple[str, ...], text: str) -> Frame:
    leading = text.startswith("^")
    text = text.removeprefix("^").rstrip(".")
    receives = False
    if "{R}" in text or "{S}" in text:
        receives = text.find("{R}") >= 0 and (text.find("{S}") < 0 or text.find("{R}") < text.find("{S}"))
        subject, other = ("{R}", "{S}") if receives else ("{S}", "{R}")
        text = text.replace(subject, "{A}").replace(other, "{B}")
    names = re.findall(r"{(\w+)}", text)
    introduces = kind != "open" and re.match(r"{A}(,| was) ", text) is not None
    parties = (word[:5] for word in _PARTY.findall(text) if "{B}" not in text)
    return Frame(
        re.sub(r"{\w+}", "%s", text),
        itemgetter(*(slots.index(name) for name in names)),
        len(text.split()),
        sum(name in ("N", "M", "ns", "stuff", "each") for name in names),
        ("{A}" in text or slots is _SLOTS["rate"]) and not _OBJECT.search(text),
        receives,
        leading,
        "{P}" in text,
        frozenset(gender for gender, words in _PEOPLE.items() if words.search(text)),
        "{mate}" in text,
        introduces,
        frozenset(("introduced",)) if introduces else frozenset(parties),
        next((habit for word, habit in _HABITS.items() if word in text), ""),
    )


Frames = tuple[tuple[int, Frame], ...]
"""Frames, each with its number among all frames of its kind."""


class Detail(NamedTuple):
    """A circumstance: what precedes the frame and what follows it, one of them or neither."""

    before: str
    after: str
    words: int
    phrase: str
    """Its words alone, by which one is told once in a problem."""
    moment: int
    """Its place in the order of time, from 1; 0 for none."""
    place: int
    """Which frames it suits: 0 all, 1 those that something may precede."""


NONE = Detail("", "", 0, "", 0, 0)


class Recipe(NamedTuple):
    """The frames and the details that go together for one kind of sentence."""

    kind: str
    frames: tuple[Frames, Frames]
    """All; those that something may precede."""
    details: tuple[Detail, ...]
    moments: tuple[int, ...]
    """If the details are in the order of time, so that a later sentence takes a later one: their places in it."""
    linking: int
    """1 if the details link to what has happened before, 2 if it must have happened just before; else 0."""
    lengths: tuple[dict[int, Frames], dict[int, Frames]]
    """The same by their number of words without number and noun."""


_BY_NAME = {setting.name: setting for setting in SETTINGS}

_HOUR = re.compile(r"\b(?:hour|minutes|(?:after|before) (?:two|three|four|five|six|seven|nine|ten|eleven))\b")
"""A time that no number may precede."""


def _fronts(phrases: tuple[str, ...]) -> tuple[Detail, ...]:
    return tuple(Detail(f"{phrase}, ", "", len(phrase.split()), phrase, 0, 1) for phrase in phrases)


def _tails(phrases: tuple[str, ...]) -> tuple[Detail, ...]:
    return tuple(Detail("", f" {phrase}", len(phrase.split()), phrase, 0, 0) for phrase in phrases)


def _leads(phrases: tuple[str, ...]) -> tuple[Detail, ...]:
    return tuple(Detail(phrase, "", len(phrase.split()), phrase, 0, 1) for phrase in phrases)


def _dated(details: tuple[Detail, ...]) -> tuple[Detail, ...]:
    """The details with their places in the order of time."""
    return tuple(detail._replace(moment=at) for at, detail in enumerate(details, 1))


def frames_of(story: Story, kind: str) -> tuple[Frame, ...]:
    """All frames of a kind of sentence in a story."""
    return _frames(story.setting, story.group, kind)


@cache
def _frames(name: str, number: int, kind: str) -> tuple[Frame, ...]:
    setting = _BY_NAME[name]
    group = setting.groups[number]
    own = {"open": setting.open, "gain": group.gain, "lose": group.lose}
    places = (f"{setting.at} too", f"{setting.at} as well", f"also {setting.at}")
    who = setting.too or tuple(f"who was {where}" for where in places)
    told = () if setting.too else tuple(f"^{{A}} was {where} and had {{N}}" for where in places)
    own["other"] = (*(f"{{A}}, {clause}, had {{N}}" for clause in who), *told)
    for relation, word in (("additive", "than"), ("multiplicative", "as")):
        own[f"{relation} had"] = tuple(f"^{{A}}, {clause}, had {{M}} {word} {{B}}" for clause in who)
    return compiled(kind, own.get(kind, ()))


def recipes(story: Story, kind: str, mates: int = 3) -> tuple[Recipe, ...]:
    """The recipes for a kind of sentence (`additive`, `count`, ...) in a story: one of them is drawn, then from it.

    `mates` says who may be told to be a friend of the subject: 1 who gives, 2 who receives; 3 either, 0 nobody.
    With 4 on top, the subject of a comparison may be introduced: "who was also at the market".
    """
    anchor = story.anchor
    words = anchor.count(" ") + 1 if anchor else 0
    verb = story.words[1] if story.first == "did" else ""
    return _recipes(story.setting, story.group, story.voice, story.first, words, verb, mates, kind)


@cache
def _recipes(
    name: str, group: int, voice: str, first: str, anchor: int, verb: str, mates: int, kind: str
) -> tuple[Recipe, ...]:
    setting = _BY_NAME[name]
    habits = setting.groups[group].habits

    def made(kind: str, details: tuple[Detail, ...], linking: int = 0) -> Recipe:
        fitting = []
        common = len(FRAMES[kind])
        for pair in enumerate(_frames(name, group, kind)):
            frame = pair[1]
            if anchor and kind == "start did" and not frame.anchored:
                continue  # a purpose is told at first
            usual = frame.habit in habits if frame.habit != "hand" else "bulky" not in habits
            again = verb and kind in ("gain", "moving") and verb in frame.pattern
            friendly = not frame.mate or mates & (1 if frame.receives else 2)
            friendly = friendly and (not frame.introduces or kind == "other" or mates & 4)
            usual = usual or not frame.habit or pair[0] >= common
            if usual and friendly and not again and (anchor or not frame.anchored):
                fitting.append(pair)
        frames = (tuple(fitting), tuple(pair for pair in fitting if not pair[1].leading))
        lengths = _by_length(frames[0], anchor), _by_length(frames[1], anchor)
        timed = all(detail.moment for detail in details)
        return Recipe(
            kind, frames, details, tuple(detail.moment for detail in details) if timed else (), linking, lengths
        )

    return _chosen(setting, kind, voice, first, made)


def _by_length(frames: Frames, anchor: int) -> dict[int, Frames]:
    lengths: dict[int, list[tuple[int, Frame]]] = {}
    for pair in frames:
        words = pair[1].words + (anchor - 1 if pair[1].anchored else 0)
        lengths.setdefault(words, []).append(pair)
    return {words: tuple(pairs) for words, pairs in lengths.items()}


def _chosen(setting: Setting, kind: str, voice: str, first: str, made) -> tuple[Recipe, ...]:  # type: ignore[no-untyped-def]
    fronts = _dated(_fronts(setting.event))
    # No "gave Ann 3 shortly after three".
    tails = tuple(detail for detail in _dated(_tails(setting.event)) if not _HOUR.search(detail.phrase))
    closed = _fronts(setting.close) + _tails(setting.close)
    if kind == "start":
        own = "open" if first == "open" else f"start {first}".rstrip()
        days = (made(own, _fronts(setting.intro)),) if setting.intro and first != "spot" else ()
        return days or (made(own, (NONE,)),)
    if kind in ("additive", "multiplicative"):
        own = f"{kind} {voice}"
        bare = made(own, (NONE,))
        return (bare, made(own, _fronts(POINTS), 2)) if voice == "had" else (bare,)
    if kind == "other" and voice != "had":
        return (made(f"other {voice}", (NONE,)),)
    if kind == "count" and voice != "had":
        return (made(f"count {voice}", (NONE,)),)
    if kind in ("count", "multiplying", "filled", "total", "difference", "other", "also"):
        return (made(kind, (NONE,)),)
    if kind == "dividing":  # these end in `six in each`, which nothing may follow
        return (made(kind, fronts), made(kind, fronts), made(kind, (NONE, *_leads(CONNECTIVES)), 1))
    if kind == "count holders":
        return (made("count", (NONE,)),)
    if kind in ("changed", "reduced"):
        last = made("closed reduced" if kind == "reduced" else "closed", closed)
        return (*(made(kind, (NONE,)),) * 3, last, last)
    if kind in ("changed holders", "reduced holders"):
        return (made(kind.split()[0], (NONE,)), made("closed", closed))
    if kind in ("total changed", "difference changed"):
        return (made(kind.split()[0], closed),)
    front, tail = made(kind, fronts), made(kind, tails)
    linked = made(kind, _leads(CONNECTIVES), 1)
    if kind != "moving":  # most of these end in a place, which no time may follow
        return (front, front, front, front, front, front, linked)
    return (front, front, front, front, tail, tail, tail, linked)
