"""The smallest cue that is found: where a known curve crosses, and on texts without any other cue."""

import numpy as np
import pytest

from hansproof.audit.probes.crossfit import Fitting
from hansproof.audit.probes.findable import best_elsewhere, crossing, smallest_found
from hansproof.audit.probes.refitting import Limit, limit_of
from hansproof.audit.run import audit
from hansproof.audit.texts.feature_table import FeatureTable

RANDOM = np.random.default_rng(5)
N = 400
VOCABULARY = ["red", "green", "blue", "house", "tree", "river", "stone", "cloud", "bird", "lamp", "road", "sea"]
TEXTS = [" ".join(RANDOM.choice(VOCABULARY, RANDOM.integers(4, 9))).capitalize() + "." for _ in range(N)]
TABLE = FeatureTable.build(TEXTS, levels=("word",), dense=())
Y = RANDOM.integers(0, 2, N)
ALONE = np.arange(N)


def limits(critical=0.13, spread=0.05, **own):
    return {"word-1-presence": Limit(critical, spread), **own}


def kappas(y=Y, groups=ALONE, table=TABLE, seed=1, repeats=4, power=0.8, **options):
    chosen = {"limits": limits(**options), "repeats": repeats, "power": power}
    findables = smallest_found(table, y, groups, Fitting(seed), **chosen)
    return {findable.kind: findable.kappa for findable in findables}


def test_a_curve_is_crossed_where_it_has_the_wanted_kappa():
    # A probe that reaches half of what lies above .1 crosses .15 at .4, wherever the search begins.
    for start in (0.15, 0.4, 0.9):
        strength = crossing(lambda s: (s, max(0.0, (s - 0.1) / 2)), 0.15, start)
        assert strength == pytest.approx(0.4, abs=0.005)


def test_the_kappa_of_the_reader_is_returned_not_the_strength_that_was_tried():
    assert crossing(lambda s: (s + 0.05, s), 0.2, 0.2) == pytest.approx(0.25, abs=0.002)


def test_a_vector_that_cannot_vary_takes_the_strictest_limit_of_those_that_do():
    never, nan = float("inf"), float("nan")
    words, pairs, tokens = Limit(never, nan), Limit(0.1, 0.04), Limit(0.12, 0.03)
    of_each = {"words": words, "pairs": pairs, "tokens": tokens}
    assert limit_of(of_each, "words") == limit_of(of_each, "unheard of") == tokens
    assert limit_of(of_each, "pairs") == pairs
    assert limit_of({"words": words}, "words").critical == never


def test_the_wanted_kappa_is_the_critical_one_and_the_quantile_of_its_spread():
    # z(.8) = .8416
    assert Limit(0.1, 0.05).wanted(0.8) == pytest.approx(0.1 + 0.8416 * 0.05, abs=1e-5)
    assert np.isnan(Limit(float("nan"), 0.05).wanted(0.8))


def test_a_cue_is_found_in_twins_of_the_same_words_and_opposite_answers():
    orders = [RANDOM.permutation(VOCABULARY) for _ in range(60)]
    rows = [
        {"prompt": " ".join(RANDOM.permutation(order[:6])), "answer": answer, "group": pair}
        for pair, order in enumerate(orders)
        for answer in ("no", "yes")
    ]
    result = audit(rows, group="group", splits=1, permutations=199, workers=1)
    assert result.scheme("grouped").find("word-1-presence").matched == 0
    assert result.findable[0].kappa is not None


def test_a_curve_that_never_rises_is_not_crossed():
    assert crossing(lambda s: (s, 0.1 * s), 0.2, 0.2) is None
    assert crossing(lambda s: (s, s), 1.2, 1.2) is None
    assert crossing(lambda s: (s, s), float("nan"), float("nan")) is None


def test_the_next_fold_chooses_the_model_and_the_first_wins_a_tie():
    y, fold = np.array([0, 0, 1, 1, 0, 0]), np.array([0, 0, 1, 1, 2, 2])
    says = np.array([[0, 0, 1, 0, 0, 0], [1, 1, 1, 1, 0, 0]])  # the second is right in fold 1, where the first is not
    by_model = np.eye(2)[says]
    # Fold 0 takes the second (better in fold 1); folds 1 and 2: a tie in fold 2, and the first is better in fold 0.
    assert best_elsewhere(by_model, says == y, fold).argmax(axis=1).tolist() == [1, 1, 1, 0, 0, 0]


def test_more_synonyms_take_a_stronger_cue():
    smallest = kappas()
    assert list(smallest) == ["1 word per answer", "50 words per answer"]
    # critical + .84 spread = .172 is the least that can be found; a single word comes close.
    assert 0.14 < smallest["1 word per answer"] < 0.24
    assert smallest["1 word per answer"] + 0.05 < smallest["50 words per answer"]


def test_a_stricter_test_and_a_wider_spread_both_take_a_stronger_cue():
    word = "1 word per answer"
    assert kappas(critical=0.3)[word] > kappas()[word] + 0.1
    assert kappas(spread=0.25)[word] > kappas()[word] + 0.1
    assert kappas(power=0.5)[word] < kappas(power=0.95)[word]


def test_what_no_cue_reaches_is_none_and_so_is_everything_without_a_null():
    assert set(kappas(critical=0.99).values()) == {None}
    assert set(kappas(critical=float("nan")).values()) == {None}


def test_the_same_seed_gives_the_same_numbers_with_any_number_of_threads():
    first = smallest_found(TABLE, Y, ALONE, Fitting(7, workers=1), limits=limits(), repeats=2)
    assert smallest_found(TABLE, Y, ALONE, Fitting(7, workers=3), limits=limits(), repeats=2) == first
    assert smallest_found(TABLE, Y, ALONE, Fitting(8), limits=limits(), repeats=2) != first


def test_a_cue_of_the_author_does_not_make_others_easier_to_find():
    given_away = [f"{text} {'Yes' if answer else 'No'}." for text, answer in zip(TEXTS, Y.tolist(), strict=True)]
    table = FeatureTable.build(given_away, levels=("word",), dense=())
    for kind, smallest in kappas(table=table).items():
        assert smallest is None or smallest > 0.12, kind


def test_groups_are_relabelled_and_held_out_whole(monkeypatch):
    seen = []

    def relabel(y, groups, times, random):
        seen.append((groups, times))
        for _ in range(times):
            yield np.repeat(random.permutation(N // 4) % 2, 4)

    y, groups = np.repeat(np.arange(N // 4) % 2, 4), np.repeat(np.arange(N // 4), 4)
    monkeypatch.setattr("hansproof.audit.probes.findable.relabelled", relabel)
    monkeypatch.setattr("hansproof.audit.probes.findable.relabelled", relabel)
    assert kappas(y, groups)["1 word per answer"] > 0.12
    assert [times for _, times in seen] == [4]
    assert all((of == groups).all() for of, _ in seen)
