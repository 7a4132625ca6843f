"""Shortcuts of word problems: worked numbers, and each measure by a second method."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import isnan

import pytest
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score

from generators.errors import InputError
from generators.item import Item
from generators.stream import Stream
from generators.word_problems.shortcuts import FIELDS, shortcuts

OPERATIONS = ("add", "subtract", "multiply", "divide")
KEYWORDS = ("more", "fewer", "times", "part", "none")


def item(answer, forms, keyword="more", operation="add", steps=1, words=6):
    return Item(
        id="word-problems/1.0.0/mini/000000", prompt=" ".join(["word"] * words), choices=None, answer=str(answer),
        group="mini-000000", condition="easy",
        metadata={"forms": forms, "question": "count(Bob, pen)", "keyword": keyword, "operation": operation,
                  "n_steps": steps},
    )  # fmt: skip


def comparison(first, relation, second):
    return [f"container(Ann, {first}, pen)", f"comparison(Bob, {relation}, Ann, {second}, pen)"]


def drawn(count, seed=3):
    """Items whose keyword says something of the operation, and whose length something of the steps."""
    stream, made = Stream(seed, "shortcuts"), []
    for _ in range(count):
        keyword = stream.choice(KEYWORDS)
        at = KEYWORDS.index(keyword) % 4
        operation = OPERATIONS[at] if stream.below(3) else OPERATIONS[at // 2 * 2 + stream.below(2)]
        steps = 1 + stream.below(5)
        forms = comparison(2 + stream.below(9), "+", 2 + stream.below(9))
        made.append(item(stream.below(20), forms, keyword, operation, steps, 6 + 3 * steps + stream.below(12)))
    return made


def mapped(pairs):
    """sklearn's kappa of the majority mapping, ties by alphabet."""
    seen = defaultdict(Counter)
    for keyword, operation in pairs:
        seen[keyword][operation] += 1
    guess = {key: sorted(found.items(), key=lambda one: (-one[1], one[0]))[0][0] for key, found in seen.items()}
    return cohen_kappa_score([guess[key] for key, _ in pairs], [gold for _, gold in pairs])


def keyed(items, family=KEYWORDS[:4]):
    pairs = [(one.metadata["keyword"], one.metadata["operation"]) for one in items]
    return [pair for pair in pairs if pair[0] in family]


@pytest.mark.parametrize("seed", range(4))
def test_kappas_are_those_of_sklearn(seed):
    items = drawn(400, seed)
    found = shortcuts(items)
    assert found["keyword_operation"] == pytest.approx(mapped(keyed(items)), abs=1e-12)
    families = [keyed(items, ("more", "fewer")), keyed(items, ("times", "part"))]
    mean = sum(len(one) * mapped(one) for one in families) / sum(map(len, families))
    assert found["keyword_operation_in_family"] == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_correlation_is_that_of_scipy(seed):
    items = drawn(200, seed)
    wanted = spearmanr([len(one.prompt.split()) for one in items], [one.metadata["n_steps"] for one in items])
    assert shortcuts(items)["length_steps"] == pytest.approx(wanted.statistic, abs=1e-12)


def test_the_order_of_the_items_tells_nothing():
    items = drawn(150)
    assert shortcuts(items) == shortcuts(items[::-1])


def test_every_shortcut_has_its_meaning():
    assert list(shortcuts(drawn(30))) == list(FIELDS)


def test_numbers_worked_by_hand():
    found = shortcuts([
        item(8, comparison(5, "+", 3), "more", "add", 1, 10),  # the sum; the keyword's arithmetic is right
        item(2, comparison(5, "+", 3), "more", "subtract", 1, 10),
        item(5, comparison(5, "/", 1), "part", "divide", 1, 12),  # in the text and its largest; 5 / 1 is right
        item(3, comparison(3, "/", 9), "part", "multiply", 1, 12),  # in the text; 3 / 9 is no integer
        item(2, [*comparison(4, "*", 2), "transfer(Bob, _, 6, pen)"], "none", "subtract", 2, 30),
    ])  # fmt: skip
    assert found["answer_in_text"] == 3 / 5
    assert found["answer_is_sum"] == 1 / 5
    assert found["answer_is_largest"] == 1 / 5
    assert found["keyword_arithmetic"] == 2 / 4
    assert found["majority_answer"] == 2 / 5
    # The keyword gives the family away and nothing beyond it: 2 of 4 right, 1 of 4 expected by chance.
    assert found["keyword_operation"] == pytest.approx(1 / 3)
    assert found["keyword_operation_in_family"] == 0


@pytest.mark.parametrize(
    ("keyword", "numbers", "answer"),
    [("more", (5, 3), 8), ("fewer", (5, 3), 2), ("fewer", (3, 5), -2), ("times", (5, 3), 15), ("part", (6, 3), 2)],
)
def test_the_reader_of_keywords_applies_what_each_names(keyword, numbers, answer):
    right, wrong = (item(one, comparison(numbers[0], "+", numbers[1]), keyword) for one in (answer, answer + 1))
    assert shortcuts([right, wrong])["keyword_arithmetic"] == 0.5


def test_a_crossed_design_tells_nothing_and_a_consistent_one_everything():
    crossed = [item(1, comparison(5, "+", 3), keyword, operation)
               for keyword in ("more", "fewer") for operation in ("add", "subtract")]  # fmt: skip
    assert shortcuts(crossed)["keyword_operation"] == 0
    assert shortcuts(crossed)["keyword_operation_in_family"] == 0
    plain = [item(1, comparison(5, "+", 3), *both) for both in (("more", "add"), ("fewer", "subtract"))]
    assert shortcuts(plain)["keyword_operation"] == shortcuts(plain)["keyword_operation_in_family"] == 1


def test_what_is_undefined_is_nan():
    assert all(map(isnan, shortcuts([]).values()))
    found = shortcuts([item(3, comparison(5, "+", 3), "none", steps=2)] * 3)
    assert [key for key, value in found.items() if isnan(value)] == [
        "keyword_operation", "keyword_operation_in_family", "keyword_arithmetic", "length_steps",
    ]  # fmt: skip
    assert isnan(shortcuts([item(8, comparison(5, "+", 3))] * 2)["keyword_operation"])


def test_what_is_no_logical_form_is_refused():
    with pytest.raises(InputError, match="'Ann has 5' is no logical form"):
        shortcuts([item(5, ["Ann has 5"])])
