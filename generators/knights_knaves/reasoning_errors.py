"""The kinds of error that people mark in replies, and those of them that a program can prove."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hansproof.generators.dataset import ErrorScheme, ProvenError
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.formula import Both, Formula, parse, table
from hansproof.generators.knights_knaves.puzzle import asks
from hansproof.generators.knights_knaves.quotation import QuotationReader, quotation
from hansproof.generators.knights_knaves.replies import conclusion, plain, read_identity, read_reply

__all__ = ["ERRORS"]

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
    ask = asks(item)
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
