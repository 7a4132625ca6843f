"""Step-by-step explanations: what follows is noted, and where nothing follows somebody is supposed to be a knight.

Built from an item's statements, rendered as text that can stand in a prompt as worked reasoning and ends with the
answer that the item asks for. `explanation_check` verifies both the steps and the text without this module's search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from generators.errors import UsageError
from generators.item import Item
from generators.knights_knaves.formula import (
    Formula,
    Knight,
    constraint_table,
    mentioned,
    parse,
    solutions,
    table,
)
from generators.knights_knaves.quotation import listed, literal, quotation

__all__ = ["Fact", "Step", "explain", "render"]

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
    """Whose statement is used (derive, contradict)."""
    because: tuple[Fact, ...] = ()
    """The facts in force that are used beside it."""
    character: int = -1
    """Who is supposed, derived or rejected to be ..."""
    knight: bool = False
    """... a knight or a knave."""
    worlds: tuple[str, ...] = ()
    """The solutions, for answer; the one that is found, for found."""


class _Solver:
    def __init__(self, statements: Sequence[Formula]) -> None:
        self.n = n = len(statements)
        self.tables = [constraint_table(speaker, one, n) for speaker, one in enumerate(statements)]
        self.scopes = [tuple(dict.fromkeys((*mentioned(one), i))) for i, one in enumerate(statements)]
        self.knights = [table(Knight(character), n) for character in range(n)]
        self.every = (1 << (1 << n)) - 1

    def fact(self, fact: Fact) -> int:
        return self.knights[fact[0]] if fact[1] else self.every ^ self.knights[fact[0]]

    def narrowed(self, speaker: int, facts: Sequence[Fact]) -> int:
        found = self.tables[speaker]
        for fact in facts:
            found &= self.fact(fact)
        return found

    def propagated(self, known: dict[int, bool]) -> tuple[list[Step], bool]:
        """All that single statements give, added to `known`; and whether that ends in a contradiction."""
        steps: list[Step] = []
        grown = True
        while grown:
            grown = False
            for speaker in range(self.n):
                facts = [(one, known[one]) for one in self.scopes[speaker] if one in known]
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
        """Facts that suffice, none of which can be spared; the speaker's own nature stays longest."""
        kept = list(facts)
        for fact in sorted(facts, key=lambda one: one[0] == speaker):
            fewer = [one for one in kept if one != fact]
            if not self.narrowed(speaker, fewer) & against:
                kept = fewer
        return tuple(sorted(kept, key=lambda one: (one[0] != speaker, one[0])))

    def refuted(self, known: dict[int, bool], deeper: int) -> list[Step] | None:
        """The shortest way found from `known` to a contradiction with at most `deeper` suppositions at once."""
        known = dict(known)
        steps, closed = self.propagated(known)
        while not closed:
            more = self.excluded(known, deeper, {})
            if more is None:
                return None
            steps += more
            known[more[-1].character] = more[-1].knight
            found, closed = self.propagated(known)
            steps += found
        return _used(steps)

    def excluded(self, known: dict[int, bool], deeper: int, true: dict[int, bool]) -> list[Step] | None:
        """A supposition, its refutation and what is learnt; never one of what is `true`. None: nothing found."""
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
        """Every solution that `known` leaves, by cases; and whether there was none."""
        steps, closed = self.propagated(known)
        if closed:
            return steps, True
        if len(known) == self.n:
            world = "".join("K" if known[character] else "N" for character in range(self.n))
            return [*steps, Step("found", worlds=(world,))], False
        character = next(one for one in range(self.n) if one not in known)
        empty = []
        for knight in (True, False):
            inner, closed = self.cases({**known, character: knight})
            steps += [Step("suppose", character=character, knight=knight), *_inner(inner)]
            empty.append(closed)
            if closed:
                steps.append(Step("reject", character=character, knight=not knight))
                known[character] = not knight
                if not empty[0]:
                    break  # the second case: the first one holds, and was followed to its end
                more, closed = self.cases(known)
                return steps + more, closed
        return steps, False


def _used(steps: Sequence[Step]) -> list[Step]:
    """A refutation without the derivations that nothing after them uses."""
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
    """The steps that solve a puzzle, the last one its answer; the same for the same item.

    One solution is derived and checked, no solution is shown by a contradiction, several are found by cases.
    Raises UsageError for more than 12 characters, InputError for statements that are not of the notation.
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


def render(steps: Sequence[Step], item: Item) -> str:
    """The steps as text, two spaces of indentation a supposition, ending with the answer in the form asked for."""
    names, terms = item.metadata["names"], item.metadata["terms"]
    statements = [parse(text, names) for text in item.metadata["statements"]]
    return "\n".join("  " * step.depth + _line(step, item, statements, names, terms) for step in steps) + "\n"


def _line(step: Step, item: Item, statements: Sequence[Formula], names: Sequence[str], terms: Sequence[str]) -> str:
    def said(character: int, knight: bool) -> str:
        return literal(character, knight, names, terms)

    facts = listed([said(*fact) for fact in step.because]) if step.because else ""
    if step.kind == "suppose":
        return f"Suppose {said(step.character, step.knight)}."
    if step.kind == "reject":
        words = (terms[1], terms[0]) if step.knight else (terms[0], terms[1])
        return f"So {names[step.character]} is not a {words[0]} but a {words[1]}."
    if step.kind == "found":
        return "Everybody is settled now and every statement fits, so this is a solution."
    if step.kind == "check":
        found = {True: "true", False: "false"}
        kinds = _solution(item)
        told = [f"what {name} says is {found[kind == 'K']}" for name, kind in zip(names, kinds)]
        return f"To check: {listed(told)}, as it must be."
    if step.kind == "answer":
        return _answer(step, item, names, terms)
    speaker, quoted = names[step.speaker], quotation(statements[step.speaker], names, terms)
    if step.kind == "contradict":
        return f'But {facts + ", while " if facts else ""}{speaker} says: "{quoted}". That is a contradiction.'
    truth = _truth(step, statements[step.speaker], len(names))
    since = f"Since {facts}, what" if facts else "What"
    return f'{since} {speaker} says {truth}: "{quoted}". So {said(step.character, step.knight)}.'


def _truth(step: Step, statement: Formula, n: int) -> str:
    """Whether the statement is known to be true or false once the facts used are given."""
    left = constraint_table(step.speaker, statement, n)
    for character, knight in step.because:
        known = table(Knight(character), n)
        left &= known if knight else ~known
    true = table(statement, n)
    if not left & ~true:
        return "is true"
    return "fits one case only" if left & true else "is false"


def _solution(item: Item) -> str:
    return str(item.metadata["solutions"][0])


def _answer(step: Step, item: Item, names: Sequence[str], terms: Sequence[str]) -> str:
    if item.choices and "several" in item.choices:
        return ("none", "one", "several")[min(len(step.worlds), 2)]
    blocks = [[f"{name}: {terms['KN'.index(kind)]}" for name, kind in zip(names, world)] for world in step.worlds]
    asked = item.metadata.get("asked")
    if asked is not None:
        return blocks[0][list(names).index(asked)]
    return "\n\n".join("\n".join(block) for block in blocks) or "no solution"
