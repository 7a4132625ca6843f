"""Does a benchmark get the same verdict from another seed and another order of its rows?

    python benchmarks/error_rates/same_verdict.py FILE ... [--seeds 20] [--jobs 2] [--json FILE]

Each file is audited whole under the default protocol, with seeds 1, 2, ... and its rows shuffled by each seed. The
table counts the verdicts and shows the lowest and highest kappa of the vector that the verdict is about.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from audit.loading import load
from audit.result import AuditResult
from audit.run import audit
from audit.statistics.resampling import seeded
from generators import jsonl

__all__ = ["Run", "main", "runs_of"]

WANTED = 0.95
"""Share of the seeds that must agree: 19 of 20."""


@dataclass(frozen=True)
class Run:
    """One audit of a whole file: which, with which seed, and what it said."""

    name: str
    items: int
    seed: int
    verdict: str
    reason: str
    kappa: float | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. Returns 0 if every file has the same verdict in 19 of 20 seeds, otherwise 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", metavar="FILE", help="write what each audit said")
    options = parser.parse_args(arguments)
    tasks = [(file, seed) for file in options.files for seed in range(1, options.seeds + 1)]
    runs = []
    for run in runs_of(tasks, options.jobs):
        print(run, file=sys.stderr, flush=True)
        runs.append(run)
        if options.json:
            document = json.dumps([asdict(run) for run in runs], indent=1)
            jsonl.write_bytes(options.json, document.encode(), overwrite=True)
    print("| benchmark | items | verdicts | kappa |\n|---|---:|---|---:|")
    agree = True
    for name, of_file in _by_file(runs):
        counts = Counter(run.verdict for run in of_file).most_common()
        agree &= counts[0][1] >= WANTED * len(of_file)
        kappas = [run.kappa for run in of_file if run.kappa is not None]
        span = f"{min(kappas):.2f} to {max(kappas):.2f}" if kappas else ""
        print(f"| {name} | {of_file[0].items:,} | {', '.join(f'{word} {n}' for word, n in counts)} | {span} |")
    return 0 if agree else 1


def runs_of(tasks: Sequence[tuple[str, int]], jobs: int) -> Iterator[Run]:
    """What the audit of each file with each seed says, in their order; `jobs` audits at a time."""
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_audited, *zip(*tasks, strict=True))


def _audited(file: str, seed: int) -> Run:
    """The audit of the file's items in an order of their own."""
    benchmark = load(file)
    groups = benchmark.groups or [""] * len(benchmark.prompts)
    rows = [
        {"prompt": prompt, "answer": answer} | ({"group": group} if group else {})
        for prompt, answer, group in zip(benchmark.prompts, benchmark.answers, groups, strict=True)
    ]
    order = seeded(seed, "same verdict").permutation(len(rows))
    result = audit([rows[number] for number in order], seed=seed, workers=1)
    return Run(Path(file).stem, result.items, seed, result.verdict, result.reason, _kappa(result))


def _kappa(result: AuditResult) -> float | None:
    scheme = result.deciding_scheme
    return (
        next((vector.matched for vector in scheme.vectors if vector.vector == result.vector), None) if scheme else None
    )


def _by_file(runs: Sequence[Run]) -> Iterator[tuple[str, list[Run]]]:
    for name, of_file in groupby(runs, key=lambda run: run.name):
        yield name, list(of_file)


if __name__ == "__main__":
    sys.exit(main())
