"""The one rule that is the same whatever the answers are: a random item of every template stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from audit.repair.records import StepKind
from audit.repair.removal import first_of_each
from audit.result.audit_result import Settings
from audit.statistics.permutation import seeded

__all__ = ["Grouped", "ThinTemplates"]

Bools = NDArray[np.bool_]


class Grouped(Protocol):
    """What the rule must know of N items."""

    @property
    def settings(self) -> Settings:
        """Of the audit; the seed is used."""

    @property
    def groups(self) -> NDArray[np.int64]:
        """(N,) group numbers."""


@dataclass(frozen=True)
class ThinTemplates:
    """One random item of every group stays."""

    kind: StepKind = "templates"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return "keep one item of each template"

    def kept(self, items: Grouped, rows: Bools, step: int) -> Bools:
        """(N,) the items of `rows` that stay."""
        return first_of_each(items.groups, rows, seeded(items.settings.seed, "harden", step, "thin"))
