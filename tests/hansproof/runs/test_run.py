"""`hansproof.run` and `hansproof.episodes`: every episode is played, and what an agent may say is handled by a rule."""

import json

import pytest

import hansproof
from hansproof.generators.jsonl import dump
from hansproof.generators.production import Stretch, items

GAME = "Machine game 3:"


@pytest.mark.usefixtures("toy_bandit")
def test_a_loop_of_ones_own_plays_the_episodes_of_the_release():
    played = []
    for episode in hansproof.episodes("toy-bandit", subset="short", count=2):
        while not episode.done:
            episode.step(episode.read("I take B.").said)
        played.append(episode.transcript)
    assert [transcript.actions for transcript in played] == [("B",) * 4] * 2
    assert [transcript.id for transcript in played] == [f"toy-bandit/1.0.0/short/00000{i}" for i in (0, 1)]


def test_a_function_plays_every_episode_and_its_file_is_scored(toy_bandit, agent, there):
    runs = hansproof.run("toy-bandit", agent, out="runs.jsonl")
    assert len(runs) == 50  # 30 of short, 20 of again
    assert {run.actions for run in runs} == {("A", "B", "A", "B")}
    (there / "short.jsonl").write_bytes(dump(run.item for run in runs if run.item.metadata["subset"] == "short"))
    lines = [json.loads(line) for line in (there / "runs.jsonl").read_text().splitlines()]
    (there / "part.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines[:30]))
    (report,) = hansproof.score("part.jsonl", "short.jsonl")
    first = report.outcomes[0]
    rewards = first.item.metadata["rewards_a"], first.item.metadata["rewards_b"]
    earned = rewards[0][0] + rewards[1][1] + rewards[0][2] + rewards[1][3]
    assert first.score.measures["reward"].value == earned / 4
    assert report.model.endswith("conftest:alternate")
    assert sorted(path.name for path in there.iterdir()) == ["part.jsonl", "runs.jsonl", "short.jsonl"]


def test_runs_are_refused_against_other_draws_behind_the_same_prompt(toy_bandit, agent, there):
    fresh = list(items(toy_bandit, Stretch("short", 0, 3), 7))
    assert [item.prompt for item in fresh] == [toy_bandit.item("short", 5, index).prompt for index in range(3)]
    hansproof.run(fresh, agent, out="runs.jsonl")
    (there / "other.jsonl").write_bytes(dump(items(toy_bandit, Stretch("short", 0, 3), 5)))
    with pytest.raises(hansproof.InputError, match="3 replies are to other items with the same id"):
        hansproof.score("runs.jsonl", "other.jsonl")


@pytest.mark.usefixtures("toy_bandit")
def test_a_useless_reply_is_answered_with_the_reason():
    asked = []

    def agent(prompt):
        asked.append(prompt)
        return ("A or B", "Answer: B")[len(asked) % 2 == 0]

    (run,) = hansproof.run("toy-bandit", agent, subset="short", count=1)
    assert (run.actions, run.retries, run.unfinished) == (("B",) * 4, 4, "")
    assert asked[1] == (
        f"{asked[0]}\n\nYour last reply could not be used: one line names several choices: 'A', 'B'. "
        'End with a line "Answer: A" or "Answer: B", and write nothing after it.'
    )


@pytest.mark.usefixtures("toy_bandit")
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("neither", "no legal action in the last reply: names no choice"),
        ("", "no legal action in the last reply: is empty"),
        ("A" * 1_000_001, "no legal action in the last reply: it has 1,000,001 characters, of which at most 1,000,000"),
        (None, "the agent returned NoneType, not a text"),
        (7, "the agent returned int, not a text"),
        (KeyError("a\nb"), r"the agent raised KeyError: 'a\\nb' \(test_run.py, line [0-9]+\)"),
        (SystemExit(3), r"the agent raised SystemExit: 3 \(test_run.py, line [0-9]+\)"),
    ],
)
def test_too_many_useless_replies_end_the_episode_and_no_action_is_made_up(said, why):
    calls = []

    def agent(prompt):
        if GAME not in prompt or prompt.count("won") < 2:
            return "A"
        calls.append(prompt)
        if isinstance(said, BaseException):
            raise said
        return said

    runs = hansproof.run("toy-bandit", agent, subset="short", count=5, retries=3)
    assert [run.actions for run in runs] == [("A",) * (2 if place == 3 else 4) for place in range(5)]
    assert runs[3].retries == 3
    assert len(calls) == 4
    with pytest.raises(AssertionError, match=why):
        assert runs[3].unfinished == ""
    assert {run.unfinished for run in runs} == {"", runs[3].unfinished}


def test_an_unfinished_run_is_scored_as_unclear_with_its_actions(there, toy_bandit):
    def agent(prompt):
        return "A" if prompt.count("won") < 2 else "?"

    runs = hansproof.run("toy-bandit", agent, out="runs.jsonl", subset="short", count=1, retries=0)
    line = json.loads((there / "runs.jsonl").read_text())
    assert (line["reply"], line["unfinished"]) == ('["A", "A"]', "no legal action in the last reply: names no choice")
    (report,) = hansproof.score("runs.jsonl", [runs[0].item])
    assert report.outcomes[0].reading.reason == "stops after 2 of 4 visits"


