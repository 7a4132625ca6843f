"""The paper's sets, one character in the paper's kinds of statement, and the sets in which solutions are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial, reduce
from operator import and_

from hansproof.generators.dataset import Draft, MatchedConditions, Subset
from hansproof.generators.knights_knaves.distinct import Bundle, Cell, Drawn, bundle, cell_of, solved, worlds
from hansproof.generators.knights_knaves.explaining import FORMS
from hansproof.generators.knights_knaves.puzzle import OUTCOMES, TERMS, Ask, Plan, draft, names_of
from hansproof.generators.knights_knaves.statements import PAPER, SETS, Saying, Statement, sayings, subject
from hansproof.generators.stream import Stream

__all__ = ["CHARACTER", "COUNTS", "FAITHFUL", "linear"]

# The paper's law: one statement per speaker, its kind uniform in the set, the statement uniform within its kind; only
# puzzles with one solution, none twice. Each puzzle comes in three vocabularies, as items of one group.

SIZES = (3, 4, 5, 6)
"""The numbers of characters in the paper."""

_PUZZLES = 200
_FEW = {("S", 3): 42, ("I", 3): 142}
"""All different puzzles of a set, where they are fewer; a test counts them. Set E has 224 with three characters."""


def _random(stream: Stream, kinds: Sequence[str], n: int) -> Drawn:
    """The next puzzle with one solution: a statement for each of n characters, by the paper's law."""
    while True:
        fits, puzzle = -1, list[Statement]()
        for who in range(n):
            said, mask = stream.choice(sayings(stream.choice(kinds), who, n))
            puzzle.append(said)
            fits &= mask
            if not fits:
                break
        if fits and not fits & (fits - 1):
            return Drawn(tuple(puzzle), solved(fits, n))


def linear(puzzle_kinds: Sequence[str]) -> bool:
    """Whether statements of these kinds are linear equations over two elements, which elimination solves."""
    return {"conjunction", "implication", "alternative"}.isdisjoint(puzzle_kinds)


def _faithful(set_name: str, n: int, stream: Stream, number: int) -> Iterator[Bundle]:
    draws = stream.child(number)
    while True:
        yield (_random(draws, SETS[set_name], n),)


def _plan(set_name: str, description: str, exploit: str) -> Plan:
    cells = tuple(
        Cell(f"{set_name}-{n}", _FEW.get((set_name, n), _PUZZLES), partial(_faithful, set_name, n), few=n == 3)
        for n in SIZES
    )

    def make(stream: Stream, index: int) -> Draft:
        puzzle, place = divmod(index, len(TERMS))
        cell, number = cell_of(puzzle, cells)
        terminology = tuple(TERMS)[place]
        return draft(bundle(stream, cells[cell], number)[0], set_name, "all", terminology, terminology)

    subset = Subset(
        rows=sum(cell.rows for cell in cells) * len(TERMS),
        description=f"3 to 6 characters, set {set_name} of the paper ({description}), one solution; each puzzle in "
        "three vocabularies.",
        form=FORMS["all"],
        matched=MatchedConditions("jabbas", tuple(terms for terms in TERMS if terms != "jabbas")),
        audit_target="first",
        exploit=exploit,
    )
    return Plan(make, subset)


_HINTS = "as in the paper, what characters say hints at what they are"

FAITHFUL = {
    "set-S": _plan(
        "S",
        "self-reference, accusation, conjunction",
        "as in the paper, truth-tellers are rare, and what characters say hints at what they are",
    ),
    "set-I": _plan("I", "accusation, implication, conjunction", _HINTS),
    "set-E": _plan("E", "accusation, conjunction, implication, equivalence", _HINTS),
}
"""Set -> its puzzles at all sizes."""

# A conjunction is true in one case of four, so it tells something of its speaker or of those whom it mentions, however
# it is drawn. But it can be kept from telling the answer to a question about one character: two puzzles differ in a
# single word, which is neither about that character nor said by it, and the character is a truth-teller in the one and
# a liar in the other. So what it says and what is said of it is the same with both answers. Which of the two words goes
# with which answer, and the kind and place of the changed word, come in whole rounds: denials tell nothing either.

_LARGER = (7, 8, 9)
"""Numbers of characters that the paper's sets do not have, so no puzzle is in both."""
_SLOTS = tuple(
    (kind, place, truthful)
    for kind, places in (("accusation", 1), ("conjunction", 2), ("implication", 2), ("equivalence", 2))
    for place in range(places)
    for truthful in (True, False)
)
_PAIRS = 18 * len(_SLOTS)
"""Of each size."""


