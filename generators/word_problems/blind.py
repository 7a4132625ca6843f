"""Strategies that answer word problems without understanding them: constants, arithmetic at face value, keywords.

The numbers of a text are the quantities of its logical forms, so `twice` and `half` count as 2.
"""

from __future__ import annotations

from math import prod

from hansproof.generators.answering.scorer import BlindStrategy, Guess, constant, copying, rule, words_of
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.word_problems.forms import Comparison, Container, Form, Problem, Question, parse

__all__ = ["BLIND"]


def numbers(item: Item) -> list[int]:
    """The numbers of the text, in order. Raises InputError if an entry of `metadata.forms` is not a logical form."""
    return [form.quantity for form in _forms(item) if form.quantity is not None]


def _forms(item: Item) -> list[Form]:
    try:
        forms = [parse(text) for text in item.metadata["forms"]]
    except InputError as error:
        raise InputError(error.reason, f"item {item.id!r}") from error
    return [form for form in forms if not isinstance(form, Question)]


def _named_operation(item: Item) -> Guess:
    """The answer of a keyword reader; None without a keyword, or if the quotient is not a whole number."""
    keyword, (first, second, *_) = item.metadata.get("keyword", "none"), numbers(item)
    if keyword == "none":
        return None
    if keyword == "more":
        return str(first + second)
    if keyword == "fewer":
        return str(first - second)
    if keyword == "times":
        return str(first * second)
    return None if second == 0 or first % second else str(first // second)


def _at_its_word(item: Item) -> Guess:
    """The answer of whoever takes the new agent for the subject of every comparison, and reads all else correctly.

    None without a comparison, where that gives no whole number, and where a number is missing.
    """
    from hansproof.generators.word_problems.checking import solve  # generating items does not need it

    known: set[str] = set()
    forms: list[Form] = []
    compares = False
    for form in _forms(item):
        if isinstance(form, Comparison):
            compares = True
            if form.agent in known:
                form = form._replace(agent=form.other, other=form.agent)
            known.add(form.agent)
        elif isinstance(form, Container):
            known.add(form.agent)
        forms.append(form)
    question = parse(item.metadata["question"])
    if not compares or not isinstance(question, Question):
        return None
    try:
        value, _ = solve(Problem(tuple(forms), question))
    except InputError:
        return None
    return str(value) if value.denominator == 1 else None


def _last_number(item: Item) -> str:
    return str(numbers(item)[-1])


def _where_some(item: Item) -> str:
    """In which half of the sentences the number is missing, and in which the person asked about is named first."""
    forms = item.metadata["forms"]
    asked = item.metadata["question"].partition("(")[2].partition(",")[0]
    places = (next((at for at, text in enumerate(forms) if part in text), 0) for part in (", some, ", asked))
    return " ".join("front" if 2 * place < len(forms) else "back" for place in places)


BLIND: tuple[BlindStrategy, ...] = (
    constant(),
    copying("sum", "adds all numbers in the text", lambda item: str(sum(numbers(item)))),
    copying(
        "difference",
        "subtracts all other numbers in the text from the first one",
        lambda item: str(2 * numbers(item)[0] - sum(numbers(item))),
    ),
    copying("product", "multiplies all numbers in the text", lambda item: str(prod(numbers(item)))),
    copying("largest-number", "repeats the largest number in the text", lambda item: str(max(numbers(item)))),
    copying("first-number", "repeats the first number in the text", lambda item: str(numbers(item)[0])),
    copying("last-number", "repeats the last number in the text", _last_number),
    copying(
        "keyword-arithmetic",
        "applies the operation that the keyword of the comparison names to the first two numbers",
        _named_operation,
    ),
    copying(
        "at-its-word",
        "reads everything correctly, but takes the operation that the keyword of a comparison names",
        _at_its_word,
    ),
    constant("operation"),
    rule(
        "keyword-operation",
        "guesses the operation from the keyword of the comparison",
        lambda item: str(item.metadata["keyword"]),
        "operation",
    ),
    rule("length-operation", "guesses the operation from the number of words", words_of, "operation"),
    rule("number-operation", "guesses the operation from the last number", _last_number, "operation"),
    rule(
        "first-number-operation",
        "guesses the operation from the first number",
        lambda item: str(numbers(item)[0]),
        "operation",
    ),
    constant("answerable"),
    rule(
        "some-answerable",
        "guesses from where a number is missing and the person asked about is named",
        _where_some,
        "answerable",
    ),
    rule("length-answerable", "guesses from the number of words", words_of, "answerable"),
)
"""First the strategies that guess the answer, then those that guess its parts."""
