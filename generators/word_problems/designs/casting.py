"""Who and what a problem is about: agents and things from the vocabulary of a language, none drawn twice.

The numbers come first: a thing is drawn among those of which people have so few and so many.
"""

from __future__ import annotations

from generators.errors import InputError
from generators.stream import Stream
from generators.word_problems.forms import Thing
from generators.word_problems.wording import Vocabulary

__all__ = ["agents", "packings", "thing"]

_TRIES = 1000


def agents(stream: Stream, vocabulary: Vocabulary, count: int) -> list[str]:
    """`count` different names, in the order in which they appear."""
    return stream.sample(vocabulary.names, count)


def thing(stream: Stream, vocabulary: Vocabulary, sizes: tuple[int, int], beside: Thing | None = None) -> Thing:
    """A thing of which people have as few and as many as `sizes` says, and which is not `beside`.

    It has a unit in 3 of 10 problems; half of the others have an attribute (Opedal et al. 2024).
    """
    while True:
        if stream.below(10) < 3:
            entity, unit = stream.choice(vocabulary.measured)
            drawn = Thing(entity, "", unit)
        else:
            drawn = Thing(stream.choice(vocabulary.countable), _attribute(stream, vocabulary))
        if beside is None or drawn.entity != beside.entity:
            return drawn


def packings(stream: Stream, vocabulary: Vocabulary, rates: str, contents: int, holders: int) -> list[Thing]:
    """The things counted before, between and after the rates.

    "*" goes from containers to contents, "/" from contents to containers, "*/" from containers through contents to
    other containers. Raises InputError for "*/" if the vocabulary has no contents that fit two kinds of container.
    """
    pairs = vocabulary.packed
    holder, entity = stream.choice(pairs)
    other = holder
    if len(rates) == 2:
        # Redrawing is cheaper than listing all contents that fit: most of them come in several containers.
        for _ in range(_TRIES):
            others = [container for container, held in pairs if held == entity and container != holder]
            if others:
                other = stream.choice(others)
                break
            holder, entity = stream.choice(pairs)
        else:
            raise InputError("no contents come in two kinds of container", "vocabulary")
    what = Thing(entity, _attribute(stream, vocabulary) if entity in vocabulary.countable else "")
    if rates == "*":
        return [Thing(holder), what]
    if rates == "/":
        return [what, Thing(other)]
    return [Thing(holder), what, Thing(other)]


def _attribute(stream: Stream, vocabulary: Vocabulary) -> str:
    return stream.choice(vocabulary.attributes) if stream.coin() else ""
