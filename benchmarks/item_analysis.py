"""How often is the item analysis wrong? Simulated benchmarks with known faults, and real answers with flipped golds.

    python benchmarks/item_analysis.py --repeats 20 --out docs/examples/item-rates.csv
    python benchmarks/item_analysis.py --grid answers.csv --repeats 20

Models and items follow what the analysis does not suppose: slopes are lognormal, wrong answers are drawn by a
popularity of their own for each item, models that do not know may guess, and members of a family share luck. A grid of
real answers is a CSV with the columns `gold`, `options`, and one more per model, all numbered from 0; blank where there
is no answer. Its golds are flipped at random places, and those that were wrong before count as right.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from hansproof.audit.models.items import NEEDED, TAU
from hansproof.audit.statistics.item_response import dependence_weights, fit_curves, suspect_golds
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.statistics.reliability import alpha, reliability, smallest_subset

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ITEMS: Final = 300
MODELS: Final = (3, 5, 8, 12, 20, 50, 100)
WRONG: Final = (0.0, 0.01, 0.05, 0.10)


@dataclass(frozen=True)
class World:
    """One simulated benchmark with its answers."""

    said: Ints
    """(N, S)"""
    gold: Ints
    truth: Ints
    options: Ints
    wrong: NDArray[np.bool_]
    """(N,): whether the gold is wrong."""
    ambiguous: NDArray[np.bool_]
    slope: Floats
    """(N,): logits per standard deviation of these models."""
    ease: Floats
    families: Ints


@dataclass(frozen=True)
class Case:
    """What is simulated."""

    models: int
    wrong: float
    ambiguous: float = 0.0
    options: int = 4
    family: int = 1
    """Models of each family."""
    shared: float = 0.0
    """How often a member of a family has the luck of its family."""
    spread: float = 1.0

    @property
    def name(self) -> str:
        """In a table."""
        parts = [f"{self.options} options"]
        parts += [f"{self.ambiguous:.0%} ambiguous"] if self.ambiguous else []
        parts += [f"families of {self.family}"] if self.family > 1 else []
        parts += [f"abilities ± {self.spread:g}"] if self.spread != 1 else []
        return ", ".join(parts)


def simulated(case: Case, seed: int, items: int = ITEMS) -> World:
    """The benchmark number `seed` of a case."""
    draw = seeded(seed, "simulated", case.name, case.models, round(1000 * case.wrong))
    n, s, k = items, case.models, case.options
    families = np.arange(s) // case.family
    ability = draw.normal(0, case.spread, s)
    slope, ease = np.exp(draw.normal(0, 0.4, n)), draw.normal(1, 1.5, n)
    truth = draw.integers(0, k, n)
    popular = draw.dirichlet(np.full(k - 1, 0.6), n).cumsum(axis=1)
    own, of_family = draw.random((2, n, s)), draw.random((2, n, int(families.max()) + 1))
    alike = draw.random((n, s)) < case.shared
    luck, taste = (np.where(alike, shared[:, families], alone) for shared, alone in zip(of_family, own, strict=True))
    other = (popular[:, None, :] < taste[:, :, None]).sum(axis=2).clip(0, k - 2)
    other += other >= truth[:, None]
    kind, moved = draw.random(n), draw.integers(1, k, n)
    ambiguous = (kind >= case.wrong) & (kind < case.wrong + case.ambiguous)
    second = (truth + moved) % k
    right = np.where(ambiguous[:, None] & (draw.random((n, s)) < 0.5), second[:, None], truth[:, None])
    # Floor: a model that does not know guesses, and hits with 1 / k.
    knows = luck < expit(slope[:, None] * ability + ease[:, None])
    said = np.where(knows, right, np.where(draw.random((n, s)) < 0.5 / k, truth[:, None], other))
    wrong = kind < case.wrong
    gold = np.where(wrong, second, truth)
    return World(said, gold, truth, np.full(n, k), wrong, ambiguous, slope * ability.std(), ease, families)


def judged(world: World) -> dict[str, float]:
    """What the analysis makes of one benchmark: sums, which `pooled` divides."""
    right = (world.said == world.gold[:, None]).astype(np.float64)
    right[world.said < 0] = 0.0
    first = fit_curves(right, np.ones(right.shape[1]))
    weights = dependence_weights(right, first.expected, world.families)
    golds = suspect_golds(world.said, world.gold, world.options, first.ability, weights)
    faults = int(world.wrong.sum())
    flagged, unclear = golds.wrong >= 0.5, golds.ambiguous >= 0.5
    return {
        "faults": faults, "flagged": int(flagged.sum()), "hits": int((flagged & world.wrong).sum()),
        "expected": float(golds.wrong[flagged].sum()),
        "named": int((golds.other == world.truth)[flagged & world.wrong].sum()),
        "ambiguous": int(world.ambiguous.sum()), "unclear": int(unclear.sum()),
        "unclear_hits": int((unclear & world.ambiguous).sum()),
        "items": len(right), "share": golds.share_wrong, "independent": float(weights.sum()),
    }  # fmt: skip


def pooled(parts: list[dict[str, float]]) -> dict[str, str]:
    """The rates over all repeats; empty where nothing was flagged."""
    total = {name: sum(part[name] for part in parts) for name in parts[0]}

    def share(part: str, whole: str) -> str:
        return f"{total[part] / total[whole]:.2f}" if total[whole] else ""

    return {
        "independent": f"{total['independent'] / len(parts):.1f}",
        "flagged": f"{total['flagged']:.0f}",
        "precision": share("hits", "flagged"),
        "promised": share("expected", "flagged"),
        "recall": share("hits", "faults"),
        "right_answer_named": share("named", "hits"),
        "false_alarms_per_1000": f"{1000 * (total['flagged'] - total['hits']) / total['items']:.1f}",
        "share_estimated": f"{total['share'] / len(parts):.3f}",
        "ambiguous_flagged": f"{total['unclear']:.0f}",
        "ambiguous_found": share("unclear_hits", "ambiguous"),
        "ambiguous_false_per_1000": f"{1000 * (total['unclear'] - total['unclear_hits']) / total['items']:.1f}",
    }


def coverage(models: int, repeats: int) -> dict[str, str]:
    """How often intervals hold the truth: of slopes, and of KR-20 among models without end."""
    held, slopes, taus = [], [], []
    for repeat in range(repeats):
        case = Case(models, 0.0, spread=0.5)
        world = simulated(case, repeat)
        right = (world.said == world.gold[:, None]).astype(np.float64)
        fit = fit_curves(right, np.ones(models))
        # The floor of guessing flattens slopes by about its share.
        slopes.append(np.mean(np.abs(fit.slope - world.slope * (1 - 0.5 / case.options)) <= 1.96 * fit.slope_se))
        draw = seeded(repeat, "models without end")
        ability = draw.normal(0, 0.5, 4000)
        p = expit(world.slope[:, None] / 0.5 * ability + world.ease[:, None])
        p = p + (1 - p) * 0.5 / case.options
        whole = alpha((draw.random(p.shape) < p).astype(np.float64))
        own = reliability(right, np.arange(len(right)), models)
        held.append(own.low <= whole <= own.high)
        if models >= NEEDED["subset"] and repeat < 5:
            taus.append(smallest_subset(right, world.families, TAU))
    known = [each for each in taus if each is not None]
    return {
        "slope_coverage": f"{np.mean(slopes):.2f}",
        "kr20_coverage": f"{np.mean(held):.2f}",
        "subset_items": f"{np.mean([each.items for each in known]):.0f}" if known else "",
    }


def flipped(path: str, share: float, models: int, seed: int) -> World:
    """Real answers, a share of whose golds is flipped to another option; some of the models are drawn."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file))
    table = np.array([[int(cell) if cell else -1 for cell in row] for row in rows])
    draw = seeded(seed, "flipped", models, round(1000 * share))
    columns = [place for place, name in enumerate(header) if name not in ("gold", "options")]
    said = table[:, draw.permutation(columns)[:models]]
    gold, options = table[:, header.index("gold")], table[:, header.index("options")]
    wrong = draw.random(len(gold)) < share
    other = (gold + draw.integers(1, options)) % options
    nothing = np.zeros(0)
    given = np.where(wrong, other, gold)
    return World(said, given, gold, options, wrong, wrong & False, nothing, nothing, np.arange(models))


