"""The kind of task: the same few labels throughout, options per item, open answers, or too few items.

And the answers proper where answers are worked solutions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hansproof.audit.benchmark import SAME, Benchmark, differ
from hansproof.audit.reading.given_options import mark_of, printed_options

__all__ = ["FEWEST", "final_answer", "kind", "open_ended"]

FEWEST = 30
"""Fewer items than this are not assessed: no fold of them could be distinguished from chance."""

_LOOKED_AT = 5000
"""Prompts searched for enumerations, evenly spaced; estimating a share needs no more."""


@dataclass(frozen=True)
class Kind:
    """The kind of a benchmark, and why."""

    name: Literal["fixed", "per-item", "open-ended", "too-few"]
    """A probe that reads the prompt alone can judge only `fixed`; `per-item` is judged option by option."""
    reason: str
    """A full sentence, for the report."""


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
    options = benchmark.options
    if options is not None and options.refusal and not any(options.texts):
        return Kind("per-item", options.refusal)
    if told := _printed(benchmark, labels) or _given(benchmark):
        return told
    if reason := open_ended(benchmark.answers):
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
    if sets.most_common(1)[0][1] < SAME * n:
        return Kind(
            "per-item",
            f"The options differ from item to item ({len(sets):,} different sets in {n:,} items), "
            "so the same answer means different things in different items.",
        )
    orders = Counter(tuple(options) for options in benchmark.choices)
    among = sum(answer in options for answer, options in zip(benchmark.answers, benchmark.choices))
    if orders.most_common(1)[0][1] < SAME * n and 2 * among < n:
        return Kind(
            "per-item",
            f"The answers are numbers or letters of options whose order changes from item to item "
            f"({len(orders):,} orders in {n:,} items), so the same label means different things in different items.",
        )
    return None


def _printed(benchmark: Benchmark, labels: list[str]) -> Kind | None:
    """`per-item` by options enumerated in the prompts; None if the labels are neither their marks nor their texts."""
    if any(mark_of(label) is None for label in labels):
        return _printed_texts(benchmark)
    lists: Counter[tuple[str, ...]] = Counter()
    covered = 0
    step = max(1, len(benchmark.prompts) // _LOOKED_AT)
    n = len(benchmark.prompts[::step])
    for prompt, answer in zip(benchmark.prompts[::step], benchmark.answers[::step]):
        # An index may point at options that have letters.
        options = printed_options(prompt, mark_of(answer) or "") or printed_options(prompt, "a")
        if options is not None:
            covered += 1
            lists[options.sure] += 1
    if 2 * covered <= n:
        return _letters(labels) if benchmark.choices is None else None
    if lists.most_common(1)[0][1] >= SAME * covered:
        return None
    sampled = " sampled" if step > 1 else ""
    return Kind(
        "per-item",
        f"The answers are numbers or letters of options inside the prompt ({covered:,} of {n:,} items{sampled}), "
        f"and the options differ from item to item ({len(lists):,} different lists), so the same "
        "label means different things in different items.",
    )


def _letters(labels: list[str]) -> Kind | None:
    """`per-item` by answers that are the letters from A on, three or more, of options that nobody could read."""
    if len(labels) < 3 or labels != [chr(ord("A") + place) for place in range(len(labels))]:
        return None
    return Kind(
        "per-item",
        f"The answers {labels[0]} to {labels[-1]} seem to be letters of options; write each option on a line of its "
        "own, such as “A) text”, or audit the letters as labels with --task fixed.",
    )


def _printed_texts(benchmark: Benchmark) -> Kind | None:
    """`per-item` by golds that repeat the text of an option enumerated in the prompt."""
    options = benchmark.options
    if benchmark.choices is not None or options is None or not differ(options):
        return None
    return Kind(
        "per-item",
        f"The answers are texts of options inside the prompt ({len(options.usable):,} of {len(options.gold):,} items), "
        "and the options differ from item to item.",
    )


_FINAL = ("####", "\\boxed{")
"""Where the answer proper begins in worked solutions: GSM8K, MATH."""
_WORKED = 0.9
"""Share of the answers that must have such a mark."""
_LONGEST = 2_000
"""Characters that are searched for the brace that closes `\\boxed{`."""


def final_answer(answers: Sequence[str]) -> tuple[list[str], str]:
    """The answers proper of worked solutions, and the mark before them; as they are, and an empty mark, otherwise.

    GSM8K writes its answer after `####`, MATH inside `\\boxed{}`.
    """
    for mark in _FINAL:
        if sum(mark in answer for answer in answers) < _WORKED * len(answers):
            continue
        taken = [_after(answer, mark) for answer in answers]
        if all(taken):
            return taken, mark
    return list(answers), ""


def _after(answer: str, mark: str) -> str:
    rest = answer.rpartition(mark)[2]
    if not mark.endswith("{"):
        return rest.strip()
    depth = 1
    for at, char in enumerate(rest[:_LONGEST]):
        depth += (char == "{") - (char == "}")
        if depth == 0:
            return rest[:at].strip()
    return rest.strip()
