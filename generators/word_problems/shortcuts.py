"""What each known shortcut reaches on the items of a subset: the numbers of manifest and card.

Computed from prompt, answer and metadata alone, so that anybody can compute them again from the files. A shortcut
that reaches nothing stands there too: that is what the counterbalanced subsets are for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import nan, prod, sqrt
from typing import Final

from generators.item import Item
from generators.word_problems.forms import Question, parse

__all__ = ["FIELDS", "shortcuts"]

FIELDS: Final = {
    "keyword_operation": "Cohen's kappa of the best guess of the operation from the keyword alone (in sample); over "
    "the items with a keyword",
    "keyword_operation_in_family": "the same where it is known whether to add or subtract, or to multiply or divide: "
    "the mean of the two families, weighted by items",
    "answer_in_text": "share of items whose answer is one of the numbers of the text",
    "answer_is_sum": "share whose answer is the sum of all numbers of the text",
    "answer_is_largest": "share whose answer is the largest number of the text",
    "keyword_arithmetic": "share right where the operation that the keyword names is applied to the two numbers in "
    "their order; over the items of one step with a keyword",
    "majority_answer": "share of the commonest answer",
    "length_steps": "Spearman correlation of the number of words and the number of steps",
}
"""Each key of `shortcuts` and what it means."""

NO_KEYWORD: Final = "none"
_FAMILIES: Final = (("more", "fewer"), ("times", "part"))


def shortcuts(items: Sequence[Item]) -> dict[str, float]:
    """Every key of FIELDS with what it reaches on these items; NaN where it is undefined.

    Undefined: kappas where only one operation occurs, shares of no items, correlations with a constant. Numbers of
    a text are the quantities of its logical forms, so `twice` and `half` count as 2. Raises InputError where
    `metadata.forms` has no logical form.
    """
    keyed = [
        (item.metadata["keyword"], item.metadata["operation"])
        for item in items
        if item.metadata["keyword"] != NO_KEYWORD
    ]
    numbers = [_numbers(item) for item in items]
    answers = [item.answer for item in items]
    single = [
        (item, known)
        for item, known in zip(items, numbers)
        if item.metadata["n_steps"] == 1 and item.metadata["keyword"] != NO_KEYWORD and len(known) == 2
    ]
    return {
        "keyword_operation": _kappa(keyed),
        "keyword_operation_in_family": _kappa_in_families(keyed),
        "answer_in_text": _share([gold in map(str, known) for gold, known in zip(answers, numbers)]),
        "answer_is_sum": _share([gold == str(sum(known)) for gold, known in zip(answers, numbers)]),
        "answer_is_largest": _share([gold == str(max(known)) for gold, known in zip(answers, numbers)]),
        "keyword_arithmetic": _share([
            item.answer == _named(item.metadata["keyword"], *known) for item, known in single
        ]),
        "majority_answer": max(Counter(answers).values()) / len(answers) if answers else nan,
        "length_steps": _spearman(
            [len(item.prompt.split()) for item in items], [item.metadata["n_steps"] for item in items]
        ),
    }  # fmt: skip


def _numbers(item: Item) -> list[int]:
    """The numbers of the text in their order."""
    forms = [parse(text) for text in item.metadata["forms"]]
    return [form.quantity for form in forms if not isinstance(form, Question)]


def _share(right: list[bool]) -> float:
    return sum(right) / len(right) if right else nan


def _named(keyword: str, first: int, second: int) -> str:
    """What a reader of keywords answers; "" where there is no such integer."""
    if keyword == "more":
        return str(first + second)
    if keyword == "fewer":
        return str(first - second)
    if keyword == "times":
        return str(first * second)
    return "" if second == 0 or first % second else str(first // second)


def _kappa(pairs: list[tuple[str, str]]) -> float:
    """Cohen's (1960) kappa of guessing the second of each pair as the commonest one beside the first."""
    golds = Counter(gold for _, gold in pairs)
    if len(golds) < 2:
        return nan
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for cue, gold in pairs:
        seen[cue][gold] += 1
    # Of equally common ones the first by alphabet, so that the order of the items tells nothing.
    guess = {cue: min(found, key=lambda gold: (-found[gold], gold)) for cue, found in seen.items()}
    guesses = Counter(guess[cue] for cue, _ in pairs)
    n = len(pairs)
    hits = sum(found[guess[cue]] for cue, found in seen.items())
    chance = sum(count * golds[gold] for gold, count in guesses.items())
    return (n * hits - chance) / (n * n - chance)


def _kappa_in_families(pairs: list[tuple[str, str]]) -> float:
    families = [[pair for pair in pairs if pair[0] in family] for family in _FAMILIES]
    found = [(len(one), kappa) for one in families if (kappa := _kappa(one)) == kappa]
    return sum(map(prod, found)) / sum(count for count, _ in found) if found else nan


def _spearman(xs: list[int], ys: list[int]) -> float:
    """Pearson's correlation of ranks, ties at their mean rank (Spearman 1904)."""
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return nan
    left, right = _centred(xs), _centred(ys)
    # Integers up to here: the order of the sums cannot matter.
    return sum(map(prod, zip(left, right))) / sqrt(sum(x * x for x in left) * sum(y * y for y in right))


def _centred(values: list[int]) -> list[int]:
    """Twice each value's mean rank, less the mean of all."""
    below, rank = 0, {}
    for value, count in sorted(Counter(values).items()):
        rank[value] = 2 * below + count - len(values)
        below += count
    return [rank[value] for value in values]
