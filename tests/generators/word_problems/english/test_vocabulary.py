"""The English word lists: sizes, bounds, and every plural, ordinal and article against the library inflect."""

import re
from collections import Counter
from functools import cache

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.word_problems.english import vocabulary
from hansproof.generators.word_problems.english.vocabulary import (
    HOMES,
    MASSES,
    PARTS,
    PLURALS,
    PRONOUNS,
    SETTINGS,
    TIMES,
    VOCABULARY,
    plural,
)
from hansproof.generators.word_problems.english.wording import FULL, phrases
from hansproof.generators.word_problems.forms import Thing

SHORT, BARE = 1, 2


@cache
def english():
    """The library, which takes seconds to import."""
    import inflect

    return inflect.engine()


def test_there_are_300_nouns_in_20_settings_and_200_names():
    assert len(VOCABULARY.names) == len(set(VOCABULARY.names)) == 200
    assert Counter(own for _, own, _ in PRONOUNS.values()) == {"her": 100, "his": 100}
    assert len({(stock.thing.entity, stock.thing.unit) for stock in VOCABULARY.stock}) >= 390
    assert len({stock.thing.entity for stock in VOCABULARY.stock}) >= 385
    assert len(SETTINGS) == len({setting.name for setting, _ in HOMES.values()}) >= 20


@pytest.mark.parametrize(("high", "least"), [(20, 390), (100, 300), (300, 130), (600, 60), (999, 35)])
def test_enough_nouns_take_numbers_up_to(high, least):
    fitting = VOCABULARY.fitting(2, high)
    assert len(fitting) >= least
    assert all(stock.least <= 2 and stock.most >= high for stock in fitting)


@pytest.mark.parametrize("entity", ["beam", "kite", "donkey", "pie", "sleeping bag"])
def test_nobody_has_999_of_what_is_large_or_dear(entity):
    assert entity not in {stock.thing.entity for stock in VOCABULARY.fitting(2, 300)}


def test_grams_are_never_few():
    weighed = [stock for stock in VOCABULARY.stock if stock.thing.unit in ("gram", "millilitre")]
    assert weighed
    assert all(stock.least == 50 for stock in weighed)
    assert not set(weighed) & set(VOCABULARY.fitting(2, 100))
    assert set(weighed) <= set(VOCABULARY.fitting(50, 900))


def test_every_thing_has_one_home():
    assert len(HOMES) == len(VOCABULARY.stock)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_is_furnished(setting):
    assert len(setting.open) >= 10
    assert len(setting.event) == 16
    assert len(setting.close) >= 2
    for lines in (setting.open, setting.event, setting.intro, setting.close):
        assert len(set(lines)) == len(lines)
    for group in setting.groups:
        assert len(group.nouns) >= 4
        assert min(len(group.did), len(group.gain), len(group.lose)) >= 2


def test_a_noun_without_a_bound_is_refused(monkeypatch):
    with pytest.raises(InputError, match=r"^settings/farm\.txt: 'hen' is not a noun with a bound, such as 'roll 600"):
        list(vocabulary._nouns(["hen"], "farm"))


def test_a_line_of_nouns_is_read_in_its_parts():
    noun, loaf, flour = vocabulary._nouns(
        ["sheep/sheep 600: black, white", "loaf/loaves of bread 300", "gram of flour 50-950"], "x"
    )
    assert noun == ("sheep", "sheep", "", 2, 600, ("black", "white"))
    assert loaf == ("loaf", "loaves", "bread", 2, 300, ())
    assert flour == ("gram", "", "flour", 50, 950, ())


def test_words_are_small_letters_and_names_are_capitalised():
    for word in [*PLURALS, *PLURALS.values(), *MASSES]:
        assert re.fullmatch("[a-z]+([ -][a-z]+)*", word), word
    for name in VOCABULARY.names:
        assert re.fullmatch("[A-Z][a-z]+", name), name


def test_no_name_is_a_word_of_the_vocabulary():
    assert not {name.lower() for name in VOCABULARY.names} & {*PLURALS, *MASSES}


@pytest.mark.parametrize("noun", sorted(PLURALS))
def test_plurals_agree_with_inflect(noun):
    assert PLURALS[noun] == english().plural_noun(noun)


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("watch", "watches"), ("box", "boxes"), ("cherry", "cherries"), ("key", "keys"), ("brush", "brushes")],
)
def test_regular_plurals(noun, expected):
    assert plural(noun) == expected


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("calf", "calves"), ("leaf", "leaves"), ("sheep", "sheep"), ("tomato", "tomatoes"), ("loaf", "loaves")],
)
def test_irregular_plurals_are_spelt_out_in_the_lists(noun, expected):
    assert PLURALS[noun] == expected != plural(noun)


def test_factors():
    assert TIMES.keys() == PARTS.keys() == {2, 3, 4, 5, 6}


def told(thing, style):
    words = phrases(thing, style)
    return [f"3{words.plural}", f"3{words.more}", f"3{words.fewer}", f"twice{words.as_many}"]


def test_what_is_counted_is_fewer_and_what_is_measured_less():
    red = Thing("leaf", "dry")
    assert told(red, FULL) == ["3 dry leaves", "3 more dry leaves", "3 fewer dry leaves", "twice as many dry leaves"]
    assert told(red, SHORT) == ["3 leaves", "3 more leaves", "3 fewer leaves", "twice as many leaves"]
    assert told(red, BARE) == ["3", "3 more", "3 fewer", "twice as many"]
    flour = Thing("flour", "", "kilogram")
    assert told(flour, FULL) == [
        "3 kilograms of flour", "3 kilograms more flour", "3 kilograms less flour", "twice as much flour",
    ]  # fmt: skip
    assert told(flour, SHORT) == ["3 kilograms", "3 kilograms more", "3 kilograms less", "twice as much flour"]
    assert told(flour, BARE)[3] == "twice as much"
    jar = Thing("honey", "", "jar")
    assert told(jar, FULL)[1:3] == ["3 more jars of honey", "3 fewer jars of honey"]
    assert told(jar, SHORT)[3] == "twice as many jars"
    assert phrases(Thing("bread", "", "loaf")).singular == " loaf of bread"
