"""The stream: pinned draws, names that cannot be forged, uniform and independent draws."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from scipy import stats

from hansproof.generators.stream import Stream, _normal_quantile

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "stream.json"
ROOT = Path(__file__).resolve().parents[2]


def golden_draws() -> dict[str, list[object]]:
    stream = Stream(7, "knights-knaves", "1.0.0", "S-3").child(17)
    sizes = (1, 2, 3, 10, 2**32, 2**64 - 1, 2**64, 10**30)
    return {
        "word": [Stream(0).word(), Stream(-1).word(), Stream(2**70).word()],
        "name": [Stream(0, "").word(), Stream(0, 0).word()],
        "below": [stream.child("below").below(n) for n in sizes],
        "integer": [stream.child(i).integer(-5, 5) for i in range(10)],
        "choice": [stream.child("choice").child(i).choice("abcdef") for i in range(10)],
        "shuffled": list(stream.child("shuffled").shuffled(range(12))),
        "sample": list(stream.child("sample").sample(range(1000), 6)),
        "weighted": [stream.child("weighted").child(i).weighted("abc", (1, 0, 3)) for i in range(10)],
        "coin": [stream.child("coin").child(i).coin() for i in range(10)],
        "chance": [stream.child("chance").child(i).chance(1, 3) for i in range(10)],
        "uniform": [stream.child("uniform").child(i).uniform().hex() for i in range(4)],
        "normal": [stream.child("normal").child(i).normal(100, 15).hex() for i in range(12)],
        "non-ascii name": [Stream(1, "Zoë").word()],
    }


def test_draws_equal_the_pinned_draws():
    assert golden_draws() == json.loads(GOLDEN.read_text("utf-8"))


@pytest.mark.parametrize("hash_seed", ["0", "1", "2"])
def test_draws_are_the_same_in_another_process_under_any_hash_seed(hash_seed):
    code = (
        "from hansproof.generators.stream import Stream; s = Stream(5, 'a', 3).child('b');"
        "print(s.below(10**9), s.shuffled('abcdefgh'), s.normal().hex())"
    )
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    here = Stream(5, "a", 3, "b")
    assert run.stdout.strip() == f"{here.below(10**9)} {here.shuffled('abcdefgh')} {here.normal().hex()}"


def test_no_two_paths_of_names_share_a_stream():
    paths = [
        (), ("",), ("", ""), ("a", "b"), ("ab",), ("a/b",), ("a", "/", "b"), ("b", "a"), ("1",), (1,), (-1,),
        (0,), (256,), (1, 0), (10,), ("a\0b",), ("\ud800",), (255,), (-256,), (2**64,), ("i",), ("s",),
    ]  # fmt: skip
    first = [Stream(3, *path).word() for path in paths]
    assert len(set(first)) == len(paths)


def test_a_child_equals_the_stream_of_the_longer_path():
    assert Stream(3, "a", 1).word() == Stream(3).child("a").child(1).word()


def test_making_a_child_draws_nothing_and_ignores_earlier_draws():
    used, fresh = Stream(3), Stream(3)
    child_before = used.child("x").word()
    draws = [used.word() for _ in range(20)]
    assert used.child("x").word() == child_before
    assert [fresh.word() for _ in range(20)] == draws


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_continues_independently(copied):
    stream = Stream(3, "copy")
    start = [stream.word() for _ in range(3)]
    other = copied(stream)
    ahead = [other.word() for _ in range(30)]
    assert [stream.word() for _ in range(30)] == ahead
    assert Stream(3, "copy").word() == start[0]


@pytest.mark.parametrize("n", [2, 3, 7, 10, 97])
def test_draws_below_n_are_uniform(n):
    stream = Stream(11, "uniformity", n)
    counts = Counter(stream.below(n) for _ in range(20_000))
    assert set(counts) == set(range(n))
    assert stats.chisquare([counts[i] for i in range(n)]).pvalue > 1e-3


def test_rejection_keeps_large_ranges_uniform():
    # Without rejection, the lower third of 3 * 2**62 would be drawn twice as often as each of the others.
    stream, n = Stream(12), 3 * 2**62
    thirds = Counter(stream.below(n) // 2**62 for _ in range(9000))
    assert stats.chisquare([thirds[i] for i in range(3)]).pvalue > 1e-3


def test_the_first_word_of_the_incomplete_last_run_is_rejected(monkeypatch):
    words = iter([2**64 - 1, 5])  # 2**64 - 1 is a multiple of 3
    monkeypatch.setattr(Stream, "word", lambda stream: next(words))
    assert Stream(12).below(3) == 5 % 3


def test_draws_from_ranges_beyond_64_bits_are_uniform():
    stream, n = Stream(13), 5 * 2**100
    fifths = Counter(stream.below(n) // 2**100 for _ in range(5000))
    assert stats.chisquare([fifths[i] for i in range(5)]).pvalue > 1e-3


def test_every_order_is_equally_likely():
    stream = Stream(14)
    counts = Counter(tuple(stream.shuffled("abcd")) for _ in range(12_000))
    assert stats.chisquare([counts[order] for order in permutations("abcd")]).pvalue > 1e-3


def test_neighbouring_seeds_and_children_are_independent():
    draws_of_42, draws_of_43 = ([Stream(seed, "x").child(i).below(4) for i in range(4000)] for seed in (42, 43))
    # Seed 43 resembles neither seed 42 nor seed 42 shifted by one.
    for compared in (draws_of_42, draws_of_42[1:]):
        pairs = Counter(zip(compared, draws_of_43))
        table = [[pairs[i, j] for j in range(4)] for i in range(4)]
        assert stats.chi2_contingency(table).pvalue > 1e-3


def test_shuffling_does_not_change_its_argument():
    names = ["a", "b", "c", "d"]
    drawn = Stream(1).shuffled(names)
    assert names == ["a", "b", "c", "d"]
    assert sorted(drawn) == names


def test_a_sample_takes_each_position_at_most_once():
    assert sorted(Stream(1).sample("aab", 3)) == ["a", "a", "b"]
    assert Stream(1).sample([], 0) == []


def test_weights_are_relative_frequencies():
    stream = Stream(15)
    counts = Counter(stream.weighted("abc", (1, 0, 3)) for _ in range(8000))
    assert counts["b"] == 0
    assert stats.binomtest(counts["a"], 8000, 1 / 4).pvalue > 1e-3


def test_coins_and_chances_have_their_probability():
    stream = Stream(16)
    assert stats.binomtest(sum(stream.coin() for _ in range(8000)), 8000, 1 / 2).pvalue > 1e-3
    assert stats.binomtest(sum(stream.chance(1, 3) for _ in range(8000)), 8000, 1 / 3).pvalue > 1e-3
    assert [stream.chance(0, 5), stream.chance(5, 5)] == [False, True]


def test_integers_reach_both_ends():
    stream = Stream(17)
    assert {stream.integer(-1, 1) for _ in range(100)} == {-1, 0, 1}
    assert stream.integer(4, 4) == 4


def test_uniform_draws_follow_the_uniform_distribution():
    stream = Stream(18)
    draws = [stream.uniform() for _ in range(5000)]
    assert min(draws) >= 0
    assert max(draws) < 1
    assert stats.kstest(draws, "uniform").pvalue > 1e-3


def test_normal_draws_follow_the_normal_distribution():
    stream = Stream(19)
    draws = [stream.normal(10, 2) for _ in range(5000)]
    assert stats.kstest(draws, "norm", args=(10, 2)).pvalue > 1e-3
    assert stream.normal(3, 0) == 3


def test_the_normal_quantile_agrees_with_scipy_to_the_last_digits():
    tails = [2.0**-e for e in range(10, 54)]
    for p in [k / 1000 for k in range(1, 1000)] + tails + [1 - p for p in tails[:-1]]:
        assert _normal_quantile(p) == pytest.approx(stats.norm.ppf(p), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda s: s.below(0), "cannot draw an int below 0"),
        (lambda s: s.integer(2, 1), "there is no int from 2 to 1"),
        (lambda s: s.choice([]), "cannot choose from an empty sequence"),
        (lambda s: s.sample("abc", 4), "cannot draw 4 of 3 elements"),
        (lambda s: s.sample("abc", -1), "cannot draw -1 of 3 elements"),
        (lambda s: s.weighted("ab", (1,)), "2 elements but 1 weights"),
        (lambda s: s.weighted("ab", (0, 0)), "not all of them 0"),
        (lambda s: s.weighted("ab", (2, -1)), "weights must be >= 0"),
        (lambda s: s.chance(2, 1), "2/1 is not a probability"),
        (lambda s: s.chance(0, 0), "0/0 is not a probability"),
        (lambda s: s.normal(0, -1), "a standard deviation must be >= 0, not -1"),
        (lambda s: s.normal(0, float("nan")), "a standard deviation must be >= 0, not nan"),
    ],
)
def test_impossible_draws_are_refused(draw, message):
    stream = Stream(1)
    with pytest.raises(ValueError, match=message):
        draw(stream)


def test_seeds_and_names_of_other_types_are_refused():
    stream = Stream(1)
    with pytest.raises(TypeError, match=r"^the seed of a stream must be an int, not True$"):
        Stream(True)
    with pytest.raises(TypeError, match=r"^the seed of a stream must be an int, not '7'$"):
        Stream("7")
    with pytest.raises(TypeError, match=r"^the name of a stream must be a str or an int, not 1\.5$"):
        stream.child(1.5)
    with pytest.raises(TypeError, match=r"^the name of a stream must be a str or an int, not False$"):
        Stream(1, False)
    with pytest.raises(TypeError, match="weights must be ints"):
        stream.weighted("ab", (0.5, 0.5))