@lru_cache(maxsize=64)
def _pair(root: Stream, n: int, number: int) -> tuple[Bundle, int]:
    """Two matched puzzles, and the character that they are asked about."""
    stream = root.child("character").child(n)
    cycle, place = divmod(number, len(_SLOTS))
    kind, mention, truthful = stream.child("slots").child(cycle).shuffled(_SLOTS)[place]
    draws = stream.child("pairs").child(number)
    wanted = "KN" if truthful else "NK"  # where the changed word affirms, and where it denies
    while True:
        first = _random(draws, PAPER, n)
        puzzle = first.puzzle
        if linear([said.kind for said in puzzle]) or len(set(map(subject, puzzle))) < n:
            continue
        for speaker in draws.shuffled(range(n)):
            said = puzzle[speaker]
            if said.kind != kind or not said.knights[mention]:
                continue
            denied = tuple(knight != (at == mention) for at, knight in enumerate(said.knights))
            other = (*puzzle[:speaker], said._replace(knights=denied), *puzzle[speaker + 1 :])
            second = worlds(other)
            moved = map("".join, zip(first.solutions[0], second[0])) if len(second) == 1 else ()
            asked = [
                who for who, kinds in enumerate(moved) if kinds == wanted and who not in (speaker, said.about[mention])
            ]
            if asked:
                pair = first, Drawn(other, second)
                return (pair if draws.coin() else pair[::-1]), draws.choice(asked)


def _make_character(stream: Stream, index: int) -> Draft:
    question, place = divmod(index, 2)
    number, size = divmod(question, len(_LARGER))
    pair, asked = _pair(stream, _LARGER[size], number)
    more = {"asked": names_of(_LARGER[size])[asked]}
    return draft(pair[place], "paper", "one", "character", "jabbas", group=pair[0].key, more=more)


CHARACTER = {
    "character": Plan(
        _make_character,
        Subset(
            rows=2 * len(_LARGER) * _PAIRS,
            description="7 to 9 characters, the paper's five kinds of statement: is one of them truthful or lying? Two "
            "puzzles that differ in one word have opposite answers.",
            form=FORMS["one"],
            balanced=True,
        ),
    )
}
"""The one subset of the room."""

# Puzzles come in threes, with no, one and several solutions, with the same kinds of statement speaker by speaker, and
# as many denials in the whole puzzle, so that neither tells how many solutions there are. Each three has a character
# who says "I am a truth-teller" and an implication or equivalence, which no set of the paper has together.

_COUNTED = (4, 5, 6)
_THREES = 100  # in a release, of each size, in each of the two subsets
_EXISTING = 110  # of each size, in each: under some seeds there are hardly more with four characters
_MOST = 4  # solutions of a puzzle with several
_TRIES = 500  # draws for one of the three, after which kinds and denials are drawn anew


def _said(stream: Stream, kinds: Sequence[str]) -> list[Saying]:
    return [stream.choice(sayings(kind, who, len(kinds))) for who, kind in enumerate(kinds)]


def _denials(sayings: Sequence[Saying]) -> int:
    return sum([said.knights.count(False) for said, _ in sayings])


def _threes(n: int, stream: Stream, number: int) -> Iterator[Bundle]:
    """Puzzles with no, one and several solutions, with the same kinds and as many denials; without end."""
    draws = stream.child(number)
    while True:
        kinds = [draws.choice(PAPER) for _ in range(n)]
        if linear(kinds) or "self" not in kinds or {"implication", "equivalence"}.isdisjoint(kinds):
            continue
        denials = _denials(_said(draws, kinds))
        three: dict[int, Drawn] = {}
        for _ in range(_TRIES):
            puzzle = _said(draws, kinds)
            if _denials(puzzle) != denials:
                continue
            fits = reduce(and_, [mask for _, mask in puzzle])
            if fits.bit_count() <= _MOST and (outcome := min(fits.bit_count(), 2)) not in three:
                three[outcome] = Drawn(tuple([said for said, _ in puzzle]), solved(fits, n))
            if three.keys() >= {0, 1, 2}:
                yield tuple(three[outcome] for outcome in range(3))
                break


_CELLS = [Cell(f"threes-{n}", 2 * _THREES, partial(_threes, n)) for n in _COUNTED]


def _make(part: int, ask: Ask) -> Callable[[Stream, int], Draft]:
    """`part` is 0 or 1: the two subsets take turns, so that they share no puzzle."""

    def make(stream: Stream, index: int) -> Draft:
        three, place = divmod(index, 3)
        number, size = divmod(three, len(_CELLS))
        cell, number = _CELLS[size], 2 * number + part
        which = stream.child(cell.name).child("order").child(number).shuffled(range(3))[place]
        puzzles = bundle(stream, cell, number)
        # The middle one names the group: matched puzzles are never parted.
        more = {"outcome": OUTCOMES[which]}
        return draft(puzzles[which], "paper", ask, "mixed", "jabbas", group=puzzles[1].key, more=more)

    return make


def _counted(part: int, ask: Ask, description: str) -> Plan:
    return Plan(
        _make(part, ask),
        Subset(
            rows=3 * len(_COUNTED) * _THREES,
            description=description,
            form=FORMS[ask],
            limit=3 * len(_COUNTED) * _EXISTING,
            audit_target="outcome" if ask == "open" else "",
            balanced=ask == "number",
        ),
    )


COUNTS = {
    "number": _counted(
        0,
        "number",
        "4 to 6 characters, the paper's five kinds of statement: is there no solution, one, or are there several?",
    ),
    "solutions": _counted(
        1,
        "open",
        "4 to 6 characters, the paper's five kinds of statement, no, one or two to four solutions: which are they?",
    ),
}
"""Two questions: how many solutions there are, and which."""
