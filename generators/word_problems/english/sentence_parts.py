"""Splits a sentence into names, numbers, things and words; reads the clock of a story from them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from hansproof.generators.errors import InputError
from hansproof.generators.word_problems.english.vocabulary import SETTINGS

__all__ = ["WORD", "Lexicon", "Phrase", "clock_faults", "fraction", "parts", "sentences"]

# The first half of the independent reader, written without the templates: `reading` turns the parts into logical forms.

WORD = re.compile(r"\b1/\d{1,9}\b|\b\d{1,9}\b|[A-Za-z]+(?:-[A-Za-z]+)*(?:'s|')?", re.ASCII)
_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z0-9])")
_PRONOUNS = {**dict.fromkeys(("he", "him"), "m"), **dict.fromkeys(("she",), "f"), **dict.fromkeys(("they",), "")}
_POSSESSIVES = {"his": "m", "her": "f", "hers": "f", "their": "", "theirs": ""}
_UNITS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_NUMBERS = {word: value for value, word in enumerate(f"{_UNITS} eighteen nineteen twenty".split(), 1)}
_ORDINALS = (
    "half third quarter fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth"
)
_FRACTIONS = {word: value for value, word in enumerate(_ORDINALS.split(), 2)} | {"fourth": 4}


class Phrase(NamedTuple):
    """A word or phrase: `kind` is name, pronoun, number, thing, unit, attribute, scene or word."""

    kind: str
    value: str
    """The name, the key of the vocabulary, the digits, the gender of a pronoun, or the word in lower case."""
    possessive: bool = False


class Lexicon(NamedTuple):
    """The words of a vocabulary, which the grammar itself does not contain."""

    names: Mapping[str, str]
    """Name -> m, f, or "" if it may be either."""
    phrases: Mapping[str, Mapping[str, str]]
    """Noun or adjective, in singular and plural -> {thing, unit or attribute: its key}, for each that it can be."""
    longest: Mapping[str, int]
    """First word of a phrase -> number of words in the longest one that begins with it."""
    starts: Collection[str]
    """The first word of each phrase."""
    scenery: frozenset[str]
    """Words of the places where stories happen, which say nothing about amounts."""


_HER = Phrase("pronoun", "f", True)


def sentences(text: str) -> list[str]:
    """The text, split after each full stop or question mark that a capital letter or a digit follows."""
    return [sentence for sentence in _END.split(text.strip()) if sentence]


def parts(sentence: str, lexicon: Lexicon) -> list[Phrase]:
    """The parts of a sentence; at each position the longest phrase of the lexicon wins.

    Raises InputError if anything is neither a word nor a number of up to nine digits.
    """
    if stray := WORD.sub("", sentence).strip(" ,.?"):
        raise InputError(f"unreadable characters: {stray!r}")
    parsed = list(_parts(WORD.findall(sentence), lexicon))
    for place, part in enumerate(parsed):
        # "her" is an object in "gives her 3" and "than her."; it is a possessive in "her apples" and "her own boxes".
        if part == _HER and (place + 1 == len(parsed) or parsed[place + 1].kind == "number"):
            parsed[place] = part._replace(possessive=False)
    return parsed


def _parts(words: Sequence[str], lexicon: Lexicon) -> Iterator[Phrase]:
    place = 0
    small = [word.lower() for word in words]
    while place < len(words):
        longest = 0 if words[place] in lexicon.names else lexicon.longest.get(small[place], 0)
        for width in range(min(longest, len(words) - place), 0, -1):
            meanings = lexicon.phrases.get(" ".join(small[place : place + width]))
            if meanings:
                place += width
                kind = (
                    next(iter(meanings)) if len(meanings) == 1 else _kind(meanings, words[place : place + 2], lexicon)
                )
                yield Phrase(kind, meanings[kind])
                break
        else:
            yield _single(words[place], lexicon)
            place += 1


def _kind(meanings: Mapping[str, str], ahead: Sequence[str], lexicon: Lexicon) -> str:
    """The kind of an ambiguous word: a unit before "of" and a noun, an attribute before a noun, else a thing."""
    nouns = [word.lower() in lexicon.starts for word in ahead]
    if "unit" in meanings and len(ahead) == 2 and ahead[0] == "of" and nouns[1]:
        return "unit"
    if "attribute" in meanings and nouns and nouns[0]:
        return "attribute"
    return "thing" if "thing" in meanings else next(iter(meanings))


def _single(word: str, lexicon: Lexicon) -> Phrase:
    bare = word[:-2] if word.endswith("'s") else word.rstrip("'")
    if bare in lexicon.names:
        return Phrase("name", bare, bare != word)
    small = bare.lower()
    if small in _POSSESSIVES:
        return Phrase("pronoun", _POSSESSIVES[small], True)
    if small in _PRONOUNS:
        return Phrase("pronoun", _PRONOUNS[small])
    if word.isdigit():
        return Phrase("number", str(int(word)))
    return Phrase("word", small)


def number(word: str) -> str:
    """The digits of a number word up to twenty, or ""."""
    return str(_NUMBERS.get(word, ""))


def fraction(word: str) -> int:
    """n if the word means "one n-th" (half, third, one-fifth, 1/7), else 0."""
    if word.startswith("1/"):
        return int(word[2:])
    last = word.removeprefix("one-")
    return _FRACTIONS.get(last, 0)


# The clock of a story, read from the text alone: each setting has an order of time, which no sentence goes against.


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
    faults = [
        f"phrase of time {place} is not after the one before"
        for place, (before, now) in enumerate(pairwise(told), start=2)
        if now <= before
    ]
    earlier = [moment for sentence in sentences(text)[:-1] for moment in moments(sentence, setting)]
    last = max(_clock(setting)[1].values()) if told else 0
    if last in earlier:
        faults.append("the story ends before its question")
    return faults
