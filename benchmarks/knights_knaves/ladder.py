"""What the rungs of the ladder predict: how far bounded reasoners come, and how hard a SAT solver has to work.

    python benchmarks/knights_knaves/ladder.py

The reasoners follow statements and reject suppositions without a slip, but only so many and so deep, and toss a coin
for every character who is still open. The SAT solver proves that there is no second solution; it knows nothing of the
reasoners' ways.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from itertools import product

from scipy.stats import spearmanr

from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.difficulty import OPEN, bounded
from hansproof.generators.knights_knaves.formula import Formula, holds, mentioned, parse
from hansproof.generators.registry import dataset

__all__: list[str] = []

REASONERS = {"no supposition": (0, 0), "one": (1, 1), "any number": (1, 1000)}


class Told:
    """A statement as the reasoners see it, from the notation alone."""

    def __init__(self, speaker: int, said: Formula, n: int) -> None:
        self.scope = (speaker, *(character for character in mentioned(said) if character != speaker))
        self.local = 0
        for code, kinds in enumerate(product((False, True), repeat=len(self.scope))):
            world = [False] * n
            for character, kind in zip(reversed(self.scope), kinds, strict=True):
                world[character] = kind
            self.local |= (holds(said, world) == world[speaker]) << code

    def clauses(self) -> list[list[int]]:
        """One clause for each world of the scope that it rules out."""
        wrong = [world for world in range(1 << len(self.scope)) if not self.local >> world & 1]
        return [[-(c + 1) if world >> j & 1 else c + 1 for j, c in enumerate(self.scope)] for world in wrong]


def conflicts(puzzle: Sequence[Told], solution: str) -> int:
    """How often a SAT solver runs into a contradiction before it has proved that there is no other solution."""
    rules = [clause for told in puzzle for clause in told.clauses()]
    with import_module("pysat.solvers").Solver(name="glucose4", bootstrap_with=rules) as solver:
        solver.add_clause([-(c + 1) if kind == "K" else c + 1 for c, kind in enumerate(solution)])
        assert not solver.solve()
        return int(solver.accum_stats()["conflicts"])


def puzzle_of(item: Item) -> list[Told]:
    """The statements of an item."""
    names = item.metadata["names"]
    told = enumerate(item.metadata["statements"])
    return [Told(speaker, parse(text, names), len(names)) for speaker, text in told]


def main() -> None:
    """Print a line for each size and rung."""
    family = dataset("knights-knaves")
    rows = family.subset("ladder").rows
    cells: dict[tuple[int, str], list[tuple[list[int], int]]] = defaultdict(list)
    for index in range(rows):
        item = family.item("ladder", family.seed, index)
        puzzle = puzzle_of(item)
        left = [bounded(puzzle, depth, most).count(OPEN) for depth, most in REASONERS.values()]
        work = conflicts(puzzle, item.metadata["solutions"][0])
        cells[item.metadata["n"], item.metadata["rung"]].append((left, work))
    order = ("none", "one", "several", "nested")
    for n in sorted({n for n, _ in cells}):
        for rung in order:
            here = cells.get((n, rung), [])
            if here:
                shares = [sum(2.0 ** -left[k] for left, _ in here) / len(here) for k in range(len(REASONERS))]
                known = [1 - sum(left[k] for left, _ in here) / n / len(here) for k in range(len(REASONERS))]
                mean = sum(work for _, work in here) / len(here)
                told = "  ".join(f"{share:5.1%} ({part:4.0%})" for share, part in zip(shares, known, strict=True))
                print(f"{n:3d} {rung:8s} {len(here):4d}  {told}  {mean:6.1f}")
        pairs = [(order.index(rung), work) for (size, rung), some in cells.items() if size == n for _, work in some]
        print(f"{n:3d} Spearman of rung and conflicts {spearmanr(*zip(*pairs, strict=True)).statistic:.2f}")


if __name__ == "__main__":
    main()
