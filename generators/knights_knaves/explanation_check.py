"""Verifies explanations line by line: does each line follow from the puzzle and from the lines before it?

Takes the steps of an explanation, or any text in the form in which `explanation.render` writes it, and judges them
by truth tables alone. It shares the record of a step with the search, and none of its reasoning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from generators.item import Item
from generators.knights_knaves.explanation import Fact, Step
from generators.knights_knaves.explanation_lines import ExplanationReader
from generators.knights_knaves.formula import Knight, constraint_table, parse, solutions, table
from generators.knights_knaves.score import score

__all__ = ["faults_of_steps", "faults_of_text"]


@dataclass
class _Frame:
    """What holds within one supposition, or at the outermost level."""

    facts: dict[int, bool]
    supposed: Fact | None = None
    state: str = "open"
    """open, contradicted, or exhausted: every case below it has been followed to its end."""
    due: Fact | None = None
    """The other case, which must be supposed or rejected next, because the first one holds a solution."""
    worlds: list[str] = field(default_factory=list)


class _Judge:
    """Follows the steps one by one; every method gives the fault of a step, or "" where it is sound."""

    def __init__(self, item: Item) -> None:
        names = item.metadata["names"]
        statements = [parse(text, names) for text in item.metadata["statements"]]
        self.n = n = len(names)
        self.constraints = [constraint_table(i, one, n) for i, one in enumerate(statements)]
        self.knights = [table(Knight(character), n) for character in range(n)]
        self.solutions = solutions(statements)
        self.frames = [_Frame({})]
        self.checked = self.answered = False

    def step(self, step: Step) -> str:
        if self.answered:
            return "stands after the answer"
        if not all(0 <= one < self.n for one in self._characters(step)):
            return "names a character that the puzzle does not have"
        if step.kind == "reject":
            return self._reject(step)
        fault = self._return_to(step.depth)
        if fault:
            return fault
        top = self.frames[-1]
        if step.kind == "answer":
            return self._answer(step, top)
        if top.state != "open":
            return "goes on after the case was closed"
        if top.due and (step.kind != "suppose" or (step.character, step.knight) != top.due):
            return "leaves out the other case"
        if step.kind == "suppose":
            return self._suppose(step, top)
        if step.kind == "derive":
            return self._derive(step, top)
        if step.kind == "contradict":
            return self._contradict(step, top)
        return self._whole(step, top)

    def _characters(self, step: Step) -> list[int]:
        uses_speaker, uses_character = (
            step.kind in ("derive", "contradict"),
            step.kind in ("suppose", "derive", "reject"),
        )
        own = [step.speaker] * uses_speaker + [step.character] * uses_character
        return own + [character for character, _ in step.because]

    def _return_to(self, depth: int) -> str:
        """Leave the cases that have been followed to a solution."""
        while len(self.frames) - 1 > max(depth, 0) and self.frames[-1].state == "exhausted":
            done, outer = self.frames.pop(), self.frames[-1]
            assert done.supposed is not None
            outer.worlds += done.worlds
            if outer.due == done.supposed:
                outer.due, outer.state = None, "exhausted"
            else:
                outer.due = (done.supposed[0], not done.supposed[1])
        here = len(self.frames) - 1
        return "" if here == depth else f"stands at depth {depth}, where {here} suppositions are open"

    def _suppose(self, step: Step, top: _Frame) -> str:
        if step.character in top.facts:
            return "supposes what is settled"
        fact = (step.character, step.knight)
        self.frames.append(_Frame({**top.facts, step.character: step.knight}, fact))
        return ""

    def _unknown(self, step: Step, top: _Frame) -> str:
        strange = [fact for fact in step.because if top.facts.get(fact[0]) is not fact[1]]
        return "uses what is not known there" if strange else ""

    def _left(self, step: Step) -> int:
        """The worlds that the speaker's statement and the facts used leave."""
        left = self.constraints[step.speaker]
        for character, knight in step.because:
            left &= self.knights[character] if knight else ~self.knights[character]
        return left

    def _derive(self, step: Step, top: _Frame) -> str:
        if fault := self._unknown(step, top):
            return fault
        left = self._left(step)
        knights = self.knights[step.character]
        if left & (~knights if step.knight else knights):
            return "does not follow"
        if not left:
            return "derives something from a contradiction"
        if step.character in top.facts:
            return "derives what is settled"
        top.facts[step.character] = step.knight
        return ""

    def _contradict(self, step: Step, top: _Frame) -> str:
        if fault := self._unknown(step, top):
            return fault
        if self._left(step):
            return "is no contradiction"
        top.state = "contradicted"
        return ""

    def _reject(self, step: Step) -> str:
        top = self.frames[-1]
        if top.supposed is None or top.state != "contradicted":
            return "rejects a supposition that was not led to a contradiction"
        if top.supposed != (step.character, not step.knight):
            return "rejects another supposition than the last one"
        if step.depth != len(self.frames) - 2:
            return f"stands at depth {step.depth}, not at that of its supposition"
        self.frames.pop()
        outer = self.frames[-1]
        outer.facts[step.character] = step.knight
        if outer.due:  # the case that holds was followed before
            outer.due, outer.state = None, "exhausted"
        return ""

    def _whole(self, step: Step, top: _Frame) -> str:
        """A solution is reached: of one case (found), or of the puzzle (check)."""
        world = "".join("K" if top.facts.get(character) else "N" for character in range(self.n))
        if len(top.facts) < self.n:
            return "comes before everybody is settled"
        if world not in self.solutions:
            return "calls a solution what is none"
        if step.kind == "check":
            if len(self.frames) > 1:
                return "checks within a supposition"
            self.checked = True
            return ""
        if step.worlds not in ((), (world,)):
            return "names another solution than the one found"
        top.state = "exhausted"
        top.worlds.append(world)
        return ""

    def _answer(self, step: Step, top: _Frame) -> str:
        self.answered = True
        if top.due or (top.state == "open" and (len(top.facts) < self.n or not self.checked)):
            return "answers before the end"
        derived = top.worlds
        if top.state == "open":
            derived = ["".join("K" if top.facts[character] else "N" for character in range(self.n))]
        if sorted(step.worlds) != sorted(derived) or sorted(step.worlds) != sorted(self.solutions):
            return "answers otherwise than the steps and the puzzle do"
        return ""


