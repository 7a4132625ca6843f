"""The English wording, which turns forms into sentences; `WORDING` implements `word_problems.wording.Wording`.

Everything is in the past tense. The text is a function of problem and surface: frames come from `frames`, phrases for
things from `phrases`, and what suits a story from `recipes`.
"""

from __future__ import annotations

from collections.abc import Sequence

from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.english.drawing import draw
from hansproof.generators.word_problems.english.recipes import Frame, frames_of
from hansproof.generators.word_problems.english.stories import FULL, Story, phrases
from hansproof.generators.word_problems.english.vocabulary import (
    MEASURES,
    PRONOUNS,
    VOCABULARY,
    article,
    part,
    possessive,
    times,
)
from hansproof.generators.word_problems.english.vocabulary import spelled as in_words
from hansproof.generators.word_problems.forms import Comparison, Container, Form, Problem, Question, Surface, Transfer

__all__ = ["WORDING", "English"]


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
        assert isinstance(story, Story)
        text = []
        for place, form in enumerate((*problem.forms, problem.question)):
            kind, before, after, naming = surface.told[place]
            frame = frames_of(story, kind)[surface.templates[place]]
            written = _written(form, story, frame, naming, surface.pronouns[place])
            sentence = before + written + after
            text.append(f"{sentence[0].upper()}{sentence[1:]}{'?' if isinstance(form, Question) else '.'}")
        return text


WORDING = English()


def _written(form: Form | Question, story: Story, frame: Frame, naming: int, pronoun: bool) -> str:
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
    words = phrases(form.thing, naming)
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
        per = phrases(form.per, FULL)
        count = in_words(number)
        each = f"{count}{words.singular if number == 1 else words.plural}"
        holder = per.singular[1:]
        single = f"{article(holder)} {holder}"
        values = subject, whose, own, holder, single, per.plural[1:], words.plural[1:], count, each, were
    return frame.pattern % frame.picked(values)
