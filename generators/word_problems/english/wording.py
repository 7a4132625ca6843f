"""The English wording: problems of a group in, their texts out.

Everything is in the past tense. First the rows of a text are drawn: one story, and for each sentence a frame, a detail
and whether its subject is a pronoun. Then each problem of the group is written with these rows, so that sentences which
say the same are the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.designs.chain import Shares
from hansproof.generators.word_problems.english.idle import remark
from hansproof.generators.word_problems.english.recipes import (
    BARE_DETAIL,
    GIVE,
    INTRODUCE,
    NONE,
    RECEIVE,
    Book,
    Detail,
    Frame,
    Recipe,
    book_of,
    compiled,
    detail,
)
from hansproof.generators.word_problems.english.sentences import ENDS, LATER
from hansproof.generators.word_problems.english.vocabulary import (
    HOMES,
    MASSES,
    MEASURES,
    PARTS,
    PLURALS,
    PRONOUNS,
    TIMES,
    Setting,
    plural,
)
from hansproof.generators.word_problems.forms import (
    Comparison,
    Container,
    Form,
    Problem,
    Question,
    Remark,
    Thing,
    Transfer,
)

__all__ = ["FULL", "Row", "Story", "phrases", "rows_of", "story_of", "texts", "written"]

# A thing is named in full, in short or not at all: 3 red pens, 3 pens, 3; 3 jars of plum jam, 3 jars, 3.

FULL, SHORT, BARE = 0, 1, 2
"""How a sentence names a thing."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases that name a thing in one of the three ways; each is preceded by a number, a word or a space."""

    plural: str
    """` red pens` of 3 red pens; empty where the thing is not named."""
    singular: str
    more: str
    """` more red pens`; ` kilograms more flour`."""
    fewer: str
    """` fewer red pens`; ` kilograms less flour`."""
    as_many: str
    """` as many red pens`; ` as much flour`."""


@lru_cache(8192)
def phrases(thing: Thing, style: int = FULL) -> Phrases:
    """The phrases for a thing. A noun that is on no list gets a regular plural."""
    entity, attribute, unit = thing
    before = f"{attribute} " if attribute and style == FULL else ""
    if unit in MEASURES:
        units, of = PLURALS[unit], "" if style else f" of {before}{entity}"
        stuff = "" if style == BARE else f" {before}{entity}"
        tail = "" if style else stuff
        return Phrases(f" {units}{of}", f" {unit}{of}", f" {units} more{tail}", f" {units} less{tail}",
                       f" as much{stuff}")  # fmt: skip
    if style == BARE:
        return Phrases("", "", " more", " fewer", " as many")
    if unit:
        of = "" if style else f" of {before}{entity}"
        single, many = f" {unit}{of}", f" {PLURALS.get(unit) or plural(unit)}{of}"
    else:
        mass = entity in MASSES and entity not in PLURALS
        single, many = f" {before}{entity}", f" {before}{entity if mass else PLURALS.get(entity) or plural(entity)}"
    return Phrases(many, single, f" more{many}", f" fewer{many}", f" as many{many}")


_ELSEWHERE = ("own", "deliver", "keep", "look after")
"""Verbs that need no place, or another one."""


class Story(NamedTuple):
    """What all sentences of a problem share."""

    setting: Setting
    words: tuple[str, str]
    """Base form and past tense of what people do with the things."""
    anchor: str
    """The place that the first sentence names, if it is none of the setting; else ""."""
    mate: str
    """What two people of the story are to each other."""
    book: Book


def story_of(problem: Problem, bits: int) -> Story:
    """The story by 64 random bits.

    Only where people are just compared can they do anything else than have things.
    """
    forms, question = problem
    thing = question.thing
    setting, group = HOMES[thing.entity, thing.unit]
    voice, words, anchor = "had", ("", ""), ""
    which, pick, place, friend = bits & 0xFF, bits >> 8 & 0xFF, bits >> 16 & 0xFF, bits >> 24 & 0xFF
    quiet = question.kind == "count" and all(isinstance(form, Comparison) for form in forms[1:])
    if quiet and which < 236:
        voice = "did"
        # Nobody counts litres.
        verbs = [did for did in setting.groups[group].did if did[0] != "count" or thing.unit not in MEASURES]
        words = verbs[pick % len(verbs)]
        anchor = setting.place[place % len(setting.place)] if words[0] not in _ELSEWHERE else ""
    mate = setting.mates[friend % len(setting.mates)]
    return Story(setting, words, anchor, mate, book_of(setting.name, group, voice, bool(anchor)))


