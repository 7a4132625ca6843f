"""A second, tiny language: shows what a language must provide, and that the generator itself contains no English."""

import re

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.dataset import DATASET, PLANS, group
from hansproof.generators.word_problems.designs.chain import packings, thing
from hansproof.generators.word_problems.forms import (
    Comparison,
    Container,
    Rate,
    Stock,
    Surface,
    Thing,
    Transfer,
    Vocabulary,
)

NUMBERED = tuple(f"N{i}" for i in range(40))


def thing_text(thing):
    return "-".join(part for part in thing if part)


def stocked(*things, holders=("kiste", "tasche")):
    """Things that people may have any number of, in any container."""
    boxes = tuple((Thing(holder), 999) for holder in holders)
    named = [Thing(thing) if isinstance(thing, str) else Thing(thing[0], "", thing[1]) for thing in things]
    return tuple(Stock(thing, 2, 999, "schule", ("rot", "blau"), boxes) for thing in named)


class Toy:
    """Sentences such as `N1 hat 5 apfel-rot.`, which repeat what a design draws word for word."""

    vocabulary = Vocabulary(NUMBERED, stocked("apfel", "buch", "stift", ("mehl", "kilo"), ("apfel", "kilo")))

    def surfaces(self, stream, problems):
        templates = [stream.below(2) for _ in max(problems, key=lambda problem: len(problem.forms)).forms]
        lengths = [len(problem.forms) for problem in problems]
        return tuple(Surface((*templates[:length], 0), (False,) * (length + 1)) for length in lengths)

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
    other.vocabulary = Vocabulary(NUMBERED[::-1], stocked("ei", ("salz", "pfund"), holders=("sack", "korb")))
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
    only = Vocabulary(NUMBERED, stocked("ei", "salz", holders=("sack",)))
    with pytest.raises(InputError, match=r"^vocabulary: nobody has 20 of anything that fits$"):
        packings(Stream(1), only, "*/", 20, 5)
    first, contents, last = packings(Stream(1), TOY.vocabulary, "*/", 20, 5)
    assert {first.entity, last.entity} == {"kiste", "tasche"}
    assert contents.entity in ("apfel", "buch", "stift", "mehl")


def test_things_suit_their_numbers():
    few, many = stocked("ei")[0]._replace(most=12), stocked("korn")[0]._replace(least=50)
    farm = Vocabulary(NUMBERED, (few, many))
    assert farm.fitting(12) == (few,)
    assert farm.fitting(900, 50) == (many,)
    assert farm.fitting(900) == ()
    assert thing(Stream(1), farm, (50, 900)).entity == "korn"
    assert farm.beside(few.thing, 900, 50) == (many,)
    with pytest.raises(InputError, match=r"^vocabulary: nobody has 1000 of anything that fits$"):
        thing(Stream(1), farm, (2, 1000))
