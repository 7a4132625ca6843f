"""A second opinion on the steps of explanations: does each follow from the puzzle and from what went before?

It uses truth tables alone, and shares nothing with the search that makes explanations but the record of a step.
"""

from dataclasses import dataclass, field

import pytest

from hansproof.generators.knights_knaves.formula import Knight, constraint_table, parse, solutions, table


@pytest.fixture(scope="session")
def judge_of():
    """item -> a judge whose `step` gives the fault of each step in turn."""
    return Judge


@pytest.fixture(scope="session")
def faults_of_steps():
    """(item, steps) -> every fault, `step 3: does not follow`; only the first can be trusted."""

    def faults_of(item, steps):
        judge = Judge(item)
        faults = [f"step {number}: {fault}" for number, step in enumerate(steps, 1) if (fault := judge.step(step))]
        return faults if judge.answered else [*faults, "the explanation ends without an answer"]

    return faults_of


@dataclass
class Frame:
    """What holds within one supposition, or at the outermost level."""

    facts: dict
    supposed: tuple = None
    state: str = "open"  # open, contradicted, or exhausted: every case below it has been followed to its end
    due: tuple = None  # the other case, to be supposed or rejected next, because the first one holds a solution
    worlds: list = field(default_factory=list)


class Judge:
    """Follows the steps one by one; every method gives the fault of a step, or "" where it is sound."""

    def __init__(self, item):
        names = item.metadata["names"]
        statements = [parse(text, names) for text in item.metadata["statements"]]
        self.n = n = len(names)
        self.constraints = [constraint_table(speaker, said, n) for speaker, said in enumerate(statements)]
        self.knights = [table(Knight(character), n) for character in range(n)]
        self.solutions = solutions(statements)
        self.frames = [Frame({})]
        self.checked = self.answered = False

    def step(self, step):
        if self.answered:
            return "stands after the answer"
        speakers = [step.speaker] * (step.kind in ("derive", "contradict"))
        characters = [step.character] * (step.kind in ("suppose", "derive", "reject"))
        if not all(0 <= place < self.n for place in (*speakers, *characters, *(who for who, _ in step.because))):
            return "names a character that the puzzle does not have"
        if step.kind == "reject":
            return self.reject(step)
        if fault := self.return_to(step.depth):
            return fault
        top = self.frames[-1]
        if step.kind == "answer":
            return self.answer(step, top)
        if top.state != "open":
            return "goes on after the case was closed"
        if top.due and (step.kind != "suppose" or (step.character, step.knight) != top.due):
            return "leaves out the other case"
        judged = {"suppose": self.suppose, "derive": self.derive, "contradict": self.contradict}
        return judged.get(step.kind, self.whole)(step, top)

    def return_to(self, depth):
        """Leave the cases that have been followed to a solution."""
        while len(self.frames) - 1 > max(depth, 0) and self.frames[-1].state == "exhausted":
            done, outer = self.frames.pop(), self.frames[-1]
            outer.worlds += done.worlds
            if outer.due == done.supposed:
                outer.due, outer.state = None, "exhausted"
            else:
                outer.due = (done.supposed[0], not done.supposed[1])
        here = len(self.frames) - 1
        return "" if here == depth else f"stands at depth {depth}, where {here} suppositions are open"

    def suppose(self, step, top):
        if step.character in top.facts:
            return "supposes what is settled"
        fact = (step.character, step.knight)
        self.frames.append(Frame({**top.facts, step.character: step.knight}, fact))
        return ""

    def left(self, step):
        """The worlds that the speaker's statement and the facts used leave."""
        left = self.constraints[step.speaker]
        for character, knight in step.because:
            left &= self.knights[character] if knight else ~self.knights[character]
        return left

    def derive(self, step, top):
        if any(top.facts.get(who) is not knight for who, knight in step.because):
            return "uses what is not known there"
        left, knights = self.left(step), self.knights[step.character]
        if left & (~knights if step.knight else knights):
            return "does not follow"
        if not left:
            return "derives something from a contradiction"
        if step.character in top.facts:
            return "derives what is settled"
        top.facts[step.character] = step.knight
        return ""

    def contradict(self, step, top):
        if any(top.facts.get(who) is not knight for who, knight in step.because):
            return "uses what is not known there"
        if self.left(step):
            return "is no contradiction"
        top.state = "contradicted"
        return ""

    def reject(self, step):
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

    def whole(self, step, top):
        """A solution is reached: of one case (found), or of the puzzle (check)."""
        world = "".join("K" if top.facts.get(character) else "N" for character in range(self.n))
        if len(top.facts) < self.n:
            return "comes before everybody is settled"
        if world not in self.solutions:
            return "calls a solution what is none"
        if step.kind == "check":
            self.checked = len(self.frames) == 1
            return "" if self.checked else "checks within a supposition"
        if step.worlds != (world,):
            return "names another solution than the one found"
        top.state = "exhausted"
        top.worlds.append(world)
        return ""

    def answer(self, step, top):
        self.answered = True
        if top.due or (top.state == "open" and (len(top.facts) < self.n or not self.checked)):
            return "answers before the end"
        derived = top.worlds
        if top.state == "open":
            derived = ["".join("K" if top.facts[character] else "N" for character in range(self.n))]
        if sorted(step.worlds) != sorted(derived) or sorted(step.worlds) != sorted(self.solutions):
            return "answers otherwise than the steps and the puzzle do"
        return ""
