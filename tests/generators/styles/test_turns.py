"""The turns of an episode in prompt styles: what is added, that nothing else is shown, and that replies are read."""

import pytest

from hansproof.generators.errors import UsageError
from hansproof.generators.registry import dataset
from hansproof.generators.styles.rendering import render_turn
from hansproof.generators.styles.style import asking_of, suitable_styles

ITEM = dataset("cognitive-tasks").item("horizon", 1, 3)
ARMS = ITEM.metadata["arms"]


@pytest.fixture
def episode():
    return dataset("cognitive-tasks").episode(ITEM)


def test_without_a_style_a_turn_is_the_prompt_of_the_episode(episode):
    assert render_turn(ITEM, episode, "zero-shot") == episode.prompt


def test_a_direct_turn_asks_for_a_legal_action_and_nothing_else(episode):
    wanted = f"{episode.prompt}\n\nAnswer with {ARMS[0]} or {ARMS[1]}, and nothing else."
    assert render_turn(ITEM, episode, "direct") == wanted


@pytest.mark.parametrize(
    ("style", "start"),
    [("zero-shot-cot", "Think about this step by step"), ("step-back", "Before you choose, take a step")],
)
def test_a_turn_with_reasoning_asks_for_a_last_line_that_is_read(episode, style, start):
    request = render_turn(ITEM, episode, style).removeprefix(f"{episode.prompt}\n\n")
    assert request.startswith(start)
    assert request.endswith(f'End with a line "Answer: ..." that gives {ARMS[0]} or {ARMS[1]}.')
    reply = f"{ARMS[0]} paid less than {ARMS[1]}.\nI know {ARMS[0]} better.\n\nAnswer: {ARMS[1]}"
    assert episode.read(reply).said == ARMS[1]


def test_a_persona_comes_first_and_names_the_expertise(episode):
    text = render_turn(ITEM, episode, "persona-expert")
    assert text.startswith("You are an expert in decisions under uncertainty, and")
    assert text.endswith(episode.prompt)


def test_numbers_are_asked_for_in_their_range():
    item = dataset("cognitive-tasks").item("probabilistic-reasoning", 1, 3)
    text = render_turn(item, dataset("cognitive-tasks").episode(item), "direct")
    assert text.endswith("Answer with a number from 0 to 1, and nothing else.")


def test_styles_of_two_turns_and_with_examples_do_not_suit_what_is_played(episode, toy_bandit):
    assert suitable_styles(asking_of(ITEM)) == [
        "zero-shot", "zero-shot-cot", "step-back", "persona-expert", "persona-child", "persona-layperson", "direct",
    ]  # fmt: skip
    with pytest.raises(UsageError, match=r"^two-turn-cot does not suit cognitive-tasks/horizon: episodes ask once"):
        render_turn(ITEM, episode, "two-turn-cot")
    with pytest.raises(UsageError, match=r"^few-shot does not suit .*: episodes are played, not answered"):
        render_turn(ITEM, episode, "few-shot")


def test_an_episode_that_is_over_has_nothing_to_ask(episode):
    while not episode.done:
        episode.step(ARMS[0])
    with pytest.raises(UsageError, match=r"^the episode of 'cognitive-tasks/1\.1\.0/horizon/000003' is over"):
        render_turn(ITEM, episode, "direct")
