"""What the result keeps of open-ended answers: the strategies, where golds stand, and the parts that are labels."""

from __future__ import annotations

from typing import Literal

import msgspec

from audit.records.record import Record

__all__ = [
    "AnswerPlace",
    "Aspect",
    "ClusterShare",
    "FirstDigits",
    "LearntCue",
    "OpenEnded",
    "PartAudit",
    "QuestionKind",
    "Solved",
    "StrategyResult",
    "TemplateResult",
]


class StrategyResult(Record, frozen=True, kw_only=True):
    """One strategy that answers without the ability, on all items."""

    name: str
    description: str
    """What it gives: `the last number of the prompt`."""
    kind: Literal["fixed", "learnt", "chosen"]
    """`learnt`: from the training folds; `chosen`: the strategy that was best on the training folds."""
    answered: float
    """Share of the items to which it has an answer."""
    exact: float
    """Share of the items that it gets right, averaged over the splits: equal after normalisation, or the same
    number."""
    f1: float
    """Mean token F1, the best over the accepted answers; of the first split. A gold number is matched or not."""
    advantage: float | None
    """(exact - c) / (1 - c), c the share of the best constant; None if the constant is always right."""
    low: float | None
    """Ends of its 95 % interval over groups; wider for what learns."""
    high: float | None
    bound: float | None
    """Lower bound of the advantage at level 1 - alpha / 2 that holds for all strategies at once."""
    p: float
    """One-sided, by flipping the signs of the groups' differences: no better than the constant."""
    p_corrected: float
    """The same after max-T correction for all strategies."""


class AnswerPlace(Record, frozen=True, kw_only=True):
    """Where gold answers stand in their prompts."""

    items: int
    """Items whose prompt has an accepted answer, word for word or as a number."""
    share: float
    by_design: bool
    """They do for most items: the task is to extract, and every strategy that copies is a baseline."""
    thirds: list[int]
    """Of these items, how many have its last occurrence in the first, second and last third of the prompt."""
    first_sentence: int
    """Of these items, how many have it in the first sentence."""


class FirstDigits(Record, frozen=True, kw_only=True):
    """The first digits of the gold numbers, beside Benford's law (1938)."""

    counts: list[int]
    """Gold numbers that begin with 1, 2, ..., 9."""
    benford: list[float]
    """The shares that Benford's law expects: log10(1 + 1/d)."""
    deviation: float
    """Mean absolute difference between the shares and Benford's; above .015 they do not follow it (Nigrini 2012)."""


class QuestionKind(Record, frozen=True, kw_only=True):
    """The questions with one question word."""

    word: str
    items: int
    answer: str
    """Their most common gold answer."""
    share: float
    """How many of them it is right for."""


class Aspect(Record, frozen=True, kw_only=True):
    """Something about the answer, predicted from something about the prompt; it is shown, and never counted."""

    aspect: str
    """`order of magnitude`, `kind of answer`."""
    cue: str
    """`number of words`, `question word`."""
    exact: float
    """Share predicted rightly, out of fold."""
    constant: float
    """That of always predicting the most common one."""
    advantage: float | None
    low: float | None
    high: float | None


class PartAudit(Record, frozen=True, kw_only=True):
    """A part of the answers that is a label, and its own audit where it was made."""

    part: str
    """What it is: `character 1`, `the value of 'A'`."""
    option: str
    """The value of --answer-part that audits it; empty where there is none."""
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
    guess: str
    place: str | None = None
    """Where the source has it, such as `line 12`, if known."""


class TemplateResult(Record, frozen=True, kw_only=True):
    """The best strategy that remembers templates, with the items of a template parted by the folds."""

    how: Literal["groups", "clusters"]
    """What the templates are: the groups, or clusters of similar wording that were not detected as groups."""
    count: int
    """Number of templates: groups or clusters of four different texts or more."""
    effective: float
    """How many all groups or clusters would be if they were of one size."""
    share: float
    """Share of the items that are in a template, 0 to 1."""
    name: str
    """`answer by template`, `rule by template`."""
    description: str
    exact: float
    """Share of the items that it gets right, averaged over the splits."""
    advantage: float | None
    """Over the best constant; with each template kept together it is 0."""
    low: float | None
    """Ends of its 95 % interval over templates."""
    high: float | None
    bound: float | None
    """Its lower bound at level 1 - alpha / 2, and its p, for all strategies and ways to divide the items at once."""
    p_corrected: float
    over_others: float | None
    """Lower end of the 95 % interval of the advantage over the best strategy that remembers no template."""


class ClusterShare(Record, frozen=True, kw_only=True):
    """What is left of the advantage of a strategy without similar texts."""

    strategy: str
    similarity: float
    """Texts at least this similar are in one cluster, 0 to 1."""
    clusters: int
    effective: float
    """The number of clusters, if all were of one size."""
    advantage: float
    """Taught without the cluster of each item; of what learns nothing, without the cluster that it is best in."""
    held: bool
    """Above the margin, and at least half of what it was."""


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
    strategies: list[StrategyResult]
    """Largest advantage first."""
    chosen: dict[str, int]
    """How often training folds chose each strategy as the best."""
    strategy: str | None
    """The strategy that the verdict is about; None for the constant."""
    p_floor: float
    """The smallest p that so many sign flips can show."""
    place: AnswerPlace
    questions: list[QuestionKind]
    """The most common question words; empty for numbers alone."""
    first_digits: FirstDigits | None
    aspects: list[Aspect]
    parts: list[PartAudit]
    learnt_by: str | None
    """The best strategy that learns, if it beats the constant significantly."""
    learnt: list[LearntCue]
    """What it goes by, the five most telling cues."""
    solved: list[Solved]
    """Up to ten items that `strategy` gets right; empty without one."""
    templates: TemplateResult | None = None
    """None where too few items belong together."""
    clusters: list[ClusterShare] = msgspec.field(default_factory=list)
    """Of the suspected leaks; empty without one."""
