"""Knights-and-knaves items after TruthQuest (Mondorf & Plank 2024): subset, seed and index in, Item out.

Every character is a truth-teller or a liar and says one thing; who is what? Statements, solutions and wordings
come from streams of their own, so that no phrase carries the answer. In the paper's sets the count of truth-tellers
is what random draws make it (see the card); in `balanced`, `identity` and `number` it tells nothing.
"""

from __future__ import annotations

from typing import Any

from generators.dataset import Draft
from generators.knights_knaves.designs import Drawn, below, drawn
from generators.knights_knaves.difficulty import difficulty, needed
from generators.knights_knaves.large import large_needed, names_of
from generators.knights_knaves.prompts import TERMS, answer, draw_wording, prompt
from generators.knights_knaves.subsets import PLANS, Plan
from generators.stream import Stream

__all__ = ["NAME", "make"]

NAME = "knights-knaves"
OUTCOMES = ("none", "one", "several")  # solutions


def make(stream: Stream, subset: str, index: int) -> Draft:
    """Item `index` of a subset, drawn from the dataset's stream. Raises UsageError beyond the last different puzzle."""
    plan = PLANS[subset]
    number, second = divmod(index, 2) if plan.ask == "one" else (index, 0)
    one = drawn(plan.design, plan.set, plan.n, stream, number)
    wording = draw_wording(below(stream, plan.base, "wording").child(number))
    names, terms = names_of(plan.n), TERMS[plan.terms]
    who, gold, condition = "", answer(one.solutions, names, terms), plan.terms
    choices: tuple[str, ...] | None = None
    if plan.ask == "one":
        who, gold = _asked(plan, stream, number, second, one)
        choices, condition = terms, "identity"
    elif plan.ask == "number":
        choices = OUTCOMES
        gold = condition = OUTCOMES[min(len(one.solutions), 2)]
    elif plan.ask == "open":
        condition = plan.design
    metadata: dict[str, Any] = {
        "set": plan.set,
        "n": plan.n,
        "terminology": plan.terms,
        "terms": list(terms),
        "names": list(names),
        "statements": [said.notation for said in one.puzzle],
        "kinds": [said.kind for said in one.puzzle],
        "solutions": list(one.solutions),
        "opening": wording.opening,
        "line": wording.line,
        "denial": wording.denial,
        "closing": wording.closing,
        **_hardness(plan, one),
    }
    if who:
        metadata["asked"] = who
    return Draft(
        prompt=prompt(one.puzzle, names, terms, wording, plan.ask, who),
        choices=choices,
        answer=gold,
        group=f"{plan.base}-{number:06d}",
        condition=condition,
        metadata=metadata,
    )


def _asked(plan: Plan, stream: Stream, number: int, second: int, one: Drawn) -> tuple[str, str]:
    """Who is asked about, and what that character is: of each puzzle one of either kind, in random order."""
    draws = below(stream, plan.base, "asked").child(number)
    kinds = draws.shuffled("KN")
    chosen = [draws.choice([c for c, kind in enumerate(one.solutions[0]) if kind == wanted]) for wanted in kinds]
    return names_of(plan.n)[chosen[second]], TERMS[plan.terms]["KN".index(kinds[second])]


def _hardness(plan: Plan, one: Drawn) -> dict[str, int]:
    hard = difficulty(one.puzzle)
    found = {"suppositions": hard.suppositions, "depth": hard.depth, "settled": hard.settled}
    if plan.design in ("paper", "balanced", "identity", "wide", "large"):  # one solution by design
        found["needed"] = large_needed(one.puzzle, one.solutions[0]) if plan.design == "large" else needed(one.puzzle)
        found["knights"] = one.solutions[0].count("K")
    return found
