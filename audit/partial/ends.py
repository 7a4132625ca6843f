"""The first and the last sentence of each prompt, after the instructions that nearly all prompts share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

__all__ = ["Ends", "split_ends"]

SHARED = 0.9
"""Share of the prompts that begin (or end) with the same line or sentence if that is an instruction."""

_ROUNDS = 50
"""Lines or sentences of instructions, at most."""
_LOOKED_AT = 2_000
"""Characters of a line that are split into sentences, at its beginning and at its end."""
_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_WIDE = re.compile(r"(?<=[。！？])")  # the sentence splitter knows no full stop of East Asia

Span = tuple[int, int]


class Ends(NamedTuple):
    """A prompt without its instructions: characters [start, end) and its outermost sentences."""

    start: int
    first_end: int
    last_start: int
    end: int


def split_ends(prompts: Sequence[str]) -> list[Ends]:
    """Where the first sentence of each prompt ends and the last one begins.

    Lines that at least `SHARED` of the prompts begin or end with are instructions and left aside, then sentences of the
    first and last line likewise. A prompt that is nothing else keeps its last line or sentence. A line break always
    ends a sentence; other ends are found by nupunkt. An empty prompt gives zeros.
    """
    lines = [
        [span for span in (m.span() for m in _LINE.finditer(text)) if text[slice(*span)].strip()] for text in prompts
    ]
    low, high = _trimmed(lines, lambda at, span: prompts[at][slice(*span)].strip())
    heads = [_sentences(prompts[at], of[low[at]], False) if of else [] for at, of in enumerate(lines)]
    tails = [_sentences(prompts[at], of[high[at]], True) if of else [] for at, of in enumerate(lines)]
    # A prompt of one line has one list of sentences, of which both ends are trimmed together.
    joined = [
        [*head, *(span for span in tail if not head or span[0] >= head[-1][1])] for head, tail in zip(heads, tails)
    ]
    first, last = _trimmed(joined, lambda at, span: prompts[at][slice(*span)].strip())
    return [
        Ends(spans[first[at]][0], spans[first[at]][1], spans[last[at]][0], spans[last[at]][1])
        if spans
        else Ends(0, 0, 0, 0)
        for at, spans in enumerate(joined)
    ]


def _trimmed(spans: Sequence[Sequence[Span]], text: Callable[[int, Span], str]) -> tuple[list[int], list[int]]:
    """The first and the last of the spans of each prompt that are not shared by nearly all."""
    low, high = [0] * len(spans), [len(of) - 1 for of in spans]
    for step, places in ((1, low), (-1, high)):
        for _ in range(_ROUNDS):
            shown = {at: text(at, of[places[at]]) for at, of in enumerate(spans) if low[at] < high[at]}
            common = Counter(shown.values()).most_common(1)
            if not common or common[0][1] < SHARED * len(spans):
                break
            for at, value in shown.items():
                if value == common[0][0]:
                    places[at] += step
    return low, high


def _sentences(text: str, line: Span, at_end: bool) -> list[Span]:
    """The sentences of one line; of a long one only those at its beginning, or at its end."""
    start, end = line
    if end - start > _LOOKED_AT:
        start, end = (end - _LOOKED_AT, end) if at_end else (start, start + _LOOKED_AT)
    return [(start + a, start + b) for a, b in _split(text[start:end])]


@cache
def _splitter() -> Callable[[str], list[Span]]:
    import nupunkt

    return nupunkt.sent_spans  # type: ignore[no-any-return]


def _split(line: str) -> list[Span]:
    spans: list[Span] = []
    for a, b in _splitter()(line):
        cuts = [a, *(match.start() + a for match in _WIDE.finditer(line[a:b])), b]
        spans += [(c, d) for c, d in pairwise(cuts) if line[c:d].strip()]
    return spans
