"""Stable random streams with names instead of numbers: the only source of randomness in hansproof.

A stream is the endless output of a hash in counter mode: block i is BLAKE2b of i under a key, and the key is BLAKE2b
chained over the seed and every name of the path. So a stream depends only on its path, and never on other draws. It is
the same on every platform, in every Python version and under every hash seed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from math import frexp, sqrt
from struct import Struct
from typing import TypeVar

__all__ = ["Stream"]

T = TypeVar("T")

_WORDS = Struct("<8Q")  # one 64-byte block is eight 64-bit words
_RANGE = 2**64
# Keys and output blocks come from the same hash; distinct personalisation strings keep a key from being an output.
_PATH = b"hansproof path"
_BLOCK = b"hansproof block"


class Stream:
    """An endless sequence of draws, identified by its seed and its path of names.

    `Stream(7, "a", "b")` is `Stream(7, "a").child("b")`. Names are str or int and are encoded with type and length, so
    "1" and 1 give different streams, as do ("a", "b"), "ab" and "a/b". A copy (`copy.copy`, `copy.deepcopy`) continues
    independently from the position of the original.

    Raises TypeError if the seed is not an int or a name is neither a str nor an int; a bool is neither.
    """

    __slots__ = ("_counter", "_key", "_position", "_words")

    def __init__(self, seed: int, *names: str | int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise TypeError(f"the seed of a stream must be an int, not {seed!r}")
        key = blake2b(_encoded(seed), digest_size=32, person=_PATH).digest()
        for name in names:
            key = blake2b(_encoded(name), digest_size=32, key=key, person=_PATH).digest()
        self._rewind(key)

    def _rewind(self, key: bytes) -> None:
        self._key = key
        self._counter = 0
        self._words: tuple[int, ...] = ()
        self._position = 8

    def child(self, name: str | int) -> Stream:
        """The stream whose path is one name longer, at its start; draws nothing from this stream."""
        child = Stream.__new__(Stream)
        # Each text is encoded only once; _encoded checks other types, such as bool.
        encoded = _encoded_text(name) if type(name) is str else _encoded(name)
        child._key = blake2b(encoded, digest_size=32, key=self._key, person=_PATH).digest()
        child._counter = 0
        child._words = ()
        child._position = 8
        return child

    def word(self) -> int:
        """The next 64 bits, as an int in [0, 2**64)."""
        position = self._position
        if position == 8:
            counter = self._counter.to_bytes(16, "little")
            self._words = _WORDS.unpack(blake2b(counter, key=self._key, person=_BLOCK).digest())
            self._counter += 1
            position = 0
        self._position = position + 1
        return self._words[position]

    def below(self, n: int) -> int:
        """An int in [0, n), each equally likely, by rejection. Raises ValueError if n < 1."""
        if n < 1:
            raise ValueError(f"cannot draw an int below {n}")
        if n > _RANGE:
            return self._below_large(n)
        position = self._position
        if position == 8:
            word = self.word()
        else:  # calling `word` here would double the time
            word = self._words[position]
            self._position = position + 1
        if word + n > _RANGE:  # only then can it lie in the last, incomplete run of n, which would favour small values
            limit = _RANGE - _RANGE % n
            while word >= limit:
                word = self.word()
        return word % n

    def _below_large(self, n: int) -> int:
        bits = (n - 1).bit_length()
        words = -(-bits // 64)
        while True:
            value = 0
            for _ in range(words):
                value = value << 64 | self.word()
            value >>= 64 * words - bits
            if value < n:
                return value

    def integer(self, low: int, high: int) -> int:
        """An int in [low, high], each equally likely, both ends included. Raises ValueError if high < low."""
        if high < low:
            raise ValueError(f"there is no int from {low} to {high}")
        return low + self.below(high - low + 1)

    def choice(self, seq: Sequence[T]) -> T:
        """One element, each position equally likely. Raises ValueError if the sequence is empty."""
        if not seq:
            raise ValueError("cannot choose from an empty sequence")
        return seq[self.below(len(seq))]

    def shuffled(self, seq: Sequence[T]) -> list[T]:
        """A new list of the same elements, every order equally likely (Durstenfeld 1964)."""
        return self.sample(seq, len(seq))

    def sample(self, seq: Sequence[T], k: int) -> list[T]:
        """k elements from different positions, in random order. Raises ValueError unless 0 <= k <= len(seq)."""
        if not 0 <= k <= len(seq):
            raise ValueError(f"cannot draw {k} of {len(seq)} elements")
        pool = list(seq)
        below, left = self.below, len(pool)
        for i in range(k):
            j = i + below(left - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:k]

    def weighted(self, seq: Sequence[T], weights: Sequence[int]) -> T:
        """One element, element i with probability weights[i] / sum(weights); the weights are ints >= 0.

        Raises ValueError if the lengths differ, a weight is negative or all weights are 0, and TypeError if a weight
        is not an int.
        """
        if len(seq) != len(weights):
            raise ValueError(f"{len(seq)} elements but {len(weights)} weights")
        if any(isinstance(weight, bool) or not isinstance(weight, int) for weight in weights):
            raise TypeError("weights must be ints, which are shares of their sum")
        if any(weight < 0 for weight in weights) or not any(weights):
            raise ValueError("weights must be >= 0, and not all of them 0")
        totals = list(accumulate(weights))
        return seq[bisect_right(totals, self.below(totals[-1]))]

    def coin(self) -> bool:
        """True or False, equally likely."""
        return self.word() < _RANGE // 2

    def chance(self, numerator: int, denominator: int) -> bool:
        """True with probability numerator / denominator. Raises ValueError unless this lies in [0, 1]."""
        if not 0 <= numerator <= denominator or denominator == 0:
            raise ValueError(f"{numerator}/{denominator} is not a probability")
        return self.below(denominator) < numerator

    def uniform(self) -> float:
        """A multiple of 2**-53 in [0, 1), each equally likely."""
        return (self.word() >> 11) * 2.0**-53

    def normal(self, mean: float = 0.0, sd: float = 1.0) -> float:
        """A draw from the normal distribution: the inverse distribution function of one uniform draw.

        The bytes are the same everywhere. Wichura's rational approximation (1988, algorithm AS 241, PPND16, relative
        error about 1e-16) needs + - * / and sqrt, which IEEE 754 rounds exactly, and in the tails a logarithm, which it
        does not; this module computes the logarithm from its series. |draw| < 8.3 sd. Raises ValueError unless sd >= 0.
        """
        if not sd >= 0:
            raise ValueError(f"a standard deviation must be >= 0, not {sd}")
        # Mid-points of 2**52 equal cells: exact in a double, never 0 and never 1.
        return mean + sd * _normal_quantile(((self.word() >> 12) + 0.5) * 2.0**-52)


def _encoded(name: str | int) -> bytes:
    """Type, length and value, so that no two names, and no two paths of names, have the same encoding."""
    if isinstance(name, str):
        value, kind = name.encode("utf-8", "surrogatepass"), b"s"
    elif isinstance(name, int) and not isinstance(name, bool):
        value, kind = name.to_bytes(name.bit_length() // 8 + 1, "big", signed=True), b"i"
    else:
        raise TypeError(f"the name of a stream must be a str or an int, not {name!r}")
    return kind + len(value).to_bytes(8, "big") + value


@lru_cache(maxsize=1024)
def _encoded_text(name: str) -> bytes:
    return _encoded(name)


def _ratio(x: float, above: tuple[float, ...], below: tuple[float, ...]) -> float:
    """The quotient of two polynomials in x of degree 7, by Horner's rule; coefficients start at the highest power."""
    a, b, c, d, e, f, g, h = above
    i, j, k, l, m, n, o, p = below  # noqa: E741  # a loop would take three times as long
    return (((((((a * x + b) * x + c) * x + d) * x + e) * x + f) * x + g) * x + h) / (
        ((((((i * x + j) * x + k) * x + l) * x + m) * x + n) * x + o) * x + p
    )


