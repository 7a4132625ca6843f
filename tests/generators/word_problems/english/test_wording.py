"""The English sentences: a lint of every template with every thing and number, and the rules for pronouns."""

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
    """Every kind of sentence, with the sentences that must come before it."""
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
    """Number of templates for the sentence."""
    if isinstance(form, Container):
        return templates.LATER if before else len(templates.CONTAINER)
    if isinstance(form, Rate):
        return 10
    if isinstance(form, Comparison):
        return len(templates.ADDITIVE if form.relation in "+-" else templates.MULTIPLICATIVE)
    return len(templates.MOVING) if form.receiver and form.sender else 8


def sentence_of(before, form, index, pronoun=False):
    """The sentence for the form."""
    problem = Problem((*before, form), Question("count", (A,), form.thing))
    n = len(before)
    surface = Surface((0,) * n + (index, 0), (False,) * n + (pronoun, False))
    return WORDING.sentences(problem, surface)[n]


def question_of(question, index, pronoun=False):
    return WORDING.sentences(Problem((), question), Surface((index,), (pronoun,)))[0]


def faults(sentence):
    """Faults of a sentence, by rules that do not know how it was made."""
    reasons = []
    if "  " in sentence or sentence != sentence.strip():
        reasons.append("spaces")
    if re.search(r"[{}%_^]|None", sentence):
        reasons.append("unresolved")
    if not sentence[0].isupper():
        reasons.append("small letter")
    if not re.fullmatch(r"[A-Za-z0-9',\- ]+[.?]", sentence):
        reasons.append("signs or ending")
    if re.search(r"\ba [aeiou]|\ban [^aeiou]", sentence):
        reasons.append("article")
    if re.search(r"\b(\w+) \1\b", sentence):
        reasons.append("a word twice")
    words = re.findall(r"[A-Za-z0-9']+", sentence)
    known = {*VOCABULARY.attributes, "more", "fewer"}
    for i, word in enumerate(words):
        if word.isdigit():
            following = next((later for later in words[i + 1 :] if later not in known), "")
            if word == "1" and following in PLURAL_WORDS - {"leaves"}:
                reasons.append("1 with a plural")
            if word != "1" and following in PLURALS and following not in PLURALS.values():
                reasons.append("many with a singular")
    if re.search(rf"\bmany (\w+ )?({'|'.join(MASSES)})\b", sentence):
        reasons.append("many of a mass")
    return reasons


@pytest.mark.parametrize("number", NUMBERS)
def test_every_template_fits_every_thing_and_number(number):
    bad = []
    for thing in THINGS:
        for before, form in forms_of(thing, number):
            for index in range(count_of(before, form)):
                sentence = sentence_of(before, form, index)
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
                    sentence = sentence_of(before, form, index)
                    bad += [(sentence, fault) for fault in faults(sentence)]
                    assert re.findall(r"\d+", sentence) == [str(number)]
    assert bad == []


def test_every_question_fits_every_thing():
    bad = []
    for thing in [*THINGS, *(Thing(holder) for holder, _ in VOCABULARY.packed)]:
        for kind, agents, count in (("count", (A,), 10), ("total", (A, B), 5), ("difference", (A, B), 5)):
            for index in range(count):
                sentence = question_of(Question(kind, agents, thing), index)
                bad += [(sentence, fault) for fault in faults(sentence)]
                assert sentence.endswith("?")
                assert not re.search(r"\d", sentence)
    assert bad == []


def test_the_lint_detects_each_fault():
    assert faults("Ann has 1 watches.") == ["1 with a plural"]
    assert faults("Ann has 2 red knife.") == ["many with a singular"]
    assert faults("Ann has  {N}") == ["spaces", "unresolved", "signs or ending"]
    assert faults("ann has a eighth as many flour.") == ["small letter", "article", "many of a mass"]


@pytest.mark.parametrize("thing", [APPLE, Thing("flour", "", "kilogram")])
def test_no_two_templates_of_a_form_give_the_same_sentence(thing):
    for before, form in [*forms_of(thing, 3), *rates_of(Thing("pen"), BOX, 3)]:
        sentences = [sentence_of(before, form, index) for index in range(count_of(before, form))]
        assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize(("first", "second"), [("+", "-"), ("*", "/")])
def test_converse_relations_differ_only_in_the_keyword(first, second):
    before = (Container(A, 5, APPLE),)
    keywords = {"more": "KEY", "fewer": "KEY", "3 times": "KEY", "a third of": "KEY", "a third": "KEY"}
    count = count_of(before, Comparison(B, first, A, 3, APPLE))
    for index in range(count):
        pair = [sentence_of(before, Comparison(B, relation, A, 3, APPLE), index) for relation in (first, second)]
        assert pair[0] != pair[1]
        for word, key in keywords.items():
            pair = [re.sub(rf"\b{word}\b", key, sentence) for sentence in pair]
        assert pair[0] == pair[1]


def test_comparing_words_occur_only_in_comparisons():
    comparing = re.compile(r"\b(more|fewer|less|times|twice|half|than|as|third)\b")
    for before, form in [*forms_of(APPLE, 3), *rates_of(Thing("pen"), BOX, 3)]:
        for index in range(count_of(before, form)):
            sentence = sentence_of(before, form, index).replace("as a gift", "")
            assert bool(comparing.search(sentence)) == isinstance(form, Comparison), sentence


