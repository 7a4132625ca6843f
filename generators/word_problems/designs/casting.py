"""Who and what a problem is about: agents and things from the vocabulary of a language, none drawn twice.

Numbers are drawn first. A thing is drawn among those that one person may plausibly have so many of.
"""

from __future__ import annotations

from generators.errors import InputError
from generators.stream import Stream
from generators.word_problems.forms import Thing
from generators.word_problems.wording import Stock, Vocabulary

__all__ = ["agents", "packings", "thing"]

_TRIES = 30


def agents(stream: Stream, vocabulary: Vocabulary, count: int) -> list[str]:
    """`count` different names, in the order in which they appear.

    No two begin with the same two letters if the vocabulary has enough names for that.
    """
    for _ in range(_TRIES):
        names: dict[str, str] = {}
        for name in stream.sample(vocabulary.names, min(4 * count, len(vocabulary.names))):
            names.setdefault(name[:2], name)
            if len(names) == count:
                return list(names.values())
    return stream.sample(vocabulary.names, count)


def thing(stream: Stream, vocabulary: Vocabulary, sizes: tuple[int, int], beside: Thing | None = None) -> Thing:
    """A thing of which one person may have as few and as many as `sizes` says; half of them have an attribute.

    It is something else that people in the setting of `beside` have, if that is given. Raises InputError if nobody has
    so many of anything.
    """
    low, high = sizes
    stocks = vocabulary.beside(beside, high, low) if beside else vocabulary.fitting(high, low)
    return _described(stream, _drawn(stream, stocks, high))


def packings(stream: Stream, vocabulary: Vocabulary, rates: str, contents: int, holders: int) -> list[Thing]:
    """The things counted before, between and after the rates.

    "*" goes from containers to contents, "/" from contents to containers, "*/" from containers through contents to
    other containers. Nobody has more than `contents` of the contents, or than `holders` of the containers. Raises
    InputError if nothing is packed in so many.
    """
    stocks = vocabulary.packed(contents, holders, len(rates))
    stock = _drawn(stream, stocks, contents)
    what = _described(stream, stock)
    boxes = stream.sample(stock.holding(holders), len(rates))
    if rates == "*":
        return [boxes[0], what]
    if rates == "/":
        return [what, boxes[0]]
    return [boxes[0], what, boxes[1]]


def _drawn(stream: Stream, stocks: tuple[Stock, ...], high: int) -> Stock:
    if not stocks:
        raise InputError(f"nobody has {high} of anything that fits", "vocabulary")
    return stream.choice(stocks)


def _described(stream: Stream, stock: Stock) -> Thing:
    """The thing, with an attribute in half of the cases where it may have one."""
    if stock.attributes and stream.coin():
        return stock.thing._replace(attribute=stream.choice(stock.attributes))
    return stock.thing
