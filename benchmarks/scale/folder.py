"""How long a folder of many benchmarks takes: one after another, on all cores, and on the workers of a cluster.

    python benchmarks/scale/folder.py FILE ... [--count 100] [--items 300]

Cuts `--count` benchmarks of `--items` random rows from the files in turn, and audits the folder and the largest of the
files whole, under the default protocol, each way in a process of its own with imports and start-up. The cluster is one
of this machine, of one and of two workers with one thread each (skipped without the extra `dask`). All ways must give
the same numbers.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measured_process import surroundings

from hansproof.audit.reading.loading import load
from hansproof.audit.statistics.permutation import seeded

__all__ = ["Run", "cut", "main"]

WAYS = ("one core", "all cores", "dask, 1 worker", "dask, 2 workers")


@dataclass(frozen=True)
class Run:
    """One way of auditing one source."""

    source: str
    way: str
    seconds: float
    same: bool
    """Whether the JSON report is that of the first way, byte for byte."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. Returns 0 if all ways give the same numbers, otherwise 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--count", type=int, default=100, help="benchmarks in the folder (default: %(default)s)")
    parser.add_argument("--items", type=int, default=300, help="items of each (default: %(default)s)")
    options = parser.parse_args(arguments)
    runs: list[Run] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "folder"
        cut(options.files, folder, options.count, options.items)
        _audit(str(next(folder.iterdir())), "all cores", Path(scratch) / "warm.json")  # compiles the solvers if need be
        largest = max(options.files, key=lambda file: Path(file).stat().st_size)
        for source, name in ((str(folder), f"{options.count} of {options.items} items"), (largest, Path(largest).stem)):
            first = b""
            for way in WAYS:
                if way.startswith("dask") and find_spec("distributed") is None:
                    continue
                report = Path(scratch) / "report.json"
                seconds = _audit(source, way, report)
                first = first or report.read_bytes()
                runs.append(Run(name, way, seconds, report.read_bytes() == first))
                print(runs[-1], file=sys.stderr, flush=True)
    print("| source | way | seconds | times as fast | same numbers |\n| --- | --- | ---: | ---: | --- |")
    for run in runs:
        base = next(other.seconds for other in runs if other.source == run.source)
        same = "yes" if run.same else "**no**"
        print(f"| {run.source} | {run.way} | {run.seconds:.0f} | {base / run.seconds:.2f} | {same} |")
    return 0 if all(run.same for run in runs) else 1


def cut(files: Sequence[str], folder: Path, count: int, items: int) -> None:
    """Write `count` benchmarks of `items` random rows (fewer where a file has fewer), from the files in turn."""
    folder.mkdir()
    for number in range(count):
        benchmark = load(files[number % len(files)])
        rows = sorted(seeded(number, "folder").permutation(len(benchmark.prompts))[:items].tolist())
        lines = [json.dumps({"prompt": benchmark.prompts[i], "answer": benchmark.answers[i]}) + "\n" for i in rows]
        (folder / f"{number:03}.jsonl").write_text("".join(lines), encoding="utf-8")


def _audit(source: str, way: str, report: Path) -> float:
    with _cluster(int(way.split()[1])) if way.startswith("dask") else nullcontext() as address:
        more = ["--dask", address] if address else ["--workers", "1" if way == "one core" else "0"]
        command = [sys.executable, "-m", "hansproof", "audit", source, "--no-cache", "--quiet", "--force"]
        start = time.perf_counter()
        done = subprocess.run(
            [*command, "--json", str(report), *more], env=surroundings(), stdout=subprocess.DEVNULL, check=False
        )
        if done.returncode == 2:
            raise RuntimeError(f"{source}, {way}: the audit could not run")
        return time.perf_counter() - start


@contextmanager
def _cluster(workers: int) -> Iterator[str]:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


if __name__ == "__main__":
    sys.exit(main())
