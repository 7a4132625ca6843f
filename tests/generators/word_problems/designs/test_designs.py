"""The designs of word problems: the frequency of each draw, and the factors that are exactly crossed."""

from collections import Counter

import pytest
from scipy.stats import binomtest, chi2_contingency, chisquare, ks_2samp

from generators.registry import dataset
from generators.word_problems.dataset import DATASET
from generators.word_problems.forms import Comparison, Problem, parse
from generators.word_problems.model import Possession, model
from generators.word_problems.subsets import PLANS

SEED = 23
LEVEL = 0.001


def items(subset, count=3000):
    """One item per pair; both items have the same numbers, and both or neither have a unit."""
    members = len(PLANS[subset].conditions)
    return [DATASET.item(subset, SEED, members * number) for number in range(count)]


def every(subset, count=2000):
    return [DATASET.item(subset, SEED, index) for index in range(count)]


def uniform(values, expected=None):
    seen = Counter(values)
    if expected is not None:
        assert set(seen) == set(expected)
    return chisquare(list(seen.values())).pvalue > LEVEL


def is_linear(problem_model):
    """Whether no equation has two premises that are themselves derived (Opedal et al. 2024)."""
    axioms = {possession for possession, _ in problem_model.axioms}
    return not any(
        isinstance(equation.quantity, Possession) and equation.known not in axioms and equation.quantity not in axioms
        for equation in problem_model.equations
    )


def first_thing(item):
    return parse(item.metadata["forms"][0]).thing


def test_the_comparison_has_each_of_the_four_operations_equally_often():
    drawn = items("consistency")
    assert uniform((item.metadata["operation"] for item in drawn), ("add", "subtract", "multiply", "divide"))
    steps = Counter(item.metadata["n_steps"] for item in drawn)
    # 0-2 moves before and 0-2 after: 1 to 5 steps in the ratio 1:2:3:2:1.
    assert chisquare([steps[n] for n in range(1, 6)], [len(drawn) * w / 9 for w in (1, 2, 3, 2, 1)]).pvalue > LEVEL


def test_at_most_one_rate_multiplies_and_a_rate_that_divides_is_the_last():
    orders = Counter()
    for item in items("consistency"):
        forms = [parse(text) for text in item.metadata["forms"]]
        signs = [step.split()[1] for step in item.metadata["steps"]]
        orders["".join(sign for sign, form in zip(signs, forms[1:]) if type(form).__name__ == "Rate")] += 1
    assert set(orders) == {"", "*", "/", "*/"}
    assert all(count > 50 for count in orders.values())


@pytest.mark.parametrize("subset", ["transfer-comparison", "carry", "nonlinear", "counterbalanced-additive"])
def test_three_in_ten_things_have_a_unit_and_half_of_the_others_an_attribute(subset):
    things = [first_thing(item) for item in items(subset)]
    assert not any(thing.unit and thing.attribute for thing in things)
    units = sum(bool(thing.unit) for thing in things)
    assert binomtest(units, len(things), 0.3).pvalue > LEVEL
    assert binomtest(sum(bool(thing.attribute) for thing in things), len(things) - units, 0.5).pvalue > LEVEL


def test_transfers_and_comparisons_have_1_to_5_steps_and_half_are_consistent():
    drawn = items("transfer-comparison")
    assert uniform((item.metadata["n_steps"] for item in drawn), range(1, 6))
    relations = Counter()
    for number in range(1000):
        hard = DATASET.item("transfer-comparison", SEED, 2 * number + 1)
        for text, step in zip(hard.metadata["forms"][1:], hard.metadata["steps"]):
            form = parse(text)
            assert isinstance(form, Comparison)
            relations[form.relation == step.split()[1]] += 1
    assert binomtest(relations[True], relations.total(), 0.5).pvalue > LEVEL


