"""A published split in sentences that the terminal and the page share."""

from __future__ import annotations

from audit import notation
from audit.result.tasks import PublishedSplit, SplitKappa

__all__ = ["kept_words", "overlap_sentence", "parts_sentence", "split_facts", "split_items"]

_KEPT = {
    "all": "all test items",
    "no near-duplicate": "without copies of training items",
    "new template": "and without their templates",
    "grouped folds": "both parts, cross-fitted with each template in one fold",
}


def split_facts(split: PublishedSplit) -> list[tuple[str, str]]:
    """(name, text) of what the terminal says: the parts, what they share, the kappas without that."""
    kappas = "; ".join(_kappa(entry) for entry in split.kappas)
    return [("split", parts_sentence(split)), ("shared", overlap_sentence(split)), ("kappa of", kappas)]


def parts_sentence(split: PublishedSplit) -> str:
    """How many items were learnt from, validated and tested, and how the answers differ."""
    cut = ", cut from the training part" if split.validation_cut else ""
    return (
        f"learnt from {split.train:,}, validated on {split.validation:,}{cut}, tested on {split.test:,} "
        f"({split.source}); answers {notation.kappa(split.shift)} apart ({notation.p_is(split.shift_p)})"
    )


def overlap_sentence(split: PublishedSplit) -> str:
    """What the test items have in common with the training part."""
    parts = [
        f"{notation.things(split.duplicates, 'duplicate')}",
        f"{notation.things(split.near_duplicates, 'near-duplicate')} (similarity {notation.kappa(split.near)})",
    ]
    if split.same_template is not None:
        share = notation.per_cent(split.same_template / split.test, 0)
        parts.append(f"{split.same_template:,} of a template or group in the training part ({share})")
    parts.append(notation.things(split.conflicts, "conflicting answer"))
    return f"of {notation.things(split.test, 'test item')}: {', '.join(parts)}"


def split_items(split: PublishedSplit) -> tuple[int, int]:
    """(items of the training part with those cut from it, items of the test part)."""
    return sum(label.train for label in split.labels), sum(label.test for label in split.labels)


def kept_words(entry: SplitKappa) -> str:
    """Which items a kappa is about."""
    return _KEPT[entry.items_kept]


def _kappa(entry: SplitKappa) -> str:
    interval = notation.interval(entry.low, entry.high)
    return f"{kept_words(entry)} ({entry.items:,}) {notation.kappa(entry.kappa)}{f' {interval}' if interval else ''}"
