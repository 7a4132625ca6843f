"""Drawing the surfaces of the problems of a pair: one story, and for each sentence a frame, a detail and a pronoun."""

from __future__ import annotations

from collections.abc import Sequence

from generators.stream import Stream
from generators.word_problems.english.frames import Frame
from generators.word_problems.english.kinds import HAPPENING, kinds
from generators.word_problems.english.phrases import BARE, FULL, SHORT, phrases
from generators.word_problems.english.pronouns import pronouns
from generators.word_problems.english.recipes import NONE, Detail, Recipe, recipes
from generators.word_problems.english.stories import Story, story_of
from generators.word_problems.english.vocabulary import MEASURES
from generators.word_problems.forms import Comparison, Container, Form, Problem, Question, Rate, Thing, Transfer
from generators.word_problems.wording import Surface

__all__ = ["draw"]

_Numbered = tuple[int, Frame]
_STATING = ("additive", "multiplicative", *HAPPENING)
"""Kinds of sentences that may be a word longer or shorter than their counterpart: the next one makes up for it."""


_SOURCES = (0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4)
"""For each number of sentences in how many of them something may say where the amount is known from."""
_SOON = 4
"""How many moments may be skipped for the sake of a length."""


class _Row:
    """What was chosen for a sentence."""

    __slots__ = ("detail", "frame", "index", "kind", "linked", "naming", "words")

    def __init__(
        self, kind: str, index: int, frame: Frame, detail: Detail, naming: int, words: int, linked: bool
    ) -> None:
        self.kind, self.index, self.frame, self.detail = kind, index, frame, detail
        self.naming, self.words, self.linked = naming, words, linked


