"""How hard puzzles of knights and knaves are for SAT solvers, by number of characters and by rung of the ladder.

    python benchmarks/knights_knaves/ladder.py              the cells of the ladder
    python benchmarks/knights_knaves/ladder.py SUBSET ...   the levels of the knobs of these subsets

A solver proves that a puzzle, read from its prompt, has no other solution than the gold answer; the table has the
median of its conflicts over 25 puzzles a cell, for Minisat 2.2 and for CaDiCaL 1.5.3.
"""

import sys
from itertools import product
from statistics import median

from pysat.solvers import Solver

from hansproof.generators.knights_knaves.checking import read_prompt
from hansproof.generators.knights_knaves.dataset import DATASET
from hansproof.generators.knights_knaves.formula import holds, mentioned, parse

SEED = 2026
ITEMS = 25
SOLVERS = ("minisat22", "cadical153")
RUNGS = ("chain", "half", "whole")


def conflicts(item, solver):
    """The conflicts of a solver that proves that nothing but the solution of an item fits; NaN where something does."""
    names, told = read_prompt(item.prompt, item.metadata["terms"])
    rules = [
        [-(who + 1) if knight else who + 1 for who, knight in case.items()]
        for speaker, formula in enumerate(parse(text, names) for text in told)
        for case in cases({speaker, *mentioned(formula)})
        if holds(formula, case) != case[speaker]
    ]
    rules.append([-(who + 1) if kind == "K" else who + 1 for who, kind in enumerate(item.metadata["solutions"][0])])
    with Solver(solver, bootstrap_with=rules) as reasoner:
        return float("nan") if reasoner.solve() else reasoner.accum_stats()["conflicts"]


def cases(characters):
    """Every case of these characters: a dict from each to whether it is a knight."""
    scope = sorted(characters)
    return [dict(zip(scope, kinds, strict=True)) for kinds in product((False, True), repeat=len(scope))]


def medians(items):
    """The median conflicts of each solver."""
    return [median(conflicts(item, solver) for item in items) for solver in SOLVERS]


def on_the_ladder(level, rung, count=ITEMS):
    """Puzzles of a rung, of as many characters."""
    first = RUNGS.index(rung)
    return [DATASET.item(f"ladder@{level}", SEED, 3 * index + first) for index in range(count)]


def print_row(name, items):
    """One row of the table."""
    print(f"{name:24}" + "".join(f"{value:12.1f}" for value in medians(items)), flush=True)


def main(subsets):
    """Print the table."""
    print(f"{'':24}" + "".join(f"{solver:>12}" for solver in SOLVERS))
    for name in subsets:
        knob = DATASET.subsets[name].knob
        for level in sorted({knob.least, *range(10, knob.most, 10), knob.most} - set(range(knob.least))):
            items = [DATASET.item(f"{name}@{level}", SEED, index) for index in range(3 * ITEMS)]
            print_row(f"{name}@{level}", [item for item in items if len(item.metadata["solutions"]) == 1][:ITEMS])
    for level in (10, 15, 20, 30, 40, 60, 80, 100) if not subsets else ():
        for rung in RUNGS:
            print_row(f"ladder@{level}, {rung}", on_the_ladder(level, rung))


if __name__ == "__main__":
    main(sys.argv[1:])
