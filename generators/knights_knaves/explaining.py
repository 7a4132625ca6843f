"""Worked solutions of puzzles, step by step and in English, and the forms of answer that ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from hansproof.generators.dataset import AnswerForm
from hansproof.generators.errors import UsageError
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.checking import speeches
from hansproof.generators.knights_knaves.formula import (
    Formula,
    Knight,
    constraint_table,
    mentioned,
    parse,
    solutions,
    table,
)
from hansproof.generators.knights_knaves.puzzle import SENTINEL, Ask
from hansproof.generators.knights_knaves.reasoning_errors import listed, literal

__all__ = ["FORMS"]

# The tests verify steps and text by truth tables, without this module's search.

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


# One line per step, indented by the suppositions that are open; statements are quoted as the prompt words them.

_NUMBERS = {2: "two", 3: "three", 4: "four"}


def explained(item: Item) -> str:
    """The reasoning that leads to an item's answer, without the answer itself. Raises as `explain` does."""
    return render(explain(item), item)


def render(steps: Sequence[Step], item: Item) -> str:
    """The steps as lines of text, two spaces of indentation per open supposition."""
    narrator = _Narrator(item)
    # What one statement says of several characters, for the same reasons, is said in one breath.
    grouped = groupby(enumerate(steps), lambda pair: _breath(*pair))
    lines = [narrator.line([step for _, step in group]) for _, group in grouped]
    return "\n".join(line for line in lines if line.strip())


def _breath(place: int, step: Step) -> tuple[object, ...]:
    if step.kind != "derive" or step.character == step.speaker:
        return (place,)
    return (step.depth, step.speaker, step.because)


class _Narrator:
    def __init__(self, item: Item) -> None:
        self.item, self.names, self.terms = item, item.metadata["names"], item.metadata["terms"]
        self.n = len(self.names)
        self.statements = [parse(text, self.names) for text in item.metadata["statements"]]
        self.quotes = [f'"{said}."' for _, said in speeches(item.prompt)]

    def line(self, steps: Sequence[Step]) -> str:
        first = steps[0]
        return "  " * first.depth + self.sentence(first, [(step.character, step.knight) for step in steps])

    def sentence(self, step: Step, facts: Sequence[Fact]) -> str:
        if step.kind == "suppose":
            return f"Suppose {self.said(facts)}."
        if step.kind == "derive":
            return self.derived(step, facts)
        if step.kind == "contradict":
            return self.contradicted(step)
        if step.kind == "reject":
            right, wrong = (self.terms[kind] for kind in ((0, 1) if step.knight else (1, 0)))
            return f"So {self.names[step.character]} is not a {wrong} but a {right}."
        if step.kind == "found":
            world = [(character, kind == "K") for character, kind in enumerate(step.worlds[0])]
            return f"Every statement fits, so one solution is: {self.said(world)}."
        if step.kind == "check":
            return self.checked(self.item.metadata["solutions"][0])
        return self.closing(len(step.worlds))

    def derived(self, step: Step, facts: Sequence[Fact]) -> str:
        speaker, quote = self.names[step.speaker], self.quotes[step.speaker]
        own, others = _parted(step)
        if own is not None:
            so = f"Since {self.said(others)}, {self.said(facts, 'must be')}" if others else f"So {self.said(facts)}"
            return f"{self.said([own])}, so what {speaker} says is {_truth(own[1])}: {quote} {so}."
        since = f"Since {self.said(others)}, w" if others else "W"
        if step.character != step.speaker:
            since = f"Since {self.said(others)}, " if others else ""
            told = self.said(facts)
            return f"{since}{speaker} could say this only if {told}, {self.either(speaker)}: {quote} So {told}."
        truth = self.settled(step.speaker, others)
        if truth is not None:
            case = "" if others else " in any case"
            return f"{since}hat {speaker} says is {_truth(truth)}{case}: {quote} So {self.said(facts)}."
        other = self.terms[1 if step.knight else 0]
        would = f"would be {_truth(step.knight)} if {speaker} were a {other}"
        return f"{since}hat {speaker} says {would}: {quote} So {self.said(facts)}."

    def contradicted(self, step: Step) -> str:
        speaker, quote = self.names[step.speaker], self.quotes[step.speaker]
        own, others = _parted(step)
        if own is None:
            since = f"since {self.said(others)}, " if others else ""
            return f"But {since}{speaker} could not say this, {self.either(speaker)}: {quote} That is a contradiction."
        because = others if self.settled(step.speaker, others) is not None else [own, *others]
        told = f"what {speaker} says must be {_truth(own[1])}: {quote}"
        how = f"It is {_truth(not own[1])}{f', since {self.said(because)}' if because else ' in any case'}."
        return f"But {self.said([own])}, so {told} {how} That is a contradiction."

    def checked(self, world: str) -> str:
        parts = []
        for kind, truth in (("K", "true"), ("N", "false")):
            names = [name for name, identity in zip(self.names, world, strict=True) if identity == kind]
            if names:
                parts.append(f"what {listed(names)} {'says' if len(names) == 1 else 'say'} is {truth}")
        return f"This fits: {', and '.join(parts)}."

    def closing(self, solutions: int) -> str:
        if solutions == 0:
            return "So no assignment fits."
        if solutions == 1:
            return "So exactly one assignment fits." if self.item.metadata["ask"] == "number" else ""
        return f"So {_NUMBERS.get(solutions, solutions)} assignments fit."

    def said(self, facts: Sequence[Fact], verb: str = "is") -> str:
        return listed([literal(*fact, self.names, self.terms, verb) for fact in facts])

    def either(self, speaker: str) -> str:
        return f"whether {speaker} is a {self.terms[0]} or a {self.terms[1]}"

    def settled(self, speaker: int, facts: Sequence[Fact]) -> bool | None:
        """Whether the facts alone make what the speaker says true, or false; None where they do neither."""
        left = (1 << (1 << self.n)) - 1
        for character, knight in facts:
            known = table(Knight(character), self.n)
            left &= known if knight else ~known
        true = table(self.statements[speaker], self.n)
        if not left & ~true:
            return True
        return None if left & true else False


