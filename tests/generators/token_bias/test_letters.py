"""Letters on a die: chances counted three ways, and no length that is right more often than a third of the time."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import groupby, product

import numpy as np
import pytest

from hansproof.generators.registry import dataset
from hansproof.generators.stream import Stream
from hansproof.generators.token_bias.letters import (
    BALANCED,
    FACES,
    OFTEN,
    PAPER,
    ROLLS,
    check,
    occurrences,
    rows_at,
    share_of_rolls,
)

FAMILY = dataset("token-bias")


def items(subset, count=200, seed=4):
    return [FAMILY.item(subset, seed, index) for index in range(count)]


@pytest.mark.parametrize("row", ["01000", "101000", "1111", "0101", "0110"])
def test_the_chance_of_a_row_by_automaton_by_first_occurrence_and_by_all_rolls(row):
    rolls = 9
    counted = sum(OFTEN ** text.count("1") * 2 ** text.count("0")
                  for text in map("".join, product("10", repeat=rolls)) if row in text)  # fmt: skip
    assert occurrences(row, OFTEN, rolls) == counted
    assert share_of_rolls(row, rolls) == Fraction(counted, FACES**rolls)
    assert share_of_rolls(row, 40) == Fraction(occurrences(row, OFTEN, 40), FACES**40)


def test_a_row_that_contains_another_is_never_more_likely():
    # Tversky and Kahneman's own: RGRRR in GRGRRR, with green on four faces.
    assert occurrences("01000", OFTEN, 20) > occurrences("101000", OFTEN, 20) > occurrences("100000", OFTEN, 20)


@pytest.mark.parametrize("subset", ["letters", "balanced-letters"])
def test_the_prompt_leads_to_the_gold_answer_and_to_no_other(subset):
    for item in items(subset):
        assert check(item) == []
        for other in item.choices:
            assert other == item.answer or check(replace(item, answer=other))


def test_a_pair_differs_in_the_letters_alone():
    for _, (original, letters) in ((key, list(group)) for key, group in groupby(items("letters"), lambda i: i.group)):
        about = letters.metadata
        lines = original.prompt.split("\n")
        swap = str.maketrans({"G": about["often"], "R": about["seldom"]})
        for letter, other in (("G", about["often"]), ("R", about["seldom"])):
            lines[0] = lines[0].replace(f"letter {letter}", f"letter {other}")
        assert "\n".join([lines[0], *(line.translate(swap) for line in lines[1:])]) == letters.prompt
        assert original.answer == letters.answer
        assert about["contained"] in about["containing"]


@pytest.mark.parametrize("subset", ["letters", "balanced-letters"])
def test_letters_that_are_hard_to_tell_apart_never_share_a_die(subset):
    alike = ("MN", "VW", "DQ", "CQ", "BD", "BP", "FP", "SZ")
    dice = [{item.metadata["often"], item.metadata["seldom"]} for item in items(subset, 2_000)]
    assert {len(letters) for letters in dice} == {2}
    assert not [letters for letters in dice if any(letters == set(pair) for pair in alike)]


def test_two_rows_that_are_equally_likely_are_a_fault():
    (item,) = items("balanced-letters", 1)
    rows = dict(line.split(" ") for line in item.prompt.split("\n")[1:])
    other = next(label for label in rows if label != item.answer)
    twins = item.prompt.replace(f"{other} {rows[other]}", f"{other} {rows[item.answer]}")
    both = " and ".join(sorted((item.answer, other)))
    assert check(replace(item, prompt=twins)) == [f"{both} are equally likely"]


def test_in_the_balanced_set_no_length_no_place_and_no_likeness_to_the_die_is_right_more_often_than_chance():
    rows = items("balanced-letters", 1_944, FAMILY.seed)
    right = Counter()
    for item in rows:
        options = dict(line.split(" ") for line in item.prompt.split("\n")[1:])
        question, often = item.metadata["question"], item.metadata["often"]
        length = sorted(map(len, options.values())).index(len(options[item.answer]))
        right[f"{question} {length}"] += 1
        share = {label: Fraction(row.count(often), len(row)) for label, row in options.items()}
        typical = (max if question == "most" else min)(share, key=share.__getitem__)
        # Only T can be right and look like it; T is right in a third of the items.
        assert (item.answer == typical) == (item.metadata["gold"] == item.metadata["third"])
        right["typical"] += item.answer == typical
        right[item.answer] += 1
        right[question] += 1
    assert {name: round(count / len(rows), 2) for name, count in right.items()} == {
        **{f"{question} {length}": 0.17 for question in ("most", "least") for length in range(3)},
        **dict.fromkeys(("(a)", "(b)", "(c)"), 0.33),
        "typical": 0.33,
        **dict.fromkeys(("most", "least"), 0.5),
    }
    assert len({item.prompt for item in rows}) == 1_944


@pytest.mark.parametrize("rolls", ROLLS)
def test_the_right_row_is_clearly_right_and_no_two_rows_are_equally_likely(rolls):
    draws = Stream(1, "rows")
    for kind in dict.fromkeys((*PAPER, *BALANCED)):
        for shortest in (6, 6, 6, 6, 9, 14):
            rows = rows_at(kind, rolls, shortest, draws)
            assert min(map(len, rows)) == shortest
            best, second, third = sorted((share_of_rolls(row, rolls) for row in rows), reverse=True)
            assert best > second > third
            assert best / second >= Fraction(11, 10) if kind.question == "most" else second / third >= Fraction(11, 10)


@pytest.mark.slow
def test_who_simulates_a_hundred_runs_is_right_as_often_as_the_knob_says():
    draws, said = np.random.default_rng(1), {5: 0.90, 8: 0.67, 14: 0.36}
    for level, share in said.items():
        right = []
        for item in items(f"balanced-letters@{level}", 600, 1):
            about = item.metadata
            rows = [about[name] for name in ("contained", "containing", "third")]
            plain = [row.replace(about["often"], "1").replace(about["seldom"], "0") for row in rows]
            seen = draws.binomial(100, [float(share_of_rolls(row, about["rolls"])) for row in plain], (200, 3))
            seen = seen + draws.random((200, 3)) / 2  # a coin between rows that were seen equally often
            chosen = seen.argmax(1) if about["question"] == "most" else seen.argmin(1)
            right.append((chosen == rows.index(about["gold"])).mean())
        assert np.mean(right) == pytest.approx(share, abs=0.02)
        assert f"{100 * share:.0f} %" in FAMILY.subsets["balanced-letters"].knob.shown
