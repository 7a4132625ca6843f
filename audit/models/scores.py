"""Scores of model answers: one report per model, with surface forms and further ways of reading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isnan, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hansproof.audit.models.contrast import Contrast
from hansproof.audit.models.matching import conditions_of, effects
from hansproof.audit.models.score_lines import Line, Lines
from hansproof.audit.replies.grid import RIGHT, SKIPPED, Series
from hansproof.audit.replies.joining import Joined
from hansproof.audit.replies.judged_reply import Outcome, outcome
from hansproof.audit.replies.scorers import family_of, own_subset, scorer_of
from hansproof.audit.statistics.kappa import Agreement, agree
from hansproof.generators.answering.scorer import MeasureKind, Scorer
from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import InputError, Progress, unwatched

__all__ = ["ALL", "FormVariation", "ReadingAgreement", "Report", "report_joined"]

# Surface forms of a problem (`MatchedConditions.forms`): a reasoner gets all of them right or all wrong, so the
# variance within problems is what a model owes to the surface. The spread over sets is GSM-Symbolic's (Mirzadeh et al.
# 2024).

ALL = "all"
_NUMBER = re.compile(r"-\d+$", re.ASCII)


@dataclass(frozen=True)
class FormVariation:
    """Answers to several forms of the same problems; accuracies are shares from 0 to 1."""

    subset: str
    varied: str
    """What is varied: `names`; `all` for all forms together."""
    forms: tuple[str, ...]
    """The conditions, the original first."""
    problems: int
    """Groups with exactly one item of each form and at least one reply; a missing reply is wrong."""
    accuracy: float
    """Over all forms; NaN without problems."""
    lowest: float
    """Accuracy of the form with the lowest one."""
    highest: float
    deviation: float
    """Standard deviation of the accuracy over the forms, n - 1."""
    within: float
    """Variance within problems: the mean over problems of k p (1 - p) / (k - 1), where p is the share of the k forms
    that are right. 0 where every problem is right or wrong in all its forms."""
    independent: float
    """What it would be if the answers to the forms of a problem had nothing to do with each other: a (1 - a), where a
    is `accuracy`."""
    mixed: float
    """Share of the problems of which some forms are right and others wrong."""
    cochran_q: float
    """Cochran's Q: are all forms equally often right? NaN where no problem is mixed."""
    p: float
    """Its p, chi-square with one degree of freedom less than there are forms (Cochran 1950)."""


def spreads(outcomes: Sequence[Outcome], family: Dataset | None) -> list[FormVariation]:
    """The spread over all forms of each subset that has any, then over each thing that is varied with the original.

    Subsets without a reply, and None for a family that is not registered, have none.
    """
    every: list[FormVariation] = []
    if family is None:
        return every
    for subset, groups in conditions_of([each.item for each in outcomes]).items():
        for varied, forms in _varied(family, subset):
            whole = [
                [outcomes[group[form][0]] for form in forms]
                for group in groups.values()
                if all(len(group.get(form, ())) == 1 for form in forms)
            ]
            asked = [group for group in whole if not all(each.missing for each in group)]
            if asked:
                rights = np.array([[each.right for each in group] for group in asked], dtype=np.bool_)
                every.append(measured_spread(rights, subset, varied, forms))
    return every


