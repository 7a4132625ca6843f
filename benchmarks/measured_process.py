"""One way of computing, alone in its process: loads benchmarks, times each one, records peak memory.

Both the clock and the processor seconds of all threads are read: the clock is what a user waits for, and processor
seconds hardly depend on what else the machine does.

`audit_speed` starts the scripts in `ways` through `measure`. Inside the process, `run` takes
the paths from the command line and writes one JSON document to standard output. Times exclude imports and loading;
peak memory includes them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

__all__ = ["ONE_THREAD", "ROOT", "Outcome", "measure", "numbered", "peak_mb", "run", "surroundings"]

ROOT = Path(__file__).resolve().parents[1]

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Outcome:
    """The outcome of one feature vector on the test part."""

    cohen: float
    """NaN if gold and prediction have only one answer."""
    uniform: float
    validation_accuracy: float
    regularisation: str
    """The one chosen on the validation part."""
    predicted: list[int]
    """Label numbers of the test items, in the order of the split."""


def surroundings(**more: str) -> dict[str, str]:
    """Environment variables of a child process: it can import the checkout and this folder, and has one BLAS thread."""
    paths = [str(ROOT), str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, **ONE_THREAD, "PYTHONPATH": os.pathsep.join(paths), **more}


def measure(script: str, paths: Sequence[str]) -> dict[str, Any]:
    """Run `script` of `ways` on the benchmarks at `paths`; `run` describes the result.

    Raises RuntimeError if the process fails; its own message is on standard error.
    """
    command = [sys.executable, str(Path(__file__).with_name("ways") / script), *paths]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=surroundings(), check=False)
    if done.returncode:
        raise RuntimeError(f"{script} failed with exit code {done.returncode}")
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def numbered(answers: Sequence[str]) -> tuple[list[int], int]:
    """Label numbers by first appearance, and the number of labels."""
    number = {label: c for c, label in enumerate(dict.fromkeys(answers))}
    return [number[answer] for answer in answers], len(number)


def run(warm_up: Callable[[], Callable[..., dict[str, Outcome]]]) -> None:
    """Time the function that `warm_up` returns on every path of the command line; write JSON to standard output.

    The document has `warm_up_seconds`, `peak_mb` and, for each path, `seconds`, `processor_seconds` and the outcomes of
    all `vectors`.
    """
    import numpy as np

    from hansproof.audit.reading.loading import load

    start = time.perf_counter()
    probe = warm_up()
    warm_up_seconds = time.perf_counter() - start
    benchmarks = {}
    for path in sys.argv[1:]:
        benchmark = load(path)
        codes, labels = numbered(benchmark.answers)
        y = np.array(codes, dtype=np.int64)
        start, used = time.perf_counter(), time.process_time()
        outcomes = probe(benchmark.prompts, y, labels)
        seconds, processor = time.perf_counter() - start, time.process_time() - used
        print(f"{Path(sys.argv[0]).stem}: {benchmark.name} {seconds:.2f} s", file=sys.stderr, flush=True)
        vectors = {name: asdict(outcome) for name, outcome in outcomes.items()}
        benchmarks[path] = {"seconds": seconds, "processor_seconds": processor, "vectors": vectors}
    document = {"warm_up_seconds": warm_up_seconds, "peak_mb": peak_mb(), "benchmarks": benchmarks}
    json.dump(document, sys.stdout)


def peak_mb() -> float:
    """Peak memory of this process in megabytes of 1,000,000 bytes.

    `VmHWM` if the system has it, because `ru_maxrss` of a child starts from what its parent held.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    import resource

    # Kilobytes, but bytes on macOS.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
