"""Which option or label a reply answers with, by its letter or by its words: one rule for both.

A plain answer stands alone on a line, after `Answer:` or `the answer is`, in `\boxed{}`, `<answer></answer>` or JSON.
The last line with one decides, whatever is explained later, unless the reply takes it back. Without one, the answer in
front of the reply counts where nothing later is another one; then the last line that decides (`I pick B`) or names an
option, and must name one alone.

To read an answer that is not meant is worse than to read none: what is denied, supposed, asked or listed names none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from hansproof.generators.answering.mentions import Naming, Standing, naming, standing, taken_back
from hansproof.generators.answering.statements import (
    ANNOUNCES,
    Patterns,
    Told,
    lines_of,
    next_item,
    patterns,
    runs_on,
    told,
    told_by,
)

__all__ = ["read_option"]

_DECLINES = re.compile(
    r"\bI (?:refuse|(?:must |have to )?decline"
    r"|(?:cannot|can['’]t|can not) (?:help|assist|answer|determine|choose|decide))\b"
    r"|\b(?:cannot|can['’]t) be (?:determined|answered)\b"
)


class _Read(NamedTuple):
    """What some lines say: the places of options, and where the statement ends."""

    places: Sequence[int]
    at: int = 0
    end: int = 0
    reason: str = ""
    firm: bool = True


class _Lines(NamedTuple):
    """The lines of a reply, with signs for options."""

    lines: Sequence[str]
    names: Naming
    forms: Patterns

    def firm(self, kind: tuple[re.Pattern[str], ...], line: str, *, plain: bool = False) -> list[Told]:
        """What a line says firmly by some patterns."""
        return [each for each in told_by(kind, line, self.names, plain=plain) if each.standing is Standing.FIRM]

    def alone(self, line: str) -> int | None:
        """The option that is all that a line says."""
        match = self.forms.alone.fullmatch(line)
        return self.names.place(match[1]) if match else None


def read_option(
    reply: str, choices: Sequence[str], lettered: bool = False, also: Mapping[str, str] | None = None
) -> tuple[int | None, str]:
    """(the place of the option that a reply answers with, "") or (None, why there is none).

    `lettered` options may be named by letter. `also` has other words for options: `yes` for `true`. Where all options
    are letters, they are read as letters. Linear in the length of the reply.
    """
    if not reply.strip():
        return None, "is empty"
    names = naming(tuple(choices), lettered, tuple((also or {}).items()))
    text = told(reply)
    forms = patterns(bool(names.letters))
    text = text[: runs_on(text)]
    of = _read(text, names, forms)
    if (head := next_item(text)) < len(text):
        first = _read(text[:head], names, forms)
        of = first if _plain(first) else of
    if not of.lines:
        return None, "goes through the options and chooses none" if lines_of(text) else "names no choice"
    said = _plain(of) or _front(of) or _named(of)
    if not said.places:
        return None, said.reason or "names no choice"
    places = list(dict.fromkeys([*said.places, *_goes_back(of, said)]))
    if len(places) > 1:
        return None, f"names several choices: {', '.join(repr(names.choices[place]) for place in places[:4])}"
    return places[0], ""


def _read(text: str, names: Naming, forms: Patterns) -> _Lines:
    """The lines of a text, without lists, with signs for options."""
    signed = _Lines([names.signed(line) for line in _announced(lines_of(text))], names, forms)
    return _Lines([names.paired(line) for line in _without_lists(signed)], names, forms)


def _announced(lines: Iterable[str]) -> Iterator[str]:
    """The lines; one that announces an answer (`I would choose:`) with the next one, which is then a plain answer."""
    begun = ""
    for line in lines:
        if not begun and line.endswith((":", "*", "_")) and ANNOUNCES.search(line):
            begun = line
            continue
        yield f"{begun} Answer: {line}" if begun else line
        begun = ""
    if begun:
        yield begun


def _without_lists(of: _Lines) -> Sequence[str]:
    """The lines without those that go through several options, unless they answer."""
    listed = [
        of.names.place(next(filter(None, match.groups()))) if (match := of.forms.listed.match(line)) else None
        for line in of.lines
    ]
    if len({place for place in listed if place is not None}) < 2:
        return of.lines
    answers = (*of.forms.plain, of.forms.ticked)
    return [
        line
        for line, place in zip(of.lines, listed, strict=True)
        if place is None or of.alone(line) is not None or of.firm(answers, line)
    ]


def _plain(of: _Lines) -> _Read | None:
    """The options of the last line with a plain answer. Different ones alone on lines are a list."""
    alone = [of.alone(line) for line in of.lines]
    for at in range(len(of.lines) - 1, -1, -1):
        line = of.lines[at]
        if alone[at] is not None:
            listed = dict.fromkeys(place for place in alone[: at + 1] if place is not None)
            return _Read((*listed, *_decided(of, at, listed)), at, len(line))
        if stated := of.firm(of.forms.plain, line, plain=True):
            places = [each.place for each in stated]
            begins = _begins(of) if at == 0 else None
            if begins is not None:  # `Yes, but the answer is no`
                places.append(begins.place)
            if at and _frame(of, of.lines[at - 1]) == _frame(of, line):
                places += [each.place for each in of.firm(of.forms.plain, of.lines[at - 1], plain=True)]
            return _Read((*places, *_decided(of, at, places)), at, max(each.end for each in stated))
    return None


def _frame(of: _Lines, line: str) -> str:
    """A line without what it names: lines in a row that differ in nothing else are a list."""
    return of.forms.bare.sub("", line)


def _decided(of: _Lines, since: int, places: Iterable[int]) -> list[int]:
    """The options for which a line from `since` on decides, other than `places`."""
    later = [each.place for line in of.lines[since:] for each in of.firm(of.forms.decided, line)]
    return [place for place in later if place not in places]


class _Begins(NamedTuple):
    """An option in front of the first line."""

    place: int
    end: int
    sentence: bool
    """Whether it is a sentence by itself: `Yes. He did.`, but not `B. It is blue.`"""


def _begins(of: _Lines) -> _Begins | None:
    match = of.forms.front.match(of.lines[0])
    if not match:
        return None
    group = next(number for number in (1, 2, 4) if match[number])
    place = of.names.place(match[group])
    if place is None or (group == 4 and of.names.choices[place][:1].isdigit()):
        return None  # `1. First, count`
    if standing(of.lines[0], *match.span(group)) is not Standing.FIRM:
        return None
    return _Begins(place, match.end(group), group == 2 or (group == 4 and (match[5] or "")[:1] in (".", "!")))


def _front(of: _Lines) -> _Read | None:
    """The option with which the reply begins, if what follows names no other one."""
    begins = _begins(of)
    if begins is None:
        return None
    rest = of.lines[0][begins.end :].lstrip(".!:,;)*\"'” ")
    following = of.alone(rest.split(". ")[0].rstrip("."))
    others = [] if following is None else [following]
    if begins.sentence or others:
        return _Read((begins.place, *others, *_decided(of, 0, [begins.place])), 0, begins.end)
    later = _named(_Lines([rest, *of.lines[1:]], of.names, of.forms))
    other = next((place for place in later.places if place != begins.place), None)
    if other is None or not later.firm:
        return _Read([begins.place], 0, begins.end)
    first, second = (repr(of.names.choices[place]) for place in (begins.place, other))
    return _Read((), reason=f"begins with {first}, names {second}")


def _named(of: _Lines) -> _Read:
    """What the last line says that decides for an option, or names one; a line that only denies is passed over."""
    weak: set[int] = set()
    supposed: set[int] = set()
    denied: list[int] = []
    for at in range(len(of.lines) - 1, -1, -1):
        line = of.lines[at]
        named = list(told_by(of.forms.named, line, of.names))
        decided = of.firm(of.forms.decided, line)
        firm = decided or [each for each in named if each.standing is Standing.FIRM]
        if firm and not decided and any(map(_DECLINES.search, of.lines)):
            return _Read((), reason="declines to answer")
        if firm:
            places = list(dict.fromkeys(each.place for each in firm))
            if set(places) & set(denied):
                return _Read((), reason=f"says not {of.names.choices[places[0]]!r}")
            return _Read((*places, *sorted(weak - set(places))), at, max(each.end for each in firm))
        weak |= {each.place for each in named if each.standing is Standing.WEAK}
        supposed |= {each.place for each in named if each.standing is Standing.SUPPOSED}
        denied += [each.place for each in named if each.standing is Standing.DENIED]
    if weak and any(map(_DECLINES.search, of.lines)):
        return _Read((), reason="declines to answer")
    if weak and not denied:
        return _Read(sorted(weak | supposed), firm=False)
    if denied:
        return _Read((), reason=f"says not {of.names.choices[denied[0]]!r}")
    return _Read((), reason="names no choice")


def _goes_back(of: _Lines, said: _Read) -> list[int]:
    """The options that the reply names behind words such as `Wait` after what it said."""
    rest = "\n".join((of.lines[said.at][said.end :], *of.lines[said.at + 1 :]))
    places: list[int] = []
    for start, end in taken_back(rest):
        named = told_by((of.forms.bare,), rest[max(0, start - 20) : end], of.names)
        places += [each.place for each in named if each.standing is not Standing.DENIED and each.end > min(start, 20)]
    return places
