"""Which option a reply names by its letter, in English.

A letter is plainly an answer where it stands alone on a line, with the words of its option, after `answer:` or
`the answer is`, in `\\boxed{B}` or in `<answer>B</answer>`. Other places only hint at one: in front of other words
(`B. I think so`), brackets, `option B`, `I pick B`, `B is right`, a bold letter at the end of a line.

To read a letter that is not meant is worse than to read none. So `A` and `I` that may be words, letters that are
denied or said to be wrong, and lines that go through the options one by one name none; and a plain answer that the
reply takes back names two, which is no clear answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

__all__ = ["Letters", "letters_of"]


class Letters(NamedTuple):
    """What a reply says by letters: places of options, the first is 0."""

    plain: Sequence[int]
    """The options that the reply plainly answers with: none, one, or several, which is no clear answer."""
    front: Sequence[int]
    """The option whose letter stands in front of other words; none where there is a plain answer."""
    hinted: Sequence[int]
    """The options at which the last line with a hint hints."""
    rest: str
    """What is to be read for words: from the line of that hint on, without lines that go through the options."""


_OPEN = r"[\s\"'“‘*_`(\[{$]{0,9}"
_SHUT = r"(?=[)\]}*_`\"'”’.,;:!$]{0,9}(?: ?$|[)\]}*_`\"”.,;:!$]))"
"""What may stand around a letter; behind it comes punctuation or the end, so that it is no word."""
_ALONE = re.compile(r"[^\w\n]{0,20}([A-Za-z])[^\w\n]{0,20}")
_FRONT = re.compile(r"[^\w\n]{0,9}([A-HJ-Z])[).:]+[*_]{0,2}(?: (?![a-z]{2,9}\b)(.*)| ([a-z].*)|)")
_LISTED = re.compile(
    r"[^\w\n]{0,9}(?:(?:option|choice|answer) \(?([A-Z])\b|\(([A-Z])\)|([A-Z])[).:]|\*\*([A-Z])\*\*)", re.I
)
_PLAIN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\\boxed ?\{[ ({$]{0,9}(?:\\(?:text|textbf|mathrm|mathbf) ?\{)?[ (]{0,3}([A-Z])[ )}.$]{0,9}\}",
        r"<answer>[ (*\[]{0,9}([A-Z])[ )*\].]{0,9}</answer>",
        r"\banswer(?:[*_]{0,2} ?[:=]| [-–—]| (?:is|was|would be|must be|should be|has to be):?)"
        rf"(?: (?:option|choice|letter))?{_OPEN}([A-Z]){_SHUT}",
    )
)
_DECIDED = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?i:it is|it['’]s|it must be|hence|thus|therefore|so|i(?: would|['’]d|['’]ll)? "
        rf"(?:pick|choose|select|say|go with|chose|picked|went with)),?{_OPEN}([A-Z]){_SHUT}",
        r"(?<![\w'’])([A-Z])[\"'”*)\]]{0,9} is (?:the )?(?:right|correct|true|best)\b",
    )
)
_MENTIONED = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?i:answer|option|choice)(?: is|:){0,3}[ \"'*`(\[]{0,9}([A-Z])(?![\w'’])",
        rf"\b(?i:answer|option|choice)(?: is|:){{0,3}}{_OPEN}([a-z]){_SHUT}",
        r"\(([A-Z])\)(?! \d)|\(([a-z])\)(?=[.!*]{0,3} ?$)",
        r"(?:\*\*|__)\(?([A-Z])[).]?(?:\*\*|__)[.!]? ?$",
    )
)
_MORE = re.compile(
    r"[)\]\"'*_`]{0,9} ?(?:,|/|&|\+|or |and )(?: ?(?:also|or|and|option|choice))? ?[(\[\"'*]{0,9}([A-Z])(?![\w'’])"
)
"""A second letter behind one: `A or B`, `(A), (B)`."""
_CLAUSE = re.compile(r"[.,;!?]")
_NOT = re.compile(
    r"\b(?:not|never|neither|nor|except|cannot|rul(?:e|ed|es|ing) out|eliminat\w*|exclud\w*|reject\w*|doubt\w*|unclear"
    r"|unsure|least|rather than|instead of|wrong|incorrect|false|fails?|failed|contradicts?|violates?|your"
    r"|student['’]?s?|nicht|kein\w*|falsch\w*|pas|fausse?|faux|incorrecta)\b|n['’]t\b|\bno es\b",
    re.IGNORECASE,
)
_WORD = re.compile(r" (?!(?:because|since|as|due|given|which|for|and|or|is)\b)[a-z]")
"""What makes an `A` in front of it an article: `the answer is A bit of a trick`."""
_NEXT = re.compile(r"\n\s*(?:Q|Question|Problem|Human|User) ?\d{0,4} ?[:.]")
"""Where a reply runs on into a question that nobody asked."""


def letters_of(reply: str, choices: Sequence[str]) -> Letters:
    """What `reply` says by the letters of `choices`; linear in the length of the reply."""
    told = reply.rpartition("</think>")[2] or reply
    cut = _NEXT.search(told)
    told = told[: cut.start()] if cut and told[: cut.start()].strip() else told
    options = len(choices)
    lines = [line for raw in re.split(r"[\r\n]+", told) if (line := " ".join(raw.split()))]
    listed = [_listed(line, options) for line in lines]
    if len(set(filter(None, listed))) > 1:
        plainly = [bool(_places(_told(_PLAIN, line), options)) for line in lines]
        lines = [line for line, at, plain in zip(lines, listed, plainly, strict=True) if plain or not at]
        told = "\n".join(lines)
    plain, since = _plain(lines, choices)
    if len(plain) == 1:
        later = _places((letter for line in lines[since:] for letter in _told(_DECIDED, line)), options)
        return Letters((*plain, *(place for place in later if place not in plain)), (), (), told)
    front = () if plain or not lines else _front(lines[0], choices)
    for at, line in reversed(list(enumerate(lines))):
        if hinted := _places((*_told(_DECIDED, line), *_told(_MENTIONED, line)), options):
            return Letters(plain, front, hinted, told if front else "\n".join(lines[at:]))
    return Letters(plain, front, (), told)


def _plain(lines: Sequence[str], choices: Sequence[str]) -> tuple[Sequence[int], int]:
    """The options of the last line with a plain answer, and its number. Different letters alone on lines are a list."""
    alone = [_places(match[1] if (match := _ALONE.fullmatch(line)) else "", len(choices)) for line in lines]
    if len(several := tuple(dict.fromkeys(place for places in alone for place in places))) > 1:
        return several, 0
    for at, line in reversed(list(enumerate(lines))):
        told = alone[at] or _places(_told(_PLAIN, line), len(choices))
        begins = _front(line, choices) if at == 0 else ()
        if begins and _whole(line, choices[begins[0]]):
            told = begins
        elif told and begins and told != begins and not alone[at]:
            told = (*begins, *told)  # `B. Many say that the answer is A`
        if told:
            return told, at
    return (), 0


def _listed(line: str, options: int) -> Sequence[int]:
    """The option with whose letter a line begins."""
    match = _LISTED.match(line)
    return _places(next((part for part in match.groups() if part), ""), options) if match else ()


def _front(line: str, choices: Sequence[str]) -> Sequence[int]:
    """The option whose letter a line begins with, as in `B. blue` or `B. It is blue`; not that of `A) is tempting`."""
    match = _FRONT.fullmatch(line)
    places = _places(match[1], len(choices)) if match else ()
    if not match or not places or _denied(line, match.span(1)):
        return ()
    goes_on = match[3] is not None and not match[3].casefold().startswith(_bare(choices[places[0]]))
    return () if goes_on else places


def _whole(line: str, choice: str) -> bool:
    """Whether nothing but the words of the option follows its letter."""
    match = _FRONT.fullmatch(line)
    return bool(match) and _bare((match[2] or match[3] or "") if match else "") in ("", _bare(choice))


def _bare(text: str) -> str:
    return " ".join(text.split()).strip(" .!*_\"'").casefold()


def _told(patterns: Sequence[re.Pattern[str]], line: str) -> Iterator[str]:
    """The letters that a line names and does not deny, with those that are named in one breath."""
    for pattern in patterns:
        read = 0
        for match in pattern.finditer(line):
            group = match.lastindex or 1
            start, end = match.span(group)
            bare = start == 0 or line[start - 1] not in "([{"
            if start < read or _denied(line, (start, end)):
                continue
            if match[group] == "A" and bare and _WORD.match(line, end):
                continue
            if match[group] in "Ii" and bare and patterns is not _PLAIN:
                continue
            if match[group] in "Ii" and bare and line[end:].strip(' .)]}*_`"$'):
                continue
            yield match[group]
            while more := _MORE.match(line, end):
                yield more[1]
                end = more.end(1)
            read = end


def _denied(line: str, span: tuple[int, int]) -> bool:
    """Whether the clause of a letter denies it, or says that it is wrong."""
    before = _CLAUSE.split(line[max(0, span[0] - 60) : span[0]])[-1]
    after = _CLAUSE.split(line[span[1] : span[1] + 60].lstrip(".)]*:"))[0]
    return bool(_NOT.search(before) or _NOT.search(after))


def _places(letters: Iterable[str], options: int) -> Sequence[int]:
    """Their places, each once, in the order in which they occur; letters that are no option's are left out."""
    places = [ord(letter.upper()) - ord("A") for letter in letters if letter.isascii()]
    return tuple(dict.fromkeys(place for place in places if 0 <= place < options))
