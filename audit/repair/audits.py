"""The audits behind hardening: of all items, of those that are left, and of the held-out ones before and after.

Whoever hardens waits for four audits. What is reported as the new benchmark is audited in full; the others, which show
where it came from, take few splits, unless an audit of all items is known already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import msgspec

from audit.assessing.assessed import Assessed
from audit.benchmark import Benchmark
from audit.options.assessment import OptionsAssessment
from audit.reading.loading import Columns
from audit.reading.task_kind import kind
from audit.repair.goals import FAULTS, About, about_of, reading
from audit.repair.records import Reading
from audit.result.audit_result import AuditResult, Settings
from audit.result.tasks import OptionRule
from audit.texts.grouping import Groups
from audit.verdict.rule import Judgement
from generators.errors import NotAssessedError, Progress

__all__ = ["QUICK", "Assess", "Audits", "Recall"]

QUICK = 3
"""Splits of an audit that is not of what is left in the end."""

Recall: TypeAlias = Callable[[Columns, Settings], AuditResult | None]
"""The result of an audit of the same source with these columns and settings, if it is known."""


class _Assessment(Protocol):
    """What an audit of labels or of options leaves."""

    @property
    def assessed(self) -> Assessed[Any]: ...

    @property
    def groups(self) -> Groups: ...


class Assess(Protocol):
    """How a benchmark is audited."""

    def __call__(self, benchmark: Benchmark, settings: Settings, /, *, workers: int, progress: Progress) -> _Assessment:
        """Raises NotAssessedError if it cannot be."""


class Audits:
    """The audits of one benchmark and of its parts."""

    def __init__(
        self, benchmark: Benchmark, settings: Settings, assess: Assess, workers: int, progress: Progress
    ) -> None:
        self._assess = assess
        self._benchmark, self._settings, self._workers, self._progress = benchmark, settings, workers, progress
        self._quick = msgspec.structs.replace(settings, splits=min(settings.splits, QUICK))

    def named(self, what: str) -> Progress:
        """Progress of one of several pieces of work, which is called `what`."""

        def report(stage: str, done: int, total: int, /) -> None:
            self._progress(f"{what}: {stage}", done, total)

        return report

    def first(self, known: AuditResult | None) -> tuple[Reading, About]:
        """The audit of all items, and what its verdict is about.

        It is the `known` one if that is of the same items. Else a quick one, and a whole one besides where the quick
        one shows no fault: only what is wrong by any audit is repaired, and only what is right by a whole one is not.
        """
        if known is not None and self._is_of_these(known) and known.vector and known.evidence_scheme:
            rules = known.options.rules if known.options else []
            about = about_of(Judgement(known.verdict, known.reason, known.vector, known.evidence_scheme), rules)
            groups = known.groups.count if known.groups else known.items
            return reading(known, known.schemes, known.items, groups, about, self._settings.alpha, rules), about
        for settings in dict.fromkeys((self._quick.splits, self._settings.splits)):
            used = msgspec.structs.replace(self._settings, splits=settings)
            done = self._assess(self._benchmark, used, workers=self._workers, progress=self.named("all items"))
            about = about_of(done.assessed.judgement, _rules(done))
            before = self._reading(done, about)
            if before.significant or before.verdict in FAULTS:
                break
        return before, about

    def quick(self, part: Benchmark, about: About, what: str) -> Reading | None:
        """A quick audit of some of the items, which keep the groups of all items; None if they cannot be audited."""
        return self._part(part, about, what, msgspec.structs.replace(self._quick, groups="auto"))

    def whole(self, part: Benchmark, about: About, what: str) -> Reading | None:
        """The audit that anyone would make of some of the items; None if they cannot be audited."""
        return self._part(part, about, what, self._settings)

    def _part(self, part: Benchmark, about: About, what: str, settings: Settings) -> Reading | None:
        if kind(part).name == "too-few" or (part.options is None and len(set(part.answers)) < 2):
            return None
        try:
            done = self._assess(part, settings, workers=self._workers, progress=self.named(what))
        except NotAssessedError:
            return None
        return self._reading(done, about)

    def _reading(self, done: _Assessment, about: About) -> Reading:
        schemes = [scheme.result for scheme in done.assessed.schemes]
        items, groups = len(done.groups.index), int(done.groups.index.max()) + 1
        alpha = self._settings.alpha
        return reading(done.assessed.judgement, schemes, items, groups, about, alpha, _rules(done))

    def _is_of_these(self, known: AuditResult) -> bool:
        of = self._benchmark
        return (known.sha256, known.items, known.settings) == (of.sha256, len(of.prompts), self._settings)


def _rules(done: _Assessment) -> list[OptionRule]:
    return done.rules if isinstance(done, OptionsAssessment) else []
