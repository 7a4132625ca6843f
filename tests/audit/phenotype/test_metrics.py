"""Every metric on rows small enough to work out by hand, and the reasons for those that are undefined."""

import math

import numpy as np
import pytest
from toy_records.rows import SIMULATED, bandit_run, days, played_games

from hansproof.audit.phenotype.measuring import MEASURES, METRICS, phenotype
from hansproof.audit.phenotype.task_records import make_records


def measured(task, rows, *, as_published=False):
    table = make_records({task: rows}).tables[task]
    outcome = MEASURES[task](table, as_published)
    return {name: statistic.value() for name, statistic in outcome.statistics.items()}, outcome.notes


def test_there_are_six_metrics_of_performance_and_ten_of_behaviour_with_references():
    main = [metric for metric in METRICS if not metric.variant_of]
    assert [sum(metric.kind == kind for metric in main) for kind in ("performance", "behaviour")] == [6, 10]
    assert all(metric.human is not None and metric.random is not None for metric in main)
    names = [metric.name for metric in METRICS]
    assert len(set(names)) == len(names)
    assert {metric.variant_of for metric in METRICS} - {""} <= {metric.name for metric in main}


def test_a_bayesian_has_weights_of_one_and_no_error():
    values, _ = measured("probabilistic-reasoning", SIMULATED["estimates"](1, 1, 20, np.random.default_rng(0), 0.0))
    assert values["posterior-accuracy"][0] == pytest.approx(1)
    for name in ("prior-weighting", "likelihood-weighting", "prior-weighting-intercept"):
        assert values[name][0] == pytest.approx(1)


def test_a_blue_ball_turns_the_likelihood_round():
    # prior .5, urn F has 8 of 10 red: after a blue ball the posterior of F is .2, and .5 is wrong by .3
    row = {"prior": 0.5, "likelihood": 0.8, "red": False, "estimate": 0.5}
    assert measured("probabilistic-reasoning", [row])[0]["posterior-accuracy"][0] == pytest.approx(0.7)


def test_a_constant_bias_is_seen_by_the_fit_with_intercept_only():
    rows = SIMULATED["estimates"](0.6, 0.9, 40, np.random.default_rng(4), 0.0)
    shifted = [{**row, "estimate": 1 / (1 + (1 / row["estimate"] - 1) * math.exp(-0.8))} for row in rows]
    values, _ = measured("probabilistic-reasoning", shifted)
    assert values["prior-weighting-intercept"][0] == pytest.approx(0.6)
    assert values["likelihood-weighting-intercept"][0] == pytest.approx(0.9)
    assert abs(values["prior-weighting"][0] - 0.6) > 1e-3


def test_estimates_of_zero_and_one_are_moved_before_their_logit_only():
    rows = [{"prior": p, "likelihood": 0.7, "red": True, "estimate": float(p > 0.5)} for p in (0.2, 0.8, 0.3, 0.7)]
    values, _ = measured("probabilistic-reasoning", rows)
    assert math.isfinite(values["prior-weighting"][0])
    published, _ = measured("probabilistic-reasoning", rows, as_published=True)
    assert published["posterior-accuracy"][0] - values["posterior-accuracy"][0] == pytest.approx(1e-5, rel=1e-6)


def test_directed_exploration_is_the_pull_of_the_lesser_known_arm_in_long_games():
    # Equal means. Long games: the lesser-known arm in 3 of 4; short ones: in 1 of 4. Half the difference of logits.
    games = [
        (d, long, shown, int((k < lesser) == (shown == 1)))
        for long, lesser in ((False, 1), (True, 3))
        for d in (-8, 8)
        for shown in (1, 3)
        for k in range(4)
    ]
    values, _ = measured("horizon", played_games(games))
    assert values["directed-exploration"][0] == pytest.approx(math.log(3), abs=1e-9)
    assert values["random-exploration"][1] == "too few games (0) for 4 coefficients; play about 200"


def test_random_exploration_is_positive_for_who_is_less_careful_in_long_games():
    # Difference +-8. Short games: right in 3 of 4, slope log(3) / 8; long: in 2 of 4, slope 0. Half the fall in slope.
    right = {False: 3, True: 2}
    games = [(d, long, 2, int((k < right[long]) == (d > 0))) for long in right for d in (-8, 8) for k in range(4)]
    values, _ = measured("horizon", played_games(games))
    assert values["random-exploration"][0] == pytest.approx(math.log(3) / 16, abs=1e-9)
    swapped, _ = measured("horizon", played_games([(d, not long, shown, c) for d, long, shown, c in games]))
    assert swapped["random-exploration"][0] == pytest.approx(-math.log(3) / 16, abs=1e-9)


