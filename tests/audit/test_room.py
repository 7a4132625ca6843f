"""A limit of memory ends a command with one line; it never makes it spin."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hansproof.audit.scale.room import check_room
from hansproof.generators.errors import UsageError

resource = pytest.importorskip("resource")

ROOT = Path(__file__).resolve().parents[2]
BENCHMARK = ROOT / "datasets/planted-cues/2.0.0/unigram.jsonl.gz"


def limited(kilobytes, *words):
    """Run hansproof in so much address space; 60 seconds are far more than it may take to end."""
    return subprocess.run(
        [sys.executable, "-m", "hansproof", *words],
        capture_output=True, text=True, timeout=60, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONFAULTHANDLER": ""},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (kilobytes << 10, kilobytes << 10)),
    )  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to the limit")
@pytest.mark.parametrize("kilobytes", [200_000, 300_000, 409_600, 430_000, 500_000])
@pytest.mark.parametrize("source", [BENCHMARK, BENCHMARK.parent], ids=["file", "folder"])
def test_without_room_for_the_libraries_an_audit_is_one_line_and_2(kilobytes, source):
    done = limited(kilobytes, "audit", str(source), "--no-cache")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: memory is limited to {kilobytes:,} KB (ulimit -v), and the libraries")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to the limit")
def test_what_computes_nothing_needs_no_such_room():
    done = limited(200_000, "list")
    assert (done.returncode, done.stderr) == (0, "")
    assert "planted-cues" in done.stdout


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="cores are counted otherwise here")
def test_the_room_is_that_of_the_threads_that_are_started_and_not_of_all_cores(monkeypatch):
    # 400 MB and 100 MB a thread: 64 threads take 6.8 million KB, which 6 GB are not; 1 takes 512,000 KB.
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(96)))
    monkeypatch.setattr(resource, "getrlimit", lambda which: (6_000_000 << 10, 6_000_000 << 10))
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with pytest.raises(UsageError, match="take 6,963,200 KB to load with 64 threads; raise the limit, or set OPENBLAS"):
        check_room()
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    check_room()
    monkeypatch.setattr(resource, "getrlimit", lambda which: (511_999 << 10, 511_999 << 10))
    with pytest.raises(UsageError, match="512,000 KB to load with 1 thread; "):
        check_room()
