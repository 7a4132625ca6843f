"""The 39-fit `paper` protocol three ways, on the same benchmarks and splits in one run.

    python benchmarks/audit_speed.py [FOLDER_OR_FILE ...] [--json FILE] [--repeat N] [--ways WAY ...]
                                     [--default-protocol FILE]

`plain_way` is a usual scikit-learn script, dense and sequential; `sparse_way` is the best that scikit-learn does on
sparse matrices; `our_way` is the computing part of the audit, on all cores. Each way has its own process and takes all
benchmarks in turn. The clock covers everything from the texts to the thirteen kappas; imports and loading come before
it starts but count towards peak memory. All ways have one BLAS thread: two on two busy cores slow the dense matrices
of the plain way down, so one is the setting that favours it. Compiling our solvers, once per machine, is timed apart.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the checkout, installed or not

from measured_process import ROOT, measure
from start_up import compile_seconds, default_protocol, help_seconds
from suite import Entry, collect

__all__ = ["TARGETS", "WAYS", "compare", "main"]

WAYS = {"ours": "our_way.py", "sparse": "sparse_way.py", "plain": "plain_way.py"}
"""Way -> script; `ours` always runs."""

TARGETS = {"ratio": 50.0, "kappa": 0.03, "peak_mb": 400.0, "help_seconds": 0.3, "default_seconds": 20.0}
"""At least `ratio` times faster than the plain way; the rest at most."""

LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "nltk", "nupunkt", "syllapy", "tiktoken")

Run = dict[str, Any]
"""One process's figures, see `measured_process.run`."""


def main(arguments: list[str] | None = None) -> int:
    """Compare, print, write. Returns 0 if every measured target is met, 1 if one is not, 2 without input."""
    options = _parser().parse_args(arguments)
    suite = collect(options.sources)
    for place, reason in suite.skipped:
        print(f"skipped {place}: {reason}", file=sys.stderr)
    if not suite.entries:
        print("error: no benchmark to compare on", file=sys.stderr)
        return 2
    paths = [entry.path for entry in suite.entries]
    runs: dict[str, list[Run]] = {way: [] for way in WAYS if way == "ours" or way in options.ways}
    for _ in range(options.repeat):
        for way, measured in runs.items():
            measured.append(measure(WAYS[way], paths))
    document = compare(suite.entries, runs)
    document["repeats"] = options.repeat
    document["skipped"] = [{"path": path, "reason": reason} for path, reason in suite.skipped]
    document["compile_seconds"] = None if options.skip_compile else compile_seconds()
    document["help_seconds"] = help_seconds()
    if options.default_protocol:
        document["default_protocol"] = default_protocol(options.default_protocol, options.repeat)
    document["targets"] = _targets(document)

    from speed_tables import show

    show(document)
    if options.json:
        Path(options.json).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return 0 if all(target["met"] is not False for target in document["targets"].values()) else 1


def compare(entries: list[Entry], runs: dict[str, list[Run]]) -> dict[str, Any]:
    """The figures of all runs, by way: seconds are medians over runs, peaks the highest, ratios those to `ours`.

    Kappas are those of the first run of each way; they do not change from run to run.
    """
    benchmarks = [_benchmark(entry, runs) for entry in entries]
    totals = {way: [_total(run, "seconds") for run in measured] for way, measured in runs.items()}
    used = {way: [_total(run, "processor_seconds") for run in measured] for way, measured in runs.items()}
    seconds = {way: statistics.median(values) for way, values in totals.items()}
    processor = {way: statistics.median(values) for way, values in used.items()}
    return {
        "machine": machine(),
        "benchmarks": benchmarks,
        "seconds": seconds,
        "seconds_of_each_run": totals,
        "processor_seconds": processor,
        "processor_seconds_of_each_run": used,
        "ratio": _ratios(seconds),
        "processor_ratio": _ratios(processor),
        "peak_mb": {way: max(run["peak_mb"] for run in measured) for way, measured in runs.items()},
        "warm_up_seconds": {
            way: statistics.median(run["warm_up_seconds"] for run in measured) for way, measured in runs.items()
        },
        "kappa_difference_max": _largest(benchmark["kappa_difference_max"] for benchmark in benchmarks),
    }


