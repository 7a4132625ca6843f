"""Advice for the author of a benchmark of labels, and answers that look like spellings of one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hansproof.audit.notation import drawn, interval, kappa
from hansproof.audit.result.advice import advice, clear_cues
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.explanation import STAYS, Cue, FormatShare
from hansproof.audit.result.shortcuts import PartialInputs
from hansproof.audit.statistics.kappa import common_answers
from hansproof.audit.tasks.shape import Explanation
from hansproof.audit.verdict.rule import Judgement, reached

__all__ = ["advise", "advise_on_parts", "minding_spellings", "spellings_of"]

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
            ngram=f"“{drawn(cue.ngram)}”{cue.often}",
            hits=cue.count_label,
            count=cue.count,
            answer=drawn(cue.label),
            share=100 * counts[cue.label] / counts.total(),
            otherwise=", or vary the wording" if cue.ngram.strip() else "",
        )
        for cue in clear_cues(cues)
    ]


# The more answers, the smaller the chance that imbalance is held to. Four spellings of yes and no are four answers to
# an audit, and always giving the most common one then beats a chance of 1/4. An imbalance that is gone once spellings
# are merged is therefore not reported as one.

_SHORTEST, _LONGEST, _TIMES = 3, 40, 10
"""Letters of a slip and of the answer meant, and how often that must occur for a single other one to be a slip."""
_SHOWN = 3


@dataclass(frozen=True)
class Spellings:
    """Answers that may be meant to be the same."""

    answers: int
    """Different answers as written."""
    folded: list[list[str]]
    """Those that differ only in case or white space."""
    slips: list[tuple[str, str]]
    """(answer that occurs once, common answer that is a letter away)."""
    merged: list[int]
    """How often each answer occurs once these are merged."""

    @property
    def sentence(self) -> str:
        """Which answers look alike and what to do: without a capital, because a number begins it."""
        parts = []
        if self.folded:
            shown = ["/".join(repr(drawn(label)) for label in labels[:_SHOWN]) for labels in self.folded]
            parts.append(f"{_listed(shown)} differ only in case or white space")
        if self.slips:
            shown = [f"{drawn(slip)!r} ({drawn(meant)!r}?)" for slip, meant in self.slips]
            parts.append(f"{_listed(shown)} {'occurs' if len(shown) == 1 else 'occur'} once")
        return (
            f"{self.answers:,} answers, but {', and '.join(parts)}: merge them and audit again (this verdict counts "
            f"them apart)."
        )


def spellings_of(counts: Mapping[str, int]) -> Spellings | None:
    """The answers among `counts` (how often each occurs) that look like spellings of others; None if none does."""
    by_folded: dict[str, list[str]] = {}
    for label in sorted(counts):
        by_folded.setdefault(" ".join(label.casefold().split()), []).append(label)
    merged = Counter({key: sum(counts[label] for label in labels) for key, labels in by_folded.items()})
    near: dict[str, str] = {}
    for key in sorted(merged, key=lambda key: (-merged[key], key)):
        if merged[key] >= _TIMES and _is_word(key):
            for variant in _variants(key):
                near.setdefault(variant, key)
    slips = []
    for key in [key for key, count in merged.items() if count == 1 and _is_word(key)]:
        meant = next((near[variant] for variant in _variants(key) if variant in near), None)
        if meant is not None:
            slips.append((by_folded[key][0], max(by_folded[meant], key=lambda label: counts[label])))
            merged[meant] += merged.pop(key)
    folded = [labels for labels in by_folded.values() if len(labels) > 1]
    if not folded and not slips:
        return None
    return Spellings(len(counts), folded, slips, sorted(merged.values(), reverse=True))


def minding_spellings(judgement: Judgement, answers: Iterable[str], threshold: float) -> Judgement:
    """The judgement; INCONCLUSIVE instead of IMBALANCED where merging spellings leaves no imbalance."""
    if judgement.verdict != "IMBALANCED":
        return judgement
    counts = Counter(answers)
    spellings = spellings_of(counts)
    if spellings is None:
        return judgement
    apart, merged = (_imbalance(list(of)) for of in (counts.values(), spellings.merged))
    if reached(merged, threshold):
        return replace(judgement, reason=f"{judgement.reason} There are {spellings.sentence}")
    reason = (
        f"there are {spellings.sentence} Counted apart, always giving the most common answer has a uniform-chance "
        f"kappa of {kappa(apart)}; merged, of {kappa(merged)}, below the threshold of {kappa(threshold)}."
    )
    return replace(judgement, verdict="INCONCLUSIVE", reason=reason)


def _imbalance(counts: list[int]) -> float:
    """Uniform-chance kappa of the most common answer."""
    share, chance = max(counts) / sum(counts), 1 / common_answers(np.array(counts))
    return (share - chance) / (1 - chance)


def _is_word(text: str) -> bool:
    """Other answers, such as numbers and letters of options, are near one another and yet different."""
    return _SHORTEST <= len(text) <= _LONGEST and all(part.isalpha() for part in text.split())


def _variants(text: str) -> list[str]:
    """The text and all that is left without one letter: texts that are a letter apart, or two swapped, share one."""
    return [text, *(text[:at] + text[at + 1 :] for at in range(len(text)))]


def _listed(shown: list[str]) -> str:
    more = len(shown) - _SHOWN
    if more > 0:
        return f"{', '.join(shown[:_SHOWN])} and {more:,} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
