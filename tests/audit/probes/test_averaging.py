import random
import tracemalloc

import numpy as np

from hansproof.audit.probes.crossfit import MANY_LABELS, MeanOfSplits

SHAPE = (40, 7)


def parts(labels: int, splits: int = 10) -> np.ndarray:
    return np.random.Generator(np.random.PCG64(3)).random((splits, SHAPE[0], labels), dtype=np.float32)


def mean_of(of: np.ndarray, order: list[int]) -> np.ndarray:
    means = MeanOfSplits(len(of))
    for split in order:
        means.add("word-1-tf", split, of[split])
        means.add("other", split, of[split] / 2)
    return means.of("word-1-tf")


def test_the_mean_is_that_of_numpy_to_the_last_bit_in_whatever_order_splits_come():
    of = parts(SHAPE[1])
    for seed in range(5):
        order = random.Random(seed).sample(range(10), 10)
        assert np.array_equal(mean_of(of, order), np.mean(list(of), axis=0, dtype=np.float64))


def test_very_many_answers_keep_seven_digits():
    few, many = parts(MANY_LABELS), parts(MANY_LABELS + 1)
    assert mean_of(few, [*range(10)]).dtype == np.float64
    kept = mean_of(many, [*range(10)])
    assert kept.dtype == np.float32
    assert np.allclose(kept, many.mean(axis=0, dtype=np.float64), rtol=1e-6)


def test_ten_splits_take_hardly_more_memory_than_one():
    tracemalloc.start()
    means = MeanOfSplits(10)
    for split in range(10):
        means.add("v", split, np.full((1_000, 100), split, dtype=np.float32))
    means.of("v")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3_000_000  # all splits at once take 4,000,000, and their mean as much again as two
