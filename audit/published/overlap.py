"""What the test part has in common with the training part: texts, nearly the same texts, templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from audit.published.near import near_matches
from audit.result.tasks import SharedItem
from audit.texts.similarity import distinct_texts

__all__ = ["Overlap", "examples", "find_overlap"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_EXAMPLES = 10
_BEFORE, _LETTERS = 60, 240
"""Characters of an extract before the first difference, and in all."""

Kind = Literal["conflict", "duplicate", "near-duplicate", "template"]


@dataclass(frozen=True)
class Overlap:
    """For each of m test items, a training item that it has something in common with; arrays are (m,)."""

    duplicate: Ints
    """Row of a training item with the same text, the same answer if there is one; -1 without."""
    conflict: Ints
    """Row of a training item with the same text and another answer; -1 without."""
    near: Ints
    """Row of the training item with the most similar text, where there is no duplicate; -1 without."""
    similarity: NDArray[np.float64]
    template: Ints
    """Row of a training item of the same group; -1 without."""

    @property
    def copied(self) -> Bools:
        """Which items are duplicates or near-duplicates of a training item."""
        return np.asarray((self.duplicate >= 0) | (self.near >= 0))

    @property
    def shared(self) -> Bools:
        """Which items share their text, nearly their text, or their template with a training item."""
        return np.asarray(self.copied | (self.template >= 0))


def find_overlap(texts: Sequence[str], y: Ints, groups: Ints, train: Ints, test: Ints) -> Overlap:
    """Compare the rows `test` with the rows `train`; `texts`, `y` and `groups` are those of all N items.

    Reads texts and groups; answers only tell conflicts from duplicates.
    """
    distinct, number = distinct_texts(texts)
    by_text = _rows_of(number, train)
    duplicate, conflict = np.full(len(test), -1, dtype=np.int64), np.full(len(test), -1, dtype=np.int64)
    for at, row in enumerate(test.tolist()):
        copies = by_text.get(int(number[row]), [])
        same = [other for other in copies if y[other] == y[row]]
        others = [other for other in copies if y[other] != y[row]]
        if copies:
            duplicate[at] = (same or others)[0]
        if others:
            conflict[at] = others[0]
    near, similarity = _near(distinct, number, by_text, test, duplicate < 0)
    first = {group: rows[0] for group, rows in _rows_of(groups, train).items()}
    template = np.array([first.get(int(groups[row]), -1) for row in test.tolist()], dtype=np.int64)
    return Overlap(duplicate, conflict, near, similarity, template)


def _near(
    distinct: list[str], number: Ints, by_text: dict[int, list[int]], test: Ints, wanted: Bools
) -> tuple[Ints, NDArray[np.float64]]:
    theirs = sorted(by_text)
    ours = sorted(set(number[test[wanted]].tolist()))
    near, similarity = np.full(len(test), -1, dtype=np.int64), np.zeros(len(test))
    if not ours or not theirs:
        return near, similarity
    matches = near_matches([distinct[text] for text in ours], [distinct[text] for text in theirs])
    place = {text: at for at, text in enumerate(ours)}
    for at in np.flatnonzero(wanted).tolist():
        k = place[int(number[test[at]])]
        if matches.place[k] >= 0:
            near[at] = by_text[theirs[int(matches.place[k])]][0]
            similarity[at] = matches.similarity[k]
    return near, similarity


def _rows_of(values: Ints, rows: Ints) -> dict[int, list[int]]:
    members: dict[int, list[int]] = {}
    for row in rows.tolist():
        members.setdefault(int(values[row]), []).append(row)
    return members


def examples(
    overlap: Overlap, test: Ints, texts: Sequence[str], answers: Sequence[str], ids: Sequence[str], *, templates: bool
) -> list[SharedItem]:
    """Up to ten conflicts, duplicates, near-duplicates (most similar first) and, with `templates`, shared templates."""
    plain = np.where(overlap.conflict < 0, overlap.duplicate, -1)
    apart = np.where(overlap.copied, -1, overlap.template)
    kinds: list[tuple[Kind, Ints]] = [
        ("conflict", overlap.conflict),
        ("duplicate", plain),
        ("near-duplicate", overlap.near),
        ("template", apart if templates else np.full_like(apart, -1)),
    ]
    listed = []
    for kind, others in kinds:
        places = np.flatnonzero(others >= 0)
        for at in places[np.argsort(-overlap.similarity[places], kind="stable")][:_EXAMPLES].tolist():
            row, other = int(test[at]), int(others[at])
            ours, theirs = _extracts(texts[row], texts[other])
            listed.append(
                SharedItem(
                    kind=kind,
                    test=ids[row],
                    train=ids[other],
                    similarity=float(overlap.similarity[at]) if kind == "near-duplicate" else None,
                    test_text=ours,
                    train_text=theirs,
                    test_answer=answers[row],
                    train_answer=answers[other],
                )
            )
    return listed


def _extracts(ours: str, theirs: str) -> tuple[str, str]:
    """Both texts from a little before their first difference; from their beginning where they are equal."""
    start = next((k for k, (a, b) in enumerate(zip_longest(ours, theirs)) if a != b), 0)
    start = max(0, start - _BEFORE)
    return _extract(ours, start), _extract(theirs, start)


def _extract(text: str, start: int) -> str:
    part = text[start : start + _LETTERS]
    return f"{'…' if start else ''}{part}{'…' if start + _LETTERS < len(text) else ''}"
