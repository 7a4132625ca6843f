"""A second language, small enough to read: what the generator needs of one, and proof that it knows no English."""

from generators.word_problems.forms import Comparison, Container, Rate, Transfer
from generators.word_problems.wording import Surface, Vocabulary

NUMBERED = tuple(f"N{i}" for i in range(40))


def thing_text(thing):
    return "-".join(part for part in thing if part)


class Toy:
    """`N1 hat 5 apfel-rot.`; what a design draws is told word for word."""

    vocabulary = Vocabulary(
        names=NUMBERED,
        countable=("apfel", "buch", "stift"),
        attributes=("rot", "blau"),
        measured=(("mehl", "kilo"), ("apfel", "kilo")),
        packed=(("kiste", "stift"), ("tasche", "stift"), ("kiste", "mehl")),
    )

    def surfaces(self, stream, problems):
        templates = tuple(stream.below(2) for _ in problems[0].forms)
        length = len(templates) + 1
        return tuple(Surface((*templates, 0), (False,) * length) for _ in problems)

    def sentences(self, problem, surface):
        told = [self.sentence(form, template) for form, template in zip(problem.forms, surface.templates)]
        question = problem.question
        return [*told, f"{question.kind} {' '.join(question.agents)} {thing_text(question.thing)}?"]

    def sentence(self, form, template):
        mark = ".!"[template]
        if isinstance(form, Container):
            return f"{form.agent} hat {form.quantity} {thing_text(form.thing)}{mark}"
        if isinstance(form, Comparison):
            return f"{form.agent} hat {form.relation} {form.quantity} {form.other} {thing_text(form.thing)}{mark}"
        if isinstance(form, Transfer):
            sender, receiver = form.sender or "man", form.receiver or "man"
            return f"{sender} gibt {receiver} {form.quantity} {thing_text(form.thing)}{mark}"
        assert isinstance(form, Rate)
        return f"{form.agent} je {thing_text(form.per)} {form.quantity} {thing_text(form.thing)}{mark}"


TOY = Toy()
