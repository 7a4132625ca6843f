"""What the result keeps of a benchmark whose items have options of their own."""

from __future__ import annotations

from audit.records.record import Record

__all__ = ["OptionRule", "OptionsSummary"]


class OptionRule(Record, frozen=True, kw_only=True):
    """How often one simple rule names the right option."""

    rule: str
    """What it chooses: `the longest (characters)`."""
    applies: int
    """Items whose options the rule does not treat all alike; in the others it guesses."""
    accuracy: float
    kappa: float
    """(accuracy - chance) / (1 - chance), where chance is the mean of 1 / number of options."""
    low: float | None
    """Ends of its 95 % interval over groups; each rule for itself, not corrected for their number."""
    high: float | None
    learnt: bool = False
    """Whether the rule is learnt, from other items than those it is tried on."""


class OptionsSummary(Record, frozen=True, kw_only=True):
    """The options of all items, and how far simple rules and probes go that see options only."""

    task: str
    """What was asked, in a sentence."""
    how: str
    """Where the options come from and how the golds were read."""
    sizes: list[list[int]]
    """Pairs [number of options, items with so many], ascending."""
    chance: float
    """Mean of 1 / number of options: the accuracy of guessing."""
    positions: list[int]
    """How many golds stand first, second, ...; empty if the order of the options means nothing."""
    repeated: int
    """Options (of all items) whose text is an option of another item as well."""
    only: str
    """The counted feature vector with the largest kappa among those that never see the question."""
    asked: str
    """The same among those that do."""
    rules: list[OptionRule]
    """Simple rules, in the order of the report."""
