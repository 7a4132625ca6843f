"""A study as records: what became of the answers to each source of items, and what a page is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.comparison import OverRuns, differences
from hansproof.audit.models.contrast import Contrast
from hansproof.audit.models.experiment import ArmResult
from hansproof.audit.models.hypotheses import HypothesisReport, asked_hypotheses, examine_hypotheses
from hansproof.audit.models.items import ItemAnalysis
from hansproof.audit.models.matching import conditions_of, effects
from hansproof.audit.models.reliance.reliance_records import Reliance
from hansproof.audit.models.scores import Report
from hansproof.audit.notation import NAMELESS, series_title
from hansproof.audit.phenotype.measuring import MetricDifference
from hansproof.audit.phenotype.result import Phenotype
from hansproof.audit.replies.grid import MISSING, NOT_APPLICABLE, RIGHT, SKIPPED, UNCLEAR, WRONG
from hansproof.audit.replies.joining import Account, Joined
from hansproof.audit.replies.judged_reply import Judged
from hansproof.audit.replies.scorers import family_of, places_by_subset, scorer_of, subset_of
from hansproof.audit.result.record import Record
from hansproof.audit.statistics.shares import clustered, standard_error
from hansproof.generators.answering.scorer import ANSWER, fitting
from hansproof.generators.errors import Progress, unwatched

__all__ = ["Accuracy", "Answered", "Kind", "PageContents", "Played", "SeriesAccount", "answered", "played_of"]

# Shares and differences are from 0 to 1. What is undefined is None, or NaN in the records of other rooms; JSON has
# null.


class Accuracy(Record, frozen=True, kw_only=True):
    """How many answers are right."""

    subset: str
    """Empty for all items."""
    items: int
    """Asked, with an answer that can be right; unclear and missing replies are among them, and wrong."""
    groups: int
    """Groups of items that belong together."""
    right: int
    share: float
    low: float | None
    """Ends of the 95 % interval: Wilson's, or a cluster-robust one where items share a group."""
    high: float | None
    se: float | None
    """Standard error of the share, clustered by group; None where it is undefined."""
    unclear: int
    """Of the items, those with a reply that gives no clear answer; wrong."""
    missing: int
    """Of the items, those without a reply; wrong."""
    share_replied: float | None
    """Share of the items with a reply that are right; None where none has one."""
    chance: float | None
    """What a uniform guess is expected to get; None where some answers are open."""


class SeriesAccount(Record, frozen=True, kw_only=True):
    """One model, prompt style and run, and what became of its answers."""

    model: str
    style: str
    run: str
    family: str
    asked: int
    """Items of subsets of which there is any reply, without those that are skipped. The next five add up to it."""
    right: int
    wrong: int
    unclear: int
    """Replies without a clear answer; they count as wrong."""
    missing: int
    """Asked items without a reply; they count as wrong."""
    not_applicable: int
    """Items where no answer is right."""
    not_asked: dict[str, int]
    """Subset -> items, of the subsets without any reply; they are in no number."""
    skipped: int
    """Further items without a reply, in no number because missing replies are left out on request."""
    no_reply: dict[str, int]
    """Subset (empty for all items) -> items, of those that have no accuracy because all their items are skipped."""
    verdicts: int
    """Replies with a verdict of the harness that ran the model."""
    agreed: int
    """Those on which it says right or wrong as we do."""
    kappa: float | None
    """Cohen's, of that agreement; None without verdicts, and where chance agrees fully."""
    accuracies: list[Accuracy]
    """Of all items, then of each subset where there are several; without those that have nothing to be right in."""
    effects: list[Contrast]
    """What each perturbation of matched items costs; whole subsets first, then slices."""

    @property
    def title(self) -> str:
        """What tables call it."""
        return series_title(self.model, self.style, self.run) or NAMELESS


class Answered(Record, frozen=True, kw_only=True):
    """Answers to one source of items."""

    name: str
    """Of the benchmark, or of several that logs hold."""
    dataset: str
    version: str
    items: int
    subsets: dict[str, int]
    """Name -> items."""
    judged: Literal["reply", "harness"]
    """Whose verdict counts: our reading of the reply, or that of the harness."""
    read: Account
    """What became of the replies, in the same shape as `read` in the JSON of `score`."""
    series: list[SeriesAccount]
    differences: list[Contrast]
    """Of every two series on the items that both were asked."""
    tested: HypothesisReport | None
    """The hypotheses of the family of the items, tested on matched pairs; None where it declares none."""


class Played(Record, frozen=True, kw_only=True):
    """What the runs of tasks that are played turn by turn say of how models decide."""

    phenotypes: list[Phenotype]
    differences: list[MetricDifference]
    """Of every two phenotypes in every metric; empty where there are too many to compare two by two."""
    notes: list[str]
    """Models that have no phenotype, and why."""


