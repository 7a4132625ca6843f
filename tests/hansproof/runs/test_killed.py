"""Processes that are killed, interrupted, or meet another one at the same file."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hansproof

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = """
import sys, time
from hansproof.generators import registry
registry.MODULES["toy-bandit"] = "toy_bandit.dataset"
from hansproof.__main__ import main
main()
"""
MINE = """
import time
from pathlib import Path
def reply(prompt):
    return "B" if prompt.count("won") % 2 else "A"
def gated(prompt):
    while "game 7:" in prompt and not Path("go").exists():
        time.sleep(0.01)
    return reply(prompt)
def stuck(prompt):
    time.sleep(600)
"""


def started(there, agent, *options):
    (there / "mine.py").write_text(MINE)
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests' / 'toy'}"}
    command = [sys.executable, "-c", SCRIPT, "run", "toy-bandit", "--agent", f"mine:{agent}", "--out", "r.jsonl"]
    return subprocess.Popen(
        [*command, *options], cwd=there, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def wait_for(path, size):
    until = time.monotonic() + 30
    while not (path.exists() and path.stat().st_size > size):
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.slow
def test_a_killed_process_goes_on_and_a_second_one_waits_outside(there, toy_bandit):
    first = started(there, "gated", "--workers", "3")
    wait_for(there / "r.jsonl", 1500)
    second = started(there, "gated", "--resume")
    _, said = second.communicate(timeout=60)
    assert (second.returncode, said) == (
        2,
        "error: r.jsonl: is being written by another process; wait for it, or name another file\n",
    )
    first.send_signal(signal.SIGKILL)
    first.communicate(timeout=60)
    (there / "go").touch()
    third = started(there, "gated", "--resume", "--workers", "3")
    out, said = third.communicate(timeout=60)
    left, played = said.splitlines()
    assert (third.returncode, out, played) == (0, "", "r.jsonl: 50 episodes, 200 actions")
    assert re.fullmatch(r"r\.jsonl: \d+ of 50 episodes left to play, about \d+ model calls \(\d+ made\)", left)
    runs = hansproof.run("toy-bandit", lambda prompt: "B" if prompt.count("won") % 2 else "A", model="mine:gated")
    expected = [json.dumps(run.actions) for run in runs]
    assert [json.loads(line)["reply"] for line in (there / "r.jsonl").read_text().splitlines()] == expected
    assert not [path for path in there.iterdir() if "journal" in path.name or "lock" in path.name]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_leaves_at_once_though_the_agent_waits(there, workers, toy_bandit):
    running = started(there, "stuck", "--workers", workers)
    wait_for(there / "r.jsonl.journal", 10)
    time.sleep(0.3)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=20)
    assert running.returncode == 130
    assert said.splitlines()[1] == "r.jsonl: stopped; the same command with --resume goes on"
