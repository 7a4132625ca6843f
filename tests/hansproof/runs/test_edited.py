"""Files of a run that somebody has edited: what cannot have happened is refused, in one printable line."""

import json

import pytest

import hansproof


def altered(path, number, **changes):
    """Line `number` of a file of JSON lines, from 0, with other values."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[number] |= changes
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return path.read_text()


def refused(there, agent, match):
    before = {path: path.read_bytes() for path in there.iterdir()}
    with pytest.raises(hansproof.HansproofError, match=match) as error:
        hansproof.run("toy-bandit", agent, out="r.jsonl", subset="short", count=3, resume=True)
    assert str(error.value).isprintable()
    assert {path: path.read_bytes() for path in there.iterdir()} == before


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"retries": "x"}, "its retries cannot be"),
        ({"retries": None}, "its retries cannot be"),
        ({"retries": [1]}, "its retries cannot be"),
        ({"retries": float("nan")}, "its retries cannot be"),
        ({"retries": float("inf")}, "its retries cannot be"),
        ({"retries": True}, "its retries cannot be"),
        ({"retries": -1}, "its retries cannot be"),
        ({"retries": 11}, "its retries cannot be"),
        ({"max_retries": "2"}, "its retries cannot be|is no run"),
        ({"max_retries": 5}, "is not the run of .* with these settings; name the same items, model, style and retries"),
        ({"unfinished": 5}, "its unfinished is neither"),
        ({"unfinished": ""}, "its unfinished is neither"),
        ({"unfinished": "\x1b[31mred\nline"}, "its unfinished is neither"),
        ({"unfinished": "why"}, "its actions are not those of a run that ended in this way"),
        ({"reply": '["A", "B"]'}, "its actions are not those of a run that ended in this way"),
        ({"reply": '["A", "\\u001b[31m"]'}, r"action 2: '\\x1b\[31m' is not a legal action"),
        ({"reply": '["A", "A", "A", "A", "A"]'}, "action 5"),
        ({"reply": "[1, 2, 1, 2]"}, "its actions or replies are no list of texts"),
        ({"reply": '{"A": 1}'}, "its actions or replies are no list of texts"),
        ({"replies": "ABAB"}, "its actions or replies are no list of texts"),
        ({"replies": ["A"]}, "its actions or replies are no list of texts"),
        ({"replies": 5}, "is no run"),
        ({"reply": "[" * 100_000}, "is no run"),
    ],
)
def test_a_finished_run_that_cannot_be_is_refused(changes, message, there, agent):
    hansproof.run("toy-bandit", agent, out="r.jsonl", subset="short", count=3)
    altered(there / "r.jsonl", 1, **changes)
    refused(there, agent, rf"^r\.jsonl: line 2.*({message})")


@pytest.fixture
def stopped(there, agent):
    """A run that was stopped in its second episode."""
    calls = []

    def stops(prompt):
        calls.append(prompt)
        if len(calls) > 6:
            raise KeyboardInterrupt
        return agent(prompt)

    stops.__module__, stops.__qualname__ = agent.__module__, agent.__qualname__
    with pytest.raises(KeyboardInterrupt):
        hansproof.run("toy-bandit", stops, out="r.jsonl", subset="short", count=3)
    return there / "r.jsonl.journal"


@pytest.mark.parametrize(
    "changes",
    [
        {"episode": -1},
        {"episode": 3},
        {"episode": True},
        {"retries": -1},
        {"retries": 3},
        {"retries": True},
        {"action": 5},
        {"action": None},
        {"end": "both"},
        {"action": None, "end": ""},
        {"action": None, "end": "\x1b[31mred\nline"},
        {"reply": "kept, though replies are not"},
    ],
)
def test_a_record_of_the_journal_that_cannot_be_is_refused(changes, stopped, there, agent):
    altered(stopped, 6, **changes)
    refused(there, agent, r"^r\.jsonl\.journal: line 7: is no action of this run; remove the journal")


def test_an_illegal_action_in_the_journal_is_refused(stopped, there, agent):
    altered(stopped, 6, action="\x1b[31m")
    refused(there, agent, r"000001: action 2: '\\x1b\[31m' is not a legal action")


ENDED = '{"episode": 0, "end": "why", "retries": 0, "rejected": [{"turn": 5, "reply": "?", "reason": "why"}]}\n'


def test_an_end_that_follows_the_last_action_is_passed_over(stopped, there, agent):
    finished = (there / "r.jsonl").read_bytes()
    (there / "r.jsonl").write_bytes(b"")
    stopped.write_text(stopped.read_text() + ENDED)
    runs = hansproof.run("toy-bandit", agent, out="r.jsonl", subset="short", count=3, resume=True)
    assert (runs[0].unfinished, len(runs[0].actions)) == ("", 4)
    assert (there / "r.jsonl").read_bytes().startswith(finished)
