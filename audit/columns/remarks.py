"""What a reader of the benchmark should know although nothing is wrong enough to refuse it: its notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from audit.table import Row, Table, cell

__all__ = ["conflicting_golds", "similar_labels", "stripped_labels", "unused_texts"]

_SHOWN = 5
_AFTERWARDS = (
    "explanation", "rationale", "reasoning", "solution", "proof", "cot", "chain_of_thought", "justification",
    "evidence", "support", "long_answer", "comment", "comments", "source", "url", "citation",
)  # fmt: skip
"""Texts that explain the gold or say where it is from: in a prompt they would give it away."""


def conflicting_golds(prompts: Sequence[str], answers: Sequence[str]) -> list[str]:
    """A note on texts that occur with more than one gold, case and white space folded."""
    first: dict[str, str] = {}
    conflicting: dict[str, None] = {}
    for prompt, answer in zip(prompts, answers):
        key = _folded(prompt)
        if first.setdefault(key, answer) != answer:
            conflicting[key] = None
    count = len(conflicting)
    if not count:
        return []
    return [f"{count:,} text{' occurs' if count == 1 else 's occur'} more than once with different golds"]


def similar_labels(answers: Sequence[str]) -> list[str]:
    """A note on labels that differ only in case or white space; they are kept apart."""
    counts = Counter(answers)
    alike: dict[str, list[str]] = {}
    for label in sorted(counts):
        alike.setdefault(_folded(label), []).append(label)
    several = [labels for labels in alike.values() if len(labels) > 1]
    if not several:
        return []
    shown = "; ".join(", ".join(f"{one!r} ({counts[one]:,})" for one in labels) for labels in several[:_SHOWN])
    more = f" and {len(several) - _SHOWN:,} more" if len(several) > _SHOWN else ""
    return [f"labels that differ only in case or white space are kept apart: {shown}{more}"]


def stripped_labels(written: Sequence[object]) -> list[str]:
    """A note on labels that are written both with and without white space around them; they count as one."""
    counts = Counter(one for one in written if isinstance(one, str))
    both = sorted(one for one in counts if one != one.strip() and one.strip() in counts)
    if not both:
        return []
    shown = ", ".join(f"{one!r} ({counts[one]:,}) with {one.strip()!r}" for one in both[:_SHOWN])
    more = f" and {len(both) - _SHOWN:,} more" if len(both) > _SHOWN else ""
    return [f"white space around answers is taken off, which joins {shown}{more}"]


def unused_texts(table: Table, rows: Sequence[Row], prompts: Sequence[str], used: Collection[str]) -> list[str]:
    """A note on each column that no role uses and whose texts are longer than the prompts, on average.

    `rows` and `prompts` belong together; `used` are the columns that have a role.
    """
    out: list[str] = []
    limit = sum(map(len, prompts))
    for column in table.columns:
        if column in used or column.strip().casefold().replace(" ", "_") in _AFTERWARDS:
            continue
        texts = [text for row in rows if isinstance(text := cell(row.values, column), str)]
        if sum(map(len, texts)) * len(prompts) > limit * len(texts) and 2 * len(texts) > len(rows):
            out.append(f"column {column!r} is not part of the prompt; --template would add it")
    return out


def _folded(text: str) -> str:
    """The text without its case and with single spaces."""
    return " ".join(text.casefold().split())
