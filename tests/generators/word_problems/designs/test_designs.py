"""The designs of word problems: how often each draw occurs, what is crossed, and what is independent of what."""

from collections import Counter
from functools import cache

import pytest
from scipy.stats import binomtest, chi2_contingency, chisquare
from slow_part import slow_but

from hansproof.generators.registry import dataset
from hansproof.generators.word_problems.dataset import DATASET, PLANS
from hansproof.generators.word_problems.forms import Comparison, Problem, Rate, Transfer, parse
from hansproof.generators.word_problems.model import Possession, model

SEED = 23
LEVEL = 0.0005
COUNT = 2000
COUNTERBALANCED = ("counterbalanced-additive", "counterbalanced-multiplicative")
QUICK = ("counterbalanced-additive", "nonlinear")


@cache
def every(subset, count=COUNT):
    return [DATASET.item(subset, SEED, index) for index in range(count)]


def forms(item):
    return [parse(text) for text in item.metadata["forms"]]


def numbers(item):
    return [form.quantity for form in forms(item)]


def uniform(values, expected=None):
    seen = Counter(values)
    if expected is not None:
        assert set(seen) == set(expected)
    return chisquare(list(seen.values())).pvalue > LEVEL


def independent(first, second):
    """Chi-square test of two columns; levels with fewer than 25 items are merged."""
    columns = []
    for values in (list(first), list(second)):
        counts = Counter(values)
        columns.append([value if counts[value] >= 25 else "rare" for value in values])
    pairs = Counter(zip(*columns, strict=True))
    table = [
        [pairs[row, column] for column in sorted(set(columns[1]), key=str)] for row in sorted(set(columns[0]), key=str)
    ]
    return chi2_contingency(table, correction=False).pvalue > LEVEL


def size(number):
    """A coarse size, so that a table has enough items in every cell."""
    return number.bit_length()


@pytest.mark.parametrize("subset", slow_but(PLANS, *QUICK))
def test_only_nonlinear_problems_have_a_step_with_two_derived_premises(subset):
    for item in every(subset)[:300]:
        problem_model = model(Problem(tuple(forms(item)), parse(item.metadata["question"])))
        axioms = {possession for possession, _ in problem_model.axioms}
        linear = not any(
            isinstance(equation.quantity, Possession) and not {equation.known, equation.quantity} & axioms
            for equation in problem_model.equations
        )
        assert linear == (subset != "nonlinear"), item.id


@pytest.mark.parametrize("subset", slow_but(PLANS, *QUICK))
def test_nobody_has_fewer_than_two_or_more_than_999_of_anything(subset):
    for item in every(subset):
        amounts = [int(word) for step in item.metadata["steps"] for word in step.split()[::2]] + numbers(item)
        assert min(amounts) >= 2, item.id
        assert max(amounts) <= 999, item.id


@pytest.mark.parametrize("subset", slow_but(PLANS, *QUICK))
def test_nothing_is_multiplied_and_then_divided_by_the_same_number(subset):
    for item in every(subset):
        steps = [step.split() for step in item.metadata["steps"]]
        factors = {sign: [right for _, sign_, right, *_ in steps if sign_ == sign] for sign in "*/"}
        assert not {*factors["*"]} & {*factors["/"]}, item.id


@pytest.mark.parametrize("subset", slow_but(PLANS, *QUICK))
def test_factors_in_comparisons_are_2_to_6_equally_often_in_either_direction(subset):
    drawn = [
        (form.relation, form.quantity)
        for item in every(subset)
        for form in forms(item)
        if isinstance(form, Comparison) and form.relation in "*/"
    ]
    if subset.endswith(("additive", "transfer", "carry")) or subset in ("transfer-comparison", "rate"):
        assert drawn == []
    else:
        assert {number for _, number in drawn} == {2, 3, 4, 5, 6}
        once = drawn[:: PLANS[subset].size]
        assert independent(*zip(*once, strict=True))
        assert chisquare([*Counter(number for _, number in once).values()]).pvalue > LEVEL or subset == "surface-forms"


@pytest.mark.parametrize(
    ("subset", "steps"),
    [
        *((name, range(1, 13)) for name in (*COUNTERBALANCED, "distractor", "rate")),
        *((name, range(1, 6)) for name in ("counterbalanced-transfer", "transfer-comparison")),
        ("nonlinear", range(3, 13)),
        ("surface-forms", range(2, 7)),
    ],
)
def test_every_number_of_steps_is_equally_likely(subset, steps):
    assert uniform((item.metadata["n_steps"] for item in every(subset)[:: PLANS[subset].size]), steps)


