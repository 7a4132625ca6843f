"""What was not drawn never reaches a prompt: change all of it, and every prompt keeps its bytes."""

from collections import Counter
from dataclasses import replace

import pytest
from scipy.stats import chisquare

from hansproof.generators.cognitive_tasks.dataset import DATASET
from hansproof.generators.cognitive_tasks.subsets import PLACES, TASKS
from hansproof.generators.cognitive_tasks.task import LETTERS
from hansproof.generators.stream import Stream


def two_step(draws, records, turn):
    """Outcomes of days to come, of partners and places not chosen; and all chances, which nobody is told."""
    paid = [[not outcome for outcome in day] for day in draws["paid"]]
    for record in records:
        arm = 2 * record["state"] + record["choice"]
        paid[record["trial"]][arm] = draws["paid"][record["trial"]][arm]
    travelled = (turn + 1) // 2
    common = [kept if day < travelled else not kept for day, kept in enumerate(draws["common"])]
    return {"paid": paid, "common": common, "chances": [[0.123] * 4 for _ in draws["chances"]]}


def balloons(draws, records, turn):
    """When balloons would have burst that were cashed in, or are still to come; and what each kind can take."""
    bursts = [999] * len(draws["bursts"])
    for record in records:
        if record["burst"]:
            bursts[record["balloon"]] = draws["bursts"][record["balloon"]]
    now = len(records)
    order = [*draws["order"][: now + 1], *((kind + 1) % 3 for kind in draws["order"][now + 1 :])]
    return {"bursts": bursts, "order": order, "capacities": [1, 2, 3]}


def arms(draws, records, turn):
    """Payouts of trials to come and of the arm that was not chosen; of means and chances, which nobody is told, all."""
    columns = {}
    for arm in (0, 1):
        own = draws[f"rewards_{arm}"]
        seen = [record["choice"] == arm for record in records] + [False] * (len(own) - len(records))
        columns[f"rewards_{arm}"] = [pay if known else HIDDEN for pay, known in zip(own, seen, strict=True)]
    return columns


def horizon(draws, records, turn):
    return {**arms(draws, records, turn), "mean_0": HIDDEN, "mean_1": HIDDEN, "better": "?", "information": "?"}


def restless_bandit(draws, records, turn):
    # Blocks that end elsewhere; their sum, which the opening tells, stays.
    return {**arms(draws, records, turn), "blocks": [1, 1, 1, sum(draws["blocks"]) - 3], "better": "?"}


def instrumental_learning(draws, records, turn):
    now = len(records)
    order = [*draws["order"][: now + 1], *(5 - place for place in draws["order"][now + 1 :])]
    return {**arms(draws, records, turn), "order": order, "paying_0": [HIDDEN] * 4, "paying_1": [HIDDEN] * 4}


def probabilistic_reasoning(draws, records, turn):
    """Which urn was drawn from, and everything of the round to come."""
    later = {key: [*draws[key][: turn + 1], *([HIDDEN] * (1 - turn))] for key in ("prior", "likelihood")}
    red = [*draws["red"][: turn + 1], *([not red] for (red,) in draws["red"][turn + 1 :])]
    return {**later, "red": red, "urn": [1 - urn for urn in draws["urn"]], "informative": ["?", "?"]}


CHANGES = {
    "two-step": two_step,
    "balloons": balloons,
    "horizon": horizon,
    "restless-bandit": restless_bandit,
    "instrumental-learning": instrumental_learning,
    "probabilistic-reasoning": probabilistic_reasoning,
}
HIDDEN = 31_337
"""No payout is this high: where it shows, something was told that did not happen."""


def test_every_task_is_tested():
    # The orders of the questions of temporal discounting have a test of their own below.
    assert {*CHANGES, "temporal-discounting"} == set(TASKS)


@pytest.mark.parametrize("subset", [name for name, (task, _) in PLACES.items() if task.name in CHANGES])
def test_prompts_keep_their_bytes_when_everything_that_was_not_drawn_is_changed(subset):
    change = CHANGES[PLACES[subset][0].name]
    for index in range(4):
        item, stream = DATASET.item(subset, 7, index), Stream(2, subset).child(index)
        game = DATASET.episode(item)
        while not game.done:
            other = {**item.metadata, **change(item.metadata, game.records(), len(game.transcript.actions))}
            assert other != item.metadata
            twin = DATASET.episode(replace(item, metadata=other))
            for action in game.transcript.actions:
                twin.step(action)
            assert (twin.prompt, twin.actions, twin.view) == (game.prompt, game.actions, game.view)
            assert str(HIDDEN) not in twin.prompt.replace(",", "")
            # Pumps are more frequent than cashing in, so that some balloons burst.
            names = (*game.actions, game.view.pump) if subset.startswith("balloons") else game.actions
            game.step(stream.choice(names) if names else f"{stream.integer(0, 100) / 100}")


def test_a_prompt_of_the_questionnaire_tells_no_order_but_its_own():
    item = DATASET.item("temporal-discounting", 7, 1)
    game = DATASET.episode(item)
    slots = [0, 3, 6, 9, 10, 11, 12]
    answers = {0: 3, 3: 3, 6: 3}
    for slot in slots:
        for question in range(answers.get(slot, 1)):
            orders = [
                order if n == slot + question else not order for n, order in enumerate(item.metadata["sooner_first"])
            ]
            twin = DATASET.episode(replace(item, metadata={**item.metadata, "sooner_first": orders}))
            while len(twin.transcript.actions) < len(game.transcript.actions):
                twin.step(twin.view.sooner)
            assert twin.prompt == game.prompt
            game.step(game.view.sooner)
    assert game.done


@pytest.mark.parametrize(
    ("subset", "names", "letters"),
    [
        ("two-step", lambda draws: [*draws["places"], *draws["partners"][0], *draws["partners"][1]], LETTERS),
        ("temporal-discounting", lambda draws: draws["options"], LETTERS),
        # No initial of `pump` and `push`.
        ("balloons", lambda draws: [*draws["kinds"], draws["pump"], draws["cash"]], "BCDGJKMQRVWXZ"),
    ],
)
def test_every_letter_is_equally_frequent_in_every_part(subset, names, letters):
    drawn = [names(DATASET.item(subset, 7, index).metadata) for index in range(850)]
    for part in zip(*drawn, strict=True):
        counts = Counter(part)
        assert set(counts) == set(letters)
        assert chisquare([counts[letter] for letter in letters]).pvalue > 0.001


def test_no_letter_is_the_initial_of_an_outcome_or_of_a_size():
    # True, high and low, small and large: no label can be read as one of them.
    assert not set(LETTERS) & set("HTLS")
