"""What the page needs of one result beyond its findings: classes of the style sheet, axes and bars.

No number is computed here that the result does not have, except sums of its counts.
"""

from __future__ import annotations

from audit.report import words
from audit.report.findings import Findings
from audit.report.page import drawing
from audit.report.page.keyfigures import key_figures
from audit.report.sections.open_ended import MEANINGS
from audit.report.sections.repetition import command
from audit.result.audit_result import AuditResult

__all__ = ["View"]

_TONES = 6
"""Answers with a colour and an underline of their own; further ones share the last."""
_BARS = 20
"""Answers that are drawn."""


class View(Findings):
    """One result as a page, or a section of one, shows it."""

    def __init__(self, result: AuditResult, prefix: str) -> None:
        super().__init__(result)
        self.prefix = prefix
        """Starts every id, so that one document can show several results."""
        self.look = words.VERDICTS[result.verdict]
        self.meaning = MEANINGS.get(result.verdict, self.look.meaning) if result.open_ended else words.meaning(result)
        """What the verdict means for the author of the benchmark."""
        self.figures = key_figures(self)
        self.scale = drawing.Scale.over(self._drawn(), result.settings.threshold)
        self.command = command(result)
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