def _natural_log(x: float) -> float:
    """log(x), x > 0, by 2 atanh((m - 1) / (m + 1)) + e log 2, where x = m 2**e and 1/sqrt 2 <= m < sqrt 2."""
    m, exponent = frexp(x)
    if m < 0.7071067811865476:
        m, exponent = 2 * m, exponent - 1
    s = (m - 1) / (m + 1)
    square, series = s * s, 0.0
    for odd in range(25, 0, -2):  # |s| < .172, so the first omitted term is under 1e-21
        series = series * square + 1 / odd
    return 2 * s * series + exponent * 0.6931471805599453


def _normal_quantile(p: float) -> float:
    """The p-quantile of the standard normal distribution, 0 < p < 1 (Wichura 1988, AS 241, PPND16)."""
    q = p - 0.5
    if abs(q) <= 0.425:
        return q * _ratio(0.180625 - q * q, *_CENTRE)
    r = sqrt(-_natural_log(p if q < 0 else 1 - p))
    tail = _ratio(r - 1.6, *_TAIL) if r <= 5 else _ratio(r - 5, *_FAR_TAIL)
    return tail if q > 0 else -tail


_CENTRE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608),
    (5226.495278852545925, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
     5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0),
)  # fmt: skip
_TAIL = (
    (7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258,
     3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
     0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1.0),
)  # fmt: skip
_FAR_TAIL = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093,
     0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772),
    (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
     0.0148753612908506148525, 0.13692988092273580531, 0.59983220655588793769, 1.0),
)  # fmt: skip
