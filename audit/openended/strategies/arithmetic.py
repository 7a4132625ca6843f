"""Strategies for answers that are numbers: copy a number of the prompt, calculate with its numbers, count something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal, DecimalException, localcontext

from audit.openended.numerals import quotient
from audit.openended.strategies.quantities import rounded
from audit.openended.strategies.reading import Reading

__all__ = ["ARITHMETIC", "COUNTING", "calculated"]

Rule = Callable[[Sequence[Decimal]], Decimal | None]


def _product(numbers: Sequence[Decimal]) -> Decimal:
    result = Decimal(1)
    for number in numbers:
        result *= number
    return result


def _larger_by_smaller(pair: Sequence[Decimal]) -> Decimal | None:
    return quotient(max(pair), min(pair))


def _next(numbers: Sequence[Decimal]) -> Decimal:
    return 2 * numbers[-1] - numbers[-2]


_TWO = 2

ARITHMETIC: dict[str, tuple[str, int, Rule]] = {
    "first number": ("the first number of the prompt", 1, lambda x: x[0]),
    "second number": ("the second number of the prompt", _TWO, lambda x: x[1]),
    "last number": ("the last number of the prompt", 1, lambda x: x[-1]),
    "last number but one": ("the last number but one", _TWO, lambda x: x[-2]),
    "largest number": ("the largest number of the prompt", 1, max),
    "smallest number": ("the smallest number of the prompt", 1, min),
    "sum": ("the sum of all numbers of the prompt", 1, sum),  # type: ignore[dict-item]
    "sum of the first two": ("the sum of the first two numbers", _TWO, lambda x: x[0] + x[1]),
    "sum of the last two": ("the sum of the last two numbers", _TWO, lambda x: x[-1] + x[-2]),
    "difference of the first two": ("the first two numbers, the smaller taken from the larger", _TWO,
                                    lambda x: abs(x[0] - x[1])),
    "difference of the last two": ("the last two numbers, the smaller taken from the larger", _TWO,
                                   lambda x: abs(x[-1] - x[-2])),
    "largest minus smallest": ("the largest number minus the smallest", _TWO, lambda x: max(x) - min(x)),
    "largest minus the others": ("the largest number minus all others", _TWO, lambda x: 2 * max(x) - sum(x)),
    "product": ("the product of all numbers of the prompt", _TWO, _product),
    "product of the first two": ("the product of the first two numbers", _TWO, lambda x: x[0] * x[1]),
    "product of the last two": ("the product of the last two numbers", _TWO, lambda x: x[-1] * x[-2]),
    "quotient of the first two": ("the first two numbers, the larger divided by the smaller", _TWO,
                                  lambda x: _larger_by_smaller(x[:2])),
    "quotient of the last two": ("the last two numbers, the larger divided by the smaller", _TWO,
                                 lambda x: _larger_by_smaller(x[-2:])),
    "quotient of extremes": ("the largest number divided by the smallest", _TWO,
                             lambda x: _larger_by_smaller((max(x), min(x)))),
    "mean": ("the mean of all numbers of the prompt", _TWO, lambda x: quotient(Decimal(sum(x)), Decimal(len(x)))),
    "next number": ("continues the last two numbers by their difference", _TWO, _next),
}  # fmt: skip
"""Name: what it gives, how many numbers the prompt must have, the rule. With fewer numbers it has no answer."""

COUNTING: dict[str, tuple[str, Callable[[Reading], int]]] = {
    "count of numbers": ("how many numbers the prompt has", lambda reading: len(reading.numbers)),
    "count of words": ("how many words the prompt has", lambda reading: len(reading.words)),
    "count of sentences": ("how many sentences the prompt has", lambda reading: len(reading.sentences)),
    "count of names": ("how many different capitalised spans the prompt has",
                       lambda reading: len({name for name, _ in reading.names})),
}  # fmt: skip
"""Name: what it counts, the count."""


def calculated(name: str, numbers: Sequence[Decimal], decimals: int) -> Decimal | None:
    """What one rule of `ARITHMETIC` gives; None where it has no answer.

    A result that is no multiple of the last of `decimals` decimals is rounded to them.
    """
    _, least, rule = ARITHMETIC[name]
    if len(numbers) < least:
        return None
    with localcontext() as context:
        context.prec = 40
        try:
            value = rule(numbers)
        except DecimalException:  # a product beyond all bounds
            return None
    if value is None or not value.is_finite():
        return None
    value = Decimal(value)
    exponent = value.as_tuple().exponent
    return rounded(value, decimals) if isinstance(exponent, int) and -exponent > decimals else value
