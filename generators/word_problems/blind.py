"""Strategies that answer word problems without understanding them: constants, arithmetic at face value, keywords.

The numbers of a text are the quantities of its logical forms, so `twice` and `half` count as 2.
"""

from __future__ import annotations

from generators.answering.blind import BlindStrategy, Guess, constant, copying, rule
from generators.errors import InputError
from generators.item import Item
from generators.word_problems.forms import Question, parse

__all__ = ["BLIND", "numbers"]

_NO_KEYWORD = "none"


def numbers(item: Item) -> list[int]:
    """The numbers of the text, in order. Raises InputError if an entry of `metadata.forms` is not a logical form."""
    try:
        forms = [parse(text) for text in item.metadata["forms"]]
    except InputError as error:
        raise InputError(error.reason, f"item {item.id!r}") from error
    return [form.quantity for form in forms if not isinstance(form, Question)]


def _named_operation(item: Item) -> Guess:
    """The answer of a keyword reader; None without a keyword, or if the quotient is not a whole number."""
    keyword, (first, second, *_) = item.metadata["keyword"], numbers(item)
    if keyword == _NO_KEYWORD:
        return None
    if keyword == "more":
        return str(first + second)
    if keyword == "fewer":
        return str(first - second)
    if keyword == "times":
        return str(first * second)
    return None if second == 0 or first % second else str(first // second)


def _words(item: Item) -> str:
    return str(len(item.prompt.split()))


def _keyword(item: Item) -> str:
    return str(item.metadata["keyword"])


BLIND: tuple[BlindStrategy, ...] = (
    constant(),
    copying("sum", "adds all numbers in the text", lambda item: str(sum(numbers(item)))),
    copying("largest-number", "repeats the largest number in the text", lambda item: str(max(numbers(item)))),
    copying("first-number", "repeats the first number in the text", lambda item: str(numbers(item)[0])),
    copying("last-number", "repeats the last number in the text", lambda item: str(numbers(item)[-1])),
    copying(
        "keyword-arithmetic",
        "applies the operation that the keyword of the last comparison names to the first two numbers",
        _named_operation,
    ),
    constant("operation"),
    rule("keyword-operation", "guesses the operation from the keyword of the last comparison", _keyword, "operation"),
    constant("n_steps"),
    rule("length-steps", "guesses the number of steps from the number of words", _words, "n_steps"),
)
"""First the strategies that guess the answer, then those that guess its parts: operation and number of steps."""
