"""How replies to puzzles are read and scored, after TruthQuest (Mondorf & Plank 2024).

A puzzle is right only if every character is right; the share of characters that are right is a measure beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hansproof.generators.answering.scorer import ANSWER, BlindStrategy, Measure, MeasureKind, Reading, Score
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.blind import BLIND
from hansproof.generators.knights_knaves.puzzle import answer
from hansproof.generators.knights_knaves.replies import conclusion, read_identity, read_number, read_reply

__all__ = ["SCORER"]

CHARACTERS = "characters"
"""The measure of partly right answers."""
SWAPPED = "swapped"
"""The measure of answers that fit the matched puzzle instead."""


class PuzzleScorer:
    """Reads assignments, single characters and numbers of solutions; a reply without a clear answer is wrong."""

    measures: Mapping[str, MeasureKind] = {
        CHARACTERS: MeasureKind("share of the characters asked about whose identity is right"),
        SWAPPED: MeasureKind("share of puzzles that get the answer of their counterpart, which has another", "neither"),
    }
    readings: Mapping[str, str] = {}

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """See `blind.BLIND`."""
        return BLIND

    def read(self, item: Item, reply: str) -> Reading:
        """The assignments, the identity or the number that the reply has under its last heading `CONCLUSION:`.

        Without such a heading the whole reply is read, as it always was.

        Raises InputError where the metadata is not that of a puzzle.
        """
        return self._read(item, conclusion(reply))

    def _read(self, item: Item, reply: str) -> Reading:
        names, terms, _ = _puzzle(item)
        ask = item.metadata["ask"]
        if ask == "number":
            number = read_number(reply)
            if number:
                return Reading(number)
            return Reading(None, "no line is `none`, `one` or `several`" if reply.strip() else "the reply is empty")
        if ask == "one":
            identity = read_identity(reply, item.metadata["asked"], terms)
            if identity.kind == "unparsed":
                return Reading(None, identity.reason)
            return Reading(terms["KN".index(identity.solutions[0])])
        told = read_reply(reply, names, terms, several=ask == "open")
        if told.kind == "unparsed":
            return Reading(None, told.reason)
        if told.kind == "several" and not told.solutions:
            return Reading("several solutions")
        return Reading(answer(told.solutions, tuple(names), (terms[0], terms[1])))

    def score(self, item: Item, reading: Reading) -> Score:
        """Right where every character, every solution or the number is right. Raises InputError as `read` does."""
        _puzzle(item)
        characters = _characters(item)
        hits = _hits(item, reading.said) if characters and reading.said is not None else 0
        measures = {CHARACTERS: Measure(hits / characters, characters)} if characters else {}
        if "swapped_answer" in item.metadata:
            measures[SWAPPED] = Measure(float(reading.said == item.metadata["swapped_answer"]))
        if reading.said is None:
            return Score(False, reading.reason, measures)
        right = reading.said == item.answer
        return Score(right, "" if right else _wrong(reading.said, hits, characters), measures)

    def chance(self, item: Item) -> Mapping[str, float]:
        """2^-n for n characters, one half for each of them, 1/3 for a number; nothing for an open list of solutions."""
        characters = _characters(item)
        measures = {CHARACTERS: 0.5} if characters else {}
        if "swapped_answer" in item.metadata:
            measures[SWAPPED] = 0.5**characters
        if item.choices:
            return {ANSWER: 1 / len(item.choices), **measures}
        return {ANSWER: 0.5**characters, **measures} if characters else {}


SCORER = PuzzleScorer()
"""The one instance: it has no state."""


def _puzzle(item: Item) -> tuple[list[str], list[str], list[str]]:
    """Names, terms and solutions, checked so that the rest may rely on them."""
    data = item.metadata
    place = f"item {item.id!r}"
    missing = [key for key in ("names", "terms", "solutions", "n", "set") if key not in data]
    if missing:
        raise InputError(f"metadata lacks {', '.join(missing)}; is it an item of knights-knaves?", place)
    names, terms, solutions = list(data["names"]), list(data["terms"]), list(data["solutions"])
    wrong = [solution for solution in solutions if len(solution) != len(names) or set(solution) - {"K", "N"}]
    if data["n"] != len(names) or wrong:
        raise InputError("metadata: n, names and solutions do not fit each other", place)
    asked = data.get("asked")
    if asked is not None and len(solutions) != 1:
        raise InputError(f"asks about one character, but has {len(solutions)} solutions", place)
    if asked is not None and asked not in names:
        raise InputError(f"metadata.asked is {asked!r}, not one of {', '.join(names)}", place)
    return names, terms, solutions


def _characters(item: Item) -> int:
    """How many characters an item asks about; 0 where it asks for a number or for a list of solutions."""
    return {"all": int(item.metadata["n"]), "one": 1, "open": 0, "number": 0}[item.metadata["ask"]]


def _hits(item: Item, said: str) -> int:
    """Characters of a canonical answer that are those of the gold answer; none where it is no single assignment."""
    given, right = said.split("; "), (item.answer or "").split("; ")
    return sum(map(str.__eq__, given, right)) if len(given) == len(right) and " | " not in said else 0


def _wrong(said: str, hits: int, characters: int) -> str:
    if said == "no solution":
        return "says that there is no solution"
    if said == "several solutions":
        return "says that there are several solutions, but lists none"
    if " | " in said:
        return f"lists {said.count(' | ') + 1} solutions"
    if characters:
        return f"{hits} of {characters} characters are right" if characters > 1 else f"says {said}"
    return "gives one solution" if ": " in said else f"says {said}"
