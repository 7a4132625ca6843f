"""Where a text mentions answers: each mention becomes one sign, so that one page of rules reads every form of answer.

A sign is one ideograph that no reply needs (CJK extension B); a regular expression takes it for a letter of a word.
A *firm* sign is a mention in any sentence. A *loose* one, a bare letter, counts only where something marks it as the
answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from hansproof.generators.answering.naming import mentions_in, written_names
from hansproof.generators.answering.numbers import numbers, plain, unlabelled, written
from hansproof.generators.answering.reply import STRAIGHT

__all__ = ["FIRM", "SIGN", "Numbers", "Options", "Signed", "options", "sign"]

_FIRST, _LOOSE, _MOST = 0x20000, 0x25000, 0x5000
FIRM = f"[{chr(_FIRST)}-{chr(_LOOSE - 1)}]"
"""A firm sign, as a pattern."""
SIGN = f"[{chr(_FIRST)}-{chr(_LOOSE + _MOST - 1)}]"
"""Any sign, as a pattern."""
_SIGNS = re.compile(SIGN)


def sign(place: int, *, loose: bool = False) -> str:
    """The sign for the answer at `place` of the answers of a text."""
    return chr((_LOOSE if loose else _FIRST) + place)


def place_of(sign: str) -> int:
    """The place of the answer that a sign stands for."""
    return (ord(sign) - _FIRST) % (_LOOSE - _FIRST)


class Signed(NamedTuple):
    """A text with signs."""

    text: str
    values: Sequence[str]
    """The answers that signs stand for, by their places."""
    worked: bool = False
    """Whether numbers that lead to the result of an equation are left out."""

    def value(self, sign: str) -> str:
        """The answer that a sign stands for."""
        return self.values[place_of(sign)]


# Options and labels: by their letters and by their words.

_BRACKETED = re.compile(r"[(\[{](?<![\w)].)\s?[\"'*_`]{0,2}([A-Za-z])[.:]?[\"'*_`]{0,2}\s?[)\]}](?![\w(]| \d)")


def _word(*words: str) -> str:
    """A pattern of any of some words, in small letters or capitals: tails first, which are found faster."""
    tails = [(word, tail) for word in words for tail in (word[1:], word[1:].upper())]
    return "|".join(rf"{tail}(?<=\b(?i:{word}))" for word, tail in tails)


_CALLED = re.compile(
    rf"(?:{_word('option', 'choice', 'alternative', 'letter')}) [\"'(*_`\[]{{0,3}}([A-Za-z])(?![\w'’])"
    rf"|(?:{_word('answer', 'statement', 'scenario')}) [\"'(*_`\[]{{0,3}}([B-HJ-Z])(?![\w'’])"
)
_FUNCTION = r"(?!(?:and|as|because|but|for|in|is|it|not|or|over|rather|since|was|with|would)\b)[a-z]"
_LEADING = re.compile(
    rf"^([\s>*_#`\"'-]{{0,9}})(?![A-Z]\. {_FUNCTION})([A-HJ-Za-hj-z])[*_`]{{0,2}}[).:](?=[\s*_`]|$)", re.MULTILINE
)
"""`B) it is`; but no `E. coli`."""
_BARE = re.compile(
    rf"([A-HJ-Z])(?<![A-Za-z0-9_À-ɏ.\\-].)(?<!\w['’].)(?![\w-]|['’.]\w|\. {_FUNCTION})"
    rf"(?!(?<=A) (?:{_FUNCTION}|[A-Z][a-z]|{SIGN}))"
)
"""A letter by itself, and no word: `A bit`, `I think`."""
_SMALL = re.compile(r"(?:swer|oice|tion|SWER|OICE|TION)(?:[:=]| is) ([a-zI])(?=[^\w\n]{0,9}$)", re.MULTILINE)
_LONE = re.compile(r"^([a-zI])(?=[^\w\n]{0,9}$)", re.MULTILINE)
"""A small letter, only where it is all of an answer or of a line."""
_LOOSELY = (_BARE, _SMALL, _LONE)
"""What a letter is found by that counts only where it is marked."""
_PAIR = re.compile(
    rf"({SIGN})[)\].:*_\"'`]{{0,5}}(?: ?[-–—=:/] ?| )?"
    rf"(?:[*_\"'“`$]{{0,4}}({SIGN})(?!\w)|[(\[][*_\"']{{0,2}}({SIGN})[*_\"']{{0,2}}[)\]])"
)
_BEHIND = re.compile(rf"({FIRM})([)\].:*_\"'`]{{1,5}} )([^.!?\n{SIGN[1:-1]}]{{3,400}})")
_WORDS = 3
"""Words of an option behind its letter that are enough to know it by."""
_PHRASE = re.compile(rf" (?!(?:a|an|the|than|given|due|here|who|if)\b){_FUNCTION}")
"""Behind a label that is part of a phrase: `the true reason`, `no evidence`."""
_OWNS = re.compile(r"['’]s\b")
_SURE = re.compile(
    r"\b(?:there (?:is|['’]s) )?(?:no|without(?: an?| any)?|beyond(?: an?| any)?) (?:doubt|question)\b", re.I
)
"""What has a word of denial and denies nothing."""
_DETERMINED = re.compile(
    r"\b(?:any|some|such|his|her|their|its|your|our|very|more|most|less|is|there's|with) $", re.IGNORECASE
)
_SECOND = re.compile(r"^\W{0,9}2[.)] ", re.MULTILINE)
_NOT_X = re.compile(r"not?[_ -]+(?=\w)", re.IGNORECASE)


class Options:
    """A few answers, known by their words and, where they have letters, by these."""

    kind = "choice"
    unit = ""

    def __init__(self, values: Sequence[str], letters: Mapping[str, int], words: Mapping[str, int]) -> None:
        self.values, self._letters, self._places = tuple(values), dict(letters), dict(words)
        self._names, self._folds = written_names(tuple(words))
        self._symbols = {name for name in self._names if not any(map(str.isalnum, name))}
        self._counted = any(name.isdecimal() for name in words)
        heads = {place: written.casefold().split()[:_WORDS] for written, place in words.items()}
        self._heads = {place: head for place, head in heads.items() if len(head) == _WORDS}

    def signed(self, text: str) -> Signed:
        """The text with a sign for each mention of an option: by its letter, its words, or both in a row."""
        text = _SIGNS.sub("\ufffd", text)
        if (low := text.lower()) and ("doubt" in low or "question" in low):
            text = _SURE.sub("", text)
        if not self._counted or _SECOND.search(text):
            text = unlabelled(text)
        text = self._by_words(text)
        if self._letters:
            for pattern in (_BRACKETED, _CALLED, _LEADING, *_LOOSELY):
                text = pattern.sub(self._lettered, text)
            text = _PAIR.sub(_joined, _BEHIND.sub(self._headed, text) if self._heads else text)
        return Signed(text, self.values)

    def _by_words(self, text: str) -> str:
        folded = text.casefold() if self._folds else text
        if len(folded) != len(text):  # places must stay, and so must capitals, which are letters of options
            folded = "".join(fold if len(fold := letter.casefold()) == 1 else letter for letter in text)
        alone = folded.strip(" .\"'`*\n")
        written = {name: name for name in self._names if name not in self._symbols or name == alone}
        parts: list[str] = []
        end = 0
        for start, name in mentions_in(folded, written):
            after = start + len(name)
            if _OWNS.match(text, after) or (" " not in name and _in_a_phrase(text, start, after)):
                continue
            parts += [text[end:start], sign(self._places[self._names[name]])]
            end = after
        return "".join((*parts, text[end:]))

    def _lettered(self, match: re.Match[str]) -> str:
        group = match.lastindex or 1
        place = self._letters.get(match[group].upper())
        if place is None:
            return match[0]
        start, end = match.start(group) - match.start(), match.end(group) - match.start()
        return match[0][:start] + sign(place, loose=match.re in _LOOSELY) + match[0][end:]

    def _headed(self, match: re.Match[str]) -> str:
        """The sign of a letter for the words behind it, too, where they begin as its option does."""
        head = self._heads.get(place_of(match[1]))
        return match[1] if head and match[3].casefold().split()[:_WORDS] == head else match[0]


def _in_a_phrase(text: str, start: int, end: int) -> bool:
    determined = text[start:end].lower() == "no" or _DETERMINED.search(text[max(0, start - 12) : start])
    return bool(determined and _PHRASE.match(text, end))


def _joined(match: re.Match[str]) -> str:
    """One sign for a letter and the words of its option."""
    first, second = map(place_of, filter(None, match.groups()))
    return sign(first) if first == second else match[0]


@lru_cache(maxsize=1024)
def options(
    choices: tuple[str, ...], lettered: bool = False, also: tuple[tuple[str, str], ...] = (), prompt: str = ""
) -> Options:
    """How `choices` are known: `lettered` ones by A, B, ... too; letters (`B`, `(b)`) by the words that stand behind
    them in the `prompt`; `also` says which other words mean which choice."""
    choices = choices[: min(len(choices), _MOST)]
    bare = [choice.strip("()[]. ").upper() for choice in choices]
    alphabet = {chr(ord("A") + place): place for place in range(min(len(choices), 26))}
    like = any(choice in alphabet for choice in bare)
    single = len(set(bare)) == len(bare) and all(re.fullmatch("[A-Z]", letter) for letter in bare)
    if single and (like or not lettered):
        letters = {letter: place for place, letter in enumerate(bare)}
        return Options(choices, letters, _printed(prompt, letters))
    return Options(choices, alphabet if lettered and not like else {}, _words(choices, dict(also)))


_ENTRY = re.compile(r"\n[ \t]*[(\[]?([A-Za-z])[)\].:](?:[ \t]+|[ \t]*\n[ \t]*)(\S[^\n]*)")


def _printed(prompt: str, letters: Mapping[str, int]) -> dict[str, int]:
    """The words of the options that the prompt prints last behind each letter; none where two are the same."""
    texts: dict[int, str] = {}
    for match in _ENTRY.finditer(f"\n{prompt}"):
        if (place := letters.get(match[1].upper())) is not None:
            texts[place] = match[2].rstrip(" \t.").translate(STRAIGHT)
    words = {text: place for place, text in texts.items()}
    return words if len(words) == len(letters) else {}


def _words(choices: Sequence[str], also: Mapping[str, str]) -> dict[str, int]:
    """Words -> place: `[No]` is also said as `No`, `not_entailment` as `not entailment` and `no entailment`."""
    choices = [choice.translate(STRAIGHT) for choice in choices]
    words = {choice: place for place, choice in enumerate(choices) if choice.strip()}
    taken = {choice.casefold() for choice in words}
    for choice, place in list(words.items()):
        spaced = choice.replace("_", " ")
        others = [*(other for other, meant in also.items() if meant == choice), spaced, spaced.strip("[] ")]
        if (negated := _NOT_X.match(choice)) and (rest := spaced[negated.end() :]).casefold() in taken:
            others += [f"{particle}{rest}" for particle in ("not ", "not-", "no ", "not an ", "not a ")]
        for other in filter(None, others):
            if other.casefold() not in taken:
                taken.add(other.casefold())
                words[other] = place
    return words


# Numbers.

_URL = re.compile(r"(?:\[\d{1,2}\]:? ?)?https?://\S+")
_SPACED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f]\d{3}){1,6}+(?![.,]?\d| \d)")
_SPACES = re.compile(" {2,}")
_MINUS = re.compile(r"(?:^[–−](?= ?\d)|(?<=[:=(] )[-–−]|(?<=[:=(])[-–−]) ?(?=\d)", re.MULTILINE)
_POINTS = re.compile(r"(?<![\w.,])\d{1,3}(?:\.\d{3}){2,6}+(?![\w.])")
_SCALED = re.compile(r"[ -]?(?:(?i:(thousand|million|billion|trillion|dozen))s?|([kKM]))\b|[eE]([+-]?\d{1,2})\b")
"""`3 million`, `5k`, `2e5`."""
_SCALES = {
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "dozen": 12,
    "k": 10**3,
    "m": 10**6,
}
_TERM = rf"(?:\*\*)?[$€£]?{SIGN}(?:\*\*)?(?: ?%|[ /-][^\W\d_{SIGN[1:-1]}]{{1,20}}){{0,4}}"
_OPERATOR = r" ?(?:[)\]]{1,2} ?)?(?:[-+−–×÷/·x^]|\*(?!\*)|times|plus|minus|divided by) ?[(\[]{0,2}"
_WORKING = re.compile(
    rf"[(\[]{{0,3}}{_TERM}(?:{_OPERATOR}{_TERM}){{1,40}}+ ?(?:[)\]]{{1,2}} ?)?(?:=|≈|equals|is) ?"
    rf"(?=[(*_$€£]{{0,4}}{SIGN})"
)
"""What stands before the result of an equation."""
_ROUNDED = re.compile(rf"(?<={SIGN}) ?≈ ?[$€£]?{SIGN}")
_EQUAL = re.compile(rf"{_TERM} ?= ?(?=[(*_$€£]{{0,4}}{SIGN})")
_ASKED = re.compile(
    r"\b(?:how many|how much|number of|amount of)(?: (?:more|fewer|less|total|additional|extra|different|whole))? "
    r"([a-z]{3,20})\b",
    re.IGNORECASE,
)


class Numbers:
    """Numbers, whatever they count; `unit` is what the question asks for, as a pattern, where it says so."""

    kind = "number"

    def __init__(self, prompt: str = "") -> None:
        asked = _ASKED.findall(prompt)
        stem = re.sub(r"(?:(?<=[sxh])e)?s$", "", asked[-1].lower()) if asked else ""
        self.unit = rf"{re.escape(stem)}(?:e?s)?\b" if len(stem) > 2 else ""

    def signed(self, text: str) -> Signed:
        """The text with a sign for each number, and without what leads to the result of an equation."""
        text = _SIGNS.sub("\ufffd", _URL.sub(" ", text))
        text = _MINUS.sub("-", text)
        for thousands in (_SPACED, _POINTS):
            text = thousands.sub(lambda match: re.sub(r"\D", "", match[0]), text)
        text = _SPACES.sub(" ", unlabelled(plain(text)))
        values: dict[Fraction, int] = {}
        parts: list[str] = []
        end = 0
        for mention in numbers(text):
            scale = _SCALED.match(text, mention.end)
            worth = mention.value * (_scale(scale) if scale else 1)
            place = values.setdefault(worth, len(values))
            if place >= _MOST:
                break
            parts += [text[end : mention.start], sign(place)]
            end = scale.end() if scale else mention.end
        signed = "".join((*parts, text[end:]))
        result = _ROUNDED.sub("", _EQUAL.sub("", _WORKING.sub("", signed)))
        return Signed(result, [written(value) for value in values], len(result) < len(signed))


def _scale(match: re.Match[str]) -> Fraction:
    if match[3]:
        return Fraction(10) ** int(match[3])
    return Fraction(_SCALES[(match[1] or match[2]).lower()])
