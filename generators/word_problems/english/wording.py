"""The English wording, which turns forms into sentences; `WORDING` implements `word_problems.wording.Wording`.

The text is a function of problem and surface. Templates come from `templates`, phrases for things from `phrases`.
"""

from __future__ import annotations

from collections.abc import Sequence

from generators.stream import Stream
from generators.word_problems.english import templates
from generators.word_problems.english.inflection import part, possessive, times
from generators.word_problems.english.phrases import phrases
from generators.word_problems.english.templates import RADIX, Template
from generators.word_problems.english.vocabulary import PRONOUNS, VOCABULARY
from generators.word_problems.forms import Comparison, Container, Form, Problem, Question, Rate, Thing, Transfer
from generators.word_problems.wording import Surface

__all__ = ["WORDING", "English"]

_POWERS = tuple(RADIX**n for n in range(32))
_LATER = templates.CONTAINER[: templates.LATER]
_QUESTIONS = {"count": templates.COUNT, "total": templates.TOTAL, "difference": templates.DIFFERENCE}
_TIMELESS = {id(templates.CONTAINER): templates.LATER, id(templates.COUNT): templates.TIMELESS}


class English:
    """Everything is in the present tense; a pronoun occurs only where it is unambiguous."""

    vocabulary = VOCABULARY

    def surfaces(self, stream: Stream, problems: Sequence[Problem]) -> tuple[Surface, ...]:
        """One surface per problem, all from the same two draws, so sentences of the same form are worded alike.

        A coin decides on a pronoun if all problems allow one: the sentence must have the same subject as the sentence
        before it, and up to its end nobody else of that gender may be named. Words of time (at first, now, in the end)
        are drawn only if something changes hands in all problems.
        """
        eventful = True
        longest = 0
        for forms, _ in problems:
            eventful = eventful and Transfer in map(type, forms)
            longest = max(longest, len(forms))
        value = stream.below(_POWERS[longest + 1])
        coins = stream.word() & (2 << longest) - 1  # one per sentence: the lowest bits
        draws = []
        for _ in range(longest + 1):
            value, draw = divmod(value, RADIX)
            draws.append(draw)
        chosen = []
        for forms, question in problems:
            indices = []
            about = ""
            named: list[str] = []
            # The question takes the first draw, so that problems of different lengths share its template.
            places = (*range(1, len(forms) + 1), 0)
            for place, form in zip(places, (*forms, question)):
                options = _options(forms, place - 1, form)
                index = draws[place] % (len(options) if eventful else _TIMELESS.get(id(options), len(options)))
                indices.append(index)
                template = options[index]
                subject, other = _people(form, template)
                named += subject, other
                # The costly test comes last: the cheap ones rarely leave a pronoun possible.
                if coins >> place & 1 and not (subject == about and template.pronoun and _is_plain(subject, named)):
                    coins ^= 1 << place
                about = subject
            chosen.append((tuple(indices), places))
        return tuple(
            [Surface(indices, tuple([coins >> place & 1 == 1 for place in places])) for indices, places in chosen]
        )

    def sentences(self, problem: Problem, surface: Surface) -> list[str]:
        """The sentences, the question last. Raises IndexError if the surface belongs to another problem."""
        forms, indices, pronouns = problem.forms, surface.templates, surface.pronouns
        text = []
        for i, form in enumerate(forms):
            template = _options(forms, i, form)[indices[i]]
            text.append(_sentence(form, template, pronouns[i]))
        question = problem.question
        template = _QUESTIONS[question.kind][indices[-1]]
        text.append(_question_sentence(question, template, pronouns[-1]))
        return text


WORDING = English()


def _is_plain(subject: str, named: Sequence[str]) -> bool:
    """Whether a pronoun can only mean the subject, given the names so far ("" stands for nobody)."""
    gender = PRONOUNS.get(subject)
    return gender is not None and {name for name in named if PRONOUNS.get(name) == gender} == {subject}


