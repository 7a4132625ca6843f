"""Hostile surroundings, each in a process of its own: streams that are closed, full, narrow or a terminal."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="these are streams as Unix has them")

ROOT = Path(__file__).resolve().parents[2]
ERASES = "x\x1b[2J\x1b[Hevery check passed\x07"


@pytest.fixture
def shell(tmp_path):
    (tmp_path / "items.jsonl").write_bytes(dump(dataset("planted-cues").item("none", 5, n) for n in range(30)))
    release = tmp_path / "release"
    release.mkdir()
    for file in (ROOT / "datasets/planted-cues/2.0.0").iterdir():
        (release / file.name).write_bytes(file.read_bytes())

    def run(line, **environment):
        program = f'hansproof() {{ "{sys.executable}" -m hansproof "$@"; }}; set -o pipefail; {line}'
        return subprocess.run(
            ["bash", "-c", program], capture_output=True, text=True, cwd=tmp_path, timeout=60,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        )  # fmt: skip

    return run


def test_a_good_release_is_good_although_head_reads_one_line(shell):
    done = shell("hansproof verify release --no-regenerate | head -1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok        checksums      25 files, 2.2 MB\n", "")


def test_a_closed_standard_output_is_one_line_and_2_and_no_file_takes_its_place(shell, tmp_path):
    done = shell("hansproof list >&-")
    assert (done.returncode, done.stderr) == (
        2,
        "error: standard output: cannot be written: it is closed; send it to a file or to /dev/null\n",
    )
    made = shell("hansproof generate planted-cues -s none -n 2 --seed 1 --out made.jsonl >&- 2>&-")
    assert (made.returncode, (tmp_path / "made.jsonl").read_bytes().count(b"\n")) == (0, 2)


def test_an_encoding_without_the_letters_gets_escapes(shell):
    done = shell("hansproof audit --list-recipes && hansproof audit ü.jsonl", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr.count("\n"), "jsonl: no such file" in done.stderr) == (2, 1, True)


@pytest.mark.slow
def test_a_file_whose_name_is_no_text_is_named_all_the_same(shell, tmp_path):
    done = shell("hansproof verify $'\\xff\\xfe'; hansproof audit $'\\xff.jsonl'")
    assert (done.returncode, done.stderr.count("error: "), done.stderr.count("\\udcff")) == (2, 2, 2)


TERMINAL = """
import os, pty, sys
pid, end = pty.fork()
if pid == 0:
    os.execv(sys.executable, [sys.executable, "-m", "hansproof", *sys.argv[1:]])
out = b""
try:
    while piece := os.read(end, 65536):
        out += piece
except OSError:
    pass
os.waitpid(pid, 0)
sys.stdout.buffer.write(out)
"""


@pytest.mark.parametrize("command", [
    ["verify", "release", "--no-regenerate"], ["audit", f"--{ERASES}"],
    ["generate", "planted-cues", "-s", "none", "-n", "1", "--seed", "1", "--out", ERASES],
])  # fmt: skip
def test_no_name_drives_a_terminal(shell, tmp_path, command):
    (tmp_path / "release" / ERASES).write_text("")
    (tmp_path / "on_a_terminal.py").write_text(TERMINAL)
    done = subprocess.run(
        [sys.executable, "on_a_terminal.py", *command], capture_output=True, cwd=tmp_path, timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"},
    )  # fmt: skip
    assert b"\x1b[2J" not in done.stdout
    assert b"\x07" not in done.stdout
    assert b"\\x1b[2J" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    ["hansproof audit - <&-", "hansproof harden - --out harder.jsonl <&-", "hansproof audit items.jsonl --train - <&-"],
)
def test_a_closed_standard_input_is_one_line(shell, line):
    done = shell(line)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: standard input is closed; pipe something into it, or name a file")
    assert done.stderr.count("\n") == 1


TWO_AT_ONCE = {
    "generate": "generate planted-cues -s none -n 400 --seed 1 --out made.jsonl",
    "prompts": "prompts items.jsonl --style direct --out made.jsonl",
    "baseline": "run games.jsonl --agent random --out made.jsonl",
    "run": "run games.jsonl --agent mine:reply --out made.jsonl",
}


@pytest.mark.slow
@pytest.mark.parametrize("command", TWO_AT_ONCE.values(), ids=TWO_AT_ONCE)
def test_of_two_runs_with_one_output_one_writes_it_whole_and_the_other_says_so(shell, tmp_path, command):
    (tmp_path / "games.jsonl").write_bytes(dump(dataset("cognitive-tasks").item("horizon", 5, n) for n in range(3)))
    (tmp_path / "mine.py").write_text("def reply(prompt):\n    return 'Answer: J'\n")
    shell(f"hansproof {command.replace('made', 'alone')}")
    both = shell(
        f"hansproof {command} 2>first & hansproof {command} 2>second; b=$?; wait $!; echo $? $b", PYTHONUTF8="1"
    )
    codes, said = sorted(both.stdout.split()[-2:]), [(tmp_path / name).read_text() for name in ("first", "second")]
    assert codes == ["0", "2"]
    # Who comes while a slow run still writes may meet its journal, or wait in vain for its end.
    told = r"error: made\.jsonl(\.\w+)?: (exists; |is being written by another process; )"
    assert sum(bool(re.search(told, text)) for text in said) == 1
    assert not any("Traceback" in text for text in said)
    assert (tmp_path / "made.jsonl").read_bytes() == (tmp_path / "alone.jsonl").read_bytes()
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_an_agent_that_closes_a_stream_is_one_line_and_2(shell, tmp_path, stream):
    (tmp_path / "closer.py").write_text(
        f"import sys\ndef reply(prompt):\n    sys.{stream}.close()\n    return 'Answer: 0'\n"
    )
    done = shell("hansproof run cognitive-tasks -s temporal-discounting -n 1 --agent closer:reply --out r.jsonl")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert done.stderr.splitlines()[-1] == (
        "error: standard output or error was closed while it was in use; let your agent leave both open"
    )
