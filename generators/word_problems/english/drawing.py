"""Drawing the surfaces of the problems of a pair: one story, and for each sentence a frame, a detail and a pronoun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from generators.stream import Stream
from generators.word_problems.english.frames import CONNECTIVES
from generators.word_problems.english.kinds import eventful, kinds
from generators.word_problems.english.phrases import BARE, FULL, SHORT, phrases
from generators.word_problems.english.recipes import NONE, Detail, Recipe, Story, recipe
from generators.word_problems.english.scenery import SETTINGS
from generators.word_problems.english.vocabulary import HOMES, MEASURES, PRONOUNS
from generators.word_problems.forms import Comparison, Container, Form, Problem, Question, Rate, Thing, Transfer
from generators.word_problems.wording import Surface

__all__ = ["Told", "draw"]

_BY_NAME = {setting.name: setting for setting in SETTINGS}
_PURPOSEFUL = ("bake", "make", "bring", "buy", "order", "pick", "collect", "gather", "pack", "print", "saw")
"""Verbs that one does something for: they bake for a wedding, but do not keep hens for it."""

_HAVING = (*_PURPOSEFUL, "find", "own", "keep", "pick up", "prepare", "unpack")
"""Verbs after which one has what one has done it to."""


class Told(NamedTuple):
    """What was drawn for a sentence besides its frame and pronoun; plain data."""

    kind: str
    before: str = ""
    after: str = ""
    naming: int = FULL
    """FULL, SHORT or BARE: how the thing is named."""


class _Row(NamedTuple):
    """What was chosen for a sentence."""

    index: int
    told: Told
    receives: bool
    pronoun: bool
    words: int


class _Teller:
    """The state of telling one problem: which details are used, and how many words it is behind the first problem."""

    def __init__(self, story: Story, times: int) -> None:
        self.story = story
        self.events = _BY_NAME[story.setting].event
        self.used: set[str] = set()
        self.told: set[tuple[str, int]] = set()
        self.moment = 0
        self.events_left = times
        self.debt = 0

    def row(self, kind: str, draw: int, naming: int, extra: int, target: int | None) -> _Row:
        """Choose frame and detail by the 64 bits of `draw`, so that the sentence has `target` words if that is given.

        `extra` is the number of words of number and noun.
        """
        recipes = recipe(self.story, kind)
        chosen = recipes[(draw & 0xFF) % len(recipes)]
        detail = self._detail(chosen, draw >> 8 & 0xFFFF)
        frames = chosen.frames
        if target is not None:
            wanted = target + self.debt - extra
            chosen, detail, frames = self._as_long(recipes, chosen, detail, wanted, draw >> 8 & 0xFFFF)
        index, frame = frames[(draw >> 24) % len(frames)]
        if (detail.before and frame.leading) or (chosen.kind, index) in self.told:
            fitting = [pair for pair in frames if not (detail.before and pair[1].leading)]
            fresh = [pair for pair in fitting if (chosen.kind, pair[0]) not in self.told] or fitting
            if fresh:
                index, frame = fresh[(draw >> 24) % len(fresh)]
            else:
                detail = NONE
        self.told.add((chosen.kind, index))
        self._use(detail)
        words = frame.words + detail.words + extra
        if frame.anchored:
            words += len(self.story.anchor.split()) - 1
        if target is not None:
            self.debt += target - words
        return _Row(index, Told(chosen.kind, detail.before, detail.after, naming), frame.receives, frame.pronoun, words)

    def repeat(self, row: _Row) -> None:
        """Tell a sentence as the first problem tells it."""
        self.told.add((row.told.kind, row.index))
        detail = Detail(row.told.before, row.told.after, 0)
        if detail.before or detail.after:
            self._use(detail)

    def _detail(self, chosen: Recipe, draw: int) -> Detail:
        details = chosen.details
        if details[-1].before in CONNECTIVES and not self.moment:
            return NONE
        if chosen.timed:
            left = len(details) - self.moment
            if left <= 0:
                return NONE
            spare = max(left // max(self.events_left, 1), 1)
            return details[self.moment + draw % spare]
        for step in range(len(details)):
            detail = details[(draw + step) % len(details)]
            if detail is NONE or _phrase(detail) not in self.used:
                return detail
        return NONE

    def _as_long(
        self, recipes: Sequence[Recipe], chosen: Recipe, detail: Detail, wanted: int, draw: int
    ) -> tuple[Recipe, Detail, Sequence[tuple[int, object]]]:
        """The recipe, detail and frames whose sentence is as long as wanted, or as near as they come."""
        best = None
        for step in range(len(recipes)):
            option = recipes[(recipes.index(chosen) + step) % len(recipes)]
            details = [self._detail(option, draw)] if option.timed else option.details
            for turn in range(len(details)):
                detail = details[(draw + turn) % len(details)]
                if detail is not NONE and _phrase(detail) in self.used:
                    continue
                for words, frames in option.lengths.items():
                    gap = abs(words + detail.words - wanted)
                    if best is None or gap < best[0]:
                        if detail.before:
                            frames = tuple(pair for pair in frames if not pair[1].leading)
                            if not frames:
                                continue
                        best = gap, option, detail, frames
                if best is not None and best[0] == 0:
                    return best[1:]
        assert best is not None
        return best[1:]

    def _use(self, detail: Detail) -> None:
        if detail is not NONE:
            self.used.add(_phrase(detail))
            event = _phrase(detail)
            if event in self.events:
                self.moment = self.events.index(event) + 1


def _phrase(detail: Detail) -> str:
    return (detail.before or detail.after).strip(" ,")


def draw(stream: Stream, problems: Sequence[Problem]) -> tuple[Surface, ...]:
    """The surfaces of problems that are told as one story: rows of the longest problem, to which the others' are matched."""
    told = [_kinds(problem) for problem in problems]
    base = max(range(len(problems)), key=lambda number: len(told[number]))
    story, plain = _story(stream, problems)
    draws = [stream.word() for _ in told[base]]
    lines = [(*problem.forms, problem.question) for problem in problems]
    places = [_aligned(lines[number], lines[base]) for number in range(len(problems))]
    rows: list[list[_Row]] = [[] for _ in problems]
    order = [base, *(number for number in range(len(problems)) if number != base)]
    for number in order:
        changes = sum(kind in _HAPPENING for kind in told[number])
        teller = _Teller(story, changes)
        for place, (form, kind) in enumerate(zip(lines[number], told[number])):
            row = places[number][place]
            bits = draws[row]
            naming = _naming(form, place, bits >> 56, plain, place == len(lines[number]) - 1)
            extra = _extra(form, naming)
            twin = rows[base][row] if number != base else None
            if twin is not None and kind == told[base][row]:
                same = _repeated(twin, extra - _extra(lines[base][row], naming))
                teller.repeat(same)
                rows[number].append(same)
            else:
                target = twin.words if twin is not None else None
                rows[number].append(teller.row(kind, bits, naming, extra, target))
            if kind in _HAPPENING:
                teller.events_left -= 1
    coins = _pronouns(problems, lines, places, rows, draws)
    return tuple(
        Surface(
            tuple([row.index for row in rows[number]]),
            tuple([coins[place] for place in places[number]]),
            tuple(story),
            tuple([tuple(row.told) for row in rows[number]]),
        )
        for number in range(len(problems))
    )


