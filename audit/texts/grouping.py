"""Groups of items that folds must never separate: declared by the author, or detected in the texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.texts.sentences import (
    OPTION,
    Sentence,
    Skeleton,
    Words,
    fold_text,
    own_function_words,
    skeleton,
    split_sentences,
    strip_frame,
)
from hansproof.audit.texts.similarity import CLOSED, Components, Tree, distinct_texts, number_by_first, tree

__all__ = ["LARGEST_SHARE", "Groups", "column_groups", "find_groups", "no_groups"]

# All evidence comes from looking up keys, never from comparing pairs, so the cost is linear in the number of words. The
# order of the joins depends on the content of the texts, not on their positions.

SAME_EVIDENCE = 4
"""Least evidence of a skeleton that counts as a template: `_ is _ of _` does not."""

NEAR_EVIDENCE = 6
"""The same for two skeletons that differ by a word."""

NEAR_LONGEST = 200
"""Longest skeleton, in tokens, that is looked up with a word left out; longer texts share sentences instead."""

STORY_SENTENCE, STORY_SHARE = 12, 0.25
"""A shared sentence marks a story if it has at least this many words and is this share of its text."""

STORY_PAIR, PAIR_SHARE = 16, 0.10
"""The same for two consecutive sentences."""

# Leaving out one of these reverses a sentence: another template, and often another answer.
_NEVER_LEFT_OUT = frozenset(
    ["cannot", "except", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "unless", "without"]
)


def same_skeletons(skeletons: Sequence[Skeleton]) -> list[list[int]]:
    """Return the sets of two or more texts with equal skeletons of enough evidence, in order of skeleton."""
    members: dict[tuple[str, ...], list[int]] = {}
    for text, shape in enumerate(skeletons):
        if shape.evidence >= SAME_EVIDENCE:
            members.setdefault(shape.tokens, []).append(text)
    return [members[tokens] for tokens in sorted(members) if len(members[tokens]) > 1]


def near_skeletons(skeletons: Sequence[Skeleton]) -> list[list[int]]:
    """Return, for each pair of skeletons that differ by one extra function word, the texts that have them.

    The extra word may occur several times (`the trash can` beside `the bottle`: `can` is read as an auxiliary).
    A slot is never the difference, because the slots are what makes a template; nor is a negation. Each skeleton is
    looked up with each of its words left out (the deletion neighbourhood of Mor and Fraenkel 1982).
    """
    codes: dict[str, str] = {}
    members: dict[str, list[int]] = {}
    for text, shape in enumerate(skeletons):
        if shape.evidence >= NEAR_EVIDENCE and len(shape.tokens) <= NEAR_LONGEST:
            # One character per token: str.replace leaves out a word, and nothing matches across tokens.
            whole = "".join(codes.setdefault(token, chr(0xF0000 + len(codes))) for token in shape.tokens)
            members.setdefault(whole, []).append(text)
    pairs = []
    for whole, texts in members.items():
        tokens = skeletons[texts[0]].tokens
        for token in dict.fromkeys(tokens):
            if token.isalpha() and token not in _NEVER_LEFT_OUT:
                others = members.get(whole.replace(codes[token], ""))
                if others is not None:
                    pairs.append((tokens, token, texts + others))
    return [both for _, _, both in sorted(pairs)]


def shared_sentences(texts: Sequence[list[Sentence]], words: Words, most: int) -> list[list[int]]:
    """Return sets of 2 to `most` texts that share a long sentence or two consecutive ones, smallest set first.

    A sentence that more texts share is an instruction or an option, not a story.
    """
    members: dict[tuple[Sentence, ...], list[int]] = {}
    for text, sentences in enumerate(texts):
        for key in dict.fromkeys(_distinctive(sentences)):
            members.setdefault(key, []).append(text)
    # A template that is filled at random gives equal sentences by chance: then its other fillings outnumber them.
    kept = words.kept
    shapes = {key: tuple(word for sentence in key for word in sentence if word in kept) for key in members}
    fillings = Counter(shapes.values())
    rare = sorted((len(of), key) for key, of in members.items() if max(2, fillings[shapes[key]]) <= len(of) <= most)
    return [members[key] for _, key in rare]


def one_sentence_apart(texts: Sequence[list[Sentence]], most: int) -> list[list[int]]:
    """Return sets of 2 to `most` texts that differ in one sentence or in their order, smallest set first.

    One sentence is added, removed or replaced: a story with two questions, a premise with several hypotheses. The
    rest must be at least half of the words, not counting list items. A text is looked up by the sum of the
    hashes of its sentences modulo 2**64, minus one sentence at a time, so that the rest is never built.
    """
    members: dict[int, list[int]] = {}
    for text, sentences in enumerate(texts):
        lengths = [0 if sentence[0] == OPTION else len(sentence) for sentence in sentences]
        # Equal in every process, as `str.__hash__` is not.
        raw = [" ".join(sentence).encode("utf-8", "surrogatepass") for sentence in sentences]
        digests = [int.from_bytes(blake2b(part, digest_size=8).digest(), "big") for part in raw]
        least = max(STORY_PAIR, sum(map(len, sentences)) / 2)
        rests = [(sum(digests), sum(lengths))]
        rests += [(rests[0][0] - digest, rests[0][1] - length) for digest, length in zip(digests, lengths)]
        for key in dict.fromkeys(key % 2**64 for key, length in rests if length >= least):
            members.setdefault(key, []).append(text)
    rare = sorted((len(of), key) for key, of in members.items() if 2 <= len(of) <= most)
    return [members[key] for _, key in rare]


def _distinctive(sentences: list[Sentence]) -> Iterator[tuple[Sentence, ...]]:
    """Yield the sentences and pairs of consecutive sentences that two texts do not share by chance."""
    total = sum(map(len, sentences))
    for position, sentence in enumerate(sentences):
        if sentence[0] == OPTION:
            continue
        if len(sentence) >= max(STORY_SENTENCE, STORY_SHARE * total):
            yield (sentence,)
        last = sentences[position - 1] if position else sentence
        if position and last[0] != OPTION and len(last) + len(sentence) >= max(STORY_PAIR, PAIR_SHARE * total):
            yield (last, sentence)


# A template has a range of similarities over which its texts are one cluster. The clusters with the widest ranges are
# taken (excess of mass: Campello et al. 2013), if they share enough words that the whole benchmark does not.

LEAST_SIMILAR = 0.2
"""Least mean similarity of a cluster."""

NOISE = 0.1
"""Similarities below this are those of unrelated texts: no range reaches further down."""

ALONE = 1.3
"""How much more the range of a text by itself counts: a cluster must be clearly better than none."""

COMMON = 0.7
"""A word sequence is common to a cluster if at least this share of its texts has it."""

EVIDENCE, EVIDENCE_SHARE = 5, 0.12
"""Distinct words in the common sequences: at least so many, and this share of the length of the texts. Of fewer than
eight texts a larger share is asked for, half of two: among so many pairs, some are alike by chance."""


def template_clusters(distinct: Sequence[str]) -> list[list[int]]:
    """Return the clusters of two or more texts that stand out, as positions in `distinct`.

    `distinct` must come from `distinct_texts`. A text outside the sample of the tree joins the cluster it is most
    similar to, halfway (on a log scale) between the cluster's own link and the next. No texts give no clusters.
    """
    if len(distinct) < 3:  # two texts have no others to stand out from
        return []
    linked = tree(distinct)
    above, wide = _ranges(linked)
    chosen = [
        node for node in linked.topmost(lambda node: wide[node] and _evident(linked, node)) if node >= linked.sample
    ]
    clusters = [sorted(linked.leaves(node)) for node in chosen]
    if chosen and linked.sample < len(distinct):
        _extend(linked, clusters, np.sqrt(linked.levels[chosen] * above[chosen]))
    return sorted(clusters)


def _ranges(linked: Tree) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the level at which each node joins another, and whether its range beats those of the nodes below it."""
    n = linked.sample
    levels = np.maximum(linked.levels, NOISE)
    above = np.full(len(levels), NOISE)
    above[linked.links.astype(np.int64).ravel()] = np.repeat(levels[n:], 2)
    mass = linked.sizes * np.log(levels / np.minimum(above, levels))
    mass[:n] *= ALONE
    wide = np.zeros(len(levels), dtype=np.bool_)
    best = mass.copy()
    for at, (left, right) in enumerate(linked.links.astype(np.int64).tolist()):
        below = best[left] + best[right]
        node = n + at
        wide[node] = levels[node] >= LEAST_SIMILAR and mass[node] > below
        best[node] = max(best[node], below) if wide[node] else below
    wide[-1] = False  # the root is all texts: there is nothing it stands out from
    return above, wide


