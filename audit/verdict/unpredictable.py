"""Texts that occur with more than one answer: how far can any reader of the texts alone go?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping

from audit.notation import kappa, things

__all__ = ["why_unpredictable"]

_ROUNDING = 1e-9


def why_unpredictable(
    items: Iterable[tuple[Hashable, Hashable]], chances: Mapping[Hashable, float], limit: float
) -> str:
    """Why no reader of the texts alone reaches a kappa of `limit`, as a sentence; empty if one could.

    `items` are (text, answer), and `chances` the part of chance that falls to whoever gives an answer always: how often
    it is gold. A reader reaches a kappa of k where agreement - (1 - k) x chance >= k. Both are sums over the texts, so
    the best reader gives each text the answer with the largest term, whatever margins that makes. Other texts have
    other terms: the end of the 95 % interval of their mean counts.
    """
    gold: dict[Hashable, Counter[Hashable]] = {}
    for text, answer in items:
        gold.setdefault(text, Counter())[answer] += 1
    least, size = min(chances.values()), {text: answers.total() for text, answers in gold.items()}
    terms = {
        text: max(
            *(count - (1 - limit) * chances[answer] * size[text] for answer, count in answers.items()),
            -(1 - limit) * least * size[text],
        )
        for text, answers in gold.items()
    }
    total = sum(size.values())
    mean = math.fsum(terms.values()) / total
    error = math.sqrt(math.fsum((term - mean * size[text]) ** 2 for text, term in terms.items())) / total
    if mean + 1.96 * error > limit - _ROUNDING:
        return ""
    conflicting = sum(len(answers) > 1 for answers in gold.values())
    return (
        f"the answers are unpredictable from the text: {conflicting:,} of {things(len(gold), 'text')} "
        f"occur with more than one answer, so that no reader of the text alone reaches a kappa of {kappa(limit)}. "
        f"If that is not by design, the golds contradict each other, or the prompts are not complete."
    )
