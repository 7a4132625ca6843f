"""The second way to every answer: all ways in which three classes can overlap.

Three classes cut the world into eight regions, each of which is empty or not. A syllogism is valid if its conclusion is
true in every one of the 256 worlds in which both premises are (Venn 1880). `All X are Y` holds where there is no X.
"""

from __future__ import annotations

from functools import cache

__all__ = ["Statement", "entailed"]

Statement = tuple[str, str, str]
"""(`all` or `some`, subject, predicate)"""


@cache
def entailed(premises: tuple[Statement, ...], conclusion: Statement) -> bool:
    """Whether the conclusion is true in every world in which all premises are."""
    terms = sorted({term for _, *pair in (*premises, conclusion) for term in pair})
    regions = range(2 ** len(terms))
    place = {term: 1 << number for number, term in enumerate(terms)}
    for world in range(2 ** len(regions)):
        inhabited = [region for region in regions if world >> region & 1]
        if all(_true(premise, inhabited, place) for premise in premises) and not _true(conclusion, inhabited, place):
            return False
    return True


def _true(statement: Statement, inhabited: list[int], place: dict[str, int]) -> bool:
    quantifier, subject, predicate = statement
    within = [region & place[predicate] for region in inhabited if region & place[subject]]
    return all(within) if quantifier == "all" else any(within)
