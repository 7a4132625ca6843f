"""From the strategies to one word and advice, by the questions of `audit.verdict` in their order.

1. LEAKS: does a strategy beat chance (the best constant, or one of the alternatives that a question offers) by the
   threshold, with a lower bound above the margin, and if it learns, does that hold without clusters of similar texts?
2. TEMPLATE-BOUND: does remembering the other items of a template do so, and nothing else?
3. IMBALANCED: is the best constant itself right for a share of the threshold?
4. INCONCLUSIVE: could a strategy as good as the threshold have been missed, or is a part of the answers not ruled out?
5. Only then TRACES, if a strategy, or a probe of a part of the answers, does better than nothing, or CLEAN, which speak
   of these strategies and of nothing else.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from hansproof.audit.notation import interval, kappa, one_line, p_is, per_cent, things
from hansproof.audit.result.advice import advice
from hansproof.audit.result.audit_result import Settings, Verdict
from hansproof.audit.result.tasks import OpenEnded, PartAudit, StrategyResult, TemplateResult
from hansproof.audit.tasks.open_answers.strategies import ARITHMETIC
from hansproof.audit.texts.sentences import Language
from hansproof.audit.verdict.reasons import ALIKE, of_templates
from hansproof.audit.verdict.rule import FEWEST_GROUPS, MOSTLY, Grouping, Judgement, carried_over

__all__ = ["advise_open", "decide_open", "suspected"]


def suspected(tried: Sequence[StrategyResult], settings: Settings) -> list[StrategyResult]:
    """The strategies that leak as far as single items can tell, the simplest of the best first."""
    # A bound above the margin is above 0, so p is below alpha.
    leaks = [
        way for way in tried
        if (way.advantage or 0.0) >= settings.threshold and (way.bound or 0.0) > settings.margin
    ]  # fmt: skip
    return sorted(leaks, key=lambda way: way is not _simplest(leaks))


def decide_open(record: OpenEnded, grouping: Grouping, language: Language, settings: Settings) -> Judgement:
    """The verdict on open-ended answers to prompts in this language; see the head of this module.

    `record` has its strategies by advantage, largest first.
    """
    threshold = settings.threshold
    leaks = suspected(record.strategies, settings)
    if leaks and grouping.effective >= FEWEST_GROUPS:
        return _leaking(leaks, record, grouping, settings)
    if record.templates is not None and _is_bound(record.templates, record, settings):
        return _judged("TEMPLATE-BOUND", _bound(record.templates, record))
    if grouping.effective < FEWEST_GROUPS:
        return _judged("INCONCLUSIVE", _few(grouping))
    traces = [way for way in record.strategies if way.p_corrected < settings.alpha and (way.advantage or 0.0) > 0]
    best = _simplest(traces) if traces else None
    doubt = _doubt(record, language, threshold)
    reaching = any(way.advantage is not None and way.advantage >= threshold for way in record.strategies)
    if record.constant_exact >= threshold and not record.offered and not reaching:
        return _judged("IMBALANCED", _imbalance(record, best, doubt))
    part = _worst_part(record)
    if part is not None and part.verdict != "TRACES":
        is_open = "whether a part of the answers can be predicted is open"
        sure = is_open if part.verdict == "INCONCLUSIVE" else "a part of the answers can be predicted"
        doubt = doubt or f"{sure} ({part.part}): {part.reason}"
    if doubt:
        known = f"no strategy beats {_chance(record)} significantly"
        if best is not None:
            known = f"there is a shortcut: {_effect(best, record)}"
        reason = f"{known}, but a leak cannot be ruled out: {doubt}"
        return _judged("INCONCLUSIVE", reason, best)
    if best is not None:
        verb = "is" if len(traces) == 1 else "are"
        reason = (
            f"there is a shortcut, weaker than the threshold of {kappa(threshold)}: {_effect(best, record)}. "
            f"{len(traces)} of {len(record.strategies)} strategies {verb} significant."
        )
        return _judged("TRACES", reason, best)
    if part is not None:
        reason = f"no strategy gives whole answers, but a part of them can be predicted ({part.part}): {part.reason}"
        return _judged("TRACES", reason)
    return _judged("CLEAN", _clean(record, threshold))


def _judged(verdict: Verdict, reason: str, way: StrategyResult | None = None) -> Judgement:
    """About a strategy, or about none: the best constant, or a part of the answers."""
    return Judgement(verdict, reason, way.name if way else "", "grouped")


def _leaking(leaks: Sequence[StrategyResult], record: OpenEnded, grouping: Grouping, settings: Settings) -> Judgement:
    """LEAKS if a suspect holds without similar texts; else TEMPLATE-BOUND, or INCONCLUSIVE where clusters are few."""
    checked = {check.vector for check in record.clusters}
    # What learns nothing cannot remember a text, so nothing is checked of it.
    tried = [leak for leak in leaks if leak.kind == "fixed" or leak.name in checked] if checked else leaks[:1]
    at, verdict, worst = carried_over([(leak.name, leak.advantage or 0.0) for leak in tried], record.clusters, settings)
    best = tried[at]
    if worst is None:
        more = f" {len(leaks)} of {len(record.strategies)} strategies leak." if len(leaks) > 1 else ""
        more += of_templates(settings.groups, grouping.declared)
        return _judged("LEAKS", f"{_effect(best, record)}.{more}", best)
    left = (
        f"{_effect(best, record)}, but among {things(worst.clusters, 'cluster')} of texts {ALIKE[worst.alike]} only "
        f"{kappa(worst.kappa)} is left if these stay together"
    )
    if verdict == "TEMPLATE-BOUND":
        reason = f"{left}: it works for templates, and does not carry over to other texts."
    else:
        reason = f"{left}: what is a shortcut and what are templates, only more varied texts can show."
    return _judged(verdict, reason, best)


def _is_bound(templates: TemplateResult, record: OpenEnded, settings: Settings) -> bool:
    """Whether remembering templates leaks, and only a small part of that is shown to work without."""
    value = templates.advantage or 0.0
    if value < settings.threshold or (templates.bound or 0.0) <= settings.margin:
        return False
    return max(way.low or 0.0 for way in record.strategies) <= max(settings.margin, value * MOSTLY)


def _bound(templates: TemplateResult, record: OpenEnded) -> str:
    what = things(templates.count, "group")
    if templates.how == "clusters":
        what = f"{things(templates.count, 'cluster')} of similar texts that were not detected as groups"
    few = f" There are only {what}." if templates.effective < FEWEST_GROUPS else ""
    return (
        f"whoever has seen other items of a template can answer: the answer, place or calculation that was right most "
        f"often in it {_against(templates, record)}. With each template kept together ({what}), no strategy comes "
        f"near that.{few}"
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


def _few(grouping: Grouping) -> str:
    unequal = ", so unequal that they count as fewer" if grouping.count >= FEWEST_GROUPS else ""
    own = "" if grouping.declared else "; if that is not how they were made, name yours with --group"
    return (
        f"the items come in {things(grouping.count, 'group')}{unequal}: too few to say whether a strategy works on "
        f"other groups. At least {FEWEST_GROUPS:.0f} groups of similar size are needed{own}."
    )


def _doubt(record: OpenEnded, language: Language, threshold: float) -> str:
    """Why CLEAN would say too much, to the end of the sentence and what would settle it; empty if it would not."""
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
    if language == "without blanks" and record.answers != "numbers":
        return "the words of these texts are not divided by blanks, so strategies that copy words could not be tried."
    return ""


def _imbalance(record: OpenEnded, best: StrategyResult | None, doubt: str) -> str:
    start = (
        f"always answering “{one_line(record.constant, 40)}” is right for {per_cent(record.constant_exact)} of the "
        f"items, though the answers are open. No strategy was shown to beat that by the threshold"
    )
    if best is not None:
        return f"{start}, but there is a weaker shortcut: {_effect(best, record)}."
    return f"{start}, but these items cannot rule it out: {doubt}" if doubt else f"{start}."


def _clean(record: OpenEnded, threshold: float) -> str:
    highest = max(record.strategies, key=lambda way: way.high or 0.0)
    return (
        f"none of {len(record.strategies)} blind strategies beats {_chance(record, True)}, right for "
        f"{per_cent(record.chance)} of the items: none is significant, and the highest 95 % upper bound of the "
        f"advantage is {kappa(highest.high)} ({highest.name}), below the threshold of {kappa(threshold)}. These "
        f"strategies copy, calculate with the numbers of the prompt, or go by question words, places and cue "
        f"words; others were not looked for, and no probe can learn answers that hardly recur."
    )


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
