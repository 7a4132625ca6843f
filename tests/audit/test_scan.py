"""A folder of benchmarks: every file is tried, and a failure keeps its place."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from hansproof.audit.reading.loading import Columns, expand
from hansproof.audit.result.audit_result import Exclusion
from hansproof.audit.scale.folder import How, scan
from hansproof.audit.scale.processes import Job, in_processes
from hansproof.audit.settings import make_settings
from hansproof.generators.errors import Fault, InputError, UsageError
from hansproof.generators.jsonl import read_bytes

ITEMS = "question,label\n" + "".join(f"Is number {n} odd?,{('yes', 'no')[n % 2]}\n" for n in range(20))


def hows(folder, how=None):
    """All files of a folder, each to be audited alike."""
    return dict.fromkeys(expand(str(folder)), how or How())


def test_a_file_that_cannot_be_read_is_listed_with_its_place_and_stops_nothing(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"question": "x"}\n{"question" "y"}\n', encoding="utf-8")
    (tmp_path / "b.csv").write_text(ITEMS, encoding="utf-8")
    (tmp_path / "c.csv").write_text("only one column\n1\n", encoding="utf-8")
    outcome = scan(str(tmp_path), hows(tmp_path))
    assert [result.name for result in outcome.results] == ["b"]
    broken, without_columns = outcome.failures
    assert broken.place == f"{tmp_path}/a.jsonl: line 2 column 13"
    assert broken.reason == "broken JSON: expecting ':' delimiter"
    assert without_columns.place == f"{tmp_path}/c.csv"
    assert without_columns.reason.startswith("no column looks like the answer")


def test_a_failure_gives_the_first_fault_and_the_number_of_the_others(monkeypatch):
    def refuse(*_args, **_options):
        raise InputError.of([Fault("no prompt", "suite/a.csv: line 3"), Fault("no answer"), Fault("no answer")])

    monkeypatch.setattr("hansproof.audit.run.examine", refuse)
    (failure,) = scan("suite", {"suite/a.csv": How()}).failures
    assert (failure.place, failure.reason) == ("suite/a.csv: line 3", "no prompt (and 2 more)")


def test_a_wrong_number_of_workers_stops_the_scan_and_is_no_failure_of_a_file(tmp_path):
    (tmp_path / "b.csv").write_text(ITEMS, encoding="utf-8")
    with pytest.raises(UsageError, match="workers is -1"):
        scan(str(tmp_path), hows(tmp_path), workers=-1)


def test_options_apply_to_every_file_and_progress_says_which_one_it_is(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(ITEMS, encoding="utf-8")
    stages = []
    outcome = scan(
        str(tmp_path),
        hows(tmp_path, How(Columns(answer="label"), make_settings(seed=7))),
        progress=lambda stage, done, total: stages.append(stage),
    )
    assert [(result.name, result.settings.seed, result.mapping.guessed) for result in outcome.results] == [
        ("a", 7, ["prompt"]),
        ("b", 7, ["prompt"]),
    ]
    assert stages == ["1 of 2: reading", "2 of 2: reading"]


SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "planted-cues" / "2.0.0" / "unigram.jsonl.gz"
QUICK = make_settings(splits=1, permutations=99, folds=3)


@pytest.mark.slow
def test_processes_give_the_results_of_single_runs_in_the_order_of_the_paths(tmp_path):
    lines = read_bytes(SAMPLE).decode().splitlines(keepends=True)
    for at, name in enumerate("dbca"):
        (tmp_path / f"{name}.jsonl").write_text("".join(lines[at : at + 120 + 20 * at]), encoding="utf-8")
    done = []
    together = scan(str(tmp_path), hows(tmp_path, How(settings=QUICK)), workers=2, each=done.append)
    assert [result.name for result in together.results] == ["a", "b", "c", "d"]
    assert sorted(entry.number for entry in done) == [1, 2, 3, 4]
    for result in together.results:
        alone = scan(str(tmp_path), {result.source: How(settings=QUICK)}, workers=1).results[0]
        assert msgspec.json.encode(alone) == msgspec.json.encode(result)


def test_an_interruption_keeps_what_is_done_and_names_the_rest(tmp_path):
    for name in ("a.csv", "b.csv", "c.csv"):
        (tmp_path / name).write_text(ITEMS, encoding="utf-8")

    def interrupt(done):
        if done.number == 2:
            raise KeyboardInterrupt

    outcome = scan(str(tmp_path), hows(tmp_path), each=interrupt)
    assert [result.name for result in outcome.results] == ["a", "b"]
    assert outcome.unfinished == [f"{tmp_path}/c.csv"]


class Deadly(str):
    """A path that kills the process that receives it."""

    def __reduce__(self):
        return os._exit, (1,)


def test_a_process_that_dies_takes_one_benchmark_along_and_no_other(tmp_path):
    for name in ("a.csv", "c.csv"):
        (tmp_path / name).write_text(ITEMS, encoding="utf-8")
    files = [str(tmp_path / "a.csv"), Deadly(tmp_path / "b.csv"), str(tmp_path / "c.csv")]
    outcomes = dict(in_processes([Job(file, "x", Columns(), QUICK, 1) for file in files], 2))
    assert sorted(outcomes) == [0, 1, 2]
    assert outcomes[0].result.items == outcomes[2].result.items == 20
    assert outcomes[1].result == Exclusion(
        place=str(tmp_path / "b.csv"),
        reason="its process was killed, probably because memory ran out; audit it by itself",
    )


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("no such thing"), r"^a bug in hansproof \(ValueError: no such thing\); audit it by itself to see"),
        (MemoryError(), "^memory ran out; audit it by itself"),
    ],
)
def test_a_fault_of_our_own_in_one_file_stops_no_other(monkeypatch, tmp_path, error, said):
    from hansproof.audit import run

    def examine(file, *given, real=run.examine, **options):
        if file.endswith("a.csv"):
            raise error
        return real(file, *given, **options)

    monkeypatch.setattr(run, "examine", examine)
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(ITEMS, encoding="utf-8")
    outcome = scan(str(tmp_path), hows(tmp_path))
    assert [result.name for result in outcome.results] == ["b"]
    assert re.match(said, outcome.failures[0].reason)
    assert outcome.failures[0].place == f"{tmp_path}/a.csv"


@pytest.mark.skipif(not Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").is_file(), reason="needs /proc")
def test_processes_end_with_a_parent_that_is_killed(tmp_path):
    (tmp_path / "b.csv").write_text(ITEMS, encoding="utf-8")
    script = f"""
from hansproof.audit.reading.loading import Columns
from hansproof.audit.scale.processes import Job, in_processes
from hansproof.audit.settings import make_settings
if __name__ == "__main__":
    for _ in in_processes([Job({str(tmp_path / "b.csv")!r}, "b", Columns(), make_settings(), 1)] * 2, 1):
        input(print("done", flush=True))
"""
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE) as parent:
        assert parent.stdout.readline() == b"done\n"
        workers = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
        parent.kill()
    deadline = time.monotonic() + 120
    while any(map(_at_work, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert workers
    assert not any(map(_at_work, workers))


def _at_work(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
