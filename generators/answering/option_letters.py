"""Which option a reply names by its letter.

A letter is plainly an answer where it stands in front (`B. blue`) or alone on a line, after `answer:` or
`the answer is`, in `\\boxed{B}` or in `<answer>B</answer>`. Other places only hint at one: brackets, `option B`,
`I pick B`, `B is right`, a bold letter or one behind a colon at the end of a line. `A` and `I` are also words, and a
reply may go through all options before it decides: a letter that is denied is none, one that more words follow is a
hint, and a later line wins over an earlier.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["Letters", "letters_of"]


class Letters(NamedTuple):
    """What a reply says by letters: places of options, the first is 0."""

    plain: Sequence[int]
    """The options that the deciding line plainly answers with: none, one, or several, which is no clear answer."""
    hinted: Sequence[int]
    """The options at which the last line with a hint hints."""
    rest: str
    """The reply from that line on; all of it where there is no hint."""


_OPEN = r"[\s\"'“‘*_`(\[{$]{0,9}"
_SHUT = r"(?=[)\]}*_`\"'”’.,;:!$]{0,9}(?: ?$|[)\]}*_`\"”.,;:!$]))"
"""What may stand around a letter; behind it comes punctuation or the end, so that it is no word."""
_FRONT = re.compile(r"[^\w\n]{0,9}([A-Z])[).:](?: |$)")
_ALONE = re.compile(r"[^\w\n]{0,20}([A-Za-z])[^\w\n]{0,20}")
_PLAIN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\\boxed ?\{[ ({$]{0,9}(?:\\(?:text|textbf|mathrm|mathbf) ?\{)?[ (]{0,3}([A-Z])[ )}.$]{0,9}\}",
        r"<answer>[ (*\[]{0,9}([A-Z])[ )*\].]{0,9}</answer>",
        r"\banswer(?: (?:is|was|would be|must be|should be|has to be))?(?: ?[:=]| [-–—])?(?: (?:option|choice|letter))?"
        rf"{_OPEN}([A-Z]){_SHUT}",
    )
)
_HINTS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?i:answer|option|choice)(?: is|:){0,3}[ \"'*`(\[]{0,9}([A-Z])(?![\w'’])",
        rf"\b(?i:answer|option|choice)(?: is|:){{0,3}}{_OPEN}([a-z]){_SHUT}",
        r"\(([A-Za-z])\)",
        r"\b(?i:it is|it['’]s|it must be|hence|thus|therefore|so|i(?: would|['’]d|['’]ll)? "
        rf"(?:pick|choose|select|say|go with|chose|picked|went with)),?{_OPEN}([A-Z]){_SHUT}",
        r"(?<![\w'’])([A-Z])[\"'”*)\]]{0,9} is (?:the )?(?:right|correct|true|best)\b",
        r": ?[*_(\[\"']{0,9}([A-Z])[*_)\]\"'.!]{0,9} ?$",
        r"(?:\*\*|__)\(?([A-Z])[).]?(?:\*\*|__)[.!]? ?$",
    )
)
_MORE = re.compile(
    r"[)\]\"'*_`]{0,9} ?(?:,|/|&|\+|or |and )(?: ?(?:also|or|and|option|choice))? ?[(\[\"'*]{0,9}([A-Z])(?![\w'’])"
)
"""A second letter behind one: `A or B`, `(A), (B)`."""
_DENIED = re.compile(
    r"(?:\bnot|\bnever|\bneither|\bnor|n't|n’t|\bexcept)(?: (?:the|an?|be|is|option|choice|answer)){0,3}"
    r"[ \"'“‘*_`(\[]{0,9}$",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"[)\]\"'”’*_`.:]{0,9} (?:is|was|seems|looks|cannot|can['’]t|must) ?(?:be )?(?:clearly |also |definitely )?"
    r"(?:wrong|incorrect|false|not|out\b|ruled|be\b)",
    re.IGNORECASE,
)


def letters_of(reply: str, options: int) -> Letters:
    """What `reply` says by the letters of `options` options; linear in the length of the reply."""
    lines = [line for raw in re.split(r"[\r\n]+", reply) if (line := " ".join(raw.split()))]
    for at, line in reversed(list(enumerate(lines))):
        if hinted := _places(_told(_HINTS, line), options):
            return Letters(_plain(lines, options), hinted, "\n".join(lines[at:]))
    return Letters(_plain(lines, options), (), reply)


def _plain(lines: Sequence[str], options: int) -> Sequence[int]:
    """The options of the last line with a plain answer. Lines of one letter each are a list unless they agree, and so
    are lines that begin with several letters."""
    alone = _places([match[1] for line in lines if (match := _ALONE.fullmatch(line))], options)
    fronts = _places([letter for line in lines if (letter := _front(line))], options)
    for at, line in reversed(list(enumerate(lines))):
        if len(alone) == 1 and (match := _ALONE.fullmatch(line)) and _places(match[1], options):
            return alone
        if at == 0 and len(fronts) == 1 and _places(_front(line), options):
            return fronts
        if told := _places(_told(_PLAIN, line), options):
            return told
    return alone


def _front(line: str) -> str:
    """The letter with which a line begins, as in `B. blue`; empty where there is none, or it is said to be wrong."""
    match = _FRONT.match(line)
    return match[1] if match and not _WRONG.match(line[match.end(1) : match.end(1) + 60]) else ""


def _told(patterns: Sequence[re.Pattern[str]], line: str) -> Iterator[str]:
    """The letters that a line names and does not deny, with those that are named in one breath."""
    for pattern in patterns:
        for match in pattern.finditer(line):
            start, end = match.span(1)
            if _DENIED.search(line[max(0, start - 40) : start]) or _WRONG.match(line[end : end + 60]):
                continue
            yield match[1]
            while more := _MORE.match(line, end):
                yield more[1]
                end = more.end(1)


def _places(letters: Iterator[str] | Sequence[str], options: int) -> Sequence[int]:
    """Their places, each once, in the order in which they occur; letters that are no option's are left out."""
    places = [ord(letter.upper()) - ord("A") for letter in letters if letter.isascii()]
    return tuple(dict.fromkeys(place for place in places if 0 <= place < options))