class Row(NamedTuple):
    """How a sentence is told."""

    frame: Frame
    detail: Detail
    naming: int
    pronoun: bool


_FRIENDS = 6
"""Of so many it is told whose friends they are: more is tedious."""
_LATE = 9
"""The place in the order of time after which an event is near the end."""


class _Teller:
    """The state of telling a problem: what has been said."""

    __slots__ = ("_mate", "book", "changed", "friends", "introduced", "linkable", "linked", "mated", "moment",
                 "parties", "people", "sentences", "status", "told", "used")  # fmt: skip

    def __init__(self, story: Story, sentences: int) -> None:
        self.book, self._mate = story.book, story.mate[:5]
        self.sentences = sentences
        """How many are still to come."""
        self.used: set[str] = set()
        self.told: set[str] = set()
        self.parties: set[str] = set()
        self.mated = False
        self.moment = self.linkable = 0
        self.status: dict[str, str] = {}
        """Agent -> whether something has come or gone since the text said how many they have."""
        self.changed: set[str] = set()
        self.friends: set[str] = set()
        self.introduced = False
        self.people: set[str] = set()
        self.linked: tuple[str, ...] = ()  # whom the sentence before names, if it is a transfer

    def kind_of(self, form: Form | Question, place: int, shares: Shares) -> tuple[str, int, tuple[str, str]]:
        """The kind of a sentence, what it may say of two people, as for `Book.recipes`, and these (the giver first)."""
        if isinstance(form, Transfer):
            return self._moving(form)
        if isinstance(form, Comparison):
            return self._comparing(form, place == shares.tested)
        self.linkable, self.linked = int(self.moment > _LATE), ()
        if isinstance(form, Question):
            agents = form.agents
            kind = "either" if shares.matched else _asked(form, self.status)
            return kind, 0, (agents[0], "" if len(agents) == 1 else agents[1])
        self.status[form.agent] = ""
        self.people.add(form.agent)
        return "other" if place else "start", 0, (form.agent, "")

    def _moving(self, form: Transfer) -> tuple[str, int, tuple[str, str]]:
        receiver, sender, _, _ = form
        pair = sender, receiver
        status, people = self.status, self.people
        # The subject is known, and the other is mentioned for the first time.
        known, met = receiver in people, sender in people
        people.update(pair)
        self.changed.update(pair)
        self.linkable, self.linked = 1 if self.linked else 0, pair
        if receiver in status:
            status[receiver] = "changed"
        if sender in status and not status[sender]:
            status[sender] = "reduced"
        if not (receiver and sender):
            return "lose" if sender else "gain", 0, pair
        allowed = known != met and len(self.friends) < _FRIENDS
        return "moving", (GIVE if known else RECEIVE) if allowed else 0, pair

    def _comparing(self, form: Comparison, tested: bool) -> tuple[str, int, tuple[str, str]]:
        agent, relation, other, _, _ = form
        pair = agent, other
        self.linkable = 0
        if not self.changed.isdisjoint(pair):
            self.linkable = 2 if agent in self.linked or other in self.linked else 3
            self.changed.clear()  # what has happened before is told by now
        self.linked, allowed = (), 0
        if not tested:  # swapping two names must not swap their sexes
            # Who is whose friend is told once of each, and not of two who are both known already.
            new = agent not in self.people
            if (new or other not in self.people) and other not in self.friends and len(self.friends) < _FRIENDS:
                allowed = RECEIVE
            allowed += INTRODUCE if new and not self.introduced else 0
        self.people.update(pair)
        self.status.setdefault(agent, "")
        self.status.setdefault(other, "")
        return "additive" if relation in "+-" else "multiplicative", allowed, pair

    def choose(self, kind: str, bits: int, allowed: int) -> tuple[Frame, Detail]:
        """The frame and the detail of a sentence by 64 bits; `allowed` as for `Book.recipes`."""
        options, linkable = self.book.recipes(kind, allowed), self.linkable
        if linkable > 1:
            recipe = options[linkable - 1]
        else:
            recipe = options[(bits & 0xFF) % len(options)]
            if recipe.linking > linkable:
                recipe = options[0]
        told, frames = NONE, recipe.frames
        if recipe.details is not BARE_DETAIL:
            told, frames = self._detail(recipe, bits >> 8 & 0xFFFF)
        many, first, said = len(frames), bits >> 24 & 0xFFFF, self.told
        for at in range(first, first + many):
            frame = frames[at % many]
            if frame.pattern not in said and (frame.free or not self._stale(frame)):
                break
        said.add(frame.pattern)
        self.introduced |= frame.introduces
        if not frame.free:
            self.parties |= frame.parties
            self.mated |= frame.mate
        self.sentences -= 1
        return frame, told

    def _stale(self, frame: Frame) -> bool:
        """Whether a sentence of the same party was told.

        A baker is not to be another baker, nor a friend without a name the friend who has one.
        """
        if frame.mate:
            return self._mate in self.parties
        parties = frame.parties
        return bool(parties) and (not self.parties.isdisjoint(parties) or (self.mated and self._mate in parties))

    def _detail(self, recipe: Recipe, bits: int) -> tuple[Detail, tuple[Frame, ...]]:
        """A detail, and the frames that it suits; none where there are no such frames."""
        details = recipe.details
        if recipe.moments:
            at = bisect_right(recipe.moments, self.moment)
            left = len(details) - at
            if left <= 0:
                return NONE, recipe.frames
            told = details[at + bits % (2 * left // (self.sentences + 1) or 1)]
        else:
            for step in range(len(details)):
                told = details[(bits + step) % len(details)]
                if told.phrase not in self.used:
                    break
        frames = recipe.plain if told.before else recipe.frames
        if not frames:
            return NONE, recipe.frames
        self.used.add(told.phrase)
        if told.moment:
            self.moment = told.moment
        return told, frames


_ALONE = ("gain", "lose")
"""The kinds of events that name nobody but the subject."""


def _naming(form: Form | Question, kind: str, described: bool, chance: int) -> int:
    """How a sentence after the first names its thing: in full, in short, or not at all; with its attribute, if it has
    one."""
    short = FULL if described else SHORT
    if isinstance(form, Container | Remark):
        return short
    if isinstance(form, Question):
        return FULL if chance < 140 else short
    if chance < 56:
        return FULL
    return short if chance < 112 or kind in _ALONE else BARE


def rows_of(stream: Stream, story: Story, problem: Problem, shares: Shares) -> list[Row]:
    """How each sentence of a problem is told, the question last.

    The subject is a pronoun in three of four cases where it is that of the sentence before, neither of them names
    anybody else of that sex, and in the question nobody else of that sex has been named at all.
    """
    forms, question = problem
    described = bool(question.thing.attribute)
    teller = _Teller(story, 1 + len(forms))
    people = teller.people
    rows: list[Row] = []
    about, before, nameless = "", ("", ""), _NOBODY
    vague = any(form.quantity is None for form in forms)
    tested = shares.tested
    # Near a sentence in which people change places, and before the question behind it, everybody is called by name.
    bare: Collection[int] = (tested, tested + 1, len(forms) - 1) if tested >= 0 else ()
    if shares.matched:
        bare = range(2 + len(forms))
    for place, form in enumerate((*forms, question)):
        bits = stream.word()
        kind, allowed, pair = teller.kind_of(form, place, shares)
        frame, told = teller.choose(kind, bits, allowed)
        if frame.receives:
            pair = pair[1], pair[0]
        subject, pronoun = pair[0], False
        if subject == about and bits >> 40 & 3 and frame.pronoun and place not in bare:
            named = (*before, pair[1], *(people if before[1] or form is question else ()))
            pronoun = _is_plain(subject, named, nameless)
        about, before, nameless = subject, pair, frame.genders
        # Nobody is given `some`.
        chance = bits >> 56 & (0x6F if vague and isinstance(form, Transfer) else 0xFF)
        rows.append(Row(frame, told, _naming(form, kind, described, chance) if place else FULL, pronoun))
        if frame.mate:
            teller.friends.update(pair)
    return rows


_NOBODY: frozenset[str] = frozenset()


def _asked(question: Question, status: dict[str, str]) -> str:
    """The kind of the question: only where something has come or gone may it say after that, or in the end; and left,
    where nothing has come."""
    signs = [status.get(agent, "") for agent in question.agents]
    if question.kind == "count":
        return signs[0] or "count"
    return f"{question.kind} changed" if any(signs) else question.kind


def _is_plain(subject: str, named: Sequence[str], nameless: frozenset[str]) -> bool:
    """Whether a pronoun can only mean the subject, given the names in two sentences ("" stands for nobody) and who
    else is in the first of them, such as his brother."""
    gender = PRONOUNS[subject]
    if gender[0] in nameless:
        return False
    return all(name == subject or not name or PRONOUNS[name] != gender for name in named)


def written(form: Form | Question, story: Story, row: Row, extra: str = "") -> str:
    """The sentence that tells a form; `extra` is what a remark says."""
    frame, detail, naming, pronoun = row
    pattern, end = frame.pattern, "."
    values: tuple[object, ...]
    if isinstance(form, Transfer):
        subject, other, quantity, thing = form
        if not frame.receives:
            subject, other = other, subject
        he, own, _ = PRONOUNS[subject]
        values = he if pronoun else subject, other, _amount(quantity, thing, naming), own, story.mate
    elif isinstance(form, Comparison):
        subject = form.agent
        he, own, _ = PRONOUNS[subject]
        values = (he if pronoun else subject, form.other, _compared(form, naming), story.words[1], own, story.mate)
    elif isinstance(form, Question):
        subject, *others = form.agents
        name = PRONOUNS[subject][0] if pronoun else subject
        values = name, others[0] if others else name, phrases(form.thing, naming).plural[1:], *story.words
        end = "?"
    else:
        subject = form.agent
        if isinstance(form, Remark):
            amount, pattern = extra, pattern.replace("had %s of %s own", "%s%.0s")
        else:
            amount = _amount(form.quantity, form.thing, naming)
        he, own, _ = PRONOUNS[subject]
        values = he if pronoun else subject, own, amount, story.anchor, story.words[1]
    sentence = pattern % frame.picked(values)
    if detail.before:
        return f"{detail.before}{sentence}{detail.after}{end}"
    return f"{sentence[0].upper()}{sentence[1:]}{detail.after}{end}"


def _amount(quantity: int | None, thing: Thing, naming: int) -> str:
    return f"{'some' if quantity is None else quantity}{phrases(thing, naming).plural}"


def _compared(form: Comparison, naming: int) -> str:
    relation, number, words = form.relation, form.quantity, phrases(form.thing, naming)
    assert number is not None
    if relation in "*/":
        return (TIMES if relation == "*" else PARTS)[number] + words.as_many
    return f"{number}{words.more if relation == '+' else words.fewer}"


def texts(stream: Stream, problems: Sequence[Problem], shares: Shares) -> tuple[list[str], str]:
    """The prompts of the problems of a group, and the name of the setting of the first one."""
    again = [stream.child(which + 1) for which in range(shares.again)]
    if again:
        stream = stream.child(0)
    fullest = problems[-1] if shares.idle >= 0 else problems[0]
    story = story_of(fullest, stream.word())
    rows = rows_of(stream, story, fullest, shares)
    if shares.matched:
        return _matched(stream, problems, story, rows), story.setting.name
    lines = [written(form, story, row) for form, row in zip((*fullest.forms, fullest.question), rows, strict=True)]
    if shares.idle >= 0:
        return _idle(stream, problems, story, rows, lines, shares), story.setting.name
    told = [" ".join(lines)]
    whole = (*fullest.forms, fullest.question)
    for problem in problems[1 : len(problems) - shares.again]:
        same = zip((*problem.forms, problem.question), whole, rows, lines, strict=True)
        sentences = [line if form is known else written(form, story, row) for form, known, row, line in same]
        told += [" ".join(sentences)]
    seen = {told[0]}
    for other in again:
        while True:
            (text,), _ = texts(other, problems[:1], Shares())
            if text not in seen:
                break
        seen.add(text)
        told.append(text)
    return told, story.setting.name


def _idle(
    stream: Stream, problems: Sequence[Problem], story: Story, rows: list[Row], lines: list[str], shares: Shares
) -> list[str]:
    """The prompts of the four arms: without idle sentences, with two sorts of remarks as long, and with them."""
    start, stop = shares.idle, shares.idle + shares.idles
    told = [" ".join([*lines[:start], *lines[stop:]])]
    full = problems[-1].forms
    for problem in problems[1:-1]:
        sentences = lines.copy()
        for place in range(start, stop):
            form, usable = problem.forms[place], full[place]
            assert isinstance(form, Remark)
            assert isinstance(usable, Container)
            had = f"had {_amount(usable.quantity, usable.thing, SHORT)} of her own"
            said = remark(stream, had, form.quantity)
            sentences[place] = written(form, story, rows[place], said)
        told.append(" ".join(sentences))
    return [*told, " ".join(lines)]


# A story of comparisons beside one of transfers: each of its sentences has as many words and commas as its counterpart,
# and as many characters as make up for those that differ so far.

_ENDS = tuple((detail(f"{after}, "), detail(f"{given}, ")) for after, given in ENDS.items())
_WAYS = 7
"""How many ways, at most, to tell a sentence are tried, for one after which both stories are as long."""


class _Match(NamedTuple):
    """Two ways to tell a transfer and a comparison of the same thing in equally many words."""

    moving: Frame
    moving_naming: int
    comparing: Frame
    comparing_naming: int


@lru_cache(8192)
def _matches(book: Book, thing: Thing, later: bool) -> tuple[_Match, ...]:
    """All matches; `later` adds a word to the transfer, such as `then`."""
    return tuple(
        _Match(moving, naming, comparing, other)
        for moving, naming in product(book.recipes("moving")[0].frames, (FULL, SHORT, BARE) if later else (FULL, SHORT))
        for comparing, other in product(_COMPARING, (FULL, SHORT, BARE))
        if moving.words + later + phrases(thing, naming).plural.count(" ")
        == comparing.words + phrases(thing, other).more.count(" ")
    )


_COMPARING = tuple(frame for frame in compiled("additive had") if not frame.mate)


def _matched(stream: Stream, problems: Sequence[Problem], story: Story, rows: Sequence[Row]) -> list[str]:
    moved, compared = problems
    moves, comparisons = list[str](), list[str]()
    adverbs = iter(LATER)
    taken, debt = set[Frame](), 0
    for row, form, other in zip(rows, (*moved.forms, moved.question), (*compared.forms, compared.question)):
        adverb, ways = " ", [(row, row)]
        if isinstance(form, Transfer):
            adverb = f" {next(adverbs)} " if moves[1:] else " "
            matches = _matches(story.book, form.thing, len(adverb) > 1)
            fitting = [each for each in matches if each.moving not in taken] or matches
            at, step = stream.below(len(fitting)), 1 + len(fitting) // _WAYS
            ways = [
                (Row(moving, NONE, naming, False), Row(comparing, NONE, named, False))
                for moving, naming, comparing, named in (*fitting[at::step], *fitting[at % step : at : step])
            ]
        elif isinstance(form, Question):
            ways = [(row._replace(detail=after), row._replace(detail=given)) for after, given in _ENDS]
        pairs = [
            (written(form, story, first).replace(" ", adverb, 1), written(other, story, second))
            for first, second in ways
        ]
        # One too few makes up for long names, which nothing else does.
        gaps = [abs(debt + len(sentence) - len(counterpart) + 1) for sentence, counterpart in pairs]
        best = gaps.index(min(gaps))
        sentence, counterpart = pairs[best]
        taken.add(ways[best][0].frame)
        debt += len(sentence) - len(counterpart)
        moves.append(sentence)
        comparisons.append(counterpart)
    return [" ".join(moves), " ".join(comparisons)]
