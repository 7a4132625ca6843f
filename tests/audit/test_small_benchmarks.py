"""The audit from a file to a verdict, on the small benchmarks of `tests/conftest.py`."""

import pytest

import hansproof

pytestmark = pytest.mark.slow  # whole audits, each in seconds

QUICK = {"splits": 2, "permutations": 299}


def largest(result, scheme, measure="matched"):
    return max(getattr(vector, measure) for vector in result.scheme(scheme).vectors if vector.counted)


@pytest.mark.parametrize(("groups", "column"), [("auto", "problem_id"), ("found", None)])
def test_templates_that_give_their_label_away_are_seen_as_templates(small, groups, column):
    result = hansproof.audit(small / "places.jsonl", groups=groups, **QUICK)
    assert result.verdict == "TEMPLATE-BOUND"
    assert (result.groups.column, result.groups.count, result.groups.largest) == (column, 24, 10)
    assert largest(result, "random") > 0.9
    assert largest(result, "grouped") < 0.1


def test_the_papers_one_random_split_takes_the_same_templates_for_a_leak(small):
    result = hansproof.audit(small / "places.jsonl", protocol="paper", **QUICK)
    assert result.verdict == "LEAKS"
    assert largest(result, "paper", "uniform") > 0.9


def test_of_400_questions_answered_by_a_coin_it_is_known_that_no_cue_was_found(small):
    result = hansproof.audit(small / "questions.csv", **QUICK)
    assert result.verdict == "INCONCLUSIVE"
    assert result.reason.startswith("no probe is significant, but a leak cannot be ruled out: ")
    assert (result.items, result.groups.singletons) == (400, 400)
    assert result.groups.how == "Detected no groups in 400 items."


def test_sums_are_solved_by_adding_the_numbers(small):
    result = hansproof.audit(small / "sums.jsonl", **QUICK)
    assert (result.verdict, result.open_ended.strategy) == ("LEAKS", "sum")
    assert (
        "the strategy “sum” (the sum of all numbers of the prompt) is right for 100.0 % of the items" in result.reason
    )


def test_30_stories_are_too_few_to_judge_and_each_stays_whole(small):
    result = hansproof.audit(small / "logs" / "heron-1.jsonl", **QUICK)
    assert result.verdict == "INCONCLUSIVE"
    assert (result.name, result.items) == ("stories (heron-1)", 120)
    assert result.groups.sizes == [[4, 30]]


def test_texts_with_two_golds_are_counted_with_their_splits(small):
    duplicates = hansproof.audit(small / "repeats.csv", **QUICK).duplicates
    assert (duplicates.repeated_items, duplicates.conflicting_sets, duplicates.across_splits) == (30, 10, 30)


def test_options_of_each_item_with_golds_by_chance_are_no_leak(small):
    result = hansproof.audit(small / "options.jsonl", **QUICK)
    assert result.verdict == "INCONCLUSIVE"
    assert result.options.sizes == [[4, 120]]
