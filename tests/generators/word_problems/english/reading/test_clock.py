"""The clock of a story: time goes on from sentence to sentence, and ends with the question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hansproof.generators.word_problems.checking import check
from hansproof.generators.word_problems.dataset import DATASET
from hansproof.generators.word_problems.english.sentence_parts import clock_faults, moments
from hansproof.generators.word_problems.english.vocabulary import SETTINGS

STORY = ("Alice had 12 rolls.", "After lunch, she sold 3 rolls.", "Late in the morning, she sold 2 rolls.")


def bakery(*sentences: str, asked: str = "How many rolls did Alice have?") -> list[str]:
    return clock_faults(" ".join([*sentences, asked]), "bakery")


def test_a_story_that_goes_back_in_time_or_stands_still_is_refused() -> None:
    assert bakery(STORY[0], STORY[2], STORY[1]) == []
    assert bakery(*STORY) == ["phrase of time 2 is not after the one before"]
    assert bakery(STORY[0], STORY[1], STORY[1]) == ["phrase of time 2 is not after the one before"]


def test_a_story_that_ends_before_its_question_is_refused() -> None:
    closed = "At the end of the day, she sold 2 rolls."
    assert bakery(STORY[0], closed) == ["the story ends before its question"]
    assert bakery(STORY[0], asked="How many rolls did Alice have at the end of the day?") == []
    assert bakery(STORY[0], closed, asked="At the end of the day, how many rolls did Alice have?") == [
        "phrase of time 2 is not after the one before",
        "the story ends before its question",
    ]


def test_the_longest_phrase_of_time_counts() -> None:
    assert moments("It was an hour before closing.", "bakery") == [13]
    assert moments("It was shortly before closing.", "bakery") == [14]
    assert moments("It was about closing.", "bakery") == []


@pytest.mark.parametrize("setting", ["nowhere", None, 7, ["bakery"]])
def test_a_place_where_no_story_happens_is_refused(setting: object) -> None:
    assert clock_faults("Alice had 5 pens.", setting) == [f"setting is {setting!r}, where no story happens"]


def test_items_of_a_story_that_goes_back_are_refused_by_the_check_itself() -> None:
    item = next(
        item
        for at in range(400)
        if (item := DATASET.item("nonlinear", 5, at)).metadata["setting"] == "bakery" and len(_phrases(item.prompt)) > 2
    )
    assert check(item) == []
    swapped = item.prompt
    first, *_, last = _phrases(swapped)
    swapped = swapped.replace(first, "\0").replace(last, first).replace("\0", last)
    assert any("is not after the one before" in fault for fault in check(replace(item, prompt=swapped)))


def _phrases(text: str) -> list[str]:
    events = next(setting.event for setting in SETTINGS if setting.name == "bakery")
    return [event for event in events if event in text]
