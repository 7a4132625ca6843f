"""Waiting times other than the fits: the help page, the first compilation, a whole audit in a new process."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from measured_process import surroundings

__all__ = ["compile_seconds", "default_protocol", "help_seconds"]

_COMPILE = """
import time
import audit.probe.logistic as logistic
from audit.features.table import FeatureTable
start = time.process_time()
FeatureTable.build(["two words"] * 2, dense=())
logistic.prepare()
print(time.process_time() - start)
"""

_AUDIT = """
import json, sys, time
start = time.perf_counter()
import hansproof
result = hansproof.audit(sys.argv[1])
seconds = time.perf_counter() - start
sys.path.insert(0, sys.argv[2])
from measured_process import peak_mb
print(json.dumps({"verdict": result.verdict, "seconds_inside": seconds, "peak_mb": peak_mb()}))
"""


def help_seconds(runs: int = 5) -> float:
    """Median wall time of `hansproof audit --help`, from the start of the interpreter to its end."""
    command = [sys.executable, "-c", "from hansproof.command_line import main; main()", "audit", "--help"]
    return statistics.median(_wall(command)[0] for _ in range(runs))


def compile_seconds() -> float:
    """Processor seconds that all compiled loops of an audit take with nothing compiled yet, as once per machine."""
    with tempfile.TemporaryDirectory() as empty:
        return float(_wall([sys.executable, "-c", _COMPILE], NUMBA_CACHE_DIR=empty)[1])


def default_protocol(path: str, runs: int = 1) -> dict[str, Any]:
    """`hansproof.audit(path)` in a new process: median wall time (with imports), verdict and peak memory."""
    from pathlib import Path

    command = [sys.executable, "-c", _AUDIT, path, str(Path(__file__).parent)]
    done = [_wall(command) for _ in range(runs)]
    figures: dict[str, Any] = json.loads(done[0][1])
    figures["peak_mb"] = max(json.loads(out)["peak_mb"] for _, out in done)
    figures["seconds_inside"] = statistics.median(json.loads(out)["seconds_inside"] for _, out in done)
    return {"path": path, "seconds": statistics.median(wall for wall, _ in done), **figures}


def _wall(command: list[str], **environment: str) -> tuple[float, str]:
    """Seconds from start to end, and standard output."""
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=surroundings(**environment), check=True)
    return time.perf_counter() - start, done.stdout
