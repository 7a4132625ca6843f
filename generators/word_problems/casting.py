"""Who and what a problem is about: agents and things, drawn from a wording's vocabulary; none occurs twice."""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.forms import Thing
from generators.word_problems.wording import Vocabulary

__all__ = ["agents", "packings", "thing"]


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

    A vocabulary where no contents come in two containers has none for "*/": raises ValueError.
    """
    pairs = vocabulary.packed
    if len(rates) == 2:
        several = [pair for pair in pairs if any(pair[1] == other[1] and pair != other for other in pairs)]
        holder, entity = stream.choice(several)
        other = stream.choice([one for one, held in several if held == entity and one != holder])
    else:
        holder, entity = stream.choice(pairs)
        other = holder
    contents = Thing(entity, _attribute(stream, vocabulary) if entity in vocabulary.countable else "")
    if rates == "*":
        return [Thing(holder), contents]
    if rates == "/":
        return [contents, Thing(other)]
    return [Thing(holder), contents, Thing(other)]


def _attribute(stream: Stream, vocabulary: Vocabulary) -> str:
    return stream.choice(vocabulary.attributes) if stream.coin() else ""
