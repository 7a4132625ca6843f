"""What all agents share: the table, the tasks they play and decline, and runs that are the same for the same seed."""

from collections import Counter

import pytest
from scipy.stats import chisquare

from hansproof.generators.cognitive_tasks.agents import AGENTS, make_agent, simulate
from hansproof.generators.cognitive_tasks.dataset import DATASET
from hansproof.generators.cognitive_tasks.subsets import TASKS
from hansproof.generators.errors import UsageError
from hansproof.generators.stream import Stream

ARM_TASKS = {"horizon", "restless-bandit", "instrumental-learning", "two-step"}


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_plays_a_task_or_says_why_not(name):
    agent = make_agent(name)
    assert agent.name == name
    assert set(agent.acts) | set(agent.declines) == set(TASKS)
    assert not set(agent.acts) & set(agent.declines)
    assert all(len(reason) > 15 for reason in agent.declines.values())
    assert agent.summary.endswith(".")
    assert any(char.isdigit() for char in agent.source)


def test_there_are_nine_agents_and_each_plays_what_makes_sense_for_it():
    played = {name: set(make_agent(name).acts) for name in AGENTS}
    learners = ("greedy", "win-stay-lose-shift", "upper-confidence-bound", "rescorla-wagner")
    assert played == {
        "random": set(TASKS),
        "bayes-optimal": {"probabilistic-reasoning", "horizon", "restless-bandit", "instrumental-learning"},
        **dict.fromkeys(learners, ARM_TASKS),
        "model-based": {"two-step"},
        "model-free": {"two-step"},
        "expected-value-pumper": {"balloons"},
    }


@pytest.mark.parametrize(("name", "task"), [(name, task) for name in AGENTS for task in make_agent(name).acts])
def test_a_run_is_the_same_for_the_same_seed_and_every_story_is_played_by_its_own_draws(name, task):
    agent = make_agent(name)
    subsets = [subset for subset in DATASET.subsets if subset == task or subset.startswith(f"{task}-")]
    runs = set()
    for subset in subsets:
        item = DATASET.item(subset, 7, 3)
        run = simulate(agent, item, 1)
        assert simulate(make_agent(name), item, 1) == run
        runs.add(run.actions)
    assert len(runs) == len(subsets)


@pytest.mark.parametrize(("name", "task"), [("random", "balloons"), ("rescorla-wagner", "restless-bandit")])
def test_an_action_depends_on_the_turn_and_on_the_view_alone(name, task):
    # So a run that was stopped goes on as it would have gone on.
    agent, item = make_agent(name), DATASET.item(task, 7, 3)
    run, game = simulate(agent, item, 1), DATASET.episode(item)
    for turn, action in enumerate(run.actions):
        draws = Stream(1, "agents", name, item.group).child(turn)
        chosen = agent.acts[task](game.view, draws)
        assert chosen == action or float(chosen) == float(action)
        game.step(action)


@pytest.mark.parametrize("name", ["random", "rescorla-wagner"])
def test_another_seed_gives_another_run(name):
    item = DATASET.item("restless-bandit", 7, 3)
    assert simulate(make_agent(name), item, 1) != simulate(make_agent(name), item, 2)


def test_a_task_that_makes_no_sense_is_refused_with_the_reason():
    agent = make_agent("greedy")
    with pytest.raises(UsageError, match=r"^greedy does not play balloons: it asks when to stop"):
        simulate(agent, DATASET.item("balloons", 7, 0), 1)
    with pytest.raises(UsageError, match=r"^bayes-optimal does not play two-step: nobody has .* see model-based$"):
        simulate(make_agent("bayes-optimal"), DATASET.item("two-step-musician", 7, 0), 1)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("gredy", {}, r"there is no agent 'gredy'\. Did you mean 'greedy'\? Known: random, "),
        (
            "rescorla-wagner",
            {"alpha": 0.3},
            "rescorla-wagner has no parameter 'alpha'.*Known: alpha_plus, alpha_minus, beta",
        ),
        ("greedy", {"beta": 1}, "greedy has no parameter 'beta'. None is known"),
        ("model-free", {"alpha": 1.5}, "alpha of model-free must be from 0 to 1, not 1.5"),
        ("model-free", {"beta": float("nan")}, "beta of model-free must be from 0 to 1000, not nan"),
        ("model-free", {"beta": float("inf")}, "beta of model-free must be from 0 to 1000, not inf"),
    ],
)
def test_a_wrong_name_or_value_is_refused(name, parameters, message):
    with pytest.raises(UsageError, match=message):
        make_agent(name, parameters)


def test_parameters_reach_the_agent():
    item = DATASET.item("instrumental-learning", 7, 0)
    fast, slow = (make_agent("rescorla-wagner", {"alpha_plus": rate, "alpha_minus": rate}) for rate in (0.9, 0.05))
    assert simulate(fast, item, 1) != simulate(slow, item, 1)


def test_the_family_offers_every_agent_and_says_by_subset_what_it_does_not_play():
    assert list(DATASET.players) == list(AGENTS)
    player = DATASET.players["model-based"]
    assert {subset for subset in DATASET.subsets if subset not in player.declines} == {
        *("two-step", "two-step-explained", "two-step-musician")
    }
    assert set(player.parameters) == {"alpha", "beta"}
    item = DATASET.item("two-step", 7, 0)
    run = player.make({"alpha": 0.1})(item, 5)
    assert run == simulate(make_agent("model-based", {"alpha": 0.1}), item, 5)
    assert run != player.make({})(item, 5)
    with pytest.raises(UsageError, match="model-based has no parameter 'gamma'"):
        player.make({"gamma": 1})


def test_random_choices_are_uniform_and_so_are_random_numbers():
    agent, counts, numbers = make_agent("random"), Counter(), []
    for index in range(60):
        item = DATASET.item("restless-bandit", 7, index)
        for record in DATASET.records(item, simulate(agent, item, 1).actions):
            counts[record["choice"]] += 1
            numbers.append(record["confidence"])
    assert chisquare(list(counts.values())).pvalue > 0.01
    assert chisquare(list(Counter(int(number * 10) for number in numbers).values())).pvalue > 0.01
