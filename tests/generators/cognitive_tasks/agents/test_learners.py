"""The mathematics of simple agents, each on an example worked by hand."""

from math import exp, log, sqrt

import pytest

from hansproof.generators.cognitive_tasks.agents import make_agent, target
from hansproof.generators.cognitive_tasks.tasks.balloons import CAPACITIES, Balloon
from hansproof.generators.cognitive_tasks.tasks.horizon import HorizonView
from hansproof.generators.cognitive_tasks.tasks.instrumental_learning import InstrumentalLearningView
from hansproof.generators.cognitive_tasks.tasks.restless_bandit import RestlessBanditView
from hansproof.generators.cognitive_tasks.tasks.two_step import Day, TwoStepView
from hansproof.generators.stream import Stream


def share(agent, task, view, second="second", draws=4000):
    """How often an agent takes the second action in this view."""
    act = agent.acts[task]
    return sum(act(view, Stream(5).child(n)) == second for n in range(draws)) / draws


def casino(*trials):
    return InstrumentalLearningView(1, ("first", "second"), tuple((1, *trial) for trial in trials), 6)


def test_rescorla_wagner_learns_good_and_bad_news_at_different_rates():
    agent = make_agent("rescorla-wagner", {"alpha_plus": 0.4, "alpha_minus": 0.2, "beta": 5})
    # V0: .5 -> .5 + .4 * .5 = .7 -> .7 - .2 * .7 = .56; V1: .5 -> .5 - .2 * .5 = .4
    view = casino((0, 1), (1, 0), (0, 0))
    expected = 1 / (1 + exp(-5 * (0.4 - 0.56)))
    assert expected == pytest.approx(0.310, abs=5e-4)
    assert share(agent, "instrumental-learning", view) == pytest.approx(expected, abs=0.025)
    # What another casino paid does not count.
    elsewhere = InstrumentalLearningView(2, ("first", "second"), view.trials, 6)
    assert share(agent, "instrumental-learning", elsewhere) == pytest.approx(0.5, abs=0.025)
    assert share(make_agent("rescorla-wagner", {"beta": 0}), "instrumental-learning", view) == pytest.approx(
        0.5, abs=0.025
    )


def test_rescorla_wagner_takes_40_points_for_the_difference_between_good_and_bad():
    agent = make_agent("rescorla-wagner", {"alpha_plus": 1, "alpha_minus": 1, "beta": 5})
    view = HorizonView(("first", "second"), ((0, 40), (1, 60)), 3)
    # V0 = .5 - 10 / 40, V1 = .5 + 10 / 40
    assert share(agent, "horizon", view) == pytest.approx(1 / (1 + exp(-5 * 0.5)), abs=0.02)
    sure = RestlessBanditView(("first", "second"), ((0, 40, 0.5), (1, 60, 0.5)), 3, 4, 1)
    # It chooses the second arm with probability .924, so it says 2 * .924 - 1.
    said = float(agent.acts["restless-bandit"](sure, Stream(1)))
    assert said == pytest.approx(2 / (1 + exp(-5 * 0.5)) - 1, abs=1e-6)


def test_greedy_takes_the_higher_mean_and_tosses_a_coin_between_equal_ones():
    agent = make_agent("greedy")
    assert share(agent, "instrumental-learning", casino((0, 1), (0, 0), (0, 0))) == 1  # 1 / 3 < .5, never seen
    assert share(agent, "instrumental-learning", casino((0, 1), (0, 1), (1, 1), (1, 0))) == 0
    assert share(agent, "instrumental-learning", casino()) == pytest.approx(0.5, abs=0.025)


def test_greedy_is_as_sure_as_a_test_of_two_means_lets_it_be():
    sure = RestlessBanditView(("first", "second"), ((0, 52, 0.5), (1, 60, 0.5), (1, 60, 0.5)), 3, 4, 1)
    # z = 8 / (8 * sqrt(1 + 1 / 2)) = .8165, of which the normal distribution has .7929 below
    assert float(make_agent("greedy").acts["restless-bandit"](sure, Stream(1))) == pytest.approx(0.5858, abs=2e-4)
    doubtful = RestlessBanditView(("first", "second"), sure.trials, 3, 4, 0)
    assert make_agent("greedy").acts["restless-bandit"](doubtful, Stream(1)) == "0.000000"  # the other one is likelier
    unseen = RestlessBanditView(("first", "second"), ((0, 52, 0.5),), 3, 4, 0)
    assert make_agent("greedy").acts["restless-bandit"](unseen, Stream(1)) == "0.000000"  # a guess


