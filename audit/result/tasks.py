"""What the result keeps of one kind of task: open-ended answers, options, and published splits."""

from __future__ import annotations

from typing import Literal

import msgspec

from hansproof.audit.result.numbers import ClusterCheck
from hansproof.audit.result.record import Record

__all__ = [
    "LearntCue",
    "OpenEnded",
    "OptionRule",
    "OptionsSummary",
    "PartAudit",
    "PartLabel",
    "PublishedSplit",
    "SharedItem",
    "Solved",
    "SplitKappa",
    "StrategyResult",
    "TemplateResult",
]


class StrategyResult(Record, frozen=True, kw_only=True):
    """One strategy that answers without the ability, on all items."""

    name: str
    description: str
    """What it gives: `the last number of the prompt`."""
    kind: Literal["fixed", "learnt"]
    """`learnt`: from the training folds."""
    answered: float
    """Share of the items to which it has an answer."""
    exact: float
    """Share of the items that it gets right, averaged over the splits: equal after normalisation, or the same
    number."""
    f1: float
    """Mean token F1, the best over the accepted answers; of the first split. A gold number is matched or not."""
    advantage: float | None
    """(exact - c) / (1 - c), c the share of chance; None if chance is always right."""
    low: float | None
    """Ends of its 95 % interval over groups; wider for what learns."""
    high: float | None
    bound: float | None
    """Lower bound of the advantage at level 1 - alpha / 2 that holds for all strategies at once."""
    p_corrected: float
    """No better than chance, corrected for all strategies (max-T), from the standard error of the interval: twice
    the one-sided p."""


class PartAudit(Record, frozen=True, kw_only=True):
    """A part of the answers that is a label, and its own audit where it was made."""

    part: str
    """What it is: `character 1`, `the value of 'A'`."""
    option: str
    """The value of --answer-part that audits it."""
    items: int
    """Items that have it."""
    labels: list[str]
    """Its values, most common first; at most 20."""
    verdict: str | None
    """Of its audit with fixed labels; None where that was left to you."""
    reason: str
    vector: str | None
    kappa: float | None
    low: float | None
    high: float | None


class LearntCue(Record, frozen=True, kw_only=True):
    """What a strategy learnt of one cue, from all items."""

    cue: str
    """`last number after has`, `more: sum`, `how many: 5`."""
    right: int
    """Items for which following it is right, of those that have it."""
    items: int


class Solved(Record, frozen=True, kw_only=True):
    """An item that the strategy of the verdict gets right."""

    id: str
    prompt: str
    answer: str
    place: str | None = None
    """Where the source has it, such as `line 12`, if known."""


class TemplateResult(Record, frozen=True, kw_only=True):
    """A strategy that remembers what was right most often in a template: an answer, place or calculation."""

    how: Literal["groups", "clusters"]
    """What the templates are: the groups, or clusters of similar wording that were not detected as groups."""
    count: int
    """Number of templates: groups or clusters of four different texts or more."""
    effective: float
    """How many all groups or clusters would be if they were of one size."""
    share: float
    """Share of the items that are in a template, 0 to 1."""
    exact: float
    """Share of the items that it gets right, averaged over the splits."""
    advantage: float | None
    """Over chance; with each template kept together it is 0."""
    low: float | None
    """Ends of its 95 % interval over templates."""
    high: float | None
    bound: float | None
    """Its lower bound at level 1 - alpha / 2."""
    p_corrected: float


