"""A draw that is against the law of its task, and a prompt that tells another game, are faults."""

from dataclasses import replace

import pytest

from hansproof.generators.cognitive_tasks.dataset import DATASET
from hansproof.generators.cognitive_tasks.subsets import PLACES


def first(subset, **wanted):
    """The first item of a subset with these values in its metadata."""
    items = (DATASET.item(subset, 3, index) for index in range(100))
    return next(item for item in items if all(item.metadata[key] == value for key, value in wanted.items()))


HORIZON = first("horizon", information="equal", horizon=6)
RESTLESS = first("restless-bandit")
LEARNING = first("instrumental-learning")
TWO_STEP = first("two-step")
REASONING = first("probabilistic-reasoning", informative=["prior", "likelihood"])


def other(item, **draws):
    return replace(item, metadata={**item.metadata, **draws})


def told(item, before, after):
    assert before in item.prompt
    return replace(item, prompt=item.prompt.replace(before, after))


def swapped(item, *keys):
    first, second = (item.metadata[key] for key in keys)
    return other(item, **dict(zip(keys, (second, first), strict=True)))


def turned(item):
    return "second" if item.metadata["better"] == "first" else "first"


def bent(values, place, value):
    return [value if number == place else kept for number, kept in enumerate(values)]


@pytest.mark.parametrize(
    ("item", "fault"),
    [
        (other(HORIZON, forced=[1 - arm for arm in HORIZON.metadata["forced"]]), "the forced plays of the prompt"),
        (told(HORIZON, "paid you", "cost you"), "the forced plays of the prompt are not those of the draws"),
        (other(HORIZON, information="unequal"), "the forced choices are not as equal as they should be"),
        (other(HORIZON, mean_0=41), "the means are not 40 or 60 and a gap of the task"),
        (other(HORIZON, better=turned(HORIZON)), "the better arm has the lower mean"),
        (other(HORIZON, horizon=1), "the number of free choices is not that of the prompt"),
        (other(HORIZON, rewards_0=HORIZON.metadata["rewards_0"][:-1]), "there is not one payout a trial"),
        (other(HORIZON, rewards_0=bent(HORIZON.metadata["rewards_0"], 9, 200)), "a payout is further from its mean"),
        (other(RESTLESS, better=turned(RESTLESS)), "the arms do not change places with every block"),
        (swapped(RESTLESS, "rewards_0", "rewards_1"), "the arms do not change places with every block"),
        (other(RESTLESS, blocks=bent(RESTLESS.metadata["blocks"], 0, 17)), "the blocks are not as long as"),
        (told(RESTLESS, " plays. Each", "0 plays. Each"), "the prompt gives another number of plays"),
        (other(RESTLESS, arms=["J", "J"]), "the prompt does not name the two arms"),
        (other(RESTLESS, rewards_0=bent(RESTLESS.metadata["rewards_0"], 5, -20)), "a payout is further from both"),
        (swapped(LEARNING, "rewards_0", "rewards_1"), "an arm pays in other visits than are recorded"),
        (other(LEARNING, better=turned(LEARNING)), "the better arm of the first visit that has one is another"),
        (other(LEARNING, order=bent(LEARNING.metadata["order"], 0, 5)), "a place is not visited as often"),
        (other(LEARNING, paying_0=[6, 6, 6, 18]), "an arm pays in other visits than are recorded"),
        (other(LEARNING, rewards_0=[0] * 96), "the arms do not pay in the four combinations"),
        (other(LEARNING, rewards_0=[0] * 96, rewards_1=[0] * 96), "the worse arm does not pay in a quarter of its"),
        (other(LEARNING, rewards_1=bent(LEARNING.metadata["rewards_1"], 3, 2)), "a payout is neither 0 nor 1"),
        (other(LEARNING, arms=LEARNING.metadata["arms"][::-1]), "the prompt names other arms"),
        (other(TWO_STEP, better=turned(TWO_STEP)), "the better first choice is another"),
        (other(REASONING, red=[[True, True], [True, True]]), "the prompt tells of another number of balls"),
        (told(HORIZON, "for 6 plays", "for 5 plays"), "the number of free choices is not that of the prompt"),
        (other(REASONING, prior=[5, 5]), "round 1 has other chances than the task"),
        (other(REASONING, informative=["prior", "prior"]), "the rounds are not one of either kind"),
        (other(REASONING, urns=["J", "J"]), "the prompt does not name the urns"),
        (other(REASONING, urns=["J", "R"]), "an urn has the initial of a colour"),
    ],
)  # fmt: skip
def test_a_wrong_draw_is_a_fault(item, fault):
    faults = DATASET.check(item)
    assert [said for said in faults if said.startswith(fault)], faults


LEVELS = [
    f"{name}@{level}"
    for name, subset in DATASET.subsets.items()
    if subset.knob
    for level in (subset.knob.least, subset.knob.most)
]


@pytest.mark.parametrize("subset", [*PLACES, *LEVELS])
def test_no_item_is_at_fault_and_none_may_have_an_answer(subset):
    assert not [index for index in range(100) if DATASET.check(DATASET.item(subset, 9, index))]
    assert "something is right" in DATASET.check(replace(DATASET.item(subset, 9, 0), answer="J"))
