import pickle

import pytest

from hansproof.generators.errors import (
    DownloadError,
    Fault,
    HansproofError,
    InputError,
    UsageError,
    near_miss,
    told,
    unknown,
)


def test_an_error_is_its_place_and_its_reason():
    error = InputError("its answer is empty; fill it in", "bench.jsonl: line 8")
    assert str(error) == "bench.jsonl: line 8: its answer is empty; fill it in"
    assert (error.place, error.reason) == ("bench.jsonl: line 8", "its answer is empty; fill it in")
    assert str(UsageError("name a file")) == "name a file"


def test_an_error_of_many_faults_lists_twenty_and_counts_the_rest():
    error = InputError.of([Fault("is blank", f"line {number}") for number in range(1, 24)])
    lines = str(error).splitlines()
    assert lines[0] == "line 1: is blank"
    assert lines[19] == "line 20: is blank"
    assert lines[20:] == ["... and 3 more (23 faults in all)"]
    assert len(error.faults) == 23


@pytest.mark.parametrize("kind", [HansproofError, InputError, DownloadError])
def test_a_worker_process_hands_over_every_fault(kind):
    error = kind.of([Fault("is blank", "line 1"), Fault("is torn", "line 2")])
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert again.faults == error.faults


def test_an_unknown_name_is_answered_with_its_near_miss_and_what_there_is():
    error = unknown("dataset", "knight-knaves", ["planted-cues", "knights-knaves"])
    assert isinstance(error, UsageError)
    assert str(error) == (
        "there is no dataset 'knight-knaves'. Did you mean 'knights-knaves'? Known: planted-cues, knights-knaves"
    )
    assert str(unknown("subset", "x", [], within="mine")) == "mine has no subset 'x'. None is known"


def test_a_long_list_of_known_names_is_cut():
    assert str(unknown("subset", "?", [f"s{n}" for n in range(23)])).endswith("s18, s19 and 3 more")


def test_a_near_miss_ignores_upper_and_lower_case():
    assert near_miss("LABEL", ["Label", "text"]) == " Did you mean 'Label'?"
    assert near_miss("quite different", ["Label", "text"]) == ""


def test_a_fault_is_one_printable_line_whatever_its_place_is_called():
    assert str(UsageError("no \u202etxt", "\x1b[31m\n.csv")) == r"\x1b[31m\n.csv: no \u202etxt"


def test_a_very_long_fault_keeps_its_beginning_and_its_end():
    line = str(UsageError("a" * 5000 + " is the end", "bench.csv"))
    assert line.startswith("bench.csv: aaa")
    assert line.endswith("a is the end")
    assert len(line) < 1000


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ImportError("_sobol.so: failed to map segment from shared object"), "memory ran out; use a smaller file"),
        (RuntimeError("can't start new thread"), "memory ran out; use a smaller file"),
        (ValueError("I/O operation on closed file."), "standard output or error was closed while it was in use"),
        (OverflowError("int too large to convert to float"), "a number has more than 308 digits"),
    ],
)
def test_what_the_system_raises_deep_inside_is_one_line(error, said):
    assert str(told(error)).startswith(said)


@pytest.mark.parametrize(
    "error",
    [
        ImportError("No module named 'x'"), RuntimeError("no"), ValueError("no"), OverflowError("math range error"),
        OverflowError("Python int too large to convert to C long"),
    ],
)  # fmt: skip
def test_a_fault_of_our_own_keeps_its_traceback(error):
    assert told(error) is None
