"""From the strategies to one word, by the questions of `audit.verdict` in their order, asked of the advantage.

1. LEAKS: does a strategy beat chance (the best constant, or one of the alternatives that a question offers) by the
   threshold, with a lower bound above the margin, and does that hold when clusters of similar texts are left out?
2. TEMPLATE-BOUND: does remembering the other items of a template do so, and nothing else?
3. IMBALANCED: is the best constant itself right for a share of the threshold?
4. INCONCLUSIVE: could a strategy as good as the threshold have been missed, or is a part of the answers not ruled out?
5. Only then TRACES, if a strategy, or a probe of a part of the answers, does better than nothing, or CLEAN, which speak
   of these strategies and of nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hansproof.audit.notation import interval, kappa, p_is, per_cent, things
from hansproof.audit.result.audit_result import Settings, Verdict
from hansproof.audit.result.tasks import OpenEnded, PartAudit, StrategyResult, TemplateResult
from hansproof.audit.tasks.open_answers.strategies import Language
from hansproof.audit.verdict.reasons import ALIKE, of_templates
from hansproof.audit.verdict.rule import FEWEST_CLUSTERS, FEWEST_GROUPS, MOSTLY

__all__ = ["Decision", "Evidence", "decide_open", "suspected"]

_SHOWN = 40


@dataclass(frozen=True)
class Decision:
    """The verdict, its reason, and the strategy that it is about; None for the best constant."""

    verdict: Verdict
    reason: str
    strategy: str | None


@dataclass(frozen=True)
class Evidence:
    """All that the verdict depends on."""

    record: OpenEnded
    """Its strategies by advantage, largest first, and its clusters in the order of the suspects."""
    groups: int
    effective: float
    """Number of groups, and how many they would be if all were of one size."""
    language: Language = "English"
    detected: bool = False
    """The groups were looked for in the texts, not named by the author."""


def suspected(tried: Sequence[StrategyResult], settings: Settings) -> list[StrategyResult]:
    """The strategies that leak as far as single items can tell, the simplest of the best first."""
    # A bound above the margin is above 0, so p is below alpha.
    leaks = [
        way for way in tried
        if (way.advantage or 0.0) >= settings.threshold and (way.bound or 0.0) > settings.margin
    ]  # fmt: skip
    return sorted(leaks, key=lambda way: way is not _simplest(leaks))


def decide_open(evidence: Evidence, settings: Settings) -> Decision:
    """The verdict on open-ended answers; see the head of this module."""
    record, threshold = evidence.record, settings.threshold
    leaks = suspected(record.strategies, settings)
    if leaks and evidence.effective >= FEWEST_GROUPS:
        return _leaking(leaks, evidence, settings)
    if record.templates is not None and _is_bound(record.templates, evidence, settings):
        return Decision("TEMPLATE-BOUND", _bound(record.templates, record), None)
    if evidence.effective < FEWEST_GROUPS:
        return Decision("INCONCLUSIVE", _few(evidence, threshold), None)
    traces = [way for way in record.strategies if way.p_corrected < settings.alpha and (way.advantage or 0.0) > 0]
    best = _simplest(traces) if traces else None
    doubt = _doubt(evidence, threshold)
    reaching = any(way.advantage is not None and way.advantage >= threshold for way in record.strategies)
    if record.constant_exact >= threshold and not record.offered and not reaching:
        return Decision("IMBALANCED", _imbalance(record, best, doubt), None)
    if doubt := doubt or _doubt_of_parts(record):
        known = f"no strategy beats {_chance(record)} significantly"
        if best is not None:
            known = f"there is a shortcut: {_effect(best, record)}"
        reason = f"{known}, but a leak cannot be ruled out: {doubt}"
        return Decision("INCONCLUSIVE", reason, best.name if best else None)
    if best is not None:
        verb = "is" if len(traces) == 1 else "are"
        reason = (
            f"there is a shortcut, weaker than the threshold of {kappa(threshold)}: {_effect(best, record)}. "
            f"{len(traces)} of {len(record.strategies)} strategies {verb} significant.{_baseline(record)}"
        )
        return Decision("TRACES", reason, best.name)
    if weak := [part for part in record.parts if part.verdict == "TRACES"]:
        part = _strongest(weak)
        reason = f"no strategy gives whole answers, but a part of them can be predicted ({part.part}): {part.reason}"
        return Decision("TRACES", reason, None)
    return Decision("CLEAN", _clean(evidence, threshold), None)


def _leaking(leaks: Sequence[StrategyResult], evidence: Evidence, settings: Settings) -> Decision:
    """LEAKS if a suspect holds without similar texts; else TEMPLATE-BOUND, or INCONCLUSIVE where clusters are few."""
    record = evidence.record
    checks = {leak.name: [check for check in record.clusters if check.strategy == leak.name] for leak in leaks}
    tried = [leak for leak in leaks if checks[leak.name]] or leaks[:1]
    best = next((leak for leak in tried if all(check.held for check in checks[leak.name])), tried[0])
    lost = [check for check in checks[best.name] if not check.held]
    if not lost:
        more = f" {len(leaks)} of {len(record.strategies)} strategies leak." if len(leaks) > 1 else ""
        more += of_templates(settings.groups, not evidence.detected)
        return Decision("LEAKS", f"{_effect(best, record)}.{more}{_baseline(record)}", best.name)
    enough = [check for check in lost if check.effective >= FEWEST_CLUSTERS]
    worst = min(enough or lost, key=lambda check: check.advantage)
    without = (
        "without the one of these clusters in which it is best" if best.kind == "fixed" else "if these stay together"
    )
    left = (
        f"{_effect(best, record)}, but among {things(worst.clusters, 'cluster')} of texts {ALIKE[worst.alike]} only "
        f"{kappa(worst.advantage)} is left {without}"
    )
    if enough and worst.advantage <= max(settings.margin, (best.advantage or 0.0) * MOSTLY):
        reason = f"{left}: it works for templates, and does not carry over to other texts."
        return Decision("TEMPLATE-BOUND", reason, best.name)
    reason = f"{left}: what is a shortcut and what are templates, only more varied texts can show."
    return Decision("INCONCLUSIVE", reason, best.name)


def _is_bound(templates: TemplateResult, evidence: Evidence, settings: Settings) -> bool:
    """Whether remembering templates leaks, and what works without that is only a small part of it."""
    value = templates.advantage or 0.0
    leaks = value >= settings.threshold and (templates.bound or 0.0) > settings.margin
    if not leaks or (templates.over_others or 0.0) <= 0:
        return False
    # Few groups say nothing of a strategy.
    known = evidence.record.strategies if evidence.effective >= FEWEST_GROUPS else []
    others = [way.advantage or 0.0 for way in known if way.p_corrected < settings.alpha]
    return max(others, default=0.0) <= max(settings.margin, value * MOSTLY)


def _bound(templates: TemplateResult, record: OpenEnded) -> str:
    what = things(templates.count, "group")
    if templates.how == "clusters":
        what = f"{things(templates.count, 'cluster')} of similar texts that were not detected as groups"
    few = f" There are only {what}." if templates.effective < FEWEST_GROUPS else ""
    return (
        f"whoever has seen other items of a template can answer: {templates.description} "
        f"{_against(templates, record)}. With each template kept together ({what}), no strategy comes near that.{few}"
    )


def _doubt_of_parts(record: OpenEnded) -> str:
    """That a part of the answers leaks, or may: no strategy here says how far that goes to whole answers; or empty.

    Frequent answers are no part of a structure: that probes cannot settle which of them it is says nothing new.
    """
    guilty = [part for part in record.parts if part.verdict == "LEAKS"]
    guilty += [part for part in record.parts if part.verdict == "TEMPLATE-BOUND" and part.option]
    if guilty:
        worst = _strongest(guilty)
        return f"a part of the answers can be predicted ({worst.part}): {worst.reason}"
    unsettled = [part for part in record.parts if part.verdict == "INCONCLUSIVE" and part.option]
    if unsettled:
        return f"whether a part of the answers can be predicted is open ({unsettled[0].part}): {unsettled[0].reason}"
    return ""


def _strongest(parts: Sequence[PartAudit]) -> PartAudit:
    return max(parts, key=lambda part: part.kappa or 0.0)


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
    return f"the best constant ({_short(record.constant)})" if shown else "the best constant"


def _named(way: StrategyResult) -> str:
    return f"the strategy “{way.name}” ({way.description})"


def _baseline(record: OpenEnded) -> str:
    if not record.place.by_design:
        return ""
    return " The answers stand in their prompts by design; a reader who only copies is a baseline all the same."


def _few(evidence: Evidence, threshold: float) -> str:
    unequal = ", so unequal that they count as fewer" if evidence.groups >= FEWEST_GROUPS else ""
    own = "; if that is not how they were made, name yours with --group" if evidence.detected else ""
    templates, known = evidence.record.templates, ""
    if templates is not None and (templates.advantage or 0.0) >= threshold:
        what = "answer is common" if templates.name.startswith("answer") else "place or calculation is right"
        known = (
            f" A solver that remembers which {what} in each template gets {per_cent(templates.exact)} right; with "
            f"{things(templates.count, 'template')} this cannot be tested."
        )
    return (
        f"the items come in {things(evidence.groups, 'group')}{unequal}: too few to say whether a strategy works on "
        f"other groups. At least {FEWEST_GROUPS:.0f} groups of similar size are needed{own}.{known}"
    )


def _doubt(evidence: Evidence, threshold: float) -> str:
    """Why CLEAN would say too much, to the end of the sentence and what would settle it; empty if it would not."""
    record = evidence.record
    widest = max(record.strategies, key=lambda way: 1.0 if way.high is None else way.high)
    if widest.high is None or widest.high >= threshold:
        return (
            f"{_named(widest)} has an advantage of {kappa(widest.advantage)} with a 95 % interval up to "
            f"{kappa(widest.high)}, which includes the threshold of {kappa(threshold)}. More items would settle it."
        )
    # What learns gives other golds, which share the wording of all answers: that is no partial knowledge.
    near = max((way for way in record.strategies if way.kind == "fixed"), key=lambda way: way.f1, default=None)
    room = 1 - record.chance_f1
    if near is not None and room > 0 and (near.f1 - record.chance_f1) / room >= threshold:
        return (
            f"{_named(near)} is right for {per_cent(near.exact)} of the items, but shares words with many more answers "
            f"(mean token F1 {kappa(near.f1)}, against {kappa(record.chance_f1)} for {_chance(record)})."
        )
    if evidence.language == "without blanks" and record.answers != "numbers":
        return "the words of these texts are not divided by blanks, so strategies that copy words could not be tried."
    return ""


def _imbalance(record: OpenEnded, best: StrategyResult | None, doubt: str) -> str:
    start = (
        f"always answering {_short(record.constant)} is right for {per_cent(record.constant_exact)} of the items, "
        f"though the answers are open. No strategy was shown to beat that by the threshold"
    )
    if best is not None:
        return f"{start}, but there is a weaker shortcut: {_effect(best, record)}."
    return f"{start}, but these items cannot rule it out: {doubt}" if doubt else f"{start}."


def _clean(evidence: Evidence, threshold: float) -> str:
    record = evidence.record
    highest = max(record.strategies, key=lambda way: way.high or 0.0)
    left = sum(part.verdict is None for part in record.parts)
    were = "is labels was" if left == 1 else "are labels were"
    unaudited = f" {things(left, 'part')} of the answers that {were} not audited."
    foreign = ""
    if evidence.language != "English":
        foreign = (
            " The texts do not look English; question words, key words and number words are known in English only."
        )
    return (
        f"none of {len(record.strategies)} blind strategies beats {_chance(record, True)}, right for "
        f"{per_cent(record.chance)} of the items: none is significant, and the highest 95 % upper bound of the "
        f"advantage is {kappa(highest.high)} ({highest.name}), below the threshold of {kappa(threshold)}. These "
        f"strategies copy, count, calculate with the numbers of the prompt, or go by question words, places and cue "
        f"words; others were not looked for, and no probe can learn answers that hardly recur."
        f"{foreign}{unaudited if left else ''}"
    )


def _short(text: str) -> str:
    text = " ".join(text.split())
    return f"“{text if len(text) <= _SHOWN else text[: _SHOWN - 1] + '…'}”"
