"""The 39-fit `paper` protocol, the plain way and ours, on the same benchmarks and splits in one run.

    python benchmarks/audit_speed.py [FOLDER_OR_FILE ...] [--json FILE] [--repeat N] [--skip-plain]
                                     [--default-protocol FILE]

Each way has a process of its own and takes all benchmarks in turn: `plain_way` is what a script on scikit-learn
looks like, sequential and dense; `our_way` is the audit's computing part on all cores. Timed is everything from
the texts to the thirteen kappas; imports and loading come before the clock starts but count towards the peak of
memory. Both ways have one BLAS thread: two on two busy cores make the dense matrices of the plain way slower,
so one is the setting that favours it. Compiling our solvers, once a machine, is timed apart.
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

__all__ = ["TARGETS", "compare", "main"]

TARGETS = {"ratio": 8.0, "kappa": 0.03, "peak_mb": 400.0, "help_seconds": 0.3, "default_seconds": 20.0}
"""At least `ratio` times faster, the rest at most."""

LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "nltk", "nupunkt", "syllapy", "tiktoken")


def main(arguments: list[str] | None = None) -> int:
    """Compare, print, write; 0 where every target measured is met, 1 where one is not, 2 without input."""
    options = _parser().parse_args(arguments)
    suite = collect(options.sources)
    for path, reason in suite.skipped:
        print(f"skipped {path}: {reason.removeprefix(f'{path}: ')}", file=sys.stderr)
    if not suite.entries:
        print("error: no benchmark to compare on", file=sys.stderr)
        return 2
    paths = [entry.path for entry in suite.entries]
    ours, plain = [], []
    for _ in range(options.repeat):
        ours.append(measure("our_way.py", paths))
        if not options.skip_plain:
            plain.append(measure("plain_way.py", paths))
    document = compare(suite.entries, ours, plain)
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


def compare(entries: list[Entry], ours: list[dict[str, Any]], plain: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures of all runs: seconds are medians over runs, peaks the highest of them.

    Kappas are those of the first run of each way (they do not change from run to run). `plain` may be empty;
    whatever needs it is then None.
    """
    benchmarks = [_benchmark(entry, ours, plain) for entry in entries]
    totals = {way: [sum(one["seconds"] for one in run["benchmarks"].values()) for run in runs]
              for way, runs in (("ours", ours), ("plain", plain))}  # fmt: skip
    total_ours = statistics.median(totals["ours"])
    total_plain = statistics.median(totals["plain"]) if plain else None
    widest = [one["kappa_difference_max"] for one in benchmarks if one["kappa_difference_max"] is not None]
    return {
        "machine": machine(),
        "benchmarks": benchmarks,
        "seconds": {"plain": total_plain, "ours": total_ours},
        "seconds_of_each_run": totals,
        "ratio": total_plain / total_ours if total_plain is not None else None,
        "peak_mb": {
            "plain": max(run["peak_mb"] for run in plain) if plain else None,
            "ours": max(run["peak_mb"] for run in ours),
        },
        "warm_up_seconds": {
            "plain": statistics.median(run["warm_up_seconds"] for run in plain) if plain else None,
            "ours": statistics.median(run["warm_up_seconds"] for run in ours),
        },
        "kappa_difference_max": max(widest) if widest else None,
    }


def machine() -> dict[str, Any]:
    """Cores, Python and the libraries that the figures depend on."""
    python = ".".join(map(str, sys.version_info[:3]))
    versions = {name: version(name) for name in LIBRARIES}
    return {"cores": os.cpu_count(), "platform": sys.platform, "python": python, "versions": versions}


def _benchmark(entry: Entry, ours: list[dict[str, Any]], plain: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = statistics.median(run["benchmarks"][entry.path]["seconds"] for run in ours)
    slow = statistics.median(run["benchmarks"][entry.path]["seconds"] for run in plain) if plain else None
    mine = ours[0]["benchmarks"][entry.path]["vectors"]
    theirs = plain[0]["benchmarks"][entry.path]["vectors"] if plain else {}
    vectors = {name: _vector(one, theirs.get(name)) for name, one in mine.items()}
    differences = [one["kappa_difference"] for one in vectors.values() if one["kappa_difference"] is not None]
    return {
        "name": entry.name,
        "path": entry.path,
        "items": entry.items,
        "labels": entry.labels,
        "test_items": entry.test_items,
        "seconds": {"plain": slow, "ours": seconds},
        "ratio": slow / seconds if slow is not None else None,
        "kappa_difference_max": max(differences) if differences else None,
        "vectors": vectors,
    }


def _vector(ours: dict[str, Any], plain: dict[str, Any] | None) -> dict[str, Any]:
    """Both ways' outcomes of one vector and the larger of the differences of the two kappas."""
    kept = ("cohen", "uniform", "validation_accuracy", "regularisation")
    result: dict[str, Any] = {"ours": {key: _finite(ours[key]) for key in kept}, "plain": None}
    result |= {"kappa_difference": None, "items_predicted_otherwise": None}
    if plain is not None:
        result["plain"] = {key: _finite(plain[key]) for key in kept}
        pairs = [(result["ours"][key], result["plain"][key]) for key in ("cohen", "uniform")]
        result["kappa_difference"] = max((abs(a - b) for a, b in pairs if None not in (a, b)), default=None)
        both = zip(ours["predicted"], plain["predicted"], strict=True)
        result["items_predicted_otherwise"] = sum(a != b for a, b in both)
    return result


def _finite(value: Any) -> Any:
    """NaN, a kappa that is undefined, becomes null."""
    return None if value != value else value


def _targets(document: dict[str, Any]) -> dict[str, Any]:
    """Each target with what was measured; `met` is None where it was not."""
    default = document.get("default_protocol")
    measured = {
        "ratio": document["ratio"],
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
        description="Time the 39-fit paper protocol, the plain scikit-learn way and ours.",
        epilog="example: python benchmarks/audit_speed.py datasets/planted-cues/1.0.0 --json speed.json",
    )
    shipped = str(ROOT / "datasets" / "planted-cues" / "1.0.0")
    parser.add_argument("sources", nargs="*", default=[shipped], metavar="FOLDER_OR_FILE",
                        help="a folder stands for all in it and below (default: the shipped sample)")  # fmt: skip
    parser.add_argument("--json", metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--repeat", type=_positive, default=1, metavar="N",
                        help="run each way N times, report medians (default: 1)")  # fmt: skip
    parser.add_argument("--skip-plain", action="store_true", help="time ours only; no ratio, no differences")
    parser.add_argument("--skip-compile", action="store_true", help="do not time the solvers' compilation")
    parser.add_argument("--default-protocol", metavar="FILE",
                        help="time the whole default protocol on FILE besides, in a fresh process")  # fmt: skip
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


if __name__ == "__main__":
    sys.exit(main())
