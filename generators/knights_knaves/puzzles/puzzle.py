"""Knights-and-knaves items after TruthQuest (Mondorf & Plank 2024): stream, subset and index in, draft out.

Every character is a truth-teller or a liar and makes one statement; who is what? Puzzles and wordings come from
separate streams, so that no phrase carries the answer. In the paper's sets the number of truth-tellers is what random
draws make it (see the card); `balanced`, `identity` and `number` hold it, or the answer itself, in balance.
"""

from __future__ import annotations

from typing import Any

from generators.dataset import Draft
from generators.knights_knaves.puzzles.designs import below, drawn
from generators.knights_knaves.puzzles.difficulty import difficulty, needed
from generators.knights_knaves.puzzles.large import large_needed, names_of
from generators.knights_knaves.puzzles.statements import Statement
from generators.knights_knaves.puzzles.wording import TERMS, answer, draw_wording, prompt
from generators.knights_knaves.subsets import PLANS, Plan
from generators.stream import Stream

__all__ = ["OUTCOMES", "make"]

OUTCOMES = ("none", "one", "several")
"""The answers to how many solutions there are."""


def make(stream: Stream, subset: str, index: int) -> Draft:
    """Item `index` of a subset, drawn from the dataset's stream; UsageError beyond the last different puzzle."""
    plan = PLANS[subset]
    number, second = divmod(index, 2) if plan.ask == "one" else (index, 0)
    puzzle, solutions = drawn(plan.design, plan.set, plan.n, stream, number)
    wording = draw_wording(below(stream, plan.base, "wording").child(number))
    names, terms = names_of(plan.n), TERMS[plan.terms]
    who, gold, condition = "", answer(solutions, names, terms), plan.terms
    choices: tuple[str, ...] | None = None
    if plan.ask == "one":
        who, gold = _asked(plan, stream, number, second, solutions[0])
        choices, condition = terms, "identity"
    elif plan.ask == "number":
        choices = OUTCOMES
        gold = condition = OUTCOMES[min(len(solutions), 2)]
    elif plan.ask == "open":
        condition = plan.design
    metadata: dict[str, Any] = {
        "set": plan.set,
        "n": plan.n,
        "terminology": plan.terms,
        "terms": list(terms),
        "names": list(names),
        "statements": [said.notation for said in puzzle],
        "kinds": [said.kind for said in puzzle],
        "solutions": list(solutions),
        "opening": wording.opening,
        "line": wording.line,
        "denial": wording.denial,
        "closing": wording.closing,
    }
    _measure(metadata, plan, puzzle, solutions)
    if who:
        metadata["asked"] = who
    return Draft(
        prompt=prompt(puzzle, names, terms, wording, plan.ask, who),
        choices=choices,
        answer=gold,
        group=f"{plan.base}-{number:06d}",
        condition=condition,
        metadata=metadata,
    )


def _asked(plan: Plan, stream: Stream, number: int, second: int, solution: str) -> tuple[str, str]:
    """Who is asked about, and what that character is: one of either kind per puzzle, in random order."""
    draws = below(stream, plan.base, "asked").child(number)
    kinds = draws.shuffled("KN")
    chosen = [draws.choice([c for c, kind in enumerate(solution) if kind == wanted]) for wanted in kinds]
    return names_of(plan.n)[chosen[second]], TERMS[plan.terms]["KN".index(kinds[second])]


def _measure(metadata: dict[str, Any], plan: Plan, puzzle: tuple[Statement, ...], solutions: tuple[str, ...]) -> None:
    """Add how hard the puzzle is, and what can be said of it where it has one solution by design."""
    hard = difficulty(puzzle)
    metadata["suppositions"] = hard.suppositions
    metadata["depth"] = hard.depth
    metadata["settled"] = hard.settled
    if plan.design in ("paper", "balanced", "identity", "wide", "large"):
        metadata["needed"] = large_needed(puzzle, solutions[0]) if plan.design == "large" else needed(puzzle)
        metadata["knights"] = solutions[0].count("K")
