"""The rules by which sentences become a story: what repeats, what is as long, time, tense and pronouns."""

import re
from itertools import pairwise

import pytest

from hansproof.generators.errors import UsageError
from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.dataset import DATASET, PLANS, wording
from hansproof.generators.word_problems.english.sentence_parts import moments
from hansproof.generators.word_problems.english.vocabulary import PRONOUNS, SETTINGS, VOCABULARY
from hansproof.generators.word_problems.english.wording import WORDING
from hansproof.generators.word_problems.forms import Comparison, Container, Problem, Question, Thing, Transfer, parse

A, B = "Alice", "Bob"
PEN = Thing("pen", "red")


def surfaces(problems, count=300):
    return [WORDING.surfaces(Stream(1, "test", i), problems) for i in range(count)]


def simple(*forms, agent=A):
    return Problem(forms, Question("count", (agent,), PEN))


def test_sentences_of_the_same_form_have_the_same_surface():
    start = Container(A, 9, PEN)
    pair = [
        simple(start, Comparison(B, "-", A, 3, PEN), agent=B),
        simple(start, Comparison(A, "+", B, 3, PEN), agent=B),
    ]
    for first, second in surfaces(pair):
        assert first == second
        texts = [WORDING.sentences(problem, first) for problem in pair]
        assert [a == b for a, b in zip(*texts, strict=True)] == [True, False, True]


def test_a_sentence_that_only_one_problem_has_changes_no_other():
    start, gift = Container(A, 9, PEN), Transfer(A, B, 3, PEN)
    idle = Container("Carl", 4, Thing("ruler"))
    short, long = simple(start, gift, gift), simple(start, gift, idle, gift)
    for first, second in surfaces([short, long]):
        texts = WORDING.sentences(short, first), WORDING.sentences(long, second)
        assert texts[0] == [*texts[1][:2], *texts[1][3:]]


def test_sentences_of_different_forms_in_the_same_place_are_equally_long():
    """One story of 2-4 transfers and one of as many comparisons: equal on average, within a word in most."""
    gaps = []
    for count in (2, 3, 4):
        others = ("Bob", "Carl", "Dora", "Emma")[:count]
        start = Container(A, 90, PEN)
        moved = simple(start, *(Transfer(A, other, 3, PEN) for other in others))
        people = (A, *others)
        compared = [Comparison(other, "+", before, 3, PEN) for before, other in pairwise(people)]
        for pair in surfaces([moved, simple(start, *compared, agent=others[-1])], 100):
            words = [
                len(" ".join(WORDING.sentences(problem, surface)).split())
                for problem, surface in zip((moved, simple(start, *compared, agent=others[-1])), pair)
            ]
            gaps.append(words[0] - words[1])
    assert abs(sum(gaps) / len(gaps)) < 0.5
    assert sum(abs(gap) <= 1 for gap in gaps) / len(gaps) > 0.85


def test_words_of_an_end_occur_exactly_where_the_asked_amount_has_changed():
    closing = [phrase for setting in SETTINGS for phrase in setting.close]
    after = re.compile(
        r"\b(left|still|then|now|in the end|after that|by then|that leave|end(ed)? up|" + "|".join(closing) + r")\b",
        re.IGNORECASE,
    )
    seen = set()
    for subset in PLANS:
        for index in range(150):
            item = DATASET.item(subset, 5, index)
            question = parse(item.metadata["question"])
            forms = [parse(text) for text in item.metadata["forms"]]
            changed = any(
                isinstance(form, Transfer)
                and form.thing == question.thing
                and {form.receiver, form.sender} & set(question.agents)
                for form in forms
            )
            asked = re.split(r"(?<=[.?!]) ", item.prompt)[-1]
            assert bool(after.search(asked)) == changed, item.prompt
            seen.add(changed)
    assert seen == {True, False}


def test_left_is_said_only_where_the_last_change_took_something_away():
    left = re.compile(r"\b(left|still)\b")
    for subset in PLANS:
        for index in range(100):
            item = DATASET.item(subset, 6, index)
            asked = re.split(r"(?<=[.?!]) ", item.prompt)[-1]
            if left.search(asked):
                assert item.metadata["steps"][-1].split()[1] == "-" or "total" in item.metadata["question"], item.prompt


def test_everything_is_in_the_past():
    present = re.compile(
        r"\b(has|gives|gets|is|are|does|sells|buys|packs|owns|holds|now)\b(?! pocket| desk| lap| collection)"
    )
    for subset in PLANS:
        for index in range(100):
            text = DATASET.item(subset, 7, index).prompt
            assert not present.search(text.replace("pocket's", "")), text


def test_details_are_told_in_the_order_of_time_and_once():
    told = 0
    for subset in PLANS:
        for index in range(100):
            item = DATASET.item(subset, 8, index)
            setting = next(setting for setting in SETTINGS if setting.name == item.metadata["setting"])
            places = moments(item.prompt, setting.name)
            assert places == sorted(set(places)), item.prompt
            told += len(places)
            text = item.prompt.lower()
            for phrase in setting.event:
                assert len(re.findall(rf"\b{re.escape(phrase)}\b(?!')", text)) <= 1, item.prompt
    assert told > 1000


def pronouns(*problems):
    """Indices of the sentences that ever have a pronoun."""
    drawn = [pair[0].pronouns for pair in surfaces(problems)]
    return {place for flags in drawn for place, flag in enumerate(flags) if flag}


def test_a_pronoun_needs_the_subject_of_the_sentence_before():
    start, gift = Container(A, 9, PEN), Transfer(A, "", 3, PEN)
    assert pronouns(simple(start, gift)) == {1, 2}
    assert pronouns(simple(start, gift, Comparison(B, "+", A, 3, PEN), agent=B)) == {1, 3}
    assert pronouns(simple(start, Comparison(B, "+", A, 3, PEN), agent=A)) == set()


def test_there_is_no_pronoun_where_another_agent_of_that_gender_is_named_there_or_just_before():
    start, gift = Container(A, 9, PEN), Transfer(A, "", 3, PEN)
    assert pronouns(simple(start, Comparison(A, "+", "Nora", 3, PEN), gift)) == set()
    assert pronouns(simple(start, Comparison(A, "+", "Nora", 3, PEN))) == set()
    assert 2 in pronouns(simple(start, Comparison(A, "+", B, 3, PEN), gift))


def test_neither_problem_of_a_pair_has_a_pronoun_that_the_other_forbids():
    start = Container(A, 9, PEN)
    allowed = simple(start, Comparison(A, "+", B, 3, PEN), agent=B)
    forbidden = simple(start, Comparison(B, "-", A, 3, PEN), agent=B)
    assert pronouns(allowed) == {1}
    assert pronouns(allowed, forbidden) == set()


def test_a_name_that_is_on_no_list_gets_no_pronoun():
    assert pronouns(simple(Container("Xenk", 9, PEN), Transfer("Xenk", "", 3, PEN), agent="Xenk")) == set()


def test_pronouns_occur_only_as_subjects():
    wrong = re.compile(r"\b(to|from|by|than|as|for|with|beside|and) (he|she)\b")
    for subset in PLANS:
        for index in range(200):
            text = DATASET.item(subset, 9, index).prompt
            assert not wrong.search(text), text


def test_a_language_has_its_wording():
    assert wording("en") is WORDING
    with pytest.raises(UsageError, match=r"^word-problems has no language 'tlh'\. Known: en$"):
        wording("tlh")


def test_every_name_has_a_pronoun():
    assert set(PRONOUNS) == set(VOCABULARY.names)
