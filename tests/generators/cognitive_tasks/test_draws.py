"""What is drawn follows the law of each task: frequencies by chi-square, payouts against the normal distribution."""

from collections import Counter
from itertools import pairwise

import pytest
from scipy.stats import binomtest, chisquare, norm

from hansproof.generators.cognitive_tasks.dataset import DATASET
from hansproof.generators.cognitive_tasks.payouts import FURTHEST, SPREAD, deviations
from hansproof.generators.cognitive_tasks.subsets import TASKS
from hansproof.generators.cognitive_tasks.task import LETTERS
from hansproof.generators.stream import Stream

COUNT = 850
LEVEL = 0.0005


def metadata(subset, count=COUNT):
    return [DATASET.item(subset, 7, index).metadata for index in range(count)]


def even(values, kinds):
    """The p-value of all `kinds` being equally frequent among `values`."""
    counts = Counter(values)
    assert set(counts) <= set(kinds)
    return chisquare([counts[kind] for kind in kinds]).pvalue


@pytest.mark.parametrize(
    ("subset", "key", "places", "letters"),
    [
        ("horizon", "arms", 2, LETTERS),
        ("restless-bandit", "arms", 2, LETTERS),
        ("instrumental-learning", "arms", 8, LETTERS),
        ("probabilistic-reasoning", "urns", 2, "CDJKMPQVXZ"),  # no initial of a colour
    ],
)
def test_every_letter_is_equally_frequent_at_every_place(subset, key, places, letters):
    items = metadata(subset)
    for place in range(places):
        assert even([item[key][place] for item in items], letters) > LEVEL
    assert all(len(set(item[key])) == places for item in items)


@pytest.mark.parametrize("subset", ["horizon", "restless-bandit", "instrumental-learning"])
def test_the_better_arm_is_named_first_as_often_as_second_whatever_its_letter(subset):
    items = metadata(subset)
    assert even([item["better"] for item in items], ("first", "second")) > LEVEL
    places = {"first": 0, "second": 1}
    if subset != "instrumental-learning":
        assert even([item["arms"][places[item["better"]]] for item in items], LETTERS) > LEVEL


def test_horizon_is_crossed_by_fair_coins():
    items = metadata("horizon")
    cells = [(item["horizon"], item["information"], item["better"]) for item in items]
    kinds = [(h, i, b) for h in (1, 6) for i in ("equal", "unequal") for b in ("first", "second")]
    assert even(cells, kinds) > LEVEL
    gaps = [abs(item["mean_0"] - item["mean_1"]) for item in items]
    assert even(gaps, (4, 8, 12, 20, 30)) > LEVEL
    rare = [min((0, 1), key=item["forced"].count) for item in items if item["information"] == "unequal"]
    assert even(rare, (0, 1)) > LEVEL
    forced = [tuple(item["forced"]) for item in items if item["information"] == "equal"]
    assert even(forced, sorted(set(forced))) > LEVEL
    assert len(set(forced)) == 6


def test_payouts_are_normal_draws_rounded_to_whole_numbers():
    stream = Stream(1, "deviations")
    counts = Counter(deviations(stream, 50_000))
    assert max(map(abs, counts)) <= FURTHEST
    bounds = [-FURTHEST, *range(-18, 19), FURTHEST]
    observed = [sum(counts[value] for value in range(low, high)) for low, high in pairwise(bounds)]
    expected = [norm.cdf(high - 0.5, 0, SPREAD) - norm.cdf(low - 0.5, 0, SPREAD) for low, high in pairwise(bounds)]
    total = sum(expected)
    assert chisquare(observed, [50_000 * share / total for share in expected]).pvalue > LEVEL


def test_the_arms_of_a_restless_bandit_pay_sixty_and_forty_in_turn():
    items = metadata("restless-bandit", 200)
    assert even([length for item in items for length in item["blocks"][:3]], range(18, 23)) > LEVEL
    assert even([sum(item["blocks"]) for item in items], range(72, 89)) > LEVEL  # whatever the blocks are
    better = worse = plays = 0
    for item in items:
        columns = item["rewards_0"], item["rewards_1"]
        best, start = item["better"] == "second", 0
        for block, length in enumerate(item["blocks"]):
            arm = (best + block) % 2
            better += sum(columns[arm][start : start + length])
            worse += sum(columns[1 - arm][start : start + length])
            start, plays = start + length, plays + length
    # Of 16,000 payouts with a standard deviation of 8 the mean has a standard error of .063.
    assert better / plays == pytest.approx(60, abs=0.25)
    assert worse / plays == pytest.approx(40, abs=0.25)


