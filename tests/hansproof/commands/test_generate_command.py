"""`hansproof generate` and `hansproof list`: data on standard output, talk on standard error, one line an error."""

import json
import os
import pty
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from hansproof.command_line import COMMANDS, command_line
from hansproof.commands.generate import generate as command
from hansproof.generators import registry
from hansproof.generators.dataset import Dataset, Subset
from hansproof.generators.jsonl import dump, read
from hansproof.generators.planted_cues.dataset import generate
from hansproof.generators.planted_cues.design import SUBSETS, VERSION
from hansproof.generators.registry import dataset
from hansproof.terminal import streams

ROOT = Path(__file__).resolve().parents[3]
PLACES = {"generate": "hansproof.commands.generate:generate", "list": "hansproof.commands.list:list_"}
SCRIPT = f"""
from hansproof.command_line import COMMANDS, main
COMMANDS |= {PLACES}
if __name__ == "__main__":
    main()
"""


@pytest.fixture(autouse=True)
def _in_the_table(monkeypatch):
    for name, place in PLACES.items():
        monkeypatch.setitem(COMMANDS, name, place)


def run(*arguments):
    return CliRunner().invoke(command_line(), [str(argument) for argument in arguments])


def shell(text, **options):
    """A real shell line; `generate` is the command in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHON": sys.executable, "SCRIPT": SCRIPT}
    line = f'set -o pipefail; generate() {{ "$PYTHON" -c "$SCRIPT" generate "$@"; }}; {text}'
    return subprocess.run(["bash", "-c", line], capture_output=True, env=environment, check=False, **options)


def test_lines_go_to_standard_output_and_nothing_else_does():
    done = run("generate", "planted-cues", "-s", "none", "-s", "length", "--seed", 7, "-n", 3)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout_bytes == dump(generate("none", 7, 3)) + dump(generate("length", 7, 3))


def test_all_subsets_in_order_where_none_is_named():
    done = run("generate", "planted-cues", "--seed", 7, "-n", 2, "--start", 5)
    assert done.stdout_bytes == b"".join(dump(generate(name, 7, 2, start=5)) for name in SUBSETS)


def test_without_a_seed_a_fresh_one_is_told_and_makes_the_same_items_again():
    first, second = (run("generate", "planted-cues", "-n", 2) for _ in range(2))
    told = r"private seed: (\d+) \(keep it: --seed \1 makes the same items again\)\n"
    seeds = [int(re.match(told, done.stderr)[1]) for done in (first, second)]
    assert seeds[0] != seeds[1]
    assert first.stdout_bytes != second.stdout_bytes
    again = run("generate", "planted-cues", "-n", 2, "--seed", seeds[0])
    assert (again.stdout_bytes, again.stderr) == (first.stdout_bytes, "")
    assert json.loads(first.stdout.splitlines()[0])["metadata"]["seed"] == seeds[0]


@pytest.mark.parametrize("seed", [0, -5, 2**63 - 1, -(2**63)])
def test_every_64_bit_integer_is_a_seed(seed):
    done = run("generate", "planted-cues", "-s", "none", "-n", 1, "--seed", seed)
    assert done.stdout_bytes == dump(generate("none", seed, 1))


def test_a_file_is_written_whole_and_its_digest_told(tmp_path):
    path = tmp_path / "items.jsonl"
    done = run("generate", "planted-cues", "--seed", 7, "-n", 4, "--out", path)
    assert (done.exit_code, done.stdout) == (0, "")
    assert [item.id for item in read(path)] == [
        f"planted-cues/{VERSION}/{name}/{i:06d}" for name in SUBSETS for i in range(4)
    ]
    data = path.read_bytes()
    assert done.stderr == f"{path}: {4 * len(SUBSETS)} items, {len(data):,} bytes, sha256 {sha256(data).hexdigest()}\n"


def test_a_file_is_only_overwritten_with_force(tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text("old")
    arguments = ("generate", "planted-cues", "-s", "none", "--seed", 7, "-n", 1, "--out", path)
    refused = run(*arguments)
    assert (refused.exit_code, path.read_text()) == (2, "old")
    assert refused.stderr == f"error: {path}: exists; pass --force to overwrite it, or name another file\n"
    assert run(*arguments, "--force").exit_code == 0
    assert path.read_bytes() == dump(generate("none", 7, 1))


def test_cat_of_the_shards_is_the_whole(tmp_path):
    kinds = ("-s", "none", "-s", "length", "-s", "duplicates")
    common = ("generate", "planted-cues", *kinds, "--seed", 7, "-n", 7)  # 21 items
    parts = [run(*common, "--shard", f"{i}/4").stdout_bytes for i in range(1, 5)]
    assert [part.count(b"\n") for part in parts] == [5, 5, 5, 6]
    assert b"".join(parts) == run(*common).stdout_bytes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("planted-cue", "-n", 3), r"error: there is no dataset 'planted-cue'\. Did you mean 'planted-cues'\? Known"),
        (("planted-cues", "-n", 3, "-s", "unigrams"), r"error: .* no subset 'unigrams'\. Did you mean 'unigram'\? "),
        (("planted-cues", "-n", 0), r"error: the number of items must be at least 1, not 0$"),
        (("planted-cues", "-n", -1), r"error: the number of items must be at least 1, not -1$"),
        (("planted-cues", "-n", 1, "--start", -1), r"error: the first index must be at least 0, not -1$"),
        (("planted-cues", "-n", 1, "--seed", 2**63), r"error: the seed 9223372036854775808 does not fit into 64 bits$"),
        (("planted-cues", "-n", 1, "--workers", -1), r"error: --workers is -1; it must be a number of processes"),
        (
            ("planted-cues", "-n", 1, "--seed", 7, "--shard", "0/4"),
            r"error: --shard is 0/4; shards run from 1/K to K/K",
        ),
        (
            ("planted-cues", "-n", 1, "--seed", 7, "--shard", "5/4"),
            r"error: --shard is 5/4; shards run from 1/K to K/K",
        ),
        (
            ("planted-cues", "-n", 1, "--seed", 7, "--shard", "1/0"),
            r"error: --shard is 1/0; shards run from 1/K to K/K",
        ),
        (("planted-cues", "-n", 1, "--seed", 7, "--shard", "2-4"), r"error: --shard is '2-4'; it must be I/K, "),
        (("planted-cues", "-n", 1, "--shard", "1/4"), r"error: --shard needs --seed: "),
        (("planted-cues", "-n", 1, "--out", "no/such/a.jsonl"), r"error: no/such/a\.jsonl: its folder does not exist"),
    ],
)
def test_what_cannot_be_made_is_told_in_one_line(arguments, message):
    done = run("generate", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert re.match(message, done.stderr.rstrip("\n")), done.stderr
    assert done.stderr.count("\n") == 1


def test_a_subset_with_few_items_says_so(monkeypatch):
    planted = dataset("planted-cues")
    few = {"none": Subset(2, "few", limit=2), "length": Subset(2, "many")}
    monkeypatch.setattr(registry, "dataset", lambda name: Dataset(**{**vars(planted), "subsets": few}))
    done = run("generate", "planted-cues", "-n", 3, "--seed", 7)
    assert done.stdout_bytes == dump(generate("none", 7, 2)) + dump(generate("length", 7, 3))
    assert done.stderr == "note: fewer than 3 items exist in none; all of them are written\n"
    named = run("generate", "planted-cues", "-n", 3, "--seed", 7, "-s", "none")
    assert (named.exit_code, named.stdout) == (2, "")
    assert "planted-cues/none has only 2 different items" in named.stderr


def test_a_reader_that_has_enough_ends_it_quietly():
    done = shell("generate planted-cues -n 20000 --seed 7 | head -n 1", timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == dump(generate("none", 7, 1))
    workers = shell("generate planted-cues -n 20000 --seed 7 --workers 2 | head -n 1", timeout=60)
    assert (workers.returncode, workers.stderr, workers.stdout) == (0, b"", done.stdout)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which refuses every write")
def test_a_full_disk_is_told_in_one_line():
    done = shell("generate planted-cues -n 200 --seed 7 > /dev/full", timeout=60)
    assert done.returncode == 2
    assert done.stderr == b"error: standard output: cannot be written: No space left on device\n"


def test_workers_give_the_bytes_of_one(tmp_path):
    line = "generate planted-cues -n 90 --seed 7 --workers {} | sha256sum"
    digests = {shell(line.format(workers), timeout=60).stdout for workers in (1, 2)}
    expected = sha256(b"".join(dump(generate(name, 7, 90)) for name in SUBSETS)).hexdigest()
    assert digests == {f"{expected}  -\n".encode()}


def terminal(*arguments, patience):
    """Runs the command with standard error on a terminal; what it drew there."""
    ours, theirs = pty.openpty()
    script = f"from hansproof.terminal import streams\nstreams._PATIENCE = {patience}\n{SCRIPT}"
    command = [sys.executable, "-c", script, "generate", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100"}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, env=environment, check=True, timeout=60)
    os.close(theirs)
    drawn = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # what Linux answers once the other end is closed
            piece = b""
        if not piece:
            break
        drawn += piece
    os.close(ours)
    return done.stdout, drawn.decode()


def test_a_bar_is_drawn_on_a_terminal_only_when_it_takes_long():
    arguments = ("planted-cues", "-s", "none", "-s", "length", "-n", "150", "--seed", "7")
    data, drawn = terminal(*arguments, patience=0)
    assert "planted-cues" in drawn
    assert "/300" in drawn
    again, silent = terminal(*arguments, patience=3600)
    assert silent == ""
    assert data == again == b"".join(dump(generate(name, 7, 150)) for name in ("none", "length"))
    assert streams._PATIENCE == 1.0


def test_help_is_quick_because_it_imports_nothing_heavy():
    script = (
        "import sys; import hansproof.commands.generate; print(*(sys.modules.keys() & {'rich', 'numpy', 'hashlib'}))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == ""
    shown = CliRunner().invoke(command, ["--help"], prog_name="hansproof generate").stdout
    assert "hansproof generate knights-knaves -n 500 --seed 7" in shown


@pytest.mark.parametrize(
    ("more", "remedy"),
    [(["-n", "41"], "-n 42"), (["-n", "4", "--start", "3"], "--start and -n in multiples of 2"), (["-n", "40"], "")],
)
def test_matched_items_that_are_parted_are_named(more, remedy):
    arguments = ["generate", "word-problems", "--subset", "consistency", "--seed", "7", *more]
    done = CliRunner().invoke(command_line(), arguments)
    assert done.exit_code == 0
    said = f"is cut in consistency (2 items a group); to keep groups whole, use {remedy}\n"
    assert (said in done.stderr, "cut in" in done.stderr) == (bool(remedy),) * 2
