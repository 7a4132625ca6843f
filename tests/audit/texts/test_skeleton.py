"""Skeletons, joins and components: worked examples, and the cost counted."""

from collections import Counter

import pytest

from hansproof.audit.texts.grouping import near_skeletons, one_sentence_apart, same_skeletons, shared_sentences
from hansproof.audit.texts.sentences import (
    OPTION,
    function_words,
    own_function_words,
    skeleton,
    split_sentences,
    strip_frame,
)
from hansproof.audit.texts.similarity import Components, number_by_first


def bones(text):
    return " ".join(skeleton(split_sentences(text), function_words()).tokens)


def evidence(text):
    return skeleton(split_sentences(text), function_words()).evidence


def test_repetition_is_numbered_and_names_are_not_kept():
    assert bones("Ann is on the bus. The bus is under Ann.") == "0 is on 1 . 1 is under 0 ."
    assert bones("Bob is on a table. The table is under Bob.") == "0 is on 1 . 1 is under 0 ."
    assert bones("Bob is on a table. The chair is under Bob.") == "0 is on _ . _ is under 0 ."


def test_a_name_of_two_words_is_one_slot():
    assert bones("San Francisco is in California. He left San Francisco.") == "0 is in _ . he left 0 ."
    assert bones("He met San Jose and San Diego.") == "he _ 0 _ and 0 _ ."


def test_evidence_counts_function_words_and_repetitions():
    assert evidence("Ann is on the bus. The bus is under Ann.") == 6  # is on is under, and two words again
    assert evidence("Seals eat fish") == 0
    assert evidence("") == 0


def test_the_word_list_has_no_word_twice_and_is_of_the_size_of_a_closed_class():
    words = function_words()
    assert words.dropped == {"a", "an", "the"}
    assert 200 <= len(words.kept) <= 320
    assert not words.kept & words.dropped


def test_english_texts_use_the_english_list_and_others_their_own():
    english = [split_sentences("The dog is in the house and he is not out of it.")]
    assert own_function_words(english) is function_words()
    finnish = [split_sentences(f"Kissa{at} on talossa ja koira{at} ei ole.") for at in range(20)]
    assert {"on", "ja", "ei"} <= own_function_words(finnish).kept


def test_sentences_end_at_marks_and_lines_and_lists_keep_theirs():
    assert split_sentences("It cost 3.5 pounds! Really?\nYes") == [
        ("it", "cost", "3.5", "pounds", "!"), ("really", "?"), ("yes",)]  # fmt: skip
    assert split_sentences("1. Yes, I do. So do I\n(b) No") == [
        (OPTION, "yes", "i", "do", ".", "so", "do", "i"), (OPTION, "no")]  # fmt: skip
    assert split_sentences("他来了。她走了。") == [("他来了", "。"), ("她走了", "。")]
    assert split_sentences(" ?! \n") == []


def test_the_frame_goes_and_a_text_that_is_only_frame_stays():
    texts = [[("say", "yes")], [("say", "yes"), ("a",)], [("say", "yes"), ("b",)]]
    assert strip_frame(texts) == [[("say", "yes")], [("a",)], [("b",)]]
    assert strip_frame(texts[:2]) == texts[:2]


def test_skeletons_join_when_equal_or_one_function_word_apart():
    texts = [
        "Ann is on the bus. The bus is under Ann.",
        "Eve is on the cup. The cup is under Eve.",
        "Eve is also on the cup. The cup is under Eve.",
        "Eve is not on the cup. The cup is under Eve.",
    ]
    bare = [skeleton(split_sentences(text), function_words()) for text in texts]
    assert same_skeletons(bare) == [[0, 1]]
    assert near_skeletons(bare) == [[2, 0, 1]]


LONG = "there was once a farmer who had seven very old cows behind his barn"


def test_a_long_sentence_joins_and_a_short_or_listed_one_does_not():
    def sets(*texts):
        return shared_sentences([split_sentences(text) for text in texts], function_words(), 10)

    assert sets(f"{LONG}. Why?", f"{LONG}. When?") == [[0, 1]]
    assert sets("The cows ran. Why?", "The cows ran. When?") == []
    assert sets(f"1. {LONG}\n2. why", f"1. {LONG}\n2. when") == []


def test_a_sentence_whose_other_fillings_outnumber_it_is_chance():
    filled = [LONG.replace("cows", animal) for animal in ("cows", "cows", "pigs", "hens", "dogs", "cats")]
    texts = [split_sentences(f"{sentence}. Question {at}?") for at, sentence in enumerate(filled)]
    assert shared_sentences(texts, function_words(), 10) == []


def test_texts_that_differ_in_one_sentence_join_in_any_order_of_sentences():
    rest = "He drives a blue car along the river. She waits for him at the station every day."
    texts = [f"{rest} Stop?", f"{rest} Go on?", f"Stop? {rest}", "She waits for him at the station every day. No."]
    assert one_sentence_apart([split_sentences(text) for text in texts], 10)[-1] == [0, 1, 2]
    assert all(3 not in members for members in one_sentence_apart([split_sentences(t) for t in texts], 10))
    assert all(len(members) == 2 for members in one_sentence_apart([split_sentences(text) for text in texts], 2))


def test_a_join_over_the_limit_is_refused_whole():
    parts = Components([1, 1, 1, 2])
    assert parts.join([0, 1, 2], limit=3) == 2
    assert parts.join([0, 3], limit=4) == 0
    assert parts.refused == 1
    assert parts.find(3) != parts.find(0)
    assert parts.join([0, 3]) == 1


def test_one_member_cannot_take_a_large_component_along():
    parts = Components([1] * 12)
    parts.join(range(6))
    parts.join(range(6, 12))
    assert parts.join([0, 6], quorum=True) == 0
    assert parts.join([0, 1, 2, 6, 7, 8], quorum=True) == 1


def test_numbers_go_by_first_appearance():
    assert number_by_first("cabac").tolist() == [0, 1, 2, 1, 0]
    assert number_by_first([]).shape == (0,)


@pytest.mark.parametrize("n", [200, 400, 800])
def test_joins_name_each_text_a_bounded_number_of_times(n):
    # 10 items a template, templates told apart by their first words: the work is counted, never timed.
    marks = ["who", "why", "if", "but", "and", "or", "so", "when"]
    texts = [
        split_sentences(f"{' '.join(marks[(at // 10) // 8**k % 8] for k in range(3))} x{at} is on y{at} under x{at}?")
        for at in range(n)
    ]
    bare = [skeleton(text, function_words()) for text in texts]
    named = Counter(at for members in same_skeletons(bare) for at in members)
    assert sum(named.values()) == n
    assert set(named.values()) == {1}
    parts = Components([1] * n)
    for members in same_skeletons(bare):
        parts.join(members)
    assert parts.finds == n
