"""The rule: the questions in their order, asked of any case, and the case of probes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from hansproof.audit.notation import interval, kappa, per_cent, things
from hansproof.audit.result.audit_result import (
    ClusterCheck,
    Findable,
    SchemeGap,
    SchemeResult,
    Settings,
    VectorResult,
    Verdict,
)
from hansproof.audit.result.record import or_least
from hansproof.audit.verdict.reasons import (
    ALIKE,
    at_least,
    beside_the_majority,
    effect,
    hardest,
    how_many,
    in_prose,
    of_templates,
    what_is_missed,
)

__all__ = [
    "FEWEST_CLUSTERS",
    "FEWEST_GROUPS",
    "GROUPED_SHARE",
    "MOSTLY",
    "MOST_COMMON",
    "Case",
    "Grouping",
    "Judgement",
    "Probes",
    "Suspect",
    "decide_paper",
    "doubt_of",
    "strongest_suspect",
    "suspects",
    "widest",
]

FEWEST_GROUPS, FEWEST_CLUSTERS = 30.0, 10.0
"""Fewest groups, and clusters of similar texts, (effective numbers) that can stand for others."""

GROUPED_SHARE = 0.2
"""Least share of the items that must belong with others before the verdict can be about templates."""

MOSTLY = 1 / 3
"""Share of a kappa that may be left without similar texts, and the rest still be called templates."""


@dataclass(frozen=True)
class Judgement:
    """The verdict, its reason, and the vector and scheme that the reason is about."""

    verdict: Verdict
    reason: str
    vector: str
    scheme: str
    undecided: bool = False
    """INCONCLUSIVE, although a cue is shown: the reason is about its vector."""

    @property
    def cued(self) -> bool:
        """Whether a cue was shown that carries over, so that there is something to repair."""
        return self.undecided or self.verdict in ("LEAKS", "TRACES")


@dataclass(frozen=True)
class Grouping:
    """What the verdict must know of the groups."""

    count: int
    effective: float
    """The number of groups, if all were of one size."""
    share: float
    """Share of the items that belong with at least one other, 0 to 1."""
    declared: bool = False
    """The author named the groups; otherwise they were detected in the texts, or there are none."""


def suspects(scheme: SchemeResult, settings: Settings) -> list[VectorResult]:
    """Counted vectors that leak as far as this scheme can tell, largest kappa first.

    Their matched kappa reaches the threshold, its simultaneous lower bound lies above the margin, and its corrected p
    is below alpha.
    """
    leaks = [
        vector
        for vector in reaching(scheme, settings.threshold)
        if (vector.bound or 0.0) > settings.margin and vector.significant(settings.alpha)
    ]
    return sorted(leaks, key=lambda vector: -(vector.matched or 0.0))


def reached(value: float, threshold: float) -> bool:
    """Whether `value` is at least the threshold, in as many digits as the arithmetic has: .2 is .2."""
    return value >= threshold - 1e-9


def reaching(scheme: SchemeResult, threshold: float) -> list[VectorResult]:
    """Counted vectors with a matched kappa >= `threshold`, significant or not."""
    return [vector for vector in scheme.counted if vector.matched is not None and reached(vector.matched, threshold)]


def strongest(scheme: SchemeResult) -> VectorResult:
    """The counted vector with the largest matched kappa, the first in a tie; undefined ones come last."""
    return max(scheme.counted, key=lambda vector: or_least(vector.matched))


def widest(scheme: SchemeResult) -> VectorResult:
    """The counted vector whose kappa may be the largest, the first in a tie; before all others an undefined one."""
    return max(scheme.counted, key=lambda vector: math.inf if vector.upper is None else vector.upper)


def strongest_suspect(scheme: SchemeResult, settings: Settings) -> str:
    """The first suspect, which the verdict would be about; without any, the counted vector with the largest kappa."""
    return (suspects(scheme, settings) or [strongest(scheme)])[0].vector


class Suspect(NamedTuple):
    """What leaks as far as the folds can tell."""

    name: str
    value: float
    """Its kappa, or its advantage over chance."""
    learns: bool = True
    """What learns nothing cannot remember a text, so nothing is checked of it."""


class Case(ABC):
    """What was measured on one benchmark, as the rule asks for it, whatever was measured.

    The questions in their order, each of which is a method that gives the verdict, or None to ask on:

    1. LEAKS: does it reach the threshold, significantly exceed the margin (half the threshold), and hold when clusters
       of similar texts are left out? If it does not hold: TEMPLATE-BOUND, or INCONCLUSIVE where clusters are few.
    2. TEMPLATE-BOUND: does it do so only while items that belong together straddle the folds?
    3. INCONCLUSIVE: are there too few groups to say?
    4. IMBALANCED: is the most common answer enough, and was nothing else shown to leak?
    5. INCONCLUSIVE: could a leak as large as the threshold have been missed, or may a cue that was found be one?
    6. Only then TRACES, if there is a cue, or CLEAN, which speak only of what was tried, on this many items.

    The error rates of the rule are measured in `benchmarks/`.
    """

    settings: Settings
    grouping: Grouping
    clusters: Sequence[ClusterCheck]
    """The checks of the suspects against clusters of similar texts, up to the first that holds."""
    suspected: Sequence[Suspect]
    """The strongest first."""
    scheme: str = "grouped"
    about: str = ""
    """What is spoken of where there are too few groups."""
    unsaid: str = "what holds of others"
    """What too few groups cannot show."""

    def judged(self) -> Judgement:
        """The first verdict that a question gives; CLEAN if none does."""
        for ask in (self.leaking, self.template_bound, self.too_few, self.imbalanced, self.undecided, self.traced):
            verdict = ask()
            if verdict is not None:
                return verdict
        return self.clean()

    def leaking(self) -> Judgement | None:
        """The first suspect that all of its checks leave leaks; without one, the first is said to have lost most."""
        if not self.suspected or self.grouping.effective < FEWEST_GROUPS:
            return None
        checked = {check.vector for check in self.clusters}
        tried = [at for at, of in enumerate(self.suspected) if of.name in checked or (checked and not of.learns)] or [0]
        lost = [
            [check for check in self.clusters if check.vector == self.suspected[at].name and not check.held]
            for at in tried
        ]
        if [] in lost:
            at = tried[lost.index([])]
            return Judgement("LEAKS", self.leaks(at), self.suspected[at].name, self.scheme)
        first = self.suspected[tried[0]]
        many = [check for check in lost[0] if check.effective >= FEWEST_CLUSTERS]
        worst = min(many or lost[0], key=lambda check: check.kappa)
        gone = bool(many) and worst.kappa <= max(self.settings.margin, first.value * MOSTLY)
        reason = self.lost(tried[0], worst, gone)
        return Judgement("TEMPLATE-BOUND" if gone else "INCONCLUSIVE", reason, first.name, self.scheme)

    def too_few(self) -> Judgement | None:
        """INCONCLUSIVE, because groups are too few to stand for others."""
        count = self.grouping.count
        if self.grouping.effective >= FEWEST_GROUPS:
            return None
        unequal = ", so unequal that they count as fewer" if count >= FEWEST_GROUPS else ""
        reason = f"the items come in {things(count, 'group')}{unequal}: too few to say {self.unsaid}."
        return Judgement("INCONCLUSIVE", reason, self.about, self.scheme)

    @abstractmethod
    def leaks(self, at: int) -> str:
        """The reason of a leak of the suspect in this place."""

    @abstractmethod
    def lost(self, at: int, worst: ClusterCheck, gone: bool) -> str:
        """What is left of it without similar texts; `gone` says that it is next to nothing."""

    @abstractmethod
    def template_bound(self) -> Judgement | None:
        """TEMPLATE-BOUND, because a leak is there only while items of a template are on both sides."""

    @abstractmethod
    def imbalanced(self) -> Judgement | None:
        """IMBALANCED, because the most common answer is enough."""

    @abstractmethod
    def undecided(self) -> Judgement | None:
        """INCONCLUSIVE, because a leak cannot be ruled out."""

    @abstractmethod
    def traced(self) -> Judgement | None:
        """TRACES, because there is a cue weaker than the threshold."""

    @abstractmethod
    def clean(self) -> Judgement:
        """CLEAN."""


MOST_COMMON = "the most common answer"
"""What the simplest rule always gives, where all items share their answers."""

REACH = 1.5
"""CLEAN requires that every kind of injected cue would have been found at a kappa of this many thresholds."""


@dataclass(eq=False)
class Probes(Case):
    """The kappas of matched predictions (medians over splits) of feature vectors.

    A cue changes no doubt: what may hide a leak is INCONCLUSIVE with one and without, so that a weak cue passes where
    CLEAN would and nowhere else. Nothing hides where there is none and no text can give its answer away, as
    `unpredictable` says.
    """

    unsaid = (
        "whether a cue carries over to other groups, or to rule one out. "
        f"At least {FEWEST_GROUPS:.0f} groups of similar size are needed"
    )

    grouped: SchemeResult
    grouping: Grouping
    labels: int | None
    """The number of answers; None where each item has its own options."""
    settings: Settings
    random: SchemeResult | None = None
    """None if too few items belong together for random folds to differ."""
    gap: SchemeGap | None = None
    clusters: Sequence[ClusterCheck] = ()
    findable: Sequence[Findable] = ()
    """The smallest injected cues that would have been found."""
    constant: str = MOST_COMMON
    """What the simplest rule always gives."""
    unpredictable: str = ""
    """Why no text can give its answer away, if that is so (`why_unpredictable`)."""
    unchecked: Mapping[str, str] = field(default_factory=dict)
    """Vectors that were made elsewhere, and what is not known of each, as a clause with its full stop."""

    def __post_init__(self) -> None:
        self.scheme, self.about = self.grouped.scheme, strongest(self.grouped).vector
        # One that cannot be fitted again leaks only where none does of which more is known.
        leaky = suspects(self.grouped, self.settings)
        self.leaky = [leak for leak in leaky if leak.vector not in self.unchecked] or leaky
        self.suspected = [Suspect(leak.vector, leak.matched or 0.0) for leak in self.leaky]
        self.traces = [vector for vector in self.grouped.counted if vector.significant(self.settings.alpha)]
        self.best = max(self.traces, key=lambda vector: vector.matched or 0.0, default=None)
        most = widest(self.grouped)
        self.highest = f"the highest 95 % upper bound of kappa is {kappa(most.upper)} ({most.label})"
        self.doubt = ""
        if self.traces or not self.unpredictable:
            self.doubt = doubt_of(self.grouped, self.settings.threshold, self.findable)

    def judged(self) -> Judgement:
        """With what is not known of predictions that were made elsewhere, if the verdict rests on them."""
        verdict = super().judged()
        if not verdict.cued or verdict.vector not in self.unchecked:
            return verdict
        return replace(verdict, reason=f"{verdict.reason} Of {verdict.vector}: {self.unchecked[verdict.vector]}")

    def leaks(self, at: int) -> str:
        """What a probe predicts, and how many do."""
        best, grouped = self.leaky[at], self.grouped
        unseen = " of items" if self.grouping.count == grouped.scored else " of groups of items"
        unseen = "" if best.vector in self.unchecked else f"{unseen} that it was not trained on"
        reason = f"{effect(best, grouped, unseen)}.{beside_the_majority(best, grouped)}"
        reason += at_least(best) + how_many(self.leaky, grouped.counted)
        return reason + of_templates(self.settings.groups, self.grouping.declared)

    def predicted(self, at: int) -> str:
        """How well the suspect in this place predicts the answers."""
        return effect(self.leaky[at], self.grouped)

    def lost(self, at: int, worst: ClusterCheck, gone: bool) -> str:
        """The kappa with similar texts kept together."""
        left = (
            f"{self.predicted(at)}, but only {kappa(worst.kappa)} is left if texts "
            f"{ALIKE[worst.alike]} stay together ({things(worst.clusters, 'cluster')})"
        )
        if gone:
            whose = "that no declared group covers" if self.grouping.declared else "that were not detected as groups"
            return f"{left}: the probe recognises templates {whose}, not a cue that carries over to other texts."
        return f"{left}: what is a cue and what are templates, only more varied texts can show."

    def template_bound(self) -> Judgement | None:
        """Because the leak under random folds is gone with each group kept together.

        The paired interval of random minus grouped must lie above 0, too; otherwise two kappas either side of the
        threshold would pass for a template effect.
        """
        random, gap, grouped, grouping = self.random, self.gap, self.grouped, self.grouping
        if random is None or gap is None or gap.low <= 0 or grouping.share < GROUPED_SHARE:
            return None
        loose = next(iter(suspects(random, self.settings)), None)
        if loose is None or gap.vector != loose.vector or self._still_there(loose):
            return None
        tight = grouped.find(loose.vector)
        few = f" There are only {things(grouping.count, 'group')}." if grouping.effective < FEWEST_GROUPS else ""
        left = kappa(tight.matched if tight else None)
        if tight is not None and tight.matched_low is not None:
            left += f" {interval(tight.matched_low, tight.matched_high)}"
        reason = (
            f"{effect(loose, random)}, but only while items from the same template are in both the training and the "
            f"test folds. With each group kept together, kappa is {left}: the probe recognises templates, and no cue "
            f"that carries over to new ones was shown.{few}"
        )
        return Judgement("TEMPLATE-BOUND", reason, loose.vector, random.scheme)

    def _still_there(self, loose: VectorResult) -> bool:
        """Whether a cue is shown with each group kept together, and it is more than a small part of `loose`."""
        tight = self.grouped.find(loose.vector)
        if tight is None or not tight.significant(self.settings.alpha):
            return False
        return (tight.matched or 0.0) > max(self.settings.margin, (loose.matched or 0.0) * MOSTLY)

    def imbalanced(self) -> Judgement | None:
        """By the uniform-chance kappa of the most common answer."""
        grouped, threshold, best = self.grouped, self.settings.threshold, self.best
        majority = grouped.majority_uniform
        if majority is None or not reached(majority, threshold):
            return None
        if any(vector in self.traces for vector in reaching(grouped, threshold)):  # it may be a leak
            return None
        if best is not None:
            more = f"but there is a weaker cue: {effect(best, grouped)}."
        elif self.doubt:
            more = f"but these items cannot rule out a leak: {self.doubt}."
        else:
            more = f"and {self.highest}."
        reason = (
            f"always giving {self.constant} is right for {per_cent(grouped.majority_accuracy)} of the items "
            f"(uniform-chance kappa {kappa(majority)}). No probe was shown to leak, {more}"
        )
        return Judgement("IMBALANCED", reason, best.vector if best else grouped.headline, self.scheme)

    def undecided(self) -> Judgement | None:
        """With the size that a cue may have."""
        grouped, threshold, doubt, best = self.grouped, self.settings.threshold, self.doubt, self.best
        if not doubt:
            return None
        if best is None:
            more = _items_wanted(grouped, threshold, self.findable) or " More items would settle it."
            reason = f"no probe is significant, but a leak cannot be ruled out: {doubt}.{more}"
            return Judgement("INCONCLUSIVE", reason, grouped.headline, self.scheme)
        start = "there is a cue, but these items cannot show whether it is a leak:"
        if reached(best.matched or 0.0, threshold):
            size = ", but allowing for the choice of the strongest feature vector, "
            size += f"kappa may be as small as {kappa(best.bound)}"
        elif (best.upper or 0.0) >= threshold:
            size = f", so kappa may be as large as the threshold of {kappa(threshold)}"
        else:
            start, size = "there is a cue, and a leak cannot be ruled out:", f"; {doubt}"
        reason = f"{start} {effect(best, grouped)}{size}. More items would settle it."
        return Judgement("INCONCLUSIVE", reason, best.vector, self.scheme, undecided=True)

    def traced(self) -> Judgement | None:
        """With the strongest significant vector."""
        if self.best is None:
            return None
        count = len(self.traces)
        reason = (
            f"there is a cue, weaker than the threshold of {kappa(self.settings.threshold)}: "
            f"{effect(self.best, self.grouped)}. {count} of {len(self.grouped.counted)} feature vectors "
            f"{'is' if count == 1 else 'are'} significant."
        )
        return Judgement("TRACES", reason, self.best.vector, self.scheme)

    def clean(self) -> Judgement:
        """With what was tried."""
        reason, labels = self.unpredictable, self.labels
        if not reason:
            reason = (
                f"none of {len(self.grouped.counted)} probes trained on these items predicts the "
                f"{'' if labels is None else f'{labels} '}answers: none is significant, and {self.highest}, below the "
                f"threshold of {kappa(self.settings.threshold)}."
            )
            untried = "Combinations of words other than neighbours were not tried (--trees tries them)."
            reason = " ".join(filter(None, [reason, hardest(self.findable), "" if self.settings.trees else untried]))
        return Judgement("CLEAN", reason, self.grouped.headline, self.scheme)


class _OneSplit(Probes):
    """The paper's protocol, under which a leak is what reaches the threshold and is significant, as published."""

    def leaking(self) -> Judgement | None:
        """On its own criterion, without groups."""
        leaks = [leak for leak in reaching(self.grouped, self.settings.threshold) if leak in self.traces]
        if not leaks:
            return None
        best = max(leaks, key=lambda vector: vector.matched or 0.0)
        reason = (
            f"{effect(best, self.grouped)}, on one random split.{how_many(leaks, self.grouped.counted)} Such a split "
            f"cannot tell a surface cue from a template; the grouped protocol can."
        )
        return Judgement("LEAKS", reason, best.vector, self.scheme)

    def clean(self) -> Judgement:
        """By the intervals of the test part."""
        reason = (
            f"every 95 % interval of Cohen's kappa ends below {kappa(self.settings.threshold)} on the test part of one "
            f"random split ({things(self.grouped.scored, 'item')})."
        )
        return Judgement("CLEAN", reason, self.grouped.headline, self.scheme)


