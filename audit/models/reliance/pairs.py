"""One model on one benchmark: its accuracy on both parts, and the difference in six ways, from raw to adjusted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.reliance.difficulty import Beyond, beyond, proxy_sides, strata_of_others
from hansproof.audit.models.reliance.estimate import GroupedEstimate, crossed, difference, stratified
from hansproof.audit.models.reliance.likelihood import Answers, answers_of
from hansproof.audit.models.reliance.parts import UNKNOWN, PartedAnswers, agreement_in_error
from hansproof.audit.models.reliance.reliance_records import ErrorAgreement, PairResult
from hansproof.audit.notation import NAMELESS, first_of

__all__ = ["EstimatedPair", "pairs_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Truths = NDArray[np.bool_]

_SHARED = 0.9
"""Of a model's items that another must have answered to help measure their difficulty."""
_NO_OTHERS = "no other model answered these items"
_ONE_SIDED = "the probe is right, or wrong, on all of these items"


@dataclass(frozen=True)
class EstimatedPair:
    """A pair with the estimates behind its record, which families and models average."""

    record: PairResult
    paper: GroupedEstimate | None
    equal_gold: GroupedEstimate | None
    beyond: GroupedEstimate | None
    errors: GroupedEstimate | None

    @property
    def model(self) -> tuple[str, str, str]:
        """What tells a series from others: model, style and run."""
        return self.record.model, self.record.style, self.record.run


def pairs_of(parted: PartedAnswers, left_out: Collection[str] = ()) -> list[EstimatedPair]:
    """Every series of a benchmark that answered any of its items, in their order.

    The difficulty of the items, and which wrong answers tempt, are measured without the models `left_out`.
    """
    answers = answers_of(parted)
    return [
        _pair(parted, place, answers, left_out)
        for place in range(len(parted.series))
        if not np.isnan(parted.right[:, place]).all()
    ]


def _pair(parted: PartedAnswers, place: int, answers: Answers, left_out: Collection[str]) -> EstimatedPair:
    series = parted.series[place]
    family = series.family or series.model
    answered = ~np.isnan(parted.right[:, place])
    absent = [str(model) for model in answers.models if model in left_out and model != series.model]
    chosen = _others(answers, series.model, family, answered, left_out)
    names = answers.models[chosen].tolist()
    use = np.flatnonzero(answered & ~np.isnan(answers.right[:, chosen]).any(axis=1))
    right, probe, gold = parted.right[use, place], parted.probe_right[use], parted.gold[use]
    groups, others = parted.groups[use], answers.right[np.ix_(use, chosen)]
    sides = proxy_sides(answers.families[chosen], family)
    # The paper's numbers do without other models, so they are of all items that this one answered.
    every = np.flatnonzero(answered)
    chance = parted.chance[every]
    corrected = (parted.right[every, place] - chance) / (1 - chance)
    every_probe = parted.probe_right[every]
    paper = stratified(corrected, every_probe, parted.groups[every])
    raw = stratified(parted.right[every, place], every_probe, parted.groups[every])
    equal = stratified(parted.right[every, place], every_probe, parted.groups[every], parted.gold[every])
    if names:
        alike = strata_of_others(others)
        among = stratified(right, probe, groups, alike)
        among_both = stratified(right, probe, groups, crossed(alike, gold))
        strata = gold if parted.topics is None else crossed(gold, parted.topics[use])
        past = beyond(right, others, sides, probe, groups, strata, float(parted.chance[use].mean()))
    else:
        among = among_both = None
        past = Beyond(None, None, _NO_OTHERS)
    unmeasured = (
        f"without {first_of([name or NAMELESS for name in absent])}, {past.reason}"
        if absent and past.reason
        else past.reason
    )
    errors, excess = _errors(parted, place, every, names, sides)
    undefined = "" if 0 < every_probe.sum() < len(every) else _ONE_SIDED
    record = PairResult(
        benchmark=parted.about.benchmark, model=series.model, style=series.style, run=series.run,
        family=family, shortcut=parted.about.shortcut, ruled_out=parted.about.ruled_out,
        items=len(every), shared_items=len(use) if names else 0, accuracy=_mean(corrected),
        on_right=_mean(corrected[every_probe > 0]),
        on_wrong=_mean(corrected[every_probe < 1]),
        paper=difference(paper, undefined), raw=difference(raw, undefined), equal_gold=difference(equal, undefined),
        equal_others=difference(among, "" if names else _NO_OTHERS),
        equal_gold_others=difference(among_both, "" if names else _NO_OTHERS),
        beyond=difference(past.estimate, unmeasured), within_topics=parted.topics is not None, others=len(names),
        measurable=past.measurable, errors=errors,
    )  # fmt: skip
    return EstimatedPair(record, paper, equal, past.estimate, excess)


def _others(answers: Answers, model: str, family: str, answered: Truths, left_out: Collection[str]) -> Truths:
    """Which of the M models difficulty is measured with.

    Those of other families, if these are several. If they are one, whose members may share mistakes, its difficulty is
    theirs alone: the model's own family has to stand beside it.
    """
    known = ~np.isnan(answers.right[answered])
    usable = (known.mean(axis=0) >= _SHARED) & (answers.models != model) & ~np.isin(answers.models, list(left_out))
    foreign = usable & (answers.families != family)
    return foreign if len(np.unique(answers.families[foreign])) > 1 else np.asarray(usable)


def _errors(
    parted: PartedAnswers, place: int, every: Ints, names: list[str], sides: Sequence[Truths]
) -> tuple[ErrorAgreement | None, GroupedEstimate | None]:
    """`names` are the J other models whose wrong answers say what is to be expected, `sides` as `proxy_sides` has."""
    if parted.said is None or parted.predicted is None or parted.about.labels == 2:
        return None, None
    if not (parted.chance > 0).all():
        return None, None  # open answers: wrong ones are hardly ever the same
    wrong = np.where(parted.right < 0.5, parted.said, UNKNOWN)[every]
    columns = [[at for at, series in enumerate(parted.series) if series.model == name] for name in names]
    return agreement_in_error(
        parted.said[every, place],
        parted.predicted[every],
        [wrong[:, own] for own in columns],
        sides,
        (parted.right[every, place] < 0.5) & (parted.probe_right[every] < 0.5),
        parted.gold[every],
        np.rint(1 / parted.chance[every]).astype(np.int64),
        parted.groups[every],
    )


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None
