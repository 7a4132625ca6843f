"""Solutions by a SAT solver (CaDiCaL, through python-sat), for more characters than a truth table holds.

A statement concerns few characters, so it becomes one clause per world of these characters that it rules out.
python-sat is imported only here, when the first such puzzle is made or checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from generators.errors import UsageError

__all__ = ["Clauses", "clauses", "sat_needed", "sat_solutions"]

Clauses = list[list[int]]


def clauses(scope: Sequence[int], table: int) -> Clauses:
    """One clause per world of `scope` that is not in `table` (bit j of a world is scope[j])."""
    ruled_out = [world for world in range(1 << len(scope)) if not table >> world & 1]
    return [[-(c + 1) if world >> j & 1 else c + 1 for j, c in enumerate(scope)] for world in ruled_out]


def sat_solutions(constraints: Iterable[Sequence[int]], n: int, most: int = 2) -> list[str]:
    """Up to `most` solutions over n characters as strings of K and N, sorted; [] where there is none.

    Raises UsageError where python-sat is not installed.
    """
    worlds: list[str] = []
    with _solver([list(clause) for clause in constraints]) as solver:
        while len(worlds) < most and solver.solve():
            true = {value for value in solver.get_model() or [] if value > 0}
            worlds.append("".join("K" if character + 1 in true else "N" for character in range(n)))
            solver.add_clause([-(c + 1) if c + 1 in true else c + 1 for c in range(n)])
    return sorted(worlds)


def sat_needed(statements: Sequence[Clauses], solution: str) -> int:
    """How many of the statements rule out something that the others allow; `solution` is their only solution.

    Each statement gets a switch, and the solution is forbidden, so whatever fits without one statement is a second
    solution. One solver answers all questions, because it learns from each.
    """
    n = len(solution)
    switches = range(n + 1, n + 1 + len(statements))
    switched = [[-switch, *rule] for switch, rules in zip(switches, statements, strict=True) for rule in rules]
    forbidden = [-(c + 1) if kind == "K" else c + 1 for c, kind in enumerate(solution)]
    with _solver([*switched, forbidden]) as solver:
        return sum(solver.solve(assumptions=[switch for switch in switches if switch != left]) for left in switches)


def _solver(constraints: Clauses) -> Any:
    try:
        solvers = import_module("pysat.solvers")
    except ImportError as error:
        raise UsageError("puzzles of more than six characters need a SAT solver: pip install python-sat") from error
    return solvers.Solver(name="cadical153", bootstrap_with=constraints)
