"""The second opinion on every gold answer.

It shares no code with the generator: it parses the notation, reads the prompt, tries all worlds (beyond 12 characters
a SAT solver does) and composes the answer anew.
"""

from __future__ import annotations

from itertools import product

from generators.errors import InputError
from generators.item import Item
from generators.knights_knaves.formula import Formula, holds, letter, mentioned, parse, solutions
from generators.knights_knaves.prompt_reading import read_prompt
from generators.knights_knaves.satisfiability import Clauses, sat_solutions

__all__ = ["check"]

_SIGNS = {"&": "conjunction", "|": "disjunction", "^": "exclusive", ">": "implication", "=": "equivalence"}
_TABLES = 12  # characters up to which all worlds are tried
_MOST = 20  # solutions that the SAT solver looks for; the design has at most four


def check(item: Item) -> list[str]:
    """The faults of an item, in words: prompt, notation, solutions and answer must agree; empty where they do."""
    about = item.metadata
    names, terms, notations = about["names"], about["terms"], about["statements"]
    try:
        speakers, told = read_prompt(item.prompt, terms)
        formulas = [parse(text, names) for text in notations]
    except InputError as error:
        return [str(error)]
    faults = []
    if not len(names) == len(formulas) == len(speakers) > 0:
        return [f"{len(names)} names, {len(formulas)} statements, and {len(speakers)} speakers in the prompt"]
    if speakers != names:
        faults.append(f"in the prompt {speakers} speak, not {names}")
    if told != notations:
        faults.append(f"the prompt says {told}, not {notations}")
    if len(formulas) <= _TABLES:
        worlds = solutions(formulas)
    else:
        worlds = sat_solutions(_clauses(formulas), len(formulas), _MOST)
    if worlds != about["solutions"]:
        faults.append(f"the solutions are {worlds}, not {about['solutions']}")
    known = {"n": len(names), "kinds": list(map(_kind, notations, range(len(names)))), **_known(worlds)}
    faults += [
        f"{key} is {about[key]!r}, not {known[key]!r}" for key in known if key in about and about[key] != known[key]
    ]
    gold = _answer(item, worlds)
    if gold != item.answer:
        faults.append(f"the answer is {gold!r}, not {item.answer!r}")
    return faults


def _known(worlds: list[str]) -> dict[str, object]:
    """What the metadata may say of the solutions beside listing them."""
    known: dict[str, object] = {"outcome": ("none", "one", "several")[min(len(worlds), 2)]}
    if len(worlds) == 1:
        known["knights"] = worlds[0].count("K")
        known["first"] = "truthful" if worlds[0][0] == "K" else "lying"
    return known


def _kind(notation: str, speaker: int) -> str:
    """What kind of statement it is, by its notation."""
    if notation.startswith("(("):
        return "alternative"
    if notation.startswith("("):
        return next((kind for sign, kind in _SIGNS.items() if f" {sign} " in notation), "")
    if notation.startswith("#"):
        return "count"
    if ":" in notation:
        return "nested"
    return "self" if notation.lstrip("~") == letter(speaker) else "accusation"


def _answer(item: Item, worlds: list[str]) -> str:
    names, terms = item.metadata["names"], item.metadata["terms"]
    words = [[terms[0] if kind == "K" else terms[1] for kind in world] for world in worlds]
    if "asked" in item.metadata:
        return words[0][names.index(item.metadata["asked"])] if len(words) == 1 else ""
    if item.choices is not None:
        return "none" if not worlds else "one" if len(worlds) == 1 else "several"
    rows = ["; ".join(f"{name}: {word}" for name, word in zip(names, row, strict=True)) for row in words]
    return " | ".join(rows) if rows else "no solution"


def _clauses(formulas: list[Formula]) -> Clauses:
    """What each statement rules out, one clause per world of the characters that it concerns."""
    clauses = []
    for speaker, formula in enumerate(formulas):
        scope = sorted({speaker, *mentioned(formula)})
        for kinds in product((False, True), repeat=len(scope)):
            known = dict(zip(scope, kinds, strict=True))
            world = [known.get(character, False) for character in range(len(formulas))]
            if holds(formula, world) != known[speaker]:
                clauses.append([-(c + 1) if knight else c + 1 for c, knight in known.items()])
    return clauses