class OpenEnded(Record, frozen=True, kw_only=True):
    """What can be had of open-ended answers without the ability."""

    answers: Literal["numbers", "texts", "numbers and texts"]
    distinct: int
    """Different answers after normalisation."""
    several: int
    """Items that accept more than one."""
    mark: str
    """The mark after which worked solutions have their answer; empty if they are no worked solutions."""
    constant: str
    """The most common answer."""
    constant_exact: float
    """Share of the items that it is right for."""
    constant_f1: float
    chance: float
    """Share of the items that chance gets right, which strategies have to beat: the most common answer, or, where that
    is better, one of the k alternatives that a question offers (`X or Y`), right for 1/k of its item."""
    chance_f1: float
    offered: int
    """Items whose question offers alternatives, if one of these is chance; 0 where the most common answer is."""
    strategies: list[StrategyResult]
    """Largest advantage first."""
    strategy: str | None
    """The strategy that the verdict is about; None for the constant."""
    tried: int
    """Items on which strategies were tried."""
    in_prompt: int
    """Those whose prompt has an accepted answer, word for word or as a number."""
    parts: list[PartAudit]
    learnt_by: str | None
    """The best strategy that learns, if it beats the constant significantly."""
    learnt: list[LearntCue]
    """What it goes by, the five most telling cues."""
    solved: list[Solved]
    """Up to ten items that `strategy` gets right; empty without one."""
    templates: TemplateResult | None = None
    """None where too few items belong together."""
    clusters: list[ClusterCheck] = msgspec.field(default_factory=list)
    """Of the suspected leaks that learn: `kappa` is the advantage that is left. Empty without one."""


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
    p: float | None = None
    """Guessing would be right as often; one-sided, corrected for all rules tried (max-T)."""


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
    only: str
    """The counted feature vector with the largest kappa among those that never see the question."""
    asked: str
    """The same among those that do."""
    rules: list[OptionRule]
    """Simple rules, in the order of the report."""
    pairs: bool = False
    """The options are replies to a prompt, of which one was preferred: words on them are of chosen and rejected."""


class PartLabel(Record, frozen=True, kw_only=True):
    """How often an answer occurs in the two parts."""

    label: str
    train: int
    test: int


class SharedItem(Record, frozen=True, kw_only=True):
    """A test item and a training item that it shares its text or its template with."""

    kind: Literal["conflict", "duplicate", "near-duplicate", "template"]
    """`conflict`: the same text, another gold answer."""
    test: str
    """Id of the test item."""
    train: str
    similarity: float | None
    """Of near-duplicates, 0 to 1 (`audit.tasks.overlap`); None for the others."""
    test_text: str
    """An extract around the first difference."""
    train_text: str
    test_answer: str
    train_answer: str


class SplitKappa(Record, frozen=True, kw_only=True):
    """The kappa of the vector that the verdict is about, on some of the test items."""

    items_kept: Literal["all", "no near-duplicate", "new template", "grouped folds"]
    """`no near-duplicate`: whose text, or nearly, is not in the training part; `new template`: nor is their template;
    `grouped folds`: not the published split, but both parts together, cross-fitted with each template kept together."""
    items: int
    groups: float
    """The number of groups of these items, if all were of one size."""
    kappa: float | None
    """None if only one answer is left."""
    low: float | None = None
    """Ends of the 95 % interval over groups; None without groups to compare, and for `grouped folds`."""
    high: float | None = None
    fall_low: float | None = None
    """Lower end of the 95 % interval, over groups, of the kappa of all test items minus this one: above 0, the fall is
    clear. None for all items, for `grouped folds`, and where undefined."""


class PublishedSplit(Record, frozen=True, kw_only=True):
    """The published split: learnt on its training part, tested on its test part."""

    source: str
    """`column 'split'`, or the training file."""
    train_sha256: str | None
    """Digest of the training file; None where both parts come from one."""
    train: int
    """Items to learn from, without those cut off for validation."""
    validation: int
    validation_cut: bool
    """The validation part was cut from the training part, by groups, because the source has none."""
    test: int
    duplicates: int
    """Test items whose text is in the training part, apart from case and white space; where items have options of their
    own, also those whose right option is that of a training item and wrong in no item."""
    near_duplicates: int
    """Further test items that are nearly the same as a training text."""
    near: float
    """The least similarity that counts as nearly the same."""
    same_template: int | None
    """Test items whose group also has training items; None if groups were not used."""
    conflicts: int
    """Test items whose text has another gold answer in the training part."""
    unseen_labels: list[str] = msgspec.field(default_factory=list)
    """Answers of the test part that the training part never gives."""
    labels: list[PartLabel] = msgspec.field(default_factory=list)
    """Empty where each item has options of its own."""
    shift: float | None = None
    """Total variation distance between the answers of the two parts: 0 for equal shares, 1 for no common answer; None
    where each item has options of its own."""
    shift_p: float | None = None
    """Its permutation p over groups."""
    kappas: list[SplitKappa]
    """From all test items to those that share the least with the training part."""
    examples: list[SharedItem]
    """Conflicts, duplicates, near-duplicates and shared templates, at most ten of each."""
