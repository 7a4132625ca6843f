"""The second opinion on puzzles about logicians and politicians: every assignment is tried, by a SAT solver.

It shares no code with the first: it reads the prompt, and asks of each of the 2^n ways in which the speakers could be
logicians and politicians whether everybody says what they would say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from generators.errors import InputError
from generators.item import Item
from generators.knights_knaves.logicians.reading import Told, read_scene
from generators.knights_knaves.satisfiability import Clauses, sat_solutions

__all__ = ["check_scene", "scene_solutions"]

_WORDS = ("logician", "politician")
_CLAUSE = re.compile(r"\((~?)(\w+) ([|^>=]) (~?)(\w+)\)|(~?)(\w+)")


def check_scene(item: Item) -> list[str]:
    """The faults of an item, in words; empty where prompt, notation, solution and answer agree."""
    about = item.metadata
    try:
        told = read_scene(item.prompt)
        worlds = scene_solutions(told)
    except InputError as error:
        return [str(error)]
    published = Told(about["names"], about["lamps"], about["notes"], about["statements"])
    faults = [
        f"the prompt has the {field} {read}, not {given}"
        for field, read, given in zip(Told._fields, told, published, strict=True)
        if read != given
    ]
    first = "truthful" if worlds and worlds[0].startswith("K") else "lying"
    for key, known in (("n", len(told.names)), ("terms", list(_WORDS)), ("first", first)):
        if about[key] != known:
            faults.append(f"{key} is {about[key]!r}, not {known!r}")
    if worlds != about["solutions"]:
        faults.append(f"the solutions are {worlds}, not {about['solutions']}")
    words = [[_WORDS["KN".index(kind)] for kind in world] for world in worlds]
    gold = " | ".join("; ".join(map("{}: {}".format, told.names, row)) for row in words)
    if gold != item.answer:
        faults.append(f"the answer is {gold!r}, not {item.answer!r}")
    return faults


def scene_solutions(told: Told) -> list[str]:
    """Every assignment in which logicians say what can be proved, and politicians what can be neither proved nor
    disproved, as strings of K (logician) and N, sorted. Raises InputError for a clause not in the notation."""
    facts = [*told.names, *told.lamps]
    notes = [rule for note in told.notes for rule in _rules(note, facts)]
    said = [(_rules(text, facts), _rules(text, facts, denied=True)) for text in told.said]
    worlds = product((True, False), repeat=len(told.names))
    fitting = [world for world in worlds if _possible(notes + _are(world), facts) and _fits(world, notes, said, facts)]
    return sorted("".join("K" if logician else "N" for logician in world) for world in fitting)


def _fits(world: Sequence[bool], notes: Clauses, said: Sequence[tuple[Clauses, Clauses]], facts: Sequence[str]) -> bool:
    for place, (affirmed, denied) in enumerate(said):
        premises = notes + _are(world[:place])
        proved = not _possible(premises + denied, facts)
        disproved = not _possible(premises + affirmed, facts)
        if proved != world[place] or (disproved and not world[place]):
            return False
    return True


def _are(world: Sequence[bool]) -> Clauses:
    return [[place + 1 if logician else -place - 1] for place, logician in enumerate(world)]


def _possible(rules: Clauses, facts: Sequence[str]) -> bool:
    return bool(sat_solutions(rules, len(facts), most=1))


def _rules(text: str, facts: Sequence[str], denied: bool = False) -> Clauses:
    """A clause of the notation, or its denial, as clauses of a SAT solver."""
    match = _CLAUSE.fullmatch(text)
    if not match or any(name not in facts for name in (match[2], match[5], match[7]) if name):
        raise InputError("is not a note or statement in the notation", repr(text))
    if match[7]:
        fact = _number(match[6], match[7], facts)
        return [[-fact if denied else fact]]
    left, right = _number(match[1], match[2], facts), _number(match[4], match[5], facts)
    sign = match[3]
    if sign in "=^":
        right = right if (sign == "=") != denied else -right
        return [[-left, right], [left, -right]]
    left = left if sign == "|" else -left
    return [[-left], [-right]] if denied else [[left, right]]


def _number(sign: str, name: str, facts: Sequence[str]) -> int:
    return (facts.index(name) + 1) * (-1 if sign else 1)