def measured_spread(rights: NDArray[np.bool_], subset: str, varied: str, forms: Sequence[str]) -> FormVariation:
    """The spread of `rights` (problems, forms), True where the answer is right; there are at least two forms."""
    problems, count = rights.shape
    by_form = rights.mean(axis=0)
    shares = rights.mean(axis=1)
    accuracy = float(rights.mean())
    # Cochran's Q: (k - 1) (k sum of squared column totals - T^2) / (k T - sum of squared row totals).
    rows, columns = rights.sum(axis=1, dtype=np.int64), rights.sum(axis=0, dtype=np.int64)
    total = int(rows.sum())
    below = count * total - int((rows**2).sum())
    statistic = (count - 1) * (count * int((columns**2).sum()) - total**2) / below if below else nan
    return FormVariation(
        subset=subset,
        varied=varied,
        forms=tuple(forms),
        problems=problems,
        accuracy=accuracy,
        lowest=float(by_form.min()),
        highest=float(by_form.max()),
        deviation=float(by_form.std(ddof=1)),
        within=float((shares * (1 - shares)).mean() * count / (count - 1)),
        independent=accuracy * (1 - accuracy),
        mixed=float(((shares > 0) & (shares < 1)).mean()),
        cochran_q=statistic,
        p=nan if isnan(statistic) else float(stats.chi2.sf(statistic, count - 1)),
    )