def test_consistency_has_1_to_5_steps_and_each_operation_equally_often():
    drawn = every("consistency")[::2]
    assert uniform((item.metadata["operation"] for item in drawn), ("add", "subtract", "multiply", "divide"))
    steps = Counter(item.metadata["n_steps"] for item in drawn)
    # 0-2 moves before and 0-2 after: 1 to 5 steps in the ratio 1:2:3:2:1.
    assert chisquare([steps[n] for n in range(1, 6)], [len(drawn) * w / 9 for w in (1, 2, 3, 2, 1)]).pvalue > LEVEL
    assert independent((i.metadata["operation"] for i in drawn), (i.metadata["n_steps"] for i in drawn))
    rates = Counter(sum(isinstance(form, Rate) for form in forms(item)) for item in drawn)
    assert set(rates) == {0, 1}
    assert rates[1] > 200


@pytest.mark.parametrize("subset", COUNTERBALANCED)
def test_every_four_items_cross_keyword_and_operation_exactly(subset):
    drawn = every(subset)
    cells = {(item.metadata["keyword"], item.metadata["operation"]) for item in drawn}
    assert len(cells) == 4
    for at in range(0, len(drawn), 4):
        block = drawn[at : at + 4]
        assert {(item.metadata["keyword"], item.metadata["operation"]) for item in block} == cells
        assert len({(item.condition, item.metadata["operation"]) for item in block}) == 4
    # Nor does the position give it away: either operation may come first in a block.
    first = Counter(drawn[at].metadata["operation"] for at in range(0, len(drawn), 4))
    assert binomtest(first.most_common(1)[0][1], first.total(), 0.5).pvalue > LEVEL


def test_every_eight_items_of_counterbalanced_carry_cross_keyword_operation_and_carries():
    drawn = every("counterbalanced-carry")
    for at in range(0, len(drawn), 8):
        block = {(i.metadata["keyword"], i.metadata["operation"], i.condition) for i in drawn[at : at + 8]}
        assert len(block) == 8


def test_two_neighbouring_pairs_of_counterbalanced_transfer_end_with_opposite_operations():
    drawn = every("counterbalanced-transfer")
    for at in range(0, len(drawn), 4):
        assert {drawn[at].metadata["operation"], drawn[at + 2].metadata["operation"]} == {"add", "subtract"}


@pytest.mark.parametrize("subset", [name for name, plan in PLANS.items() if plan.subset.balanced])
def test_nothing_in_sight_depends_on_the_operation_in_balanced_subsets(subset):
    drawn = every(subset)
    operations = [item.metadata["operation"] for item in drawn]
    assert uniform(operations)
    seen = {
        "keyword": [item.metadata["keyword"] for item in drawn],
        "words": [size(len(item.prompt.split())) for item in drawn],
        "steps": [item.metadata["n_steps"] for item in drawn],
        "first number": [size(numbers(item)[0]) for item in drawn],
        "last number": [size(numbers(item)[-1]) for item in drawn],
        "sum": [sum(numbers(item)) % 10 for item in drawn],
        "condition": [item.condition for item in drawn],
    }
    if subset == "counterbalanced-transfer":  # only the comparisons have a keyword, and both problems one operation
        seen.pop("condition")
        assert independent(operations[1::2], seen.pop("keyword")[1::2])
        operations, seen = operations[::2], {name: values[::2] for name, values in seen.items()}
    for name, values in seen.items():
        assert independent(operations, values), name


@pytest.mark.slow
@pytest.mark.parametrize("subset", [name for name, plan in PLANS.items() if plan.subset.balanced])
def test_last_digits_are_uniform_and_independent_of_what_is_in_sight_in_balanced_subsets(subset):
    members = (0,) if subset == "counterbalanced-transfer" else (0, 1)  # there both have the same answer
    drawn = [item for item in every(subset, 4000) if int(item.id[-6:]) % 2 in members]
    digits = [item.metadata["last_digit"] for item in drawn]
    assert uniform(digits, range(10) if subset != "counterbalanced-carry" else range(1, 10))
    assert independent(digits, [item.metadata["keyword"] for item in drawn])
    assert independent(digits, [item.metadata["n_steps"] for item in drawn])


@pytest.mark.parametrize("subset", ["transfer-comparison", "counterbalanced-transfer"])
def test_the_signs_of_transfers_and_comparisons_are_fair_coins_that_no_number_betrays(subset):
    hard = every(subset)[1::2]
    steps = [(index, step.split()) for index, item in enumerate(hard) for step in item.metadata["steps"]]
    signs = [step[1] for _, step in steps]
    assert binomtest(signs.count("+"), len(signs), 0.5).pvalue > LEVEL
    assert independent(signs, (size(int(step[2])) for _, step in steps))
    assert independent(signs, (size(numbers(hard[index])[0]) for index, _ in steps))
    kinds = [
        (kind, form.relation) for item in hard for kind, form in zip(item.metadata["comparisons"][1:], forms(item)[1:])
    ]
    consistent = [kind for kind, _ in kinds]
    assert binomtest(consistent.count("consistent"), len(consistent), 0.5).pvalue > LEVEL
    assert independent(*zip(*kinds, strict=True))


