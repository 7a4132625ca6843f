"""What hardening did and what it left: typed records, from which the JSON of `hansproof harden` follows."""

from __future__ import annotations

from typing import Final, Literal

from hansproof.audit.result.audit_result import Settings, Verdict
from hansproof.audit.result.record import Record

__all__ = ["CAUTION", "SCHEMA", "Goal", "HardenResult", "KappaReading", "Reading", "Removal", "RepairStep", "StepKind"]

SCHEMA: Final = "hansproof.harden/1"

CAUTION: Final = (
    "Hardening removes the cues that these probes can see. It does not show that the items that are left test the "
    "ability that the benchmark is meant to test."
)
"""Said with every result."""

StepKind = Literal["positions", "answers", "cue", "match", "templates"]
"""Kinds of steps, in the order in which they are tried."""

Goal = Literal["clean", "no fault shown", "nothing to repair", "not reached"]
"""`clean`: all items that are left are CLEAN; `no fault shown`: too few are left for CLEAN, but no fault is shown, and
the audit says INCONCLUSIVE; `nothing to repair`: no fault was shown before."""


class KappaReading(Record, frozen=True, kw_only=True):
    """The matched kappa of one feature vector."""

    vector: str
    label: str
    kappa: float | None
    low: float | None
    """Ends of its 95 % interval."""
    high: float | None
    p_corrected: float | None


class Reading(Record, frozen=True, kw_only=True):
    """One audit of some of the items."""

    items: int
    groups: int
    verdict: Verdict
    reason: str
    significant: bool
    """Whether any counted vector is, after correction: even an INCONCLUSIVE verdict may rest on a cue."""
    scheme: str
    """The folds that the kappas come from: those that the first verdict was about."""
    splits: int
    """How often the items were divided into folds anew; fewer than asked for, except for what is left in the end."""
    first: KappaReading | None
    """The vector that the first verdict, before anything was removed, was about; None if it was not run."""
    strongest: KappaReading | None
    """The counted vector with the largest kappa in this audit: the largest of many is above 0 by chance."""

    @property
    def is_faulty(self) -> bool:
        """Whether something is to be repaired: by the verdict, or because a cue is shown whatever the verdict."""
        return self.significant or self.verdict in ("LEAKS", "TEMPLATE-BOUND", "IMBALANCED", "TRACES")


class RepairStep(Record, frozen=True, kw_only=True):
    """One rule, chosen on the choosing part alone and applied to both parts."""

    kind: StepKind
    rule: str
    """In words: `balance “usually” over the answers`."""
    removed_chosen: int
    removed_held_out: int
    kept: int
    """Items of both parts that are left after it."""
    vector: str
    """The vector with the largest kappa on the choosing part after the step."""
    label: str
    kappa_chosen: float | None
    """Its matched kappa there."""
    kappa_held_out: float | None
    """Its matched kappa on the held-out part, which had no say in the choice; of few splits, without an interval."""


class Removal(Record, frozen=True, kw_only=True):
    """An item that is not in the hardened benchmark, or whose options have another order there."""

    id: str
    place: str | None
    """Where the source has it: `line 812`."""
    part: Literal["chosen", "held out", "unusable", "dropped"]
    step: int | None
    """The number of the step that removed or reordered it, from 1; None for a row that could not be audited."""
    why: str
    order: list[int] | None = None
    """An item that is still there, with its options reordered: which option of the source, from 0, now stands first,
    second, ...; None for an item that went."""


class HardenResult(Record, frozen=True, kw_only=True):
    """What hardening did, the goal that it reached first."""

    goal: Goal
    reason: str
    """One or two sentences: what was reached or what is in the way, and what to do."""
    caution: str
    schema: str
    name: str
    source: str
    sha256: str
    items: int
    kept: int
    keep_at_least: float
    held_out: float
    """Share of the items, by group, that had no say in the choice of the rules."""
    before: Reading
    """The audit of all items."""
    after: Reading | None = None
    """The audit of all items that are left; None if nothing was removed. Most of them took part in the choice."""
    held_out_before: Reading | None = None
    """The audit of the held-out items, before the rules were applied to them."""
    held_out_after: Reading | None = None
    """The same after: the honest number."""
    change: float | None = None
    """By how much the kappa of the first vector changed on the held-out items; None if undefined."""
    change_low: float | None = None
    """Ends of its 95 % interval, which takes both audits as independent and is therefore too wide, if anything."""
    change_high: float | None = None
    steps: list[RepairStep]
    settings: Settings
    dropped: int = 0
    """Further items that were left out before anything else, because a list of items to drop names them."""
    reordered: int = 0
    """Items that are left with their options in another order."""
    not_reordered: str = ""
    """Why options were not reordered although their position told the right one; empty if they were, or it did not."""
