"""The English word lists: their sizes, and every plural, ordinal and article against the library inflect."""

import re
from collections import Counter

import inflect
import pytest

from generators.word_problems.english.inflection import article, ordinal, part, plural, possessive, times
from generators.word_problems.english.phrases import phrases
from generators.word_problems.english.vocabulary import MASSES, PLURALS, PRONOUNS, VOCABULARY
from generators.word_problems.forms import Thing

ENGINE = inflect.engine()
# inflect gives other plurals for these; ours are the dictionary forms.
OTHER_PLURALS = {"scarf": "scarves", "cactus": "cacti", "die": "dice"}


def test_the_word_lists_have_their_sizes():
    measured = {entity for entity, _ in VOCABULARY.measured}
    assert len(VOCABULARY.names) == len(set(VOCABULARY.names)) == 200
    assert Counter(gender for _, gender in PRONOUNS.values()) == {"her": 100, "his": 100}
    assert len({*VOCABULARY.countable, *measured}) >= 120
    assert len(VOCABULARY.countable) >= 100
    assert len(MASSES) >= 50
    assert len({unit for _, unit in VOCABULARY.measured}) >= 12
    assert len(VOCABULARY.attributes) >= 20
    assert len({container for container, _ in VOCABULARY.packed}) >= 10


def test_no_list_repeats_an_entry():
    for words in (VOCABULARY.countable, VOCABULARY.attributes, VOCABULARY.measured, VOCABULARY.packed):
        assert len(set(words)) == len(words)


def test_every_word_in_a_pair_is_on_a_list():
    assert {entity for _, entity in VOCABULARY.packed} <= set(VOCABULARY.countable)
    assert {entity for entity, _ in VOCABULARY.measured} <= MASSES | PLURALS.keys()
    assert {entity for entity, _ in VOCABULARY.measured} >= MASSES
    assert not MASSES & PLURALS.keys()
    assert not set(VOCABULARY.attributes) & {*VOCABULARY.countable, *MASSES} - {"orange"}


def test_words_are_lower_case_letters_and_names_are_capitalised():
    for word in [*PLURALS, *PLURALS.values(), *MASSES, *VOCABULARY.attributes]:
        assert re.fullmatch("[a-z]+", word), word
    for name in VOCABULARY.names:
        assert re.fullmatch("[A-Z][a-z]+", name), name


def test_no_name_is_a_word_of_the_vocabulary():
    assert not {name.lower() for name in VOCABULARY.names} & {*PLURALS, *MASSES, *VOCABULARY.attributes}


@pytest.mark.parametrize("noun", sorted(PLURALS))
def test_plurals_agree_with_inflect(noun):
    assert PLURALS[noun] == OTHER_PLURALS.get(noun, ENGINE.plural_noun(noun))


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("watch", "watches"), ("box", "boxes"), ("cherry", "cherries"), ("key", "keys"), ("brush", "brushes")],
)
def test_regular_plurals(noun, expected):
    assert plural(noun) == expected


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("knife", "knives"), ("leaf", "leaves"), ("fish", "fish"), ("potato", "potatoes"), ("loaf", "loaves")],
)
def test_irregular_plurals_are_spelt_out_in_the_lists(noun, expected):
    assert PLURALS[noun] == expected != plural(noun)


def test_ordinals_agree_with_inflect():
    for number in range(2, 1000):
        words = ENGINE.number_to_words(ENGINE.ordinal(number))
        assert ordinal(number) == words


def test_fractions_have_their_article():
    assert [part(n) for n in (2, 3, 4, 5, 8, 11, 18, 20)] == [
        "half", "a third", "a quarter", "a fifth", "an eighth", "an eleventh", "an eighteenth", "a twentieth",
    ]  # fmt: skip
    for number in range(3, 1000):
        word = part(number).split(" ", 1)[1]
        assert part(number) == f"{article(word)} {word}" == ENGINE.a(word)


def test_times_and_possessives():
    assert [times(n) for n in (2, 3, 20)] == ["twice", "3 times", "20 times"]
    assert possessive("Nicholas") == "Nicholas's"


def test_phrases_of_a_counted_a_measured_and_a_mass_thing():
    knife = phrases(Thing("knife", "red"))
    assert (knife.singular, knife.plural, knife.as_many) == ("red knife", "red knives", "as many red knives")
    apple = phrases(Thing("apple", "", "basket"))
    assert (apple.singular, apple.plural, apple.as_many) == (
        "basket of apples", "baskets of apples", "as many baskets of apples",
    )  # fmt: skip
    bread = phrases(Thing("bread", "", "loaf"))
    assert (bread.singular, bread.plural, bread.as_many) == ("loaf of bread", "loaves of bread", "as much bread")
    assert bread.stuff_are == "bread is"
    assert phrases(Thing("rice")).plural == "rice"
