"""Groups of items that folds must never separate: declared by the author, detected in the texts, or none.

Only prompts are read, never answers, so that no grouping can be fitted to the answers. Folds (`audit.probe`),
permutations and the bootstrap use the groups; `audit.groups.summary` describes them for the report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from audit.groups.components import CLOSED, Components, number_by_first
from audit.groups.joins import near_skeletons, one_sentence_apart, same_skeletons, shared_sentences
from audit.groups.sentences import fold_text, split_sentences, strip_frame
from audit.groups.similarity import distinct_texts
from audit.groups.skeleton import own_function_words, skeleton
from audit.groups.templates import template_clusters

__all__ = ["LARGEST_SHARE", "Groups", "column_groups", "find_groups", "no_groups"]

LARGEST_SHARE = 0.2
"""No join makes a group larger than this share of the items: one fold in five."""


PIECES = 3
"""Into at most so many sets of equal skeletons, of `CLOSED` texts or more, a cluster of similar texts may fall."""

FEW, FEW_SHARE = 10, 0.9
"""At most so many templates that hold this share of the items are all there is, and the limit gives way to them."""


@dataclass(frozen=True)
class Groups:
    """The group of each of n items."""

    index: NDArray[np.int64]
    """(n,) group number of each item, numbered by first appearance, 0..G-1."""
    source: Literal["column", "found", "none"]
    column: str | None
    """The column that declares them, where the author did."""
    how: str
    """One sentence for the report: where the groups come from."""


def find_groups(texts: Sequence[str], sources: Sequence[str] | None = None, column: str = "") -> Groups:
    """Detect from the texts which items share a template, a story or a text.

    `sources` are the values of a `column` that says which passage or premise an item is about, shape (n,); items
    with equal values are joined first, whatever their number.

    1. Texts that are equal after folding case and white space are one item repeated.
    2. Texts with equal skeletons (function words kept, all else a slot, repetition kept) share a template.
    3. Texts whose skeletons differ by one function word share a template.
    4. Texts that share a long sentence, or two consecutive ones, share a story.
    5. Texts that differ in one sentence share a story.
    6. Texts that form a cluster of similar wording, in any language, share a template with slots of any length.

    Sentences in more than half of the texts are the frame and do not count. After step 1, a join that would make
    a group of more than a fifth of the items is refused: what so many items share is the wording of the whole
    benchmark, and so large a group would leave nothing to compare it with. The exception is a benchmark of which
    the clusters of step 6, at most `FEW`, hold nearly everything: then they are the groups.

    The partition does not depend on the order of the items. A text without words is grouped only with its equals.
    The cost is linear in the number of words. No texts give no groups. Motivated by Pacchiardi et al. (2024), whose
    result on SpaceNLI is due to its templates.
    """
    folded, place = distinct_texts(texts)
    # Equal texts may differ in line breaks: the smallest stands for all of them, whichever comes first.
    representative: dict[int, str] = {}
    for number, text in zip(place.tolist(), texts):
        representative[number] = min(text, representative.get(number, text))
    distinct = [representative[number] for number in range(len(folded))]
    counts = np.bincount(place, minlength=len(distinct))
    sentences = strip_frame([split_sentences(text) for text in distinct])
    words = own_function_words(sentences)
    skeletons = [skeleton(text, words) for text in sentences]
    limit = max(2, int(LARGEST_SHARE * len(texts)))
    parts = Components(counts.tolist())
    sourced = sum(parts.join(members) for members in _equal_values(sources, place)) if sources is not None else 0
    clusters = template_clusters(folded)
    if _are_all(clusters, counts):
        return _few_templates(clusters, parts, place)
    templates = sum(parts.join(members, limit) for members in same_skeletons(skeletons))
    near = sum(parts.join(members, limit) for members in near_skeletons(skeletons))
    shared, apart = shared_sentences(sentences, words, limit), one_sentence_apart(sentences, limit)
    stories = sum(parts.join(members, limit, quorum=True) for members in shared)
    variants = sum(parts.join(members, limit, quorum=True) for members in apart)
    similar = sum(
        parts.join(members, limit, quorum=True) for members in _unexplained(clusters, parts, [*shared, *apart])
    )
    index = number_by_first(parts.find(node) for node in place.tolist())
    joins = {
        "repeated texts": len(texts) - len(distinct),
        f"equal values of {column!r}": sourced,
        "equal function-word skeletons": templates,
        "skeletons one function word apart": near,
        "shared sentences": stories,
        "texts that differ in one sentence": variants,
        "similar wording": similar,
    }
    how = _described(len(texts), joins, parts.refused)
    return Groups(index, "found", None, how)


def _unexplained(clusters: list[list[int]], parts: Components, stories: list[list[int]]) -> list[list[int]]:
    """The clusters of similar texts that exact evidence has not divided completely.

    Stories that have whole sentences in common are complete, however much they resemble others. So are two or three
    large sets of equal skeletons: a negated template resembles its original, but is another.
    """
    told = set().union(*stories)
    unexplained = []
    for members in clusters:
        pieces = Counter(parts.find(node) for node in members)
        if not told.issuperset(members) and min(pieces.values()) < max(CLOSED, len(members) / PIECES):
            unexplained.append(members)
    return unexplained


def _are_all(clusters: list[list[int]], counts: NDArray[np.int64]) -> bool:
    """True if a handful of clusters hold nearly all items: they are the templates, however many items each has."""
    held = sum(int(counts[members].sum()) for members in clusters)
    return 2 <= len(clusters) <= FEW and held >= FEW_SHARE * counts.sum()


def _few_templates(clusters: list[list[int]], parts: Components, place: NDArray[np.int64]) -> Groups:
    """Return the groups of a benchmark that consists of a few templates; texts outside them stay as they are."""
    for members in clusters:
        parts.join(members)
    index = number_by_first(parts.find(node) for node in place.tolist())
    items = int(np.isin(place, np.concatenate(clusters)).sum())
    how = f"Detected {len(clusters)} templates that make up {items:,} of {len(place):,} items."
    return Groups(index, "found", None, how)


def _equal_values(values: Sequence[str], place: NDArray[np.int64]) -> list[list[int]]:
    """Return the texts of the items of each value; `place` is the number of each item's text."""
    members: dict[str, list[int]] = {}
    for value, node in zip(values, place.tolist(), strict=True):
        members.setdefault(value, []).append(node)
    return [members[value] for value in sorted(members)]


