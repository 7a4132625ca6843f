"""The clock of a story, read from the text alone: each setting has an order of time, which no sentence goes against."""

from __future__ import annotations

import re
from functools import cache

from generators.word_problems.english.reading.parts import sentences
from generators.word_problems.english.scenery import SETTINGS

__all__ = ["clock_faults", "moments"]


@cache
def _clock(name: str) -> tuple[re.Pattern[str], dict[str, int]]:
    """What finds the phrases of time of a setting, the longest first, and their order; what ends a story is last."""
    setting = next(setting for setting in SETTINGS if setting.name == name)
    order = {phrase.lower(): rank for rank, phrase in enumerate(setting.event)}
    order |= {phrase.lower(): len(setting.event) for phrase in setting.close}
    longest = sorted(order, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b"), order


def moments(text: str, setting: str) -> list[int]:
    """The place in the order of time of every phrase of time in the text."""
    pattern, order = _clock(setting)
    return [order[match[0]] for match in pattern.finditer(text.lower())]


def clock_faults(text: str, setting: object) -> list[str]:
    """Faults of the order of time in a problem, in words: time goes back, stands still, or ends before the question."""
    if not isinstance(setting, str) or setting not in {known.name for known in SETTINGS}:
        return [f"setting is {setting!r}, where no story happens"]
    told = moments(text, setting)
    faults = [f"phrase of time {place} is not after the one before" for place in _back(told)]
    before = [moment for sentence in sentences(text)[:-1] for moment in moments(sentence, setting)]
    last = max(_clock(setting)[1].values()) if told else 0
    if last in before:
        faults.append("the story ends before its question")
    return faults


def _back(told: list[int]) -> list[int]:
    return [place for place in range(2, len(told) + 1) if told[place - 1] <= told[place - 2]]
