"""What a statistician would attack: the winner's curse of auditing what one has chosen."""

from __future__ import annotations

import numpy as np
import pytest

from hansproof.audit.benchmark import Benchmark, Mapping
from hansproof.audit.repair.labels import LabelItems
from hansproof.audit.settings import make_settings

WORDS = [f"w{number}" for number in range(60)]


def noise(seed, items=400):
    """Texts of random words with random answers."""
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS, 12)) for _ in range(items)]
    answers = random.permutation(["yes", "no"] * (items // 2)).tolist()
    ids = [str(number) for number in range(items)]
    return Benchmark("noise", "noise", "", texts, answers, ids, Mapping("prompt", "answer"))


@pytest.fixture(scope="module", params=[0, 1])
def items(request):
    settings = make_settings(groups="none", splits=2, permutations=99, seed=request.param)
    return LabelItems(noise(request.param), settings, 0.5, workers=1)


def kappas_of(items, rows):
    return [items.kappa_of(rows & part, "word-1-presence") for part in (items.chosen, ~items.chosen)]


def test_matching_noise_does_not_turn_it_round(items):
    rows = items.match("word-1-presence", np.ones(len(items.y), dtype=bool), 1)
    assert rows.sum() > 250
    assert max(map(abs, kappas_of(items, rows))) < 0.25