def test_rate_problems_multiply_or_divide_in_1_to_5_steps():
    drawn = items("rate")
    assert uniform((item.metadata["operation"] for item in drawn), ("multiply", "divide"))
    assert {item.metadata["n_steps"] for item in drawn} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("subset", PLANS)
def test_only_nonlinear_problems_have_a_step_with_two_derived_premises(subset):
    for item in every(subset, 400):
        forms = tuple(parse(text) for text in item.metadata["forms"])
        assert is_linear(model(Problem(forms, parse(item.metadata["question"])))) == (subset != "nonlinear"), item.id
    # Two branches without a step are linear: Ann has 5, Bob has 3, how many together?
    axioms = (parse("container(Ann, 5, pen)"), parse("container(Bob, 3, pen)"))
    assert is_linear(model(Problem(axioms, parse("total(Ann, Bob, pen)"))))


def test_nonlinear_problems_join_two_branches():
    for item in items("nonlinear", 600):
        forms = [parse(text) for text in item.metadata["forms"]]
        assert sum(type(form).__name__ == "Container" for form in forms) == 2
        assert item.metadata["n_steps"] == len(forms) - 1
        assert 3 <= item.metadata["n_steps"] <= 5
        last = item.metadata["steps"][-1].split()
        # Both sides of the last step are results of earlier steps, so both branches are needed.
        ends = [step.rpartition(" ")[2] for step in item.metadata["steps"][:-1]]
        assert last[0] in ends
        assert last[2] in ends
        assert 0 <= int(item.answer) <= 999
    asked = Counter(item.metadata["operation"] for item in items("nonlinear"))
    assert binomtest(asked["add"], asked.total(), 0.5).pvalue > LEVEL


@pytest.mark.parametrize("subset", ["counterbalanced-additive", "counterbalanced-multiplicative"])
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


@pytest.mark.parametrize("subset", ["counterbalanced-additive", "counterbalanced-multiplicative"])
def test_numbers_do_not_predict_the_operation(subset):
    drawn = items(subset, 4000)
    numbers_by_operation = {}
    for item in drawn:
        numbers = tuple(parse(text).quantity for text in item.metadata["forms"])
        numbers_by_operation.setdefault(item.metadata["operation"], []).append(numbers)
    numbers_of_first, numbers_of_second = numbers_by_operation.values()
    for place in (0, 1):
        values = sorted({numbers[place] for numbers in numbers_of_first + numbers_of_second})
        seen = [Counter(n[place] for n in side) for side in (numbers_of_first, numbers_of_second)]
        table = [[side[value] for value in values] for side in seen]
        assert chi2_contingency(table).pvalue > LEVEL
    # All numbers fit both operations.
    for first, second in numbers_of_first + numbers_of_second:
        assert first > second >= 2
        assert subset.endswith("additive") or (first % second == 0 and first * second <= 999)


def test_both_carry_conditions_have_the_same_answers_and_the_same_range():
    easy, hard = ([DATASET.item("carry", SEED, 2 * i + member) for i in range(3000)] for member in (0, 1))
    assert [item.answer for item in easy] == [item.answer for item in hard]
    for item in easy + hard:
        assert all(100 <= int(n) <= 999 for n in item.metadata["steps"][0].split()[::2])
    # The numbers of the second sentence have similar distributions in both conditions.
    seconds = [[int(item.metadata["steps"][0].split()[2]) for item in side] for side in (easy, hard)]
    assert ks_2samp(*seconds).statistic < 0.25
    assert uniform(item.metadata["operation"] for item in easy)


def test_the_dataset_has_the_subsets_of_the_table():
    subsets = dataset("word-problems").subsets
    assert list(subsets) == list(PLANS)
    assert [subset.rows for subset in subsets.values()] == [1000, 1000, 1000, 1000, 500, 1000, 1000]
    assert not any(subset.labels for subset in subsets.values())
    assert {name: subset.audit_target for name, subset in subsets.items() if subset.audit_target} == {
        "counterbalanced-additive": "operation",
        "counterbalanced-multiplicative": "operation",
    }
