"""The table of subsets: what each is for, how many rows a release has, and how its items are made."""

from __future__ import annotations

from dataclasses import dataclass

from generators.dataset import Subset
from generators.knights_knaves.replies.asked import Ask
from generators.knights_knaves.replies.forms import form_asked

__all__ = ["LIMITS", "PLANS", "Plan", "subsets"]

_SIZES = (3, 4, 5, 6)
LIMITS = {
    "S-3": 904, "S-4": 34_100, "I-3": 4064, "I-4": 1_915_100, "E-3": 9344, "E-4": 8_336_700,
    "balanced-3": 400, "balanced-4": 19_060, "identity-3": 1200, "identity-4": 91_488,  # of three: under any seed
    "balanced-6": 1_772_484, "identity-6": 15_192_720, "number-3": 16_704, "number-4": 8_450_700,
    "none-3": 7040, "none-4": 2_816_900, "several-3": 5568, "several-4": 2_816_900, "wide-3": 28_300,
}  # fmt: skip
"""How many different items there are, by base, where they are few; a test counts them again."""
_SETS = {
    "S": "self-reference, accusation and conjunction",
    "I": "accusation, implication and conjunction",
    "E": "accusation, conjunction, implication and equivalence",
}
_UNBALANCED = {
    "S": "as in the paper, truth-tellers are rare, and what characters say hints at what they are",
    "I": "as in the paper, what characters say hints at what they are",
    "E": "as in the paper, what characters say hints at what they are",
}
_WORDS = {
    "knights": "knights and knaves",
    "truth-tellers": "truth-tellers and liars",
    "logicians": "logicians and politicians",
}


@dataclass(frozen=True)
class Plan:
    """How the items of a subset are made."""

    design: str
    """As in `puzzles.designs`; also part of the name of the stream."""
    set: str
    """The kinds of statement: a key of `statements.SETS`."""
    n: int
    """The number of characters."""
    terms: str
    """The vocabulary: a key of `wording.TERMS`."""
    ask: Ask
    """What is asked."""
    base: str
    """The first part of the group: subsets with the same base have the same puzzles."""


def _table() -> dict[str, tuple[Plan, Subset]]:
    table: dict[str, tuple[Plan, Subset]] = {}

    def add(name: str, plan: Plan, rows: int, description: str, exploit: str = "") -> None:
        form, limit = form_asked(plan.ask, plan.n), LIMITS.get(plan.base)
        table[name] = plan, Subset(rows=rows, description=description, form=form, limit=limit, exploit=exploit)

    for letter, kinds in _SETS.items():
        for n in _SIZES:
            name = f"{letter}-{n}"
            text = f"{n} characters, set {letter} ({kinds}), jabbas and tettes: as in the paper."
            add(name, Plan("paper", letter, n, "jabbas", "all", name), 200, text, _UNBALANCED[letter])
    for n in _SIZES:
        told = (
            "that everybody lies, or nobody does, is far more frequent than chance, and few denials hint at the latter"
        )
        text = f"{n} characters, set E; number of jabbas uniform, and neither place nor kind of statement gives a hint."
        add(f"balanced-{n}", Plan("balanced", "E", n, "jabbas", "all", f"balanced-{n}"), 200, text, told)
    for n in _SIZES:
        text = f"What is one of {n} characters? Two questions per puzzle, one with either answer; set E."
        add(f"identity-{n}", Plan("identity", "E", n, "jabbas", "one", f"identity-{n}"), 800, text)
    for n in _SIZES:
        text = f"{n} characters, set E: does no assignment fit the statements, does one, or do several?"
        add(f"number-{n}", Plan("number", "E", n, "jabbas", "number", f"number-{n}"), 600, text)
    for n in _SIZES:
        text = f"{n} characters, set E, statements that no assignment fits; the prompt allows for that."
        add(
            f"none-{n}", Plan("none", "E", n, "jabbas", "open", f"none-{n}"), 100, text, "every answer is `no solution`"
        )
        text = f"{n} characters, set E, statements with two to four solutions; the prompt asks for all of them."
        add(f"several-{n}", Plan("several", "E", n, "jabbas", "open", f"several-{n}"), 100, text)
    for n in _SIZES:
        text = f"{n} characters, all kinds of statement: set E, disjunction, exclusive or, counts, nested reports."
        add(
            f"wide-{n}",
            Plan("wide", "wide", n, "knights", "all", f"wide-{n}"),
            100,
            text,
            "what characters say hints at what they are",
        )
    for n in (10, 30):
        text = f"{n} characters with first names, all kinds of statement; a SAT solver shows that one solution exists."
        add(f"large-{n}", Plan("large", "wide", n, "knights", "all", f"large-{n}"), 50, text)
    for terms, words in _WORDS.items():
        for letter in _SETS:
            for n in _SIZES:
                name = f"{letter}-{n}"
                text = f"The puzzles of {name}, in the same wording, with {words}."
                add(f"{name}-{terms}", Plan("paper", letter, n, terms, "all", name), 50, text, _UNBALANCED[letter])
    return table


_TABLE = _table()

PLANS: dict[str, Plan] = {name: plan for name, (plan, _) in _TABLE.items()}
"""Subset -> how its items are made."""


def subsets() -> dict[str, Subset]:
    """Subset -> its description for the rest of the house, in the order of the release."""
    return {name: subset for name, (_, subset) in _TABLE.items()}
