"""Knights-and-knaves items after TruthQuest (Mondorf & Plank 2024): subset, seed and index in, Item out.

Every character is a truth-teller or a liar and says one thing; who is what? Statements, solutions and wordings
come from streams of their own, so that no phrase carries the answer. In the paper's sets the count of truth-tellers
is what random draws make it (see the card); in `balanced`, `identity` and `number` it tells nothing.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from generators.errors import UsageError
from generators.item import Item
from generators.knights_knaves.designs import VERSION, Drawn, drawn, root
from generators.knights_knaves.difficulty import difficulty, needed
from generators.knights_knaves.large import large_needed, names_of
from generators.knights_knaves.prompts import TERMS, answer, draw_wording, prompt
from generators.knights_knaves.subsets import LIMITS, PLANS, Plan

__all__ = ["CANARY", "NAME", "make"]

NAME = "knights-knaves"
OUTCOMES = ("none", "one", "several")  # solutions


def _canary() -> str:
    """A string that occurs nowhere else: who finds it in a model's training data has found this dataset."""
    digest = blake2b(f"canary {NAME} {VERSION}".encode(), digest_size=16).hexdigest()
    return "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:]))


CANARY = _canary()


def make(subset: str, seed: int, index: int) -> Item:
    """Item `index` of a subset; the same whatever is made before, beside or after it.

    Raises UsageError for an unknown subset, a negative index, and an index beyond the last different puzzle.
    """
    plan = PLANS.get(subset)
    if plan is None:
        raise UsageError(f"{NAME} has no subset {subset!r}; it has {', '.join(PLANS)}")
    if index < 0:
        raise UsageError(f"an index is 0 or more, not {index}")
    limit = LIMITS.get(plan.base)
    if limit is not None and index >= limit:
        raise UsageError(f"{NAME}/{subset} has only {limit} different items; there is none with index {index}")
    number, second = divmod(index, 2) if plan.ask == "one" else (index, 0)
    one = drawn(plan.design, plan.set, plan.n, seed, number)
    wording = draw_wording(root(seed, plan.base, "wording").child(number))
    names, terms = names_of(plan.n), TERMS[plan.terms]
    who, gold, condition = "", answer(one.solutions, names, terms), plan.terms
    choices: tuple[str, ...] | None = None
    if plan.ask == "one":
        who, gold = _asked(plan, seed, number, second, one)
        choices, condition = terms, "identity"
    elif plan.ask == "number":
        choices = OUTCOMES
        gold = condition = OUTCOMES[min(len(one.solutions), 2)]
    elif plan.ask == "open":
        condition = plan.design
    metadata: dict[str, Any] = {
        "dataset": NAME,
        "version": VERSION,
        "subset": subset,
        "seed": seed,
        "canary": CANARY,
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
    return Item(
        id=f"{NAME}/{VERSION}/{subset}/{index:06d}",
        prompt=prompt(one.puzzle, names, terms, wording, plan.ask, who),
        choices=choices,
        answer=gold,
        group=f"{plan.base}-{number:06d}",
        condition=condition,
        metadata=metadata,
    )


def _asked(plan: Plan, seed: int, number: int, second: int, one: Drawn) -> tuple[str, str]:
    """Who is asked about, and what that character is: of each puzzle one of either kind, in random order."""
    stream = root(seed, plan.base, "asked").child(number)
    kinds = stream.shuffled("KN")
    chosen = [stream.choice([c for c, kind in enumerate(one.solutions[0]) if kind == wanted]) for wanted in kinds]
    return names_of(plan.n)[chosen[second]], TERMS[plan.terms]["KN".index(kinds[second])]


def _hardness(plan: Plan, one: Drawn) -> dict[str, int]:
    hard = difficulty(one.puzzle)
    found = {"suppositions": hard.suppositions, "depth": hard.depth, "settled": hard.settled}
    if plan.design in ("paper", "balanced", "identity", "wide", "large"):  # one solution by design
        found["needed"] = large_needed(one.puzzle, one.solutions[0]) if plan.design == "large" else needed(one.puzzle)
        found["knights"] = one.solutions[0].count("K")
    return found
