"""How often the audit is wrong: its verdicts on many benchmarks whose cue and cue strength are known.

    python benchmarks/operating_characteristics.py [--repeats R] [--sizes 200 500 1000] [--strengths 0 .1 .2 .3 .4]
                                                   [--subsets NAME ...] [--json FILE]

Each cell makes R benchmarks with `generators.planted_cues`, each from its own seed, and runs the default protocol on
their prompts and answers alone, so groups have to be inferred. The table gives the share of each verdict and its
errors: false alarms without a cue, CLEAN with a cue stronger than the threshold, and the share of 95 % intervals that
hold a known kappa. To save time it uses fewer permutations and bootstrap replicates than the default.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the checkout, installed or not

from measured_process import ONE_THREAD

os.environ.update(ONE_THREAD)  # before NumPy is imported

from audit.run import audit
from generators.planted_cues.benchmark import SUBSETS
from generators.planted_cues.dataset import generate
from generators.stream import Stream
from hansproof.terminal.progress import on_stderr

__all__ = ["CUES", "NULLS", "Cell", "Rates", "cells", "main", "rates"]

NULLS = ("none", "shuffled", "imbalance")
"""The texts say nothing about the answers; `shuffled` is `unigram` with its answers in random order."""

CUES = ("unigram", "bigram", "length", "readability")

KINDS = (*NULLS, "template-only", *CUES)

VERDICTS = ("LEAKS", "TEMPLATE-BOUND", "IMBALANCED", "TRACES", "CLEAN", "INCONCLUSIVE")


@dataclass(frozen=True)
class Cell:
    """One kind of benchmark at one strength and size."""

    subset: str
    strength: float
    """Kappa of a perfect reader of the cue; for `imbalance`, the uniform-chance kappa of the majority class."""
    n: int


@dataclass(frozen=True)
class Rates:
    """Shares (0 to 1) over the benchmarks of one cell."""

    cell: Cell
    repeats: int
    verdicts: dict[str, float]
    false_alarm: float | None
    """LEAKS or TEMPLATE-BOUND without a cue; LEAKS with templates only; None for cues."""
    power: float | None
    """LEAKS with a cue, TEMPLATE-BOUND with templates only; None for nulls."""
    missed: float | None
    """CLEAN although the cue is stronger than the threshold: the dangerous error; None elsewhere."""
    coverage: float | None
    """Share of the thirteen vectors' 95 % intervals under grouped folds that contain 0; None for cues."""
    kappa: float
    """Mean over benchmarks of the headline vector's Cohen's kappa under grouped folds."""


def cells(subsets: Sequence[str], strengths: Sequence[float], sizes: Sequence[int]) -> list[Cell]:
    """All cells: each cue at every strength, every other kind at its own."""
    planned = []
    for subset in subsets:
        known = SUBSETS["none" if subset == "shuffled" else subset]
        for strength in strengths if subset in CUES else (known.strength,):
            planned += [Cell(subset, strength, n) for n in sizes]
    return planned


def rows(cell: Cell, seed: int, repeat: int) -> list[dict[str, str]]:
    """Prompts and answers of one benchmark of a cell."""
    stream = Stream(seed, "operating-characteristics", cell.subset, str(cell.strength), str(cell.n)).child(repeat)
    subset, strength = (cell.subset, cell.strength) if cell.subset != "shuffled" else ("unigram", None)
    items = list(generate(subset, stream.child("seed").below(2**31), cell.n, strength=strength))
    answers: Sequence[str] = [item.answer for item in items]
    if cell.subset == "shuffled":
        answers = stream.child("answers").shuffled(answers)
    return [{"prompt": item.prompt, "answer": answer} for item, answer in zip(items, answers, strict=True)]


