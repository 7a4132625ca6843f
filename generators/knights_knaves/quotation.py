"""Statements in English: what a formula says, and which formula a quoted sentence is.

Error labels read the sentences that a reply quotes, and quote what was really said. Independent of the generator.
A sentence that is not understood for certain is None, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hansproof.generators.knights_knaves.formula import Both, Formula, Knight, Not, Says
from hansproof.generators.knights_knaves.replies import plain

__all__ = ["QuotationReader", "listed", "literal", "quotation"]

_LONGEST = 400  # characters of a sentence; reading tries every "and", so the time must be bounded


def literal(character: int, knight: bool, names: Sequence[str], terms: Sequence[str], verb: str = "is") -> str:
    """`A is a knight`."""
    return f"{names[character]} {verb} a {terms[0] if knight else terms[1]}"


def listed(parts: Sequence[str]) -> str:
    """`a, b and c`."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def quotation(formula: Formula, names: Sequence[str], terms: Sequence[str]) -> str:
    """The formula in English, without a full stop; compound parts are put in square brackets."""
    if isinstance(formula, Knight):
        return literal(formula.character, True, names, terms)
    if isinstance(formula, Not):
        if isinstance(formula.inner, Knight):
            return literal(formula.inner.character, False, names, terms)
        return f"it is not the case that {_part(formula.inner, names, terms)}"
    if isinstance(formula, Says):
        return f"{names[formula.character]} would say that {_part(formula.inner, names, terms)}"
    left, right = _part(formula.left, names, terms), _part(formula.right, names, terms)
    return {
        "&": f"{left} and {right}",
        "|": f"{left} or {right}, or both",
        "^": f"either {left} or {right}, but not both",
        ">": f"if {left}, then {right}",
        "=": f"{left} if and only if {right}",
    }[formula.sign]


def _part(formula: Formula, names: Sequence[str], terms: Sequence[str]) -> str:
    text = quotation(formula, names, terms)
    plain_part = isinstance(formula, Knight) or (isinstance(formula, Not) and isinstance(formula.inner, Knight))
    return text if plain_part else f"[{text}]"


