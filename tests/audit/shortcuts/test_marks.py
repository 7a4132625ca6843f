"""Marks at the beginning of lines, and texts that are made to keep the search for them busy."""

import time

import pytest

from hansproof.audit.shortcuts.prompt_parts import marked_parts


def test_a_mark_of_three_words_names_a_part_and_what_stands_before_it_is_the_passage():
    prompts = [f"Text {n}.\n## Your final guess: {n}" for n in range(20)]
    assert {name: texts[3] for name, texts in marked_parts(prompts).items()} == {
        "passage": "Text 3.",
        "your final guess": "3",
    }


@pytest.mark.parametrize("unit", ["_", "a_", " ", "#", "a "])
def test_a_line_without_end_takes_linear_time(unit):
    start = time.process_time()
    marked_parts(["a" + unit * (200_000 // len(unit))])
    assert time.process_time() - start < 20  # quadratic time is a minute or more
