"""The subset `logicians`: what counts as proved, how notes and statements are drawn, and worked reasoning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, reduce
from hashlib import blake2b
from itertools import combinations, groupby, permutations, product
from operator import and_
from typing import Any, Literal, NamedTuple

from hansproof.generators.dataset import Draft, Subset
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves import formula as second
from hansproof.generators.knights_knaves.checking import check_scene
from hansproof.generators.knights_knaves.explaining import FORMS
from hansproof.generators.knights_knaves.formula import Formula, Not, holds, mentioned, parse
from hansproof.generators.knights_knaves.planted import letters_of, opposites
from hansproof.generators.knights_knaves.puzzle import NAMES, SENTINEL, Plan, answer
from hansproof.generators.knights_knaves.reasoning_errors import listed
from hansproof.generators.stream import Stream

__all__ = ["LOGICIANS", "known", "status"]

# A logician says only what can be proved, a politician only what can be neither proved nor disproved: from the notes,
# which are true, and from what the earlier speakers are. So each statement shows what its speaker is; a politician is
# no liar, and what one says may be true.
#
# A case says which facts hold: whether each speaker is a logician, then whether each lamp is on. A table is an int
# whose bit c is the truth in case c, where bit v of c is fact v.

Status = Literal["proved", "disproved", "open"]
"""What the premises say of a statement."""

SIGNS = {"single": "", "disjunction": "|", "implication": ">", "equivalence": "=", "exclusive": "^"}
"""Kind -> its sign in the notation of `metadata`."""


class Clause(NamedTuple):
    """A note or a statement: one fact, or two that are joined."""

    kind: str
    """One of SIGNS."""
    facts: tuple[int, ...]
    holds: tuple[bool, ...]
    """For each fact, whether it is affirmed or denied."""


@cache
def _fact(place: int, facts: int) -> int:
    return sum(1 << case for case in range(1 << facts) if case >> place & 1)


@cache
def table(clause: Clause, facts: int) -> int:
    """The truth table of a clause among so many facts."""
    every = (1 << (1 << facts)) - 1
    parts = [
        _fact(place, facts) ^ (0 if holds else every) for place, holds in zip(clause.facts, clause.holds, strict=True)
    ]
    if clause.kind == "single":
        return parts[0]
    left, right = parts
    return {
        "disjunction": left | right,
        "implication": (every ^ left) | right,
        "equivalence": every ^ left ^ right,
        "exclusive": left ^ right,
    }[clause.kind]


def known(premises: int, speakers: Sequence[bool], facts: int, first: int = 0) -> int:
    """The cases that the premises leave once speakers, from the `first` on, are known to be logicians or not."""
    for place, logician in enumerate(speakers, first):
        premises &= _fact(place, facts) ^ (0 if logician else (1 << (1 << facts)) - 1)
    return premises


def status(premises: int, said: int) -> Status:
    """Whether what is said can be proved, disproved or neither, from the cases that the premises leave, never none."""
    if not premises & ~said:
        return "proved"
    return "open" if premises & said else "disproved"


def chained(premises: int, said: Sequence[int], facts: int) -> int:
    """How many statements can be judged only by those who know what earlier speakers are.

    That is, whose status is not the same for all that the earlier speakers could be as far as the premises go.
    """
    links = 0
    for place, saying in enumerate(said):
        ways = (known(premises, earlier, facts) for earlier in product((True, False), repeat=place))
        links += len({status(left, saying) for left in ways if left}) > 1
    return links


# First comes the solution, then the kind of each statement, then its lamps and the notes, last which lamps are on.
# Where the notes allow no such statement, they are drawn again, and the lamps after a while, but never the kinds: a
# plain fact is harder to prove than an alternative, so kinds that could be drawn again would tell what a speaker is. No
# statement joins two lamps that a note joins, and no two are about the same lamps, so that nobody repeats anything.

LAMPS = ("red", "green", "blue", "yellow", "white", "orange")
"""As many as there are speakers and one more, from the first."""

_PATIENCE = 32  # halves of the notes, all pairs of which are tried before the lamps of the statements are drawn again


class Scene(NamedTuple):
    """A puzzle: notes, and a statement for each speaker."""

    notes: tuple[Clause, ...]
    said: tuple[Clause, ...]
    chained: int
    """Statements that can be judged only by those who know what earlier speakers are."""


def drawn_scene(draws: Stream, logicians: Sequence[bool]) -> Scene:
    """A puzzle in which exactly these speakers are logicians."""
    n = len(logicians)
    lamps = range(n, 2 * n + 1)
    kinds = [draws.choice(tuple(SIGNS)) for _ in logicians]
    while True:
        about = [tuple(draws.sample(lamps, 1 if kind == "single" else 2)) for kind in kinds]
        if len(set(map(frozenset, about))) < n:
            continue  # whoever repeats a logician would be told by that alone
        pairs = [pair for pair in combinations(lamps, 2) if set(pair) not in map(set, about)]
        if len(pairs) < n:
            continue
        speakers = [
            (known(-1, (logician,), 2 * n + 1, place), logician, _ways(kinds[place], about[place], n))
            for place, logician in enumerate(logicians)
        ]
        links = [_drawn(draws, _links(n)) for _ in range(_PATIENCE)]
        joints = [_drawn(draws, [_joints(pair, n) for pair in draws.sample(pairs, n)]) for _ in range(_PATIENCE)]
        for (notes, left), (others, right) in product(links, joints):
            said = _spoken(draws, speakers, left & right)
            if said is not None:
                return Scene(tuple(draws.shuffled([*notes, *others])), *said)


_Told = tuple[Clause, int]
"""A clause and its truth table."""

_Speaker = tuple[int, bool, Sequence[_Told]]
"""The table of what a speaker is, whether that is a logician, and all that it may say."""


def _drawn(draws: Stream, ways: Sequence[Sequence[tuple[Sequence[Clause], int]]]) -> tuple[list[Clause], int]:
    """Notes, of each of several kinds one way to put them, and the truth table of all together."""
    some = [draws.choice(way) for way in ways]
    return [note for notes, _ in some for note in notes], reduce(and_, [truth for _, truth in some])


@cache
def _links(n: int) -> list[list[tuple[list[Clause], int]]]:
    """By speaker but the last, two notes: what follows if it is a logician, and of another lamp if it is a politician.

    What a speaker is settles a lamp either way: a note that bears on logicians alone would hint at who is one.
    """
    return [
        [
            _conjoined([Clause("implication", (speaker, lamp), (logician, on)) for lamp, logician, on in ends], n)
            for lamps in permutations(range(n, 2 * n + 1), 2)
            for signs in product((True, False), repeat=2)
            for ends in [list(zip(lamps, (True, False), signs))]
        ]
        for speaker in range(n - 1)
    ]


@cache
def _joints(pair: tuple[int, int], n: int) -> list[tuple[list[Clause], int]]:
    """All notes that join two lamps, of each kind as many."""
    return [
        _conjoined([Clause(kind, lamps, holds)], n)
        for kind in tuple(SIGNS)[1:]
        for lamps in (pair, pair[::-1])
        for holds in product((True, False), repeat=2)
    ]


def _conjoined(clauses: list[Clause], n: int) -> tuple[list[Clause], int]:
    return clauses, reduce(and_, [table(clause, 2 * n + 1) for clause in clauses])


@cache
def _ways(kind: str, about: tuple[int, ...], n: int) -> tuple[_Told, ...]:
    """All statements of a kind about these lamps."""
    clauses = (Clause(kind, about, holds) for holds in product((True, False), repeat=len(about)))
    return tuple((clause, table(clause, 2 * n + 1)) for clause in clauses)


def _spoken(draws: Stream, speakers: Sequence[_Speaker], premises: int) -> tuple[tuple[Clause, ...], int] | None:
    """What they say, and how much of it is chained; None where somebody could not say such a thing, or little is."""
    left, fitting = premises, []
    for are, logician, ways in speakers:
        # What the speaker is must follow from the statement, not from what was known before.
        after = left & are
        if after in (0, left):
            return None
        own = [way for way in ways if (left & way[1] == left if logician else 0 != left & way[1] != left)]
        if not own:
            return None
        fitting.append(own)
        left = after
    said = [draws.choice(own) for own in fitting]
    n = len(speakers)
    links = chained(premises, [truth for _, truth in said], 2 * n + 1)
    return (tuple(clause for clause, _ in said), links) if links >= max(1, n - 2) else None


TERMS = ("logician", "politician")

_NUMBERS = ("three", "four", "five", "six")
_ENGLISH = {
    "single": "{}",
    "disjunction": "Either {} or {}, or both",
    "implication": "If {}, then {}",
    "equivalence": "{} if and only if {}",
    "exclusive": "Either {} or {}, but not both",
}
_PROMPT = """\
There are {lamps} lamps: {colours}. Each of them is on or off. {People} people talk about them: {names}. Each person \
is either a logician or a politician. They speak one after the other, in the order in which they are listed.