def column_groups(values: Sequence[str], column: str, texts: Sequence[str]) -> Groups:
    """Return the groups that the author declared: items with equal values belong together.

    Items with equal texts (after `fold_text`) belong together whatever the column says: a copy on the other side of
    a fold would be predicted from memory. `values` and `texts` have shape (n,). Raises ValueError if they differ in
    length.
    """
    if len(values) != len(texts):
        raise ValueError(f"{len(values)} values for {len(texts)} texts")
    own = number_by_first(values)
    declared = int(own.max()) + 1 if len(own) else 0
    parts = Components(np.bincount(own, minlength=declared).tolist())
    members: dict[str, list[int]] = {}
    for text, group in zip(texts, own.tolist()):
        members.setdefault(fold_text(text), []).append(group)
    joined = sum(parts.join(groups) for groups in members.values())
    index = number_by_first(parts.find(group) for group in own.tolist())
    how = f"The column {column!r} declares {_counted(declared, 'group')}"
    how += f"; items with equal texts reduced them to {declared - joined:,}." if joined else "."
    return Groups(index, "column", column, how)


def no_groups(n: int) -> Groups:
    """Return n groups of one item each: folds may separate any two items."""
    return Groups(np.arange(n, dtype=np.int64), "none", None, "No groups, as requested: every item stands alone.")


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _described(items: int, joins: dict[str, int], refused: int) -> str:
    """One sentence on the detected groups; `joins` counts, for each kind of evidence, the joins that it made."""
    evidence = ", ".join(f"{count:,} by {kind}" for kind, count in joins.items() if count)
    groups = f"{items - sum(joins.values()):,} groups" if evidence else "no groups"
    details = [f"joins: {evidence}"] if evidence else []
    if refused:
        details.append(f"{refused:,} refused, because they would have grouped over a fifth of all items")
    tail = f" ({'; '.join(details)})" if details else ""
    return f"Detected {groups} in {items:,} items{tail}."
