"""Which items of a benchmark belong together, whatever its kind: one rule for the audit and for the scores of models.

Items that share a text, a template or a story are not independent, and nor are those that share options. The audit
keeps them together in its folds; standard errors, intervals and p of model answers count them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from audit.benchmark import LONGEST, MOST, Benchmark, Mapping, Options, differ
from audit.groups.chosen import groups_of
from audit.options.items.grouping import joined_by_options, shown_items
from audit.options.items.pool import Pool
from audit.reading.given_options import Given
from audit.reading.options import options_of
from audit.reading.task_kind import FEWEST, kind
from audit.texts.grouping import Groups
from audit.texts.sentences import fold_text

__all__ = ["asked_together", "groups_in_pool", "items_together"]


def groups_in_pool(shown: Benchmark, pool: Pool, mode: str) -> Groups:
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
    pool = Pool.of(benchmark, _readable(options))
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
