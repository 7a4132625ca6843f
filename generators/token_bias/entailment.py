"""A syllogism read back from its prompt, and decided by all worlds in which its premises are true."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from hansproof.generators.item import Item
from hansproof.generators.token_bias.premises import ANSWERS, PEOPLE, triples

__all__ = ["check"]

# Monadic logic: a world is a set of types, and a type says of each class whether somebody of it is a member (Venn 1880,
# Löwenheim 1915). The premises with `all` and `no` forbid types; each one with `some` needs a type that is not
# forbidden. So with k classes, at most 2^k types are looked at, and not all of the 2^2^k sets of them:
#
# - a conclusion with `all` or `no` is false in some world if one allowed type is against it, added to any world;
# - a conclusion with `some` is true in all worlds only if one premise with `some` can be met by no allowed type but
#   those that make it true: otherwise the world of one other witness each makes it false.

Statement = tuple[str, str, str]
"""(`all`, `no`, `some` or `not` for `some ... are not`, subject, predicate)"""


@lru_cache(maxsize=4096)
def entailed(premises: tuple[Statement, ...], conclusion: Statement, inhabited: bool = False) -> bool:
    """Whether the conclusion is true in every world in which all premises are, `inhabited`: and no class is empty."""
    terms = list(dict.fromkeys(term for _, *pair in (*premises, conclusion) for term in pair))
    bit = {term: 1 << place for place, term in enumerate(terms)}
    allowed = [kind for kind in range(2 ** len(terms)) if not any(_against(said, kind, bit) for said in premises)]
    particular = [said for said in premises if said[0] in ("some", "not")]
    witnesses = [[kind for kind in allowed if _meets(said, kind, bit)] for said in particular]
    if inhabited:
        witnesses += [[kind for kind in allowed if kind & bit[term]] for term in terms]
    if not all(witnesses):
        return True  # there is no such world
    if conclusion[0] in ("all", "no"):
        return not any(_against(conclusion, kind, bit) for kind in allowed)
    return any(all(_meets(conclusion, kind, bit) for kind in of) for of in witnesses)


def _against(said: Statement, kind: int, bit: dict[str, int]) -> bool:
    """Whether somebody of this type makes a statement with `all` or `no` false."""
    quantifier, subject, predicate = said
    if quantifier not in ("all", "no") or not kind & bit[subject]:
        return False
    return bool(kind & bit[predicate]) == (quantifier == "no")


def _meets(said: Statement, kind: int, bit: dict[str, int]) -> bool:
    """Whether somebody of this type makes a statement with `some` true."""
    quantifier, subject, predicate = said
    return bool(kind & bit[subject]) and bool(kind & bit[predicate]) == (quantifier == "some")


def check(item: Item) -> list[str]:
    """Faults of an item: another answer than the one that the worlds give, or no syllogism."""
    if item.choices != ANSWERS:
        return [f"the choices are {item.choices}, not {ANSWERS}"]
    said = read_syllogism(item.prompt)
    if said is None:
        return ["the prompt holds no syllogism"]
    *premises, conclusion = said
    follows, follows_of_some = (entailed(tuple(premises), conclusion, inhabited) for inhabited in (False, True))
    if follows != follows_of_some:
        return ["whether it follows hangs on whether a class may be empty"]
    answer = ANSWERS[0] if follows else ANSWERS[1]
    return [] if item.answer == answer else [f"answer is {item.answer!r}, not {answer!r}"]


def read_syllogism(text: str) -> list[Statement] | None:
    """The premises and, last, the conclusion; None where a sentence is no statement, or `some` is put in two ways."""
    argument = text.split("\n\n")[1] if text.count("\n\n") == 2 else ""
    sentences = re.findall(r"[^.]+", re.sub(r"^These statements are (?:from a novel )?about [^.]+\. ", "", argument))
    read, some = [], set()
    for sentence in sentences:
        match = _statement().search(sentence.removeprefix(" So "))
        if match is None:
            return None
        form = next(name for name in _FORMS if match[name])
        subject, predicate = (_plain(match[f"{form}_{part}"]) for part in ("s", "p"))
        read.append((form.rstrip("23"), subject, predicate))
        some |= {match[f"{form}_q"].lower()} if form in ("some", "not") else set()
    return read if len(read) > 2 and len(some) <= 1 else None


def _plain(words: str) -> str:
    """A term without a capital that only opens its sentence, and without the verb before it."""
    term = words.removeprefix("are ")
    first = term[:1].lower() + term[1:]
    return next((known for known in (term, first) if known in _terms()), words)


_SOME = "(?P<{form}_q>some|at least some|some of the|one or more) "
_FORMS = {
    "all": "all (?:of the )?{s} are {p}",
    "all2": "{s} are, without exception, {p}",
    "no": "no {s} are {p}",
    "no2": "none of the {s} are {p}",
    "all3": "{s} must all be {p}",
    "no3": "there cannot be any {s} who are also {p}",
    "some3": "there must be {s} who are also {p}",
    "not3": "there must be {s} who are not {p}",
    "not": _SOME + "{s} are not {p}",
    "some": _SOME + "{s} (?P<some_p>[^.,]+)",
}
"""What statements look like; those of one quantifier have one name, but for the number."""


@cache
def _statement() -> re.Pattern[str]:
    """A statement at the end of a sentence, from the start of a clause on: `not all roses` is none."""
    term = "|".join(sorted(map(re.escape, _terms()), key=lambda each: (-len(each), each)))
    forms = [
        f"(?P<{form}>{text.format(form=form, s=f'(?P<{form}_s>{term})', p=f'(?P<{form}_p>{term})')})"
        for form, text in _FORMS.items()
    ]
    return re.compile(rf"(?:^ ?|(?<=that )|(?<=, ))(?:{'|'.join(forms)})$", re.IGNORECASE)


@cache
def _terms() -> frozenset[str]:
    return frozenset({term for triple in triples() for term in (triple.kind, triple.category)} | {*PEOPLE})
