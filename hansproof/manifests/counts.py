"""What a manifest counts of a file of items: taken from the file on freezing, and compared with it on verifying."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from generators.errors import Fault
from generators.item import Item
from hansproof.manifests.manifest import MANIFEST, SubsetEntry, rounded

__all__ = ["count_faults", "counts"]


def counts(items: Sequence[Item], size: int, *, labels: bool) -> dict[str, Any]:
    """The fields of a `SubsetEntry` that its items and the `size` of their file in bytes give.

    `labels` says whether the answers are a few labels, of which the manifest has the numbers.
    """
    answers = Counter(item.answer for item in items if item.answer is not None)
    return {
        "rows": len(items),
        "bytes": size,
        "groups": len({item.group for item in items}),
        "conditions": dict(Counter(item.condition for item in items)),
        "answers": dict(sorted(answers.items())) if labels and answers else None,
    }


def count_faults(entry: SubsetEntry, items: Sequence[Item], size: int, *, labels: bool) -> list[Fault]:
    """Where the manifest counts something else in a file than there is; `labels` as for `counts`."""
    counted = counts(items, size, labels=labels)
    wrong = [
        f"its {field} is {getattr(entry, field)!r}; the file gives {value!r}"
        for field, value in counted.items()
        if getattr(entry, field) != value
    ]
    wrong += _audit_faults(entry, items, counted["groups"])
    wrong += [
        f"its blind strategy {blind.strategy} has {blind.items:,} items, more than the file"
        for blind in entry.blind
        if blind.items > len(items)
    ]
    return [Fault(reason, f"{MANIFEST}: {entry.name}") for reason in wrong]


def _audit_faults(entry: SubsetEntry, items: Sequence[Item], groups: int) -> Iterator[str]:
    for which, audit in (("audit", entry.audit), ("by_option", entry.by_option)):
        # The audit may join groups whose texts are alike, and never parts one.
        if audit is not None and audit.groups is not None and audit.groups > groups:
            yield f"its {which}.groups is {audit.groups:,}; the file has {groups:,} groups"
    given = entry.audit.majority_accuracy, entry.audit.majority_uniform
    if given == (None, None) or not items:
        return
    # What somebody edited may name a list, which nothing counts by.
    labels = Counter(repr(item.metadata.get(entry.audited) if entry.audited else item.answer) for item in items)
    share, chance = max(labels.values()) / len(items), 1 / len(labels)
    wanted = rounded(share), rounded((share - chance) / (1 - chance)) if entry.audit.schemes and chance < 1 else None
    if given != wanted:
        yield f"its audit.majority_accuracy and audit.majority_uniform are {given}; the file gives {wanted}"
