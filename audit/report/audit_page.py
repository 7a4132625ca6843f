"""The HTML page of an audit: one file that works from disk, on a phone and in print, and runs nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from jinja2 import Environment

from hansproof.audit import notation
from hansproof.audit.notation import drawn, is_odd
from hansproof.audit.report import audit_figures, audit_sentences, drawing, open_ended_sentences, words
from hansproof.audit.report.document import Scale
from hansproof.audit.report.findings import ArrangedResult, key_figures
from hansproof.audit.report.html import document
from hansproof.audit.report.html import environment as shared
from hansproof.audit.result.audit_result import AuditResult, Occurrence, ScanResult
from hansproof.audit.result.shortcuts import Ladder, PartialInputs
from hansproof.audit.result.tasks import OpenEnded
from hansproof.audit.verdict.reasons import what_is_found

__all__ = ["render", "render_scan"]

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
        result += _marked(prompt, start, end, inside, top)
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


def _marked(prompt: str, start: int, end: int, spans: list[tuple[int, int, Occurrence]], top: float) -> list[Piece]:
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


def ladder_scale(ladder: Ladder, threshold: float) -> Scale:
    """The axis of the figure; it includes zero and the threshold."""
    return Scale.over((value for rung in ladder.rungs for value in (rung.kappa, rung.low, rung.high)), threshold)


def partial_scale(partial: PartialInputs, threshold: float) -> Scale:
    """The axis of the figure of partial inputs, which also holds the kappa of whole prompts."""
    ends = (value for entry in partial.inputs for value in (entry.kappa, entry.low, entry.high))
    return Scale.over((*ends, partial.whole), threshold)


_LEAST = -0.2
"""Intervals of strategies that are hardly ever right are cut here."""


def open_scale(record: OpenEnded, threshold: float) -> Scale:
    """The axis of the figure; it includes zero and the threshold."""
    ends = (value for way in record.strategies for value in (way.advantage, way.low, way.high))
    return Scale.over((value if value is None else max(value, _LEAST) for value in ends), threshold)


# No number is computed here that the result does not have, except sums of its counts.

_TONES = 6
"""Answers with a colour and an underline of their own; further ones share the last."""
_BARS = 20
"""Answers that are drawn."""


class View(ArrangedResult):
    """One result as a page, or a section of one, shows it."""

    def __init__(self, result: AuditResult, prefix: str) -> None:
        super().__init__(result)
        self.prefix = prefix
        """Starts every id, so that one document can show several results."""
        self.look = words.VERDICTS[result.verdict]
        self.meaning = (
            open_ended_sentences.MEANINGS.get(result.verdict, self.look.meaning)
            if result.open_ended
            else words.meaning(result)
        )
        """What the verdict means for the author of the benchmark."""
        self.figures = key_figures(self)
        self.scale = Scale.over(self._drawn(), result.settings.threshold)
        self.command = audit_sentences.command(result)
        self.label_bars = drawing.bars((label.label, label.count, 0) for label in result.labels[:_BARS])
        self.size_bars = drawing.size_classes(result.groups.sizes) if result.groups else []

    def _drawn(self) -> list[float | None]:
        return [
            number
            for probe in self.probes
            for number in (probe.kappa, probe.beside, probe.vector.matched_low, probe.vector.matched_high)
        ]

    def tone(self, label: str) -> int:
        """The colour and underline that mark an answer, by its place among the answers."""
        places = [entry.label for entry in self.result.labels]
        return places.index(label) % _TONES if label in places else _TONES - 1

    @property
    def marked(self) -> list[str]:
        """The answers that marks in the most predictable items point to, in the order of the answers."""
        used = {cue.label for item in self.result.giveaways for cue in item.cues}
        known = [entry.label for entry in self.result.labels if entry.label in used]
        return known + sorted(used.difference(known))


def render(result: AuditResult) -> str:
    """One audit as a self-contained HTML document. The same result gives the same text."""
    return _document("audit.html.j2", view=View(result, ""), title=f"{result.name}: {result.verdict}")


def render_scan(scan: ScanResult) -> str:
    """A folder as one document: heat maps of benchmarks by feature vectors, then a section for each benchmark."""
    views = [View(result, f"b{index}-") for index, result in enumerate(scan.results, start=1)]
    return _document(
        "scan.html.j2", scan=scan, views=views, maps=audit_figures.maps(scan), title=f"Audit of {scan.source}"
    )


def _document(template: str, **values: Any) -> str:
    return document(_environment(), template, **values)


@cache
def _environment() -> Environment:
    environment = shared()
    environment.filters |= {
        "drawn": drawn,
        "kappa": notation.kappa,
        "p_value": notation.p_value,
        "per_cent": notation.per_cent,
        "sentence": words.sentence,
        "shade": drawing.shade,
        "signed": notation.signed,
    }
    environment.tests["with_blanks"] = is_odd
    environment.globals |= {
        "audit_figures": audit_figures,
        "audit_sentences": audit_sentences,
        "drawing": drawing,
        "ladder_scale": ladder_scale,
        "notation": notation,
        "open_ended_sentences": open_ended_sentences,
        "open_scale": open_scale,
        "partial_scale": partial_scale,
        "pieces": pieces,
        "what_is_found": what_is_found,
        "words": words,
    }
    return environment