def rates(cell: Cell, repeats: int, step: Callable[[], None], *, seed: int = 1, **settings: Any) -> Rates:
    """Audit `repeats` benchmarks of a cell; `settings` are those of `hansproof.audit`."""
    verdicts: Counter[str] = Counter()
    held: list[bool] = []
    kappas = []
    threshold = 0.0
    for repeat in range(repeats):
        result = audit(rows(cell, seed, repeat), **settings)
        verdicts[result.verdict] += 1
        threshold = result.settings.threshold
        scheme = result.schemes[0]
        kappas.append(next(vector.cohen or 0.0 for vector in scheme.vectors if vector.vector == scheme.headline))
        held.extend(
            vector.cohen_low <= 0 <= vector.cohen_high
            for vector in scheme.vectors
            if vector.counted and vector.cohen_low is not None and vector.cohen_high is not None
        )
        step()
    share = {name: verdicts[name] / repeats for name in VERDICTS}
    null, bound = cell.subset in NULLS or not cell.strength, cell.subset == "template-only"
    return Rates(
        cell=cell,
        repeats=repeats,
        verdicts=share,
        false_alarm=share["LEAKS"] + (0 if bound else share["TEMPLATE-BOUND"]) if null or bound else None,
        power=None if null else share["TEMPLATE-BOUND" if bound else "LEAKS"],
        missed=share["CLEAN"] if not null and cell.strength > threshold else None,
        coverage=sum(held) / len(held) if (null or bound) and held else None,
        kappa=sum(kappas) / repeats,
    )


def main(arguments: list[str] | None = None) -> int:
    """Run all cells, print the table and write it."""
    options = _parser().parse_args(arguments)
    settings = {"permutations": options.permutations, "bootstrap": options.bootstrap, "workers": options.workers}
    planned = cells(options.subsets, options.strengths, options.sizes)
    with on_stderr() as progress:
        done = count(1)

        def step() -> None:
            progress("auditing", next(done), len(planned) * options.repeats)

        measured = [rates(cell, options.repeats, step, seed=options.seed, **settings) for cell in planned]
    _show(measured)
    if options.json:
        document = {"seed": options.seed, **settings, "cells": [asdict(cell_rates) for cell_rates in measured]}
        Path(options.json).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return 0


def _show(measured: Sequence[Rates]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("subset", title=f"verdicts on {measured[0].repeats} benchmarks per row, in %")
    for name in ("strength", "n", *VERDICTS, "false alarm", "power", "missed", "contains 0", "kappa"):
        table.add_column(name.replace("-", " ").lower(), justify="right")
    for row in measured:
        shares = [*row.verdicts.values(), row.false_alarm, row.power, row.missed, row.coverage]
        cell = row.cell
        table.add_row(cell.subset, f"{cell.strength:g}", str(cell.n), *map(_percent, shares), f"{row.kappa:.2f}")
    # A file or a pipe has no width of its own, so the table need not be cut.
    screen = Console()
    (screen if screen.is_terminal else Console(width=160)).print(table)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Error rates of the audit on benchmarks whose cue is known.",
        epilog="example: python benchmarks/operating_characteristics.py --repeats 5 --sizes 200 --subsets none unigram",
    )
    parser.add_argument("--repeats", type=int, default=20, metavar="R", help="benchmarks per cell (default: 20)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[200, 500, 1000], metavar="N", help="items")
    parser.add_argument("--strengths", type=float, nargs="+", default=[0, 0.1, 0.2, 0.3, 0.4], metavar="S",
                        help="strengths of the cues; every other kind has its own")  # fmt: skip
    parser.add_argument("--subsets", nargs="+", default=list(KINDS), choices=KINDS, metavar="NAME",
                        help=", ".join(KINDS))  # fmt: skip
    # At least 260 are needed to reach p < .05 after Holm's correction for thirteen vectors.
    parser.add_argument("--permutations", type=int, default=299, metavar="B", help="default: 299")
    parser.add_argument("--bootstrap", type=int, default=200, metavar="B", help="default: 200")
    parser.add_argument("--workers", type=int, default=1, help="threads; 0 means all cores (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="default: 1")
    parser.add_argument("--json", metavar="FILE", help="write all rates to FILE")
    return parser


if __name__ == "__main__":
    sys.exit(main())
