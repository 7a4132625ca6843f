"""Mixed chains: transfers and comparisons in any order, at most one of them with a factor. Nothing is under test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generators.stream import Stream
from generators.word_problems.designs.chain import COMPARISON, TRANSFER, Move
from generators.word_problems.designs.quantities import WIDTH, anchors, backwards, factor, result, small

__all__ = ["MOST_STEPS", "Chain", "Shape", "chain", "numbered", "shape"]

MOST_STEPS = 12
_MOST_AFTER = 4  # moves after a factor


class Shape(NamedTuple):
    """The moves of a chain without names and numbers."""

    kinds: tuple[Move, ...]
    """The moves; a name stands for somebody who is named, "" for nobody."""

    @property
    def named(self) -> int:
        """How many of the moves name somebody."""
        return sum(1 for move in self.kinds if move.name)


class Chain(NamedTuple):
    """A chain with its numbers."""

    shape: Shape
    numbers: tuple[int, ...]
    """The number of the container, then one per move."""

    @property
    def first(self) -> int:
        """The number of the container."""
        return self.numbers[0]

    @property
    def named(self) -> int:
        """How many agents there are besides the first."""
        return self.shape.named

    @property
    def steps(self) -> list[tuple[str, int]]:
        """The operations."""
        return [(move.operator, number) for move, number in zip(self.shape.kinds, self.numbers[1:], strict=True)]

    def moves(self, names: Sequence[str]) -> list[Move]:
        """The moves, with the names of the agents whom they introduce; further names are not used."""
        ahead: Iterator[str] = iter(names)
        return [move._replace(name=next(ahead)) if move.name else move for move in self.shape.kinds]


def chain(design: Stream, numbers: Stream, count: int, steps: int) -> Chain:
    """A chain of `count` moves in a problem of `steps` steps."""
    return numbered(numbers, shape(design, count), steps)


def shape(stream: Stream, count: int) -> Shape:
    """The moves of a chain: transfers or comparisons, to add or to subtract; one of three chains has a factor."""
    scaled = max(stream.below(count), count - 1 - _MOST_AFTER) if stream.below(3) == 0 else -1
    moves = []
    for at in range(count):
        if at == scaled:
            moves.append(Move(COMPARISON, "*/"[stream.below(2)], "_", stream.coin()))
        elif stream.coin():
            moves.append(Move(COMPARISON, "+-"[stream.below(2)], "_", stream.coin()))
        else:
            moves.append(Move(TRANSFER, "+-"[stream.below(2)], "_" if stream.coin() else ""))
    return Shape(tuple(moves))


def numbered(stream: Stream, of: Shape, steps: int) -> Chain:
    """The chain with numbers drawn for it, in a problem of `steps` steps."""
    place = next((at for at, move in enumerate(of.kinds) if move.operator in "*/"), -1)
    times = factor(stream) if place >= 0 else 0
    while True:
        numbers = small(stream, len(of.kinds), steps)
        if place >= 0:
            numbers[place] = times
        ways = [(move.operator, number) for move, number in zip(of.kinds, numbers, strict=True)]
        if place >= 0 and ways[place][0] == "/":  # start from the quotient
            back, after = [("*", times), *backwards(ways[:place])], ways[place + 1 :]
        else:
            back, after = backwards(ways[: max(place, 0)]), ways[max(place, 0) :]
        values = anchors([back, after], WIDTH)
        if values:
            value = values[stream.below(len(values))]
            first = result(value, back)
            # What moves cancel is asked for by no question: the answer would stand in the text.
            if result(first, ways) not in (first, *numbers):
                return Chain(of, (first, *numbers))