@pytest.mark.usefixtures("toy_bandit")
def test_an_agent_that_fails_everywhere_stops_the_run():
    calls = []

    def agent(prompt):
        calls.append(prompt)
        raise OSError("no network")

    with pytest.raises(hansproof.InputError, match=r"OSError: no network .* it failed in 10 episodes in a row, so the"):
        hansproof.run("toy-bandit", agent, retries=1)
    assert len(calls) == 20
    with pytest.raises(hansproof.InputError, match="it failed in the only episode"):
        hansproof.run("toy-bandit", agent, subset="short", count=1)


@pytest.mark.usefixtures("toy_bandit")
def test_nine_failures_in_a_row_are_unfinished_in_memory():
    calls = []

    def agent(prompt):
        calls.append(prompt)
        if len(calls) <= 9:
            raise OSError("no network")
        return "A"

    runs = hansproof.run("toy-bandit", agent, subset="short", retries=0)
    assert [bool(run.unfinished) for run in runs] == [True] * 9 + [False] * 21


@pytest.mark.usefixtures("toy_bandit")
@pytest.mark.parametrize(
    ("style", "end"),
    [
        ("zero-shot", "Which machine do you choose, A or B?"),
        ("direct", "Which machine do you choose, A or B?\n\nAnswer with A or B, and nothing else."),
        ("zero-shot-cot", 'before you choose. End with a line "Answer: ..." that gives A or B.'),
        ("step-back", 'and apply it here. End with a line "Answer: ..." that gives A or B.'),
    ],
)
def test_a_style_goes_around_each_turn(style, end):
    asked = []

    def agent(prompt):
        asked.append(prompt)
        return "B paid more than A.\nAnswer: A"

    (run,) = hansproof.run("toy-bandit", agent, subset="short", count=1, style=style)
    assert run.actions == ("A",) * 4
    assert [prompt.count("You chose A") for prompt in asked] == [0, 1, 2, 3]
    assert all(prompt.endswith(end) for prompt in asked)


@pytest.mark.usefixtures("toy_bandit")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"style": "two-turn-cot"}, "two-turn-cot does not suit toy-bandit/short: episodes ask once per action"),
        ({"style": "few-shot"}, "few-shot does not suit toy-bandit/short: episodes are played, not answered"),
        ({"style": "direkt"}, "no prompt style 'direkt'. Did you mean 'direct'"),
        ({"subset": "shorts"}, "toy-bandit has no subset 'shorts'. Did you mean 'short'"),
        ({"count": 0}, "the number of episodes must be a whole number of at least 1, not 0"),
        ({"count": "3"}, r"count is '3' \(str\); it must be a whole number, or None"),
        ({"count": 60_000}, "a run holds at most 100,000 episodes, not 120,000; ask for fewer"),
        ({"out": ""}, "the name of the file to write is empty"),
        ({"retries": -1}, "retries is -1; it must be a whole number from 0 to 100"),
        ({"workers": 0}, "workers is 0; it must be at least 1 thread"),
        ({"model": "m" * 201}, "the name of the model has 201 characters; at most 200"),
        ({"model": "a\x1b"}, "the name of the model must be printable text"),
        ({"resume": True, "force": True, "out": "x.jsonl"}, "pass one of them"),
    ],
)
def test_what_cannot_be_is_refused_before_the_agent_is_asked(options, message, there):
    with pytest.raises(hansproof.UsageError, match=message):
        hansproof.run("toy-bandit", lambda prompt: pytest.fail("was asked"), **options)
    assert list(there.iterdir()) == []


@pytest.mark.usefixtures("toy_bandit")
def test_what_is_not_played_says_what_is(agent):
    with pytest.raises(hansproof.UsageError, match=r"planted-cues is answered, not played.*played: .*toy-bandit"):
        hansproof.run("planted-cues", agent)
    with pytest.raises(hansproof.UsageError, match=r"^toy-bandits: is neither a file nor a dataset; .*toy-bandit"):
        hansproof.run("toy-bandits", agent)
    with pytest.raises(hansproof.UsageError, match=r"toy-bandit has no version '2\.0\.0'"):
        hansproof.run("toy-bandit@2.0.0", agent)
    with pytest.raises(hansproof.InputError, match="there are no items to play"):
        hansproof.run([], agent)


def test_items_of_a_file_are_played_in_its_order_and_take_no_seed(toy_bandit, there, agent):
    rows = list(items(toy_bandit, Stretch("short", 0, 4), 9))[::-1]
    (there / "games.jsonl").write_bytes(dump(rows))
    assert [run.item for run in hansproof.run("games.jsonl", agent, count=3)] == rows[:3]
    with pytest.raises(hansproof.UsageError, match=r"games\.jsonl: has items already, so a seed has no effect"):
        hansproof.run("games.jsonl", agent, seed=3)
    with pytest.raises(hansproof.UsageError, match=r"games\.jsonl has no subset 'again'"):
        hansproof.run("games.jsonl", agent, subset="again")
