"""Texts that occur with more than one answer: how far can any reader of the texts alone go?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable

from audit.notation import kappa, things

__all__ = ["why_unpredictable"]


def why_unpredictable(items: Iterable[tuple[Hashable, Hashable]], chance: float, threshold: float) -> str:
    """Why no reader of the texts alone reaches a kappa of `threshold`, as a sentence; empty if one could.

    `items` are (text, answer). At best a reader gives every text its most common answer, and is right for a share a:
    kappa is at most (a - chance) / (1 - chance). Other texts have another a: the end of its 95 % interval counts.
    """
    size, best, answers = Counter[Hashable](), Counter[Hashable](), Counter[Hashable]()
    for (text, _), count in Counter(items).items():
        size[text] += count
        best[text] = max(best[text], count)
        answers[text] += 1
    share = best.total() / size.total()
    error = math.sqrt(sum((best[text] - share * count) ** 2 for text, count in size.items())) / size.total()
    highest = min(share + 1.96 * error, 1.0) - chance
    if highest >= threshold * (1 - chance):
        return ""
    conflicting = sum(count > 1 for count in answers.values())
    return (
        f"the answers are unpredictable from the text: {conflicting:,} of {things(len(size), 'text')} "
        f"occur with more than one answer, so that no reader of the text alone exceeds kappa "
        f"{kappa(max(highest / (1 - chance), 0.0))}, below the threshold of {kappa(threshold)}. If that is not by "
        f"design, the golds contradict each other, or the prompts are not complete."
    )
