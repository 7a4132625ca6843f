"""Answers that look like spellings of one another: the more of them, the smaller the chance that imbalance is held to.

Four spellings of yes and no are four answers to an audit, and always giving the most common one then beats a chance of
1/4. An imbalance that is gone once spellings are merged is therefore not reported as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from hansproof.audit.notation import drawn, kappa
from hansproof.audit.statistics.kappa import common_answers
from hansproof.audit.verdict.rule import Judgement

__all__ = ["minding_spellings", "spellings_of"]

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
    if merged >= threshold:
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
