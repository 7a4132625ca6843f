"""Ctrl-C from the first moment on: one line and 130, whatever is being loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals between processes")

ROOT = Path(__file__).resolve().parents[2]
INTERRUPTED = """
import os, runpy, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == where:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

where = sys.argv.pop()
sys.argv.append("--version")
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupting())
try:
    runpy.run_module("hansproof", run_name="__main__", alter_sys=True)
finally:
    # Whoever is in a hurry at the very end is not shown what Python had still to do.
    if where == "end":
        os.kill(os.getpid(), signal.SIGINT)
"""


def run(where, **more):
    # A shell in the background ignores Ctrl-C, and so would what it starts.
    return subprocess.run(
        [sys.executable, "-c", INTERRUPTED, where],
        capture_output=True, text=True, timeout=60, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    "module",
    ["hansproof.command_line", "click", "click.core", "hansproof.generators.errors", "hansproof.terminal.streams"],
)
def test_an_interruption_while_modules_are_loaded_is_one_line_and_130(module):
    done = run(module)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_an_interruption_when_all_is_said_is_no_traceback():
    done = run("end")
    assert (done.returncode, done.stdout[:10], done.stderr) == (-2, "hansproof,", "")


def test_without_arguments_the_help_is_printed_as_it_is_read():
    done = subprocess.run(
        [sys.executable, "-m", "hansproof"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.startswith("Usage: hansproof [OPTIONS] COMMAND [ARGS]...\n\n")
