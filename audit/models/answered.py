"""Joined answers as records: what was read, and how much of it is right, by series and subset."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.contrast import Contrast
from hansproof.audit.models.effects import effects
from hansproof.audit.models.hypotheses import asked_hypotheses, examine_hypotheses
from hansproof.audit.models.hypothesis_records import HypothesisReport
from hansproof.audit.models.matching import conditions_of
from hansproof.audit.models.pairwise import differences
from hansproof.audit.models.study import Accuracy, Answered, SeriesAccount
from hansproof.audit.replies.grid import MISSING, NOT_APPLICABLE, RIGHT, SKIPPED, UNCLEAR, WRONG
from hansproof.audit.replies.joining import Joined
from hansproof.audit.replies.judged_reply import Judged
from hansproof.audit.replies.scorers import family_of, places_by_subset, scorer_of, subset_of
from hansproof.audit.statistics.shares import clustered, standard_error
from hansproof.generators.answering.scorer import ANSWER, fitting
from hansproof.generators.errors import Progress, unwatched

__all__ = ["answered"]

Floats = NDArray[np.float64]


def answered(
    joined: Joined,
    judged: Judged = "reply",
    name: str = "",
    tested: HypothesisReport | None = None,
    compared: Sequence[Contrast] | None = None,
    progress: Progress = unwatched,
) -> Answered:
    """The account of `joined`; `name` is what the benchmark is called, by default as in the grid.

    `tested` are its hypotheses, and `compared` the differences of its models, where these are known already. Raises
    InputError for items that their own family cannot take.
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
        series=[
            _series(joined, place, places, chances, effects(grid.items, grid.outcomes[:, place], family, conditions))
            for place in range(len(grid.series))
        ],
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
