"""Who learns from whom: whole groups, shared texts, and shares that are exactly chance where nothing can be learned."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from hansproof.audit.models.blind import FOLDS, WAVES, folds, kept_together, measure_blind
from hansproof.generators.answering.plain_scorer import PlainScorer
from hansproof.generators.answering.scorer import BlindStrategy, constant, copying, rule
from hansproof.generators.item import Item


def item(index, answer="a", group=None, prompt=None, subset="s", choices=("a", "b"), **more):
    data = {"dataset": "toy", "version": "1.0.0", "subset": subset, "seed": 1, "canary": "c", **more}
    name = f"toy/1.0.0/{subset}/{index:06d}"
    return Item(name, prompt or f"? {index}", choices, answer, group or f"g{index}", "base", data)


class Blind(PlainScorer):
    def __init__(self, *strategies):
        self.strategies = strategies

    @property
    def blind(self):
        return self.strategies


def test_groups_that_share_a_text_in_a_subset_are_one():
    rows = [
        item(0, group="x", prompt="same"),
        item(1, group="y", prompt="same", choices=("b", "a")),
        item(2, group="y"),
        item(3, group="z", prompt="same", choices=("a", "c")),
        item(4, group="z", prompt="same", subset="t"),
    ]
    assert kept_together(rows) == ["x", "x", "x", "z", "z"]


def test_a_copy_under_another_name_gives_no_answer_away():
    # Every text occurs twice, in two groups; who remembers texts would know every answer.
    rows = [item(2 * n + twice, "ab"[n % 2], prompt=f"text {n}") for n in range(40) for twice in (0, 1)]
    (result,) = measure_blind(rows, Blind(rule("remember", "remembers", lambda row: row.prompt)))
    assert result.in_sample == 1
    assert result.share.share < 0.75


def test_a_strategy_sees_neither_the_answer_nor_the_target_that_it_is_asked_for():
    peek = copying("peek", "looks at the answer", lambda row: row.answer)
    look = BlindStrategy("look", "looks", lambda old, new: [row.metadata["kind"] for row in new], target="kind")
    rows = [item(index, "ab"[index % 2], kind="xy"[index % 2]) for index in range(10)]
    assert [result.share.hits for result in measure_blind(rows, Blind(peek, look))] == [0, 0]


@pytest.mark.parametrize("groups", [2, 3, 7, 10, 43])
def test_waves_ask_every_group_but_those_of_the_first_and_learn_from_earlier_ones_alone(groups):
    names = [f"g{place // 2}" for place in range(2 * groups)]
    parts = folds(names, range(2 * groups), ahead=True)
    asked = [place for part in parts for place in part.asked]
    assert sorted(parts[0].learned + asked) == list(range(2 * groups))
    assert len(parts) == min(WAVES, groups) - 1
    for earlier, later in pairwise(parts):
        assert sorted(earlier.learned + earlier.asked) == later.learned
    assert all(not {names[place] for place in part.learned} & {names[place] for place in part.asked} for part in parts)
    assert (folds(names[:2], range(2), ahead=True), folds(names[:2], range(2))) == ([], [])
    assert len(folds(names, range(2 * groups))) == min(FOLDS, groups)


def refusals(times, right_more):
    """How often one of six strategies beats chance on 200 coins; one of them is right `right_more` more often."""
    random = np.random.Generator(np.random.PCG64(5))
    calls = []
    for _ in range(times):
        answers, cue = random.integers(0, 2, 200), random.integers(0, 2, (200, 5))
        cue[:, 0] = np.where(random.random(200) < 2 * right_more, answers, cue[:, 0])
        rows = [item(n, "ab"[answers[n]], cue=cue[n].tolist()) for n in range(200)]
        learning = [rule(f"r{k}", "", lambda row, k=k: str(row.metadata["cue"][k])) for k in range(3)]
        fixed = [copying(f"c{k}", "", lambda row, k=k: "ab"[row.metadata["cue"][k]]) for k in (3, 4)]
        results = measure_blind(rows, Blind(constant(), *learning, *fixed))
        calls.append(any(result.p_holm < 0.01 for result in results))
    return sum(calls)


@pytest.mark.slow
def test_coins_are_seldom_called_a_shortcut_and_a_shortcut_nearly_always():
    assert refusals(150, 0) <= stats.binom.ppf(0.999, 150, 0.01)
    # .7 of 180 items: 5.4 standard errors above chance, 3 are needed; a shortcut of .6 of 800 items is as far above.
    assert refusals(40, 0.2) >= 38
