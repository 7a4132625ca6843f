"""Compiled sentences, and which of them suit a kind of sentence in a given story."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from operator import itemgetter

from hansproof.generators.word_problems.english.sentences import CONNECTIVES, ENDS, FRAMES, POINTS, SINCE
from hansproof.generators.word_problems.english.vocabulary import SETTINGS, Setting

__all__ = [
    "BARE_DETAIL",
    "GIVE",
    "INTRODUCE",
    "NONE",
    "RECEIVE",
    "Book",
    "Detail",
    "Frame",
    "Recipe",
    "book_of",
    "compiled",
    "detail",
]


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """A compiled sentence with slots, filled by `pattern % picked(values)`."""

    pattern: str
    picked: Callable[[tuple[object, ...]], object]
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
    free: bool
    """Whether it speaks of nobody but the two."""
    habit: str
    """What people in the setting must be wont to do: `trade` or `hand`; "" for nothing."""
    words: int
    """Its words, with one for each slot."""


_SLOTS = {
    "agent": ("A", "own", "N", "P", "did"),
    "comparison": ("A", "B", "M", "did", "own", "mate"),
    "transfer": ("A", "B", "N", "own", "mate"),
    "question": ("A", "B", "ns", "do", "did"),
}
"""Kind of form -> the slots of its frames, in the order of the values that fill them."""

_FORMS = dict.fromkeys(("open", "start", "other"), "agent") | dict.fromkeys(("moving", "gain", "lose"), "transfer")
_FORMS |= dict.fromkeys(("additive", "multiplicative"), "comparison")

_OBJECT = re.compile(r"\b(for|from|by|to|beside|leave|between|with) {A}|{A} and {B}|{A}$")
"""Where the name is no subject, so that he or she cannot stand for it."""

_HABITS = {"sold": "trade", "bought": "trade", "hand": "hand", "let": "hand"}
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
    slots = _SLOTS[_FORMS.get(kind.split()[0], "question")]
    role = {"gain": "{R} ", "lose": "{S} "}.get(kind, "")
    return tuple(_compile(kind, slots, text) for text in (*FRAMES[kind], *(role + text for text in more)))


def _compile(kind: str, slots: tuple[str, ...], text: str) -> Frame:
    leading = text.startswith("^")
    text = text.removeprefix("^").rstrip(".")
    receives = False
    if "{R}" in text or "{S}" in text:
        receives = text.find("{R}") >= 0 and (text.find("{S}") < 0 or text.find("{R}") < text.find("{S}"))
        subject, other = ("{R}", "{S}") if receives else ("{S}", "{R}")
        text = text.replace(subject, "{A}").replace(other, "{B}")
    names = re.findall(r"{(\w+)}", text)
    introduces = kind != "open" and text.startswith("{A}, ")
    words = () if "{B}" in text else _PARTY.findall(text)
    parties = frozenset(("introduced",) if introduces else (word[:5] for word in words))
    return Frame(
        re.sub(r"{\w+}", "%s", text),
        itemgetter(*(slots.index(name) for name in names)),
        "{A}" in text and not _OBJECT.search(text),
        receives,
        leading,
        "{P}" in text,
        frozenset(gender for gender, words in _PEOPLE.items() if words.search(text)),
        "{mate}" in text,
        introduces,
        parties,
        not parties and "{mate}" not in text,
        next((habit for word, habit in _HABITS.items() if word in text), ""),
        len(text.split()),
    )


@dataclass(frozen=True, slots=True)
class Detail:
    """A circumstance: what precedes the frame and what follows it, one of them or neither."""

    before: str
    """With a capital: it begins the sentence."""
    after: str
    moment: int = 0
    """Its place in the order of time, from 1; 0 for none."""

    phrase: str = ""
    """All of it, by which one is told once in a problem."""
    words: int = 0


NONE = Detail("", "")


def detail(before: str, after: str = "", moment: int = 0) -> Detail:
    """The detail that precedes and follows a frame like this."""
    phrase = (before or after).strip(" ,")
    return Detail(before[:1].upper() + before[1:], after, moment, phrase, len(phrase.split()))


@dataclass(frozen=True, eq=False, slots=True)
class Recipe:
    """The frames and the details that go together for one kind of sentence."""

    frames: tuple[Frame, ...]
    plain: tuple[Frame, ...]
    """Those that something may precede."""
    details: tuple[Detail, ...]
    moments: tuple[int, ...]
    """If the details are in the order of time, so that a later sentence takes a later one: their places in it."""
    linking: int
    """1 if the details link to what has just happened, or say that time is up; 2 if they say how things are after
    something; else 0."""


_HOUR = re.compile(r"\b(?:hour|minutes|(?:after|before) (?:two|three|four|five|six|seven|nine|ten|eleven))\b")
"""A time that no number may precede."""


def _fronts(phrases: tuple[str, ...]) -> tuple[Detail, ...]:
    return tuple(detail(f"{phrase}, ") for phrase in phrases)


def _tails(phrases: tuple[str, ...]) -> tuple[Detail, ...]:
    return tuple(detail("", f" {phrase}") for phrase in phrases)


def _dated(details: tuple[Detail, ...]) -> tuple[Detail, ...]:
    """The details with their places in the order of time."""
    return tuple(replace(each, moment=at) for at, each in enumerate(details, 1))


_END = ("in the end",)
_LEADS = tuple(detail(phrase) for phrase in CONNECTIVES)
BARE_DETAIL = (NONE,)
"""For sentences without a circumstance."""

# What a sentence about two people may say of them, added up.
GIVE, RECEIVE, INTRODUCE = 1, 2, 4
"""Whoever gives may be told to be a friend of the subject; whoever receives; the subject may be introduced ("who was
also at the market")."""


class Book:
    """The recipes of all stories in one group of a setting that are told in one voice."""

    def __init__(self, setting: Setting, group: int, voice: str, anchored: bool) -> None:
        self.setting, self.group, self.voice = setting, setting.groups[group], voice
        self.anchored = anchored
        """Whether the first sentence names a place that is none of the setting."""

    @cache  # noqa: B019 - there are few books, for ever
    def recipes(self, kind: str, allowed: int = 0) -> tuple[Recipe, ...]:
        """The recipes for a kind of sentence, of which one is drawn; `allowed` adds up GIVE, RECEIVE and INTRODUCE."""
        return tuple(self._made(kind, allowed))

    def frames(self, kind: str) -> tuple[Frame, ...]:
        """All frames of a kind of sentence."""
        setting = self.setting
        own = {"open": setting.open, "gain": self.group.gain, "lose": self.group.lose}
        places = (f"{setting.at} too", f"{setting.at} as well", f"also {setting.at}")
        who = setting.too or tuple(f"who was {where}" for where in places)
        own["other"] = tuple(f"{{A}}, {clause}, had {{N}} of {{own}} own" for clause in who)
        for relation, word in (("additive", "than"), ("multiplicative", "as")):
            own[f"{relation} had"] = tuple(f"^{{A}}, {clause}, had {{M}} {word} {{B}}" for clause in who)
        return compiled(kind, own.get(kind, ()))

    def _fits(self, kind: str, frame: Frame, allowed: int, own: bool) -> bool:
        """Whether a frame, which is one of the setting's `own` or of all, suits the story."""
        if frame.anchored != (kind == "start did" and self.anchored):
            return False  # a purpose is told at first
        if frame.mate and not allowed & (GIVE if frame.receives else RECEIVE):
            return False
        if frame.introduces and kind != "other" and not allowed & INTRODUCE:
            return False
        if own or not frame.habit:  # what a setting says of its own things is usual there
            return True
        habits = self.group.habits
        return frame.habit in habits if frame.habit != "hand" else "bulky" not in habits

    def _recipe(self, kind: str, allowed: int, details: tuple[Detail, ...], linking: int = 0) -> Recipe:
        common = len(FRAMES[kind])
        fitting = tuple(
            frame for at, frame in enumerate(self.frames(kind)) if self._fits(kind, frame, allowed, at >= common)
        )
        timed = all(each.moment for each in details)
        return Recipe(
            fitting,
            tuple(frame for frame in fitting if not frame.leading),
            details,
            tuple(each.moment for each in details) if timed else (),
            linking,
        )

    def _made(self, kind: str, allowed: int) -> list[Recipe]:
        setting = self.setting
        fronts = _dated(_fronts(setting.event))
        closed = _fronts(setting.close) + _tails(setting.close)
        if kind == "start":
            own = "open" if self.voice == "had" else f"start {self.voice}"
            return [self._recipe(own, allowed, _fronts(setting.intro) or BARE_DETAIL)]
        if kind in ("additive", "multiplicative"):
            bare = self._recipe(f"{kind} {self.voice}", allowed, BARE_DETAIL)
            timed = [self._recipe(f"{kind} had", allowed, _fronts(said), 2) for said in (POINTS, SINCE)]
            return [bare, *timed] if self.voice == "had" else [bare]
        if kind in ("changed", "reduced"):
            last = self._recipe("closed reduced" if kind == "reduced" else "closed", allowed, closed, 1)
            return [self._recipe(kind, allowed, BARE_DETAIL)] * 3 + [last, last]
        if kind in ("total changed", "difference changed"):
            ends = _fronts(_END) + _tails(_END)
            return [self._recipe(kind.split()[0], allowed, ends), self._recipe(kind.split()[0], allowed, closed, 1)]
        if kind in ("moving", "gain", "lose"):
            front, linked = self._recipe(kind, allowed, fronts), self._recipe(kind, allowed, _LEADS, 1)
            if kind != "moving":  # most of these end in a place, which no time may follow
                return [front] * 6 + [linked]
            # No "gave Ann 3 shortly after three".
            tails = tuple(each for each in _dated(_tails(setting.event)) if not _HOUR.search(each.after))
            return [front] * 4 + [self._recipe(kind, allowed, tails)] * 3 + [linked]
        own = f"count {self.voice}" if kind == "count" and self.voice != "had" else kind
        return [self._recipe(own, allowed, _fronts(tuple(ENDS)) if kind == "either" else BARE_DETAIL)]


@cache
def book_of(name: str, group: int, voice: str, anchored: bool) -> Book:
    """The book of a group of the setting called `name`."""
    return Book(next(setting for setting in SETTINGS if setting.name == name), group, voice, anchored)
