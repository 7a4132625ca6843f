"""Who and what a problem is about: agents and things, drawn from a wording's vocabulary; none occurs twice."""

from __future__ import annotations

from generators.errors import InputError
from generators.stream import Stream
from generators.word_problems.forms import Thing
from generators.word_problems.wording import Vocabulary

__all__ = ["agents", "packings", "thing"]

_TRIES = 1000


def agents(stream: Stream, vocabulary: Vocabulary, count: int) -> list[str]:
    """So many different names, in the order in which they come up."""
    return stream.sample(vocabulary.names, count)


def thing(stream: Stream, vocabulary: Vocabulary) -> Thing:
    """What is counted: with a unit in 3 of 10 problems, else with an attribute in every second (Opedal et al. 2024)."""
    if stream.below(10) < 3:
        entity, unit = stream.choice(vocabulary.measured)
        return Thing(entity, "", unit)
    return Thing(stream.choice(vocabulary.countable), _attribute(stream, vocabulary))


def packings(stream: Stream, vocabulary: Vocabulary, rates: str) -> list[Thing]:
    """What is counted before, between and after the rates "*", "/" or "*/": containers, contents, other containers.

    Raises InputError for "*/" where no contents of the vocabulary come in two containers.
    """
    pairs = vocabulary.packed
    holder, entity = stream.choice(pairs)
    other = holder
    if len(rates) == 2:
        # A scan of the whole table only for what was drawn: most contents come in several containers.
        for _ in range(_TRIES):
            others = [container for container, held in pairs if held == entity and container != holder]
            if others:
                other = stream.choice(others)
                break
            holder, entity = stream.choice(pairs)
        else:
            raise InputError("the vocabulary has no contents that come in two containers")
    contents = Thing(entity, _attribute(stream, vocabulary) if entity in vocabulary.countable else "")
    if rates == "*":
        return [Thing(holder), contents]
    if rates == "/":
        return [contents, Thing(other)]
    return [Thing(holder), contents, Thing(other)]


def _attribute(stream: Stream, vocabulary: Vocabulary) -> str:
    return stream.choice(vocabulary.attributes) if stream.coin() else ""
