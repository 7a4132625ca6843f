"""The designs of word problems: how often each draw occurs, what is crossed, and what is independent of what."""

from collections import Counter
from functools import cache
from itertools import product

import pytest
from scipy.stats import binomtest, chi2_contingency, chisquare
from slow_part import slow_but

from hansproof.generators.errors import UsageError
from hansproof.generators.registry import dataset
from hansproof.generators.word_problems.dataset import DATASET, PLANS
from hansproof.generators.word_problems.forms import Comparison, Container, Remark, Transfer, parse

SEED = 23
LEVEL = 0.0005
COUNT = 2000
COUNTERBALANCED = ("counterbalanced-additive", "counterbalanced-multiplicative")
QUICK = ("counterbalanced-additive", "nonlinear")
OPERATED = (*COUNTERBALANCED, "carry")


@cache
def every(subset, count=COUNT):
    return [DATASET.item(subset, SEED, index) for index in range(count)]


def forms(item):
    return [parse(text) for text in item.metadata["forms"]]


def numbers(item):
    return [form.quantity for form in forms(item) if form.quantity is not None]


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
def test_nobody_has_fewer_than_two_or_more_than_999_of_anything(subset):
    for item in every(subset):
        worked = [word for step in item.metadata["steps"] for word in step.split()[::2] if word != "?"]
        amounts = [*map(int, worked), *numbers(item)]
        assert min(amounts) >= 2, item.id
        assert max(amounts) <= 999, item.id


@pytest.mark.parametrize("subset", slow_but(PLANS, *QUICK))
def test_factors_in_comparisons_are_2_to_6_equally_often_in_either_direction(subset):
    drawn = [
        (form.relation, form.quantity)
        for item in every(subset)[:: PLANS[subset].size]
        for form in forms(item)
        if isinstance(form, Comparison) and form.relation in "*/"
    ]
    if subset in ("counterbalanced-additive", "transfer-comparison", "carry"):
        assert drawn == []
    else:
        assert {number for _, number in drawn} == {2, 3, 4, 5, 6}
        assert independent(*zip(*drawn, strict=True))
        assert chisquare([*Counter(number for _, number in drawn).values()]).pvalue > LEVEL


@pytest.mark.parametrize(
    ("subset", "steps"),
    [
        *((name, range(1, 13)) for name in (*COUNTERBALANCED, "distractor")),
        ("transfer-comparison", range(1, 6)),
        ("unanswerable", range(2, 7)),
        ("nonlinear", range(3, 25)),
        ("surface-forms", range(2, 7)),
    ],
)
def test_every_number_of_steps_is_equally_likely(subset, steps):
    assert uniform((item.metadata["n_steps"] for item in every(subset)[:: PLANS[subset].size]), steps)


def test_consistency_has_2_to_6_steps_and_each_operation_equally_often():
    drawn = every("consistency")[::2]
    assert uniform((item.metadata["operation"] for item in drawn), ("add", "subtract", "multiply", "divide"))
    steps = Counter(item.metadata["n_steps"] for item in drawn)
    # 0-2 moves before and 1-3 after: 2 to 6 steps in the ratio 1:2:3:2:1.
    assert chisquare([steps[n] for n in range(2, 7)], [len(drawn) * w / 9 for w in (1, 2, 3, 2, 1)]).pvalue > LEVEL
    assert independent((i.metadata["operation"] for i in drawn), (i.metadata["n_steps"] for i in drawn))


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


def test_every_eight_pairs_of_carry_cross_size_keyword_and_operation():
    drawn = every("carry")
    for at in range(0, len(drawn), 16):
        block = {tuple(i.metadata[key] for key in ("size", "keyword", "operation")) for i in drawn[at : at + 16]}
        assert len(block) == 8


def test_carries_are_read_at_equal_size_digit_by_digit():
    columns = {arm: [Counter() for _ in range(6)] for arm in PLANS["carry"].conditions}
    firsts = {sign: Counter() for sign in ("add", "subtract")}
    drawn = every("carry", 4000)
    for easy, hard in zip(drawn[::2], drawn[1::2]):
        (left, right), (same, other) = numbers(easy), numbers(hard)
        assert left == same
        assert sorted(str(right)) == sorted(str(other))
        assert [easy.metadata["size"], hard.metadata["size"]] == ["smaller" if left < 500 else "larger"] * 2
        assert "0" not in f"{left}{right}{easy.answer}{hard.answer}"
        assert (easy.metadata["carries"], hard.metadata["carries"]) == (0, 1)
        for item in (easy, hard):
            for place, digit in enumerate("".join(map(str, numbers(item)))):
                columns[item.condition][place][digit] += 1
        firsts[easy.metadata["operation"]].update(str(left)[1:])
    for easy, hard in zip(*columns.values()):
        digits = sorted(easy | hard)
        assert chi2_contingency([[arm[digit] for digit in digits] for arm in (easy, hard)]).pvalue > LEVEL
    digits = sorted(firsts["add"])
    # Differences have the same digits as sums in their first numbers, so no digit says which it is.
    assert chi2_contingency([[firsts[sign][digit] for digit in digits] for sign in firsts]).pvalue > LEVEL