def rows(repeats: int, grid: str | None) -> Iterator[dict[str, str]]:
    """A row per case; of real answers, where a grid is given."""
    if grid is not None:
        with Path(grid).open(encoding="utf-8") as file:
            most = len(file.readline().split(",")) - 2
        for models in sorted({*(each for each in MODELS if each < most), most}):
            for wrong in WRONG:
                parts = [judged(flipped(grid, wrong, models, seed)) for seed in range(repeats)]
                yield {"case": "real answers", "models": str(models), "wrong": f"{wrong:g}"} | pooled(parts)
        return
    cases = [Case(models, wrong) for models in MODELS for wrong in WRONG]
    for more in ({"ambiguous": 0.05}, {"family": 5, "shared": 0.7}, {"options": 10}, {"options": 3}, {"spread": 0.3}):
        cases += [Case(20, wrong, **more) for wrong in (0.0, 0.05)]  # type: ignore[arg-type]
    for case in cases:
        parts = [judged(simulated(case, seed)) for seed in range(repeats)]
        yield {"case": case.name, "models": str(case.models), "wrong": f"{case.wrong:g}"} | pooled(parts)


def main() -> None:
    """Print the tables, and write the first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=20, help="benchmarks of each case")
    parser.add_argument("--grid", metavar="CSV", help="real answers, in place of simulated ones")
    parser.add_argument("--out", metavar="CSV", help="write the rates")
    given = parser.parse_args()
    made: list[dict[str, str]] = []
    for row in rows(given.repeats, given.grid):
        made.append(row)
        print(" | ".join(made[-1].values() if len(made) > 1 else [" | ".join(row), "\n", *row.values()]), flush=True)
    if given.grid is None:
        for models in MODELS[2:]:
            print(f"{models} models:", coverage(models, given.repeats), flush=True)
    if given.out:
        with Path(given.out).open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, made[0], lineterminator="\n")
            table.writeheader()
            table.writerows(made)


if __name__ == "__main__":
    main()
