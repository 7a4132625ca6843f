"""How options are named: words are replaced by a sign for their option, so that words and letters are read by one rule.

The signs are ideographs that no reply needs (CJK extension B): a regular expression takes each for one letter of a
word, as it takes `B`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from generators.answering.plain_scorer import mentions_in, written_names

__all__ = ["SIGNS", "Naming", "naming"]

_FIRST = 0x20000
_MOST = 42_000
"""Options that have a sign."""
SIGNS = f"{chr(_FIRST)}-{chr(_FIRST + _MOST - 1)}"
"""The signs, as a range of characters."""
_SIGN = re.compile(f"[{SIGNS}]")
_NOT_X = re.compile(r"not?[_ -]+(?=\w)", re.IGNORECASE)
_NO = re.compile(
    r"(?:(?<=\w)[ \t]+no|(?:^|(?<=[.!?,–—-] ))[Nn]o(?= (?:doubt|question|further|other|more|longer|evidence|reason|need"
    r"|alternative|comment|one|idea|information|clue|data)\b))"
    r"(?=[ \t]+(?!(?:and|as|because|based|but|due|for|given|he|if|in|it|or|she|since|so|that|the|they|this|to|under"
    r"|unless|we|when|while|with|you)\b)[a-z])"
)
"""`no` in front of what there is none of, as in `there is no agreed answer`, which answers nothing. It becomes
`nil`, which denies."""
_SURE = re.compile(
    r"\b(?:there (?:is|['’]s) )?(?:no|without(?: an?| any)?|beyond(?: an?| any)?) (?:reasonable |longer in )?"
    r"(?:doubt|question)\b",
    re.IGNORECASE,
)
"""What has a word of denial and denies nothing."""
_NOT_BUT = re.compile(
    rf"\bnot (?:an? |the |option )?[\"'*(]{{0,3}}(?:[A-Z]\b|[{SIGNS}])[\"'*)]{{0,3}},? but (?:rather |instead )?"
)
"""`not A but` in front of `B`."""
_PAIRED = (
    re.compile(
        r"(?<![\w'’])(?:(?i:option|choice|answer|letter) )?[(\[*\"'“]{0,4}([A-Za-z])[)\].:*\"'”]{0,5}(?: ?[-–—=:] ?| )"
        rf"[*\"'“(\[`$]{{0,4}}([{SIGNS}])"
    ),
    re.compile(
        rf"([{SIGNS}])[\"'”*]{{0,4}} ?[(\[][\"'*]{{0,2}}(?:(?i:option|choice|answer) )?([A-Za-z])[\"'*.]{{0,2}}[)\]]"
    ),
)
"""A letter and the words of its option: `B. blue`, `blue (B)`."""


class Naming:
    """The options of an item, and all by which a reply names them."""

    def __init__(self, choices: Sequence[str], lettered: bool, also: Mapping[str, str]) -> None:
        self.choices = tuple(choices)
        letters = {choice.upper(): place for place, choice in enumerate(choices)}
        single = all(len(choice) == 1 and choice.isascii() and choice.isalpha() for choice in choices)
        alphabet = {chr(ord("A") + place): place for place in range(min(len(choices), 26))}
        like = any(len(choice) == 1 and choice.upper() in alphabet for choice in choices)
        if single and len(letters) == len(choices) and (like or not lettered):
            self.letters, words = letters, {}
        else:
            self.letters = alphabet if lettered and not like else {}
            words = _words(choices, also)
        self.places = words
        self._names, self._folds = written_names(tuple(words))
        self._symbols = {name for name in self._names if not any(map(str.isalnum, name))}
        self._has_no = any(name.casefold() == "no" for name in words)

    def place(self, sign: str) -> int | None:
        """The place of the option that a letter or sign stands for; None where it stands for none."""
        if sign.isascii():
            return self.letters.get(sign.upper())
        return ord(sign) - _FIRST

    def signed(self, line: str) -> str:
        """The line with a sign in place of the words of each option."""
        line = _SURE.sub("", _SIGN.sub("\ufffd", line))
        if not self._names:
            return line
        if self._has_no:
            line = _NO.sub(" nil", line)
        if self._folds:
            folded = line.casefold()
            line = line if len(folded) == len(line) else folded
        else:
            folded = line
        parts: list[str] = []
        end = 0
        alone = folded.strip(" .\"'`*")
        written = {name: name for name in self._names if name not in self._symbols or name == alone}
        for start, name in mentions_in(folded, written):
            parts += [line[end:start], chr(_FIRST + self.places[self._names[name]])]
            end = start + len(name)
        return "".join((*parts, line[end:]))

    def paired(self, line: str) -> str:
        """The line with one sign for a letter and the words of its option, and without `not A but`."""
        if not self.letters:
            return _NOT_BUT.sub("", line)
        line = _PAIRED[0].sub(lambda match: self._pair(match, match[1], match[2]), line)
        line = _PAIRED[1].sub(lambda match: self._pair(match, match[2], match[1]), line)
        return _NOT_BUT.sub("", line)

    def _pair(self, match: re.Match[str], letter: str, sign: str) -> str:
        return sign if self.place(letter) == self.place(sign) else match[0]


@lru_cache(maxsize=1024)
def naming(choices: tuple[str, ...], lettered: bool, also: tuple[tuple[str, str], ...] = ()) -> Naming:
    """How `choices` are named; `lettered` ones also by letter, `also` says which other words name which choice."""
    return Naming(choices[:_MOST], lettered, dict(also))


def _words(choices: Sequence[str], also: Mapping[str, str]) -> dict[str, int]:
    """Words -> place: `[No]` is also said as `No`, `not_entailment` as `not entailment` and `no entailment`."""
    words = {choice: place for place, choice in enumerate(choices) if choice.strip()}
    taken = {choice.casefold() for choice in words}
    for choice, place in list(words.items()):
        others = [other for other, of in also.items() if of == choice]
        spaced = choice.replace("_", " ")
        others += filter(None, (spaced, spaced.strip("[] ")))
        if negated := _NOT_X.match(choice):
            rest = spaced[negated.end() :]
            if rest.casefold() in taken:
                others += [f"{particle}{rest}" for particle in ("not ", "not-", "no ", "not an ", "not a ")]
        for other in others:
            if other.casefold() not in taken:
                taken.add(other.casefold())
                words[other] = place
    return words
