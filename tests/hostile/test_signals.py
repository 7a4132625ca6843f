"""SIGTERM at every moment of a command that writes: all or nothing, 130, one line; the next run makes it whole."""

import signal
import sys
from pathlib import Path

import pytest

from benchmarks.hostile.signals import moments, stopped
from benchmarks.hostile.world import build

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without asking")

ROOT = Path(__file__).resolve().parents[2]
QUICK = ("--splits", "2", "--permutations", "199", "--workers", "1", "--no-cache", "--quiet")
COMMANDS = {
    "audit": ("audit", "items.jsonl", *QUICK, "--json", "out/a.json", "--html", "out/a.html", "--items", "out/i.jsonl"),
    "generate": ("generate", "planted-cues", "-s", "none", "-n", "30", "--seed", "1", "--out", "out/g.jsonl"),
    "release": ("release", "toy-bandit", "--version", "1.0.0", "--out", "out", "--cards", "out/cards"),
    "download": ("download", "knights-knaves@1.0.0", "--from", "local", "--cache", "out/cache", "--to", "out/copy"),
    "export": ("export", "items.jsonl", "--to", "inspect", "--out", "out/new"),
    "harden": ("harden", "items.jsonl", *QUICK[:-1], "--partial", "--out", "out/h.jsonl", "--removed", "out/r.jsonl"),
}
"""Command -> what is typed."""
WHOLE = {"export": "", "release": "toy-bandit/"}
"""Commands whose files below a folder come all at once."""


@pytest.fixture
def here(tmp_path, monkeypatch, toy_bandit):
    build(tmp_path)
    monkeypatch.chdir(tmp_path)
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield tmp_path
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def commands(here):
    # A release that the index knows, from a folder; planted-cues 1.0.0 is the smallest.
    swapped = {"knights-knaves@1.0.0": "planted-cues@1.0.0", "local": str(ROOT / "datasets")}
    return {name: tuple(swapped.get(part, part) for part in typed) for name, typed in COMMANDS.items()}


@pytest.mark.parametrize(("name", "tried"), [("audit", 3), ("generate", 99), ("release", 12), ("download", 20),
                                             ("export", 99), ("harden", 1)])  # fmt: skip
def test_a_command_that_is_asked_to_end_leaves_nothing_half_done(here, commands, name, tried):
    out = here / "out"
    moments(commands[name], out)  # the first run compiles
    many, whole, code = moments(commands[name], out)
    assert code != 2
    assert many >= 7
    places = range(0, many, max(1, many // tried))
    for place in places:
        left = stopped(commands[name], out, place)
        assert (left.code, left.err.splitlines()[-1:]) == (130, ["interrupted"]), (place, left.err)
        assert "Traceback" not in left.err
        assert left.parts == [], place
        done = {file: data for file, data in left.left.items() if ".part/" not in file}
        assert {file: data for file, data in done.items() if data != whole[file]} == {}, place
        if name in WHOLE:
            ours = [file for file in whole if file.startswith(WHOLE[name])]
            assert sum(file in done for file in ours) in (0, len(ours)), (place, sorted(done))
        if name == "release" and any(file.startswith("toy-bandit/") for file in done):
            assert "is frozen; --card-only writes its card" in left.err
        elif name == "release":
            assert "was not frozen" in left.err
    assert {path.name for path in here.glob(".*")} == set()
    stopped(commands[name], out, -1)
    assert {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()} == set(whole)
