"""The notes of a benchmark: what a reader should know, although nothing is wrong enough to refuse it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from audit.formats.table import Row, Table

__all__ = ["conflicting_golds", "similar_labels", "stripped_labels", "unasked_numbers", "unused_texts"]

_SHOWN = 5
_NUMBER = re.compile(r"[-−]?[$€£]?\d[\d,]*(?:\.\d+)?%?")
_FEWEST_NUMBERS, _MOSTLY, _MOST_READ = 6, 0.9, 5000
"""Different numbers among the answers, and the share that must be numbers, before they may be results; prompts read."""
_AFTERWARDS = (
    "explanation", "rationale", "reasoning", "solution", "proof", "cot", "chain_of_thought", "justification",
    "evidence", "support", "long_answer", "comment", "comments", "source", "url", "citation",
)  # fmt: skip
"""Names of columns that explain the gold or give its source: in a prompt they would give it away."""


def conflicting_golds(prompts: Sequence[str], answers: Sequence[str]) -> list[str]:
    """A note on texts with more than one gold; texts are compared without case and white space."""
    first: dict[str, str] = {}
    conflicting: dict[str, None] = {}
    for prompt, answer in zip(prompts, answers):
        key = _folded(prompt)
        if first.setdefault(key, answer) != answer:
            conflicting[key] = None
    count = len(conflicting)
    if not count:
        return []
    return [f"{count:,} text{' occurs' if count == 1 else 's occur'} more than once with different gold answers"]


def similar_labels(answers: Sequence[str]) -> list[str]:
    """A note on answers that differ only in case or white space; they are kept apart."""
    counts = Counter(answers)
    by_folded: dict[str, list[str]] = {}
    for label in sorted(counts):
        by_folded.setdefault(_folded(label), []).append(label)
    similar = [labels for labels in by_folded.values() if len(labels) > 1]
    if not similar:
        return []
    shown = "; ".join(", ".join(f"{label!r} ({counts[label]:,})" for label in labels) for labels in similar[:_SHOWN])
    more = f" and {len(similar) - _SHOWN:,} more" if len(similar) > _SHOWN else ""
    return [f"answers that differ only in case or white space are kept apart: {shown}{more}"]


def stripped_labels(written: Sequence[object]) -> list[str]:
    """A note on labels that occur both with and without white space around them; they count as one."""
    counts = Counter(label for label in written if isinstance(label, str))
    padded = sorted(label for label in counts if label != label.strip() and label.strip() in counts)
    if not padded:
        return []
    shown = ", ".join(f"{label!r} ({counts[label]:,}) with {label.strip()!r}" for label in padded[:_SHOWN])
    more = f" and {len(padded) - _SHOWN:,} more" if len(padded) > _SHOWN else ""
    return [f"white space around answers is removed, which merges {shown}{more}"]


def unasked_numbers(prompts: Sequence[str], answers: Sequence[str]) -> list[str]:
    """A note on labels that may be numbers to be read from the prompts or calculated: few different ones, but results.

    Most prompts must have two numbers or more.
    """
    counts = Counter(answers)
    numbers = {label: count for label, count in counts.items() if _NUMBER.fullmatch(label)}
    if len(numbers) < _FEWEST_NUMBERS or sum(numbers.values()) < _MOSTLY * len(answers):
        return []
    sample = prompts[:: max(1, len(prompts) // _MOST_READ)]
    if 2 * sum(len(_NUMBER.findall(prompt[:_MOST_READ])) > 1 for prompt in sample) < len(sample):
        return []
    return [
        f"the answers are {len(numbers):,} different numbers, which were audited as labels; if they are to be read "
        f"from the prompt or calculated, audit again with --task open"
    ]


def unused_texts(table: Table, rows: Sequence[Row], prompts: Sequence[str], used: Collection[str]) -> list[str]:
    """A note on each column without a role whose texts are longer than the prompts, on average.

    `rows[i]` gave `prompts[i]`; `used` are the columns that have a role.
    """
    notes: list[str] = []
    limit = sum(map(len, prompts))
    letters: Counter[str] = Counter()
    texts: Counter[str] = Counter()
    for row in rows:  # row by row, because a table of very many columns has most of them in few rows
        for column, value in row.values.items():
            if isinstance(value, str):
                letters[column] += len(value)
                texts[column] += 1
    for column in table.columns:
        if column in used or column.strip().casefold().replace(" ", "_") in _AFTERWARDS:
            continue
        if letters[column] * len(prompts) > limit * texts[column] and 2 * texts[column] > len(rows):
            notes.append(f"column {column!r} is not part of the prompt; --template would add it")
    return notes


def _folded(text: str) -> str:
    """The text in one case and with single spaces."""
    return " ".join(text.casefold().split())