def _parted(step: Step) -> tuple[Fact | None, list[Fact]]:
    """What is known of the speaker, and the other facts used."""
    own = next((fact for fact in step.because if fact[0] == step.speaker), None)
    return own, [fact for fact in step.because if fact[0] != step.speaker]


def _truth(true: bool) -> str:
    return "true" if true else "false"


_EXPLAINED = 12
"""Characters up to which a puzzle makes an example with reasoning; beyond, explanations run to hundreds of lines."""


def _reasoning(item: Item) -> str:
    return explained(item) if len(item.metadata["names"]) <= _EXPLAINED else ""


def _lines(item: Item) -> str:
    """The gold answer as a prompt wants it: one line per character, a blank line between solutions."""
    return _headed((item.answer or "").replace(" | ", "\n\n").replace("; ", "\n"))


def _headed(lines: str) -> str:
    return f"{SENTINEL}\n{lines}"


def _headed_by(item: Item, line: str) -> str:
    """A request for the heading and what stands below it."""
    truthful, lying = item.metadata["terms"]
    who = item.metadata.get("asked", "NAME")
    line = line.format(f"`{who}: {truthful}` or `{who}: {lying}`")
    return f"Answer with the heading `{SENTINEL}` and, below it, one {line}"


_EACH = "line for each character, {}, in the order of the puzzle"

FORMS: Mapping[Ask, AnswerForm] = {
    "all": AnswerForm("identities", lambda item: _headed_by(item, f"{_EACH}, and nothing else."), _lines, _reasoning),
    "open": AnswerForm(
        "solutions",
        lambda item: _headed_by(
            item,
            f"{_EACH}. If several assignments fit, give the lines of each, with an empty line between them; if none "
            "fits, write `no solution`. Write nothing else.",
        ),
        _lines,
        _reasoning,
    ),
    "one": AnswerForm(
        "identity",
        lambda item: _headed_by(item, "line, {}, and nothing else."),
        lambda item: _headed(f"{item.metadata['asked']}: {item.answer}"),
        _reasoning,
        closed=True,
    ),
    "number": AnswerForm(
        "number of solutions",
        lambda item: _headed_by(item, "word, `none`, `one` or `several`, and nothing else."),
        lambda item: _headed(item.answer or ""),
        _reasoning,
        closed=True,
    ),
}
"""What is asked -> the form of its answer."""
