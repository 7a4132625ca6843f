"""How few races find the fastest `top` of n^2 animals, n at a time, from the order of finish alone.

*At least n + 2 for a top of two or more.* An animal that has not been beaten may be the fastest, and a race of n
animals leaves all but one of them beaten. So n^2 - 1 beaten animals take (n^2 - 1) / (n - 1) = n + 1 races, in each of
which nobody has been beaten before. The champion can then be one that won a race before its last one, and both of these
races have an animal that only the champion has beaten. Nothing compares the two, so the second place is open. Where two
animals are left unbeaten, whoever came second behind either must have lost once more, which takes another race too.

*n + 2 are enough if top (top + 1) / 2 - 1 <= n.* Race n groups of n, then their winners. The j-th of the group whose
winner came in i-th has i + j - 2 animals before it, so it can be among the top only if i + j - 1 <= top. These are
top (top + 1) / 2 animals, the winner of winners among them; the others run one last race.

So three of n^2 take n + 2 races from n = 5 on, and two of n^2 from n = 2 on. It is not so for a top of any size: three
of nine take six races, three at a time (the tests search all ways to race).
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
