"""The 39-fit `paper` protocol three ways, on the same benchmarks and splits, and other waiting times of an audit.

    python benchmarks/audit_speed.py [FOLDER_OR_FILE ...] [--default-protocol FILE]

`plain_way` is a usual scikit-learn script, dense and sequential; `sparse_way` is the best that scikit-learn does on
sparse matrices; `our_way` is the computing part of the audit, on all cores. Each way has its own process and takes all
benchmarks in turn. The clock covers everything from the texts to the thirteen kappas; imports and loading come before
it starts but count towards peak memory. All ways have one BLAS thread: two on two busy cores slow the dense matrices
of the plain way down, so one is the setting that favours it. Compiling our solvers, once per machine, is timed apart.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the checkout, installed or not

from measured_process import ROOT, measure, surroundings

from hansproof.audit.reading.files import expand
from hansproof.audit.reading.loading import load
from hansproof.generators.errors import HansproofError

__all__ = ["MOST_LABELS", "WAYS", "Entry", "collect", "farthest", "main", "table"]

WAYS = {"plain": "plain_way.py", "sparse": "sparse_way.py", "ours": "our_way.py"}
MOST_LABELS = 20

_COMPILE = """
import time
import hansproof.audit.probes.logistic as logistic
from hansproof.audit.texts.feature_table import FeatureTable
start = time.process_time()
FeatureTable.build(["two words"] * 2, dense=())
logistic.prepare()
print(time.process_time() - start)
"""
_AUDIT = """
import sys
import hansproof
from measured_process import peak_mb
print(hansproof.audit(sys.argv[1]).verdict, f"{peak_mb():.0f} MB")
"""
_HELP = "from hansproof.command_line import main; main()"

Run = dict[str, Any]
"""The figures of one way, see `measured_process.run`."""


class Entry(NamedTuple):
    """One benchmark of the comparison."""

    path: str
    name: str
    items: int
    labels: int


def main(arguments: list[str] | None = None) -> int:
    """Compare and print; 0 if all ways agree, 1 if kappas are more than .03 apart, 2 without input."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shipped = str(ROOT / "datasets" / "planted-cues" / "2.0.0")
    parser.add_argument("sources", nargs="*", default=[shipped], metavar="FOLDER_OR_FILE",
                        help="a folder stands for all in it and below (default: the shipped sample)")  # fmt: skip
    parser.add_argument("--default-protocol", metavar="FILE", help="also time the whole default protocol on FILE")
    options = parser.parse_args(arguments)
    entries = list(collect(options.sources))
    if not entries:
        print("error: no benchmark to compare on", file=sys.stderr)
        return 2
    runs = {way: measure(script, [entry.path for entry in entries]) for way, script in WAYS.items()}
    print(f"{os.cpu_count()} cores\n\n{table(entries, runs)}\n")
    print(f"compiling, once per machine: {_compiled():.0f} s")
    helped = statistics.median(_wall(_HELP, "audit", "--help")[0] for _ in range(5))
    print(f"help page: {helped:.3f} s")
    if options.default_protocol:
        seconds, said = _wall(_AUDIT, options.default_protocol)
        print(f"default protocol on {options.default_protocol}, with imports: {seconds:.1f} s, {said.strip()}")
    return int(max(farthest(entry, runs) for entry in entries) > 0.03)


def collect(sources: Sequence[str]) -> Iterator[Entry]:
    """All benchmarks in `sources` (files, or folders with their subfolders); says what is left out, and why."""
    for path in chain.from_iterable(map(expand, sources)):
        try:
            benchmark = load(path)
        except HansproofError as error:
            print(f"skipped {error.place or path}: {error.reason}", file=sys.stderr)
            continue
        labels = len(set(benchmark.answers))
        if 2 <= labels <= MOST_LABELS:
            yield Entry(path, benchmark.name, len(benchmark.prompts), labels)
        else:
            print(f"skipped {path}: {labels} different answers, not 2 to {MOST_LABELS}", file=sys.stderr)


def farthest(entry: Entry, runs: dict[str, Run]) -> float:
    """The largest difference of a kappa of ours from that of another way; undefined kappas count for nothing."""
    ours, *others = (runs[way]["benchmarks"][entry.path]["vectors"] for way in ("ours", "sparse", "plain"))
    apart = [
        abs(vector[key] - other[name][key])
        for other in others for name, vector in ours.items() for key in ("cohen", "uniform")
    ]  # fmt: skip
    return max(difference for difference in apart if difference == difference)


def table(entries: Sequence[Entry], runs: dict[str, Run]) -> str:
    """Markdown: seconds by the clock by benchmark, their total, processor seconds of all threads, and peak memory."""
    head = ["benchmark", "items", "answers", *(f"{way}, s" for way in WAYS), "plain / ours", "sparse / ours",
            "largest kappa difference"]  # fmt: skip
    worst = [farthest(entry, runs) for entry in entries]
    rows = [
        [entry.name, f"{entry.items:,}", str(entry.labels), *_times(runs, "seconds", [entry]), f"{apart:.3f}"]
        for entry, apart in zip(entries, worst, strict=True)
    ]
    rows.append(["total", "", "", *_times(runs, "seconds", entries), f"{max(worst):.3f}"])
    rows.append(["processor seconds", "", "", *_times(runs, "processor_seconds", entries), ""])
    rows.append(["peak memory, MB", "", "", *(f"{run['peak_mb']:,.0f}" for run in runs.values()), "", "", ""])
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _times(runs: dict[str, Run], key: str, entries: Sequence[Entry]) -> list[str]:
    plain, sparse, ours = (
        sum(run["benchmarks"][entry.path][key] for entry in entries) for run in (runs[way] for way in WAYS)
    )
    return [*(f"{seconds:.2f}" for seconds in (plain, sparse, ours)), f"{plain / ours:.1f}", f"{sparse / ours:.1f}"]


def _compiled() -> float:
    """Processor seconds that all compiled loops of an audit take with nothing compiled yet."""
    with tempfile.TemporaryDirectory() as empty:
        return float(_wall(_COMPILE, NUMBA_CACHE_DIR=empty)[1])


def _wall(code: str, *arguments: str, **environment: str) -> tuple[float, str]:
    """Seconds of a new process from its start to its end, and its standard output."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True,
                          env=surroundings(**environment), check=True)  # fmt: skip
    return time.perf_counter() - start, done.stdout


if __name__ == "__main__":
    sys.exit(main())
