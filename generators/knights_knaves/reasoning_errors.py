"""The errors in replies that a program can prove, and the English of statements that replies quote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hansproof.generators.dataset import ErrorScheme, ProvenError
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.formula import Both, Formula, Knight, Not, Says, parse, table
from hansproof.generators.knights_knaves.replies import conclusion, plain, read_identity, read_reply

__all__ = ["ERRORS", "listed", "literal"]

# Independent of the generator. A sentence that is not understood for certain is None, never a guess.

_SENTENCE = 400  # characters of a sentence; reading tries every "and", so the time must be bounded


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
        cleaned = plain(text[: 2 * _SENTENCE])
        if len(text) > 2 * _SENTENCE or len(cleaned) > _SENTENCE:
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


# Two of the six categories of Mondorf and Plank (2024); the others need a reader. An error is reported only where a
# line cannot be meant otherwise, so the counts are lower bounds. SR needs a speaker, a verb of saying and a whole
# sentence that `quotation` understands; leaving out a part is no error as long as what is kept follows from the
# statement. UF needs a line that opens a conclusion with `so`, `therefore`, `hence` or `thus`, outside any supposition.

_LONGEST = 2000  # characters; longer lines are no sentences
_MOST = 12  # characters of a puzzle; truth tables of more are too long to compare line by line
_SAYS = r"(?:says|said|states|stated|claims|claimed|asserts|asserted|tells us|told us)"
_SUPPOSITION = re.compile(r"\b(?:suppos\w*|assum\w*|if|would|case|scenario|option|hypothe\w*|consider|let|try|say)\b")
_CLOSING = re.compile(r"\b(?:contradict\w*|impossible|inconsistent|cannot be|can't be)\b")
_SENTENCE_END = re.compile(r"[.;!?]|, (?:so|which|but|because|hence|thus|therefore)\b")
_HEDGE = re.compile(
    r"\b(?:if|would|suppos\w*|assum\w*|unless|when|whether|could|might|may|imagine|neither|nobody|not|n't|never)\b|\?"
)
_THEREFORE = r"(?:so|therefore|hence|thus|we conclude that|this means(?: that)?)"


def proven_errors(item: Item, reply: str) -> list[ProvenError]:
    """The SR and UF errors of a reply, in the order of its lines; [] where none can be proved, which proves nothing.

    `reply` is the whole reply, reasoning and answer; the time is linear in its length. SR is looked for in puzzles of
    up to 12 characters, and not in those about logicians. Raises InputError for an item that is not a puzzle and for
    statements not in the notation.
    """
    missing = [key for key in ("names", "terms", "statements", "solutions") if key not in item.metadata]
    if missing:
        raise InputError(f"metadata lacks {', '.join(missing)}; is it an item of knights-knaves?", f"item {item.id!r}")
    names, terms = item.metadata["names"], item.metadata["terms"]
    about_lamps = "notes" in item.metadata  # logicians and politicians: sentences about lamps are not understood
    statements = [] if about_lamps else [parse(text, names) for text in item.metadata["statements"]]
    lines = reply.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept = [line if len(line) <= _LONGEST else "" for line in lines]
    errors = [*_reproductions(kept, statements, names, terms)] if statements and len(names) <= _MOST else []
    answer = _answer(item, "\n".join(lines))
    if answer:
        errors += _unfaithful(kept, answer, names, terms)
    return sorted(errors, key=lambda error: (error.line, error.category))


def _reproductions(
    lines: Sequence[str], statements: Sequence[Formula], names: Sequence[str], terms: Sequence[str]
) -> Iterator[ProvenError]:
    """Quotations that do not follow from what the speaker said."""
    reader = QuotationReader(names, terms)
    tables = [table(said, len(names)) for said in statements]
    places = {plain(name): place for place, name in enumerate(names)}
    name = "|".join(re.escape(known) for known in sorted(places, key=len, reverse=True))
    opening = re.compile(f"(?<![\\w'-])(?P<name>{name}) {_SAYS}(?: that)? ?:? ?(?P<mark>[\"“«]?)")
    for number, line in enumerate(lines, start=1):
        for name, quoted, marked in _quotations(plain(line), opening):
            speaker = places[name]
            read = reader.read(quoted, speaker)
            # "A says B lies and C does not": without quotation marks, nobody knows where A's words end.
            if read is not None and not marked and isinstance(read, Both) and read.sign == "&":
                read = read.left
            if read is not None and tables[speaker] & ~table(read, len(names)):
                told = quotation(statements[speaker], names, terms)
                yield ProvenError("SR", number, f"{names[speaker]} says: {told}")


def _quotations(line: str, opening: re.Pattern[str]) -> Iterator[tuple[str, str, bool]]:
    """(speaker, quoted words, whether in quotation marks) of each `A says ...` in a plain line."""
    matches = list(opening.finditer(line))
    for place, match in enumerate(matches):
        before = re.split(r"[.;:!]", line[: match.start()])[-1]
        # "B would say that A says", "if A said": these do not report what A said.
        if _HEDGE.search(before) or re.search(rf"\b{_SAYS}\b", before) or re.search(r"\bsay\b", before):
            continue
        rest = line[match.end() : matches[place + 1].start() if place + 1 < len(matches) else len(line)]
        if match["mark"]:
            end = re.search(r"[\"”»]", rest)
            if end:
                yield match["name"], rest[: end.start()], True
        else:
            yield match["name"], _SENTENCE_END.split(rest)[0], False


def _answer(item: Item, reply: str) -> tuple[dict[str, str], int] | None:
    """The identities that the reply ends with and the line where they end; None where it does not give them."""
    names, terms = item.metadata["names"], item.metadata["terms"]
    ask = item.metadata["ask"]
    if ask == "number":
        return None
    under = conclusion(reply)
    above = reply[: len(reply) - len(under)].count("\n")
    told = read_identity(under, item.metadata["asked"], terms) if ask == "one" else read_reply(under, names, terms)
    return (told.identities, above + told.line) if told.identities is not None else None


def _unfaithful(
    lines: Sequence[str], answer: tuple[dict[str, str], int], names: Sequence[str], terms: Sequence[str]
) -> Iterator[ProvenError]:
    """Characters whose last conclusion before the answer, outside every supposition, is not what the answer says."""
    identities, end = answer
    name = "|".join(re.escape(plain(known)) for known in sorted(names, key=len, reverse=True))
    knight, knave = (re.escape(plain(term)) for term in terms)
    fact = f"(?P<name>{name}) (?:is|must be|has to be) (?P<no>not )?an? (?:(?P<knight>{knight})|{knave})"
    concluded = re.compile(f"(?:[-*•] ?)?{_THEREFORE},? {fact}[.!]?")
    mention = re.compile(f"(?<![\\w'-])(?P<name>{name})(?![\\w'-])")
    known_as = {plain(known): known for known in names}
    derived: dict[str, tuple[bool, int]] = {}
    open_cases, closable = 0, False
    for number, line in enumerate(lines[: max(0, end - len(identities))], start=1):
        text = plain(line)
        match = concluded.fullmatch(text)
        # Whatever is said about a character later may revise what was concluded before.
        for mentioned in mention.finditer(text):
            derived.pop(known_as[mentioned["name"]], None)
        if match and not open_cases:
            derived[known_as[match["name"]]] = bool(match["knight"]) != bool(match["no"]), number
        if match:
            closable = True
        elif _CLOSING.search(text):
            # A contradiction stated twice closes one supposition, not also the one around it.
            open_cases -= closable and open_cases > 0
            closable = False
        elif _SUPPOSITION.search(text):
            open_cases, closable = open_cases + 1, True
    for who, (is_knight, number) in derived.items():
        term = terms[0] if is_knight else terms[1]
        if who in identities and identities[who] != term:
            yield ProvenError("UF", number, f"the answer on line {end} says {who}: {identities[who]}")


ERRORS = ErrorScheme(
    categories={
        "SR": "false statement reproduction: quotes a statement that differs from the one in the puzzle",
        "TS": "assuming statements to be true: takes what a character says as fact",
        "TL": "misunderstanding truth and lies: lets a truth-teller lie, or a liar tell the truth",
        "LO": "misunderstanding logical operators: uses and, or, if, if and only if, or not wrongly",
        "UC": "unjustified conclusion: concludes something that nothing before it supports",
        "UF": "unfaithfulness: gives an answer that differs from the conclusion of the reasoning",
    },
    prove=proven_errors,
)
"""The six categories of the paper. SR and UF can be proved where the wording leaves no doubt."""