def _options(forms: tuple[Form, ...], i: int, form: Form | Question) -> tuple[Template, ...]:
    """The templates that fit the form at index i."""
    if isinstance(form, Container):
        return _LATER if i else templates.CONTAINER
    if isinstance(form, Comparison):
        return templates.ADDITIVE if form.relation in "+-" else templates.MULTIPLICATIVE
    if isinstance(form, Transfer):
        if form.receiver:
            return templates.MOVING if form.sender else templates.GETTING
        return templates.GIVING
    if isinstance(form, Rate):
        return templates.DIVIDING if _known(forms[:i], form.agent, form.thing) else templates.MULTIPLYING
    return _QUESTIONS[form.kind]


def _people(form: Form | Question, template: Template) -> tuple[str, str]:
    """The subject of the sentence, and the other agent that it names, or ""."""
    if isinstance(form, Transfer):
        return (form.receiver, form.sender) if template.receives else (form.sender, form.receiver)
    if isinstance(form, Comparison):
        return form.agent, form.other
    if isinstance(form, Question):
        return form.agents[0], "" if len(form.agents) == 1 else form.agents[1]
    return form.agent, ""


def _known(forms: tuple[Form, ...], agent: str, thing: Thing) -> bool:
    """Whether earlier sentences determine how many of the thing the agent has."""
    for form in forms:
        if isinstance(form, Rate):
            if form.agent == agent and thing in (form.thing, form.per):
                return True
        elif form.thing == thing and agent in form[: 3 if isinstance(form, Comparison) else 2]:
            return True
    return False


def _sentence(form: Form, template: Template, pronoun: bool) -> str:
    number = form.quantity
    words = phrases(form.thing)
    noun = words.singular if number == 1 else words.plural
    if isinstance(form, Transfer):
        subject, other = (form.receiver, form.sender) if template.receives else (form.sender, form.receiver)
        first = subject
        if pronoun:
            subject = PRONOUNS[subject][0]
            first = subject.capitalize()
        return template.pattern % template.picked((subject, first, other, f"{number} {noun}"))
    agent = form.agent
    if pronoun:
        subject, whose = PRONOUNS[agent]
        first, first_whose = subject.capitalize(), whose.capitalize()
    else:
        subject = first = agent
        whose = first_whose = possessive(agent)
    are = "is" if number == 1 else "are"
    if isinstance(form, Comparison):
        relation = form.relation
        if relation in "+-":
            more, factor, factor_of = "more" if relation == "+" else "fewer", "", ""
        elif relation == "*":
            more, factor = "", times(number)
            factor_of = factor
        else:
            more, factor = "", part(number)
            factor_of = factor if number == 2 else factor + " of"
        other = form.other
        values: tuple[object, ...] = (subject, first, whose, other, possessive(other), number, noun, words.plural, are)
        values += (more, factor, factor_of, words.as_many, words.bare, words.kind)
        return template.pattern % template.picked(values)
    amount = f"{number} {noun}"
    if isinstance(form, Container):
        return template.pattern % template.picked(
            (subject, first, whose, first_whose, amount, number, words.plural, are)
        )
    own = PRONOUNS[agent][1] if agent in PRONOUNS else possessive(agent)
    per = phrases(form.per)
    each = f"{number} {words.each_singular if number == 1 else words.each_plural}"
    contents = per.singular, per.plural, words.stuff, words.stuff_are, each
    return template.pattern % template.picked((subject, first, whose, first_whose, own, amount, are, *contents))


def _question_sentence(question: Question, template: Template, pronoun: bool) -> str:
    agents = question.agents
    many = phrases(question.thing).plural
    agent, whose = PRONOUNS[agents[0]] if pronoun else (agents[0], possessive(agents[0]))
    if question.kind == "count":
        return template.pattern % template.picked((agent, whose, "", "", many))
    return template.pattern % template.picked((agent, whose, agents[1], possessive(agents[1]), many))
