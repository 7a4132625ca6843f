"""The subset `logicians`: three to five speakers, notes about them and about lamps, and worked reasoning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import groupby, permutations, product
from typing import Any, NamedTuple

from hansproof.generators.dataset import Draft, Subset
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.checking import check_scene
from hansproof.generators.knights_knaves.explaining import FORMS
from hansproof.generators.knights_knaves.formula import Formula, Not, holds, mentioned, parse, table
from hansproof.generators.knights_knaves.planted import letters_of, opposites
from hansproof.generators.knights_knaves.puzzle import NAMES, Plan, answer
from hansproof.generators.knights_knaves.quotation import listed
from hansproof.generators.knights_knaves.scenes import LAMPS, TERMS, Clause, Scene, drawn_scene, notated, prompt
from hansproof.generators.stream import Stream

__all__ = ["LOGICIANS"]

# What a logician says is proved by contradiction. A note joins two facts, and so does the denial of a statement; where
# such rules cannot all hold, some fact fails both ways by one rule after the other (Aspvall, Plass and Tarjan 1979), so
# no proof supposes anything within anything else. For a politician two cases are shown in which all notes hold: in the
# one the statement is true, in the other it is false.

_Fact = tuple[int, bool]
"""A speaker or a lamp, and whether it is a logician, or on."""


class _Rule(NamedTuple):
    """A note, or the denial of a statement."""

    source: str
    """How a conclusion from it begins: `by note 3, since`."""
    facts: tuple[int, ...]
    allowed: tuple[tuple[bool, ...], ...]

    def settled(self, at: int, given: Mapping[int, bool]) -> bool | None:
        """What its fact at a place must be, if the others are as `given` says; None where it may be either."""
        left = {case[at] for case in self.allowed if all(given.get(f, v) == v for f, v in zip(self.facts, case))}
        return left.pop() if len(left) == 1 else None


class _Step(NamedTuple):
    rule: _Rule
    given: _Fact | None
    """What it is used with; None where the rule settles the fact alone."""
    shown: _Fact


def explained_scene(item: Item) -> str:
    """The reasoning that leads to an item's answer, without the answer itself; some three to fifteen lines a speaker.

    Raises InputError for notes and statements not in the notation.
    """
    about = item.metadata
    quotes = [line.partition(": ")[2] for line in item.prompt.partition("\n\nStatements:\n")[2].split("\n")]
    return "\n".join(_Scene(about["names"], about["lamps"], about["notes"], about["statements"]).lines(quotes))


class _Scene:
    def __init__(self, names: Sequence[str], lamps: Sequence[str], notes: Sequence[str], said: Sequence[str]) -> None:
        self.names, self.facts = names, [*names, *lamps]
        formulas = [parse(note, self.facts) for note in notes]
        self.said = [parse(text, self.facts) for text in said]
        self.notes = [self._rule(note, f"by note {number}, since") for number, note in enumerate(formulas, start=1)]
        self.premises = -1
        for note in formulas:
            self.premises &= table(note, len(self.facts))

    def _rule(self, formula: Formula, source: str) -> _Rule:
        facts = mentioned(formula)
        cases = product((True, False), repeat=len(facts))
        return _Rule(
            source, facts, tuple(case for case in cases if holds(formula, dict(zip(facts, case, strict=True))))
        )

    def lines(self, quotes: Sequence[str]) -> Iterator[str]:
        """One paragraph of lines a speaker."""
        earlier: dict[int, bool] = {}
        for place, name in enumerate(self.names):
            yield f'{name} says: "{quotes[place]}"'
            # Bit v of a case says whether fact v holds; the earlier speakers are what they are.
            fixed, rest = sum(1 << fact for fact, holds in earlier.items() if holds), len(self.facts) - len(earlier)
            cases = (fixed | case << len(earlier) for case in range(1 << rest))
            fits = [case for case in cases if self.premises >> case & 1]
            truths = table(self.said[place], len(self.facts))
            false = [case for case in fits if not truths >> case & 1]
            if false:
                yield from self._undecided(place, [case for case in fits if truths >> case & 1], false)
            else:
                yield from self._proved(place, earlier)
            earlier[place] = not false

    def _undecided(self, place: int, true: Sequence[int], false: Sequence[int]) -> Iterator[str]:
        """Two cases that differ in as few facts as any two do."""
        name = self.names[place]
        left, right = min(product(true, false), key=lambda pair: (pair[0] ^ pair[1]).bit_count())
        for also, case, truth in (("", left, "true"), (" also", right, "false")):
            told = [self._worded((fact, bool(case >> fact & 1))) for fact in range(place, len(self.facts))]
            yield f"All notes{also} hold if {listed(told)}. Then what {name} says is {truth}."
        yield f"So it can be neither proved nor disproved: {name} is a politician."

    def _proved(self, place: int, earlier: Mapping[int, bool]) -> Iterator[str]:
        name = self.names[place]
        denial = self._rule(Not(self.said[place]), f"since what {name} says is supposed to be false and")
        rules = [denial, *self.notes]
        yield f"Suppose that what {name} says is false."
        steps, clash = _followed(rules, earlier)
        if clash:
            yield from self._told(_used(steps), "  ", clash=True)
        else:
            known = {**earlier, **dict(step.shown for step in steps)}
            fact, yes, no = self._split(rules, known)
            wanted = [part for step in (*yes, *no) for part in (step.given, step.shown) if part]
            yield from self._told(_used(steps, wanted), "  ")
            yield f"  Suppose that {self._worded((fact, True))}."
            yield from self._told(yes, "    ", clash=True)
            yield f"  So {self._worded((fact, False))}."
            yield from self._told(no, "  ", clash=True)
        yield f"So what {name} says can be proved: {name} is a logician."

    def _split(self, rules: Sequence[_Rule], known: Mapping[int, bool]) -> tuple[int, list[_Step], list[_Step]]:
        """A fact that fails both ways, and how, in as few steps as any does."""
        ways = []
        for fact in range(len(self.facts)):
            if fact not in known:
                (yes, first), (no, second) = (_followed(rules, {**known, fact: value}) for value in (True, False))
                if first and second:
                    ways.append((fact, _used(yes), _used(no)))
        return min(ways, key=lambda way: len(way[1]) + len(way[2]))

    def _told(self, steps: Sequence[_Step], indent: str, clash: bool = False) -> Iterator[str]:
        """The steps in words; the last one is a contradiction if there is a `clash`."""
        plain, last = (steps[:-1], steps[-1:]) if clash else (steps, [])
        for alone, some in groupby(plain, lambda step: step.given is None):
            if alone:
                yield f"{indent}Then {listed([self._worded(step.shown) for step in some])}."
            else:
                for step in some:
                    text = self._sentence(step)
                    yield f"{indent}{text[0].upper()}{text[1:]}."
        for step in last:
            yield f"{indent}But {self._sentence(step)}: a contradiction."

    def _sentence(self, step: _Step) -> str:
        shown = self._worded(step.shown)
        return f"{step.rule.source} {self._worded(step.given)}, {shown}" if step.given else f"then {shown}"

    def _worded(self, fact: _Fact) -> str:
        place, holds = fact
        if place < len(self.names):
            return f"{self.names[place]} is a {'logician' if holds else 'politician'}"
        return f"the {self.facts[place]} lamp is {'on' if holds else 'off'}"


def _followed(rules: Sequence[_Rule], given: Mapping[int, bool]) -> tuple[list[_Step], bool]:
    """All that follows, one rule after the other; and whether the last step contradicts what was known before it."""
    known, steps = dict(given), list[_Step]()
    waiting: list[int | None] = [None, *given]  # None: what rules settle alone
    while waiting:
        fact = waiting.pop(0)
        for rule in rules:
            if fact is not None and fact not in rule.facts:
                continue
            for at, other in enumerate(rule.facts):
                value = rule.settled(at, {} if fact is None else {fact: known[fact]}) if other != fact else None
                if value is None or known.get(other) is value:
                    continue
                steps.append(_Step(rule, None if fact is None else (fact, known[fact]), (other, value)))
                if other in known:
                    return steps, True
                known[other] = value
                waiting.append(other)
    return steps, False


def _used(steps: Sequence[_Step], wanted: Iterable[_Fact] = ()) -> list[_Step]:
    """The steps that the `wanted` facts rest on; without any, those that the last step rests on."""
    kept: list[_Step] = []
    facts = {fact for fact, _ in wanted}
    for step in reversed(steps):
        if step.shown[0] in facts or (not kept and not facts):
            facts |= {step.shown[0]} | ({step.given[0]} if step.given else set())
            kept.append(step)
    return kept[::-1]


_SIZES = (3, 4, 5)
_ROWS = 512
"""Of each size: whole rounds of all solutions, and enough for the audit to rule a leak out."""


def _make(stream: Stream, index: int) -> Draft:
    number, size = divmod(index, len(_SIZES))
    n = _SIZES[size]
    here = stream.child("logicians").child(n)
    draws = here.child(number)
    world = opposites(here.child("solution"), n, number)
    names = tuple(draws.child("names").sample(NAMES, n))
    scene = drawn_scene(draws, world)
    solution = letters_of(world)
    metadata: dict[str, Any] = {
        "set": "logicians",
        "n": n,
        "terminology": "logicians",
        "terms": list(TERMS),
        "names": list(names),
        "lamps": list(LAMPS[: n + 1]),
        "notes": [notated(note, names) for note in scene.notes],
        "statements": [notated(said, names) for said in scene.said],
        "kinds": [said.kind for said in scene.said],
        "ask": "all",
        "solutions": [solution],
        "chained": scene.chained,
        "first": "truthful" if world[0] else "lying",
    }
    gold = answer((solution,), names, TERMS)
    return Draft(prompt(scene, names), None, gold, _key(scene), "logicians", metadata)


def _key(scene: Scene) -> str:
    """The same for scenes that differ only in the names of the lamps and in the order of the notes."""
    n = len(scene.said)
    # Lamps in the order of what is said of them; only those of which the same is said are tried in every order.
    alike: dict[tuple[str, ...], list[int]] = {}
    for lamp in range(n, 2 * n + 1):
        said = [f"{place} {_seen(clause, lamp, n)}" for place, clause in enumerate(scene.said)]
        alike.setdefault((*said, *sorted(_seen(note, lamp, n) for note in scene.notes)), []).append(lamp)
    orders = product(*(permutations(alike[told]) for told in sorted(alike)))
    form = min(_form(scene, [lamp for some in order for lamp in some]) for order in orders)
    return f"logicians-{n}-{blake2b(form.encode(), digest_size=8).hexdigest()}"


def _form(scene: Scene, lamps: list[int]) -> str:
    place = {speaker: speaker for speaker in range(len(scene.said))} | {lamp: 10 + k for k, lamp in enumerate(lamps)}
    said, notes = ([_placed(clause, place) for clause in clauses] for clauses in (scene.said, scene.notes))
    return "\n".join([*said, *sorted(notes)])


def _placed(clause: Clause, place: Mapping[int, int]) -> str:
    facts = [f"{'' if holds else '~'}{place[fact]}" for fact, holds in zip(clause.facts, clause.holds, strict=True)]
    return f"{clause.kind} {' '.join(facts if clause.kind == 'implication' else sorted(facts))}"


def _seen(clause: Clause, lamp: int, n: int) -> str:
    """A clause as it looks to one lamp: all others are alike."""
    return _placed(clause, {fact: 20 if fact == lamp else min(fact, n) for fact in clause.facts})


LOGICIANS = {
    "logicians": Plan(
        _make,
        Subset(
            rows=len(_SIZES) * _ROWS,
            description="3 to 5 speakers: logicians say what can be proved, politicians what can be neither proved nor "
            "disproved.",
            form=replace(FORMS["all"], name="identities of logicians", reasoning=explained_scene),
            audit_target="first",
        ),
        check_scene,
    )
}
"""The one subset of the room."""
