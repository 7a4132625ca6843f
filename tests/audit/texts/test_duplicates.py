"""Texts that occur more than once."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from hansproof.audit.tasks.group_layout import find_duplicates
from hansproof.audit.texts.sentences import fold_text


def test_case_white_space_and_width_do_not_distinguish_texts():
    assert fold_text("  The\tCat\u00a0sat\n") == "the cat sat"
    assert fold_text("Ｆｕｌｌ　ｗｉｄｔｈ") == "full width"
    assert fold_text("STRASSE") == fold_text("straße") == "strasse"
    assert fold_text("cafe\u0301") == fold_text("CAFÉ")


def test_punctuation_and_digits_distinguish_texts():
    assert fold_text("Is it 5?") != fold_text("Is it 5")
    assert fold_text("Is it 5?") != fold_text("Is it 6?")


@given(st.text())
def test_folding_a_folded_text_changes_nothing(text):
    assert fold_text(fold_text(text)) == fold_text(text)


@given(st.text())
def test_the_key_does_not_depend_on_how_accents_are_encoded(text):
    assert fold_text(unicodedata.normalize("NFD", text)) == fold_text(text)


def test_repeats_conflicts_and_splits_are_counted_by_hand():
    # a: three times (yes, yes, no), b: twice (no, no), c: once.
    duplicates = find_duplicates(
        ["A a", "b", "a  A", "c", "B", "A A"],
        ["yes", "no", "yes", "yes", "no", "no"],
        ["i0", "i1", "i2", "i3", "i4", "i5"],
        ["train", "train", "train", "test", "test", "train"],
    )
    assert duplicates.repeated_items == 3
    assert duplicates.conflicting == [["i0", "i2", "i5"]]
    assert duplicates.conflicting_sets == 1
    assert duplicates.across_splits == 1  # only b


def test_without_published_splits_the_count_across_them_is_undefined():
    assert find_duplicates(["a", "a"], ["x", "x"], ["1", "2"], None).across_splits is None


def test_at_most_fifty_conflicting_sets_are_shown_but_all_are_counted():
    texts = [str(at // 2) for at in range(120)]
    duplicates = find_duplicates(texts, ["x", "y"] * 60, [str(at) for at in range(120)], None)
    assert (len(duplicates.conflicting), duplicates.conflicting_sets, duplicates.repeated_items) == (50, 60, 60)
    assert duplicates.conflicting[0] == ["0", "1"]


def test_no_items_have_no_duplicates():
    duplicates = find_duplicates([], [], [], [])
    assert (duplicates.repeated_items, duplicates.conflicting, duplicates.across_splits) == (0, [], 0)
