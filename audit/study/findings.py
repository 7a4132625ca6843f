"""What a page is made of: the answers that were read, and whatever was found out about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from audit.paired.models import OverRuns
from audit.reliance.records import Reliance
from audit.responses.scoring import Report
from audit.study.records import Answered, Played

__all__ = ["KICKERS", "Findings", "Kind"]

Kind = Literal["study", "scores", "effects", "hypotheses"]
"""What was asked for; a study has all parts that there are."""

KICKERS: Final[dict[Kind, str]] = {
    "study": "Study of model answers",
    "scores": "Scores of model answers",
    "effects": "Effects of matched conditions",
    "hypotheses": "Hypotheses tested on model answers",
}
"""The line above the title."""


@dataclass(frozen=True)
class Findings:
    """The contents of one page."""

    kind: Kind
    files: Sequence[str]
    """That were read, as they were named."""
    answered: Sequence[Answered]
    """One for each source of items."""
    reliance: Reliance | None = None
    """None where nobody asked for it."""
    played: Played | None = None
    reports: Sequence[Report] = ()
    """The scores in full, by condition and slice; empty where nobody asked for them."""
    over_runs: Sequence[OverRuns] = ()
    """The mean over the runs of each model that has several; empty where nobody asked for it."""

    @property
    def several(self) -> bool:
        """Whether tables must say which source of items they are about."""
        return len(self.answered) > 1

    @property
    def differences(self) -> list[Answered]:
        """The sources with models that can be compared."""
        wanted = self.kind in ("study", "scores")
        return [part for part in self.answered if wanted and any(each.items for each in part.differences)]

    @property
    def unclear(self) -> bool:
        """Whether some of the differences rest on replies that are not clear."""
        return any(each.clear is not None for part in self.differences for each in part.differences)

    @property
    def effects(self) -> list[Answered]:
        """The sources with matched conditions."""
        wanted = self.kind != "hypotheses"
        return [part for part in self.answered if wanted and any(each.effects for each in part.series)]

    @property
    def parted(self) -> Reliance | None:
        """The study of benchmarks that a probe parts, or of why there are none; not where tasks were only played."""
        study = self.reliance
        shown = study is not None and (study.benchmarks or (study.notes and self.played is None))
        return study if shown else None

    @property
    def right(self) -> bool:
        """Whether an answer to any of the items is right or wrong."""
        return any(each.accuracies for part in self.answered for each in part.series)

    @property
    def lacks(self) -> bool:
        """Whether a missing reply counts as wrong somewhere."""
        return any(each.missing for part in self.answered for each in part.series)

    @property
    def skips(self) -> bool:
        """Whether items without a reply are left out somewhere."""
        return any(each.skipped for part in self.answered for each in part.series)

    @property
    def tested(self) -> list[Answered]:
        """The sources whose family declares hypotheses."""
        return [part for part in self.answered if part.tested is not None and self.kind in ("study", "hypotheses")]