def _varied(family: Dataset, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is varied, and the forms: all of them first. Nothing where the family has no forms there."""
    subset = family.find(name)
    contrast = subset.matched if subset else None
    if contrast is None or not contrast.forms:
        return
    kinds: dict[str, list[str]] = {}
    for condition in contrast.perturbed:
        kinds.setdefault(_NUMBER.sub("", condition), []).append(condition)
    yield ALL, (contrast.original, *contrast.perturbed)
    for kind, conditions in kinds.items():
        yield kind, (contrast.original, *conditions)


_UNREAD = "no reply is read by both"


@dataclass(frozen=True)
class ReadingAgreement:
    """One further reading beside the main one, over the replies that were given."""

    reading: str
    description: str
    replies: int
    read_by_both: int
    """Replies in which both find an answer."""
    same: int
    """Of these, replies in which both find the same answer."""
    same_share: float
    """same / read_by_both; NaN where `read_by_both` is 0."""
    both_right: int
    main_only: int
    """Replies that are right by the main reading alone."""
    other_only: int
    """Replies that are right by this reading alone."""
    neither: int
    kappa: float
    """Cohen's kappa of right and wrong (Cohen 1960); a reply without an answer is wrong. NaN where it is undefined."""
    reason: str
    """Why `same_share` or `kappa` is undefined; empty where both are defined."""


def compare_readings(outcomes: Sequence[Outcome], scorer: Scorer) -> list[ReadingAgreement]:
    """One agreement per further reading of `scorer`; only items with a right answer have rights and wrongs."""
    given = [(outcome, outcome.reading) for outcome in outcomes if outcome.reading is not None]
    scored = [outcome for outcome, _ in given if outcome.score.right is not None]
    agreements = []
    for name, description in scorer.readings.items():
        said = [(reading.said, reading.others.get(name)) for _, reading in given]
        read = [(main, other) for main, other in said if main is not None and other is not None]
        same = sum(main == other for main, other in read)
        agreed = agree(
            [outcome.right for outcome in scored],
            [bool(outcome.others[name].right) for outcome in scored],
            words=("wrong", "right"),
        )
        agreements.append(
            ReadingAgreement(
                reading=name,
                description=description,
                replies=len(given),
                read_by_both=len(read),
                same=same,
                same_share=same / len(read) if read else nan,
                both_right=agreed.both,
                main_only=agreed.first_only,
                other_only=agreed.second_only,
                neither=agreed.neither,
                kappa=agreed.kappa,
                reason="; ".join(part for part in ("" if read else _UNREAD, agreed.reason) if part),
            )
        )
    return agreements


@dataclass(frozen=True)
class Report:
    """The scores of one model."""

    model: str
    """Empty where the answers name none."""
    family: str
    """The family of models; empty where nobody says."""
    style: str
    """The prompt style; empty where the answers name none."""
    run: str
    """Which repetition; empty where there is one."""
    dataset: str
    version: str
    scorer: str
    """The module that scored."""
    measures: dict[str, MeasureKind]
    """Each measure, what it means and how to read it; the main one first."""
    lines: tuple[Line, ...]
    """All items first, then subsets, conditions and slices; of those that cut the items alike, only the first."""
    readings: tuple[ReadingAgreement, ...]
    """How far each further way of reading the replies agrees with the one that is scored."""
    effects: tuple[Contrast, ...]
    """What each perturbation of matched items costs: whole subsets first, then their slices."""
    without_effects: tuple[str, ...]
    """Subsets of matched items that have no effects because no answer is right there."""
    spreads: tuple[FormVariation, ...]
    """How much the answers vary over the surface forms of a problem, where a subset has some."""
    outcomes: tuple[Outcome, ...]
    """Each reply read and scored, in the order of the items that were asked."""
    not_asked: dict[str, int]
    """Subset -> its items that this model was not asked: all, where it has no reply to any of them, or those that its
    logs, of which the run broke off or was limited, do not name. They are in no number."""
    skipped: int
    """Further items without a reply of this model; left out on request, they are in no number either."""
    harness: Agreement | None
    """How far our reading (first) agrees with the harness that ran the model on what is right; None where the answers
    have no verdicts."""

    @property
    def title(self) -> str:
        """Model, style and run, as tables call them."""
        return Series(self.model, self.style, self.run).title

    def record(self, scores: bool = False) -> dict[str, Any]:
        """The report as a JSON object in which undefined numbers are still NaN; with each item's score if `scores`."""
        record = {name: value for name, value in vars(self).items() if name != "outcomes"}
        record["harness"] = None if self.harness is None else asdict(self.harness)
        record["measures"] = {name: asdict(kind) for name, kind in self.measures.items()}
        record |= {
            name: [asdict(part) for part in record[name]] for name in ("lines", "readings", "effects", "spreads")
        }
        return record | ({"scores": [outcome.record() for outcome in self.outcomes]} if scores else {})


def report_joined(joined: Joined, progress: Progress = unwatched) -> list[Report]:
    """One report per series of a grid whose outcomes were kept (`join(..., keep="outcomes")`).

    Raises InputError for items of several releases.
    """
    grid, items = joined.grid, joined.grid.items
    releases = list(dict.fromkeys((str(item.metadata["dataset"]), str(item.metadata["version"])) for item in items))
    if len(releases) > 1:
        raise InputError(f"{len(releases)} releases to score; score one at a time")
    scorer, family, conditions = scorer_of(items), family_of(items), conditions_of(items)
    lines: dict[bytes, Lines] = {}  # what holds whatever a model replies, by which items are counted and skipped
    reports = []
    for at, series in enumerate(grid.series):
        codes, counted = grid.outcomes[:, at], grid.counted()[:, at]
        places = np.flatnonzero(counted).tolist()
        outcomes = [joined.kept[at][place] or outcome(items[place], None, scorer) for place in places]
        which = np.where(counted, RIGHT, codes).tobytes()
        if which not in lines:
            skipped = np.flatnonzero(codes == SKIPPED).tolist()
            lines[which] = Lines(items, places, skipped, family, scorer, conditions, progress)
        subsets = dict.fromkeys(own_subset(each.item) for each in outcomes)
        answerable = {own_subset(each.item) for each in outcomes if each.score.right is not None}
        declared = {name: family.find(name) for name in subsets} if family else {}
        contrasted = {name for name, subset in declared.items() if subset is not None and subset.matched}
        reports.append(
            Report(
                model=series.model,
                family=series.family,
                style=series.style,
                run=series.run,
                dataset=releases[0][0],
                version=releases[0][1],
                scorer=type(scorer).__module__,
                measures=dict(scorer.measures),
                lines=tuple(lines[which].of(outcomes, series.title)),
                readings=tuple(compare_readings(outcomes, scorer)),
                effects=tuple(effects(items, codes, family, conditions)),
                without_effects=tuple(name for name in subsets if name in contrasted - answerable),
                spreads=tuple(spreads(outcomes, family)),
                outcomes=tuple(outcomes),
                not_asked=joined.not_asked(at),
                skipped=joined.skipped(at),
                harness=joined.agreements[at],
            )
        )
    return reports