@pytest.mark.parametrize("subset", ["carry", "counterbalanced-carry"])
def test_three_digit_numbers_have_no_zero_and_sums_of_digits_are_alike(subset):
    digits = {"no-carry": [], "carry": []}
    for item in every(subset):
        shown = [*map(str, numbers(item))]
        assert all(len(number) == 3 and "0" not in number for number in (*shown, item.answer)), item.id
        digits[item.condition].append(sum(map(int, "".join(shown))))
    easy, hard = (sum(values) / len(values) for values in digits.values())
    # In `carry`, 9 more for each carry in a sum and 9 fewer in a difference; carries are alike in both.
    assert abs(easy - hard) < (0.6 if subset == "carry" else 1e-9)


def test_carries_are_alike_in_sums_and_differences():
    hard = every("carry")[1::2]
    assert uniform((item.metadata["carries"] for item in hard), (1, 2))
    assert independent((i.metadata["carries"] for i in hard), (i.metadata["operation"] for i in hard))


def test_numbers_of_counterbalanced_carry_fit_both_operations():
    for easy, hard in zip(every("counterbalanced-carry")[::2], every("counterbalanced-carry")[1::2]):
        assert sorted("".join(map(str, numbers(easy)))) == sorted("".join(map(str, numbers(hard))))
        for item in (easy, hard):
            left, right = numbers(item)
            assert {left + right, left - right} == {int(item.answer), item.metadata["trap"]}
            assert all(len(str(end)) == 3 and "0" not in str(end) for end in (left + right, left - right))
            columns = [*zip(map(int, str(left)), map(int, str(right)))]
            assert all(a + b < 10 and a > b for a, b in columns) == (item is easy)


def test_a_distractor_is_another_person_or_another_thing_equally_often_and_anywhere_but_first():
    drawn = every("distractor")[1::2]
    assert Counter(item.metadata["distractor"] for item in drawn) == {"person": 500, "thing": 500}
    places = [(item.metadata["distractor_at"], len(item.metadata["forms"])) for item in drawn]
    assert all(1 <= place < count for place, count in places)
    people = [place for item, place in zip(drawn, places, strict=True) if item.metadata["distractor"] == "person"]
    thirds = [(3 * (place - 1) // (count - 1)) for place, count in people if (count - 1) % 3 == 0]
    assert uniform(thirds, (0, 1, 2))
    for item in drawn:
        idle = forms(item)[item.metadata["distractor_at"]]
        others = [form for at, form in enumerate(forms(item)) if at != item.metadata["distractor_at"]]
        same = {form.thing for form in others} == {idle.thing}
        assert same == (item.metadata["distractor"] == "person")
        people = {name for form in others for name in (getattr(form, "agent", ""), getattr(form, "other", ""))}
        assert (idle.agent in people) == (item.metadata["distractor"] == "thing")
        if item.metadata["distractor"] == "thing":  # not in the middle of giving and taking
            assert not isinstance(forms(item)[item.metadata["distractor_at"] - 1], Transfer)


def test_rates_multiply_and_divide_in_turn():
    drawn = every("rate", 1000)
    assert [item.condition for item in drawn[:4]] == ["multiply", "divide"] * 2
    assert all(item.metadata["operation"] == item.condition for item in drawn)
    assert len({item.group for item in drawn}) == len(drawn)
    assert all(sum(isinstance(form, Rate) for form in forms(item)) == 1 for item in drawn)
    assert independent((i.condition for i in drawn), (i.metadata["n_steps"] for i in drawn))


def test_nonlinear_problems_join_two_branches_in_turn():
    for index, item in enumerate(every("nonlinear", 600)):
        kinds = [type(form).__name__ for form in forms(item)]
        assert kinds.count("Container") == 2
        assert item.metadata["n_steps"] == len(kinds) - 1
        assert item.condition == ("total", "difference")[index % 2]
        assert item.metadata["operation"] == ("add", "subtract")[index % 2]
        last = item.metadata["steps"][-1].split()
        # Both sides of the last step are results of earlier steps, so both branches are needed.
        ends = [step.rpartition(" ")[2] for step in item.metadata["steps"][:-1]]
        assert last[0] in ends
        assert last[2] in ends


def test_half_of_the_transfers_of_counterbalanced_problems_name_nobody_else():
    drawn = [form for item in every(COUNTERBALANCED[0])[::2] for form in forms(item) if isinstance(form, Transfer)]
    named = sum(bool(form.receiver and form.sender) for form in drawn)
    assert binomtest(named, len(drawn), 0.5).pvalue > LEVEL


def test_the_dataset_has_the_subsets_of_the_table():
    subsets = dataset("word-problems").subsets
    assert list(subsets) == list(PLANS)
    assert [subset.rows for subset in subsets.values()] == [1000] * 9 + [500] * 2
    assert not any(subset.labels for subset in subsets.values())
    audited = {name for name, subset in subsets.items() if subset.audit_target}
    assert audited == set(COUNTERBALANCED)
    balanced = {name for name, subset in subsets.items() if subset.balanced}
    assert balanced == {name for name in subsets if name.startswith("counterbalanced")}
