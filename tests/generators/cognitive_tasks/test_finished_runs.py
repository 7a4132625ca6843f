"""Replies are finished runs: what is read, what is refused and why, and what strategies that look at nothing reach."""

import json
from dataclasses import replace

import pytest

from hansproof.generators.cognitive_tasks.blind import BLIND
from hansproof.generators.cognitive_tasks.dataset import DATASET
from hansproof.generators.cognitive_tasks.subsets import PLACES, TASKS
from hansproof.generators.errors import InputError

SCORER = DATASET.scorer
ITEM = DATASET.item("horizon", 2, 0)
ARMS = ITEM.metadata["arms"]
PLAYS = ITEM.metadata["horizon"]


def test_a_run_is_the_json_list_of_its_actions():
    reply = json.dumps(ARMS[:1] * PLAYS)
    assert SCORER.read(ITEM, f" {reply}\n").said == reply


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        (ARMS[0], "is not a JSON list of actions"),
        ("{}", "is not a JSON list of actions"),
        ("null", "is not a JSON list of actions"),
        ("[[]]", "is not a JSON list of actions"),
        ("[null]", "is not a JSON list of actions"),
        ("[true]", "is not a JSON list of actions"),
        ("[" * 100_000, "is not a JSON list of actions"),
        ("[1" + "0" * 5_000 + "]", "is not a JSON list of actions"),
        ("[]", "stops after 0 actions, before the episode is over"),
        ('["?"]', f"action 1: '?' is not a legal action; choose {ARMS[0]} or {ARMS[1]}"),
        ("[1e999]", f"action 1: 'inf' is not a legal action; choose {ARMS[0]} or {ARMS[1]}"),
        ('["\\ud800"]', rf"action 1: '\ud800' is not a legal action; choose {ARMS[0]} or {ARMS[1]}"),
        (json.dumps(ARMS[:1] * 1_000), f"action {PLAYS + 1}: the episode is over"),
    ],
)  # fmt: skip
def test_another_reply_is_no_run_and_the_reason_says_why(reply, reason):
    reading = SCORER.read(ITEM, reply)
    assert (reading.said, reading.reason) == (None, reason)
    score = SCORER.score(ITEM, reading)
    assert (score.right, score.measures) == (None, {})


def test_an_item_that_somebody_changed_is_refused_by_name():
    broken = replace(ITEM, metadata={key: value for key, value in ITEM.metadata.items() if key != "rewards_0"})
    for use in (lambda: SCORER.read(broken, "[]"), lambda: SCORER.chance(broken), lambda: DATASET.episode(broken)):
        with pytest.raises(InputError, match=r"^item '.*/horizon/000000': metadata lacks rewards_0; is it an item of"):
            use()
    stranger = replace(ITEM, metadata={**ITEM.metadata, "subset": "horizont"})
    with pytest.raises(InputError, match=r"there is no task 'horizont'\. Did you mean 'horizon'\? Known:"):
        SCORER.read(stranger, "[]")


def test_draws_that_end_too_early_are_refused_by_name_when_they_are_needed():
    short = replace(ITEM, metadata={**ITEM.metadata, "rewards_0": ITEM.metadata["rewards_0"][:4]})
    with pytest.raises(
        InputError, match=r"^item '.*/horizon/000000': metadata does not fit \(list index out of range\)"
    ):
        DATASET.episode(short).step(ARMS[0])
    asked = DATASET.item("instrumental-learning", 2, 0)
    game = DATASET.episode(replace(asked, metadata={**asked.metadata, "order": [9]}))
    with pytest.raises(InputError, match=r"^item '.*/instrumental-learning/000000': metadata lacks 9"):
        assert game.prompt


def test_records_of_an_unfinished_run_are_refused():
    with pytest.raises(InputError, match=r"^cognitive-tasks/1\.1\.0/horizon/000000: stops after 0 actions"):
        DATASET.records(ITEM, [])


@pytest.mark.parametrize("subset", PLACES)
def test_every_strategy_plays_every_task_to_its_end(subset):
    items = [DATASET.item(subset, 2, index) for index in range(3)]
    for strategy in BLIND:
        for item, run in zip(items, strategy.answers(items, items), strict=True):
            if strategy.name.endswith("-alone") and not subset.startswith("probabilistic-reasoning"):
                assert run is None
                continue
            measures = SCORER.score(item, SCORER.read(item, run)).measures
            assert set(measures) <= set(SCORER.measures)
            assert set(measures) or not PLACES[subset][0].kinds


def test_strategies_do_what_they_say():
    runs = {strategy.name: strategy.answers([], [ITEM])[0] for strategy in BLIND if not strategy.learns}
    assert json.loads(runs["first"]) == ARMS[:1] * PLAYS
    assert json.loads(runs["last"]) == ARMS[1:] * PLAYS
    game = DATASET.item("restless-bandit", 2, 0)
    first = next(strategy for strategy in BLIND if strategy.name == "first")
    played = json.loads(first.answers([], [game])[0])
    assert played == [game.metadata["arms"][0], "0.5"] * sum(game.metadata["blocks"])


