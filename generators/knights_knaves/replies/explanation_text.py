"""Explanations in English: the steps of `explanation` as worked reasoning that can stand in a prompt.

One line per step, indented by the suppositions that are open. Statements are quoted as the prompt words them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from generators.item import Item
from generators.knights_knaves.formula import Knight, parse, table
from generators.knights_knaves.prompt_reading import speeches
from generators.knights_knaves.puzzles.asked import asks
from generators.knights_knaves.replies.explanation import Fact, Step, explain
from generators.knights_knaves.replies.quotation import listed, literal

__all__ = ["explained", "render"]

_NUMBERS = {2: "two", 3: "three", 4: "four"}


def explained(item: Item) -> str:
    """The reasoning that leads to an item's answer, without the answer itself. Raises as `explanation.explain` does."""
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
            return f"Every statement fits, so one solution is: {self.said(_facts(step.worlds[0]))}."
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
            return "So exactly one assignment fits." if asks(self.item) == "number" else ""
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


def _facts(world: str) -> list[Fact]:
    return [(character, kind == "K") for character, kind in enumerate(world)]


def _truth(true: bool) -> str:
    return "true" if true else "false"
