"""How few races find the fastest `top` of n^2 animals, n at a time, from the order of finish alone.

*n + 1 are not enough if 2 <= top < n.* In every race, let the animals that nobody has beaten yet come in ahead of the
others. So a race beats at most n - 1 animals for the first time, and one fewer for every lane that is wasted: left
empty, or given to an animal beaten before. Where n + 1 races leave u animals unbeaten, n^2 - u = (n + 1)(n - 1) - w, so
w = u - 1 lanes have been wasted. If the top are now known, all others are known to be slower than each of them. The
unbeaten are among the top, because each of them may be the fastest; so u <= top < n.

- u = 1: no lane is wasted, and all but the champion have lost a single race. Let the winner of the n-th race, unbeaten
  until then, win the last one too. Only the champion is known to be faster than the second of either race. So neither
  second is known to be slower than the other, or than a third animal among the top; thus both are among the top, and
  the others are known to be slower than both. But to be behind both, an animal must have lost twice.
- u > 1: each unbeaten animal has won a race, in which it beat others for the first time, since fewer than n - 1 lanes
  are wasted in all. At most u - 1 of those u races have a loser that runs again, as that wastes a lane. The losers of
  another one are known to be slower than its winner and than each other, but not than any other unbeaten animal, so all
  that were beaten there for the first time, n - u or more, are among the top. With the u unbeaten ones they are n.

*n + 2 are enough if top (top + 1) / 2 - 1 <= n.* Race n groups of n, then their winners. The j-th of the group whose
winner came in i-th has i + j - 2 animals before it, so it can be among the top only if i + j - 1 <= top. These are
top (top + 1) / 2 animals, the winner of winners among them; the others run one last race.

So three of n^2 take n + 2 races from n = 5 on, and two of n^2 from n = 3 on (and for n = 2, where all ways to race have
been tried). It is not so for a top of any size: three of nine take six races, three at a time. The tests try all ways
to race where numbers are small, and for twenty-five horses all ways to race against the order of finish above.
"""

from __future__ import annotations

__all__ = ["races"]


def races(lanes: int, top: int, timed: bool) -> int:
    """The fewest races for the fastest `top` of lanes^2 animals; with a stopwatch each animal runs once.

    Raises ValueError for a top below two and where the last race would not hold all candidates.
    """
    if timed:
        return lanes
    if top < 2 or top * (top + 1) // 2 - 1 > lanes:
        raise ValueError(f"no proof that {lanes + 2} races find the fastest {top} of {lanes**2}")
    return lanes + 2