def doubt_of(scheme: SchemeResult, threshold: float, findable: Sequence[Findable]) -> str:
    """Why CLEAN would say too much, as a clause; empty if it would not."""
    most = widest(scheme)
    if most.upper is None:
        return f"kappa is undefined for {in_prose(most.label)}"
    if most.upper >= threshold:
        return (
            f"{in_prose(most.label)} has kappa {kappa(most.matched)} and may have as much as "
            f"{kappa(most.upper)}, which includes the threshold of {kappa(threshold)}"
        )
    limit = REACH * threshold
    missed = [cue for cue in findable if cue.kappa is None or cue.kappa > limit]
    if missed:
        return f"{what_is_missed(missed)}; kappa {kappa(limit)} is required"
    return ""


def _items_wanted(scheme: SchemeResult, threshold: float, findable: Sequence[Findable]) -> str:
    """A further sentence: about how many items would rule a leak out where there is none; empty if unknown.

    Errors shrink with the root of the number of items, and the smallest cues that are found nearly so, so that a fifth
    is added. Of so many kappas of nothing the largest is about half an interval above 0, so that its interval ends at a
    whole one.
    """
    shrink = [math.inf if cue.kappa is None else 1.2 * cue.kappa / (REACH * threshold) for cue in findable]
    for vector in scheme.counted:
        half = math.inf if vector.upper is None or vector.matched is None else vector.upper - vector.matched
        shrink.append(2 * half / threshold)
    wanted = scheme.scored * max(shrink) ** 2
    if scheme.scheme == "published":  # more items to test are no help where too few are learnt from
        return " More items in both parts would settle it."
    if math.isinf(wanted):
        return ""
    step = 10 ** (len(str(int(wanted))) - 2)
    return f" About {math.ceil(wanted / step) * step:,} items like these would rule one out, if there is none."


def decide_paper(scheme: SchemeResult, settings: Settings) -> Judgement:
    """The verdict of the paper's protocol, which knows no groups."""
    alone = Grouping(scheme.scored, math.inf, 0.0)
    return _OneSplit(scheme, alone, None, settings).judged()
