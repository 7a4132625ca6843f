"""Reads the lines of a rendered explanation back to steps, and compares what they quote with the puzzle.

The counterpart of `explanation.render` that `explanation_check` uses: fixed sentences, quoted statements compared by
their truth tables, so that a line which misquotes a speaker is found even where the reasoning goes on soundly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from generators.item import Item
from generators.knights_knaves.explanation import Fact, Step
from generators.knights_knaves.formula import Knight, parse, table
from generators.knights_knaves.quotation import QuotationReader, listed

__all__ = ["ExplanationReader"]


class ExplanationReader:
    """Reads rendered lines back to steps, and compares what they quote with the puzzle."""

    def __init__(self, item: Item) -> None:
        self.item, self.names, terms = item, list(item.metadata["names"]), item.metadata["terms"]
        statements = [parse(text, self.names) for text in item.metadata["statements"]]
        self.tables = [table(one, len(self.names)) for one in statements]
        self.reader = QuotationReader(self.names, terms)
        name = "|".join(re.escape(one) for one in sorted(self.names, key=len, reverse=True))
        self.knight, knave = re.escape(terms[0]), re.escape(terms[1])
        fact = f"(?:{name}) is a (?:{self.knight}|{knave})"
        facts = f"{fact}(?:, {fact})*(?: and {fact})?"
        self.fact = re.compile(f"(?P<name>{name}) is a (?:(?P<knight>{self.knight})|{knave})")
        truth = "is true|is false|fits one case only"
        self.suppose = re.compile(f"Suppose (?P<fact>{fact})\\.")
        self.derive = re.compile(
            f"(?:Since (?P<since>{facts}), what|What) (?P<speaker>{name}) says (?P<truth>{truth}): "
            f'"(?P<quote>[^"]*)"\\. So (?P<fact>{fact})\\.'
        )
        self.contradict = re.compile(
            f"But (?:(?P<since>{facts}), while )?(?P<speaker>{name}) says: "
            '"(?P<quote>[^"]*)"\\. That is a contradiction\\.'
        )
        self.reject = re.compile(
            f"So (?P<name>{name}) is not a (?:{self.knight} but a (?P<knave>{knave})|{knave} but a {self.knight})\\."
        )

    def step(self, line: str) -> tuple[Step | None, str]:
        """The step that a line is and the fault of its wording; (None, "") for a line that is no step."""
        text = line.lstrip(" ")
        spaces = len(line) - len(text)
        depth = spaces // 2 if spaces % 2 == 0 else -1
        if match := self.suppose.fullmatch(text):
            character, knight = self._facts(match["fact"])[0]
            return Step("suppose", depth, character=character, knight=knight), ""
        if match := self.reject.fullmatch(text):
            return Step("reject", depth, character=self.names.index(match["name"]), knight=not match["knave"]), ""
        if text == "Everybody is settled now and every statement fits, so this is a solution.":
            return Step("found", depth), ""
        if text.startswith("To check: "):
            return Step("check", depth), self._check(text)
        if match := self.derive.fullmatch(text):
            character, knight = self._facts(match["fact"])[0]
            because, speaker = self._facts(match["since"] or ""), self.names.index(match["speaker"])
            fault = self._quote(match["quote"], speaker) or self._truth(match["truth"], speaker, because)
            return Step("derive", depth, speaker, because, character, knight), fault
        if match := self.contradict.fullmatch(text):
            because, speaker = self._facts(match["since"] or ""), self.names.index(match["speaker"])
            return Step("contradict", depth, speaker, because), self._quote(match["quote"], speaker)
        return None, ""

    def _facts(self, text: str) -> tuple[Fact, ...]:
        return tuple((self.names.index(match["name"]), bool(match["knight"])) for match in self.fact.finditer(text))

    def _quote(self, quote: str, speaker: int) -> str:
        read = self.reader.read(quote, speaker)
        if read is None or table(read, len(self.names)) != self.tables[speaker]:
            return f"does not quote what {self.names[speaker]} says"
        return ""

    def _truth(self, said: str, speaker: int, because: Sequence[Fact]) -> str:
        n = len(self.names)
        knight = table(Knight(speaker), n)
        every = (1 << (1 << n)) - 1
        left = every ^ knight ^ self.tables[speaker]
        for character, is_knight in because:
            left &= table(Knight(character), n) ^ (0 if is_knight else every)
        true, false = bool(left & self.tables[speaker]), bool(left & ~self.tables[speaker])
        right = {
            "is true": true and not false,
            "is false": false and not true,
            "fits one case only": true and false,
        }
        return "" if right[said] else "is wrong about whether the statement is true"

    def _check(self, text: str) -> str:
        worlds = self.item.metadata["solutions"]
        truth = {"K": "true", "N": "false"}
        told = [f"what {name} says is {truth[kind]}" for name, kind in zip(self.names, worlds[0] if worlds else "")]
        right = bool(told) and text == f"To check: {listed(told)}, as it must be."
        return "" if right else "is wrong about what is true"
