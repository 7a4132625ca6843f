"""Groups detected in texts: templates, stories, near-duplicates, and nothing where there is nothing."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.audit.tasks.group_layout import summarise
from hansproof.audit.texts.grouping import column_groups, find_groups, no_groups

NAMES = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"]
THINGS = ["bus", "cup", "bridge", "table", "box", "shelf", "tram", "bowl"]

OPENINGS = ["Early one morning", "Late at night", "On the way home", "By the river", "Under the old bridge"]
DEEDS = ["found a letter that was not for her", "met all those who had once been with us",
         "could see nothing but what lay before the door", "was as glad as any of them would ever be"]  # fmt: skip
MARKS = ["who", "why", "if", "but", "and", "or", "so", "when"]
FILLER = [f"{MARKS[at % 8]} {MARKS[at // 8]} {MARKS[at % 5]} {MARKS[at % 7]} thing{at}?" for at in range(64)]
"""Texts that share nothing, so that a template under test stays below a fifth of the items."""


def on_under(at):
    a, b, c = NAMES[at], THINGS[at], THINGS[(at + 3) % 8]
    return f"Premise: {a} is on the {b}. The {b} is under the {c}. Hypothesis: {a} is under the {c}."


def out_of(at):
    a, b = NAMES[at], THINGS[at]
    return f"Premise: {a} has come out of the {b} with her coat. Hypothesis: {a} is not in the {b}."


def partition(texts):
    """The set of groups, each a frozenset of texts with their count: what does not depend on numbering."""
    index = find_groups(texts).index
    return {frozenset(np.flatnonzero(index == group).tolist()) for group in range(index.max() + 1)}


def test_items_of_two_templates_form_two_groups_whatever_the_names():
    texts = [make(at) for at in range(8) for make in (on_under, out_of)]
    index = find_groups(texts + FILLER).index
    assert index[:16].tolist() == [0, 1] * 8
    assert index[16:].tolist() == list(range(2, 66))


def test_a_function_word_that_is_part_of_a_name_does_not_make_another_template():
    plain = "Ann is between the {} and the bus. Ann is in front of the {}. So Ann is behind the bus."
    texts = [plain.format(thing, thing) for thing in ["cup", "box", "trash can"]]
    others = [f"Who {deed} {at} times?" for at, deed in enumerate(DEEDS * 4)]
    assert len(set(find_groups(texts + others).index[:3].tolist())) == 1


def test_a_negation_makes_another_template():
    yes = [f"{a} is between the {b} and the tower. So {a} is in front of the {b}." for a, b in zip(NAMES, THINGS)]
    no = [text.replace(" is in ", " is not in ") for text in yes]
    index = find_groups(yes + no + FILLER).index
    assert index[:16].tolist() == [0] * 8 + [1] * 8


def test_which_name_goes_where_makes_another_template():
    same = [f"{a} is to the left of {b}. So {a} is not to the right of {b}." for a, b in itertools.pairwise(NAMES)]
    swapped = [f"{a} is to the left of {b}. So {b} is not to the right of {a}." for a, b in itertools.pairwise(NAMES)]
    index = find_groups(same + swapped + FILLER).index
    assert index[:14].tolist() == [0] * 7 + [1] * 7


def story(at):
    return (
        f"{NAMES[at]} had always wanted to keep bees in the garden behind her grandmother's house near {THINGS[at]}. "
        f"One day in spring number {at} she bought three hives from a farmer who was moving far away to another town."
    )


def test_a_story_with_several_questions_is_one_group():
    index = find_groups([story(0), f"{story(0)} Did she pay?", f"{story(0)} Who moved?", *FILLER]).index
    assert index.tolist() == [0, 0, 0, *range(1, 65)]


def test_instructions_that_all_items_share_change_nothing():
    texts = [make(at) for at in range(8) for make in (on_under, out_of)] + [
        f"{x}, {y}?" for x in OPENINGS for y in DEEDS
    ]
    before = (
        "You will be given a premise and a hypothesis.\nAnswer only with yes or no, and with nothing else at all.\n"
    )
    assert partition([f"{before}{text}\nNow what is your answer to this one?" for text in texts]) == partition(texts)


def test_the_words_of_the_instructions_are_no_evidence_of_a_template():
    # Five items of each form, with too few function words of their own to be a template.
    texts = [f"{mark} apple{at}{n} pear{n}{at}?" for at, mark in enumerate(MARKS) for n in range(5)]
    instructed = [f"Answer with yes or no, and with nothing else.\n{text}" for text in texts]
    assert len(partition(texts)) == len(partition(instructed)) == 40


def test_texts_that_differ_in_a_short_sentence_alone_are_one_story():
    # Seven words each: no sentence, and no pair of them, is long enough to mark a story by itself.
    middle = ["The bridge was closed until the morning.", "Where did all of the water go?"]
    end = "Nobody could go to work then. So they slept in their old beds."
    texts = [f"Rain fell on the town all night. {sentence} {end}" for sentence in middle]
    groups = find_groups([*texts, *FILLER])
    assert groups.index[:2].tolist() == [0, 0]
    assert groups.how.endswith("(joins: 1 by texts that differ in one sentence).")


def test_short_sentences_of_common_form_are_not_a_template():
    texts = [f"A {a} is a {b} of {c}." for a in THINGS for b in NAMES for c in ("wood", "stone")]
    assert len(partition(texts)) == len(texts)


def test_what_all_items_have_in_common_makes_no_giant_group():
    texts = [
        f"{NAMES[at % 8]} is on the {THINGS[at // 8]} and the {THINGS[at // 8]} is under {at}." for at in range(64)
    ]
    groups = find_groups(texts)
    assert len(set(groups.index.tolist())) == 64
    assert groups.how.startswith("Detected no groups in 64 items (1 refused, ")


def test_a_chain_of_shared_sentences_stops_at_a_fifth_of_the_items():
    def line(at):
        words = " ".join(chr(97 + (at * k) % 26) + chr(97 + (at + k) % 26) + str(at) for k in range(2, 16))
        return f"It was {words} then."

    texts = [f"{line(at)} {line(at + 1)}" for at in range(100)]  # each shares a sentence with the next
    sizes = np.bincount(find_groups(texts).index)
    assert 2 <= sizes.max() <= 20


def test_equal_texts_are_one_group_however_many():
    index = find_groups(["Same text", "same  TEXT", "other", "Same text"] * 5).index
    assert index.tolist() == [0, 0, 1, 0] * 5


@pytest.mark.parametrize("texts", [[], [""], ["", "  ", "\n"], ["?", "!", "…"], ["\ud800", "\x00", "🙂🙂"]])
def test_texts_without_words_are_grouped_with_their_equals_only(texts):
    index = find_groups(texts).index
    assert len(index) == len(texts)
    assert len(set(index.tolist())) == len({" ".join(text.split()) for text in texts})


def test_templates_in_another_language_are_detected_from_its_common_words():
    towns = ["Köln", "Bonn", "Ulm", "Trier", "Mainz", "Kiel", "Jena", "Gera"]
    people = ["Jörg", "Käthe", "Björn", "Zoë", "Uwe", "Heike", "Antje", "Sönke"]

    def fill(template, ending):
        names = zip(people, towns, towns[1:])
        return [template.format(a=a + ending, b=b + ending, c=c + ending) for a, b, c in names]

    travel = fill("{a} fährt von {b} nach {c}. Also ist {a} nicht mehr in {b}.", "dorf")
    homes = fill("{a} wohnt in {b}, aber nicht in {c}. {c} ist nicht von {b} weit.", "heim")
    reasons = fill("Warum kam {a} aus {c} und ging zu {b} und zu {a}?", "stadt")
    others = [f"{towns[at % 8]}straße{at} {people[at * 3 % 8]}chen{at}" for at in range(15)]
    index = find_groups(travel + homes + reasons + others).index
    assert index.tolist() == [0] * 7 + [1] * 7 + [2] * 7 + list(range(3, 18))


POOL = [make(at) for at in range(5) for make in (on_under, out_of, story)]
POOL += [f"{story(at)} Did {NAMES[at]} pay?" for at in range(5)] + [f"{x}, {y}." for x in OPENINGS for y in DEEDS]
POOL += [out_of(2).upper(), story(1).replace(". ", ".\n"), "", " "]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(POOL), min_size=1, max_size=60), st.randoms(use_true_random=False))
def test_the_partition_does_not_depend_on_the_order_of_the_items(texts, random):
    order = list(range(len(texts)))
    random.shuffle(order)
    shuffled = {frozenset(order[at] for at in group) for group in partition([texts[at] for at in order])}
    assert shuffled == partition(texts)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.text(max_size=40), max_size=30))
def test_any_texts_get_numbers_by_first_appearance(texts):
    index = find_groups(texts).index.tolist()
    assert list(dict.fromkeys(index)) == list(range(len(set(index))))


def test_declared_groups_are_used_verbatim():
    groups = column_groups(["b", "a", "b", "B"], "story", ["w", "x", "y", "z"])
    assert groups.index.tolist() == [0, 1, 0, 2]
    assert (groups.source, groups.column) == ("column", "story")
    assert groups.how == "The column 'story' declares 3 groups."
    assert column_groups(["a", "a"], "story", ["x", "y"]).how == "The column 'story' declares 1 group."
    assert column_groups([], "story", []).index.shape == (0,)


def test_equal_texts_join_declared_groups():
    groups = column_groups(["1", "2", "3", "4", "4"], "id", ["Same text", "other", "same  TEXT", "new", "OTHER"])
    assert groups.index.tolist() == [0, 1, 0, 1, 1]  # text joins 1 and 3, and 2 and 4
    assert groups.how == "The column 'id' declares 4 groups; items with equal texts reduced them to 2."


def test_declared_values_and_texts_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="2 values for 1 texts"):
        column_groups(["a", "b"], "story", ["x"])


def test_no_groups_leave_every_item_alone():
    groups = no_groups(3)
    assert groups.index.tolist() == [0, 1, 2]
    assert (groups.source, groups.column) == ("none", None)


def test_the_summary_counts_by_hand():
    groups = column_groups(list("abacbadee"), "g", list("ABCDEFGHI"))  # a 3, b 2, c 1, d 1, e 2
    summary = summarise(groups, [f"i{at}" for at in range(9)])
    assert (summary.count, summary.largest, summary.singletons) == (5, 3, 2)
    assert summary.sizes == [[1, 2], [2, 2], [3, 1]]
    assert summary.examples == [["i0", "i2", "i5"], ["i1", "i4"], ["i7", "i8"]]


def test_the_summary_of_nothing_is_zero():
    assert summarise(no_groups(0), []).largest == 0
