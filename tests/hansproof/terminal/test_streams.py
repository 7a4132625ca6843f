"""A reader that leaves early: no noise, no lost verdict."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hansproof.terminal.streams import lasting_streams, reader_has_left, say, tell

ROOT = Path(__file__).resolve().parents[3]
PLANTED = "datasets/planted-cues/2.0.0"


def shell(line):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    program = f'hansproof() {{ "{sys.executable}" -m hansproof "$@"; }}; set -o pipefail; {line}'
    return subprocess.run(["bash", "-c", program], capture_output=True, text=True, env=environment, cwd=ROOT)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (f"verify {PLANTED} --no-regenerate", 0),
        ("list knights-knaves", 0),
        (f"audit {PLANTED}/unigram.jsonl.gz --permutations 299 --splits 2 --folds 3", 1),
        ("list no-such-family", 2),
    ],
)
def test_the_exit_code_is_that_of_the_command_even_if_nobody_reads_a_byte(command, code):
    # `true` never reads; the sleep lets it be gone before the first byte is written.
    done = shell(f"(sleep 0.3; hansproof {command}) | true")
    assert (done.returncode, "Traceback" in done.stderr, "BrokenPipe" in done.stderr) == (code, False, False)


def test_a_reader_of_both_streams_may_leave_too():
    done = shell("(sleep 0.3; hansproof list no-such-family 2>&1) | true")
    assert (done.returncode, done.stderr) == (2, "")


def test_a_release_with_a_fault_exits_1_although_head_reads_one_line(tmp_path):
    release = tmp_path / "release"
    release.mkdir()
    for file in (ROOT / PLANTED).iterdir():
        (release / file.name).write_bytes(file.read_bytes())
    (release / "added").write_text("")
    done = shell(f"hansproof verify {release} --no-regenerate | head -n 1")
    assert (done.returncode, done.stdout.count("\n")) == (1, 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which refuses every write")
def test_a_full_disk_is_one_line_and_exit_2():
    done = shell("hansproof list > /dev/full")
    message = "error: standard output: cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, message)


def test_what_drives_a_terminal_is_made_visible_on_both_streams(capsys):
    say("a\x1b[2J\u202e.json")
    tell("a\x1b[2J\u202e.json")
    assert capsys.readouterr() == ("a\\x1b[2J\\u202e.json\n",) * 2


def test_the_streams_are_put_back():
    before = sys.stdout, sys.stderr
    with lasting_streams():
        assert not reader_has_left()
    assert (sys.stdout, sys.stderr) == before
