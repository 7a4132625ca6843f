"""Replies that could not be used are kept, each with its turn and the reason, whatever else is kept."""

import json

import pytest
from click.testing import CliRunner

import hansproof
from hansproof.commands.run import run


def stubborn(prompt):
    """Names both, then nothing, then an arm; in the third turn of a game never one."""
    if prompt.count("won") == 2:
        return "I would rather not \ud800\u2028."
    if "could not be used: names no choice" in prompt:
        return "Answer: B"
    return "?" if "could not be used" in prompt else "A or B"


REJECTED = [
    {"turn": turn, "reply": reply, "reason": reason}
    for turn in (1, 2)
    for reply, reason in (("A or B", "one line names several choices: 'A', 'B'"), ("?", "names no choice"))
] + [{"turn": 3, "reply": "I would rather not ?\u2028.", "reason": "names no choice"}] * 3


@pytest.mark.parametrize("keep", [False, True])
def test_rejected_replies_stand_in_the_line_of_their_run(keep, toy_bandit, there):
    (played,) = hansproof.run("toy-bandit", stubborn, out="r.jsonl", subset="short", count=1, keep_replies=keep)
    line = json.loads((there / "r.jsonl").read_text())
    assert line["rejected"] == REJECTED
    assert (line["retries"], played.retries, line["reply"]) == (6, 6, '["B", "B"]')
    assert line.get("replies") == (["Answer: B"] * 2 if keep else None)


def test_a_run_without_rejected_replies_has_no_such_key(toy_bandit, there, agent):
    hansproof.run("toy-bandit", agent, out="r.jsonl", count=1)
    assert "rejected" not in json.loads((there / "r.jsonl").read_text().splitlines()[0])


def test_what_an_agent_raised_stands_there_without_a_reply(toy_bandit, there):
    calls = []

    def failing(prompt):
        calls.append(prompt)
        if len(calls) == 2:
            raise OSError("no network")
        return "A"

    (played,) = hansproof.run("toy-bandit", failing, out="r.jsonl", subset="short", count=1)
    (rejected,) = json.loads((there / "r.jsonl").read_text())["rejected"]
    assert (rejected["turn"], rejected["reply"]) == (2, None)
    assert rejected["reason"].startswith("the agent raised OSError: no network (test_rejected.py, line ")
    assert played.retries == 1


def test_they_survive_a_stop(toy_bandit, there):
    hansproof.run("toy-bandit", stubborn, out="whole.jsonl", subset="short", count=2)
    whole = (there / "whole.jsonl").read_bytes()
    for after in range(18):
        calls = []

        def stops(prompt, calls=calls, after=after):
            calls.append(prompt)
            if len(calls) > after:
                raise KeyboardInterrupt
            return stubborn(prompt)

        stops.__module__, stops.__qualname__ = stubborn.__module__, stubborn.__qualname__
        options = {"out": "r.jsonl", "subset": "short", "count": 2}
        with pytest.raises(KeyboardInterrupt):
            hansproof.run("toy-bandit", stops, force=True, **options)
        hansproof.run("toy-bandit", stubborn, resume=True, **options)
        assert (there / "r.jsonl").read_bytes() == whole


@pytest.mark.parametrize(
    "rejected",
    [None, "x", [1], [{}], REJECTED[:1], REJECTED * 2, [*REJECTED[:-1], REJECTED[-1] | {"turn": 4}],
     [*REJECTED[:-1], REJECTED[-1] | {"reply": 5}], [*REJECTED[:-1], REJECTED[-1] | {"more": 5}]],
)  # fmt: skip
def test_lines_in_which_they_cannot_be_are_refused(rejected, toy_bandit, there):
    hansproof.run("toy-bandit", stubborn, out="r.jsonl", subset="short", count=1)
    line = json.loads((there / "r.jsonl").read_text()) | {"rejected": rejected}
    (there / "r.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(hansproof.InputError, match=r"^r\.jsonl: line 1: (is no run|its rejected replies cannot be)"):
        hansproof.run("toy-bandit", stubborn, out="r.jsonl", subset="short", count=1, resume=True)


def test_the_file_is_scored_as_before(toy_bandit, there):
    (played,) = hansproof.run("toy-bandit", stubborn, out="r.jsonl", subset="short", count=1)
    (report,) = hansproof.score("r.jsonl", [played.item])
    assert report.outcomes[0].reading.reason == "stops after 2 of 4 visits"


def test_the_command_says_how_often_it_asked_again(toy_bandit, there):
    (there / "contrary.py").write_text(
        "def reply(prompt):\n    return 'A' if 'could not be used' in prompt else 'both'\n"
    )
    done = CliRunner().invoke(run, ["toy-bandit", "--agent", "contrary:reply", "-n", "1", "--out", "r.jsonl"])
    assert done.stderr.splitlines()[1] == "r.jsonl: 2 episodes, 8 actions; asked again 8 times"