_HAPPENING = ("moving", "gain", "lose", "dividing")


def _kinds(problem: Problem) -> list[str]:
    """The kinds of the sentences, where a question about containers is a kind of its own."""
    told = kinds(problem)
    thing = problem.question.thing
    if told[-1] in ("count", "changed", "reduced") and (thing.entity, thing.unit) not in HOMES:
        told[-1] += " holders"
    return told


def _repeated(row: _Row, longer: int) -> _Row:
    return row._replace(words=row.words + longer)


def _story(stream: Stream, problems: Sequence[Problem]) -> tuple[Story, bool]:
    """The story, and whether all sentences are about the same thing, so that it need not be named every time."""
    things = dict.fromkeys(
        thing
        for problem in problems
        for form in problem.forms
        for thing in (form.thing, getattr(form, "per", form.thing))
    )
    homes = [HOMES[thing.entity, thing.unit] for thing in things if (thing.entity, thing.unit) in HOMES]
    setting, group = homes[0] if homes else (SETTINGS[0], SETTINGS[0].groups[0])
    first = problems[0].forms[0].thing if problems[0].forms else None
    plain = len(things) < 2
    bits = stream.word()
    quiet = plain and not any(map(eventful, problems))
    voice, words, anchor, opened = "had", ("", ""), "", False
    anchors = setting.place + setting.purpose
    which = bits & 0xFF
    if quiet and which < 110:
        voice, words = "did", group.did[(bits >> 8) % len(group.did)]
        if words[0] in _PURPOSEFUL:
            anchor = setting.purpose[(bits >> 16) % len(setting.purpose)]
    elif quiet and which < 160:
        voice, words = "spot", setting.spot[(bits >> 8) % len(setting.spot)]
    elif which < 205 and first is not None and (first.entity, first.unit) in HOMES:
        opened = True
    elif plain:
        anchor = anchors[(bits >> 16) % len(anchors)]
    elif first is not None and (first.entity, first.unit) in HOMES:
        anchor = setting.place[(bits >> 16) % len(setting.place)]
    else:
        anchor = setting.at
    start = "" if voice == "had" else voice
    if voice == "had" and not opened and bits >> 24 & 1 and first is not None and (first.entity, first.unit) in HOMES:
        having = [did for did in group.did if did[0] in _HAVING]
        if having:
            start, words = "did", having[(bits >> 8) % len(having)]
            if anchor not in setting.purpose or words[0] not in _PURPOSEFUL:
                anchor = ""
    return Story(setting.name, setting.groups.index(group), voice, words, anchor, opened, start), plain


