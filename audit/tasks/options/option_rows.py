"""The options of all items as rows, what of a benchmark can be audited so, and what belongs together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hansproof.audit.benchmark import LONGEST, MOST, Benchmark, LeftOut, Mapping, Options, differ
from hansproof.audit.notation import per_cent, things
from hansproof.audit.reading.given_options import Given
from hansproof.audit.reading.options import options_of
from hansproof.audit.reading.task_kind import FEWEST, kind
from hansproof.audit.result.advice import of_pairs
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.tasks.group_layout import groups_of
from hansproof.audit.texts.grouping import LARGEST_SHARE, Groups
from hansproof.audit.texts.sentences import fold_text
from hansproof.audit.texts.similarity import Components, number_by_first
from hansproof.generators.errors import NotAssessedError

__all__ = ["OptionPool", "asked_together", "groups_in_pool", "items_together", "shown", "usable_options"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class OptionPool:
    """n items with R options in all; the rows of an item follow each other in the order of the source."""

    texts: list[str]
    """(R,) the options."""
    questions: list[str]
    """(n,)"""
    start: Ints
    """(n + 1,): item i has the rows start[i] to start[i + 1] - 1."""
    gold: Ints
    """(n,) the row of the right option of each item."""
    source: list[int]
    """(n,) the number of each item in the benchmark."""
    pairs: bool = False
    """As in `Options`."""

    @classmethod
    def of(cls, benchmark: Benchmark, options: Options) -> OptionPool:
        """The items that can be used, in an order that depends on their texts alone.

        Folds and resampling number the items in this order, so that reordering the rows of a file changes nothing.
        The order is that of a hash; items alike in question, options, gold and declared group are interchangeable.
        """
        groups = benchmark.groups

        def key(number: int) -> bytes:
            texts = options.texts[number]
            parts = [options.questions[number], *sorted(texts), texts[options.gold[number]]]
            parts += [groups[number] if groups else "", *texts]
            return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()

        order = sorted(options.usable, key=key)
        start = np.cumsum([0, *(len(options.texts[number]) for number in order)])
        return cls(
            texts=[text for number in order for text in options.texts[number]],
            questions=[options.questions[number] for number in order],
            start=start,
            gold=start[:-1] + np.array([options.gold[number] for number in order], dtype=np.int64),
            source=order,
            pairs=options.pairs,
        )

    def taken(self, items: Ints) -> OptionPool:
        """The pool of some of the items, in this order."""
        rows, places = self.rows_of(items), self.gold[items] - self.start[items]
        start = np.concatenate(([0], np.cumsum(self.size[items])))
        return OptionPool(
            texts=[self.texts[row] for row in rows.tolist()],
            questions=[self.questions[item] for item in items.tolist()],
            start=start,
            gold=start[:-1] + places,
            source=[self.source[item] for item in items.tolist()],
            pairs=self.pairs,
        )

    def worded(self, text: str) -> str:
        """Words of ours on options in those of the pool: of pairs on replies."""
        return of_pairs(text) if self.pairs else text

    @property
    def names(self) -> tuple[str, str]:
        """What an n-gram of a wrong option, and one of a right option, points to."""
        return self.worded("a wrong option"), self.worded("the right option")

    @property
    def n(self) -> int:
        """How many items there are."""
        return len(self.start) - 1

    @property
    def most(self) -> int:
        """In how many items an option or a question may be without being part of a pool."""
        return min(_COMMON, max(_FEW, int(_COMMON_SHARE * self.n)))

    @cached_property
    def size(self) -> Ints:
        """(n,) how many options each item has."""
        return np.diff(self.start)

    @cached_property
    def item(self) -> Ints:
        """(R,) the item of each row."""
        return np.repeat(np.arange(self.n), self.size)

    @cached_property
    def position(self) -> Ints:
        """(R,) the place of each option within its item, from 0."""
        return np.arange(len(self.texts)) - np.repeat(self.start[:-1], self.size)

    @cached_property
    def folded(self) -> list[str]:
        """(R,) the options by which equal ones are known: one case, single spaces."""
        return [fold_text(text) for text in self.texts]

    @cached_property
    def same(self) -> Ints:
        """(R,) a number for each different option, in order of first occurrence; `folded` ones that are equal share it.

        Not by an array of texts: NumPy would give every option the room of the longest.
        """
        numbers: dict[str, int] = {}
        return np.fromiter((numbers.setdefault(text, len(numbers)) for text in self.folded), np.int64, len(self.texts))

    @cached_property
    def strata(self) -> Ints:
        """(n,) a number for each number of options, so that folds get as many items of each size."""
        return np.asarray(np.unique(self.size, return_inverse=True)[1], dtype=np.int64)

    @cached_property
    def turns(self) -> Ints:
        """(R,) the rows of each item in an order that depends on the texts of the options alone.

        Relabelling moves the gold along this order (`option_crossfit.rotated`), so that items with the same options
        move alike, wherever each option stands.
        """
        digests = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in self.folded]
        rows = [
            row
            for first, last in zip(self.start[:-1].tolist(), self.start[1:].tolist(), strict=True)
            for row in sorted(range(first, last), key=digests.__getitem__)
        ]
        return np.array(rows, dtype=np.int64)

    def answers(self, gold: Ints) -> Ints:
        """(R,) 1 for the rows in `gold` (n,), 0 for the others."""
        y = np.zeros(len(self.texts), dtype=np.int64)
        y[gold] = 1
        return y

    def rows_of(self, items: Sequence[int] | Ints) -> Ints:
        """The rows of some items, item by item."""
        chosen = np.asarray(items, dtype=np.int64)
        size = self.size[chosen]
        return np.asarray(np.arange(size.sum()) + np.repeat(self.start[chosen] - (np.cumsum(size) - size), size))


_SHARED, _SHARE = 2, 0.5
"""Items with at least so many options in common, and this share of the longer list, belong together."""

_BLOCK = 4096
"""Items compared with all others at a time."""

_FEW, _COMMON, _COMMON_SHARE = 5, 50, 0.05
"""An option in more than this share of the items, but at least 5 and at most 50 of them, is part of a pool ("none of
the above", a list of labels), not of a set."""


def joined_by_options(pool: OptionPool, own: Groups, places: Ints | None = None) -> Groups:
    """The groups of N items, joined where items share a question or an unusual part of their options.

    Golds are never read. A question of many items is a phrase of the benchmark, unless it is a prompt with replies.
    `places` (n,) says which of the N items each of the pool is; by default they are the same in the same order.
    """
    parts = Components(np.bincount(own.index).tolist())
    limit = max(2, int(LARGEST_SHARE * pool.n))
    held = own.index if places is None else own.index[places]
    joins = sum(parts.join(held[list(pair)].tolist(), limit) for pair in (*_asking(pool), *_sharing(pool)))
    if not joins or own.source == "none":
        return own
    index = number_by_first(parts.find(group) for group in own.index.tolist())
    joined = pool.worded("items that share options or a question")
    how = f"{own.how.rstrip('.')}; {joined} reduced them to {int(index.max()) + 1:,}."
    return replace(own, index=index, how=how)


def shown_items(pool: OptionPool) -> list[str]:
    """(n,) each item as one text: its question and its options, in an order of their own, as list items."""
    lines = [f"- {' '.join(pool.texts[row].split())}" for row in pool.turns.tolist()]
    return [
        "\n".join([question, *lines[first:last]])
        for question, first, last in zip(pool.questions, pool.start[:-1].tolist(), pool.start[1:].tolist(), strict=True)
    ]


def _asking(pool: OptionPool) -> Iterator[tuple[int, int]]:
    """Pairs of items that follow each other with the same question, ascending."""
    asked: dict[str, list[int]] = {}
    for item, question in enumerate(pool.questions):
        asked.setdefault(fold_text(question), []).append(item)
    most = pool.n if pool.pairs else pool.most
    for items in asked.values():
        yield from pairwise(items if len(items) <= most else [])


def _sharing(pool: OptionPool) -> Iterator[tuple[int, int]]:
    """Pairs of items that share options to an unusual degree, ascending; linear in the number of rows.

    An option may be in 50 items, and so join a million of them in 25 million pairs: they are made block by block.
    """
    ids = pool.same
    spread = np.bincount(ids)
    rare = (spread[ids] <= pool.most) & (spread[ids] > 1)
    has = sp.csr_matrix((np.ones(int(rare.sum())), (pool.item[rare], ids[rare])), shape=(pool.n, len(spread)))
    turned = has.T.tocsr()
    for begin in range(0, pool.n, _BLOCK):
        both = (has[begin : begin + _BLOCK] @ turned).tocoo()
        row = both.row + begin
        longer = np.maximum(pool.size[row], pool.size[both.col])
        unusual = (both.col > row) & (both.data >= _SHARED) & (both.data >= _SHARE * longer)
        first, second = row[unusual], both.col[unusual]
        order = np.lexsort((second, first))
        yield from zip(first[order].tolist(), second[order].tolist(), strict=True)


def usable_options(benchmark: Benchmark, settings: Settings) -> Options:
    """The options, if they can be audited; raises NotAssessedError with a reason if not."""
    options = benchmark.options
    if options is None:
        raise NotAssessedError(f"{kind(benchmark).reason} The options could not be read: name them with --choices.")
    if options.refusal:
        raise NotAssessedError(options.refusal)
    if settings.protocol == "paper":
        raise NotAssessedError(
            "Each item has its own options, which the paper's protocol does not know; use the grouped protocol, or, as "
            "the paper does where they are called the same in all items (1 and 2), audit the answers as labels with "
            "--task fixed."
        )
    used, total = len(options.usable), len(options.faults)
    if total - used > settings.max_left_out * total:
        faults = [fault for fault in options.faults if fault]
        common = max(dict.fromkeys(faults), key=faults.count)
        raise NotAssessedError(
            f"{total - used:,} of {total:,} items cannot be used (at most {per_cent(settings.max_left_out, 0)} may be "
            f"left out), most often because {common}; the options were read as: {options.how}. Name the columns with "
            f"--choices and --answer, or repair the items."
        )
    if used < FEWEST:
        raise NotAssessedError(f"Only {things(used, 'item')} can be used: the audit needs at least {FEWEST}.")
    return options


def shown(benchmark: Benchmark, options: Options, pool: OptionPool) -> Benchmark:
    """The items of the pool with question and options as their prompt, and the others among those left out."""
    faulty = [LeftOut(benchmark.ids[number], fault) for number, fault in enumerate(options.faults) if fault]
    return replace(
        benchmark.taken(pool.source),
        prompts=shown_items(pool),
        answers=[pool.texts[row] for row in pool.gold.tolist()],
        choices=None,
        accepted=None,
        options=None,
        left_out=(*benchmark.left_out, *faulty),
    )


# Items that share a text, a template or a story are not independent, and nor are those that share options. The audit
# keeps them together in its folds; standard errors, intervals and p of model answers count them together.


def groups_in_pool(shown: Benchmark, pool: OptionPool, mode: str) -> Groups:
    """The groups of the n items of a `pool`, `shown` with question and options as their prompts, in its order."""
    return joined_by_options(pool, groups_of(shown, mode))


def items_together(benchmark: Benchmark, mode: str) -> Groups:
    """The groups of all N items of a benchmark, in its order, under one `audit.settings.GroupMode`.

    They are those of the audit where it can use every item. Those that it leaves out, because it cannot tell which one
    of their options is right, are grouped as well: no rule reads the golds.
    """
    options = benchmark.options
    if options is None or not _each_its_own(benchmark, options):
        return groups_of(benchmark, mode)
    pool = OptionPool.of(benchmark, _readable(options))
    prompts = list(benchmark.prompts)
    for place, text in zip(pool.source, shown_items(pool), strict=True):
        prompts[place] = text
    own = groups_of(replace(benchmark, prompts=prompts), mode)
    return joined_by_options(pool, own, np.array(pool.source, dtype=np.int64))


def _readable(options: Options) -> Options:
    """The options, of which an item can be used that has at least two, all different, whichever is right."""
    gold = [max(place, 0) for place in options.gold]
    return replace(options, gold=gold, faults=["" if _lists(own) else "no list" for own in options.texts])


def _lists(texts: Sequence[str]) -> bool:
    """Whether these are options; two equal ones would count as two that items share."""
    if not 2 <= len(texts) <= MOST or not all(0 < len(text) <= LONGEST for text in texts):
        return False
    return len({fold_text(text) for text in texts}) == len(texts)


def asked_together(
    prompts: Sequence[str],
    golds: Sequence[Sequence[str]],
    choices: Sequence[Sequence[str]],
    mode: str,
    matched: Sequence[str] | None = None,
) -> Groups:
    """The same of N items of which a log tells prompts, right answers (none, or several) and options (none, or all).

    Items with an equal value of `matched` belong together, such as one and its perturbed forms.
    """
    answers = [own[0] if own else "" for own in golds]
    accepted = [tuple(own) for own in golds] if any(len(own) > 1 for own in golds) else None
    given = [Given.of(own) for own in choices] if 2 * sum(len(own) > 1 for own in choices) > len(choices) else None
    benchmark = Benchmark(
        name="",
        source="",
        sha256="",
        prompts=list(prompts),
        answers=answers,
        ids=[str(place) for place in range(len(prompts))],
        mapping=Mapping("prompt", "answer")
        if matched is None
        else Mapping("prompt", "answer", group="original", sources=("original",)),
        groups=None if matched is None else list(matched),
        choices=None if given is None else [list(of.texts) for of in given],
        options=options_of(prompts, answers, given, ["choices"], "answer", accepted),
        accepted=accepted,
    )
    return items_together(benchmark, mode)


def _each_its_own(benchmark: Benchmark, options: Options) -> bool:
    """Whether the audit works option by option, or would with more items of the kind."""
    if not options.usable:
        return False
    return differ(options) if len(benchmark.prompts) < FEWEST else kind(benchmark).name == "per-item"