A logician says only what can be proved. A politician says only what can be neither proved nor \
disproved. A proof may use that each lamp is on or off, that each person is either a logician or \
a politician, the notes below, which are all true, and which of the two each earlier speaker is. It may not assume \
which of the two the speaker or a later speaker is, but it may go through both cases. That somebody has said something \
proves nothing.

Notes:
{notes}

Statements:
{said}

Who is a logician, and who is a politician? Finish your answer with one line for each person, in the order above, such \
as `{first}: logician` or `{first}: politician`, under this heading:

{sentinel}"""


def prompt(scene: Scene, names: Sequence[str]) -> str:
    """The whole text."""
    lamps = LAMPS[: len(names) + 1]
    return _PROMPT.format(
        lamps=_NUMBERS[len(lamps) - 3],
        colours=listed([f"a {lamp} one" if lamp != "orange" else "an orange one" for lamp in lamps]),
        People=_NUMBERS[len(names) - 3].capitalize(),
        names=listed(names),
        notes="\n".join(f"{number}. {_english(note, names)}." for number, note in enumerate(scene.notes, start=1)),
        said="\n".join(f"{name}: {_english(said, names)}." for name, said in zip(names, scene.said, strict=True)),
        first=names[0],
        sentinel=SENTINEL,
    )


def _english(clause: Clause, names: Sequence[str]) -> str:
    parts = [_part(place, holds, names) for place, holds in zip(clause.facts, clause.holds, strict=True)]
    text = _ENGLISH[clause.kind].format(*parts)
    return text[0].upper() + text[1:]


def _part(place: int, holds: bool, names: Sequence[str]) -> str:
    if place < len(names):
        return f"{names[place]} is a {TERMS[0 if holds else 1]}"
    return f"the {LAMPS[place - len(names)]} lamp is {'on' if holds else 'off'}"


def notated(clause: Clause, names: Sequence[str]) -> str:
    """`(Ada > ~red)`: names for logicians, colours for lamps that are on, and the signs of the other puzzles."""
    parts = [
        ("" if holds else "~") + (names[place] if place < len(names) else LAMPS[place - len(names)])
        for place, holds in zip(clause.facts, clause.holds, strict=True)
    ]
    return parts[0] if clause.kind == "single" else f"({parts[0]} {SIGNS[clause.kind]} {parts[1]})"


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
    return "\n".join(_Reasoning(about["names"], about["lamps"], about["notes"], about["statements"]).lines(quotes))


class _Reasoning:
    def __init__(self, names: Sequence[str], lamps: Sequence[str], notes: Sequence[str], said: Sequence[str]) -> None:
        self.names, self.facts = names, [*names, *lamps]
        formulas = [parse(note, self.facts) for note in notes]
        self.said = [parse(text, self.facts) for text in said]
        self.notes = [self._rule(note, f"by note {number}, since") for number, note in enumerate(formulas, start=1)]
        self.premises = -1
        for note in formulas:
            self.premises &= second.table(note, len(self.facts))

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
            truths = second.table(self.said[place], len(self.facts))
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