def test_casinos_pay_exactly_what_was_promised_and_no_number_stands_for_a_combination():
    items = metadata("instrumental-learning", 300)
    for casino in range(4):
        pairs = [(item["paying_0"][casino], item["paying_1"][casino]) for item in items]
        assert even(pairs, [(6, 6), (6, 18), (18, 6), (18, 18)]) > LEVEL
    firsts = []
    for item in items:
        for arm in (0, 1):
            for casino, paying in enumerate(item[f"paying_{arm}"], start=1):
                paid = [
                    pay for visited, pay in zip(item["order"], item[f"rewards_{arm}"], strict=True) if visited == casino
                ]
                assert (len(paid), sum(paid)) == (24, paying)  # 25 or 75 %
                firsts += [place for place, pay in enumerate(paid) if pay] if paying == 6 else []
    assert even(firsts, range(24)) > LEVEL  # at random among its visits
    assert even([item["order"][0] for item in items], (1, 2, 3, 4)) > LEVEL


def test_urns_and_balls_are_drawn_by_the_wheel_and_their_contents():
    items = metadata("probabilistic-reasoning")
    assert even([item["informative"][0] for item in items], ("likelihood", "prior")) > LEVEL
    pairs = sorted({tuple(item["colours"]) for item in items})
    assert len(pairs) == 30
    assert even([tuple(item["colours"]) for item in items], pairs) > LEVEL
    rounds = [
        (kind, *(item[key][place] for key in ("prior", "likelihood", "urn", "red")))
        for item in items
        for place, kind in enumerate(item["informative"])
    ]
    for kind, strong, weak in (("prior", 1, 2), ("likelihood", 2, 1)):
        own = [draw for draw in rounds if draw[0] == kind]
        assert even([draw[strong] for draw in own], (1, 2, 3, 7, 8, 9)) > LEVEL
        assert even([draw[weak] for draw in own], (4, 6)) > LEVEL
    for tenths in (1, 3, 6, 8):
        chosen = [draw[3] for draw in rounds if draw[1] == tenths]
        assert binomtest(len(chosen) - sum(chosen), len(chosen), tenths / 10).pvalue > LEVEL
        for urn in (0, 1):
            balls = [draw[4][0] for draw in rounds if draw[2] == tenths and draw[3] == urn]
            share = (tenths if urn == 0 else 10 - tenths) / 10
            assert binomtest(sum(balls), len(balls), share).pvalue > LEVEL


@pytest.mark.parametrize("name", TASKS)
def test_every_story_has_draws_of_its_own(name):
    subsets = [subset for subset in DATASET.subsets if subset == name or subset.startswith(f"{name}-")]
    assert len(subsets) > 1
    told = {"dataset", "version", "subset", "seed", "canary", "task", "story"}
    drawn = [
        {key: value for key, value in item.metadata.items() if key not in told}
        for item in (DATASET.item(subset, 7, index) for subset in subsets for index in range(5))
    ]
    assert all(drawn.count(each) == 1 for each in drawn)
    assert len({DATASET.item(subset, 7, 0).group for subset in subsets}) == len(subsets)


def test_the_arms_of_the_horizon_are_told_in_as_many_words_sentences_and_commas():
    def shape(item):
        text = item.prompt.rpartition("\n\n")[2]
        return len(text.split()), text.count("."), text.count(","), sum(map(str.isdigit, text)), text.index("for ")

    items = [DATASET.item("horizon", 7, index) for index in range(100)]
    assert len({shape(item) for item in items}) == 1
    ends = {item.metadata["horizon"]: item.prompt.rpartition("\n\n")[2] for item in items}
    assert ends[6].replace("6 plays", "1 play") == ends[1]  # they differ in the number and one letter
