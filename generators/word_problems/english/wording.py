"""The English wording, which turns forms into sentences; `WORDING` implements `word_problems.forms.Wording`.

Everything is in the past tense. The text is a function of problem and surface. First the surfaces of a group are drawn:
one story, and for each sentence a frame, a detail and a pronoun; then frames come from `recipes`, phrases for things
from `stories`, and become sentences.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.english import stories
from hansproof.generators.word_problems.english.recipes import NONE, Detail, Frame, Recipe, frames_of, recipes
from hansproof.generators.word_problems.english.sentences import POINTS
from hansproof.generators.word_problems.english.vocabulary import (
    MEASURES,
    PRONOUNS,
    VOCABULARY,
    article,
    part,
    possessive,
    spelled,
    times,
)
from hansproof.generators.word_problems.forms import (
    Comparison,
    Container,
    Form,
    Problem,
    Question,
    Rate,
    Surface,
    Thing,
    Transfer,
)

__all__ = ["WORDING"]


def pronouns(
    lines: Sequence[Sequence[Form | Question]],
    places: Sequence[Sequence[int]],
    frames: Sequence[Sequence[Frame]],
    draws: Sequence[int],
) -> list[bool]:
    """For each row whether its subject is a pronoun: in three of four cases where all problems allow one.

    The sentence must have the same subject as the sentence before it, and neither of them may name anybody else of that
    gender. In the question nobody else of that gender may have been named at all. `places` says which row each line of
    a problem belongs to.
    """
    coins = [bits >> 40 & 3 != 0 for bits in draws]
    for own, rows, worded in zip(lines, places, frames, strict=True):
        about = ""
        before: tuple[str, ...] = ()
        nameless: frozenset[str] = frozenset()
        everybody: list[str] = []
        for line, row, frame in zip(own, rows, worded, strict=True):
            subject, other = people(line, frame.receives)
            named = (*before, subject, other, *(everybody if isinstance(line, Question) else ()))
            everybody += (subject, other)
            # The costly test comes last: the cheap ones rarely leave a pronoun possible.
            if coins[row] and not (subject == about and frame.pronoun and _is_plain(subject, named, nameless)):
                coins[row] = False
            about, before, nameless = subject, (subject, other), frame.genders
    return coins


def people(line: Form | Question, receives: bool) -> tuple[str, str]:
    """The subject of the sentence, and the other agent that it names, or ""."""
    if isinstance(line, Transfer):
        return (line.receiver, line.sender) if receives else (line.sender, line.receiver)
    if isinstance(line, Comparison):
        return line.agent, line.other
    if isinstance(line, Question):
        return line.agents[0], "" if len(line.agents) == 1 else line.agents[1]
    return line.agent, ""


def _is_plain(subject: str, named: Sequence[str], nameless: frozenset[str]) -> bool:
    """Whether a pronoun can only mean the subject, given the names in two sentences ("" stands for nobody) and who
    else is in the first of them, such as his brother."""
    gender = PRONOUNS.get(subject)
    return (
        gender is not None
        and gender[0] not in nameless
        and {name for name in named if PRONOUNS.get(name) == gender} == {subject}
    )


_Numbered = tuple[int, Frame]
_STATING = ("additive", "multiplicative", *stories.HAPPENING)
"""Kinds of sentences that may be a word longer or shorter than their counterpart: the next one makes up for it."""

_SOON = 4
"""How many moments may be skipped for the sake of a length."""


class _Row:
    """What was chosen for a sentence."""

    __slots__ = ("detail", "frame", "index", "kind", "linked", "naming", "words")

    def __init__(
        self, kind: str, index: int, frame: Frame, detail: Detail, naming: int, words: int, linked: int
    ) -> None:
        self.kind, self.index, self.frame, self.detail = kind, index, frame, detail
        self.naming, self.words, self.linked = naming, words, linked


class _Teller:
    """The state of telling one problem: what has been said, and how many words it is behind the first problem."""

    def __init__(self, story: stories.Story, sentences: int) -> None:
        self.story = story
        self.anchor = story.anchor.count(" ")
        self.used: set[str] = set()
        self.told: set[tuple[str, int]] = set()
        self.parties: set[str] = set()
        self.mated = False
        self.moment = 0
        self.ahead = sentences
        self.linkable = 0
        self.debt = 0

    def row(self, kind: str, bits: int, naming: int, extra: int, target: int, mates: int = 0) -> _Row:
        """Choose frame and detail by 64 bits, so that the sentence has `target` words if that is above 0.

        `extra` is the number of words of number and noun beyond one for their slot; `mates` is what `recipes` takes.
        """
        options = recipes(self.story, kind, mates)
        first = (bits & 0xFF) % len(options)
        recipe = options[first]
        if recipe.linking > self.linkable:
            recipe = options[0]
        elif self.linkable > 1 and options[-1].linking > 1 and not self.used.issuperset(POINTS):
            recipe, first = options[-1], 0
            options = (recipe,)
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
        if self._stale(recipe.kind, (index, frame)):
            fresh = [pair for pair in frames if not self._stale(recipe.kind, pair)]
            if fresh:
                index, frame = fresh[(bits >> 24 & 0xFFFF) % len(fresh)]
        words = frame.words + detail.words + extra + (self.anchor if frame.anchored else 0)
        if target:
            self.debt += target - words
        row = _Row(recipe.kind, index, frame, detail, naming, words, self.linkable)
        self.say(row)
        return row

    def _stale(self, kind: str, frame: _Numbered) -> bool:
        """Whether a sentence of this frame was told, or one of the same party.

        A baker is not to be another baker, nor a friend without a name the friend who has one.
        """
        if (kind, frame[0]) in self.told:
            return True
        mate = self.story.mate[:5]
        if frame[1].mate:
            return mate in self.parties
        return not self.parties.isdisjoint(frame[1].parties) or (self.mated and mate in frame[1].parties)

    def say(self, row: _Row) -> None:
        """Remember what a sentence says."""
        self.told.add((row.kind, row.index))
        self.parties |= row.frame.parties
        self.mated = self.mated or row.frame.mate
        detail = row.detail
        if detail is not NONE:
            self.used.add(detail.phrase)
            self.moment = detail.moment or self.moment

    def _detail(self, recipe: Recipe, bits: int) -> Detail:
        details = recipe.details
        if recipe.moments:
            at = bisect_right(recipe.moments, self.moment)
            left = len(details) - at
            return details[at + bits % max(2 * left // max(self.ahead + 1, 1), 1)] if left > 0 else NONE
        for step in range(len(details)):
            detail = details[(bits + step) % len(details)]
            if detail.phrase not in self.used:
                return detail
        return NONE

    def _as_long(
        self, options: Sequence[Recipe], first: int, bits: int, wanted: int, slack: Sequence[int]
    ) -> tuple[Recipe, Detail, Sequence[_Numbered]]:
        """The recipe, detail and frames whose sentence is as long as wanted, up to `slack`, or as near as they come."""
        best: tuple[Recipe, Detail, Sequence[_Numbered]] | None = None
        least = 99
        for step in range(len(options)):
            recipe = options[(first + step) % len(options)]
            details = recipe.details
            if recipe.moments:
                at = bisect_right(recipe.moments, self.moment)
                details = details[at : at + _SOON] or (NONE,)
            elif recipe.linking > self.linkable:
                if recipe.kind in stories.HAPPENING and not self.moment:
                    continue  # something that happens at no time cannot come before the first one
                details = (NONE,)
            many = len(details)
            for turn in range(many):
                detail = details[(bits + turn) % many]
                if detail.phrase in self.used:
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
    # Of stories that are equally long, the one in which nothing happens has the fewer ways to be told.
    base = max(range(len(problems)), key=lambda number: (len(lines[number]), not stories.eventful(problems[number])))
    story, plain = stories.story_of(problems, stream.word())
    draws = [stream.word() for _ in lines[base]]
    places = [_aligned(own, lines[base]) for own in lines]
    told = [stories.kinds(problem) for problem in problems]
    shared = [
        all(
            kind == told[base][row]
            for own, rows in zip(told, places, strict=True)
            for kind, row in zip(own, rows, strict=True)
            if row == at
        )
        for at in range(len(lines[base]))
    ]
    # Swapping two names must swap their sexes, too, only where the sentence is not under test.
    friendly = [len(problems) == 1 or all(line in own for own in lines) or len(problems) > 2 for line in lines[base]]
    first, model = _first(story, problems[base], lines[base], draws, plain, shared, friendly)
    rows = [first] * len(problems)
    for number, problem in enumerate(problems):
        if number != base:
            rows[number] = _matched(story, problem, lines[number], places[number], first, model, draws)
    coins = pronouns(lines, places, [[row.frame for row in own] for own in rows], draws)
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
    story: stories.Story,
    problem: Problem,
    lines: Sequence[Form | Question],
    draws: Sequence[int],
    plain: bool,
    shared: Sequence[bool],
    friendly: Sequence[bool],
) -> tuple[list[_Row], list[str]]:
    """The rows of the problem that is told first, and the kinds of its sentences."""
    told = stories.kinds(problem)
    teller = _Teller(story, len(told))
    rows = []
    things = {line.thing for line in lines} | {line.per for line in lines if isinstance(line, Rate)}
    seen: set[Thing] = set()
    known: set[str] = set()
    changed: set[str] = set()
    friends: set[str] = set()
    for place, line in enumerate(lines):
        clear = line.thing in seen and not (line.thing.unit or any(stories.alike(line.thing, each) for each in things))
        naming = stories.naming_of(line, place, draws[place] >> 56, plain, place == len(lines) - 1, clear)
        seen.add(line.thing)
        mates = 0
        if isinstance(line, Comparison):
            # How things are after somebody's number has changed.
            teller.linkable = 2 if changed & {line.agent, line.other} else 0
            # Who is whose friend is told once of each, and not of two who are both known already.
            pair = {line.agent, line.other}
            mates = 2 if friendly[place] and pair - known and line.other not in friends else 0
            mates += 4 if friendly[place] and line.agent not in known else 0
        if shared[place] and isinstance(line, Transfer) and line.receiver and line.sender:
            # The subject is known, and the other is mentioned for the first time.
            mates = (line.receiver in known) + 2 * (line.sender in known)
            mates = mates if mates < 3 else 0
        known |= {*people(line, True)}
        rows.append(teller.row(told[place], draws[place], naming, stories.extra_words(line, naming), 0, mates))
        if rows[-1].frame.mate:
            friends |= {*people(line, True)}
        teller.ahead -= 1
        if shared[place] and told[place] in stories.HAPPENING:
            changed |= {*people(line, True)}
            teller.linkable = 1
        else:
            teller.linkable = 0
            if isinstance(line, Comparison):
                changed.clear()
    return rows, told


def _matched(
    story: stories.Story,
    problem: Problem,
    lines: Sequence[Form | Question],
    places: Sequence[int],
    first: Sequence[_Row],
    model: Sequence[str],
    draws: Sequence[int],
) -> list[_Row]:
    """The rows of a problem beside the one that is told first."""
    told = stories.kinds(problem)
    teller = _Teller(story, len(told))
    rows = []
    for line, kind, place in zip(lines, told, places, strict=True):
        row = first[place]
        if kind == model[place]:
            teller.say(row)
        else:
            teller.linkable = row.linked
            row = teller.row(kind, draws[place], row.naming, stories.extra_words(line, row.naming), row.words)
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


class English:
    """English as it is written in Britain."""

    vocabulary = VOCABULARY

    def surfaces(self, stream: Stream, problems: Sequence[Problem]) -> tuple[Surface, ...]:
        """One surface per problem; sentences with the same form are worded alike in all problems.

        Sentences in the same place that have different forms are equally long, as far as the frames allow; what is
        left over is made up for in the next sentence.
        """
        return draw(stream, problems)

    def sentences(self, problem: Problem, surface: Surface) -> list[str]:
        """The sentences, the question last. Raises IndexError if the surface belongs to another problem."""
        story = surface.story
        assert isinstance(story, stories.Story)
        text = []
        for place, form in enumerate((*problem.forms, problem.question)):
            kind, before, after, naming = surface.told[place]
            frame = frames_of(story, kind)[surface.templates[place]]
            written = _written(form, story, frame, naming, surface.pronouns[place])
            sentence = before + written + after
            text.append(f"{sentence[0].upper()}{sentence[1:]}{'?' if isinstance(form, Question) else '.'}")
        return text


WORDING = English()


def _written(form: Form | Question, story: stories.Story, frame: Frame, naming: int, pronoun: bool) -> str:
    first, second = story.words
    if isinstance(form, Question):
        agents = form.agents
        subject, other = agents[0], agents[-1]
    elif isinstance(form, Transfer):
        subject, other = (form.receiver, form.sender) if frame.receives else (form.sender, form.receiver)
    else:
        subject, other = form.agent, form.other if isinstance(form, Comparison) else ""
    own = PRONOUNS[subject][1] if subject in PRONOUNS else possessive(subject)
    whose = own if pronoun else possessive(subject)
    if pronoun:
        subject = PRONOUNS[subject][0]
    words = stories.phrases(form.thing, naming)
    if isinstance(form, Question):
        values: tuple[object, ...] = (
            subject,
            whose,
            own,
            other,
            words.plural[1:],
            story.anchor,
            first,
            second,
            first,
            second,
        )
        return frame.pattern % frame.picked(values)
    number = form.quantity
    amount = f"{number}{words.singular if number == 1 else words.plural}"
    were = "was" if number == 1 else "were"
    if isinstance(form, Transfer):
        values = subject, other, amount, own, story.mate
    elif isinstance(form, Container):
        values = subject, whose, own, amount, were, story.anchor, second, first, second
    elif isinstance(form, Comparison):
        relation = form.relation
        if relation in "*/":
            amount = (times(number) if relation == "*" else part(number)) + words.as_many
            were = "was" if form.thing.unit in MEASURES else "were"
        elif number == 1:
            amount = f"1{words.one_more if relation == '+' else words.one_fewer}"
        else:
            amount = f"{number}{words.more if relation == '+' else words.fewer}"
        values = (
            subject,
            whose,
            other,
            possessive(other),
            amount,
            story.anchor,
            second,
            first,
            second,
            were,
            own,
            story.mate,
        )
    else:
        per = stories.phrases(form.per, stories.FULL)
        count = spelled(number)
        each = f"{count}{words.singular if number == 1 else words.plural}"
        holder = per.singular[1:]
        single = f"{article(holder)} {holder}"
        values = subject, whose, own, holder, single, per.plural[1:], words.plural[1:], count, each, were
    return frame.pattern % frame.picked(values)
