"""What the card says in numbers is what is measured on the items of the release."""

import re
from collections import Counter, defaultdict
from functools import cache
from statistics import mean

import pytest
from slow_part import slow_but

from hansproof.audit.models.blind import measure_blind
from hansproof.generators.answering.scorer import ANSWER
from hansproof.generators.registry import prose
from hansproof.generators.word_problems.dataset import DATASET

CARD = prose("word-problems")
TEXT = " ".join(f"{CARD.description} {CARD.details} {CARD.misuses}".split())


@cache
def items(subset):
    return [DATASET.item(subset, DATASET.seed, index) for index in range(DATASET.subsets[subset].rows)]


@cache
def blind(subset):
    """(part, strategy) -> share in per cent, out of sample."""
    return {(row.part, row.strategy): 100 * row.share.share for row in measure_blind(items(subset), DATASET.scorer)}


def numbers(item):
    return [int(number) for form in item.metadata["forms"] for number in re.findall(r", (\d+),", form)]


@pytest.mark.parametrize(
    ("sentence", "subset"),
    slow_but(
        [
            ("gets {:.1f} % of three of them right", "counterbalanced-additive"),
            ("gets {:.1f} % of three of them right", "counterbalanced-multiplicative"),
            ("gets {:.1f} % of three of them right", "counterbalanced-carry"),
            ("{:.1f} % of the comparisons of `counterbalanced-transfer`", "counterbalanced-transfer"),
            ("({:.1f} % of its comparisons, chance 20.2 %)", "transfer-comparison"),
        ],
        ("({:.1f} % of its comparisons, chance 20.2 %)", "transfer-comparison"),
    ),
)
def test_whoever_takes_comparisons_at_their_word_gets_what_the_card_says(sentence, subset):
    assert sentence.format(blind(subset)[ANSWER, "at-its-word"]) in TEXT


@pytest.mark.parametrize(
    ("sentence", "subset"),
    [
        ("such a reader gets {:.1f} % of all", "counterbalanced-transfer"),
        ("gets {:.1f} % of `transfer-comparison`", "transfer-comparison"),
        ("{:.1f} % of `distractor`", "distractor"),
        ("{:.1f} % of `surface-forms`", "surface-forms"),
        ("{:.1f} % of `nonlinear`", "nonlinear"),
    ],
)
def test_where_nothing_is_compared_such_a_reader_is_right(sentence, subset):
    (strategy,) = (known for known in DATASET.scorer.blind if known.name == "at-its-word")
    right = [
        said == item.answer if said is not None else not any("comparison(" in form for form in item.metadata["forms"])
        for item, said in zip(items(subset), strategy.answers((), items(subset)), strict=True)
    ]
    assert sentence.format(100 * mean(right)) in TEXT


def test_guessing_the_sign_of_every_step_explains_the_comparisons_that_are_right():
    # 92 of 500, with chances of 1/2 to 1/32 by the number of steps.
    (row,) = (
        row for row in measure_blind(items("counterbalanced-transfer"), DATASET.scorer)
        if (row.part, row.strategy) == (ANSWER, "at-its-word")
    )  # fmt: skip
    assert (row.items, row.answered, row.share.hits) == (1000, 500, 92)
    assert row.p == pytest.approx(0.607, abs=0.001)


def told(subset, measure):
    """Condition -> the mean of a measure of the prompts."""
    values = defaultdict(list)
    for item in items(subset):
        values[item.condition].append(measure(item.prompt))
    return {condition: mean(each) for condition, each in values.items()}


@pytest.mark.parametrize(
    ("measure", "transfer", "comparison"),
    [
        (lambda text: len(text.split()), 53.76, 53.57),
        (len, 295.5, 283.5),
        (lambda text: text.count(","), 4.3, 2.5),
        (lambda text: len(re.findall(r"\bexactly\b", text)), 0, 1.5),
        (lambda text: len(re.findall(r"\b(?:did|had)\.", text)), 0, 2.0),
    ],
)
def test_transfers_and_comparisons_differ_in_more_than_words(measure, transfer, comparison):
    given = told("counterbalanced-transfer", measure)
    assert given == pytest.approx({"transfer": transfer, "comparison": comparison}, abs=0.05)
    assert "(295.5 and 283.5 on average in `counterbalanced-transfer`) and commas (4.3 and 2.5)" in TEXT
    assert "say `exactly` (1.5 times) or end a sentence with `did` or `had` (2.0 times)" in TEXT


def test_a_distractor_makes_its_problem_longer():
    words = told("distractor", lambda text: len(text.split()))
    assert words["distractor"] - words["plain"] == pytest.approx(8.2, abs=0.05)
    assert "A distractor adds 8.2 words, one sentence and one number" in TEXT


