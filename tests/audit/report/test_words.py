"""The numbers and words that the terminal and the page share."""

from __future__ import annotations

import shlex
from typing import get_args

import msgspec
import pytest

from audit.report import words
from audit.result import Verdict


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.47, ".47"), (-0.03, "-.03"), (0.0, ".00"), (-0.0, ".00"), (-0.004, ".00"), (0.004, ".00"),
        (1.0, "1.00"),
        (-1.0, "-1.00"), (0.996, "1.00"), (2.81, "2.81"), (None, "undefined"), (float("nan"), "undefined"),
    ],
)  # fmt: skip
def test_a_kappa_has_two_digits_no_leading_zero_and_no_sign_on_nought(value, text):
    assert words.kappa(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.514, "+1.51"), (0.003, ".00"), (-0.25, "-.25"), (None, "undefined"), (0.06, "+.06")],
)
def test_a_signed_number_shows_its_plus(value, text):
    assert words.signed(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.0005, "<.001"), (0.001, ".001"), (0.0129, ".013"), (1.0, "1.000"), (None, "")]
)
def test_p_values_have_three_digits(value, text):
    assert words.p_value(value) == text


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (-0.2, "nothing beyond chance"), (0.0, "nothing beyond chance"),
        (0.2, "slight"), (0.201, "fair"), (0.4, "fair"), (0.6, "moderate"),
        (0.8, "substantial"), (0.81, "almost perfect"), (None, "undefined"),
    ],
)  # fmt: skip
def test_the_words_are_those_of_landis_and_koch(value, word):
    assert words.strength(value) == word


def test_every_verdict_has_words_and_a_symbol_for_ascii():
    assert set(words.VERDICTS) == set(get_args(Verdict))
    assert all(look.ascii.isascii() and len(look.symbol) == 1 for look in words.VERDICTS.values())
    assert len({look.key for look in words.VERDICTS.values()}) == len(words.VERDICTS)


def test_an_interval_without_bounds_is_not_shown():
    assert words.interval(0.412, 0.5) == "[.41, .50]"
    assert words.interval(None, 0.5) == ""


def test_the_command_repeats_the_audit_and_is_quoted_for_the_shell(make_result):
    one = make_result(source="my bench; rm -rf ~.jsonl")
    assert shlex.split(words.command(one)) == [
        "hansproof", "audit", "my bench; rm -rf ~.jsonl", "--prompt", "input", "--answer", "ideal", "--group",
        "problem_id", "--protocol", "grouped", "--seed", "42", "--folds", "5",
        "--permutations", "999", "--bootstrap", "2000", "--threshold", "0.2", "--alpha", "0.05",
    ]  # fmt: skip


def test_the_command_names_how_groups_were_had(make_result):
    settings = msgspec.structs.replace(make_result().settings, groups="none")
    command = words.command(make_result(settings=settings))
    assert "--groups none" in command
    assert "problem_id" not in command


def test_the_command_of_a_paper_run_names_the_protocol_and_the_flag(results):
    assert words.command(results["paper"]).endswith(
        "--protocol paper --seed 42 --threshold 0.2 --alpha 0.05 --upstream-counts"
    )


def test_counts_are_spelt_with_their_noun():
    assert words.things(1, "group") == "1 group"
    assert words.things(1600, "item") == "1,600 items"
    assert words.things(2, "text with two golds", "texts with two golds") == "2 texts with two golds"


def test_a_vector_that_was_not_run_keeps_its_stable_name(make_result):
    assert words.label_of(make_result(), "word-2-tfidf") == "word 1-2-grams, TF-IDF"
    assert words.label_of(make_result(), "made-up") == "made-up"


def test_the_verdict_is_about_random_folds_only_where_it_is_bound_to_templates(results):
    about = {name: getattr(result.deciding_scheme, "scheme", None) for name, result in results.items()}
    assert about == {
        "leaks": "grouped", "template": "random", "imbalanced": "grouped", "clean": "grouped",
        "inconclusive": "grouped", "unassessed": None, "paper": "paper",
    }  # fmt: skip


def test_folds_are_the_same_only_where_every_number_is(results, make_result):
    grouped = make_result().schemes[0]
    same = [grouped, msgspec.structs.replace(grouped, scheme="random")]
    assert words.unparted(make_result(schemes=same, gap=None))
    assert not any(words.unparted(one) for one in results.values())


def test_clean_and_the_smallest_kappa_say_what_they_do_not_cover():
    meaning = words.VERDICTS["CLEAN"].meaning
    assert "for probes like these, trained on this many items" in meaning
    assert "A cue spread over hundreds of rare words needs more items to be learnt" in meaning
    assert "power of the test on the out-of-fold predictions, not of learning" in words.DETECTABLE
