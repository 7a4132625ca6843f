"""The kind of task: the same few labels throughout, options per item, open answers, or too few items.

And the answers proper where answers are worked solutions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hansproof.audit.benchmark import MOST, SAME, Benchmark, differ
from hansproof.audit.reading.given_options import mark_of, printed_options

__all__ = ["FEWEST", "final_answer", "kind", "open_ended"]

FEWEST = 30
"""Fewer items than this are not assessed: no fold of them could be distinguished from chance."""

_LOOKED_AT = 5000
"""Prompts searched for enumerations, evenly spaced; estimating a share needs no more."""


_UNREAD = (
    r"^(?:[^\w\n]|_)*(?:[^\W\d_]{1,20}(?: |(?=\d)))?(?:(LABEL)(?=[ \t]?[^\w\s,;!?'’]|_)|(BARE)(?=\s))"
    r"|(?<=\s)[^\w\s]*(LABEL)(?=[^\w\s.,;!?'’])"  # `ii)` within a line; in prose, words stand before full stops
)
"""The marks of options that `printed_options` does not know, for the answers in place of LABEL.

Lines begin with `F. `, `<A>`, `Option 2 - `; with `① ` as well, but not with words alone (BARE), as prose does."""
_POINTED = 0.9
"""Share of the prompts in which the gold and another answer must be such marks."""


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
        return _printed_texts(benchmark) or _unread(benchmark, labels)
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
        return _unread(benchmark, labels)
    if lists.most_common(1)[0][1] >= SAME * covered:
        return None
    sampled = " sampled" if step > 1 else ""
    return Kind(
        "per-item",
        f"The answers are numbers or letters of options inside the prompt ({covered:,} of {n:,} items{sampled}), "
        f"and the options differ from item to item ({len(lists):,} different lists), so the same "
        "label means different things in different items.",
    )


def _unread(benchmark: Benchmark, labels: list[str]) -> Kind | None:
    """`per-item` by answers that are letters, from A on, or marks of options that nobody could read."""
    letters = len(labels) > 2 and labels == [chr(ord("A") + place) for place in range(len(labels))]
    if benchmark.choices is not None or not (letters or _are_marks(benchmark, labels)):
        return None
    return Kind(
        "per-item",
        f"The answers {labels[0]} to {labels[-1]} seem to be {'letters' if letters else 'marks'} of options; write "
        "each option on a line of its own, such as “A) text”, or audit the "
        f"{'letters' if letters else 'marks'} as labels with --task fixed.",
    )


def _are_marks(benchmark: Benchmark, labels: list[str]) -> bool:
    """Whether the labels stand before texts in the prompts, each time before other ones: `①`, `iv.`, `F)`.

    The same few words before the same texts (`yes / no`, a list of classes with their meanings) are labels.
    """
    if len(labels) > MOST:
        return False
    longest = max(map(len, benchmark.prompts), default=0)  # a pattern of megabytes takes seconds, and matches nothing
    ways = [re.escape(label) for label in sorted(labels, key=len, reverse=True) if len(label) <= longest] or ["(?!)"]
    bare = "|".join(way for way in ways if not any(map(str.isalpha, way))) or "(?!)"
    mark = re.compile(_UNREAD.replace("LABEL", "|".join(ways)).replace("BARE", bare), re.M | re.I)
    step = max(1, len(benchmark.prompts) // _LOOKED_AT)
    n = len(benchmark.prompts[::step])
    pointed, texts = 0, {label.casefold(): Counter[str]() for label in labels}
    for prompt, answer in zip(benchmark.prompts[::step], benchmark.answers[::step]):
        spans = [(next(filter(None, hit.groups())).casefold(), hit.span()) for hit in mark.finditer(prompt)]
        ends = [*(begin for _, (begin, _) in spans[1:]), len(prompt)]
        read = {name: prompt[begin:end].partition("\n")[0].strip() for (name, (_, begin)), end in zip(spans, ends)}
        pointed += answer.casefold() in read and len(read) > 1
        for name, text in read.items():
            texts[name][text] += 1
    usual = [counts for counts in texts.values() if counts.total() > (1 - _POINTED) * n]
    return (
        pointed >= _POINTED * n
        and bool(usual)
        and all(max(counts.values()) < SAME * counts.total() for counts in usual)
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