def test_always_the_better_arm_is_separation_and_only_the_penalised_fit_exists():
    games = [(d, long, 2, int(d > 0)) for long in (0, 1) for d in (-12, -4, 4, 12)]
    values, _ = measured("horizon", played_games(games))
    assert "separation" in values["random-exploration"][1]
    assert math.isfinite(values["random-exploration-penalised"][0])


def test_reward_of_free_choices_is_without_the_forced_ones():
    values, _ = measured("horizon", played_games([(0, False, 2, 1)]))  # rewards 51, 51, 50, 50, then 51
    assert (values["horizon-reward"][0], values["horizon-reward-free"][0]) == (50.6, 51)


def test_a_game_that_broke_off_is_in_no_logit_and_a_note_says_so():
    rows = played_games([(8, False, 2, 1), (8, True, 2, 1)])
    _, notes = measured("horizon", rows[:3] + rows[5:])
    assert notes == ("1 game without four forced choices and a first free one: not in the logits",)


def test_confidence_is_scaled_within_each_run():
    # run 0: .6 and .8 become 0 and 1, which is right: QSR 1. Run 1: the other way round: QSR 0. Unscaled by hand.
    rows = bandit_run(0, [0, 1], [0, 1], [0.6, 0.8]) + bandit_run(1, [0, 1], [1, 0], [0.6, 0.8])
    values, notes = measured("restless-bandit", rows)
    assert (values["metacognition"][0], notes) == (0.5, ())
    unscaled = [1 - 0.36, 1 - 0.04, 1 - 0.16, 1 - 0.64]
    assert values["metacognition-unscaled"][0] == pytest.approx(np.mean(unscaled))
    assert values["restless-bandit-accuracy"][0] == 0.5


def test_constant_confidence_is_undefined_and_as_published_unscaled():
    rows = bandit_run(0, [0, 1], [0, 1], [0.7, 0.7])
    values, notes = measured("restless-bandit", rows)
    assert values["metacognition"][1] == "confidence is the same in every trial of each run"
    assert notes == ("metacognition is without 1 of 1 runs, whose confidence never changes",)
    published, _ = measured("restless-bandit", rows, as_published=True)
    assert published["metacognition"] == published["metacognition-unscaled"]
    silent, _ = measured("restless-bandit", bandit_run(0, [0, 1], [0, 1], [None, None]))
    assert silent["metacognition"][1] == "no confidence was stated"


def test_a_run_with_one_arm_per_casino_has_no_learning_rate():
    rows = SIMULATED["learner_runs"](0.4, 0.1, 6.0, 2, np.random.default_rng(5))
    same = [{**row, "run": 2, "choice": row["casino"] % 2} for row in rows[:96]]
    both, notes = measured("instrumental-learning", rows + same)
    alone, _ = measured("instrumental-learning", rows)
    assert both["learning-rate"] == alone["learning-rate"]
    assert both["optimism-pooled"] == alone["optimism-pooled"]
    assert notes == ("learning is without 1 of 3 runs, with one arm chosen in each casino",)
    values, _ = measured("instrumental-learning", same)
    assert values["optimism"][1] == "the same arm was chosen in every visit to a casino, in every run"


@pytest.mark.slow
def test_random_choices_are_not_those_of_somebody_who_hardly_learns():
    # published value of random choices: .4378
    values, _ = measured(
        "instrumental-learning", SIMULATED["learner_runs"](0.3, 0.3, 0.0, 30, np.random.default_rng(6))
    )
    assert 0.35 < values["learning-rate"][0] < 0.65
    assert abs(values["optimism"][0]) < 0.2


def test_the_names_of_casinos_do_not_matter():
    rows = SIMULATED["learner_runs"](0.4, 0.1, 6.0, 1, np.random.default_rng(5))
    renamed = [{**row, "casino": (7, 100, 3, 12)[row["casino"]]} for row in rows]
    assert measured("instrumental-learning", renamed)[0] == measured("instrumental-learning", rows)[0]


def steps(rule):
    """Days of somebody who stays or leaves by a rule of the reward and whether the journey was common."""
    action, taken = 0, []
    for reward, common in [(1, 1), (1, 0), (0, 1), (0, 0)] * 6:
        taken.append((action, action if common else 1 - action, reward))
        action = action if rule(reward, common) else 1 - action
    return [*taken, (action, action, 0)]


