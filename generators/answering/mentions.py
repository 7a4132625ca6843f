"""Where a reply names an option, and how the mention stands: denied, supposed, passed on, or meant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import lru_cache

from hansproof.generators.answering.plain_scorer import mentions_in, written_names

__all__ = ["SIGNS", "Naming", "Standing", "naming", "standing", "taken_back"]

# Words become a sign for their option, so that words and letters are read by one rule. The signs are ideographs that no
# reply needs (CJK extension B): a regular expression takes each for one letter of a word, as it takes `B`.

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


# English words, with the commonest of a few other languages. To read what is not meant is worse than to read nothing,
# so a word of denial anywhere in the clause denies.


class Standing(IntEnum):
    """From the weakest to the firmest."""

    DENIED = 0
    """`It is not B`, `B is wrong`."""
    SUPPOSED = 1
    """`It would be B if`, `Is it B?`: says nothing of the answer."""
    WEAK = 2
    """`Some say B`, `the true reason`: counts where nothing firmer is said."""
    FIRM = 3


_SHUT = r"[\"'*)\]}`$”]{0,9}"
_CLAUSE = re.compile(r"[.,;!?()—…]|\b(?:but|although|though|while|whereas|yet|so|hence|therefore|thus|because|since)\b")
_SENTENCE = re.compile(r"[.!?;…] ")
_NEVER = (
    r"not|never|neither|nor|cannot|rul(?:e|ed|es|ing) out|eliminat\w*|exclud\w*|reject\w*|dismiss\w*|doubt\w*|unclear"
    r"|unsure|unlikely|implausible|impossible|wrong|incorrect|inaccurate|false|fails?|failed|contradicts?|violates?"
    r"|nicht|kein\w*|falsch\w*|pas|fausse?|faux|incorrecta|far from|hardly|scarcely|barely"
)
_BEFORE = re.compile(
    rf"\b(?:{_NEVER}|no(?!:)|nil|nothing|nobody|without|lacks?|lacking|except|rather than|instead of|opposed to|least"
    r"|your|student['’]?s?|aucun\w*|opposite of|(?:every|any)thing but|all but|none but|avoid\w*)\b|n['’]t\b|\bno es\b"
    r"|\bover(?: the)?$|[≠¬]",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"\b(?:{_NEVER}|(?:is|are|was) (?:ruled |also )?out)\b|n['’]t\b|\bno es\b|[❌✗✘✖]|\bdoes no\b", re.IGNORECASE
)
_ONLY = re.compile(r"\bnot (?:only|just|merely)\b", re.IGNORECASE)
_INSTEAD = re.compile(
    rf"{_SHUT} ?[,:–—-]? ?(?:and |but )?[(\[]?(?:rather than|instead of|over|as opposed to"
    rf"|not (?:an? |the |option )?[\"'*(]{{0,3}}(?:[A-Z]\b(?! [a-z])|[{SIGNS}]))"
)
"""`B, not A`, `B rather than A`: denies what follows, not what it follows."""
_REASON = re.compile(
    rf"{_SHUT} ?[:–—-] (?!(?:the|this) (?:answer|option|choice|label|one)\b)"
    rf"(?:(?:the|because|since|there|an?|if|in|when|as|we|he|she|they|nobody|nothing)\b"
    rf"|(?:[Oo]ption |[Cc]hoice )?[\"'*(]{{0,3}}[A-HJ-Z{SIGNS}][\"'*)]{{0,3}}) "
)
"""`B: the premise does not say`: what follows gives a reason."""
_IN_BRACKETS = re.compile(r"^[\"'*)\]}`$”.:]{0,9} ?\([^()]{0,40}\)")
_DOT = re.compile(r"^\.[)*]* ?(?=[a-z])")
"""Behind a letter in front of its sentence: `B. is not right`."""
_OF = re.compile(r"['’]s\b")
"""`Rome's rival`"""
_SAID = re.compile(r"\b(?!I\b)\w+ (?:said|replied)$")
"""`Tom said no to it`"""
_ASKED = re.compile(r"[.!?](?=[\s\"'*)]|$)|\?")
_IF = re.compile(
    r"(?:\b(?:if|unless|suppos\w+|assum(?:e|ing)|when)\b|^\W*(?:had|were)\b)"
    r"(?! (?:i|you|we) (?:had|have|were|must|want)\b.{0,12}(?:to|choose|pick))",
    re.IGNORECASE,
)
_UNREAL = re.compile(r"\b(?:would|could|might|were|had)\b|['’]d\b", re.IGNORECASE)
_MIGHT = re.compile(r"\b(?:would|could|might)\b|['’]d\b")
_WOULD = re.compile(r"[\s\"'*)\]]{0,9}(?:would|could|might)\b")
_MEANT = re.compile(r" (?:\w+ly )?(?:be|seem|have been) (?:my|right|correct|the (?:right|correct|best|answer))\b")
_WERE = re.compile(r"[\s\"'*)\]]{0,9}(?:may|were|had)\b")
_IF_LATER = re.compile(r"(?<!even )\b(?:if|had|unless)\b")
_THEN = re.compile(r"\b(?:so|therefore|thus|hence)\b")
"""Drawn from a condition, as in `If it is 3, we get 4, so`."""
_OTHERS = re.compile(
    r"\b(?:some|many|most|others|another|someone|students?|readers?|users?)\b(?! (?:likely|plausibl|probabl|appropriat"
    r"|accurat|suitabl|reasonabl|logical|direct|fitting|sens|consistent|correct|relevant|common))"
    r"|\b(?:one|you|they|people|a user) (?:could|might|may|would|will)\b|\bwhether\b|\bwould be\b"
    r"|\b(?:could|might|may) (?:also )?(?:be|seem|say|think|think of|consider|appear|argue)\b"
    r"|\btempt\w*|\bat first\b|\binitially\b|\b(?:first|initial) (?:thought|guess|instinct|choice|answer)\b"
    r"|\bfirst i\b|\bsecond choice\b|\brunner-up\b|\balternativ\w*",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\s*(?:or|and|nor|perhaps|maybe)\b")
_LIKELY = re.compile(
    r"[\s\"'*)\]]{0,9}(?:is|are|was|seems?|looks?|appears?|comes?) (?:also )?(?:an? |the |quite |very )?"
    r"(?:tempting|tempted|runner|close|common|second|possible|plausible|good|reasonable|popular|likely|right at first"
    r"|distractor)",
    re.IGNORECASE,
)
_THE = re.compile(
    r"\b(?:the|any|some|such|this|these|that|those|his|her|their|its|your|our|more|most|very|an?|all|of)$",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"[*\"']? (?!(?:because|since|as|is|are|was|in|for|and|or|but|not|to|if|here|rather|over|with)\b)[a-z]"
)
_BACK = re.compile(
    r"\b(?i:wait)\b(?=[\s,.!…—–-]{0,9}(?:[A-Z]|no\b|that|let|i\b|actually|it|the|[,.!…—–-]|$))"
    r"|(?:^|(?<=[.!?…\n—–-])|(?<=[.!?…\n—–-] ))(?i:actually|hmm{1,9}|no|oops|sorry|correction|edit|rather)\b"
    r"(?=[,:;.!…—– ])"
    r"|\b(?i:on (?:second|further|closer|more careful) (?:thoughts?|reflection|consideration|inspection|look)"
    r"|on reflection|scratch that|my mistake|hold on|i misread"
    r"|i (?:made|was|take|mis\w{1,9}) (?:an? |it |that |the )?(?:mistake|error|wrong|mistaken|back)"
    r"|let me (?:re|correct)|reconsider\w*|changed? my mind|or rather|no, the)"
)
_GOES_BACK, _WINDOW = 20, 200


def standing(line: str, start: int, end: int) -> Standing:
    """How what stands between `start` and `end` of a line is meant; looks at 160 characters around it."""
    before, after = line[max(0, start - 160) : start], line[end : end + 160]
    sentence = _SENTENCE.split(before)[-1].rstrip(" ([{*\"'“‘`$\\")
    clause = _ONLY.sub("", _CLAUSE.split(sentence)[-1][-80:])
    if _BEFORE.search(clause) or _AFTER.search(_follows(after)):
        return Standing.DENIED
    letter = line[start].isascii()
    if _OF.match(after) or _SAID.search(sentence) or _is_asked(after[1:] if letter and after[:1] == "." else after):
        return Standing.SUPPOSED
    if _is_unreal(sentence, after):
        return Standing.SUPPOSED
    if _OTHERS.search(sentence if _GOES_ON.match(clause) else clause) or _LIKELY.match(after) or _IF.search(clause):
        return Standing.WEAK
    return Standing.WEAK if not letter and _THE.search(sentence) and _NOUN.match(after) else Standing.FIRM


def taken_back(text: str) -> list[tuple[int, int]]:
    """Where a text goes back on what it said (`Wait`, `Actually,`): the stretches behind the first few such words."""
    spans: list[tuple[int, int]] = []
    for match in _BACK.finditer(text):
        spans.append((match.end(), match.end() + _WINDOW))
        if len(spans) == _GOES_BACK:
            break
    return spans


def _follows(after: str) -> str:
    """The rest of the clause, as far as it is about what it follows."""
    if _INSTEAD.match(after) or _REASON.match(after):
        return ""
    behind = _DOT.sub("", _IN_BRACKETS.sub("", after[:100]).lstrip(")]*:\"'”`}$ "))
    return _CLAUSE.split(behind)[0][:60]


def _is_asked(after: str) -> bool:
    """Whether the sentence goes on to a question mark."""
    end = _ASKED.search(after)
    return end is not None and end[0] == "?"


def _is_unreal(sentence: str, after: str) -> bool:
    """Whether the sentence says what would be: `If it were red, it would be B`, `B would need red`."""
    rest = _SENTENCE.split(after)[0]
    would = _WOULD.match(after)
    if _WERE.match(after) or (would and not _MEANT.match(after, would.end())):
        return True
    if _IF.search(sentence) and not _THEN.search(sentence) and _UNREAL.search(sentence + rest):
        return True
    return bool((would or _MIGHT.search(sentence)) and _IF_LATER.search(rest))
