"""The text of an item with the n-grams marked that give its answer away, shortened where it is long."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from hansproof.audit.notation import drawn, kappa, one_line, things
from hansproof.audit.report.document import Run
from hansproof.audit.result.audit_result import Occurrence

__all__ = ["marked", "tone"]

# Occurrences may nest and overlap; the pieces come in reading order. A long prompt is reduced to its beginning, its end
# and the surroundings of its heaviest n-grams.

LIMIT: Final = 1_400
"""Characters shown of a prompt; a shorter prompt is shown whole."""
_EDGE: Final = 160
_CONTEXT: Final = 90
_SHADES: Final = 4
_ORDINARY: Final = re.compile(r" ?\S+(?: \S+)* ?| ")


class Piece(NamedTuple):
    """A stretch of text covered by the same n-grams; `left_out` > 0 stands for text that is not shown."""

    text: str
    label: str | None = None
    """The answer that the heaviest n-gram over it points to; None outside all n-grams."""
    shade: int = 0
    """1 (little evidence) to 4 (most of the item's evidence)."""
    covers: tuple[Occurrence, ...] = ()
    """The n-grams over it, heaviest first."""
    left_out: int = 0
    """Characters left out here."""
    blank: bool = False
    """One of the n-grams over it is nothing but white space."""

    @property
    def shown(self) -> str:
        """The text with its white space drawn where that is the evidence; line breaks still break the line.

        Single spaces beside or between marked words stay as they are.
        """
        if not self.covers or (not self.blank and _ORDINARY.fullmatch(self.text)):
            return self.text
        return drawn(self.text).replace("⏎", "⏎\n")


def pieces(prompt: str, cues: Sequence[Occurrence]) -> list[Piece]:
    """The prompt as pieces, which joined give the prompt again, except for what was left out.

    Occurrences beyond the ends of the prompt are clipped; empty ones are ignored.
    """
    inside = [(*_trimmed(prompt, cue), cue) for cue in cues]
    inside = [span for span in inside if span[0] < span[1]]
    top = max((cue.weight for _, _, cue in inside), default=0.0)
    result: list[Piece] = []
    position = 0
    for start, end in _shown(len(prompt), inside):
        if start > position:
            result.append(Piece("", left_out=start - position))
        result += _covered(prompt, start, end, inside, top)
        position = end
    if position < len(prompt):
        result.append(Piece("", left_out=len(prompt) - position))
    return result


def _trimmed(prompt: str, cue: Occurrence) -> tuple[int, int]:
    # GPT-2 tokens include the space before them, and a marked space looks like a mistake.
    start, end = max(cue.start, 0), min(cue.end, len(prompt))
    text = prompt[start:end]
    blank = len(text) - len(text.lstrip()) if text.strip() else 0
    return start + blank, end


def _covered(prompt: str, start: int, end: int, spans: list[tuple[int, int, Occurrence]], top: float) -> list[Piece]:
    near = [span for span in spans if span[0] < end and span[1] > start]
    # The set of n-grams is the same between two neighbouring edges, so nesting needs no tree.
    edges = sorted({start, end, *(edge for a, b, _ in near for edge in (a, b) if start < edge < end)})
    result = []
    for left, right in pairwise(edges):
        covers = [cue for a, b, cue in near if a <= left and right <= b]
        covers.sort(key=lambda cue: (-cue.weight, cue.end - cue.start, cue.label))
        if not covers:
            result.append(Piece(prompt[left:right]))
            continue
        share = covers[0].weight / top if top > 0 else 0.0
        shade = min(max(1 + int(share * _SHADES), 1), _SHADES)
        blank = any(not prompt[cue.start : cue.end].strip() for cue in covers)
        result.append(Piece(prompt[left:right], covers[0].label, shade, tuple(covers), blank=blank))
    return result


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


def marked(prompt: str, cues: Sequence[Occurrence] = (), labels: Sequence[str] = ()) -> list[Run]:
    """The prompt as runs of text for a page: marked by the answers that n-grams point to, with a note for each cut."""
    runs = []
    for piece in pieces(prompt, cues):
        if piece.left_out:
            runs.append(Run(f" [… {things(piece.left_out, 'character')} left out …] ", "cut"))
        elif piece.covers:
            css = f"t{tone(piece.label or '', labels)} w{piece.shade}{' several' if len(piece.covers) > 1 else ''}"
            named = (f"{one_line(drawn(cue.label), 60)} {kappa(cue.weight)}" for cue in piece.covers)
            runs.append(Run(piece.shown, css, "; ".join(named)))
        else:
            runs.append(Run(piece.text))
    return runs
