"""The English sentences: every template x thing x number linted, and the rules of surfaces and pronouns."""

import re
from itertools import product

import pytest

from generators.errors import UsageError
from generators.stream import Stream
from generators.word_problems.english import templates
from generators.word_problems.english.vocabulary import MASSES, PLURALS, PRONOUNS, VOCABULARY
from generators.word_problems.english.wording import WORDING
from generators.word_problems.forms import Comparison, Container, Problem, Question, Rate, Thing, Transfer
from generators.word_problems.wording import Surface, wording

NUMBERS = (0, 1, 2, 3, 21, 100)
BOX = Thing("box")
APPLE = Thing("book")
THINGS = (
    [Thing(entity) for entity in VOCABULARY.countable]
    + [Thing("knife", attribute) for attribute in VOCABULARY.attributes]
    + [Thing(entity, "", unit) for entity, unit in VOCABULARY.measured]
)
PLURAL_WORDS = set(PLURALS.values()) - PLURALS.keys()
A, B = "Alice", "Bob"


def forms_of(thing, number):
    """Every kind of sentence, with the sentences that must stand before it."""
    start = Container(A, 5, thing)
    yield (), Container(A, number, thing)
    yield (start,), Container(B, number, thing)
    for relation in "+-":
        yield (start,), Comparison(B, relation, A, number, thing)
    if number > 1:
        for relation in "*/":
            yield (start,), Comparison(B, relation, A, number, thing)
    for receiver, sender in ((A, B), (A, ""), ("", A)):
        yield (start,), Transfer(receiver, sender, number, thing)


def rates_of(thing, per, number):
    yield (Container(A, 5, per),), Rate(A, number, thing, per)
    yield (Container(A, 5, thing),), Rate(A, number, thing, per)


def count_of(before, form):
    """How many templates the sentence has."""
    if isinstance(form, Container):
        return templates.LATER if before else len(templates.CONTAINER)
    if isinstance(form, Rate):
        return 10
    if isinstance(form, Comparison):
        return len(templates.ADDITIVE if form.relation in "+-" else templates.MULTIPLICATIVE)
    return len(templates.MOVING) if form.receiver and form.sender else 8


def told(before, form, index, pronoun=False):
    """The one sentence."""
    problem = Problem((*before, form), Question("count", (A,), form.thing))
    n = len(before)
    surface = Surface((0,) * n + (index, 0), (False,) * n + (pronoun, False))
    return WORDING.sentences(problem, surface)[n]


def asked(question, index, pronoun=False):
    return WORDING.sentences(Problem((), question), Surface((index,), (pronoun,)))[0]


def faults(sentence):
    """What is wrong with a sentence by rules that know nothing of how it was made."""
    found = []
    if "  " in sentence or sentence != sentence.strip():
        found.append("spaces")
    if re.search(r"[{}%_^]|None", sentence):
        found.append("unresolved")
    if not sentence[0].isupper():
        found.append("small letter")
    if not re.fullmatch(r"[A-Za-z0-9',\- ]+[.?]", sentence):
        found.append("signs or ending")
    if re.search(r"\ba [aeiou]|\ban [^aeiou]", sentence):
        found.append("article")
    if re.search(r"\b(\w+) \1\b", sentence):
        found.append("a word twice")
    words = re.findall(r"[A-Za-z0-9']+", sentence)
    known = {*VOCABULARY.attributes, "more", "fewer"}
    for i, word in enumerate(words):
        if word.isdigit():
            following = next((later for later in words[i + 1 :] if later not in known), "")
            if word == "1" and following in PLURAL_WORDS - {"leaves"}:
                found.append("1 with a plural")
            if word != "1" and following in PLURALS and following not in PLURALS.values():
                found.append("many with a singular")
    if re.search(rf"\bmany (\w+ )?({'|'.join(MASSES)})\b", sentence):
        found.append("many of a mass")
    return found


@pytest.mark.parametrize("number", NUMBERS)
def test_every_template_fits_every_thing_and_number(number):
    bad = []
    for thing in THINGS:
        for before, form in forms_of(thing, number):
            for index in range(count_of(before, form)):
                sentence = told(before, form, index)
                bad += [(sentence, fault) for fault in faults(sentence)]
                digits = re.findall(r"\d+", sentence)
                wordy = isinstance(form, Comparison) and (form.relation == "/" or form.relation + str(number) == "*2")
                assert digits == ([] if wordy else [str(number)]), sentence
    assert bad == []


