"""Answers that stand in their prompts by design, and how far a rule gets that only looks for them.

In bAbI 16, "What colour is Greg?" follows sentences that name colours. Taking the colour that is named most often is
no reasoning, and no shortcut of the wording either: it is a baseline, and a kappa is read beside it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from audit.result.explanation import MentionRule, Mentions
from audit.statistics import kappa

__all__ = ["find_mentions"]

_MOST = 0.5
"""Share of the items that mention their gold answer, above which it stands there by design."""
_OTHERS = 0.1
"""Share of the items that mention another answer, below which there is nothing to choose from."""
_CONSTANT = 0.8
"""Share of the items with the same first (and the same last) mention, above which the answers are only listed."""
_SHORT = 2
"""Answers up to this many characters are found only in their own case: `A` is not the article."""

_RULES: dict[str, Callable[[list[int]], int]] = {
    "first": lambda mentioned: mentioned[0],
    "last": lambda mentioned: mentioned[-1],
    # Counter keeps the order of first mention, which decides between equals.
    "most frequent": lambda mentioned: Counter(mentioned).most_common(1)[0][0],
}


def find_mentions(prompts: Sequence[str], answers: Sequence[str]) -> Mentions | None:
    """The mentions of the answers as whole words; None unless most prompts mention the gold answer, and some others.

    None too if nearly all prompts begin and end with the same mentions, as where each lists its options A to D.
    """
    labels = list(dict.fromkeys(answers))
    number = {label: c for c, label in enumerate(labels)}
    gold = np.array([number[answer] for answer in answers], dtype=np.int64)
    mentioned = _mentioned(prompts, labels)
    n = len(prompts)
    with_gold = sum(int(c) in places for c, places in zip(gold, mentioned, strict=True))
    with_others = sum(any(place != c for place in places) for c, places in zip(gold, mentioned, strict=True))
    if with_gold <= _MOST * n or with_others < _OTHERS * n or _listed(mentioned):
        return None
    common = int(np.bincount(gold).argmax())
    rules = []
    for rule, choose in _RULES.items():
        predicted = np.array([choose(places) if places else common for places in mentioned], dtype=np.int64)
        cohen = float(kappa.cohen(kappa.confusion(gold, predicted, len(labels))))
        rules.append(
            MentionRule(rule=rule, accuracy=float((predicted == gold).mean()), cohen=None if np.isnan(cohen) else cohen)
        )
    return Mentions(gold=with_gold, others=with_others, rules=rules)


def _listed(mentioned: Sequence[Sequence[int]]) -> bool:
    """Whether the first mention is nearly always the same answer, and the last one too."""
    return all(
        max(Counter(places[end] for places in mentioned if places).values()) > _CONSTANT * len(mentioned)
        for end in (0, -1)
    )


def _mentioned(prompts: Sequence[str], labels: Sequence[str]) -> list[list[int]]:
    """The numbers of the labels that each prompt mentions, in reading order; of two that overlap, the longer."""
    stripped = [(label.strip(), c) for c, label in enumerate(labels) if label.strip()]
    short = {label: c for label, c in reversed(stripped) if len(label) <= _SHORT}
    long = {label.casefold(): c for label, c in reversed(stripped) if len(label) > _SHORT}
    patterns = [(_pattern(short), short, False), (_pattern(long), long, True)]
    result = []
    for prompt in prompts:
        places = []
        for pattern, numbers, folded in patterns:
            if pattern is not None:
                text = prompt.casefold() if folded else prompt
                places += [(match.start(), numbers[match[0]]) for match in pattern.finditer(text)]
        result.append([c for _, c in sorted(places)])
    return result


def _pattern(labels: dict[str, int]) -> re.Pattern[str] | None:
    if not labels:
        return None
    longest_first = sorted(labels, key=lambda label: (-len(label), label))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
