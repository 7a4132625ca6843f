"""How fast items are made: `python benchmarks/generate_speed.py [DATASET ...] [--json FILE] [--memory COUNT]`.

Every subset of the registry is timed on one core; an item is complete with prompt, gold answer and its line of JSON.
If reasoning-gym is installed, its knights_knaves (at its default size and with 3 to 6 people) and its word problems
(gsm_symbolic) are timed in the same run. The items of a matched pair are made together, so pairs per second are half
the items per second. `--memory COUNT` also makes COUNT items of the first subset in shards, each in its own process,
and compares their peak memory with that of 1,000 items: memory is constant if the two are alike.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from measured_process import surroundings

from generators.registry import MODULES, dataset

__all__ = ["main", "peaks", "rate"]

SEED = 7
TRIALS = 3
PEER_SIZES = (2, 3, 4, 5, 6)  # reasoning-gym's own default is 2

_SHARD = """
import sys
from generators.production import plan, produce, shard, write
from generators.registry import dataset
name, subset, count, part, parts, path, benchmarks = sys.argv[1:]
sys.path.insert(0, benchmarks)
from measured_process import peak_mb
whole = plan(dataset(name), (subset,), 7, int(count))
written = write(path, produce(name, shard(whole, int(part), int(parts)), 7))
print(written.rows, written.size, peak_mb())
"""


def rate(make: Callable[[int], object], seconds: float) -> dict[str, float]:
    """Items per second of process time: median, lowest and highest trial. `make` is called with index 0, 1, 2, ...

    Each trial takes `seconds` and starts again at index 0. One call beforehand makes what is made only once.
    """
    make(0)
    trials = []
    for _ in range(TRIALS):
        index, begun = 0, time.process_time()
        while (spent := time.process_time() - begun) < seconds:
            for _ in range(20):
                make(index)
                index += 1
        trials.append(index / spent)
    return {"items_per_second": statistics.median(trials), "lowest": min(trials), "highest": max(trials)}


def ours(names: list[str], seconds: float) -> list[dict[str, Any]]:
    """One row per subset."""
    rows = []
    for name in names:
        family = dataset(name)
        for subset, about in family.subsets.items():

            def make(index: int, subset: str = subset, family: Any = family, limit: int | None = about.limit) -> object:
                return family.item(subset, SEED, index % limit if limit else index).line()

            rows.append({"dataset": name, "subset": subset, **rate(make, seconds)})
            _say(rows[-1])
    return rows


def peer(seconds: float) -> list[dict[str, Any]]:
    """The same for reasoning-gym's datasets, with one line of JSON per item; [] if it is not installed."""
    if find_spec("reasoning_gym") is None:
        print("reasoning-gym is not installed: no comparison", file=sys.stderr)
        return []
    import reasoning_gym

    sizes: list[tuple[str, dict[str, Any]]] = [("knights_knaves", {"n_people": people}) for people in PEER_SIZES]
    rows = []
    for name, options in [*sizes, ("gsm_symbolic", {})]:
        # It prepares a template per item when it is created, so a larger size would only add waiting time.
        made = reasoning_gym.create_dataset(name, size=10**6, seed=SEED, **options)

        def make(index: int, made: Any = made) -> object:
            return json.dumps(made[index], ensure_ascii=False, default=str).encode()

        size = ", ".join(f"{key}={value}" for key, value in options.items()) or "default"
        rows.append({"dataset": f"reasoning-gym {name}", "subset": size, **rate(make, seconds)})
        _say(rows[-1])
    return rows


def peaks(name: str, count: int, shards: int) -> dict[str, Any]:
    """Seconds, bytes and peak memory for `count` items of the first subset without a limit, made in shards."""
    subset = next(key for key, about in dataset(name).subsets.items() if about.limit is None)
    begun = time.perf_counter()
    parts = [_shard(name, subset, count, part, shards) for part in range(1, shards + 1)]
    seconds = time.perf_counter() - begun
    small = _shard(name, subset, 1_000, 1, 1)
    if sum(rows for rows, _, _ in parts) != count:
        raise RuntimeError("the shards do not add up to the whole")
    return {
        "dataset": name,
        "subset": subset,
        "items": count,
        "shards": shards,
        "seconds": seconds,
        "bytes": sum(size for _, size, _ in parts),
        "peak_mb": max(peak for _, _, peak in parts),
        "peak_mb_of_1000_items": small[2],
    }


def _shard(name: str, subset: str, count: int, part: int, parts: int) -> tuple[int, int, float]:
    with tempfile.TemporaryDirectory() as folder:
        place, here = str(Path(folder) / "part.jsonl"), str(Path(__file__).parent)
        command = [sys.executable, "-c", _SHARD, name, subset, str(count), str(part), str(parts), place, here]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=surroundings())
    rows, size, peak = done.stdout.split()
    print(f"{name}/{subset}: shard {part}/{parts} of {count:,} made, peak {peak} MB", file=sys.stderr, flush=True)
    return int(rows), int(size), float(peak)


def _say(row: dict[str, Any]) -> None:
    where = f"{row['dataset']} {row['subset']}"
    print(f"{where:<50}{row['items_per_second']:>12,.0f} items/s", file=sys.stderr, flush=True)


def main() -> None:
    """Measure, print Markdown tables, and write all figures to a file with --json."""
    parser = argparse.ArgumentParser(description="Items per second on one core.")
    parser.add_argument("datasets", nargs="*", default=[], metavar="DATASET", help="default: all of the registry")
    parser.add_argument("--seconds", type=float, default=1.0, help="process time per trial (three trials per subset)")
    parser.add_argument("--json", metavar="FILE", help="write all figures to FILE")
    parser.add_argument(
        "--memory", type=int, metavar="COUNT", help="also make COUNT items in shards and report peak memory"
    )
    parser.add_argument("--shards", type=int, default=4)
    options = parser.parse_args()
    names = options.datasets or list(MODULES)
    rows = ours(names, options.seconds) + peer(options.seconds)
    memory = [peaks(name, options.memory, options.shards) for name in names] if options.memory else []
    print("| dataset | subset | items/s | lowest | highest |\n|---|---|--:|--:|--:|")
    for row in rows:
        figures = " | ".join(f"{row[key]:,.0f}" for key in ("items_per_second", "lowest", "highest"))
        print(f"| {row['dataset']} | {row['subset']} | {figures} |")
    for row in memory:
        print(
            f"\n{row['dataset']}/{row['subset']}: {row['items']:,} items in {row['shards']} shards, "
            f"{row['bytes'] / 1e6:,.0f} MB, {row['seconds']:,.0f} s; peak {row['peak_mb']:.1f} MB, "
            f"of 1,000 items {row['peak_mb_of_1000_items']:.1f} MB"
        )
    if options.json:
        machine = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
        document = {"seed": SEED, "trials": TRIALS, "machine": machine, "rates": rows, "memory": memory}
        Path(options.json).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
