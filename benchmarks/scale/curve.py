"""Where the time of an audit goes as a benchmark grows: seconds, processor seconds and peak memory of each stage.

    python benchmarks/scale/curve.py [N ...] [--json FILE] [--workers W]

Each size is audited under the default protocol in a process of its own, on made-up prompts of 30 words (`prompts.py`).
Seconds depend on what else the machine does; processor seconds, of all threads together, hardly do.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measured_process import surroundings
from prompts import write_prompts

__all__ = ["main", "table"]

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)


def main(arguments: list[str] | None = None) -> int:
    """Audit each size, print the table as Markdown, write the figures."""
    parser = argparse.ArgumentParser(description="Time and memory of an audit by the number of items.")
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, metavar="N", help="items (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--workers", type=int, default=0, metavar="W", help="threads; 0: one per core (default)")
    options = parser.parse_args(arguments)
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for n in options.sizes:
            path = Path(folder) / f"{n}.jsonl"
            write_prompts(path, n)
            runs.append(_run(path, options.workers))
            path.unlink()
            print(f"{n:,} items: {_total(runs[-1], 'seconds'):.0f} s", file=sys.stderr, flush=True)
    print(table(runs))
    if options.json:
        Path(options.json).write_text(json.dumps(runs, indent=2) + "\n", encoding="utf-8")
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
    command = [sys.executable, str(Path(__file__).with_name("stages.py")), str(path), json.dumps({"workers": workers})]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=surroundings(), check=True)
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def _total(run: dict[str, Any], what: str) -> float:
    return sum(stage[what] for stage in run["stages"].values())


if __name__ == "__main__":
    sys.exit(main())