def test_the_upper_confidence_bound_weighs_the_mean_against_how_little_is_known():
    agent = make_agent("upper-confidence-bound", {"width": 1})
    # Six choices left: the bonus is 8 * sqrt(2 ln 6 / n), 15.14 after one play and 8.74 after three: 6.40 apart.
    assert 8 * sqrt(2 * log(6)) * (1 - 1 / sqrt(3)) == pytest.approx(6.40, abs=0.005)
    for behind, chosen in ((6, 1), (7, 0)):
        plays = ((0, 50), (0, 50), (0, 50), (1, 50 - behind))
        assert share(agent, "horizon", HorizonView(("first", "second"), plays, 6), draws=20) == chosen
        assert share(agent, "horizon", HorizonView(("first", "second"), plays, 1), draws=20) == 0
    assert share(agent, "instrumental-learning", casino((0, 1))) == 1  # never seen
    last = casino(*[(0, 1)] * 23)  # the last of the visits to this place: nothing is gained from trying now
    assert share(agent, "instrumental-learning", last, draws=20) == 0
    narrow = make_agent("upper-confidence-bound", {"width": 0})
    assert share(narrow, "horizon", HorizonView(("first", "second"), ((0, 50), (0, 50), (1, 49)), 6), draws=20) == 0


@pytest.mark.parametrize(
    ("trials", "stays"),
    [
        (((0, 1),), True),
        (((0, 0),), False),
        (((0, 1), (0, 1), (0, 1)), True),  # equals the mean so far, 1
        (((0, 0), (0, 0)), False),  # equals the mean so far, 0
        (((1, 1), (0, 1)), True),
    ],
)
def test_win_stay_lose_shift_repeats_the_last_choice_after_a_win(trials, stays):
    last = trials[-1][0]
    assert share(make_agent("win-stay-lose-shift"), "instrumental-learning", casino(*trials), draws=20) == (
        last if stays else 1 - last
    )


def test_for_win_stay_lose_shift_points_above_the_mean_so_far_are_a_win():
    agent = make_agent("win-stay-lose-shift")
    for payout, arm in ((43, 1), (41, 0)):  # the mean of the three plays before is 42
        plays = ((0, 40), (0, 44), (0, 42), (1, payout))
        assert share(agent, "horizon", HorizonView(("first", "second"), plays, 2), draws=20) == arm


def test_the_two_step_learners_value_the_first_choice_by_its_way_or_by_its_end():
    # Day 1: place 0 is chosen, place 1 reached (a rare transition), its first partner pays.
    view = TwoStepView((Day(0, 1, 0, True),), None, ("first", "second"), 19)
    parameters = {"alpha": 0.6, "beta": 8}
    # Model-free: Q(0) = .5 + .6 * .5 = .8, Q(1) = .5.
    free = 1 / (1 + exp(-8 * (0.5 - 0.8)))
    assert share(make_agent("model-free", parameters), "two-step", view) == pytest.approx(free, abs=0.02)
    # Model-based: the best at place 0 is .5 and at place 1 .8; Q(0) = .7 * .5 + .3 * .8 = .59, Q(1) = .71.
    based = 1 / (1 + exp(-8 * (0.71 - 0.59)))
    assert share(make_agent("model-based", parameters), "two-step", view) == pytest.approx(based, abs=0.025)
    # At place 1 both know the first partner: .8 against .5.
    there = TwoStepView(view.days, 1, ("first", "second"), 19)
    for name in ("model-based", "model-free"):
        assert share(make_agent(name, parameters), "two-step", there) == pytest.approx(free, abs=0.02)


def test_at_the_second_step_a_learner_of_arms_goes_by_what_was_paid_at_that_place():
    days = (Day(0, 0, 1, True), Day(0, 1, 0, True))
    act = make_agent("greedy").acts["two-step"]
    for state, choice in ((0, "second"), (1, "first"), (None, "first")):
        assert act(TwoStepView(days, state, ("first", "second"), 18), Stream(1)) == choice


def cashed(kind, pumps):
    return Balloon(kind, pumps, burst=False)


def test_the_pumper_aims_at_half_the_capacity_once_it_knows_the_kind():
    # 100 pumps survived: only 128; 20 survived and a burst at 31: 32, so the last one is 8.
    known = (cashed(0, 100), cashed(1, 20), Balloon(1, 31, burst=True))
    assert [target(known, kind) for kind in (0, 1, 2)] == [64, 16, 4]


def test_before_any_balloon_the_pumper_aims_at_the_best_of_the_mixture():
    points = [pumps * sum(max(size - pumps, 0) / size for size in CAPACITIES) / 3 for pumps in range(129)]
    assert target((), 0) == points.index(max(points)) == 64
    # One burst at pump 5 weighs 8 sixteen times as much as 128 and four times as much as 32.
    after = [
        pumps * sum(weight * max(size - pumps, 0) / size for size, weight in ((8, 16), (32, 4), (128, 1)))
        for pumps in range(129)
    ]
    assert target((Balloon(0, 5, burst=True),), 0) == after.index(max(after))
    # A balloon that burst at pump 9 was no 8: 32 is four times as likely as 128.
    points = [pumps * (4 * max(32 - pumps, 0) / 32 + max(128 - pumps, 0) / 128) for pumps in range(129)]
    assert target((Balloon(0, 9, burst=True),), 0) == points.index(max(points))
    assert target((Balloon(0, 5, burst=True),), 1) > target((Balloon(0, 5, burst=True),), 0)
