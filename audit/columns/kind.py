"""What kind of task a benchmark is: the same few labels throughout, options per item, open answers, or too few."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from audit.benchmark import Benchmark

__all__ = ["FEWEST", "Kind", "kind", "open_ended"]

FEWEST = 30
"""Fewer items than this are not assessed: no fold of them could be told from chance."""

_SAME = 0.9
"""Share of items with identical options above which a benchmark counts as having one set of them."""

_LOOKED_AT = 5000
"""Prompts searched for enumerations, evenly spaced: a share of most items needs no more."""

_MARKS = 200
"""Marks looked at in one prompt, the last ones: options come last, and a hostile prompt has millions."""

_MARK = re.compile(
    r"(?:^|(?<=\s))(?:\((?P<inner>[A-Za-z]|\d{1,2})\)|(?P<plain>[A-Za-z]|\d{1,2})[.):])[ \t]+(?=\S)", re.M
)
_LABEL = re.compile(r"\(?([A-Za-z]|\d{1,2})[.):]?\)?\Z")


@dataclass(frozen=True)
class Kind:
    """The kind of a benchmark and why it was judged so."""

    name: Literal["fixed", "per-item", "open-ended", "too-few"]
    """Only `fixed` can be judged by a probe that reads the prompt alone."""
    reason: str
    """A full sentence, for the report."""


@dataclass(frozen=True)
class _Options:
    """One enumeration found in a prompt."""

    marks: tuple[str, ...]
    texts: tuple[str, ...]
    """What follows each mark; without the last one where the enumeration does not end with a line."""


def kind(benchmark: Benchmark) -> Kind:
    """Judge the kind from the answers, the options of each item and enumerations printed in the prompts.

    `per-item` wherever the label only says which option of this item is meant and the options differ between
    items: a probe that reads the prompt alone cannot judge that. `too-few` under `FEWEST` items, whatever they are.
    """
    n = len(benchmark.prompts)
    if n < FEWEST:
        items = "1 item" if n == 1 else f"{n} items"
        return Kind("too-few", f"Only {items}: under {FEWEST} nothing can be held out and measured.")
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
    shown = ", ".join(repr(one) for one in labels[:6]) + (", ..." if len(labels) > 6 else "")
    return Kind("fixed", f"The same {len(labels)} labels are the answers throughout: {shown}.")


def open_ended(answers: Sequence[str]) -> str:
    """Why the answers are no labels: more than 50 and a tenth of the items, or half of them; else ''."""
    n, distinct = len(answers), len(set(answers))
    if distinct > max(50, n / 10) or distinct > n / 2:
        return f"{distinct:,} different answers in {n:,} items, so none is a label to learn"
    return ""


def _given(benchmark: Benchmark) -> Kind | None:
    """The verdict of options in a field of their own; None where there are none or they are all the same."""
    if benchmark.choices is None:
        return None
    n = len(benchmark.choices)
    sets = Counter(tuple(sorted(one)) for one in benchmark.choices)
    if sets.most_common(1)[0][1] < _SAME * n:
        return Kind(
            "per-item",
            f"The options are other ones from item to item ({len(sets):,} different sets in {n:,} "
            "items), so an answer is not a label that means the same throughout.",
        )
    orders = Counter(tuple(one) for one in benchmark.choices)
    among = sum(answer in options for answer, options in zip(benchmark.answers, benchmark.choices))
    if orders.most_common(1)[0][1] < _SAME * n and 2 * among < n:
        return Kind(
            "per-item",
            f"The answers are numbers or letters of options whose order changes from item to item "
            f"({len(orders):,} orders in {n:,} items), so a label does not mean the same throughout.",
        )
    return None


def _printed(benchmark: Benchmark, labels: list[str]) -> Kind | None:
    """The verdict of options enumerated inside the prompts; None where the labels are not their marks."""
    marks = [_mark(one) for one in labels]
    if any(one is None for one in marks):
        return None
    found: Counter[tuple[str, ...]] = Counter()
    covered = 0
    step = max(1, len(benchmark.prompts) // _LOOKED_AT)
    n = len(benchmark.prompts[::step])
    for prompt, answer in zip(benchmark.prompts[::step], benchmark.answers[::step]):
        options = _enumerated(prompt, _mark(answer) or "")
        if options is not None:
            covered += 1
            found[options.texts] += 1
    if 2 * covered <= n or found.most_common(1)[0][1] >= _SAME * covered:
        return None
    looked_at = " looked at" if step > 1 else ""
    return Kind(
        "per-item",
        f"The answers are numbers or letters of options inside the prompt ({covered:,} of {n:,} items{looked_at}), "
        f"and the options are other ones from item to item ({len(found):,} different lists), so a label does "
        "not mean the same throughout.",
    )


def _mark(label: str) -> str | None:
    """`b` of `(B)`, `B.` or `b`; None for a label that is no number or letter."""
    match = _LABEL.match(label.strip())
    return match[1].casefold() if match else None


def _enumerated(prompt: str, wanted: str) -> _Options | None:
    """The last enumeration in the prompt that has the mark `wanted`; None where there is none.

    An enumeration runs 1 2 3 ..., 0 1 2 ... or a b c ... without a gap, two marks at least.
    """
    hits = [(one, (one["inner"] or one["plain"]).casefold()) for one in _MARK.finditer(prompt)][-_MARKS:]
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
        firsts = [" ".join(one.strip().split("\n", 1)[0].split()) for one in texts]
        # The last option of a list inside one line runs on into whatever follows it.
        own_lines = all(begin == 0 or prompt[:begin].rstrip(" \t").endswith("\n") for begin, _ in spans)
        best = _Options(marks, tuple(firsts if own_lines else firsts[:-1]))
    return best


def _after(mark: str) -> str:
    """The mark that follows: `2` after `1`, `b` after `a`."""
    return str(int(mark) + 1) if mark.isdigit() else chr(ord(mark) + 1)
