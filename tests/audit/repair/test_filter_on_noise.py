"""What a statistician would attack: the winner's curse of auditing what one has chosen."""

from __future__ import annotations

import numpy as np
import pytest

from hansproof.audit.benchmark import Benchmark, Mapping
from hansproof.audit.repair.label_items import LabelledItems, kappa_of, within
from hansproof.audit.repair.label_rules import Filter, Match
from hansproof.audit.settings import make_settings

WORDS = [f"w{number}" for number in range(60)]


def noise(seed, items=400):
    """Texts of random words with random answers."""
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS, 12)) for _ in range(items)]
    answers = random.permutation(["yes", "no"] * (items // 2)).tolist()
    ids = [str(number) for number in range(items)]
    return Benchmark("noise", "noise", "", texts, answers, ids, Mapping("prompt", "answer"))


def pool_of(seed, **more):
    settings = make_settings(groups="none", splits=2, permutations=99, seed=seed)
    return LabelledItems.of(noise(seed, **more), settings, 0.5, workers=1)


def filtered(pool, bounded, steps=10):
    rows = np.ones(len(pool.y), dtype=bool)
    for step in range(1, steps + 1):
        rows = Filter("word-1-presence", bounded).kept(pool, rows, step)
    return rows


@pytest.fixture(scope="module")
def pools():
    return [pool_of(seed) for seed in range(2)]


def test_removing_all_that_is_predicted_right_makes_noise_worse_on_groups_that_the_choice_never_saw(pools):
    for pool in pools:
        rows = filtered(pool, bounded=False)
        assert (~rows).sum() > 100
        # Below chance by the probe that chose them: 2 * accuracy - 1 is kappa for two equal answers.
        right = within(pool, rows & pool.chosen, "word-1-presence")[1]
        assert 2 * np.nanmean(right) - 1 < -0.2
        # The others contradict the probe of the chosen ones, which is a cue: whoever learns on them, leaks.
        assert kappa_of(pool, rows & ~pool.chosen, "word-1-presence") > 0.2


def test_a_bounded_filter_claims_nothing_on_noise(pools):
    for pool in pools:
        rows = filtered(pool, bounded=True)
        assert (~rows).sum() < 80
        # About 180 items: the standard error of kappa is .075.
        assert abs(kappa_of(pool, rows & ~pool.chosen, "word-1-presence")) < 0.25


def test_matching_noise_does_not_turn_it_round(pools):
    pool = pools[0]
    rows = Match("word-1-presence").kept(pool, np.ones(len(pool.y), dtype=bool), 1)
    kappas = [kappa_of(pool, rows & part, "word-1-presence") for part in (pool.chosen, ~pool.chosen)]
    assert rows.sum() > 250
    assert max(map(abs, kappas)) < 0.25
