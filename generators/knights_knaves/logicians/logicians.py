"""The subset `logicians`: three to five speakers, notes about them and about lamps."""

from __future__ import annotations

from hashlib import blake2b
from itertools import permutations
from typing import Any

from generators.dataset import Draft, Subset
from generators.knights_knaves.logicians.checking import check_scene
from generators.knights_knaves.logicians.proofs import Clause
from generators.knights_knaves.logicians.scenes import LAMPS, Scene, drawn_scene
from generators.knights_knaves.logicians.wording import TERMS, notated, prompt
from generators.knights_knaves.plan import Plan
from generators.knights_knaves.planted.claims import letters_of
from generators.knights_knaves.planted.ladder import opposites
from generators.knights_knaves.puzzles.large import NAMES
from generators.knights_knaves.puzzles.wording import answer
from generators.knights_knaves.replies.forms import form_asked
from generators.stream import Stream

__all__ = ["LOGICIANS"]

_SIZES = (3, 4, 5)
_ROWS = 200
"""Of each size."""


def _make(stream: Stream, index: int) -> Draft:
    number, size = divmod(index, len(_SIZES))
    n = _SIZES[size]
    here = stream.child("logicians").child(n)
    draws = here.child(number)
    world = opposites(here.child("solution"), n, number)
    names = tuple(draws.child("names").sample(NAMES, n))
    scene = drawn_scene(draws, world)
    solution = letters_of(world)
    metadata: dict[str, Any] = {
        "set": "logicians",
        "n": n,
        "terminology": "logicians",
        "terms": list(TERMS),
        "names": list(names),
        "lamps": list(LAMPS[: n + 1]),
        "notes": [notated(note, names) for note in scene.notes],
        "statements": [notated(said, names) for said in scene.said],
        "kinds": [said.kind for said in scene.said],
        "ask": "all",
        "solutions": [solution],
        "chained": scene.chained,
        "first": "truthful" if world[0] else "lying",
    }
    gold = answer((solution,), names, TERMS)
    return Draft(prompt(scene, names), None, gold, _key(scene), "logicians", metadata)


def _key(scene: Scene) -> str:
    """The same for scenes that differ only in the names of the lamps and in the order of the notes."""
    n = len(scene.said)
    forms = []
    for order in permutations(range(n, 2 * n + 1)):
        place = (*range(n), *order)
        notes, said = ([_placed(clause, place) for clause in clauses] for clauses in (scene.notes, scene.said))
        forms.append((said, sorted(notes)))
    return f"logicians-{n}-{blake2b(repr(min(forms)).encode(), digest_size=8).hexdigest()}"


def _placed(clause: Clause, place: tuple[int, ...]) -> tuple[str, tuple[tuple[int, bool], ...]]:
    facts = tuple((place[fact], holds) for fact, holds in zip(clause.facts, clause.holds, strict=True))
    return clause.kind, facts if clause.kind == "implication" else tuple(sorted(facts))


LOGICIANS = {
    "logicians": Plan(
        _make,
        Subset(
            rows=len(_SIZES) * _ROWS,
            description="3 to 5 speakers: logicians say what can be proved, politicians what can be neither proved nor "
            "disproved.",
            form=form_asked("all", 40),
            audit_target="first",
        ),
        check_scene,
    )
}
"""The one subset of the room."""