def test_a_round_can_be_answered_by_one_of_its_numbers_alone():
    item = DATASET.item("probabilistic-reasoning", 2, 0)
    told = {"prior": [9, 5], "likelihood": [4, 1], "red": [[True], [True, False]]}
    runs = {
        strategy.name: strategy.answers([], [replace(item, metadata={**item.metadata, **told})])[0]
        for strategy in BLIND
        if strategy.name.endswith("-alone")
    }
    assert {name: json.loads(run) for name, run in runs.items()} == {
        "prior-alone": ["0.9", "0.5"],
        "ball-alone": ["0.4", "0.9"],
    }


def test_the_best_constant_is_chosen_on_other_items():
    constant = next(strategy for strategy in BLIND if strategy.name == "constant")
    items = [DATASET.item("probabilistic-reasoning", 2, index) for index in range(30)]
    # Every round of theirs says that the first urn is likely, so a high number is best.
    sure = [
        replace(item, metadata={**item.metadata, "prior": [9, 5], "likelihood": [5, 9], "red": [[True], [True]]})
        for item in items
    ]
    assert constant.answers(sure, items[:1]) == [json.dumps(["0.9", "0.9"])]
    games = [DATASET.item("horizon", 2, index) for index in range(60)]
    second = [item for item in games if item.metadata["better"] == "second"]
    assert json.loads(constant.answers(second, [ITEM])[0])[0] == ARMS[1]


@pytest.mark.slow
@pytest.mark.parametrize("subset", ["horizon", "restless-bandit", "instrumental-learning"])
def test_looking_at_nothing_earns_what_chance_earns(subset):
    items = [DATASET.item(subset, 2, index) for index in range(120)]
    (measure, *_) = (f"{subset}-{name}" for name in PLACES[subset][0].kinds)
    chance = sum(SCORER.chance(item)[measure] for item in items) / len(items)
    for strategy in BLIND:
        if strategy.learns or strategy.name.endswith("-alone"):
            continue
        scores = [
            SCORER.score(item, SCORER.read(item, run)).measures[measure].value
            for item, run in zip(items, strategy.answers([], items), strict=True)
        ]
        mean = sum(scores) / len(items)
        error = (sum((score - mean) ** 2 for score in scores) / len(items) ** 2) ** 0.5
        assert abs(mean - chance) < 4 * error + 1e-9


def test_every_measure_is_called_by_its_task():
    assert all(name.startswith(tuple(f"{task}-" for task in TASKS)) for name in SCORER.measures)


WRONG = ({}, [], -1, "x", None, True, 1.5, [-1], {"a": 1})


def wrongly_typed():
    """Every item of a task with one value of its metadata, or the first entry of one, that is of another type."""
    for name in TASKS:
        item = DATASET.item(name, DATASET.seed, 0)
        for key, value in item.metadata.items():
            if key in ("dataset", "version", "subset", "seed", "canary"):
                continue
            for wrong in WRONG:
                if type(wrong) is not type(value):
                    yield replace(item, metadata=item.metadata | {key: wrong})
                if isinstance(value, list) and type(wrong) is not type(value[0]):
                    yield replace(item, metadata=item.metadata | {key: [wrong, *value[1:]]})


def test_metadata_of_another_type_is_refused_when_the_game_begins_and_when_it_is_scored():
    items = list(wrongly_typed())
    assert len(items) > 500
    for item in items:
        for begin in (DATASET.episode, lambda item: SCORER.read(item, "[]"), SCORER.chance):
            with pytest.raises(InputError, match=r"is it an item of cognitive-tasks, as released\?"):
                begin(item)


@pytest.mark.parametrize(
    ("key", "wrong", "fault"),
    [
        ("arms", {}, r"metadata.arms is object, not list of \(text\)"),
        ("arms", [-1, "B"], r"metadata.arms is list of \(integer and text\), not list of \(text\)"),
        ("story", {}, "metadata.story is object, not text"),
        ("rewards_0", [], r"metadata.rewards_0 is list of \(nothing\), not list of \(integer\)"),
        ("horizon", None, "metadata.horizon is null, not integer"),
        ("story", "nope", r"metadata.task and story are \('horizon', 'nope'\)"),
    ],
)
def test_the_refusal_names_the_item_and_the_value(key, wrong, fault):
    with pytest.raises(InputError, match=f"^item 'cognitive-tasks/1.1.0/horizon/000000': {fault}; is it an item of"):
        DATASET.episode(replace(ITEM, metadata=ITEM.metadata | {key: wrong}))
