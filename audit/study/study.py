"""The whole study, as `hansproof.analyse` returns it."""

from __future__ import annotations

from audit.reliance.records import Reliance
from audit.study.records import Answered, Played

__all__ = ["Study"]


class Study(Reliance, frozen=True, kw_only=True):
    """The study of benchmarks that a probe parts, and the answers that it is about."""

    files: list[str]
    """That were read, as they were named."""
    answered: list[Answered]
    """One for each source of items."""
    played: Played | None
    """None where nothing was played."""

    def page(self) -> str:
        """The study as one HTML page that works from disk, offline and in print, and runs nothing."""
        from audit.study.findings import Findings
        from audit.study.page import render

        return render(Findings("study", self.files, self.answered, reliance=self, played=self.played))
