"""The text of an item with the n-grams marked that give its answer away, shortened where it is long."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from hansproof.audit.notation import drawn, kappa, one_line, things
from hansproof.audit.report.document import Run
from hansproof.audit.result.audit_result import Occurrence

__all__ = ["marked", "tone"]

# Occurrences may nest and overlap; the runs come in reading order. A long prompt is reduced to its beginning, its end
# and the surroundings of its heaviest n-grams.

LIMIT: Final = 1_400
"""Characters shown of a prompt; a shorter prompt is shown whole."""
_EDGE: Final = 160
_CONTEXT: Final = 90
_SHADES: Final = 4
"""From little evidence to most of the item's evidence."""
_ORDINARY: Final = re.compile(r" ?\S+(?: \S+)* ?| ")


def marked(prompt: str, cues: Sequence[Occurrence] = (), labels: Sequence[str] = ()) -> list[Run]:
    """The prompt as runs of text for a page: marked by the answers that n-grams point to, with a note for each cut.

    Occurrences beyond the ends of the prompt are clipped; empty ones are ignored.
    """
    inside = [(*_trimmed(prompt, cue), cue) for cue in cues]
    inside = [span for span in inside if span[0] < span[1]]
    top = max((cue.weight for _, _, cue in inside), default=0.0)
    runs: list[Run] = []
    position = 0
    for start, end in _shown(len(prompt), inside):
        runs += _left_out(start - position)
        runs += _covered(prompt, start, end, inside, top, labels)
        position = end
    return runs + _left_out(len(prompt) - position)


def _left_out(characters: int) -> list[Run]:
    return [Run(f" [… {things(characters, 'character')} left out …] ", "cut")] if characters else []


def _trimmed(prompt: str, cue: Occurrence) -> tuple[int, int]:
    # GPT-2 tokens include the space before them, and a marked space looks like a mistake.
    start, end = max(cue.start, 0), min(cue.end, len(prompt))
    text = prompt[start:end]
    blank = len(text) - len(text.lstrip()) if text.strip() else 0
    return start + blank, end


def _covered(
    prompt: str, start: int, end: int, spans: list[tuple[int, int, Occurrence]], top: float, labels: Sequence[str]
) -> list[Run]:
    near = [span for span in spans if span[0] < end and span[1] > start]
    # The set of n-grams is the same between two neighbouring edges, so nesting needs no tree.
    edges = sorted({start, end, *(edge for a, b, _ in near for edge in (a, b) if start < edge < end)})
    runs = []
    for left, right in pairwise(edges):
        text, covers = prompt[left:right], [cue for a, b, cue in near if a <= left and right <= b]
        covers.sort(key=lambda cue: (-cue.weight, cue.end - cue.start, cue.label))
        if not covers:
            runs.append(Run(text))
            continue
        # White space is drawn where it is the evidence; single blanks beside or between marked words are not.
        if not _ORDINARY.fullmatch(text) or any(not prompt[cue.start : cue.end].strip() for cue in covers):
            text = drawn(text).replace("⏎", "⏎\n")
        share = covers[0].weight / top if top > 0 else 0.0
        shade = min(max(1 + int(share * _SHADES), 1), _SHADES)
        css = f"t{tone(covers[0].label, labels)} w{shade}{' several' if len(covers) > 1 else ''}"
        runs.append(
            Run(text, css, "; ".join(f"{one_line(drawn(cue.label), 60)} {kappa(cue.weight)}" for cue in covers))
        )
    return runs


def _shown(length: int, spans: list[tuple[int, int, Occurrence]]) -> list[tuple[int, int]]:
    if length <= LIMIT:
        return [(0, length)]
    chosen = [(0, _EDGE), (length - _EDGE, length)]
    for start, end, _ in sorted(spans, key=lambda span: (-span[2].weight, span[0], span[1])):
        end = min(end, start + 2 * _CONTEXT)  # an n-gram of a megabyte would fill the page by itself
        wider = _merged([*chosen, (max(start - _CONTEXT, 0), min(end + _CONTEXT, length))])
        if sum(b - a for a, b in wider) <= LIMIT:
            chosen = wider
    return chosen


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


_TONES: Final = 6
"""Answers with a colour and an underline of their own; further ones share the last."""


def tone(label: str, labels: Sequence[str]) -> int:
    """The colour and underline that mark an answer, by its place among the answers."""
    return min(labels.index(label), _TONES - 1) if label in labels else _TONES - 1
