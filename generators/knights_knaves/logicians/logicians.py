"""The subset `logicians`: three to five speakers, notes about them and about lamps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import blake2b
from itertools import permutations, product
from typing import Any

from generators.dataset import Draft, Subset
from generators.item import Item
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
_ROWS = 512
"""Of each size: whole rounds of all solutions, and enough for the audit to rule a leak out."""


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
    # Lamps in the order of what is said of them; only those of which the same is said are tried in every order.
    alike: dict[tuple[str, ...], list[int]] = {}
    for lamp in range(n, 2 * n + 1):
        said = [f"{place} {_seen(clause, lamp, n)}" for place, clause in enumerate(scene.said)]
        alike.setdefault((*said, *sorted(_seen(note, lamp, n) for note in scene.notes)), []).append(lamp)
    orders = product(*(permutations(alike[told]) for told in sorted(alike)))
    form = min(_form(scene, [lamp for some in order for lamp in some]) for order in orders)
    return f"logicians-{n}-{blake2b(form.encode(), digest_size=8).hexdigest()}"


def _form(scene: Scene, lamps: list[int]) -> str:
    place = {speaker: speaker for speaker in range(len(scene.said))} | {lamp: 10 + k for k, lamp in enumerate(lamps)}
    said, notes = ([_placed(clause, place) for clause in clauses] for clauses in (scene.said, scene.notes))
    return "\n".join([*said, *sorted(notes)])


def _placed(clause: Clause, place: Mapping[int, int]) -> str:
    facts = [f"{'' if holds else '~'}{place[fact]}" for fact, holds in zip(clause.facts, clause.holds, strict=True)]
    return f"{clause.kind} {' '.join(facts if clause.kind == 'implication' else sorted(facts))}"


def _seen(clause: Clause, lamp: int, n: int) -> str:
    """A clause as it looks to one lamp: all others are alike."""
    return _placed(clause, {fact: 20 if fact == lamp else min(fact, n) for fact in clause.facts})


def _reasoning(item: Item) -> str:
    # Nothing else needs what explains a scene, so it is imported when the first one is explained.
    from generators.knights_knaves.logicians.explaining import explained_scene

    return explained_scene(item)


LOGICIANS = {
    "logicians": Plan(
        _make,
        Subset(
            rows=len(_SIZES) * _ROWS,
            description="3 to 5 speakers: logicians say what can be proved, politicians what can be neither proved nor "
            "disproved.",
            form=replace(form_asked("all"), name="identities of logicians", reasoning=_reasoning),
            audit_target="first",
        ),
        check_scene,
    )
}
"""The one subset of the room."""