class _Teller:
    """The state of telling one problem: what has been said, and how many words it is behind the first problem."""

    def __init__(self, story: Story, sentences: int) -> None:
        self.story = story
        self.anchor = story.anchor.count(" ")
        self.used: set[str] = set()
        self.told: set[tuple[str, int]] = set()
        self.roots: set[str] = set()
        self.sources = _SOURCES[min(sentences, len(_SOURCES) - 1)]
        self.moment = 0
        self.ahead = sentences
        self.linkable = False
        self.debt = 0

    def row(self, kind: str, bits: int, naming: int, extra: int, target: int) -> _Row:
        """Choose frame and detail by 64 bits, so that the sentence has `target` words if that is above 0.

        `extra` is the number of words of number and noun beyond one for their slot.
        """
        options = recipes(self.story, kind)
        first = (bits & 0xFF) % len(options)
        recipe = options[first]
        if target:
            wanted = target + self.debt - extra
            slack = (0, 1, -1) if kind in _STATING else (0,)
            recipe, detail, frames = self._as_long(options, first, bits >> 8 & 0xFFFF, wanted, slack)
        else:
            detail = self._detail(recipe, bits >> 8 & 0xFFFF)
            frames = recipe.frames[detail.place]
            if not frames:
                detail, frames = NONE, recipe.frames[0]
        index, frame = frames[(bits >> 24 & 0xFFFF) % len(frames)]
        if (recipe.kind, index) in self.told:
            fresh = [pair for pair in frames if (recipe.kind, pair[0]) not in self.told]
            if fresh:
                index, frame = fresh[(bits >> 24 & 0xFFFF) % len(fresh)]
        words = frame.words + detail.words + extra + (self.anchor if frame.anchored else 0)
        if target:
            self.debt += target - words
        row = _Row(recipe.kind, index, frame, detail, naming, words, self.linkable)
        self.say(row)
        return row

    def say(self, row: _Row) -> None:
        """Remember what a sentence says."""
        self.told.add((row.kind, row.index))
        detail = row.detail
        if detail is not NONE:
            self.used.add(detail.phrase)
            self.sources -= bool(detail.root)
            self.roots |= detail.root
            self.moment = detail.moment or self.moment

    def _detail(self, recipe: Recipe, bits: int) -> Detail:
        details = recipe.details
        if recipe.timed:
            left = len(details) - self.moment
            return details[self.moment + bits % max(2 * left // max(self.ahead + 1, 1), 1)] if left > 0 else NONE
        if recipe.linking and not self.linkable:
            return NONE
        for step in range(len(details)):
            detail = details[(bits + step) % len(details)]
            if self._is_fresh(detail):
                return detail
        return NONE

    def _is_fresh(self, detail: Detail) -> bool:
        """Whether a detail may be told: once, and where amounts are known from once in a few sentences."""
        return detail.phrase not in self.used and not (
            detail.root and (not self.sources or not detail.root.isdisjoint(self.roots))
        )

    def _as_long(
        self, options: Sequence[Recipe], first: int, bits: int, wanted: int, slack: Sequence[int]
    ) -> tuple[Recipe, Detail, Sequence[_Numbered]]:
        """The recipe, detail and frames whose sentence is as long as wanted, up to `slack`, or as near as they come."""
        best: tuple[Recipe, Detail, Sequence[_Numbered]] | None = None
        least = 99
        for step in range(len(options)):
            recipe = options[(first + step) % len(options)]
            details = recipe.details
            if recipe.timed:
                details = details[self.moment : self.moment + _SOON] or (NONE,)
            elif recipe.linking and not self.linkable:
                details = (NONE,)
            many = len(details)
            for turn in range(many):
                detail = details[(bits + turn) % many]
                if not self._is_fresh(detail):
                    continue
                lengths = recipe.lengths[detail.place]
                rest = wanted - detail.words
                for near in slack:
                    if rest + near in lengths:
                        return recipe, detail, lengths[rest + near]
                for words, frames in lengths.items():
                    if abs(words - rest) < least:
                        least, best = abs(words - rest), (recipe, detail, frames)
        assert best is not None
        return best


def draw(stream: Stream, problems: Sequence[Problem]) -> tuple[Surface, ...]:
    """The surfaces of problems that are told as one story.

    The longest problem is told first. In the others, sentences with the same form repeat it word for word, and those
    with another form in the same place are as long.
    """
    lines = [(*problem.forms, problem.question) for problem in problems]
    base = 0
    for number in range(1, len(problems)):
        if len(lines[number]) > len(lines[base]):
            base = number
    story, plain = story_of(problems, stream.word())
    draws = [stream.word() for _ in lines[base]]
    places = [_aligned(own, lines[base]) for own in lines]
    told = [kinds(problem) for problem in problems]
    shared = [
        all(
            kind == told[base][row]
            for own, rows in zip(told, places, strict=True)
            for kind, row in zip(own, rows, strict=True)
            if row == at
        )
        for at in range(len(lines[base]))
    ]
    first, model = _first(story, problems[base], lines[base], draws, plain, len({own[-1] for own in told}) > 1, shared)
    rows = [first] * len(problems)
    for number, problem in enumerate(problems):
        if number != base:
            rows[number] = _matched(story, problem, lines[number], places[number], first, model, draws)
    # Behind "the teacher noticed that", she might be the teacher.
    stiff = [bool(row.detail.root) for row in first]
    stiff = [kept or before for kept, before in zip(stiff, [False, *stiff[:-1]], strict=True)]
    coins = pronouns(lines, places, [[row.frame for row in own] for own in rows], draws, stiff)
    return tuple(
        [
            Surface(
                tuple([row.index for row in own]),
                tuple([coins[place] for place in places[number]]),
                story,
                tuple([(row.kind, row.detail.before, row.detail.after, row.naming) for row in own]),
            )
            for number, own in enumerate(rows)
        ]
    )


def _first(
    story: Story,
    problem: Problem,
    lines: Sequence[Form | Question],
    draws: Sequence[int],
    plain: bool,
    short: bool,
    shared: Sequence[bool],
) -> tuple[list[_Row], list[str]]:
    """The rows of the problem that is told first, and the kinds of its sentences.

    `short` asks for a question that a question of another kind can be as long as.
    """
    told = kinds(problem)
    if short and told[-1] in ("changed", "reduced"):
        told[-1] += " short"
    teller = _Teller(story, len(told))
    rows = []
    things = {line.thing for line in lines} | {line.per for line in lines if isinstance(line, Rate)}
    seen: set[Thing] = set()
    for place, line in enumerate(lines):
        clear = line.thing in seen and not line.thing.unit and not any(_alike(line.thing, other) for other in things)
        naming = _naming(line, place, draws[place] >> 56, plain, place == len(lines) - 1, clear)
        seen.add(line.thing)
        rows.append(teller.row(told[place], draws[place], naming, _extra(line, naming), 0))
        teller.ahead -= 1
        if shared[place]:
            teller.linkable |= told[place] in HAPPENING or rows[-1].detail.moment > 0
    return rows, told


def _matched(
    story: Story,
    problem: Problem,
    lines: Sequence[Form | Question],
    places: Sequence[int],
    first: Sequence[_Row],
    model: Sequence[str],
    draws: Sequence[int],
) -> list[_Row]:
    """The rows of a problem beside the one that is told first."""
    told = kinds(problem)
    teller = _Teller(story, len(told))
    rows = []
    for line, kind, place in zip(lines, told, places, strict=True):
        row = first[place]
        if kind == model[place]:
            teller.say(row)
        else:
            teller.linkable = row.linked
            row = teller.row(kind, draws[place], row.naming, _extra(line, row.naming), row.words)
        teller.ahead -= 1
        rows.append(row)
    return rows


def _aligned(lines: Sequence[Form | Question], base: Sequence[Form | Question]) -> list[int]:
    """For each line its row: the same place where both are equally long, else the line of the base that is the same."""
    if len(lines) == len(base):
        return list(range(len(base)))
    rows: list[int] = []
    at = 0
    for line in lines[:-1]:
        while base[at] != line and len(lines) - len(rows) < len(base) - at:
            at += 1
        rows.append(at)
        at += 1
    return [*rows, len(base) - 1]


def _alike(thing: Thing, other: Thing) -> bool:
    """Whether two things may have the same short name."""
    return thing != other and thing.entity in (other.entity, other.unit)


def _naming(line: Form | Question, place: int, chance: int, plain: bool, asks: bool, clear: bool) -> int:
    """How a sentence names its thing: in full at first, later often in short; not at all only where there is but one.

    An attribute is told once, at first.

    `clear` says that no other thing of the problem is called the same for short.
    """
    if not place:
        return FULL
    described = bool(line.thing.attribute)
    if not plain:
        return SHORT if clear and (described or chance > 90) else FULL
    if asks:
        return FULL if chance < 140 and not described else SHORT
    alone = isinstance(line, Container) or (isinstance(line, Transfer) and not (line.sender and line.receiver))
    return FULL if chance < 64 and not described else SHORT if chance < 170 or alone else BARE


def _extra(line: Form | Question, naming: int) -> int:
    """How many words the number and the noun have beyond one for their slot."""
    words = phrases(line.thing, naming).words
    if isinstance(line, Question):
        return words - 1
    if not isinstance(line, Comparison):
        return words
    if line.relation in "+-":
        return words + 1
    named = words - 2 if line.thing.unit in MEASURES and naming == FULL else words
    return named + (2 if line.quantity == 2 else 3)
