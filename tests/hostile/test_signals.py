"""SIGTERM at every moment of a command that writes: all or nothing, 130, one line; the next run makes it whole."""

import signal
import sys
from pathlib import Path

import pytest
from hostile.signals import COMMANDS, moments, stopped
from hostile.world import build

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without asking")

ROOT = Path(__file__).resolve().parents[2]
WHOLE = {"export": "", "release": "toy-bandit/"}
"""Commands whose files below a folder come all at once."""


@pytest.fixture
def here(tmp_path, monkeypatch, toy_bandit):
    build(tmp_path)
    monkeypatch.chdir(tmp_path)
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield tmp_path
    signal.signal(signal.SIGTERM, before)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "tried"), [("audit", 3), ("generate", 99), ("release", 12), ("download", 20),
                                             ("export", 99), ("harden", 1)])  # fmt: skip
def test_a_command_that_is_asked_to_end_leaves_nothing_half_done(here, name, tried):
    out = here / "out"
    command = tuple(part.replace("DATASETS", str(ROOT / "datasets")) for part in COMMANDS[name])
    moments(command, out)  # the first run compiles
    many, whole, code = moments(command, out)
    assert code != 2
    assert many >= 7
    places = range(0, many, max(1, many // tried) | 1)  # odd: moments before and after a move take turns
    for place in places:
        left = stopped(command, out, place)
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
    if tried < 4:  # long work: what is whole, the parts above have shown
        return
    stopped(command, out, -1)
    assert {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()} == set(whole)
