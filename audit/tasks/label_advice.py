"""Advice for the author of a benchmark of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hansproof.audit.notation import drawn, interval, kappa
from hansproof.audit.result.advice import advice, clear_cues
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.explanation import STAYS, Cue, FormatShare
from hansproof.audit.result.shortcuts import PartialInputs
from hansproof.audit.tasks.shape import Explanation
from hansproof.audit.tasks.spellings import spellings_of
from hansproof.audit.verdict.rule import Judgement

__all__ = ["advise", "advise_on_parts"]

_MOST = 2


def advise_on_parts(partial: PartialInputs | None, settings: Settings) -> list[str]:
    """Advice on parts with a name that predict the answers significantly, with kappa of at least half the threshold.

    Mere sentences give none: the first sentence of a story may well be all that a question is about.
    """
    strong = [
        entry
        for entry in (partial.inputs if partial else ())
        if entry.named and (entry.kappa or 0.0) >= settings.margin and entry.p is not None and entry.p < settings.alpha
    ]
    strong.sort(key=lambda entry: -(entry.kappa or 0.0))
    return [
        advice(
            "LEAK001.part", part=f"{entry.sees[:1].upper()}{entry.sees[1:]}", kappa=kappa(entry.kappa),
            interval=interval(entry.low, entry.high),
        )
        for entry in strong[:_MOST]
    ]  # fmt: skip


def advise(
    judgement: Judgement, cues: Sequence[Cue], counts: Counter[str], more: Explanation, *, alone: bool = True
) -> list[str]:
    """Advice for the verdict and for the format of the texts; empty if there is nothing to repair.

    `counts` says how often each answer occurs, and `alone` whether any n-gram goes with an answer significantly by
    itself: the others are not what to repair. Where answers stand in their prompts by design, an answer is no cue that
    could be taken out.
    """
    cues = cues if alone else ()
    if more.mentions is not None:
        cues = [cue for cue in cues if cue.label.casefold() not in cue.ngram.casefold()]
    # Answers that look like spellings of others come first: merging them changes every number.
    spellings = spellings_of(counts)
    advised = [] if spellings is None else [spellings.sentence]
    if judgement.cued:
        if more.length is not None:
            advised.append(advice("LEAK001.lengths", direction=f"{more.length[:1].upper()}{more.length[1:]}"))
        if _is_format(judgement, more.format_share):
            advised.append(advice("LEAK001.format"))
        if more.mentions is not None:
            advised.append(advice("LEAK001.mentions"))
        advised += _balance(cues, counts)
    if judgement.verdict == "LEAKS":
        level = judgement.vector in ("readability", "length") and more.length is None
        advised += [*([advice("LEAK001.level")] if level else ()), advice("LEAK001.pairs")]
    if judgement.verdict == "TEMPLATE-BOUND":
        advised += [advice("TMPL001.balance"), advice("TMPL001.publish")]
    if judgement.verdict == "IMBALANCED":
        answer, count = counts.most_common(1)[0]
        advised.append(advice("IMBA001.balance", answer=drawn(answer), count=count, items=counts.total()))
    if judgement.verdict == "INCONCLUSIVE":
        advised.append(advice("UNKN001.more"))
    return advised


def _is_format(judgement: Judgement, share: FormatShare | None) -> bool:
    """Whether the format is the cue: it decides the verdict, or kappa falls below half of itself on clean text."""
    kept = share.kept if share is not None else None
    # The probe of format also sees lengths: what stays on clean text is no white space, case or punctuation.
    if kept is None or kept >= STAYS:
        return kept is None and judgement.vector == "format"
    return kept < 0.5 or judgement.vector == "format"


def _balance(cues: Sequence[Cue], counts: Counter[str]) -> list[str]:
    """One sentence per clear cue, with the rate among its items and the base rate."""
    return [
        advice(
            "LEAK001.cue",
            ngram=f"“{drawn(cue.ngram)}”{f' {cue.times} times or more' if cue.times > 1 else ''}",
            hits=cue.count_label,
            count=cue.count,
            answer=drawn(cue.label),
            share=100 * counts[cue.label] / counts.total(),
            otherwise=", or vary the wording" if cue.ngram.strip() else "",
        )
        for cue in clear_cues(cues)
    ]
