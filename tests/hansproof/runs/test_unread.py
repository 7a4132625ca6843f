"""Replies that nobody can read: how loudly a run says so."""

import pytest
from click.testing import CliRunner

from hansproof.commands.run import run

MINE = """
def never(prompt): return "A or B"
def seldom(prompt): return "A or B" if "game 3:" in prompt else "A"
def always(prompt): return "A"
"""


@pytest.mark.parametrize(
    ("agent", "code", "warned"),
    [
        ("never", 1, "warning: 6 of 6 episodes are unfinished (100%)"),
        ("seldom", 0, "warning: 1 of 6"),
        ("always", 0, ""),
    ],
)
def test_a_run_in_which_nothing_was_finished_exits_with_1_and_more_than_a_few_are_warned_of(
    there, monkeypatch, agent, code, warned
):
    monkeypatch.syspath_prepend(there)
    (there / "unread_mine.py").write_text(MINE)
    command = ["toy-bandit", "--agent", f"unread_mine:{agent}", "-s", "short", "-n", "6", "-o", f"{agent}.jsonl"]
    result = CliRunner().invoke(run, command)
    assert result.exit_code == code
    assert warned in result.stderr
    assert ("warning" in result.stderr) is bool(warned)
