"""The longer run of hostile cases: all of them, damaged files by the thousand, and a request to end at every moment.

    python tests/toy/hostile/hostile_cases.py [--damaged 4000] [--seed 1]

Prints what was tried and what went wrong. The tests try every third case, a few hundred damaged files and a sample of
the moments (`tests/hostile`).
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "toy")]  # the script is run from anywhere

from hansproof.generators import registry  # noqa: E402
from hostile.case import faults, files_of, ran  # noqa: E402
from hostile.cases import cases  # noqa: E402
from hostile.damage import OFTEN, damaged, outcome_of  # noqa: E402
from hostile.signals import COMMANDS, moments, stopped  # noqa: E402
from hostile.world import build  # noqa: E402

__all__ = ["main"]


def main() -> int:
    """Try everything; 0 if nothing went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damaged", type=int, default=OFTEN, help="How many damaged files of each kind.")
    parser.add_argument("--seed", type=int, default=1, help="Of the damage.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder)
        build(world)
        os.chdir(world)
        sys.path.insert(0, str(world))
        sys.dont_write_bytecode = True  # of the agents in that folder, which must stay as it is
        registry.MODULES["toy-bandit"] = "toy_bandit.dataset"
        os.environ["HANSPROOF_CACHE"] = str(world / "cache-of-all")
        wrong = _cases(world) + _damaged(given.damaged, given.seed, world) + _stopped(world)
    return 1 if wrong else 0


def _cases(world: Path) -> int:
    begun, tried, wrong = time.perf_counter(), Counter[str](), 0
    before = files_of(world)
    for case in cases():
        outcome = ran(case)
        after = files_of(world)
        tried[case.kind] += 1
        if said := faults(case, outcome, before, after):
            wrong += 1
            print(f"{case.kind}: {case.name}: {'; '.join(said)}")
        before = after
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(tried.items()))
    print(f"{sum(tried.values())} cases ({counts}) in {time.perf_counter() - begun:.0f} s: {wrong} wrong")
    return wrong


def _damaged(count: int, seed: int, world: Path) -> int:
    begun, came, wrong = time.perf_counter(), Counter[str](), 0
    for kind, number, data in damaged(count, seed):
        outcome = outcome_of(data, world / "damaged")
        came[f"{kind} {outcome}" if outcome in ("read", "refused") else "wrong"] += 1
        if outcome not in ("read", "refused"):
            wrong += 1
            print(f"{kind} {number}: {outcome}")
    counts = ", ".join(f"{number} {what}" for what, number in sorted(came.items()))
    print(f"{sum(came.values())} damaged files ({counts}) in {time.perf_counter() - begun:.0f} s: {wrong} wrong")
    return wrong


def _stopped(world: Path) -> int:
    begun, tried, wrong = time.perf_counter(), 0, 0
    out = world / "out"
    for name, typed in COMMANDS.items():
        command = tuple(part.replace("DATASETS", str(ROOT / "datasets")) for part in typed)
        moments(command, out)  # the first run compiles
        many, whole, _ = moments(command, out)
        for place in range(many):
            left = stopped(command, out, place)
            tried += 1
            complete = all(whole.get(file) == data for file, data in left.left.items() if ".part/" not in file)
            if left.code != 130 or left.parts or not complete or "Traceback" in left.err:
                wrong += 1
                print(f"{name}, moment {place}: exit code {left.code}, left {left.parts}: {left.err[-200:]}")
    shutil.rmtree(out)
    print(f"{tried} requests to end, between any two moves, in {time.perf_counter() - begun:.0f} s: {wrong} wrong")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
