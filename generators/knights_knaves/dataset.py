"""The registry's entry of knights-knaves, and the second opinion on every gold answer.

`check` shares no code with the generator: it parses the notation, reads the prompt, tries all worlds (a SAT solver
beyond 12 characters) and composes the answer anew.
"""

from __future__ import annotations

from itertools import product

from generators.dataset import Dataset
from generators.errors import InputError
from generators.item import Item
from generators.knights_knaves.designs import VERSION
from generators.knights_knaves.formula import Formula, holds, mentioned, parse, solutions
from generators.knights_knaves.puzzle import NAME, make
from generators.knights_knaves.reading import read_prompt
from generators.knights_knaves.satisfiability import sat_solutions
from generators.knights_knaves.scorer import SCORER
from generators.knights_knaves.subsets import subsets

__all__ = ["DATASET", "check"]

_TABLES = 12  # characters up to which all worlds are tried
_MOST = 20  # solutions looked for by the SAT solver; the design has at most four


def check(item: Item) -> list[str]:
    """Faults of an item, in words: prompt, notation, solutions and answer must tell the same story."""
    about = item.metadata
    names, terms, notations = about["names"], about["terms"], about["statements"]
    try:
        speakers, said = read_prompt(item.prompt, terms)
        formulas = [parse(text, names) for text in notations]
    except InputError as error:
        return [str(error)]
    faults = []
    if speakers != names:
        faults.append(f"the prompt has {speakers} speak, not {names}")
    if said != notations:
        faults.append(f"the prompt says {said}, not {notations}")
    found = solutions(formulas) if len(formulas) <= _TABLES else sat_solutions(_clauses(formulas), len(formulas), _MOST)
    if found != about["solutions"]:
        faults.append(f"the solutions are {found}, not {about['solutions']}")
    gold = _answer(item, found)
    if gold != item.answer:
        faults.append(f"the answer is {gold!r}, not {item.answer!r}")
    return faults


def _answer(item: Item, found: list[str]) -> str:
    names, terms = item.metadata["names"], item.metadata["terms"]
    words = [[terms[0] if kind == "K" else terms[1] for kind in one] for one in found]
    if "asked" in item.metadata:
        return words[0][names.index(item.metadata["asked"])] if len(words) == 1 else ""
    if item.choices is not None:
        return "none" if not found else "one" if len(found) == 1 else "several"
    rows = ["; ".join(f"{name}: {word}" for name, word in zip(names, row, strict=True)) for row in words]
    return " | ".join(rows) if rows else "no solution"


def _clauses(formulas: list[Formula]) -> list[list[int]]:
    """What each speaker's statement rules out, world by world of those whom it concerns."""
    found = []
    for speaker, formula in enumerate(formulas):
        scope = sorted({speaker, *mentioned(formula)})
        for kinds in product((False, True), repeat=len(scope)):
            known = dict(zip(scope, kinds, strict=True))
            world = [known.get(character, False) for character in range(len(formulas))]
            if holds(formula, world) != known[speaker]:
                found.append([-(c + 1) if knight else c + 1 for c, knight in known.items()])
    return found


DATASET = Dataset(
    name=NAME,
    version=VERSION,
    title="Knights and knaves",
    summary="Who tells the truth and who lies, from what each of them says? Puzzles after TruthQuest.",
    seed=20240618,
    subsets=subsets(),
    make=make,
    check=check,
    scorer=SCORER,
    factors=("opening", "line", "denial", "closing"),
    slices=(("set", "n"),),
    expertise="logic puzzles",
)