def faults_of_steps(item: Item, steps: Sequence[Step]) -> list[str]:
    """Every fault of an explanation, `step 3: does not follow`; [] where it is sound and complete.

    Only the first fault can be trusted: what comes after it stands on it. Raises InputError for statements that
    are not of the notation or more than 16 characters.
    """
    judge = _Judge(item)
    faults = [f"step {number}: {fault}" for number, step in enumerate(steps, 1) if (fault := judge.step(step))]
    return faults if judge.answered else [*faults, "the explanation ends without an answer"]


def faults_of_text(item: Item, text: str) -> list[str]:
    """Every fault of a rendered explanation, `line 3: does not follow`; [] where it is sound and complete.

    The lines are read back, their quotations compared with the puzzle, the steps judged as by `faults_of_steps`;
    all that follows the last step is the answer, which must be right as `score` reads it. Raises as that does.
    """
    reader, judge = ExplanationReader(item), _Judge(item)
    lines = text.split("\n")
    found = [reader.step(line) for line in lines]
    last = max((place for place, (step, _) in enumerate(found) if step), default=-1)
    faults = []
    for number, (step, wording) in enumerate(found[: last + 1], 1):
        fault = judge.step(step) if step else "is not a line of an explanation"
        faults += [f"line {number}: {one}" for one in (wording, fault) if one]
    fault = judge.step(Step("answer", worlds=tuple(judge.solutions)))
    result = score(item, "\n".join(lines[last + 1 :]))
    wrong = "" if result.right else f"the answer is wrong: {result.reason}"
    return [*faults, *(f"line {last + 2}: {one}" for one in (fault, wrong) if one)]
