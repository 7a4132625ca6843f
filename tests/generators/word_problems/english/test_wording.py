"""The rules by which sentences become a story: what repeats, what is as long, time, tense and pronouns."""

import re

from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.dataset import DATASET, PLANS
from hansproof.generators.word_problems.designs.chain import Shares
from hansproof.generators.word_problems.english.sentence_parts import moments
from hansproof.generators.word_problems.english.vocabulary import PRONOUNS, SETTINGS, VOCABULARY
from hansproof.generators.word_problems.english.wording import texts
from hansproof.generators.word_problems.forms import Comparison, Container, Problem, Question, Thing, Transfer, parse
from hansproof.generators.word_problems.scorer import ASK

A, B = "Alice", "Bob"
PEN = Thing("pen", "red")


PAST = [name for name in PLANS if name != "plain"]


def simple(*forms, agent=A):
    return Problem(forms, Question("count", (agent,), PEN))


def told(*problems, count=300, **shares):
    """The sentences of each problem, in many stories."""
    for at in range(count):
        prompts, _ = texts(Stream(1, "test", at), problems, Shares(**shares))
        yield [re.split(r"(?<=[.?]) ", prompt) for prompt in prompts]


def test_sentences_of_the_same_form_are_told_alike():
    start = Container(A, 9, PEN)
    pair = simple(start, Comparison(B, "-", A, 3, PEN), agent=B), simple(start, Comparison(A, "-", B, 3, PEN), agent=B)
    pair = pair[0], pair[0]._replace(forms=(start, pair[1].forms[1]))
    for first, second in told(*pair, tested=1):
        assert [a == b for a, b in zip(first, second, strict=True)] == [True, False, True]


def test_words_of_an_end_occur_exactly_where_the_asked_amount_has_changed():
    closing = [phrase for setting in SETTINGS for phrase in setting.close]
    after = re.compile(
        r"\b(left|still|then|now|in the end|at the end|after that|by then|that leave|end(ed)? up|"
        + "|".join(closing)
        + r")\b",
        re.IGNORECASE,
    )
    seen = set()
    for subset in PAST:
        if subset == "transfer-comparison":
            continue  # where the question must be the same
        for index in range(150):
            item = DATASET.item(subset, 5, index)
            question = parse(item.metadata["question"])
            forms = [parse(text) for text in item.metadata["forms"]]
            changed = any(
                isinstance(form, Transfer) and {form.receiver, form.sender} & set(question.agents) for form in forms
            )
            asked = re.split(r"(?<=[.?!]) ", item.prompt.removesuffix(f" {ASK}"))[-1]
            assert bool(after.search(asked)) == changed, item.prompt
            seen.add(changed)
    assert seen == {True, False}


def test_left_is_said_only_where_the_last_change_took_something_away():
    left = re.compile(r"\b(left|still)\b")
    for subset in PAST:
        for index in range(100):
            item = DATASET.item(subset, 6, index)
            asked = re.split(r"(?<=[.?!]) ", item.prompt.removesuffix(f" {ASK}"))[-1]
            if left.search(asked):
                assert item.metadata["steps"][-1].split()[1] == "-" or "total" in item.metadata["question"], item.prompt


def test_everything_is_in_the_past():
    present = re.compile(
        r"\b(has|gives|gets|is|are|does|sells|buys|packs|owns|holds|now)\b(?! pocket| desk| lap| collection)"
    )
    for subset in PAST:
        for index in range(100):
            text = DATASET.item(subset, 7, index).prompt.removesuffix(ASK)
            assert not present.search(text.replace("pocket's", "")), text


def test_details_are_told_in_the_order_of_time_and_once():
    told = 0
    for subset in PAST:
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


def pronouns(problem, **shares):
    """Indices of the sentences that ever have a pronoun."""
    return {
        place
        for (lines,) in told(problem, **shares)
        for place, line in enumerate(lines)
        if re.search(r"\b(?:he|she)\b", line, re.IGNORECASE)
    }


def test_a_pronoun_needs_the_subject_of_the_sentence_before():
    start, gift = Container(A, 9, PEN), Transfer(A, "", 3, PEN)
    assert pronouns(simple(start, gift)) == {1, 2}
    assert pronouns(simple(start, gift, Comparison(B, "+", A, 3, PEN), agent=B)) == {1, 3}
    assert pronouns(simple(start, Comparison(B, "+", A, 3, PEN), agent=A)) == set()


def test_there_is_no_pronoun_where_another_agent_of_that_gender_is_named_there_or_just_before():
    start, gift = Container(A, 9, PEN), Transfer(A, "", 3, PEN)
    assert pronouns(simple(start, Comparison(A, "+", "Naomi", 3, PEN), gift)) == set()
    assert pronouns(simple(start, Comparison(A, "+", "Naomi", 3, PEN))) == set()
    assert 2 in pronouns(simple(start, Comparison(A, "+", B, 3, PEN), gift))


def test_nobody_near_the_sentence_under_test_is_a_pronoun():
    start, gift = Container(A, 9, PEN), Transfer(A, "", 3, PEN)
    problem = simple(start, gift, Comparison(A, "+", B, 3, PEN), agent=B)
    assert 2 in pronouns(problem)
    assert pronouns(problem, tested=2) == {1}


def test_pronouns_occur_only_as_subjects():
    wrong = re.compile(r"\b(to|from|by|than|as|for|with|beside|and) (he|she)\b")
    for subset in PLANS:
        for index in range(200):
            text = DATASET.item(subset, 9, index).prompt
            assert not wrong.search(text), text


def test_every_name_has_a_pronoun():
    assert set(PRONOUNS) == set(VOCABULARY.names)
