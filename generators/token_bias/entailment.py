"""A syllogism read back from its prompt, and decided by all ways in which three classes can overlap."""

from __future__ import annotations

import re
from functools import cache

from hansproof.generators.item import Item
from hansproof.generators.token_bias.premises import ANSWERS, LOOSE_PARTICULAR, LOOSE_UNIVERSAL, PLAIN, triples

__all__ = ["check"]

# Three classes cut the world into eight regions, each empty or not. A syllogism is valid if its conclusion is true in
# all of the 256 worlds in which both premises are (Venn 1880). `All X are Y` holds where there is no X.

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


_FORMER_KINDS = ("desks", "kayaks", "lighthouses", "reservoirs", "turtles", "willows")
_FORMER_PARTICULAR = ("one or more {}",)
"""Words of version 1.0.0, whose answers are still confirmed."""


def check(item: Item) -> list[str]:
    """Faults of an item: another answer than the one that the worlds of its three classes give, or no syllogism."""
    if item.choices != ANSWERS:
        return [f"the choices are {item.choices}, not {ANSWERS}"]
    said = read_syllogism(item.prompt)
    if said is None:
        return ["the prompt holds no syllogism"]
    premises, conclusion = said
    answer = ANSWERS[0] if entailed(premises, conclusion) else ANSWERS[1]
    return [] if item.answer == answer else [f"answer is {item.answer!r}, not {answer!r}"]


def read_syllogism(text: str) -> tuple[tuple[Statement, Statement], Statement] | None:
    """((the universal premise, the particular one), conclusion); None where the text holds no such three."""
    argument = text.split("\n\n")[1] if text.count("\n\n") == 2 else ""
    universals = list(_universal().finditer(argument))
    particulars = list(_particular().finditer(argument))
    if len(universals) != 1 or len(particulars) != 2 or particulars[1].end() < universals[0].end():
        return None
    whole, part = (universals[0][term].lower() for term in ("whole", "part"))
    some = [(match["quantifier"].lower(), match["subject"].lower(), match["property"]) for match in particulars]
    if len({(quantifier, words) for quantifier, _, words in some}) != 1:
        return None
    first, second = (("some", subject, words) for _, subject, words in some)
    return (("all", whole, part), first), second


@cache
def _universal() -> re.Pattern[str]:
    """Both terms and the words for `all`, from the start of a clause on: `not all roses` is no universal premise."""
    around = [words.split("{}") for words in (PLAIN[0], *LOOSE_UNIVERSAL)]
    before, after = ("|".join(map(re.escape, sorted(set(part), reverse=True))) for part in zip(*around, strict=True))
    return re.compile(
        rf"(?:^|(?<=\. )|(?<=that )|(?<=, ))(?P<before>{before})(?P<whole>{_terms()})(?P<after>{after})"
        rf" are (?P<part>{_terms()})(?=[.,])",
        re.IGNORECASE,
    )


@cache
def _particular() -> re.Pattern[str]:
    quantifiers = "|".join(words.removesuffix(" {}") for words in (*LOOSE_PARTICULAR, *_FORMER_PARTICULAR, PLAIN[1]))
    return re.compile(
        rf"(?<!\w)(?P<quantifier>{quantifiers}) (?P<subject>{_terms()}) (?P<property>[^.,]+?)(?=[.,])", re.IGNORECASE
    )


def _terms() -> str:
    terms = {term for triple in triples() for term in (triple.kind, triple.category)} | set(_FORMER_KINDS)
    return "|".join(sorted(map(re.escape, terms), key=lambda term: (-len(term), term)))
