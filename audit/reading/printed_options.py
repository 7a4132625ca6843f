"""Options printed inside a prompt: `1. fish`, `(b) bird`, `C) cow`, on lines of their own or on one line."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Printed", "mark_of", "printed_options"]

_MARKS = 200
"""Marks examined per prompt, counted from its end: options come last, and a hostile prompt has millions."""

_MARK = re.compile(
    r"(?:^|(?<=\s))(?:(?:option|choice|answer)[ \t]+)?"
    r"(?:[(\[](?P<inner>[A-Za-z]|\d{1,2})[)\]]|(?P<plain>[A-Za-z]|\d{1,2})[.):])[ \t]+(?=\S)",
    re.M | re.I,
)
_LABEL = re.compile(r"[(\[]?([A-Za-z]|\d{1,2})[.):\]]{0,2}\Z")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_HEADING = re.compile(
    r"(?:the |answer |possible )?(?:options|choices|answers|candidates|alternatives)(?: are)?\s*:?\Z", re.I
)
_ASKS = re.compile(r"(?:(?<=\s)|(?<=[.;,]))(?:question|query|q)\s?:\s", re.I)
"""Where a question begins behind the options of one line."""


@dataclass(frozen=True)
class Printed:
    """One enumeration in a prompt."""

    marks: tuple[str, ...]
    """`a`, `b`, ... or `1`, `2`, ... or `0`, `1`, ..."""
    texts: tuple[str, ...]
    """The text after each mark, in single spaces."""
    question: str
    """The prompt without the enumeration."""
    own_lines: bool
    """Each option begins a line."""
    first: bool
    """Nothing stands before the options, or a heading such as `Options:`."""
    run_on: bool = False
    """The options stand on one line, and so does the question behind them: nobody can tell where the last one ends."""

    @property
    def sure(self) -> tuple[str, ...]:
        """The texts whose end is known."""
        return self.texts if self.own_lines else self.texts[:-1]


def mark_of(label: str) -> str | None:
    """`b` for `(B)`, `B.` or `b`; None for a label that is not a number of two digits or a single letter."""
    match = _LABEL.match(label.strip())
    return match[1].casefold() if match else None


def printed_options(prompt: str, wanted: str | None = None) -> Printed | None:
    """The last enumeration in the prompt that has the mark `wanted`, or any mark; None if there is none.

    An enumeration runs 1 2 3 ..., 0 1 2 ... or a b c ... without a gap and has at least two marks. An option ends
    where the next one begins. The last one ends with its line, or at a blank line if others have several lines.
    """
    last = deque(_MARK.finditer(prompt), maxlen=_MARKS)
    hits = [(match, (match["inner"] or match["plain"]).casefold()) for match in last]
    at_line = [_begins_line(prompt, match.start()) for match, _ in hits]
    best = _last_run([mark for _, mark in hits], at_line, wanted)
    if best is None:
        return None
    spans = [hits[at][0].span() for at in best]
    own_lines = all(at_line[at] for at in best)
    inner = [prompt[begin:end].strip() for (_, begin), (end, _) in pairwise(spans)]
    tail, before = prompt[spans[-1][1] :], prompt[: spans[0][0]].strip()
    several = own_lines and any("\n" in text for text in inner)
    stop = _BLANK_LINE.search(tail) if several else re.search("\n", tail)
    length = stop.start() if stop else len(tail)
    if not own_lines and (asks := _ASKS.search(tail, 0, length)) is not None:
        length = asks.start()
    texts = [" ".join(text.split()) for text in (*inner, tail[:length])]
    question = "\n".join(part for part in (before, tail[length:].strip()) if part)
    first = not before or _HEADING.match(before) is not None
    asks_last = "?" in texts[-1] and not any("?" in text for text in texts[:-1])
    return Printed(
        tuple(hits[at][1] for at in best),
        tuple(texts),
        question,
        own_lines,
        first,
        run_on=not own_lines and not tail[length:].strip() and (first or asks_last),
    )


def _begins_line(prompt: str, begin: int) -> bool:
    while begin and prompt[begin - 1] in " \t":
        begin -= 1
    return begin == 0 or prompt[begin - 1] == "\n"


def _last_run(marks: Sequence[str], at_line: Sequence[bool], wanted: str | None) -> list[int] | None:
    """The places of the last enumeration; in a list on lines, a mark within a line belongs to the option.

    `4. Year code (5) + day (25)`.
    """
    after = [_after(mark) for mark in marks]
    for start in range(len(marks) - 1, -1, -1):
        for allowed in (at_line, [True] * len(marks)):
            run = [start] if marks[start] in ("0", "1", "a") and allowed[start] else []
            for at in range(start + 1, len(marks)) if run else ():
                if allowed[at] and marks[at] == after[run[-1]]:
                    run.append(at)
            if len(run) > 1 and (wanted is None or wanted in [marks[at] for at in run]):
                return run
    return None


def _after(mark: str) -> str:
    """The next mark: `2` after `1`, `b` after `a`."""
    return str(int(mark) + 1) if mark.isdigit() else chr(ord(mark) + 1)
