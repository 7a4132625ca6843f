"""What an author of a published split should change, in sentences."""

from __future__ import annotations

from audit.notation import kappa, p_is, per_cent, things
from audit.result.tasks import PublishedSplit
from audit.verdict.rule import GROUPED_SHARE

__all__ = ["advise_on_split"]


def advise_on_split(split: PublishedSplit, alpha: float) -> list[str]:
    """Advice on copies, conflicts, shared templates and unequal answers; empty if there is nothing to repair."""
    advice = []
    copies = split.duplicates + split.near_duplicates
    if copies:
        advice.append(
            f"Drop the {things(copies, 'test item')} that copy a training text ({split.duplicates:,} exactly, "
            f"{split.near_duplicates:,} nearly), or report accuracy without them: --items lists which they are."
        )
    if split.conflicts:
        advice.append(
            f"Correct or remove {things(split.conflicts, 'test item')} that have the text of a training item and "
            f"another gold answer."
        )
    if split.same_template is not None and split.same_template >= GROUPED_SHARE * split.test:
        advice.append(
            f"{split.same_template:,} of {things(split.test, 'test item')} come from a template or group that the "
            f"training part has too: divide the items by group, so that the test part has new ones."
        )
    if split.unseen_labels:
        names = ", ".join(f"“{name[:40]}”" for name in split.unseen_labels[:3])
        advice.append(f"The training part never has the answer {names}: give every answer to both parts.")
    if split.shift_p < alpha and split.shift >= 0.05:
        advice.append(
            f"The answers are not equally common in both parts (distance {kappa(split.shift)}, {p_is(split.shift_p)}): "
            f"{_most_different(split)}. Stratify the split by answer."
        )
    return advice


def _most_different(split: PublishedSplit) -> str:
    learnt, tested = sum(label.train for label in split.labels), sum(label.test for label in split.labels)
    label = max(split.labels, key=lambda label: abs(label.train / learnt - label.test / tested))
    return (
        f"“{label.label[:40]}” is the answer to {per_cent(label.train / learnt)} of the training items and "
        f"{per_cent(label.test / tested)} of the test items"
    )