def machine() -> dict[str, Any]:
    """Cores, Python and the libraries that the figures depend on."""
    python = ".".join(map(str, sys.version_info[:3]))
    versions = {name: version(name) for name in LIBRARIES}
    return {"cores": os.cpu_count(), "platform": sys.platform, "python": python, "versions": versions}


def _total(run: Run, key: str) -> float:
    return float(sum(benchmark[key] for benchmark in run["benchmarks"].values()))


def _ratios(seconds: dict[str, float]) -> dict[str, float]:
    return {way: value / seconds["ours"] for way, value in seconds.items() if way != "ours"}


def _largest(differences: Any) -> float | None:
    return max((difference for difference in differences if difference is not None), default=None)


def _benchmark(entry: Entry, runs: dict[str, list[Run]]) -> dict[str, Any]:
    mine = {way: [run["benchmarks"][entry.path] for run in measured] for way, measured in runs.items()}
    seconds, processor = (
        {way: statistics.median(run[key] for run in measured) for way, measured in mine.items()}
        for key in ("seconds", "processor_seconds")
    )
    names = mine["ours"][0]["vectors"]
    vectors = {name: _vector({way: measured[0]["vectors"][name] for way, measured in mine.items()}) for name in names}
    return {
        "name": entry.name,
        "path": entry.path,
        "items": entry.items,
        "labels": entry.labels,
        "test_items": entry.test_items,
        "seconds": seconds,
        "processor_seconds": processor,
        "ratio": _ratios(seconds),
        "processor_ratio": _ratios(processor),
        "kappa_difference_max": _largest(
            difference for vector in vectors.values() for difference in vector["kappa_difference"].values()
        ),
        "vectors": vectors,
    }


def _vector(outcomes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The outcomes of one vector by way; for the others than `ours`, how far their kappas and predictions differ."""
    kept = ("cohen", "uniform", "validation_accuracy", "regularisation")
    vector: dict[str, Any] = {way: {key: _finite(outcome[key]) for key in kept} for way, outcome in outcomes.items()}
    ours, others = vector["ours"], [way for way in outcomes if way != "ours"]
    differences, predictions = {}, {}
    for way in others:
        pairs = [(ours[key], vector[way][key]) for key in ("cohen", "uniform")]
        differences[way] = max((abs(a - b) for a, b in pairs if None not in (a, b)), default=None)
        both = zip(outcomes["ours"]["predicted"], outcomes[way]["predicted"], strict=True)
        predictions[way] = sum(a != b for a, b in both)
    return vector | {"kappa_difference": differences, "items_predicted_otherwise": predictions}


def _finite(value: Any) -> Any:
    """NaN, an undefined kappa, becomes null."""
    return None if value != value else value


def _targets(document: dict[str, Any]) -> dict[str, Any]:
    """Each target with its measurement; `met` is None if it was not measured."""
    default = document.get("default_protocol")
    measured = {
        "ratio": document["ratio"].get("plain"),
        "kappa": document["kappa_difference_max"],
        "peak_mb": document["peak_mb"]["ours"],
        "help_seconds": document["help_seconds"],
        "default_seconds": default["seconds"] if default else None,
    }
    result = {}
    for name, target in TARGETS.items():
        value = measured[name]
        met = None if value is None else value >= target if name == "ratio" else value <= target
        result[name] = {"target": target, "measured": value, "met": met}
    return result


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Time the 39-fit paper protocol: plain scikit-learn, sparse scikit-learn, and ours.",
        epilog="example: python benchmarks/audit_speed.py datasets/planted-cues/1.0.0 --json speed.json",
    )
    shipped = str(ROOT / "datasets" / "planted-cues" / "1.0.0")
    parser.add_argument("sources", nargs="*", default=[shipped], metavar="FOLDER_OR_FILE",
                        help="a folder stands for all in it and below (default: the shipped sample)")  # fmt: skip
    parser.add_argument("--json", metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--repeat", type=_positive, default=1, metavar="N",
                        help="run each way N times and report medians (default: 1)")  # fmt: skip
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS),
                        help="which ways to time; ours always is (default: all)")  # fmt: skip
    parser.add_argument("--skip-compile", action="store_true", help="do not time the compilation of the solvers")
    parser.add_argument("--default-protocol", metavar="FILE",
                        help="also time the whole default protocol on FILE, in a new process")  # fmt: skip
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


if __name__ == "__main__":
    sys.exit(main())
