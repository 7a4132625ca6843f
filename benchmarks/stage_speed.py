"""What our way of the `paper` protocol spends its time on: processor seconds by stage, on one thread.

    python benchmarks/stage_speed.py [FOLDER_OR_FILE ...] [--repeat N]

The stages are those of `FeatureTable.build` and `single_split`, one after the other. Each figure is the smallest of N
runs, because other work on the machine only ever adds time.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the checkout, installed or not

from measured_process import ONE_THREAD, ROOT, numbered

os.environ.update(ONE_THREAD)  # before NumPy is imported

import numpy as np
from numpy.typing import NDArray
from suite import collect

from audit.features.readability.sentences import count_sentences
from audit.features.table import FeatureTable
from audit.features.vectors import THIRTEEN
from audit.loading import load
from audit.probe.folds import paper_split
from audit.probe.logistic import REGULARISATIONS, fit, prepare
from audit.probe.training import Training

__all__ = ["stages"]


class _Watch:
    """Adds up processor seconds by stage."""

    def __init__(self) -> None:
        self.totals: dict[str, float] = defaultdict(float)

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        start = time.thread_time()
        yield
        self.totals[stage] += time.thread_time() - start


def stages(texts: list[str], y: NDArray[np.int64], labels: int) -> dict[str, float]:
    """Processor seconds of one run by stage."""
    watch = _Watch()
    with watch("cutting texts into pieces"):
        table = FeatureTable.build(texts, at_once=False)
    with watch("counting words"):
        table.counts("word")
    with watch("counting GPT-2 tokens"):
        table.counts("gpt2")
    with watch("readability"):
        _ = table.numbers["readability"]
    with watch("of which sentences"):  # counted once more, so that it can be told apart
        count_sentences(texts)
    train, validation, test = paper_split(len(y))
    for vector in THIRTEEN:
        with watch("choosing and weighing columns"):
            parts = table.parts(vector, train, np.concatenate((validation, np.sort(test))), y[train])
        training = Training(parts.train, y[train])
        with watch("merging equal columns"):
            _ = training.merged, training.scaled
        for how in REGULARISATIONS:
            with watch(f"fits, {how.name}"):
                model = fit(training, how)
            with watch("predicting"):
                model.predict(parts.held, labels)
    return dict(watch.totals)


def main() -> int:
    """Print a Markdown table: a row for each stage, a column for each benchmark. Returns 2 without input."""
    parser = argparse.ArgumentParser(description="Processor seconds of the 39-fit paper protocol by stage.")
    shipped = str(ROOT / "datasets" / "planted-cues" / "1.0.0" / "unigram.jsonl")
    parser.add_argument("sources", nargs="*", default=[shipped], metavar="FOLDER_OR_FILE")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs per figure (default: 3)")
    options = parser.parse_args()
    prepare()
    columns: dict[str, dict[str, float]] = {}
    for entry in collect(options.sources).entries:
        benchmark = load(entry.path)
        codes, labels = numbered(benchmark.answers)
        runs = [stages(benchmark.prompts, np.array(codes), labels) for _ in range(options.repeat)]
        columns[entry.name] = {stage: min(run[stage] for run in runs) for stage in runs[0]}
    if not columns:
        return 2
    every = list(next(iter(columns.values())))
    columns["all"] = {stage: sum(column[stage] for column in columns.values()) for stage in every}
    for column in columns.values():
        column["**all**"] = sum(seconds for stage, seconds in column.items() if not stage.startswith("of which"))
    print(f"| stage | {' | '.join(columns)} |\n|---|{'--:|' * len(columns)}")
    for stage in (*every, "**all**"):
        print(f"| {stage} | {' | '.join(f'{column[stage]:.3f}' for column in columns.values())} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