def _aligned(lines: Sequence[Form | Question], base: Sequence[Form | Question]) -> list[int]:
    """For each line its row: the same place where both are equally long, else the line of the base that is the same."""
    if len(lines) == len(base):
        return list(range(len(base)))
    rows, at = [], 0
    for line in lines[:-1]:
        while at < len(base) - 2 and base[at] != line and len(lines) - 1 - len(rows) < len(base) - 1 - at:
            at += 1
        rows.append(at)
        at += 1
    return [*rows, len(base) - 1]


def _naming(form: Form | Question, place: int, bits: int, plain: bool, asks: bool) -> int:
    """How a sentence names its thing: in full at first, later often in short, where there is but one thing."""
    if not place or not plain:
        return FULL
    chance = bits & 0xFF
    if asks:
        return FULL if chance < 140 else SHORT
    alone = isinstance(form, Container) or (isinstance(form, Transfer) and not (form.sender and form.receiver))
    return FULL if chance < 64 else SHORT if chance < 170 or alone else BARE


def _extra(form: Form | Question, naming: int) -> int:
    """How many words the number and the noun have beyond one for their slot."""
    words = phrases(form.thing, naming).words
    if isinstance(form, Question):
        return words - 1
    if not isinstance(form, Comparison):
        return words
    if form.relation in "+-":
        return words + 1
    factor = 1 if form.quantity == 2 else 2
    unit = form.thing.unit in MEASURES and naming == FULL
    return factor + 2 + words - 1 - (2 if unit else 0)


def _pronouns(
    problems: Sequence[Problem],
    lines: Sequence[Sequence[Form | Question]],
    places: Sequence[Sequence[int]],
    rows: Sequence[Sequence[_Row]],
    draws: Sequence[int],
) -> list[bool]:
    """For each row whether its subject is a pronoun: by chance, where it is plain in all problems who is meant."""
    coins = [bits >> 40 & 3 != 0 for bits in draws]
    for number in range(len(problems)):
        about = ""
        named: list[str] = []
        for place, form in enumerate(lines[number]):
            row = rows[number][place]
            subject, other = _people(form, row.receives)
            named += subject, other
            at = places[number][place]
            # The costly test comes last: the cheap ones rarely leave a pronoun possible.
            if coins[at] and not (subject == about and row.pronoun and _is_plain(subject, named)):
                coins[at] = False
            about = subject
    return coins


def _people(form: Form | Question, receives: bool) -> tuple[str, str]:
    """The subject of the sentence, and the other agent that it names, or ""."""
    if isinstance(form, Transfer):
        return (form.receiver, form.sender) if receives else (form.sender, form.receiver)
    if isinstance(form, Comparison):
        return form.agent, form.other
    if isinstance(form, Question):
        return form.agents[0], "" if len(form.agents) == 1 else form.agents[1]
    return form.agent, ""


def _is_plain(subject: str, named: Sequence[str]) -> bool:
    """Whether a pronoun can only mean the subject, given the names so far ("" stands for nobody)."""
    gender = PRONOUNS.get(subject)
    return gender is not None and {name for name in named if PRONOUNS.get(name) == gender} == {subject}