def test_two_neighbouring_pairs_of_transfer_comparison_end_with_opposite_operations():
    drawn = every("transfer-comparison")
    for at in range(0, len(drawn), 4):
        assert {drawn[at].metadata["operation"], drawn[at + 2].metadata["operation"]} == {"add", "subtract"}


@pytest.mark.parametrize("subset", OPERATED)
def test_nothing_in_sight_depends_on_the_operation_in_balanced_subsets(subset):
    # Both problems of a pair of `carry` have the same operation and words: each pair counts once, its arms in turn.
    drawn = [item for at, item in enumerate(every(subset)) if subset != "carry" or at % 4 in (0, 3)]
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
    for name, values in seen.items():
        assert independent(operations, values), name


def test_the_signs_of_transfers_and_comparisons_are_fair_coins_that_no_number_betrays():
    hard = every("transfer-comparison")[1::2]
    steps = [(index, step.split()) for index, item in enumerate(hard) for step in item.metadata["steps"]]
    signs = [step[1] for _, step in steps]
    assert binomtest(signs.count("+"), len(signs), 0.5).pvalue > LEVEL
    assert independent(signs, (size(int(step[2])) for _, step in steps))
    assert independent(signs, (size(numbers(hard[index])[0]) for index, _ in steps))
    relations = [form.relation for item in hard for form in forms(item)[1:]]
    assert binomtest(sum(a == b for a, b in zip(relations, signs, strict=True)), len(signs), 0.5).pvalue > LEVEL


def test_a_distractor_stands_anywhere_but_first_and_its_numbers_are_the_same_in_two_arms():
    drawn = every("distractor")
    thirds = []
    for at in range(0, len(drawn), 4):
        original, filler, unusable, usable = drawn[at : at + 4]
        place = filler.metadata["idle_at"]
        assert original.metadata["idle_at"] == -1
        assert 1 <= place < len(usable.metadata["forms"])
        idle = [forms(item)[place] for item in (filler, unusable, usable)]
        assert [type(form) for form in idle] == [Remark, Remark, Container]
        assert [form.quantity for form in idle] == [None, idle[2].quantity, idle[2].quantity]
        assert len({form.agent for form in idle}) == 1
        if len(usable.metadata["forms"]) % 3 == 1:
            thirds.append(3 * (place - 1) // (len(usable.metadata["forms"]) - 1))
    assert set(thirds) == {0, 1, 2}


def people(form):
    """The agents of a form."""
    return {getattr(form, key) for key in ("agent", "other", "receiver", "sender") if getattr(form, key, "")}


def story(told, person):
    """Indices of the sentences that share somebody with `person`, directly or by others."""
    known = {person}
    while grown := {name for form in told if people(form) & known for name in people(form)} - known:
        known |= grown
    return [at for at, form in enumerate(told) if people(form) & known]


def test_what_is_missing_is_crossed_with_the_story_that_is_asked_about():
    drawn = every("unanswerable")
    cells = Counter()
    for item in drawn:
        told = forms(item)
        (gap,) = [at for at, form in enumerate(told) if form.quantity is None]
        (asked,) = parse(item.metadata["question"]).agents
        own = story(told, asked)
        assert [at // 2 for at in own] == list(range(len(told) // 2))  # the stories take turns
        assert (gap in own) == (item.condition == "unanswerable")
        cells[gap in own, gap % 2, own[-1] % 2] += 1
        # Neither the gap nor what is next to it in its story names the person asked about.
        assert not people(told[gap]) & people(told[own[-1]])
        assert isinstance(told[gap], Container | Transfer)
    assert len(cells) == 8
    for seen in ([cells[answer, *place] for answer in (False, True)] for place in product((0, 1), repeat=2)):
        assert binomtest(seen[0], sum(seen)).pvalue > LEVEL


def test_nonlinear_problems_join_two_branches_in_turn():
    for index, item in enumerate(every("nonlinear", 600)):
        kinds = [type(form).__name__ for form in forms(item)]
        assert kinds.count("Container") == 2
        assert item.metadata["n_steps"] == len(kinds) - 1
        assert item.condition == ("total", "difference")[index % 2]
        last = item.metadata["steps"][-1].split()
        # Both sides of the last step are results of earlier steps, so both branches are needed.
        ends = [step.rpartition(" ")[2] for step in item.metadata["steps"][:-1]]
        assert last[0] in ends
        assert last[2] in ends


def test_the_dataset_has_the_subsets_of_the_table():
    subsets = dataset("word-problems").subsets
    assert list(subsets) == list(PLANS)
    assert [subset.rows for subset in subsets.values()] == [1000] * 9 + [500]
    balanced = {name for name, subset in subsets.items() if subset.balanced}
    assert balanced == {*COUNTERBALANCED, "transfer-comparison", "carry", "unanswerable"}
    knobs = {name for name, subset in subsets.items() if subset.knob}
    assert knobs == {"counterbalanced-additive", "distractor", "unanswerable", "nonlinear"}


def test_an_unknown_subset_and_a_negative_index_are_refused():
    with pytest.raises(UsageError, match=r"no subset 'consistent'\. Did you mean 'consistency'\? Known: counterbalan"):
        DATASET.item("consistent", 1, 0)
    with pytest.raises(UsageError, match="an index must be 0 or more, not -1"):
        DATASET.item("carry", 1, -1)
