"""The steps that solve a puzzle: note what follows; where nothing follows, suppose something and refute it.

`explanation_text` words them. The tests verify steps and text by truth tables, without this module's search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from generators.errors import UsageError
from generators.item import Item
from generators.knights_knaves.formula import Formula, Knight, constraint_table, mentioned, parse, solutions, table

__all__ = ["Fact", "Step", "explain"]

_MOST = 12  # characters; the search tries suppositions within suppositions

Fact = tuple[int, bool]
"""A character and whether it is a knight."""


@dataclass(frozen=True)
class Step:
    """One line of an explanation. Fields that the kind does not use keep their defaults."""

    kind: Literal["suppose", "derive", "contradict", "reject", "found", "check", "answer"]
    depth: int = 0
    """How many suppositions are open around it."""
    speaker: int = -1
    """The character whose statement is used (derive, contradict)."""
    because: tuple[Fact, ...] = ()
    """The known facts that are used with it."""
    character: int = -1
    """The character that is supposed or shown (suppose, derive, reject) to be ..."""
    knight: bool = False
    """... a knight or a knave."""
    worlds: tuple[str, ...] = ()
    """All solutions (answer), or the one that is found (found)."""


class _Solver:
    def __init__(self, statements: Sequence[Formula]) -> None:
        self.n = n = len(statements)
        self.tables = [constraint_table(speaker, said, n) for speaker, said in enumerate(statements)]
        self.scopes = [tuple(dict.fromkeys((*mentioned(said), speaker))) for speaker, said in enumerate(statements)]
        self.knights = [table(Knight(character), n) for character in range(n)]
        self.every = (1 << (1 << n)) - 1

    def fact(self, fact: Fact) -> int:
        return self.knights[fact[0]] if fact[1] else self.every ^ self.knights[fact[0]]

    def narrowed(self, speaker: int, facts: Sequence[Fact]) -> int:
        left = self.tables[speaker]
        for fact in facts:
            left &= self.fact(fact)
        return left

    def propagated(self, known: dict[int, bool]) -> tuple[list[Step], bool]:
        """Everything that follows from single statements, added to `known`; and whether it ends in a contradiction."""
        steps: list[Step] = []
        grown = True
        while grown:
            grown = False
            for speaker in range(self.n):
                facts = [(character, known[character]) for character in self.scopes[speaker] if character in known]
                left = self.narrowed(speaker, facts)
                if not left:
                    steps.append(Step("contradict", speaker=speaker, because=self.needed(speaker, facts, self.every)))
                    return steps, True
                for character in self.scopes[speaker]:
                    for knight in (True, False):
                        against = self.fact((character, not knight))
                        if character not in known and not left & against:
                            because = self.needed(speaker, facts, against)
                            steps.append(Step("derive", 0, speaker, because, character, knight))
                            known[character] = knight
                            grown = True
        return steps, False

    def needed(self, speaker: int, facts: Sequence[Fact], against: int) -> tuple[Fact, ...]:
        """Facts that suffice and are all needed; what the speaker is is dropped last."""
        kept = list(facts)
        for fact in sorted(facts, key=lambda fact: fact[0] == speaker):
            fewer = [other for other in kept if other != fact]
            if not self.narrowed(speaker, fewer) & against:
                kept = fewer
        return tuple(sorted(kept, key=lambda fact: (fact[0] != speaker, fact[0])))

    def refuted(self, known: dict[int, bool], deeper: int) -> list[Step] | None:
        """A short way from `known` to a contradiction, with at most `deeper` suppositions open at once."""
        known = dict(known)
        steps, closed = self.propagated(known)
        while not closed:
            more = self.excluded(known, deeper, {})
            if more is None:
                return None
            steps += more
            known[more[-1].character] = more[-1].knight
            further, closed = self.propagated(known)
            steps += further
        return _used(steps)

    def excluded(self, known: dict[int, bool], deeper: int, true: dict[int, bool]) -> list[Step] | None:
        """A supposition, its refutation and what that shows; never one that is `true`. None: there is none."""
        best: list[Step] | None = None
        for character in range(self.n):
            for knight in (True, False):
                if deeper == 0 or character in known or true.get(character) is knight:
                    continue
                inner = self.refuted({**known, character: knight}, deeper - 1)
                if inner and (best is None or len(inner) + 2 < len(best)):
                    supposed = Step("suppose", character=character, knight=knight)
                    learnt = Step("reject", character=character, knight=not knight)
                    best = [supposed, *_inner(inner), learnt]
        return best

    def unique(self, world: str) -> list[Step]:
        known: dict[int, bool] = {}
        steps, _ = self.propagated(known)
        true = {character: kind == "K" for character, kind in enumerate(world)}
        while len(known) < self.n:
            ways = (self.excluded(known, deeper, true) for deeper in range(1, self.n + 1))
            more = next(way for way in ways if way)
            steps += more
            known[more[-1].character] = more[-1].knight
            steps += self.propagated(known)[0]
        return [*steps, Step("check")]

    def none(self) -> list[Step]:
        ways = (self.refuted({}, deeper) for deeper in range(self.n + 1))
        return next(way for way in ways if way)

    def cases(self, known: dict[int, bool]) -> tuple[list[Step], bool]:
        """Every solution that `known` leaves, case by case; and whether there was none."""
        steps, closed = self.propagated(known)
        if closed:
            return steps, True
        if len(known) == self.n:
            world = "".join("K" if known[character] else "N" for character in range(self.n))
            return [*steps, Step("found", worlds=(world,))], False
        character = next(place for place in range(self.n) if place not in known)
        empty = []
        for knight in (True, False):
            inner, closed = self.cases({**known, character: knight})
            steps += [Step("suppose", character=character, knight=knight), *_inner(inner)]
            empty.append(closed)
            if closed:
                steps.append(Step("reject", character=character, knight=not knight))
                known[character] = not knight
                if not empty[0]:
                    break  # the first case holds, and was followed to its end
                more, closed = self.cases(known)
                return steps + more, closed
        return steps, False


def _used(steps: Sequence[Step]) -> list[Step]:
    """A refutation without the derivations that no later step uses."""
    kept: list[Step] = []
    wanted: set[int] = set()
    for step in reversed(steps):
        if step.kind != "derive" or step.character in wanted:
            wanted.update(character for character, _ in step.because)
            kept.append(step)
    return kept[::-1]


def _inner(steps: Sequence[Step]) -> list[Step]:
    return [replace(step, depth=step.depth + 1) for step in steps]


def explain(item: Item) -> list[Step]:
    """The steps that solve a puzzle, the last of which is its answer; always the same for the same item.

    A single solution is derived and checked, several are found case by case, and that there is none is shown by a
    contradiction. Raises UsageError for more than 12 characters, InputError for statements not in the notation.
    """
    names = item.metadata["names"]
    if len(names) > _MOST:
        raise UsageError(f"item {item.id!r} has {len(names)} characters; explanations go up to {_MOST}")
    statements = [parse(text, names) for text in item.metadata["statements"]]
    worlds = solutions(statements)
    solver = _Solver(statements)
    if not worlds:
        steps = solver.none()
    elif len(worlds) == 1:
        steps = solver.unique(worlds[0])
    else:
        steps, _ = solver.cases({})
    return [*steps, Step("answer", worlds=tuple(worlds))]
