"""A second, tiny language: shows what a language must provide, and that the generator itself contains no English."""

import re

import pytest

from generators.errors import InputError
from generators.stream import Stream
from generators.word_problems.dataset import DATASET
from generators.word_problems.designs.casting import packings
from generators.word_problems.forms import Comparison, Container, Rate, Transfer
from generators.word_problems.problem import group
from generators.word_problems.subsets import PLANS
from generators.word_problems.wording import Surface, Vocabulary

NUMBERED = tuple(f"N{i}" for i in range(40))


def thing_text(thing):
    return "-".join(part for part in thing if part)


class Toy:
    """Sentences such as `N1 hat 5 apfel-rot.`, which repeat what a design draws word for word."""

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
        sentences = [self.sentence(form, template) for form, template in zip(problem.forms, surface.templates)]
        question = problem.question
        return [*sentences, f"{question.kind} {' '.join(question.agents)} {thing_text(question.thing)}?"]

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

ITS_WORDS = r"N\d+|hat|gibt|man|je|apfel|buch|stift|rot|blau|mehl|kilo|kiste|tasche|count|total|difference|\d+"


@pytest.mark.parametrize("subset", PLANS)
def test_problems_in_another_language_contain_no_english_word(subset):
    for number in range(100):
        items = group(DATASET.stream(3), subset, number, TOY, "toy")
        assert len(items) == PLANS[subset].size
        for index, item in enumerate(items):
            assert item.metadata["language"] == "toy"
            left = [word for word in re.split(r"[\s.!?-]+", item.prompt) if not re.fullmatch(ITS_WORDS, word)]
            assert set(left) <= {"", "+", "*", "/"}, item.prompt
            assert DATASET.complete(item, subset, 3, index).line()


def test_designs_do_not_depend_on_the_language():
    other = Toy()
    other.vocabulary = Toy.vocabulary.__class__(
        NUMBERED[::-1], ("ei",), ("klein",), (("salz", "pfund"),), (("sack", "ei"), ("korb", "ei"))
    )
    for subset in PLANS:
        for number in range(30):
            toy_pair, other_pair = (
                group(DATASET.stream(3), subset, number, TOY, "toy"),
                group(DATASET.stream(3), subset, number, other, "other"),
            )
            for toy_item, other_item in zip(toy_pair, other_pair):
                assert toy_item.metadata["steps"] == other_item.metadata["steps"]
                assert toy_item.metadata["keyword"] == other_item.metadata["keyword"]
                assert [form.split("(")[0] for form in toy_item.metadata["forms"]] == [
                    form.split("(")[0] for form in other_item.metadata["forms"]
                ]


def test_a_vocabulary_without_a_second_container_is_refused():
    only = Vocabulary(NUMBERED, ("ei",), ("klein",), (("salz", "pfund"),), (("sack", "ei"), ("korb", "apfel")))
    with pytest.raises(InputError, match=r"^vocabulary: no contents come in two kinds of container$"):
        packings(Stream(1), only, "*/", 20, 5)
    assert [thing.entity for thing in packings(Stream(1), TOY.vocabulary, "*/", 20, 5)][1] == "stift"