@pytest.mark.parametrize("number", NUMBERS)
def test_every_rate_fits_every_container_and_content(number):
    bad = []
    for holder, entity in VOCABULARY.packed:
        for attribute in ("", "old", "blue"):
            for before, form in rates_of(Thing(entity, attribute), Thing(holder), number):
                for index in range(count_of(before, form)):
                    sentence = told(before, form, index)
                    bad += [(sentence, fault) for fault in faults(sentence)]
                    assert re.findall(r"\d+", sentence) == [str(number)]
    assert bad == []


def test_every_question_fits_everything():
    bad = []
    for thing in [*THINGS, *(Thing(holder) for holder, _ in VOCABULARY.packed)]:
        for kind, agents, count in (("count", (A,), 10), ("total", (A, B), 5), ("difference", (A, B), 5)):
            for index in range(count):
                sentence = asked(Question(kind, agents, thing), index)
                bad += [(sentence, fault) for fault in faults(sentence)]
                assert sentence.endswith("?")
                assert not re.search(r"\d", sentence)
    assert bad == []


def test_the_lint_finds_what_it_is_for():
    assert faults("Ann has 1 watches.") == ["1 with a plural"]
    assert faults("Ann has 2 red knife.") == ["many with a singular"]
    assert faults("Ann has  {N}") == ["spaces", "unresolved", "signs or ending"]
    assert faults("ann has a eighth as many flour.") == ["small letter", "article", "many of a mass"]


@pytest.mark.parametrize("thing", [APPLE, Thing("flour", "", "kilogram")])
def test_no_two_templates_of_a_form_say_the_same_sentence(thing):
    for before, form in [*forms_of(thing, 3), *rates_of(Thing("pen"), BOX, 3)]:
        sentences = [told(before, form, index) for index in range(count_of(before, form))]
        assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize(("first", "second"), [("+", "-"), ("*", "/")])
def test_converse_relations_differ_in_the_keyword_alone(first, second):
    before = (Container(A, 5, APPLE),)
    keywords = {"more": "KEY", "fewer": "KEY", "3 times": "KEY", "a third of": "KEY", "a third": "KEY"}
    count = count_of(before, Comparison(B, first, A, 3, APPLE))
    for index in range(count):
        pair = [told(before, Comparison(B, relation, A, 3, APPLE), index) for relation in (first, second)]
        assert pair[0] != pair[1]
        for word, key in keywords.items():
            pair = [re.sub(rf"\b{word}\b", key, sentence) for sentence in pair]
        assert pair[0] == pair[1]


def test_comparing_words_are_in_comparisons_alone():
    comparing = re.compile(r"\b(more|fewer|less|times|twice|half|than|as|third)\b")
    for before, form in [*forms_of(APPLE, 3), *rates_of(Thing("pen"), BOX, 3)]:
        for index in range(count_of(before, form)):
            sentence = told(before, form, index).replace("as a gift", "")
            assert bool(comparing.search(sentence)) == isinstance(form, Comparison), sentence


def test_rates_that_divide_say_that_everything_is_packed():
    known = {True: Container(A, 12, Thing("pen")), False: Container(A, 5, BOX)}
    for divides, before in known.items():
        for index in range(10):
            sentence = told((before,), Rate(A, 4, Thing("pen"), BOX), index)
            assert ("all of her pens" in sentence or "All of Alice's pens" in sentence) == divides


def test_worked_sentences():
    start = Container(A, 5, Thing("knife", "red"))
    flour = Thing("flour", "", "kilogram")
    assert told((), start, 0) == "Alice has 5 red knives."
    assert told((start,), Comparison(B, "-", A, 1, start.thing), 0) == "Bob has 1 fewer red knife than Alice."
    assert told((start,), Comparison(B, "*", A, 2, flour), 0) == "Bob has twice as much flour as Alice."
    assert told((start,), Comparison(B, "/", A, 8, flour), 7) == (
        "The number of kilograms of flour that Bob has is an eighth of the number that Alice has."
    )
    assert told((), Container(A, 1, flour), 5) == "There is 1 kilogram of flour in Alice's possession."
    assert told((start,), Transfer("", A, 1, flour), 2, pronoun=True) == "She gives away 1 kilogram of flour."
    assert asked(Question("count", (B,), BOX), 5, pronoun=True) == "How many boxes does he have now?"
    assert asked(Question("difference", (A, B), flour), 4) == (
        "How many more kilograms of flour are in Alice's possession than in Bob's?"
    )


def surfaces(problems, count=300):
    return [WORDING.surfaces(Stream(1, "test", i), problems) for i in range(count)]


def simple(*forms, agent=A):
    return Problem(forms, Question("count", (agent,), APPLE))


