"""Agents that fail: what comes of the episode, and what a person is told."""

import json
from unittest.mock import MagicMock

import pytest
from click.testing import CliRunner

import hansproof
from hansproof.commands.run import run
from hansproof.generators.errors import HansproofError

MINE = """
class Halt(BaseException): pass
class Mute(Exception):
    def __str__(self): raise RuntimeError("nested")
class Text(str):
    def strip(self, *_): raise RuntimeError("evil")
    def splitlines(self, *_): raise RuntimeError("evil")
    def __len__(self): raise RuntimeError("evil")
    def __format__(self, _): raise RuntimeError("evil")
class Loud(Exception):
    def __str__(self): return Text("loud")
def halt(prompt): raise Halt("now")
def close(prompt): raise GeneratorExit
def mute(prompt): raise Mute
def loud(prompt): raise Loud
def text(prompt): return Text("A")
"""


def failing(agent, *games):
    """Like `agent`, but without a network in some games, by their numbers."""

    def fails(prompt):
        if any(f"game {game}:" in prompt and prompt.count("won") == 2 for game in games):
            raise OSError("no network")
        return agent(prompt)

    fails.__module__, fails.__qualname__ = agent.__module__, agent.__qualname__
    return fails


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("games", [(5,), (0, 2), (4, 5)])
def test_an_episode_in_which_the_agent_failed_stays_open_and_the_others_are_played(games, workers, there, agent):
    options = {"subset": "short", "count": 6, "out": "r.jsonl", "workers": workers}
    hansproof.run("toy-bandit", agent, **options)
    whole = (there / "r.jsonl").read_bytes()
    many = "one episode is" if len(games) == 1 else "2 episodes are"
    with pytest.raises(hansproof.InputError, match=f"/00000{games[0]}: .*OSError: no network.*{many} open for this"):
        hansproof.run("toy-bandit", failing(agent, *games), force=True, **options)
    assert (there / "r.jsonl").read_bytes() == b"".join(whole.splitlines(keepends=True)[: games[0]])
    asked = []

    def counting(prompt):
        asked.append(prompt)
        return agent(prompt)

    counting.__module__, counting.__qualname__ = agent.__module__, agent.__qualname__
    hansproof.run("toy-bandit", counting, resume=True, **options)
    assert (len(asked), (there / "r.jsonl").read_bytes()) == (2 * len(games), whole)
    assert [path.name for path in there.iterdir()] == ["r.jsonl"]


def test_failures_that_are_accepted_are_unfinished_and_what_others_said_stays(there, agent):
    options = {"subset": "short", "count": 6, "out": "r.jsonl"}
    with pytest.raises(hansproof.InputError, match="2 episodes are open"):
        hansproof.run("toy-bandit", failing(agent, 0, 2), **options)
    runs = hansproof.run("toy-bandit", failing(agent, 2), resume=True, accept_failures=True, **options)
    assert [len(run.actions) for run in runs] == [4, 4, 2, 4, 4, 4]
    lines = [json.loads(line) for line in (there / "r.jsonl").read_bytes().splitlines()]
    assert [bool(line["unfinished"]) for line in lines] == [False, False, True, False, False, False]
    assert lines[2]["unfinished"].startswith("the agent raised OSError: no network")


def test_an_outage_is_not_accepted(there, agent):
    with pytest.raises(hansproof.InputError, match="failed in 10 episodes in a row"):
        hansproof.run("toy-bandit", failing(agent, *range(3, 20)), subset="short", out="r.jsonl", accept_failures=True)
    assert len((there / "r.jsonl").read_bytes().splitlines()) == 3


@pytest.mark.usefixtures("toy_bandit")
def test_a_mock_of_a_text_is_no_text():
    with pytest.raises(hansproof.InputError, match="the agent returned MagicMock, not a text"):
        hansproof.run("toy-bandit", lambda prompt: MagicMock(spec=str), subset="short", count=1)


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("halt", r"r.jsonl: the agent raised Halt: now \(faulty.py, line [0-9]+\), which ends a run at once; "),
        ("close", r"r.jsonl: the agent raised GeneratorExit \(faulty.py, line [0-9]+\), which ends a run at once; "),
        ("mute", r"the agent raised Mute \(faulty.py, line [0-9]+\)"),
        ("loud", r"the agent raised Loud: loud \(faulty.py, line [0-9]+\)"),
    ],
)
def test_whatever_an_agent_raises_is_one_clear_line(name, message, workers, there):
    (there / "faulty.py").write_text(MINE)
    arguments = ["toy-bandit", "--agent", f"faulty:{name}", "-n", "1", "--out", "r.jsonl", "--workers", workers]
    with pytest.raises(HansproofError, match=message) as refused:
        CliRunner(catch_exceptions=False).invoke(run, arguments)
    assert "\n" not in str(refused.value)


def test_a_text_of_a_class_of_its_own_is_read_as_plain_text(there):
    (there / "faulty.py").write_text(MINE)
    done = CliRunner().invoke(run, ["toy-bandit", "--agent", "faulty:text", "-n", "1", "--out", "r.jsonl"])
    assert (done.exit_code, done.stderr) == (
        0,
        "r.jsonl: 2 episodes to play, about 8 model calls\nr.jsonl: 2 episodes, 8 actions\n",
    )
