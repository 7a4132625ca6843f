"""What an author should change, in sentences made from the numbers of the audit."""

from __future__ import annotations

from collections.abc import Sequence

from audit.result import Cue, Duplicates, LabelCount
from audit.verdict import Judgement

__all__ = ["advise"]

_MOST_CUES = 4
_CLEAR_Z = 3.0
_FEWEST_ITEMS = 5
"""An n-gram in fewer items says more about those items than about the benchmark."""


def advise(
    judgement: Judgement, cues: Sequence[Cue], labels: Sequence[LabelCount], duplicates: Duplicates
) -> list[str]:
    """Advice for the verdict and for duplicates; empty if there is nothing to repair.

    `labels` come in descending order of their counts.
    """
    return _on_verdict(judgement, cues, labels) + _on_duplicates(duplicates)


def _on_verdict(judgement: Judgement, cues: Sequence[Cue], labels: Sequence[LabelCount]) -> list[str]:
    if judgement.verdict == "LEAKS":
        advice = [_balance(cue) for cue in _strongest(cues)]
        if judgement.vector == "readability":
            advice.append(
                "The length and difficulty of the text predict the answer: write items of the same length and level "
                "for every answer, or match them in pairs."
            )
        advice.append(
            "Write matched pairs that differ only in what the answer depends on, give both items of a pair to every "
            "model, and audit again: a cue that occurs equally often with every answer predicts nothing."
        )
        return advice
    if judgement.verdict == "TEMPLATE-BOUND":
        return [
            "Use each template equally often with every answer, so that the template alone says nothing.",
            "Publish the group of every item, never divide a group between splits or between few-shot examples and "
            "test items, and compute standard errors over groups: items from the same template are not independent.",
        ]
    if judgement.verdict == "TRACES":
        return [_balance(cue) for cue in _strongest(cues)]
    if judgement.verdict == "IMBALANCED":
        top, items = labels[0], sum(label.count for label in labels)
        return [
            f"{top.label!r} is the answer to {top.count:,} of {items:,} items: balance the answers, or report Cohen's "
            f"kappa or balanced accuracy beside accuracy."
        ]
    if judgement.verdict == "INCONCLUSIVE":
        return [
            "Add items, or independent groups of items, and audit again. Until then, report the result as unknown, "
            "not as free of shortcuts."
        ]
    return []


def _on_duplicates(duplicates: Duplicates) -> list[str]:
    advice = []
    if duplicates.conflicting_sets:
        advice.append(
            f"{_texts(duplicates.conflicting_sets)} with more than one gold answer: correct or remove the items."
        )
    if duplicates.across_splits:
        advice.append(
            f"{_texts(duplicates.across_splits)} in more than one published split: keep each in a single split."
        )
    return advice


def _texts(count: int) -> str:
    return "1 text occurs" if count == 1 else f"{count:,} texts occur"


def _strongest(cues: Sequence[Cue]) -> list[Cue]:
    """The cues that go with an answer far more often than its share, strongest first."""
    clear = [cue for cue in cues if cue.z >= _CLEAR_Z and cue.count >= _FEWEST_ITEMS]
    return sorted(clear, key=lambda cue: -cue.z)[:_MOST_CUES]


def _balance(cue: Cue) -> str:
    return (
        f"{cue.ngram!r} occurs in {cue.count:,} items, {100 * cue.productivity:.0f} % of them with the answer "
        f"{cue.label!r}: use it equally often with the other answers, or vary the wording."
    )
