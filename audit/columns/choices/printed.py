"""Options printed inside a prompt: `1. fish`, `(b) bird`, `C) cow`, on lines of their own or on one line."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Printed", "mark_of", "printed_options"]

_MARKS = 200
"""Marks examined per prompt, counted from its end: options come last, and a hostile prompt has millions."""

_MARK = re.compile(
    r"(?:^|(?<=\s))(?:[(\[](?P<inner>[A-Za-z]|\d{1,2})[)\]]|(?P<plain>[A-Za-z]|\d{1,2})[.):])[ \t]+(?=\S)", re.M
)
_LABEL = re.compile(r"[(\[]?([A-Za-z]|\d{1,2})[.):\]]{0,2}\Z")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


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
    """Each option begins a line. On one line, the last option cannot be told from the text that follows it."""
    first: bool
    """Nothing stands before the options."""

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
    marks = [mark for _, mark in hits]
    best: list[int] | None = None
    for start, mark in enumerate(marks):
        if mark in ("0", "1", "a"):
            on_lines = _run(marks, start, at_line) if at_line[start] else []
            # `4. Year code (5) + day (25)`: in a list on lines, a mark within a line belongs to the option.
            run = next((run for run in (on_lines, _run(marks, start)) if _serves(run, marks, wanted)), None)
            best = best if run is None else run
    if best is None:
        return None
    spans = [hits[at][0].span() for at in best]
    own_lines = all(at_line[at] for at in best)
    inner = [prompt[begin:end].strip() for (_, begin), (end, _) in pairwise(spans)]
    tail = prompt[spans[-1][1] :]
    several = own_lines and any("\n" in text for text in inner)
    stop = _BLANK_LINE.search(tail) if several else re.search("\n", tail)
    end = spans[-1][1] + (stop.start() if stop else len(tail))
    texts = [" ".join(text.split()) for text in (*inner, prompt[spans[-1][1] : end])]
    before, after = prompt[: spans[0][0]], prompt[end:]
    question = "\n".join(part for part in (before.strip(), after.strip()) if part)
    return Printed(tuple(hits[at][1] for at in best), tuple(texts), question, own_lines, not before.strip())


def _begins_line(prompt: str, begin: int) -> bool:
    while begin and prompt[begin - 1] in " \t":
        begin -= 1
    return begin == 0 or prompt[begin - 1] == "\n"


def _run(marks: list[str], start: int, allowed: list[bool] | None = None) -> list[int]:
    """The places of 1 2 3 ... from `start` on, each the first one after the last; only `allowed` ones."""
    run, expected = [start], _after(marks[start])
    for at in range(start + 1, len(marks)):
        if marks[at] == expected and (allowed is None or allowed[at]):
            run.append(at)
            expected = _after(expected)
    return run


def _serves(run: list[int], marks: list[str], wanted: str | None) -> bool:
    return len(run) >= 2 and (wanted is None or any(marks[at] == wanted for at in run))


def _after(mark: str) -> str:
    """The next mark: `2` after `1`, `b` after `a`."""
    return str(int(mark) + 1) if mark.isdigit() else chr(ord(mark) + 1)