def played_of(parts: Sequence[Played]) -> Played | None:
    """All of them as one; None without any. Differences stay those within each part."""
    if not parts:
        return None
    return Played(
        phenotypes=[phenotype for part in parts for phenotype in part.phenotypes],
        differences=[difference for part in parts for difference in part.differences],
        notes=[note for part in parts for note in part.notes],
    )


Kind = Literal["study", "scores", "effects", "hypotheses", "experiment", "item-analysis"]
"""What was asked for; a study has all parts that there are."""


@dataclass(frozen=True)
class PageContents:
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
    arms: Sequence[ArmResult] = ()
    """The results of an experiment; empty where nobody asked for them."""
    item_analyses: Sequence[ItemAnalysis] = ()
    """One for each benchmark; empty where nobody asked for them."""

    def of(self, part: Answered) -> str:
        """What tables call a source of items; empty where there is only one."""
        return part.name if len(self.answered) > 1 else ""

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


Floats = NDArray[np.float64]


def answered(
    joined: Joined,
    judged: Judged = "reply",
    name: str = "",
    tested: HypothesisReport | None = None,
    compared: Sequence[Contrast] | None = None,
    costs: Sequence[Sequence[Contrast]] | None = None,
    progress: Progress = unwatched,
) -> Answered:
    """The account of `joined`; `name` is what the benchmark is called, by default as in the grid.

    `tested` are its hypotheses, `compared` the differences of its models, and `costs` the effects of each, where these
    are known already. Raises InputError for items that their own family cannot take.
    """
    grid = joined.grid
    scorer = scorer_of(grid.items)
    subsets = [subset_of(item) for item in grid.items]
    counts = {subset: subsets.count(subset) for subset in dict.fromkeys(subsets)}
    places = places_by_subset(grid.items)
    chances = np.empty(len(subsets))
    for place, item in enumerate(grid.items):
        with fitting(item):
            chances[place] = scorer.chance(item).get(ANSWER, np.nan)
    of = str(grid.items[0].metadata["dataset"])
    family, conditions = family_of(grid.items), conditions_of(grid.items)
    known = costs or [effects(grid.items, codes, family, conditions) for codes in grid.outcomes.T]
    # Releases of several versions are no pairs of each other.
    declares = family is not None and family.hypotheses and len({item.metadata["version"] for item in grid.items}) == 1
    return Answered(
        name=name or grid.benchmark,
        dataset=of,
        version=str(grid.items[0].metadata["version"]),
        items=len(subsets),
        subsets=counts,
        judged=judged,
        read=joined.read,
        series=[_series(joined, place, places, chances, list(each)) for place, each in enumerate(known)],
        differences=differences(grid, progress) if compared is None else list(compared),
        tested=tested or (examine_hypotheses(joined, asked_hypotheses(grid.items)) if declares else None),
    )


def _series(
    joined: Joined, at: int, places: dict[str, NDArray[np.intp]], chances: Floats, effects: list[Contrast]
) -> SeriesAccount:
    codes, series, agreement = joined.grid.outcomes[:, at], joined.grid.series[at], joined.agreements[at]
    right, groups = joined.grid.right()[:, at], joined.grid.groups()
    accuracies, no_reply = [], {}
    for subset, own in places.items():
        held = own[~np.isnan(right[own])]
        if len(held):
            accuracies.append(_accuracy(subset, codes[held], groups[held], chances[held]))
        elif skipped := int((codes[own] == SKIPPED).sum()):
            no_reply[subset] = skipped
    return SeriesAccount(
        model=series.model,
        style=series.style,
        run=series.run,
        family=series.family,
        asked=int(joined.grid.counted()[:, at].sum()),
        right=int((codes == RIGHT).sum()),
        wrong=int((codes == WRONG).sum()),
        unclear=int((codes == UNCLEAR).sum()),
        missing=int((codes == MISSING).sum()),
        not_applicable=int((codes == NOT_APPLICABLE).sum()),
        not_asked=joined.not_asked(at),
        skipped=joined.skipped(at),
        no_reply=no_reply,
        verdicts=agreement.replies if agreement else 0,
        agreed=agreement.both + agreement.neither if agreement else 0,
        kappa=None if agreement is None or isnan(agreement.kappa) else agreement.kappa,
        accuracies=accuracies,
        effects=effects,
    )


def _accuracy(subset: str, codes: NDArray[np.int8], groups: NDArray[np.int64], chances: Floats) -> Accuracy:
    right, missing = codes == RIGHT, int((codes == MISSING).sum())
    estimate, chance = clustered(right, groups), float(chances.mean())
    se = standard_error(right.astype(np.float64), groups)
    return Accuracy(
        subset=subset,
        items=len(right),
        groups=len(np.unique(groups)),
        right=int(right.sum()),
        share=estimate.share,
        low=None if isnan(estimate.low) else estimate.low,
        high=None if isnan(estimate.high) else estimate.high,
        se=None if isnan(se) else se,
        unclear=int((codes == UNCLEAR).sum()),
        missing=missing,
        share_replied=int(right.sum()) / (len(codes) - missing) if missing < len(codes) else None,
        chance=None if isnan(chance) else chance,
    )
