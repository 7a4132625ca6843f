"""A folder from the command line: a line for each benchmark, and an interruption that loses nothing."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hansproof.audit.result.audit_result import Exclusion
from hansproof.audit.run import audit
from hansproof.audit.scale.folder import Done
from hansproof.auditing.running import line_of
from hansproof.generators.jsonl import read_bytes

UNIGRAM = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "2.0.0" / "unigram.jsonl.gz"
QUICK = ["--permutations", "99", "--splits", "1", "--folds", "3"]


def test_a_line_says_what_came_of_a_benchmark_and_how_long_it_took():
    result = audit([{"prompt": "a", "answer": "b"}] * 3)
    assert line_of(Done("pairs", result, 1.25, 3, 12)) == "[ 3/12] NOT ASSESSED      1.2 s  pairs"
    assert line_of(Done("pairs", result, None, 3, 12)) == "[ 3/12] NOT ASSESSED     cached  pairs"
    failed = Exclusion(place="a\x1b.csv", reason="no prompt")
    assert line_of(Done("a\x1b", failed, 0.0, 1, 1)) == "[1/1] FAILED            0.0 s  a\\x1b"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process group")
def test_an_interrupted_folder_reports_what_is_done_and_the_next_run_goes_on(tmp_path):
    folder = tmp_path / "suite"
    folder.mkdir()
    lines = read_bytes(UNIGRAM).decode().splitlines(keepends=True)
    for at, name in enumerate("abcde"):
        (folder / f"{name}.jsonl").write_text("".join(lines[at : at + 200]), encoding="utf-8")
    report = tmp_path / "all.json"
    command = [sys.executable, "-m", "hansproof", "audit", str(folder), "--json", str(report), "--workers", "1", *QUICK]
    environment = os.environ | {"HANSPROOF_CACHE": str(tmp_path / "cache")}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True) as run:
        first = run.stderr.readline()
        os.killpg(run.pid, signal.SIGINT)
        rest = run.stderr.read()
    assert first.startswith("[1/5] LEAKS")
    assert "Traceback" not in rest
    assert rest.endswith("interrupted; run the same command again to go on\n")
    assert run.returncode == 130
    partial = json.loads(report.read_bytes())
    done = len(partial["results"])
    assert [result["name"] for result in partial["results"]] == list("abcde"[:done])
    assert [Path(file).name for file in partial["unfinished"]] == [f"{name}.jsonl" for name in "abcde"[done:]]
    again = subprocess.run([*command, "--force"], capture_output=True, text=True, env=environment, check=False)
    assert again.returncode == 1
    assert again.stderr.count("cached") == done
    whole = json.loads(report.read_bytes())
    assert [result["name"] for result in whole["results"]] == list("abcde")
    assert whole["results"][:done] == partial["results"]
    assert whole["unfinished"] == []