class QuotationReader:
    """Reads sentences about `names` in the words `terms` = (word for a knight, word for a knave)."""

    def __init__(self, names: Sequence[str], terms: Sequence[str]) -> None:
        self._places = {plain(name): place for place, name in enumerate(names)}
        name = "|".join(re.escape(known) for known in sorted(self._places, key=len, reverse=True))
        knight, knave = (re.escape(plain(term)) for term in terms)
        self._literal = re.compile(
            f"(?:(?P<name>{name}) is|(?P<me>i am|i'm)) (?P<no>not )?an? (?:(?P<k>{knight})|{knave})"
        )
        self._two = re.compile(f"(?:both )?(?P<a>{name}) and (?P<b>{name}) are (?:both )?(?:(?P<k>{knight})|{knave})s")
        self._parity = re.compile(
            f"the number of (?:(?P<k>{knight})|{knave})s among (?P<a>{name}), (?P<b>{name}),? and (?P<c>{name}) is "
            "(?P<odd>odd|even)"
        )
        self._would = re.compile(f"(?P<name>{name}) would (?:say|claim) (?:that )?")

    def read(self, text: str, speaker: int | None = None) -> Formula | None:
        """The formula that a sentence states, `I` being the speaker; None where it is not understood for certain."""
        cleaned = plain(text[: 2 * _LONGEST])
        if len(text) > 2 * _LONGEST or len(cleaned) > _LONGEST:
            return None
        return self._formula(cleaned.strip(" .,;!\"'“”"), speaker, 0)

    def _formula(self, text: str, speaker: int | None, depth: int) -> Formula | None:
        text = text.strip()
        if depth > 8:
            return None
        if text.startswith("[") and _closing(text) == len(text) - 1:
            return self._formula(text[1:-1], speaker, depth + 1)
        if simple := self._simple(text, speaker):
            return simple
        if match := self._would.match(text):
            rest = text[match.end() :]
            # "B would say that X and Y" has two readings, unless there are brackets.
            inner = self._simple(rest, speaker) or (
                self._formula(rest, speaker, depth + 1) if rest[:1] == "[" and _closing(rest) == len(rest) - 1 else None
            )
            return Says(self._places[match["name"]], inner) if inner else None
        for lead in ("it is not the case that [", "it is not true that ["):
            if text.startswith(lead) and _closing(text[len(lead) - 1 :]) == len(text) - len(lead):
                inner = self._formula(text[len(lead) : -1], speaker, depth + 1)
                return Not(inner) if inner else None
        return self._joined(text, speaker, depth)

    def _joined(self, text: str, speaker: int | None, depth: int) -> Formula | None:
        if text.startswith("if "):
            if "; otherwise" in text:
                return self._alternative(text[3:], speaker)
            for joint in (", then ", " then ", ", "):
                if implication := self._split(text[3:], joint, ">", speaker, depth):
                    return implication
            return None
        if text.startswith("either "):
            if text.endswith("but not both"):
                return self._split(text[7:-12].rstrip(" ,"), " or ", "^", speaker, depth)
            # The end may have been cut off: take the inclusive or, which either reading implies.
            return self._split(text[7:], " or ", "|", speaker, depth)
        if text.endswith("or both"):
            return self._split(text[:-7].rstrip(" ,"), " or ", "|", speaker, depth)
        if text.endswith("but not both"):
            return self._split(text[:-12].rstrip(" ,"), " or ", "^", speaker, depth)
        for joint, sign in ((" if and only if ", "="), (" iff ", "="), (" or ", "|"), (" and ", "&")):
            if joined := self._split(text, joint, sign, speaker, depth):
                return joined
        return None

    def _alternative(self, text: str, speaker: int | None) -> Formula | None:
        """`if A is a knight, then B is a knight; otherwise, C is a knight`, without the `if`."""
        first, _, last = text.partition("; otherwise")
        condition, _, then = first.partition(", then ")
        parts = [self._simple(part.strip(" ,"), speaker) for part in (condition, then, last)]
        if None in parts:
            return None
        held, right, wrong = (part for part in parts if part is not None)
        unlike = held.inner if isinstance(held, Not) else Not(held)
        return Both("&", Both(">", held, right), Both(">", unlike, wrong))

    def _split(self, text: str, joint: str, sign: str, speaker: int | None, depth: int) -> Formula | None:
        """Both parts must be simple or bracketed: anything looser could be grouped in two ways."""
        place = text.find(joint)
        while place >= 0:
            parts = text[:place].rstrip(" ,"), text[place + len(joint) :]
            left, right = (self._closed(part, speaker, depth) for part in parts)
            if left and right:
                return Both(sign, left, right)
            place = text.find(joint, place + 1)
        return None

    def _closed(self, text: str, speaker: int | None, depth: int) -> Formula | None:
        text = text.strip()
        if text.startswith("["):
            return self._formula(text, speaker, depth + 1) if _closing(text) == len(text) - 1 else None
        return self._simple(text, speaker)

    def _simple(self, text: str, speaker: int | None) -> Formula | None:
        if match := self._literal.fullmatch(text):
            character = self._places[match["name"]] if match["name"] else speaker
            if character is None:
                return None
            knight = bool(match["k"]) != bool(match["no"])
            return Knight(character) if knight else Not(Knight(character))
        if match := self._two.fullmatch(text):
            pair = [Knight(self._places[match["a"]]), Knight(self._places[match["b"]])]
            return Both("&", *pair) if match["k"] else Both("&", Not(pair[0]), Not(pair[1]))
        match = self._parity.fullmatch(text)
        if not match or len({match["a"], match["b"], match["c"]}) < 3:
            return None
        first, second, third = (Knight(self._places[match[group]]) for group in "abc")
        said = Both("^", first, Both("^", second, third))
        return said if (match["odd"] == "odd") == bool(match["k"]) else Not(said)


def _closing(text: str) -> int:
    """Where the bracket that opens `text` is closed; -1 where it is not."""
    depth = 0
    for place, mark in enumerate(text):
        depth += (mark == "[") - (mark == "]")
        if depth == 0:
            return place
    return -1
