"""Hostile cases over every command and public function: one clear line, the right exit code, nothing touched."""

from collections import Counter
from pathlib import Path

import pytest
from hostile.case import MEGABYTES, SECONDS, Case, Outcome, faults, files_of, ran
from hostile.cases import cases
from hostile.damage import COUNT, KINDS, OFTEN
from hostile.signals import COMMANDS as COMMANDS_THAT_WRITE
from hostile.world import build

from hansproof.command_line import COMMANDS

ALL = list(cases())
TRIED = ALL[::3]
"""Every third; `python tests/toy/hostile/hostile_cases.py` tries all of them, and more."""


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    build(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted({case.kind for case in ALL}))
def test_every_hostile_case_is_answered_in_one_clear_line(kind, world, monkeypatch):
    monkeypatch.chdir(world)
    monkeypatch.syspath_prepend(world)
    monkeypatch.setattr("sys.dont_write_bytecode", True)  # Python's own traces of the agent in that folder
    wrong = {}
    before = files_of(world)
    for case in TRIED:
        if case.kind == kind:
            outcome = ran(case)
            after = files_of(world)
            said = faults(case, outcome, before, after)
            if said:
                wrong[case.name] = said, outcome.err[-300:]
            before = after
    assert wrong == {}


def test_there_are_hundreds_of_cases_over_every_command_and_no_two_are_the_same():
    assert len(TRIED) >= 400
    assert {case.arguments[0] for case in TRIED if case.arguments} >= set(COMMANDS)
    assert max(Counter((case.kind, case.name) for case in ALL).values()) == 1


RELIABILITY = (Path(__file__).resolve().parents[2] / "docs" / "reliability.md").read_text(encoding="utf-8")
ROWS = {
    "path": "files, folders and addresses", "content": "contents: ", "output": "places to write",
    "name": "unknown names", "number": "numbers out of range", "call": "Python calls",
}  # fmt: skip


def counts_of(start):
    row = next(line for line in RELIABILITY.splitlines() if line.startswith(f"| {start}"))
    return [int(cell.replace(",", "")) for cell in row.strip("| ").split(" | ")[-2:]]


def test_the_readme_says_how_many_cases_are_tried():
    assert set(ROWS) == {case.kind for case in ALL}
    for kind, start in ROWS.items():
        assert counts_of(start) == [sum(case.kind == kind for case in some) for some in (TRIED, ALL)], kind
    assert counts_of("damaged benchmarks") == [len(KINDS) * COUNT, len(KINDS) * OFTEN]
    assert "Six commands that write" in RELIABILITY
    assert len(COMMANDS_THAT_WRITE) == 6
    assert f"within {SECONDS:.0f} s and {MEGABYTES} MB" in RELIABILITY


CASE = Case("path", "score: missing", ("score", "gone", "--items", "items.jsonl"))
RIGHT = Outcome(2, "", "error: gone: cannot be read: No such file or directory\n", 0.1, 1.0)


@pytest.mark.parametrize(
    ("outcome", "after", "said"),
    [
        (RIGHT, {}, []),
        (Outcome(1, "", "error: x\n", 0.1, 1.0), {}, ["exit code 1, not [2]"]),
        (Outcome(2, "", "", 0.1, 1.0), {}, ["says no error"]),
        (Outcome(2, "", "error: x\x1b[2J\n", 0.1, 1.0), {}, ["drives the terminal: 'error: x\\x1b[2J'"]),
        (Outcome(2, "", "Traceback (most\nerror: x\n", 0.1, 1.0), {}, ["a traceback, or a fault of ours: error: x"]),
        (Outcome(2, "rows", "error: x\n", 0.1, 1.0), {}, ["prints 'rows' although it fails"]),
        (Outcome(2, "", "error: x\n", 21.0, 1.0), {}, ["took 21.0 s"]),
        (Outcome(2, "", "error: x\n", 0.1, 700.0), {}, ["grew by 700 MB"]),
        (Outcome(2, "", "error: x\n" * 24, 0.1, 1.0), {}, ["24 lines of talk"]),
        (RIGHT, {"a": "2"}, ["changed ['a']"]),
        (RIGHT, {"a": "1", "b": ""}, ["left ['b']"]),
    ],
)
def test_each_thing_that_can_be_wrong_is_seen(outcome, after, said):
    assert faults(CASE, outcome, {"a": "1"}, {"a": "1"} | after) == said
