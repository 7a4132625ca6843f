"""A second opinion on the text of explanations: each line is read back to its steps, and its words are checked."""

import re

import pytest

from hansproof.generators.knights_knaves.explaining import Step
from hansproof.generators.knights_knaves.formula import Knight, parse, table
from hansproof.generators.knights_knaves.reasoning_errors import QuotationReader


@pytest.fixture(scope="session")
def faults_of_text(judge_of):
    """(item, text) -> every fault of a worded explanation, `line 3: does not quote what A says`."""

    def faults_of(item, text):
        reader, judge = LineReader(item), judge_of(item)
        lines = text.split("\n")
        closing = closing_of(item, judge.solutions)
        faults = []
        if closing and lines[-1] == closing:
            lines.pop()
        elif closing:
            faults.append(f"line {len(lines)}: the closing is not {closing!r}")
        for number, line in enumerate(lines, 1):
            steps, wording = reader.steps(line)
            judged = [wording, *map(judge.step, steps)] if steps else ["is no line of an explanation"]
            faults += [f"line {number}: {fault}" for fault in judged if fault]
        fault = judge.step(Step("answer", worlds=tuple(judge.solutions)))
        return [*faults, *([f"line {len(lines) + 1}: {fault}"] if fault else [])]

    return faults_of


def closing_of(item, worlds):
    if len(worlds) == 1:
        return "So exactly one assignment fits." if item.choices and "several" in item.choices else ""
    if not worlds:
        return "So no assignment fits."
    return f"So {dict(enumerate(('two', 'three', 'four'), 2)).get(len(worlds), len(worlds))} assignments fit."


