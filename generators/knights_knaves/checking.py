"""The second opinion on every gold answer: prompts read back from their English, and solved anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from itertools import product
from operator import and_
from typing import NamedTuple

from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.formula import (
    Clauses,
    Knight,
    clauses,
    letter,
    parse,
    relation,
    sat_solutions,
    solutions,
    table,
)

__all__ = ["check", "check_scene", "speeches"]

# Written from the texts, not from the code that writes them, so that the two can disagree.

_SPEECH = re.compile(r"(?P<who>[A-Z][a-z]*): (?P<text>[^`]+)\.")
_WHO = r"(?:I am|[A-Z][a-z]* is) a [a-z-]+"
_JOINED = (
    (re.compile(rf"If ({_WHO}), then ({_WHO})"), ">"),
    (re.compile(rf"Either ({_WHO}) or ({_WHO}), but not both"), "^"),
    (re.compile(rf"({_WHO}) if and only if ({_WHO})"), "="),
    (re.compile(rf"({_WHO}) and ({_WHO})"), "&"),
)
_ALTERNATIVE = re.compile(rf"If ({_WHO}), then ({_WHO}); otherwise, ({_WHO})")
_PARITY = re.compile(r"The number of ([a-z-]+)s among (\w+), (\w+) and (\w+) is (odd|even)")
_REPORT = re.compile(rf"([A-Z][a-z]*) would say that ({_WHO})")
_CLAIM = re.compile(r"(?:I am|([A-Z][a-z]*) is) a ([a-z-]+)")


def speeches(text: str) -> list[tuple[str, str]]:
    """(speaker, what they say without the full stop) for each line of a prompt on which somebody speaks."""
    return [(match["who"], match["text"]) for match in filter(None, map(_SPEECH.fullmatch, text.split("\n")))]


def read_prompt(text: str, terms: Sequence[str]) -> tuple[list[str], list[str]]:
    """The speakers in order, and what each says in the notation of `metadata["statements"]`.

    `terms` are the words for truth-tellers and liars. Raises InputError for a line that cannot be understood.
    """
    told = speeches(text)
    names = [who for who, _ in told]
    return names, [_statement(said, who, names, terms) for who, said in told]


def _statement(text: str, speaker: str, names: list[str], terms: Sequence[str]) -> str:
    for pattern, sign in _JOINED:
        if match := pattern.fullmatch(text):
            left, right = (_claim(part, speaker, names, terms) for part in match.groups())
            return f"({left} {sign} {right})"
    if match := _ALTERNATIVE.fullmatch(text):
        condition, then, otherwise = (_claim(part, speaker, names, terms) for part in match.groups())
        unlike = condition[1:] if condition.startswith("~") else f"~{condition}"
        return f"(({condition} > {then}) & ({unlike} > {otherwise}))"
    if match := _REPORT.fullmatch(text):
        return f"{_letter(match[1], names)}:({_claim(match[2], speaker, names, terms)})"
    if match := _PARITY.fullmatch(text):
        if match[1] not in terms:
            raise InputError(f"{match[1]!r} is neither {terms[0]!r} nor {terms[1]!r}", repr(text))
        first, second, third = (_letter(name, names) for name in match.groups()[1:4])
        # Of three characters, an odd number are knights exactly if an even number are knaves.
        odd = (match[5] == "odd") == (match[1] == terms[0])
        return f"{'' if odd else '~'}({first} ^ ({second} ^ {third}))"
    return _claim(text, speaker, names, terms)


def _claim(text: str, speaker: str, names: list[str], terms: Sequence[str]) -> str:
    match = _CLAIM.fullmatch(text)
    if not match or match[2] not in terms:
        raise InputError(f"cannot read {text!r} as something that {speaker} says about a {terms[0]} or a {terms[1]}")
    return ("~" if match[2] == terms[1] else "") + _letter(match[1] or speaker, names)


def _letter(name: str, names: list[str]) -> str:
    if name not in names:
        raise InputError(f"{name!r} is not one of the speakers: {', '.join(names)}")
    return letter(names.index(name))


# All worlds are tried; beyond 12 characters a SAT solver does.

_SIGNS = {"&": "conjunction", "^": "exclusive", ">": "implication", "=": "equivalence"}
_TABLES = 12  # characters up to which all worlds are tried


def check(item: Item) -> list[str]:
    """The faults of an item, in words: prompt, notation, solutions and answer must agree; empty where they do."""
    about = item.metadata
    names, terms, notations = about["names"], about["terms"], about["statements"]
    try:
        speakers, told = read_prompt(item.prompt, terms)
        if not len(names) == len(notations) == len(speakers) > 0:
            return [f"{len(names)} names, {len(notations)} statements, and {len(speakers)} speakers in the prompt"]
        if len(names) <= _TABLES:
            worlds = solutions([parse(text, names) for text in notations])
        else:
            worlds = sat_solutions(_clauses(notations), len(names))
    except InputError as error:
        return [str(error)]
    faults = []
    if speakers != names:
        faults.append(f"in the prompt {speakers} speak, not {names}")
    if told != notations:
        faults.append(f"the prompt says {told}, not {notations}")
    if worlds != about["solutions"]:
        faults.append(f"the solutions are {worlds}, not {about['solutions']}")
    known = {"n": len(names), "kinds": list(map(_kind, notations, range(len(names)))), **_known(worlds)}
    faults += [
        f"{key} is {about[key]!r}, not {known[key]!r}" for key in known if key in about and about[key] != known[key]
    ]
    gold = _answer(item, worlds)
    if gold != item.answer:
        faults.append(f"the answer is {gold!r}, not {item.answer!r}")
    return faults


def _known(worlds: list[str]) -> dict[str, object]:
    """What the metadata may say of the solutions beside listing them."""
    known: dict[str, object] = {"outcome": ("none", "one", "several")[min(len(worlds), 2)]}
    if len(worlds) == 1:
        known["first"] = "truthful" if worlds[0][0] == "K" else "lying"
    return known


def _kind(notation: str, speaker: int) -> str:
    """What kind of statement it is, by its notation."""
    if notation.startswith("(("):
        return "alternative"
    if "^ (" in notation:
        return "parity"
    if notation.startswith("("):
        return next((kind for sign, kind in _SIGNS.items() if f" {sign} " in notation), "")
    if ":" in notation:
        return "nested"
    return "self" if notation.lstrip("~") == letter(speaker) else "accusation"


def _answer(item: Item, worlds: list[str]) -> str:
    names, terms = item.metadata["names"], item.metadata["terms"]
    words = [[terms[0] if kind == "K" else terms[1] for kind in world] for world in worlds]
    if "asked" in item.metadata:
        return words[0][names.index(item.metadata["asked"])] if len(words) == 1 else ""
    if item.choices is not None:
        return "none" if not worlds else "one" if len(worlds) == 1 else "several"
    rows = ["; ".join(f"{name}: {word}" for name, word in zip(names, row, strict=True)) for row in words]
    return " | ".join(rows) if rows else "no solution"


def _clauses(notations: Sequence[str]) -> Clauses:
    """What each statement rules out, one clause per world of the characters that it concerns."""
    rules = (relation(f"({letter(speaker)} = {text})") for speaker, text in enumerate(notations))
    return [clause for scope, fits in rules for clause in clauses(scope, fits)]


# Puzzles about logicians and politicians: their notes and statements, from the English alone.

_NOTE = re.compile(r"[0-9]+\. (?P<text>[^`]+)\.")
_JOINTS = (
    (re.compile(r"if (.+), then (.+)"), ">"),
    (re.compile(r"either (.+) or (.+), but not both"), "^"),
    (re.compile(r"either (.+) or (.+), or both"), "|"),
    (re.compile(r"(.+) if and only if (.+)"), "="),
)
_LAMP = re.compile(r"the ([a-z]+) lamp is (on|off)")
_PERSON = re.compile(r"([A-Za-z][a-z]*) is a (logician|politician)")
_COLOURS = re.compile(r"an? ([a-z]+) one")


class Told(NamedTuple):
    """What a prompt tells, in the notation of the metadata."""

    names: list[str]
    lamps: list[str]
    notes: list[str]
    said: list[str]


def read_scene(text: str) -> Told:
    """Notes and statements of a prompt. Raises InputError for a line that cannot be understood."""
    parts = re.split(r"\n\n(?:Notes|Statements):\n|\n\nWho is a logician", text)
    if len(parts) != 4:
        raise InputError("has not one list of notes and one of statements", "prompt")
    lamps = _COLOURS.findall(parts[0])
    notes = [match["text"] for match in map(_NOTE.fullmatch, parts[1].split("\n")) if match]
    spoken = speeches(parts[2])
    names = [who for who, _ in spoken]
    known = {*names, *lamps}
    return Told(names, lamps, [_clause(note, known) for note in notes], [_clause(said, known) for _, said in spoken])


def _clause(text: str, known: set[str]) -> str:
    # A name stays as it is; "The", "If" and "Either" are written small within a sentence.
    lowered = text if _PERSON.match(text) else text[0].lower() + text[1:]
    for pattern, sign in _JOINTS:
        if match := pattern.fullmatch(lowered):
            return f"({_fact(match[1], known)} {sign} {_fact(match[2], known)})"
    return _fact(lowered, known)


def _fact(text: str, known: set[str]) -> str:
    match = _LAMP.fullmatch(text) or _PERSON.fullmatch(text)
    if not match or match[1] not in known:
        raise InputError(f"cannot read {text!r} as something about a lamp or a speaker", "prompt")
    return ("" if match[2] in ("on", "logician") else "~") + match[1]


_WORDS = ("logician", "politician")


def check_scene(item: Item) -> list[str]:
    """The faults of an item, in words; empty where prompt, notation, solution and answer agree."""
    about = item.metadata
    try:
        told = read_scene(item.prompt)
        worlds = scene_solutions(told)
    except InputError as error:
        return [str(error)]
    published = Told(about["names"], about["lamps"], about["notes"], about["statements"])
    faults = [
        f"the prompt has the {field} {read}, not {given}"
        for field, read, given in zip(Told._fields, told, published, strict=True)
        if read != given
    ]
    first = "truthful" if worlds and worlds[0].startswith("K") else "lying"
    for key, known in (("n", len(told.names)), ("terms", list(_WORDS)), ("first", first)):
        if about[key] != known:
            faults.append(f"{key} is {about[key]!r}, not {known!r}")
    if worlds != about["solutions"]:
        faults.append(f"the solutions are {worlds}, not {about['solutions']}")
    words = [[_WORDS["KN".index(kind)] for kind in world] for world in worlds]
    gold = " | ".join("; ".join(map("{}: {}".format, told.names, row)) for row in words)
    if gold != item.answer:
        faults.append(f"the answer is {gold!r}, not {item.answer!r}")
    return faults


def scene_solutions(told: Told) -> list[str]:
    """Every assignment in which logicians say what can be proved, and politicians what can be neither proved nor
    disproved, as strings of K (logician) and N, sorted. Raises InputError for a clause not in the notation."""
    facts = [*told.names, *told.lamps]
    tables = [[table(parse(text, facts), len(facts)) for text in texts] for texts in (told.notes, told.said)]
    notes = reduce(and_, tables[0], (1 << (1 << len(facts))) - 1)
    are = [table(Knight(place), len(facts)) for place in range(len(told.names))]
    fitting = []
    for world in product((True, False), repeat=len(told.names)):
        left = notes  # the cases that the premises leave, those of a statement before what its speaker is
        for knight, logician, said in zip(are, world, tables[1], strict=True):
            true, false = left & said, left & ~said
            if (not false) != logician or (not true and not logician):
                break
            left &= knight if logician else ~knight
        else:
            if left:
                fitting.append("".join("K" if logician else "N" for logician in world))
    return sorted(fitting)