def test_the_person_asked_about_is_named_last_as_often_as_the_card_says():
    last = defaultdict(list)
    for item in items("consistency"):
        people = {name for form in item.metadata["forms"] for name in re.findall(r"[(, ]([A-Z][a-z]+)(?=[,)])", form)}
        before = " ".join(part for part in re.split(r"(?<=[.?]) ", item.prompt) if not part.endswith("?"))
        named = max(people, key=lambda name: max((m.start() for m in re.finditer(rf"\b{name}\b", before)), default=-1))
        last[item.condition].append(f"count({named}," in item.metadata["question"])
    shares = {condition: round(100 * mean(each)) for condition, each in last.items()}
    assert shares == {"consistent": 41, "inconsistent": 81}
    assert "in 41 % of the consistent problems and 81 % of the inconsistent ones" in TEXT


@pytest.mark.slow
def test_the_other_blind_shares_are_as_on_the_card():
    chance = mean(DATASET.scorer.chance(item)[ANSWER] for item in items("counterbalanced-transfer"))
    assert f"where chance is {100 * chance:.1f} %" in TEXT
    assert f"from the first one gets {blind('counterbalanced-transfer')[ANSWER, 'difference']:.1f} %" in TEXT
    balanced = [name for name in DATASET.subsets if name.startswith("counterbalanced")]
    assert f"The best constant gets {max(blind(name)[ANSWER, 'constant'] for name in balanced):.1f} %" in TEXT
    assert blind("carry")[ANSWER, "at-its-word"] == 100
    known = blind("consistency")["operation", "number-operation"]
    assert f"the last number gives the operation in {known:.1f} % of the problems" in TEXT


@pytest.mark.parametrize("subset", ["counterbalanced-multiplicative", "consistency"])
def test_as_many_answers_are_among_the_numbers_of_the_text_as_the_card_says(subset):
    share = mean(int(item.answer) in numbers(item) for item in items(subset))
    assert f"{100 * share:.1f} % of `{subset}`" in TEXT


@pytest.mark.parametrize("subset", ["counterbalanced-transfer", "transfer-comparison"])
def test_more_than_seven_in_ten_questions_about_transfers_say_that_something_changed(subset):
    cue = re.compile(r"\b(left|still|then|end(ed)? up|in the end|after that)\b")
    said = defaultdict(list)
    for item in items(subset):
        said[item.condition].append(bool(cue.search(re.split(r"(?<=[.?]) ", item.prompt)[-1])))
    assert mean(said["transfer"]) > 0.7
    assert not any(said["comparison"])
    assert "More than seven in ten questions about transfers" in TEXT


def sizes(subset, *keys):
    """Condition (and operation) -> the mean of the first and of the second number."""
    pairs = defaultdict(list)
    for item in items(subset):
        pairs[tuple([item.condition, item.metadata["operation"]][: 1 + len(keys)])].append(numbers(item))
    return {key: [mean(column) for column in zip(*rows)] for key, rows in pairs.items()}


def test_numbers_with_carries_are_as_small_as_the_card_says():
    told = sizes("counterbalanced-carry")
    assert told["carry",] == pytest.approx([425, 166], abs=0.6)
    assert told["no-carry",] == pytest.approx([614, 221], abs=0.6)
    assert "425 and 166 on average, without carries 614 and 221" in TEXT
    told = sizes("carry", "operation")
    assert told["no-carry", "add"] == pytest.approx([418, 414], abs=0.6)
    assert told["carry", "add"] == pytest.approx([417, 414], abs=0.6)
    assert told["no-carry", "subtract"] == pytest.approx([822, 523], abs=0.6)
    assert told["carry", "subtract"] == pytest.approx([521, 223], abs=0.6)
    assert "(418 and 414 without, 417 and 414 with carries)" in TEXT
    assert "(822 and 523 without, 521 and 223 with)" in TEXT


def test_last_digits_with_and_without_carries_are_as_on_the_card():
    digits = defaultdict(Counter)
    for item in items("counterbalanced-carry"):
        digits[item.condition][item.answer[-1]] += 1
    common = {arm: "".join(sorted(d for d, count in seen.items() if count > 60)) for arm, seen in digits.items()}
    assert common == {"carry": "139", "no-carry": "24567"}
    assert "end in 1, 3 or 9 more often, without carries in 2, 4, 5, 6 or 7" in TEXT


def test_few_distractors_of_long_problems_can_be_told_by_their_size():
    longer = [item for item in items("distractor") if item.condition == "distractor" and item.metadata["n_steps"] >= 7]
    idle = [numbers(item)[item.metadata["distractor_at"]] for item in longer]
    share = mean(number > 9 for number in idle)
    assert f"and {100 * share:.1f} % of the distractors are above" in TEXT


def test_the_card_is_short_enough_to_be_read():
    assert sum(len(part.split()) for part in (CARD.description, CARD.details, CARD.uses, CARD.misuses)) < 2000


@pytest.mark.parametrize(("one_right", "points"), [(0.1, "4.0"), (0.2, "5.6"), (0.4, "7.9")])
def test_the_power_on_the_card_is_that_of_a_paired_test(one_right, points):
    # The difference of a pair is -1, 0 or 1, so the variance is the share with one right: 2.802 errors.
    assert f"{100 * 2.802 * (one_right / 500) ** 0.5:.1f}" == points
    assert re.search(rf"\b{re.escape(points)}\b", TEXT)
