"""Labels: the few answers that all items of a benchmark share, and whether anybody says that there are no others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audit.reading.task_kind import open_ended
from generators.answering.numbers import value
from generators.answering.plain_scorer import choices_named

__all__ = ["Labels", "labels_of"]

_POLAR = ({"yes", "no"}, {"true", "false"}, {"yes", "no", "unknown"}, {"true", "false", "unknown"})
"""Answers that are labels however few items there are."""
_USUAL = frozenset(
    re.split(
        r"\s+",
        """yes no true false unknown maybe uncertain undetermined entailment neutral contradiction entailed contradicted
        entails contradicts not_entailment not_contradiction non-entailment supported refuted supports refutes nei
        not_enough_info positive negative mixed objective subjective acceptable unacceptable correct incorrect right
        wrong valid invalid equivalent not_equivalent duplicate not_duplicate paraphrase same different similar relevant
        irrelevant toxic nontoxic non-toxic hate hateful offensive spam ham good bad high low medium left center centre
        moral immoral ethical unethical plausible implausible agree disagree favor favour against none other both joy
        sadness anger fear love surprise disgust happy sad angry""",
    )
)
"""Words that are labels by custom, so that a model may be expected to keep to them."""
_LOOKED_AT = 200
"""Prompts that are searched for labels, evenly spaced."""


@dataclass(frozen=True)
class Labels:
    """The labels of some items."""

    names: tuple[str, ...] | None
    """Sorted; None where answers are open."""
    inferred: bool = False
    """Whether nothing but golds that repeat makes them labels: they are no words of custom, and prompts do not name
    them. A reply may then well give another answer, which is wrong."""


def labels_of(golds: Iterable[str], answers: Sequence[str], prompts: Sequence[str]) -> Labels:
    """The labels of items with these golds (all that count), first golds and prompts; open where there are too many,
    and where they are numbers beyond 10, which are calculated rather than chosen."""
    distinct = sorted(set(golds))
    if len(distinct) < 2:
        return Labels(None)
    folded = {label.casefold() for label in distinct}
    if folded in _POLAR:
        return Labels(tuple(distinct))
    if open_ended(answers) or _calculated(distinct):
        return Labels(None)
    usual = all(len(label) < 2 or label.isdecimal() or label.replace(" ", "_") in _USUAL for label in folded)
    return Labels(tuple(distinct), inferred=not usual and not _named(distinct, prompts))


def _calculated(golds: Sequence[str]) -> bool:
    numbers = [value(gold) for gold in golds]
    return None not in numbers and any(not 0 <= number <= 10 or number % 1 for number in numbers if number is not None)


def _named(labels: Sequence[str], prompts: Sequence[str]) -> bool:
    """Whether half of the prompts name two labels or more."""
    looked = prompts[:: max(1, len(prompts) // _LOOKED_AT)]
    return 2 * sum(len(choices_named(prompt, labels)) > 1 for prompt in looked) >= len(looked) > 0
