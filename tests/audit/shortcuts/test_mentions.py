import pytest

from hansproof.audit.shortcuts.short_rules import find_mentions

PROMPTS = [
    "Greg is green. Lily is white. Lily is white.",
    "Julius is white. Greg is green.",
    "A rhino is gray! Lily is green, Greg is Gray.",
    "Lily is a rhino.",
]
ANSWERS = ["white", "green", "gray", "white"]


def test_rules_by_hand():
    mentions = find_mentions(PROMPTS, ANSWERS)
    assert (mentions.gold, mentions.others) == (3, 3)
    # First: green, white, gray and, without a mention, the most common answer, white: right for the last two.
    # Last: white, green, gray, white: right for all. Most frequent: white, white (first of two), gray, white.
    assert {rule.rule: rule.accuracy for rule in mentions.rules} == {"first": 0.5, "last": 1, "most frequent": 0.75}
    kappas = {rule.rule: rule.cohen for rule in mentions.rules}
    assert kappas["last"] == pytest.approx(1)
    # p_o = 2/4; p_e = (2 * 2 + 1 * 1 + 1 * 1) / 16 = 6/16
    assert kappas["first"] == pytest.approx((0.5 - 0.375) / 0.625)


def test_answers_are_found_as_whole_words_and_the_longer_of_two_wins():
    # "greenish" mentions nothing, and "light green" does not mention green.
    prompts = ["It is greenish, light green then blue.", "blue, green, light green", "blue or green"] * 3
    mentions = find_mentions(prompts, ["light green", "blue", "green"] * 3)
    assert (mentions.gold, mentions.others) == (9, 9)
    # First: light green, blue, blue; last: blue, light green, green.
    assert [rule.accuracy for rule in mentions.rules[:2]] == pytest.approx([2 / 3, 1 / 3])


def test_the_article_is_not_the_answer_a():
    assert find_mentions(["a cat and b", "b sees a dog"] * 5, ["A", "B"] * 5) is None


def test_options_listed_in_every_prompt_are_no_mentions():
    prompts = [f"text {index} true or false?" for index in range(10)]
    assert find_mentions(prompts, ["true", "false"] * 5) is None
    assert find_mentions(["no colour here"] * 4, ANSWERS) is None