class LineReader:
    """Reads worded lines back to steps, and compares what they quote and claim with the puzzle."""

    def __init__(self, item):
        self.item, self.names, self.n = item, list(item.metadata["names"]), len(item.metadata["names"])
        self.terms = item.metadata["terms"]
        k, self.knave = self.terms
        statements = [parse(text, self.names) for text in item.metadata["statements"]]
        self.tables = [table(said, self.n) for said in statements]
        self.reader = QuotationReader(self.names, item.metadata["terms"])
        name = "(?:" + "|".join(sorted(self.names, key=len, reverse=True)) + ")"
        what = f"a (?:{k}|{self.knave})"
        fact, must = f"{name} is {what}", f"{name} must be {what}"
        facts, musts = (f"{said}(?:, {said})*(?: and {said})?" for said in (fact, must))
        who, truth, quote = f"(?P<speaker>{name})", "(?P<truth>true|false)", '"(?P<quote>[^"]*)"'
        since, either = f"(?P<since>{facts})", f"whether {name} is a {k} or a {self.knave}"
        self.fact = re.compile(f"({name}) (?:is|must be) a ({k}|{self.knave})")
        self.forms = [(kind, re.compile(form)) for kind, form in (
            ("suppose", f"Suppose (?P<told>{fact})\\."),
            ("reject", f"So (?P<who>{name}) is not (?P<old>{what}) but (?P<new>{what})\\."),
            ("found", f"Every statement fits, so one solution is: (?P<told>{facts})\\."),
            ("check", "This fits: .*"),
            ("own", f"(?P<own>{fact}), so what {who} says is {truth}: {quote} So (?P<told>{facts})\\."),
            ("own", f"(?P<own>{fact}), so what {who} says is {truth}: {quote} Since {since}, (?P<told>{musts})\\."),
            ("settled", f"(?:Since {since}, w|W)hat {who} says is {truth}(?P<case> in any case)?: {quote} "
                        f"So (?P<told>{fact})\\."),
            ("would", f"(?:Since {since}, w|W)hat {who} says would be {truth} if (?P<other>{name} were {what}): "
                      f"{quote} So (?P<told>{fact})\\."),
            ("only", f"(?:Since {since}, )?{who} could say this only if (?P<if>{facts}), {either}: {quote} "
                     f"So (?P<told>{facts})\\."),
            ("clash", f"But (?P<own>{fact}), so what {who} says must be {truth}: {quote} It is (?P<is>true|false)"
                      f"(?:, since {since}|(?P<case> in any case))\\. That is a contradiction\\."),
            ("nobody", f"But (?:since {since}, )?{who} could not say this, {either}: {quote} "
                       "That is a contradiction\\."),
        )]  # fmt: skip

    def steps(self, line):
        """(the steps that a line is, the fault of its wording); ([], "") for a line that is no step."""
        text = line.lstrip(" ")
        spaces = len(line) - len(text)
        depth = spaces // 2 if spaces % 2 == 0 else -1
        for kind, form in self.forms:
            if match := form.fullmatch(text):
                return self.read(kind, {"since": "", "own": "", "told": "", **match.groupdict("")}, depth, text)
        return [], ""

    def read(self, kind, part, depth, text):
        told = self.facts(part["told"])
        if kind == "suppose":
            return [Step("suppose", depth, character=told[0][0], knight=told[0][1])], ""
        if kind == "reject":
            knight, fault = part["new"] != f"a {self.knave}", "rejects and keeps the same"
            step = Step("reject", depth, character=self.names.index(part["who"]), knight=knight)
            return [step], fault if part["old"] == part["new"] else ""
        if kind == "found":
            world = "".join("K" if knight else "N" for _, knight in told)
            fault = "" if [who for who, _ in told] == list(range(self.n)) else "does not name everybody in order"
            return [Step("found", depth, worlds=(world,))], fault
        if kind == "check":
            return [Step("check", depth)], "" if text == self.fitting() else "is wrong about what is true"
        speaker, own, since = self.names.index(part["speaker"]), self.facts(part["own"]), self.facts(part["since"])
        because = (*own, *(fact for fact in since if fact not in own))
        fault = self.quoted(part["quote"], speaker) or self.worded(kind, part, speaker, own, since, told, text)
        if kind in ("clash", "nobody"):
            return [Step("contradict", depth, speaker, because)], fault
        return [Step("derive", depth, speaker, because, *fact) for fact in told], fault

    def facts(self, text):
        return tuple((self.names.index(who), what != self.knave) for who, what in self.fact.findall(text))

    def quoted(self, quote, speaker):
        read = self.reader.read(quote, speaker)
        same = read is not None and table(read, self.n) == self.tables[speaker]
        return "" if same else f"does not quote what {self.names[speaker]} says"

    def worded(self, kind, part, speaker, own, since, told, text):
        """What is wrong with the words around the quotation."""
        who, true = self.names[speaker], part.get("truth") == "true"
        if (own and own[0][0] != speaker) or text.count(f"whether {who} is") != (kind in ("only", "nobody")):
            return "speaks of another speaker"
        if kind in ("settled", "clash") and bool(part["case"]) == bool(since):
            return "gives reasons for what is so in any case, or none"
        if kind == "would":
            right = told == ((speaker, true),) and part["other"] == f"{who} were a {self.terms[true]}"
        elif kind == "only":
            right = self.facts(part["if"]) == told
        elif kind == "clash":
            right = (
                own[0][1] is true and (part["is"] == "true") is not true and self.truths(speaker, since) == {not true}
            )
        else:
            right = {"own": own and own[0][1] is true, "settled": self.truths(speaker, since) == {true}}.get(kind, True)
        return "" if right else "is wrong about whether the statement is true"

    def truths(self, speaker, facts):
        worlds = (1 << (1 << self.n)) - 1
        for character, knight in facts:
            known = table(Knight(character), self.n)
            worlds &= known if knight else ~known
        true = self.tables[speaker]
        return {value for value, left in ((True, true), (False, ~true)) if worlds & left}

    def fitting(self):
        world = (self.item.metadata["solutions"] or [""])[0]
        parts = []
        for kind, truth in (("K", "true"), ("N", "false")):
            names = [name for name, solved in zip(self.names, world) if solved == kind]
            if names:
                listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
                parts.append(f"what {listed} {'say' if names[1:] else 'says'} is {truth}")
        return f"This fits: {', and '.join(parts)}."
