"""The kind of task: the same few labels throughout, options per item, open answers, or too few items."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from audit.benchmark import Benchmark

__all__ = ["FEWEST", "Kind", "kind", "open_ended"]

FEWEST = 30
"""Fewer items than this are not assessed: no fold of them could be distinguished from chance."""

_SAME = 0.9
"""If at least this share of items has identical options, the benchmark has one set of options."""

_LOOKED_AT = 5000
"""Prompts searched for enumerations, evenly spaced; estimating a share needs no more."""

_MARKS = 200
"""Marks examined per prompt, counted from its end: options come last, and a hostile prompt has millions."""

_MARK = re.compile(
    r"(?:^|(?<=\s))(?:\((?P<inner>[A-Za-z]|\d{1,2})\)|(?P<plain>[A-Za-z]|\d{1,2})[.):])[ \t]+(?=\S)", re.M
)
_LABEL = re.compile(r"\(?([A-Za-z]|\d{1,2})[.):]?\)?\Z")


@dataclass(frozen=True)
class Kind:
    """The kind of a benchmark, and why."""

    name: Literal["fixed", "per-item", "open-ended", "too-few"]
    """A probe that reads the prompt alone can judge only `fixed`."""
    reason: str
    """A full sentence, for the report."""


@dataclass(frozen=True)
class _Options:
    """One enumeration in a prompt."""

    marks: tuple[str, ...]
    texts: tuple[str, ...]
    """The text after each mark; without the last one if the options share a line."""


def kind(benchmark: Benchmark) -> Kind:
    """Judge the kind from the answers, the options of each item and enumerations printed in the prompts.

    `per-item` means that a label only points at one of the item's own options, and the options differ between
    items: a probe that reads the prompt alone cannot judge that. Below `FEWEST` items it is always `too-few`.
    """
    n = len(benchmark.prompts)
    if n < FEWEST:
        items = "1 item" if n == 1 else f"{n} items"
        return Kind("too-few", f"Only {items}: the audit needs at least {FEWEST} to hold some out and measure kappa.")
    labels = sorted(set(benchmark.answers))
    printed = _printed(benchmark, labels)
    if printed is not None:
        return printed
    given = _given(benchmark)
    if given is not None:
        return given
    reason = open_ended(benchmark.answers)
    if reason:
        return Kind("open-ended", f"The task is open-ended: {reason}.")
    shown = ", ".join(repr(label) for label in labels[:6]) + (", ..." if len(labels) > 6 else "")
    return Kind("fixed", f"All answers come from the same {len(labels)} labels: {shown}.")


def open_ended(answers: Sequence[str]) -> str:
    """Why the answers are not labels: too many different ones (over 50 and n/10, or over n/2); else empty."""
    n, distinct = len(answers), len(set(answers))
    if distinct > max(50, n / 10) or distinct > n / 2:
        return f"{distinct:,} different answers in {n:,} items, so they are not labels that a probe could learn"
    return ""


def _given(benchmark: Benchmark) -> Kind | None:
    """`per-item` by options in a field of their own; None if there are none or they are all the same."""
    if benchmark.choices is None:
        return None
    n = len(benchmark.choices)
    sets = Counter(tuple(sorted(options)) for options in benchmark.choices)
    if sets.most_common(1)[0][1] < _SAME * n:
        return Kind(
            "per-item",
            f"The options differ from item to item ({len(sets):,} different sets in {n:,} items), "
            "so the same answer means different things in different items.",
        )
    orders = Counter(tuple(options) for options in benchmark.choices)
    among = sum(answer in options for answer, options in zip(benchmark.answers, benchmark.choices))
    if orders.most_common(1)[0][1] < _SAME * n and 2 * among < n:
        return Kind(
            "per-item",
            f"The answers are numbers or letters of options whose order changes from item to item "
            f"({len(orders):,} orders in {n:,} items), so the same label means different things in different items.",
        )
    return None


def _printed(benchmark: Benchmark, labels: list[str]) -> Kind | None:
    """`per-item` by options enumerated in the prompts; None if the labels are not the marks of options."""
    if any(_mark(label) is None for label in labels):
        return None
    lists: Counter[tuple[str, ...]] = Counter()
    covered = 0
    step = max(1, len(benchmark.prompts) // _LOOKED_AT)
    n = len(benchmark.prompts[::step])
    for prompt, answer in zip(benchmark.prompts[::step], benchmark.answers[::step]):
        options = _enumerated(prompt, _mark(answer) or "")
        if options is not None:
            covered += 1
            lists[options.texts] += 1
    if 2 * covered <= n or lists.most_common(1)[0][1] >= _SAME * covered:
        return None
    sampled = " sampled" if step > 1 else ""
    return Kind(
        "per-item",
        f"The answers are numbers or letters of options inside the prompt ({covered:,} of {n:,} items{sampled}), "
        f"and the options differ from item to item ({len(lists):,} different lists), so the same "
        "label means different things in different items.",
    )


def _mark(label: str) -> str | None:
    """`b` for `(B)`, `B.` or `b`; None for a label that is not a number or a single letter."""
    match = _LABEL.match(label.strip())
    return match[1].casefold() if match else None


def _enumerated(prompt: str, wanted: str) -> _Options | None:
    """The last enumeration in the prompt that has the mark `wanted`; None if there is none.

    An enumeration runs 1 2 3 ..., 0 1 2 ... or a b c ... without a gap and has at least two marks.
    """
    hits = [(match, (match["inner"] or match["plain"]).casefold()) for match in _MARK.finditer(prompt)][-_MARKS:]
    best: _Options | None = None
    for start, (_, mark) in enumerate(hits):
        if mark not in ("0", "1", "a"):
            continue
        run, expected = [start], _after(mark)
        for at in range(start + 1, len(hits)):
            if hits[at][1] == expected:
                run.append(at)
                expected = _after(expected)
        marks = tuple(hits[at][1] for at in run)
        if len(run) < 2 or wanted not in marks:
            continue
        spans = [hits[at][0].span() for at in run]
        ends = [*(begin for begin, _ in spans[1:]), len(prompt)]
        texts = [prompt[begin:end] for (_, begin), end in zip(spans, ends)]
        firsts = [" ".join(text.strip().split("\n", 1)[0].split()) for text in texts]
        # In a list on one line, the last option cannot be told from the text that follows it.
        own_lines = all(begin == 0 or prompt[:begin].rstrip(" \t").endswith("\n") for begin, _ in spans)
        best = _Options(marks, tuple(firsts if own_lines else firsts[:-1]))
    return best


def _after(mark: str) -> str:
    """The next mark: `2` after `1`, `b` after `a`."""
    return str(int(mark) + 1) if mark.isdigit() else chr(ord(mark) + 1)