def test_model_basedness_is_one_half_for_the_rule_of_a_planner_and_zero_for_habit():
    planner, _ = measured("two-step", days(0, steps(lambda reward, common: reward == common)))
    habit, _ = measured("two-step", days(0, steps(lambda reward, common: reward == 1)))
    assert planner["model-basedness"][0] == pytest.approx(0.5)
    assert planner["model-freeness"][0] == pytest.approx(0, abs=1e-12)
    assert habit["model-basedness"][0] == pytest.approx(0, abs=1e-12)
    assert habit["model-freeness"][0] == pytest.approx(0.5)


def test_days_that_do_not_follow_each_other_are_in_no_regression():
    rows = days(0, steps(lambda reward, common: reward == common))
    _, notes = measured("two-step", rows[:5] + rows[6:])
    assert notes == ("1 day without the day after: not in the regression",)
    two_runs = days(0, steps(lambda r, c: r == c)) + days(1, steps(lambda r, c: r == c))
    assert measured("two-step", two_runs)[0]["model-basedness"][0] == pytest.approx(0.5)


def test_pumps_of_burst_balloons_count_for_risk_but_not_for_the_adjusted_mean():
    rows = [
        {"run": 0, "pumps": pumps, "burst": burst, "reward": 0 if burst else pumps} for pumps, burst in [(4, 0), (8, 1)]
    ]
    values, _ = measured("balloons", rows)
    assert [values[name][0] for name in ("balloon-points", "risk-taking", "risk-taking-adjusted")] == [2, 6, 4]
    assert measured("balloons", rows[1:])[0]["risk-taking-adjusted"][1] == "every balloon burst"


def test_the_adjusted_mean_is_told_by_kind_where_the_records_say_which():
    rows = [
        {"run": 0, "capacity": capacity, "pumps": pumps, "burst": burst, "reward": 0 if burst else pumps}
        for capacity, pumps, burst in [(8, 4, 0), (8, 2, 0), (8, 8, 1), (128, 50, 0), (32, 9, 1)]
    ]
    values, _ = measured("balloons", rows)
    assert [values[f"risk-taking-adjusted-{capacity}"][0] for capacity in (8, 128)] == [3, 50]
    nothing = "no balloon that takes 32 pumps at most is known not to have burst"
    assert values["risk-taking-adjusted-32"][1] == nothing
    del rows[0]["capacity"], rows[1]["capacity"]
    assert "is known" in measured("balloons", rows[:2])[0]["risk-taking-adjusted-8"][1]


def test_discounting_is_the_mean_score_and_counts_its_anomalies():
    row = {"score": 7, "present_bias": 1, "subadditivity": 1, "delay_speedup": 0, "delay_length": 1}
    values, _ = measured("temporal-discounting", [row, {**row, "run": 1, "score": 10, "present_bias": 0}])
    assert (values["temporal-discounting"][0], values["discounting-anomalies"][0]) == (8.5, 2.5)
    plain, _ = measured("temporal-discounting", [{"score": 3}])
    assert "do not say which anomalies" in plain["discounting-anomalies"][1]
    assert "do not say what each baseline scored" in plain["discounting-gains"][1]


def test_discounting_of_gains_and_sooner_payments_of_losses_are_apart():
    rows = [
        {"run": run, "score": 9, "gain": gain, "large_gain": 5, "loss": loss}
        for run, gain, loss in [(0, 4, 0), (1, 2, 1)]
    ]
    values, _ = measured("temporal-discounting", rows)
    assert (values["discounting-gains"][0], values["discounting-losses"][0]) == (8, 0.5)


def test_the_standardised_value_keeps_its_sign_and_its_interval_its_order():
    rows = SIMULATED["learner_runs"](0.4, 0.1, 6.0, 8, np.random.default_rng(6))
    measured_phenotype = phenotype(make_records({"instrumental-learning": rows}), resamples=200)
    rate = measured_phenotype.metric("learning-rate")  # people .1854, random .485: smaller is more human
    assert rate.standard == pytest.approx((rate.value - 0.485) / (0.1854 - 0.485), abs=1e-9)
    assert rate.standard_low < rate.standard < rate.standard_high
    assert rate.standard_low == pytest.approx((rate.high - 0.485) / (0.1854 - 0.485), abs=1e-9)
    pooled = measured_phenotype.metric("learning-rate-pooled")
    assert (pooled.low, pooled.reason) == (None, "one fit to all runs; the metric averaged over runs has an interval")
    assert measured_phenotype.metric("risk-taking").reason == "the task was not played"
