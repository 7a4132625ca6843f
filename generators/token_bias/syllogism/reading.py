"""A syllogism read back from its prompt, and checked: the text decides, not what was drawn for it."""

from __future__ import annotations

import re
from functools import cache

from generators.item import Item
from generators.token_bias.syllogism.models import Statement, entailed
from generators.token_bias.syllogism.topics import triples
from generators.token_bias.syllogism.wording import ANSWERS, LOOSE_PARTICULAR, LOOSE_UNIVERSAL, PLAIN

__all__ = ["check", "read_syllogism"]

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
