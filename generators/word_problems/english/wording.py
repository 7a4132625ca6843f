"""The English wording: forms in, sentences out; `WORDING` fulfils the protocol of `word_problems.wording`.

Text is a function of problem and surface. Templates come from `templates`, phrases for things from `phrases`.
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
_NOBODY = ("", "")


class English:
    """Present tense throughout; a pronoun only where it can mean one person."""

    vocabulary = VOCABULARY

    def surfaces(self, stream: Stream, problems: Sequence[Problem]) -> tuple[Surface, ...]:
        """One for each problem, from the same two draws: what is of one form is worded alike.

        A pronoun is drawn by a coin where all the problems allow it: where the sentence is about whom the sentence
        before was about, and nobody else of that gender has been mentioned, this sentence included.
        """
        longest = max([len(problem.forms) for problem in problems])
        value = stream.below(_POWERS[longest + 1])
        coins = stream.word()
        draws = []
        for _ in range(longest + 1):
            value, draw = divmod(value, RADIX)
            draws.append(draw)
        chosen = []
        for problem in problems:
            indices = []
            about = ""
            seen: dict[tuple[str, str], str] = {}
            ambiguous: set[tuple[str, str]] = set()
            forms = problem.forms
            for i, form in enumerate((*forms, problem.question)):
                # The question has the first draw, so that problems of different lengths may share its template.
                place = i + 1 if i < len(forms) else 0
                options = _options(forms, i, form)
                index = draws[place] % len(options)
                template = options[index]
                indices.append(index)
                if isinstance(form, Question):
                    people = form.agents
                elif isinstance(form, Comparison):
                    people = (form.agent, form.other)
                elif isinstance(form, Transfer):
                    people = (form.receiver, form.sender) if template.receives else (form.sender, form.receiver)
                else:
                    people = (form.agent,)
                for person in people:
                    gender = PRONOUNS.get(person, _NOBODY)
                    if person and seen.setdefault(gender, person) != person:
                        ambiguous.add(gender)
                subject = people[0]
                if coins >> place & 1 and (
                    not template.pronoun
                    or subject != about
                    or subject not in PRONOUNS
                    or PRONOUNS[subject] in ambiguous
                    or (len(people) > 1 and isinstance(form, Question))
                ):
                    coins ^= 1 << place
                about = subject
            chosen.append(tuple(indices))
        return tuple(
            Surface(indices, (*tuple([bool(coins >> place & 1) for place in range(1, len(indices))]), bool(coins & 1)))
            for indices in chosen
        )

    def sentences(self, problem: Problem, surface: Surface) -> list[str]:
        """The sentences, the question last. Raises IndexError where the surface is of another problem."""
        forms, indices, pronouns = problem.forms, surface.templates, surface.pronouns
        text = []
        for i, form in enumerate(forms):
            template = _options(forms, i, form)[indices[i]]
            text.append(_sentence(form, template, pronouns[i]))
        question = problem.question
        template = _QUESTIONS[question.kind][indices[-1]]
        text.append(_asked(question, template, pronouns[-1]))
        return text


WORDING = English()


def _options(forms: tuple[Form, ...], i: int, form: Form | Question) -> tuple[Template, ...]:
    """The templates that fit a form at its place."""
    if isinstance(form, Transfer):
        if not form.receiver:
            return templates.GIVING
        return templates.MOVING if form.sender else templates.GETTING
    if isinstance(form, Comparison):
        return templates.ADDITIVE if form.relation in "+-" else templates.MULTIPLICATIVE
    if isinstance(form, Container):
        return _LATER if i else templates.CONTAINER
    if isinstance(form, Rate):
        return templates.DIVIDING if _known(forms[:i], form.agent, form.thing) else templates.MULTIPLYING
    return _QUESTIONS[form.kind]


def _known(forms: tuple[Form, ...], agent: str, thing: Thing) -> bool:
    """Whether earlier sentences tell how many of the thing the agent has."""
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
    noun = words.one if number == 1 else words.many
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
        values: tuple[object, ...] = (subject, first, whose, other, possessive(other), number, noun, words.many, are)
        values += (more, factor, factor_of, words.as_many, words.bare, words.kind)
        return template.pattern % template.picked(values)
    amount = f"{number} {noun}"
    if isinstance(form, Container):
        return template.pattern % template.picked((subject, first, whose, first_whose, amount, number, words.many, are))
    own = PRONOUNS[agent][1] if agent in PRONOUNS else possessive(agent)
    per = phrases(form.per)
    each = f"{number} {words.each_one if number == 1 else words.each}"
    values = (subject, first, whose, first_whose, own, amount, are, per.one, per.many, words.stuff, words.stuff_are)
    return template.pattern % template.picked((*values, each))


def _asked(question: Question, template: Template, pronoun: bool) -> str:
    agents = question.agents
    many = phrases(question.thing).many
    agent, whose = PRONOUNS[agents[0]] if pronoun else (agents[0], possessive(agents[0]))
    if question.kind == "count":
        return template.pattern % template.picked((agent, whose, "", "", many))
    return template.pattern % template.picked((agent, whose, agents[1], possessive(agents[1]), many))