def _evident(linked: Tree, node: int) -> bool:
    """True if the texts below a node have enough distinct words in common, each in a sequence of two or more."""
    texts = linked.leaves(node)
    space = linked.vectors
    spread = np.bincount(space.unit[texts].indices, minlength=len(space.keys))
    common = (spread >= COMMON * len(texts)) & (space.grams > 1)
    words = len(np.unique(space.keys[common]))
    share = max(EVIDENCE_SHARE, 1 / len(texts))
    return words >= max(EVIDENCE, share * float(space.lengths[texts].mean()))


def _extend(linked: Tree, clusters: list[list[int]], least: NDArray[np.float64]) -> None:
    """Add to each cluster the texts outside the sample that are similar enough to its texts on average."""
    unit = linked.vectors.unit
    centres = np.stack([np.asarray(unit[members].mean(axis=0)).ravel() for members in clusters]).T
    for first in range(linked.sample, unit.shape[0], 500):
        near = unit[first : first + 500] @ centres
        best = near.argmax(axis=1)
        for at, cluster in enumerate(best.tolist()):
            if near[at, cluster] >= least[cluster]:
                clusters[cluster].append(first + at)


# Only prompts are read, never answers, so that no grouping can be fitted to the answers.

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
    held = sum(int(counts[members].sum()) for members in clusters)
    if 2 <= len(clusters) <= FEW and held >= FEW_SHARE * counts.sum():
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
    joined = sum(parts.join(groups) for groups in _equal_values([fold_text(text) for text in texts], own))
    index = number_by_first(parts.find(group) for group in own.tolist())
    how = f"The column {column!r} declares {declared:,} group{'s' if declared != 1 else ''}"
    how += f"; items with equal texts reduced them to {declared - joined:,}." if joined else "."
    return Groups(index, "column", column, how)


def no_groups(n: int) -> Groups:
    """Return n groups of one item each: folds may separate any two items."""
    return Groups(np.arange(n, dtype=np.int64), "none", None, "No groups, as requested: every item stands alone.")


def _described(items: int, joins: dict[str, int], refused: int) -> str:
    """One sentence on the detected groups; `joins` counts, for each kind of evidence, the joins that it made."""
    evidence = ", ".join(f"{count:,} by {kind}" for kind, count in joins.items() if count)
    groups = f"{items - sum(joins.values()):,} groups" if evidence else "no groups"
    details = [f"joins: {evidence}"] if evidence else []
    if refused:
        details.append(f"{refused:,} refused, because they would have grouped over a fifth of all items")
    tail = f" ({'; '.join(details)})" if details else ""
    return f"Detected {groups} in {items:,} items{tail}."
