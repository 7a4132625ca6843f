"""Forms of syllogisms: which mood and figure are valid, chains of any length, and why a conclusion follows or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from hansproof.generators.stream import Stream

__all__ = ["FORMS", "ROTATING", "Form", "Statement", "arguments", "reasoning"]


class Statement(NamedTuple):
    """`All roses are flowers.`"""

    quantifier: str
    """`all`, `no`, `some`, or `not` for `some ... are not`, which only conclusions have."""
    subject: str
    predicate: str
    """Another term, or after `some` a property (`fade within a week`)."""


# Valid is what holds in every world, whether or not classes may be empty (Aristotle's and Venn's reading agree on all
# forms here). A pattern names the terms of the two premises and the conclusion in their order, by letters: `abbcac` is
# `a-b. b-c. So a-c`. Barbara, Celarent, Darii and Ferio are the four with `abcacb`; `abbcac` has their premises turned
# round, `abbcca` and `abcabc` are figure 4, whose premises go in a circle.
#
# A form has one mood, so its valid and its invalid argument hold the same words. Each pattern is as often that of the
# valid as of the invalid argument: `abcacb` four times each, and so on. So neither all quantifiers together nor all
# repetitions of terms together say anything of the answer. Only who puts the two together knows.
#
# Arguments of four terms are left out: none with terms of both premises in the conclusion is valid, so the pattern
# would tell, and where the conclusion is about one premise alone, an invalid one flatly denies it.


class Form(NamedTuple):
    """A mood, and in which patterns it is valid and invalid."""

    mood: str
    """Quantifiers of premise, premise and conclusion: A `all`, E `no`, I `some`, O `some ... not`."""
    valid: str
    invalid: str


FORMS: Final = tuple(
    Form(*row.split())
    for row in (
        *("AAA abcacb abbcca", "AAA abbcac abcabc", "EAE abcacb abbcca", "AEE abbcca abcacb", "AEE abbcca abcacb"),
        *("AEE abbcac abcabc", "EAE abcabc abbcac", "EAE abcabc abbcac", "AII abcacb abbcca", "IAI abbcca abcacb"),
        *("IAI abbcac abcabc", "AII abcabc abbcac", "EIO abcacb abbcac", "IEO abbcac abcacb", "EIO abbcca abcabc"),
        "IEO abcabc abbcca",
    )
)
"""Each equally often in the balanced subsets."""
ROTATING: Final = (Form("AEE", "abbcca", "abcabc"), Form("AII", "abcabc", "abbcca"))
"""Forms whose two arguments hold the same sentences in another order, as they still do once a, b and c have each taken
the place of the next: over the three rotations, no words that stand beside each other tell in items of three terms."""

_QUANTIFIERS: Final[Mapping[str, str]] = {"A": "all", "E": "no", "I": "some", "O": "not"}


def arguments(form: Form, terms: Sequence[str], premises: int, own: Stream) -> dict[bool, list[Statement]]:
    """Valid or not -> that argument of a form, the conclusion last, with so many premises.

    More than two premises come from putting a term between the two of a premise, again and again: `All X are Y` becomes
    `All X are Z. All Z are Y.` From the new premises the old one follows, and where the old ones leave a conclusion
    open, so do the new ones (Z may be just X or just Y). Both arguments get the same premises in the same places. There
    must be `premises` + 1 terms.
    """
    made = {}
    for valid, pattern in ((True, form.valid), (False, form.invalid)):
        names = dict(zip("abc", terms, strict=False))
        said = [names[letter] for letter in pattern]
        made[valid] = [
            Statement(_QUANTIFIERS[kind], *said[2 * place : 2 * place + 2]) for place, kind in enumerate(form.mood)
        ]
    places = [own.below(2 + added) for added in range(premises - 2)]
    order = own.shuffled(range(premises)) if premises > 2 else [0, 1]
    for valid, (*given, conclusion) in made.items():
        for place, middle in zip(places, terms[3:], strict=False):
            given[place : place + 1] = _two_for(given[place], middle)
        made[valid] = [*(given[place] for place in order), conclusion]
    return made


def _two_for(premise: Statement, middle: str) -> list[Statement]:
    """Two premises from which one follows, by way of a new term; the patterns are the same for all quantifiers."""
    first, second = {"all": ("all", "all"), "no": ("all", "no"), "some": ("some", "all")}[premise.quantifier]
    return [Statement(first, premise.subject, middle), Statement(second, middle, premise.predicate)]


# Worked reasoning: somebody of whom the conclusion speaks is followed from premise to premise, or a world is shown in
# which the premises are true and the conclusion false.

_Known = dict[str, bool]
"""Term -> whether the person in question is one."""


def reasoning(premises: Sequence[Statement], conclusion: Statement) -> str:
    """Why the conclusion follows, or does not, in words, for solved examples."""
    for start, opening in _starts(premises, conclusion):
        known = dict(start)
        steps = _followed(premises, known)
        if _reached(known, conclusion, bool(steps and steps[-1].startswith("Nobody"))):
            return " ".join([opening, *steps, "So it holds: the conclusion follows."])
    people = " and ".join(f"some who are {_described(known)}" for known in _counterexample(premises, conclusion))
    return (
        f"Imagine that there are only {people}. Then the premises are true and the conclusion is false, so it does "
        "not follow."
    )


def _starts(premises: Sequence[Statement], conclusion: Statement) -> list[tuple[_Known, str]]:
    """What may be known of somebody at first: what the conclusion is about, or what a premise with `some` grants."""
    _, subject, predicate = conclusion
    if conclusion.quantifier == "all":
        return [({subject: True}, f"Take somebody from the {subject}.")]
    if conclusion.quantifier == "no":
        return [({subject: True, predicate: True}, f"Suppose that somebody is one of the {subject} and {predicate}.")]
    return [
        (
            {said.subject: True, said.predicate: True},
            f"There are {said.subject} who are {said.predicate}; take one of them.",
        )
        for said in premises
        if said.quantifier == "some"
    ]


def _followed(premises: Sequence[Statement], known: _Known) -> list[str]:
    """The steps by the premises with `all` and `no`, which add to what is `known`, until nothing is new."""
    steps: list[str] = []
    rules = []
    for said in premises:
        _, subject, predicate = said
        if said.quantifier == "all":
            rules += [((subject, True), (predicate, True), said), ((predicate, False), (subject, False), said)]
        elif said.quantifier == "no":
            rules += [((subject, True), (predicate, False), said), ((predicate, True), (subject, False), said)]
    while True:
        fires = [rule for rule in rules if known.get(rule[0][0]) == rule[0][1] and known.get(rule[1][0]) != rule[1][1]]
        if not fires:
            return steps
        _, (term, holds), said = fires[0]
        because = f"because {said.quantifier} {said.subject} are {said.predicate}"
        if term in known:
            return [*steps, f"Nobody can be, {because}."]
        known[term] = holds
        steps.append(f"That person is {'' if holds else 'not '}one of the {term}, {because}.")


def _reached(known: _Known, conclusion: Statement, impossible: bool) -> bool:
    if conclusion.quantifier == "no":
        return impossible
    wanted = conclusion.quantifier != "not"
    return known.get(conclusion.subject) is True and known.get(conclusion.predicate) is wanted


def _counterexample(premises: Sequence[Statement], conclusion: Statement) -> list[_Known]:
    """Kinds of people, all there are, that make the premises true and the conclusion false."""
    wanted: list[_Known] = [{s: True, p: True} for q, s, p in premises if q == "some"]
    _, subject, predicate = conclusion
    if conclusion.quantifier in ("all", "no"):
        wanted.insert(0, {subject: True, predicate: conclusion.quantifier == "no"})
    terms = list(dict.fromkeys(term for said in premises for term in said[1:]))
    people: list[_Known] = []
    for start in wanted:
        known = dict(start)
        _followed(premises, known)
        for term in terms:  # nobody is more than the premises make of them, so a conclusion with `some` is false
            if term not in known:
                known[term] = False
                _followed(premises, known)
        if known not in people:
            people.append(known)
    return people


def _described(known: _Known) -> str:
    are, not_ = ([term for term, holds in known.items() if holds is wanted] for wanted in (True, False))
    return " and ".join(are) + (f" but not {' or '.join(not_)}" if not_ else "")
