"""Models of which nothing can be said: none of the benchmarks that they answered could be audited."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from audit.reliance.records import ModelVerdict, Reliance, RobustDifference
from audit.study.records import Answered, SeriesAccount

__all__ = ["with_undecided"]

AReliance = TypeVar("AReliance", bound=Reliance)


def with_undecided(study: AReliance, answered: Sequence[Answered], reasons: Sequence[str]) -> AReliance:
    """The study with a verdict on every series in `answered`: INCONCLUSIVE where it has none, because all that the
    series answered was not assessed, for `reasons`."""
    known = {(model.model, model.style, model.run) for model in study.models}
    series = {(each.model, each.style, each.run): each for part in answered for each in part.series}
    why = reasons[0] if len(reasons) == 1 else "no benchmark that it answered could be assessed; the notes say why"
    more = [_undecided(each, why) for name, each in series.items() if name not in known]
    return msgspec.structs.replace(study, models=[*study.models, *more])


def _undecided(series: SeriesAccount, why: str) -> ModelVerdict:
    nothing = RobustDifference(estimate=None, reason="no benchmark could be assessed")
    return ModelVerdict(
        model=series.model, style=series.style, run=series.run, family=series.family, verdict="INCONCLUSIVE",
        reason=why, benchmarks=0, measured=0, beyond=nothing, beyond_holm=None, trend=None, errors=nothing,
        errors_holm=None,
    )  # fmt: skip
