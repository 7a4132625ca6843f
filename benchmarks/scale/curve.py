"""Where the time of an audit goes as a benchmark grows: seconds, processor seconds and peak memory of each stage.

    python benchmarks/scale/curve.py [N ...] [--workers W]

Each size is audited under the default protocol in a process of its own, on made-up prompts of 30 words (`prompts.py`).
Seconds depend on what else the machine does; processor seconds, of all threads together, hardly do.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measured_process import peak_mb, surroundings
from prompts import write_prompts

__all__ = ["Stages", "main", "table"]

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)


def main(arguments: list[str] | None = None) -> int:
    """Audit each size, and print the table as Markdown."""
    parser = argparse.ArgumentParser(description="Time and memory of an audit by the number of items.")
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, metavar="N", help="items (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=0, metavar="W", help="threads; 0: one per core (default)")
    parser.add_argument("--source", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.source:
        json.dump(_staged(options.source, options.workers), sys.stdout)
        return 0
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for n in options.sizes:
            path = Path(folder) / f"{n}.jsonl"
            write_prompts(path, n)
            runs.append(_run(path, options.workers))
            path.unlink()
            print(f"{n:,} items: {_total(runs[-1], 'seconds'):.0f} s", file=sys.stderr, flush=True)
    print(table(runs))
    return 0


def table(runs: list[dict[str, Any]]) -> str:
    """Markdown: processor seconds by stage and size, then all stages, seconds, and peak memory."""
    stages = list(dict.fromkeys(stage for run in runs for stage in run["stages"]))
    rows = [[stage, *(f"{run['stages'].get(stage, {}).get('cpu', 0):.1f}" for run in runs)] for stage in stages]
    rows.append(["**all, processor seconds**", *(f"{_total(run, 'cpu'):.0f}" for run in runs)])
    rows.append(["all, seconds", *(f"{_total(run, 'seconds'):.0f}" for run in runs)])
    rows.append(
        ["peak memory, MB", *(f"{max(stage['peak_mb'] for stage in run['stages'].values()):,.0f}" for run in runs)]
    )
    head = ["stage", *(f"{run['items']:,}" for run in runs)]
    lines = [head, ["---", *("---:" for _ in runs)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _run(path: Path, workers: int) -> dict[str, Any]:
    command = [sys.executable, __file__, "--source", str(path), "--workers", str(workers)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=surroundings(), check=True)
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def _staged(source: str, workers: int) -> dict[str, Any]:
    """Audit `source` and write its report: the stages. For a process of its own."""
    watch = Stages()
    from hansproof.audit.probes.logistic import prepare
    from hansproof.audit.run import audit

    prepare()
    watch("reading", 0, 1)
    result = audit(source, progress=watch, workers=workers)
    watch("reporting", 0, 1)
    from hansproof.audit.report.audit_document import render
    from hansproof.audit.result.document import encode

    encode(result)
    render(result)
    watch.end()
    return {"items": result.items, "stages": watch.totals}


def _now() -> tuple[float, float]:
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter(), own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


class Stages:
    """A Progress that adds up the time of each stage of an audit."""

    def __init__(self) -> None:
        self.totals: dict[str, dict[str, float]] = {}
        self._stage = "importing"
        self._begun = _now()

    def __call__(self, stage: str, done: int, total: int, /) -> None:
        """Called by the audit; a stage lasts until the next one is named."""
        if stage != self._stage:
            self.end()
            self._stage = stage

    def end(self) -> None:
        """The present stage is over."""
        now = _now()
        own = self.totals.setdefault(self._stage, {"seconds": 0.0, "cpu": 0.0})
        own["seconds"] += now[0] - self._begun[0]
        own["cpu"] += now[1] - self._begun[1]
        own["peak_mb"] = peak_mb()
        self._begun = now
        print(
            f"{self._stage}: {own['cpu']:.1f} processor seconds, {own['peak_mb']:,.0f} MB", file=sys.stderr, flush=True
        )


def _total(run: dict[str, Any], what: str) -> float:
    return sum(stage[what] for stage in run["stages"].values())


if __name__ == "__main__":
    sys.exit(main())