def test_rates_that_divide_say_that_everything_is_packed():
    known = {True: Container(A, 12, Thing("pen")), False: Container(A, 5, BOX)}
    for divides, before in known.items():
        for index in range(10):
            sentence = sentence_of((before,), Rate(A, 4, Thing("pen"), BOX), index)
            assert ("all of her pens" in sentence or "All of Alice's pens" in sentence) == divides


def test_worked_sentences():
    start = Container(A, 5, Thing("knife", "red"))
    flour = Thing("flour", "", "kilogram")
    assert sentence_of((), start, 0) == "Alice has 5 red knives."
    assert sentence_of((start,), Comparison(B, "-", A, 1, start.thing), 0) == "Bob has 1 fewer red knife than Alice."
    assert sentence_of((start,), Comparison(B, "*", A, 2, flour), 0) == "Bob has twice as much flour as Alice."
    assert sentence_of((start,), Comparison(B, "/", A, 8, flour), 7) == (
        "The number of kilograms of flour that Bob has is an eighth of the number that Alice has."
    )
    assert sentence_of((), Container(A, 1, flour), 5) == "There is 1 kilogram of flour in Alice's possession."
    assert sentence_of((start,), Transfer("", A, 1, flour), 2, pronoun=True) == "She gives away 1 kilogram of flour."
    assert question_of(Question("count", (B,), BOX), 5, pronoun=True) == "How many boxes does he have now?"
    assert question_of(Question("difference", (A, B), flour), 4) == (
        "How many more kilograms of flour are in Alice's possession than in Bob's?"
    )


def surfaces(problems, count=300):
    return [WORDING.surfaces(Stream(1, "test", i), problems) for i in range(count)]


def simple(*forms, agent=A):
    return Problem(forms, Question("count", (agent,), APPLE))


def test_sentences_of_the_same_form_have_the_same_surface():
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


def test_the_questions_of_a_pair_are_worded_alike_even_if_lengths_differ():
    start, gift = Container(A, 9, APPLE), Transfer(A, "", 3, APPLE)
    for first, second in surfaces([simple(start, gift), simple(start, gift, gift)]):
        assert first.templates[-1] == second.templates[-1]
        assert first.templates[:2] == second.templates[:2]


def test_words_of_time_occur_only_if_something_changes():
    time = re.compile(r"\b(now|end|first|beginning|begin|starts)\b")
    start, change = Container(A, 9, APPLE), Comparison(B, "-", A, 3, APPLE)
    still, moving = simple(start, change, agent=B), simple(start, Transfer(A, "", 2, APPLE))
    for pair, timed in (([still], False), ([still, moving], False), ([moving], True)):
        texts = [WORDING.sentences(pair[0], surface[0]) for surface in surfaces(pair)]
        assert any(time.search(" ".join(text)) for text in texts) == timed


def pronouns(*problems):
    """Indices of the sentences that ever have a pronoun."""
    drawn = [pair[0].pronouns for pair in surfaces(problems)]
    return {place for flags in drawn for place, flag in enumerate(flags) if flag}


def test_a_pronoun_needs_the_subject_of_the_sentence_before():
    start, gift = Container(A, 9, APPLE), Transfer(A, "", 3, APPLE)
    assert pronouns(simple(start, gift)) == {1, 2}
    assert pronouns(simple(start, gift, Comparison(B, "+", A, 3, APPLE), agent=B)) == {1, 3}
    assert pronouns(simple(start, Comparison(B, "+", A, 3, APPLE), agent=A)) == set()


def test_there_is_no_pronoun_once_another_agent_of_that_gender_is_named():
    start, gift = Container(A, 9, APPLE), Transfer(A, "", 3, APPLE)
    assert pronouns(simple(start, Comparison(A, "+", "Nora", 3, APPLE), gift)) == set()
    assert 2 in pronouns(simple(start, Comparison(A, "+", B, 3, APPLE), gift))


def test_neither_problem_of_a_pair_has_a_pronoun_that_the_other_forbids():
    start = Container(A, 9, APPLE)
    allowed = simple(start, Comparison(A, "+", B, 3, APPLE), agent=B)
    forbidden = simple(start, Comparison(B, "-", A, 3, APPLE), agent=B)
    assert pronouns(allowed) == {1}
    assert pronouns(allowed, forbidden) == set()


def test_a_name_that_is_on_no_list_gets_no_pronoun():
    assert pronouns(simple(Container("Xenk", 9, APPLE), Transfer("Xenk", "", 3, APPLE), agent="Xenk")) == set()


def test_pronouns_occur_only_as_subjects():
    for (form_before, form), pronoun in product(forms_of(APPLE, 3), (True,)):
        for index in range(count_of(form_before, form)):
            sentence = sentence_of(form_before, form, index, pronoun)
            assert not re.search(r"\b(to|from|by|than|as) (he|she)\b", sentence) or "Someone" in sentence


def test_every_sentence_is_in_the_present_tense():
    past = re.compile(r"\b(had|gave|got|bought|sold|was|were|did|owned|received|will)\b")
    for before, form in [*forms_of(APPLE, 3), *rates_of(Thing("pen"), BOX, 3)]:
        for index in range(count_of(before, form)):
            assert not past.search(sentence_of(before, form, index))


def test_a_language_has_its_wording():
    assert wording("en") is WORDING
    with pytest.raises(UsageError, match=r"^word-problems has no language 'tlh'\. Known: en$"):
        wording("tlh")


def test_every_name_has_a_pronoun():
    assert set(PRONOUNS) == set(VOCABULARY.names)
