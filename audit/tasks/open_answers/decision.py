"""From the strategies to one word, by the questions of `audit.verdict.rule`, and to advice."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from hansproof.audit.notation import interval, kappa, one_line, p_is, per_cent, things
from hansproof.audit.result.advice import advice
from hansproof.audit.result.audit_result import ClusterCheck, Settings, Verdict
from hansproof.audit.result.tasks import OpenEnded, PartAudit, StrategyResult, TemplateResult
from hansproof.audit.tasks.open_answers.strategies import ARITHMETIC
from hansproof.audit.texts.sentences import Language
from hansproof.audit.verdict.reasons import ALIKE, of_templates
from hansproof.audit.verdict.rule import FEWEST_GROUPS, MOSTLY, Case, Grouping, Judgement, Suspect, reached

__all__ = ["Strategies", "advise_open", "suspected", "traces_of"]


def suspected(tried: Sequence[StrategyResult], settings: Settings) -> list[Suspect]:
    """The strategies that leak as far as single items can tell, the simplest of the best first."""
    # A bound above the margin is above 0, so p is below alpha.
    leaks = [
        way for way in tried
        if reached(way.advantage or 0.0, settings.threshold) and (way.bound or 0.0) > settings.margin
    ]  # fmt: skip
    first = sorted(leaks, key=lambda way: way is not _simplest(leaks))
    return [Suspect(way.name, way.advantage or 0.0, way.kind == "learnt") for way in first]


def traces_of(tried: Sequence[StrategyResult], settings: Settings) -> list[StrategyResult]:
    """The strategies that are significantly better than chance."""
    return [way for way in tried if way.p_corrected < settings.alpha and (way.advantage or 0.0) > 0]


class Strategies(Case):
    """The advantages of blind strategies over chance: the best constant, or one of the alternatives on offer."""

    def __init__(self, record: OpenEnded, grouping: Grouping, language: Language, settings: Settings) -> None:
        """`record` has its strategies by advantage, largest first; `language` is that of the prompts."""
        self.record, self.grouping, self.settings, self.clusters = record, grouping, settings, record.clusters
        self.suspected = suspected(record.strategies, settings)
        self.traces = traces_of(record.strategies, settings)
        self.best = _simplest(self.traces) if self.traces else None
        own = "" if grouping.declared else "; if that is not how they were made, name yours with --group"
        needed = f"At least {FEWEST_GROUPS:.0f} groups of similar size are needed{own}"
        self.unsaid = f"whether a strategy works on other groups. {needed}"
        self.doubt = _doubt(record, language, settings.threshold)
        self.part = _worst_part(record)

    def _judged(self, verdict: Verdict, reason: str, way: StrategyResult | None = None) -> Judgement:
        """About a strategy, or about none: the best constant, or a part of the answers."""
        return Judgement(verdict, reason, way.name if way else "", self.scheme)

    def _effect(self, at: int) -> str:
        name = self.suspected[at].name
        return _effect(next(way for way in self.record.strategies if way.name == name), self.record)

    def leaks(self, at: int) -> str:
        """What a strategy reaches, and how many leak."""
        many = len(self.suspected)
        more = f" {many} of {len(self.record.strategies)} strategies leak." if many > 1 else ""
        return f"{self._effect(at)}.{more}{of_templates(self.settings.groups, self.grouping.declared)}"

    def lost(self, at: int, worst: ClusterCheck, gone: bool) -> str:
        """The advantage with similar texts kept together."""
        left = (
            f"{self._effect(at)}, but among {things(worst.clusters, 'cluster')} of texts {ALIKE[worst.alike]} only "
            f"{kappa(worst.kappa)} is left if these stay together"
        )
        if gone:
            return f"{left}: it works for templates, and does not carry over to other texts."
        return f"{left}: what is a shortcut and what are templates, only more varied texts can show."

    def template_bound(self) -> Judgement | None:
        """Because remembering templates leaks, and only a small part of that is shown to work without."""
        templates, record, margin = self.record.templates, self.record, self.settings.margin
        value = (templates.advantage or 0.0) if templates else 0.0
        if templates is None or not reached(value, self.settings.threshold) or (templates.bound or 0.0) <= margin:
            return None
        if max(way.low or 0.0 for way in record.strategies) > max(margin, value * MOSTLY):
            return None
        what = things(templates.count, "group")
        if templates.how == "clusters":
            what = f"{things(templates.count, 'cluster')} of similar texts that were not detected as groups"
        few = f" There are only {what}." if templates.effective < FEWEST_GROUPS else ""
        return self._judged(
            "TEMPLATE-BOUND",
            f"whoever has seen other items of a template can answer: the answer, place or calculation that was right "
            f"most often in it {_against(templates, record)}. With each template kept together ({what}), no strategy "
            f"comes near that.{few}",
        )

    def imbalanced(self) -> Judgement | None:
        """By the share of the best constant."""
        record, threshold = self.record, self.settings.threshold
        reaching = any(way.advantage is not None and reached(way.advantage, threshold) for way in record.strategies)
        if not reached(record.constant_exact, threshold) or record.offered or reaching:
            return None
        reason = (
            f"always answering “{one_line(record.constant, 40)}” is right for {per_cent(record.constant_exact)} of the "
            f"items, though the answers are open. No strategy was shown to beat that by the threshold"
        )
        if self.best is not None:
            reason += f", but there is a weaker shortcut: {_effect(self.best, record)}."
        else:
            reason += f", but these items cannot rule it out: {self.doubt}" if self.doubt else "."
        return self._judged("IMBALANCED", reason)

    def undecided(self) -> Judgement | None:
        """Or because of a part of the answers."""
        record, part, doubt = self.record, self.part, self.doubt
        if not doubt and part is not None and part.verdict != "TRACES":
            is_open = "whether a part of the answers can be predicted is open"
            sure = is_open if part.verdict == "INCONCLUSIVE" else "a part of the answers can be predicted"
            doubt = f"{sure} ({part.part}): {part.reason}"
        if not doubt:
            return None
        known = f"no strategy beats {_chance(record)} significantly"
        if self.best is not None:
            known = f"there is a shortcut: {_effect(self.best, record)}"
        return self._judged("INCONCLUSIVE", f"{known}, but a leak cannot be ruled out: {doubt}", self.best)

    def traced(self) -> Judgement | None:
        """With the best strategy, or with a part of the answers."""
        record, part, count = self.record, self.part, len(self.traces)
        if self.best is not None:
            reason = (
                f"there is a shortcut, weaker than the threshold of {kappa(self.settings.threshold)}: "
                f"{_effect(self.best, record)}. {count} of {len(record.strategies)} strategies "
                f"{'is' if count == 1 else 'are'} significant."
            )
            return self._judged("TRACES", reason, self.best)
        if part is None:
            return None
        reason = f"no strategy gives whole answers, but a part of them can be predicted ({part.part}): {part.reason}"
        return self._judged("TRACES", reason)

    def clean(self) -> Judgement:
        """With what was tried."""
        record = self.record
        highest = max(record.strategies, key=lambda way: way.high or 0.0)
        return self._judged(
            "CLEAN",
            f"none of {len(record.strategies)} blind strategies beats {_chance(record, True)}, right for "
            f"{per_cent(record.chance)} of the items: none is significant, and the highest 95 % upper bound of the "
            f"advantage is {kappa(highest.high)} ({highest.name}), below the threshold of "
            f"{kappa(self.settings.threshold)}. These strategies copy, calculate with the numbers of the prompt, or go "
            f"by question words, places and cue words; others were not looked for, and no probe can learn answers that "
            f"hardly recur.",
        )


def _worst_part(record: OpenEnded) -> PartAudit | None:
    """The part of the answers that keeps them from being CLEAN: one that leaks, or may, before one with traces."""
    order = ("LEAKS", "TEMPLATE-BOUND", "INCONCLUSIVE", "TRACES")
    bad = [part for part in record.parts if part.verdict in order]
    return min(bad, key=lambda part: (order.index(part.verdict or ""), -(part.kappa or 0.0)), default=None)


def _simplest(ways: Sequence[StrategyResult]) -> StrategyResult:
    """The best that learns nothing, if within a tenth of the best; else the best."""
    plain = [way for way in ways if way.kind == "fixed" and (way.advantage or 0.0) >= 0.9 * (ways[0].advantage or 0.0)]
    return (plain or ways)[0]


def _effect(way: StrategyResult, record: OpenEnded) -> str:
    return f"{_named(way)} {_against(way, record)}"


def _against(result: StrategyResult | TemplateResult, record: OpenEnded) -> str:
    return (
        f"is right for {per_cent(result.exact)} of the items, against {per_cent(record.chance)} for "
        f"{_chance(record, True)}: advantage {kappa(result.advantage)} (95 % interval "
        f"{interval(result.low, result.high)}, corrected {p_is(result.p_corrected)})"
    )


def _chance(record: OpenEnded, shown: bool = False) -> str:
    """What chance is; with the most common answer, if it is `shown`."""
    if record.offered:
        return "guessing among the alternatives that the questions offer"
    return f"the best constant (“{one_line(record.constant, 40)}”)" if shown else "the best constant"


def _named(way: StrategyResult) -> str:
    return f"the strategy “{way.name}” ({way.description})"


def _doubt(record: OpenEnded, language: Language, threshold: float) -> str:
    """Why CLEAN would say too much, to the end of the sentence and what would settle it; empty if it would not."""
    widest = max(record.strategies, key=lambda way: 1.0 if way.high is None else way.high)
    if widest.high is None or reached(widest.high, threshold):
        return (
            f"{_named(widest)} has an advantage of {kappa(widest.advantage)} with a 95 % interval up to "
            f"{kappa(widest.high)}, which includes the threshold of {kappa(threshold)}. More items would settle it."
        )
    # What learns gives other golds, which share the wording of all answers: that is no partial knowledge.
    near = max((way for way in record.strategies if way.kind == "fixed"), key=lambda way: way.f1, default=None)
    room = 1 - record.chance_f1
    if near is not None and room > 0 and reached((near.f1 - record.chance_f1) / room, threshold):
        return (
            f"{_named(near)} is right for {per_cent(near.exact)} of the items, but shares words with many more answers "
            f"(mean token F1 {kappa(near.f1)}, against {kappa(record.chance_f1)} for {_chance(record)})."
        )
    if language == "without blanks" and record.answers != "numbers":
        return "the words of these texts are not divided by blanks, so strategies that copy words could not be tried."
    return ""


def advise_open(verdict: Verdict, record: OpenEnded) -> list[str]:
    """Advice for the verdict and for the parts of the answers; empty if there is nothing to repair."""
    advised = []
    way = next((way for way in record.strategies if way.name == record.strategy), None)
    if verdict in ("LEAKS", "TRACES", "INCONCLUSIVE") and way is not None:
        advised.append(advice(f"LEAK002.{_family(way)}"))
        advised.append(advice("LEAK002.baseline", strategy=way.name, accuracy=per_cent(way.exact)))
    if verdict == "TEMPLATE-BOUND":
        advised += [advice("TMPL002.vary"), advice("TMPL001.publish")]
    if verdict == "IMBALANCED":
        advised.append(advice("IMBA002.vary", answer=record.constant, share=per_cent(record.constant_exact)))
    bad = ("LEAKS", "TEMPLATE-BOUND")  # more items would not settle what a part of the answers shows
    if verdict == "INCONCLUSIVE" and not any(part.verdict in bad for part in record.parts):
        advised.append(advice("UNKN001.more"))
    open_parts = [part for part in record.parts if part.verdict in (None, *bad)]
    if open_parts:
        names = ", ".join(part.part for part in open_parts[:3]) + (" ..." if len(open_parts) > 3 else "")
        advised.append(advice("LEAK002.parts", names=names, option=shlex.quote(open_parts[0].option)))
    return advised


def _family(way: StrategyResult) -> str:
    if "alternative" in way.name:
        return "alternative"
    if way.kind != "fixed":
        return "learnt"
    return "arithmetic" if way.name in ARITHMETIC and not way.name.endswith("number") else "copy"