def test_surfaces_are_drawn_alike_for_what_is_of_one_form():
    start = Container(A, 9, APPLE)
    pair = [
        simple(start, Comparison(B, "-", A, 3, APPLE), agent=B),
        simple(start, Comparison(A, "+", B, 3, APPLE), agent=B),
    ]
    for first, second in surfaces(pair):
        assert first == second
        texts = [WORDING.sentences(problem, first) for problem in pair]
        assert [a == b for a, b in zip(*texts, strict=True)] == [True, False, True]


def test_every_template_is_drawn_about_equally_often():
    start, change = Container(A, 9, APPLE), Comparison(B, "-", A, 3, APPLE)
    problem = simple(start, change, Transfer(B, A, 2, APPLE), agent=B)
    drawn = [surface.templates for (surface,) in surfaces([problem], 6000)]
    for place, count in enumerate((12, 15, 10, 10)):
        seen = [sum(indices[place] == index for indices in drawn) for index in range(count)]
        chi_square = sum((n - 6000 / count) ** 2 for n in seen) / (6000 / count)
        assert chi_square < 36  # df <= 14: p < .001


def test_the_question_of_a_pair_is_worded_alike_where_lengths_differ():
    start, gift = Container(A, 9, APPLE), Transfer(A, "", 3, APPLE)
    for first, second in surfaces([simple(start, gift), simple(start, gift, gift)]):
        assert first.templates[-1] == second.templates[-1]
        assert first.templates[:2] == second.templates[:2]


def test_words_of_time_need_something_that_changes():
    time = re.compile(r"\b(now|end|first|beginning|begin|starts)\b")
    start, change = Container(A, 9, APPLE), Comparison(B, "-", A, 3, APPLE)
    still, moving = simple(start, change, agent=B), simple(start, Transfer(A, "", 2, APPLE))
    for pair, timed in (([still], False), ([still, moving], False), ([moving], True)):
        texts = [WORDING.sentences(pair[0], surface[0]) for surface in surfaces(pair)]
        assert any(time.search(" ".join(text)) for text in texts) == timed


def pronouns(*problems):
    """Places where a pronoun occurs at all."""
    drawn = [pair[0].pronouns for pair in surfaces(problems)]
    return {place for flags in drawn for place, flag in enumerate(flags) if flag}


def test_a_pronoun_needs_the_same_subject_as_before():
    start, gift = Container(A, 9, APPLE), Transfer(A, "", 3, APPLE)
    assert pronouns(simple(start, gift)) == {1, 2}
    assert pronouns(simple(start, gift, Comparison(B, "+", A, 3, APPLE), agent=B)) == {1, 3}
    assert pronouns(simple(start, Comparison(B, "+", A, 3, APPLE), agent=A)) == set()


def test_a_pronoun_is_refused_once_another_of_that_gender_is_named():
    start, gift = Container(A, 9, APPLE), Transfer(A, "", 3, APPLE)
    assert pronouns(simple(start, Comparison(A, "+", "Nora", 3, APPLE), gift)) == set()
    assert 2 in pronouns(simple(start, Comparison(A, "+", B, 3, APPLE), gift))


def test_a_pronoun_is_refused_to_both_where_one_of_a_pair_forbids_it():
    start = Container(A, 9, APPLE)
    allowed = simple(start, Comparison(A, "+", B, 3, APPLE), agent=B)
    forbidden = simple(start, Comparison(B, "-", A, 3, APPLE), agent=B)
    assert pronouns(allowed) == {1}
    assert pronouns(allowed, forbidden) == set()


def test_nobody_who_is_on_no_list_gets_a_pronoun():
    assert pronouns(simple(Container("Xenk", 9, APPLE), Transfer("Xenk", "", 3, APPLE), agent="Xenk")) == set()


def test_pronouns_stand_only_where_the_subject_stands():
    for (form_before, form), pronoun in product(forms_of(APPLE, 3), (True,)):
        for index in range(count_of(form_before, form)):
            sentence = told(form_before, form, index, pronoun)
            assert not re.search(r"\b(to|from|by|than|as) (he|she)\b", sentence) or "Someone" in sentence


def test_one_tense_throughout():
    past = re.compile(r"\b(had|gave|got|bought|sold|was|were|did|owned|received|will)\b")
    for before, form in [*forms_of(APPLE, 3), *rates_of(Thing("pen"), BOX, 3)]:
        for index in range(count_of(before, form)):
            assert not past.search(told(before, form, index))


def test_a_language_has_its_wording():
    assert wording("en") is WORDING
    with pytest.raises(UsageError, match=r"^word-problems has no language 'tlh'\. Known: en$"):
        wording("tlh")


def test_every_name_has_a_pronoun():
    assert set(PRONOUNS) == set(VOCABULARY.names)
