"""Groups of items that folds must never part: named by the author, found untold, or none.

Reads the prompts only; answers are never looked at, so no grouping can be made to fit them. Feeds the folds
(`audit.probe`), the permutations and the bootstrap, and `audit.groups.summary` for the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from audit.groups.components import Components, number_by_first
from audit.groups.joins import near_skeletons, one_sentence_apart, same_skeletons, shared_sentences
from audit.groups.sentences import fold_text, split_sentences, strip_frame
from audit.groups.skeleton import own_function_words, skeleton

__all__ = ["LARGEST_SHARE", "Groups", "column_groups", "find_groups", "no_groups"]

LARGEST_SHARE = 0.2
"""No join makes a group of more than this share of the items: one fold in five."""


@dataclass(frozen=True)
class Groups:
    """To which group each of n items belongs."""

    index: NDArray[np.int64]
    """(n,) group number of each item, numbered by first appearance, 0..G-1."""
    source: Literal["column", "found", "none"]
    column: str | None
    """The column they were read from, where the author names them."""
    how: str
    """One sentence for the report: how the groups came about."""


def find_groups(texts: Sequence[str]) -> Groups:
    """Find, without being told, which items are one template, one story or one text.

    1. Texts that are equal after folding case and white space are one item said twice.
    2. Equal skeletons (function words kept, all else a slot, repetition kept) are one template.
    3. Skeletons that differ by one function word are one template.
    4. Texts that share a long sentence, or two in a row, are one story.

    Sentences that more than half of the texts have are the frame and count for nothing. Beyond step 1 a join
    that would make a group of more than a fifth of the items is refused: what so many share is how the
    benchmark is worded throughout, and a group that large would leave nothing to compare it with.

    Texts may come in any order (the partition is the same); a text of no words is a group with its equals
    only. The cost grows with the number of words. No texts give no groups. After Pacchiardi et al. (2024),
    whose SpaceNLI result is due to its templates.
    """
    keys = [fold_text(text) for text in texts]
    same = number_by_first(keys)
    # Equal texts may differ in line breaks: the least of them speaks for all, whichever comes first.
    speaker: dict[str, str] = {}
    for key, text in zip(keys, texts):
        speaker[key] = min(text, speaker.get(key, text))
    distinct = list(speaker.values())
    counts = np.bincount(same, minlength=len(distinct)).tolist()
    sentences = strip_frame([split_sentences(text) for text in distinct])
    words = own_function_words(sentences)
    skeletons = [skeleton(one, words) for one in sentences]
    limit = max(2, int(LARGEST_SHARE * len(texts)))
    parts = Components(counts)
    templates = sum(parts.join(members, limit) for members in same_skeletons(skeletons))
    near = sum(parts.join(members, limit) for members in near_skeletons(skeletons))
    stories = sum(parts.join(members, limit, quorum=True) for members in shared_sentences(sentences, words, limit))
    variants = sum(parts.join(members, limit, quorum=True) for members in one_sentence_apart(sentences, limit))
    index = number_by_first(parts.find(node) for node in same.tolist())
    how = _tell(len(texts), len(distinct), templates, near, stories, variants, parts.refused)
    return Groups(index, "found", None, how)


def column_groups(values: Sequence[str], column: str) -> Groups:
    """Return the author's own groups: items with equal values belong together."""
    index = number_by_first(values)
    count = int(index.max()) + 1 if len(index) else 0
    return Groups(index, "column", column, f"{count:,} groups were read from the column {column!r}.")


def no_groups(n: int) -> Groups:
    """Return n groups of one item each: every item may be parted from every other."""
    return Groups(np.arange(n, dtype=np.int64), "none", None, "No groups: every item stands alone, as asked.")


def _tell(items: int, distinct: int, templates: int, near: int, stories: int, variants: int, refused: int) -> str:
    groups = distinct - templates - near - stories - variants
    if groups == items:
        return f"Looked for templates, shared stories and equal texts among {items:,} items and found none."
    steps = [
        (items - distinct, "equal texts"),
        (templates, "equal function-word skeletons"),
        (near, "skeletons one function word apart"),
        (stories, "shared sentences"),
        (variants, "all sentences but one"),
    ]
    told = ", ".join(f"{count:,} by {what}" for count, what in steps if count)
    tail = f"; {refused:,} wider joins refused (over a fifth of all items)" if refused else ""
    return f"Found untold: {items:,} items became {groups:,} groups by {items - groups:,} joins ({told}{tail})."
