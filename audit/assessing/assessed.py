"""What is known of a benchmark once it has a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from audit.probes.kappas import MeasuredScheme, S
from audit.result.audit_result import ClusterCheck, Findable, SchemeGap
from audit.result.explanation import FormatShare, Mentions
from audit.result.shortcuts import Ladder, PartialInputs, SingleNgrams
from audit.verdict.rule import Judgement

__all__ = ["Assessed", "Explanation"]


@dataclass(frozen=True)
class Assessed(Generic[S]):
    """The measurements that a verdict rests on, and the verdict."""

    schemes: list[MeasuredScheme[S]]
    """`grouped` and `random`, `grouped` alone if too few items belong together, `paper`, or `published`."""
    judgement: Judgement
    gap: SchemeGap | None = None
    clusters: tuple[ClusterCheck, ...] = ()
    findable: tuple[Findable, ...] = ()

    @property
    def deciding(self) -> MeasuredScheme[S]:
        """The scheme that the verdict is about."""
        return next(scheme for scheme in self.schemes if scheme.result.scheme == self.judgement.scheme)

    @property
    def one_run(self) -> bool:
        """Whether one run served both schemes, because no group holds two different texts."""
        return len(self.schemes) == 2 and self.schemes[0].scores is self.schemes[1].scores


@dataclass(frozen=True)
class Explanation:
    """What is looked at once there is a verdict; None where it was not, or where there is nothing to say."""

    format_share: FormatShare | None = None
    mentions: Mentions | None = None
    partial: PartialInputs | None = None
    ladder: Ladder | None = None
    single_ngrams: SingleNgrams | None = None
    length: str | None = None
    """Which way the length of the texts points, where it is the simplest cue that is enough."""
