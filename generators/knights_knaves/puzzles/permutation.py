"""A keyed order of the numbers below N with random access: place -> number, one to one.

A Feistel network on two digits (Black & Rogaway 2002): nothing is stored, no number comes twice, and every place costs
the same. The round function is a multiplicative hash (Knuth 1973) with the multiplier of SplitMix64 (Steele, Lea &
Flood 2014): good enough for puzzles, not for secrets.
"""

from __future__ import annotations

from math import isqrt

from generators.stream import Stream

__all__ = ["Keys", "keys", "permuted"]

Keys = tuple[int, int, int, int]

_WORD = 2**64 - 1
_MULTIPLIER = 0xBF58476D1CE4E5B9
_TWEAK = 0x9E3779B97F4A7C15  # odd: tweaks 0, 1, 2 ... lie far apart in 64 bits


def keys(stream: Stream) -> Keys:
    """Four round keys: the next draws of a stream."""
    return stream.word(), stream.word(), stream.word(), stream.word()


def permuted(place: int, size: int, rounds: Keys, tweak: int) -> int:
    """The number at `place` in the order that `rounds` and `tweak` choose; 0 <= place < size <= 2**64."""
    width = isqrt(size - 1) + 1
    height = -(-size // width)
    shift = tweak * _TWEAK & _WORD
    first, second, third, fourth = rounds
    # Unrolled: this is the innermost loop of drawing puzzles.
    while True:
        left, right = divmod(place, width)
        hashed = (right + first) ^ shift
        left = (left + (((hashed ^ hashed >> 29) * _MULTIPLIER & _WORD) >> 24)) % height
        hashed = (left + second) ^ shift
        right = (right + (((hashed ^ hashed >> 29) * _MULTIPLIER & _WORD) >> 24)) % width
        hashed = (right + third) ^ shift
        left = (left + (((hashed ^ hashed >> 29) * _MULTIPLIER & _WORD) >> 24)) % height
        hashed = (left + fourth) ^ shift
        right = (right + (((hashed ^ hashed >> 29) * _MULTIPLIER & _WORD) >> 24)) % width
        place = left * width + right
        if place < size:  # the rectangle is a little larger than size; walk on until inside
            return place
